/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_FAIR_SHARES_H
#define WORMHOLE_FAIR_SHARES_H

#include "tracking/partition-record.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace wormhole
{

/** \return how many ports the data of \p flow cross, the first ones of its path */
inline std::size_t
CountDataPorts(const Simulator& simulator, const PartitionMap& map, FlowId flow)
{
    return std::min(map.PortsOf(flow).size(), simulator.DataPortsOf(flow));
}

/** Calls \p visit with each port that the data of \p flow cross. */
template <typename Visit>
void
ForDataPorts(const Simulator& simulator, const PartitionMap& map, FlowId flow, const Visit& visit)
{
    const auto& ports = map.PortsOf(flow);
    const auto count = static_cast<std::ptrdiff_t>(CountDataPorts(simulator, map, flow));
    std::for_each(ports.begin(), ports.begin() + count, visit);
}

/** \return whether both flows have the same control, round trip and sender's rate */
bool AreAlike(const FlowAttributes& flow, const FlowAttributes& other);

/** \return whether no two flows of \p members share a port that their data cross */
bool AreApart(const Simulator& simulator, const PartitionMap& map, const PartitionMembers& members);

/** Part of its capacity that a port is used by at least if it holds its flows back, ... */
constexpr double FULL_PORT = 0.87;

/** ... or may do so a little. */
constexpr double CONTENDED_PORT = 0.545;

/** What holds a flow back. */
struct HeldBack
{
    /** A port that is full, if it is the only one that the flow shares and that is contended. */
    std::optional<PortId> port;

    /** All contended ports that it shares, as one number; nullopt if none of them is full. */
    std::optional<std::uint64_t> ports;
};

/** \return for each flow of \p members what holds it back at \p rates
 *  \param contended share of its capacity by which a port is used if it is contended */
std::vector<HeldBack> HeldBackBy(const Simulator& simulator,
                                 const PartitionMap& map,
                                 const PartitionMembers& members,
                                 const std::vector<Rate>& rates,
                                 double contended = CONTENDED_PORT);

/** \return whether one port holds all of \p members back at \p rates, and no other one */
bool HaveOneBottleneck(const Simulator& simulator,
                       const PartitionMap& map,
                       const PartitionMembers& members,
                       const std::vector<Rate>& rates);

/**
 * Flows that the same ports hold back, one or several.
 *
 * Controls make shares of a port equal in the end, but by steps that may be smaller than the noise
 * of a window: shares that are not equal are on their way for long. Where some flows share other
 * ports, too, they need not become equal to those that do not, but to each other.
 */
struct Shares
{
    FlowGroup flows;
    bool onePort{true};                                    //!< holds them back, no others
    double least{std::numeric_limits<double>::infinity()}; //!< bytes/s; with its noise
    double most{0};                                        //!< bytes/s; less its noise

    /** \return whether they differ by more than \p theta, relative to them, and their noise */
    bool AreUnfair(double theta) const
    {
        return most > least * (1 + theta);
    }
};

/**
 * \param rates of \p members; with noise, if any
 * \param contended as of HeldBackBy
 * \return the shares of flows that the same ports hold back, of which one is full
 */
std::vector<Shares> SharesOf(const Simulator& simulator,
                             const PartitionMap& map,
                             const PartitionMembers& members,
                             const SteadyRates& rates,
                             double contended = CONTENDED_PORT);

/**
 * Takes the flows of \p shares, which are about equal, to their mean by as much as noise explains
 * how they differ, if they are alike and their control can be scaled: they become equal sooner or
 * later, unless their frames have locked into a pattern.
 * \param rates of \p members, with noise
 */
void EvenShares(const Simulator& simulator,
                const PartitionMembers& members,
                const Shares& shares,
                SteadyRates& rates);

/**
 * Takes flows that are alike, whose control cannot be scaled, and which the same full ports hold
 * back, to their mean by as much as noise explains how their rates differ: which of them has
 * more changes while a skip lasts.
 * \param rates of \p members, with noise
 */
void ForgetNoise(const Simulator& simulator,
                 const PartitionMap& map,
                 const PartitionMembers& members,
                 SteadyRates& rates);

/** \return whether the controls of \p group have all learned the same, or it is a pair: equal
 * shares stay so. Others may be about to come apart, at a speed that none of their rates shows:
 * senders of an incast under DCTCP that began at once differ by 0.1 % for a millisecond, and by 30
 * % in the end. */
bool AreInStep(const Simulator& simulator, const PartitionMembers& members, const FlowGroup& group);

/** Finds what unequal shares that \p record has of ports at \p rates are on their way to, and evens
 * those that are equal within \p theta. What of these may come apart is not known.
 * \return whether that is known of all of them */
bool FindApproaches(const Simulator& simulator,
                    const PartitionMap& map,
                    const PartitionRecord& record,
                    double theta,
                    SteadyRates& rates);

} // namespace wormhole

#endif // WORMHOLE_FAIR_SHARES_H
