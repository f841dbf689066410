/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_FAIR_SHARES_H
#define WORMHOLE_FAIR_SHARES_H

#include "tracking/rate-sampler.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace wormhole
{

/** Calls \p visit with each port that the data of \p flow cross. */
template <typename Visit>
void
ForDataPorts(const Simulator& simulator, const PartitionMap& map, FlowId flow, const Visit& visit)
{
    const auto& ports = map.PortsOf(flow);
    const std::size_t count = std::min(ports.size(), simulator.DataPortsOf(flow));
    std::for_each(ports.begin(), ports.begin() + static_cast<std::ptrdiff_t>(count), visit);
}

/** \return for each flow of \p members the port that holds it back at \p rates: one that is full,
 *          the only one with some contention that it shares; nullopt if there is no such port */
std::vector<std::optional<PortId>> BottlenecksOf(const Simulator& simulator,
                                                 const PartitionMap& map,
                                                 const PartitionMembers& members,
                                                 const std::vector<Rate>& rates);

/**
 * Controls make shares of a port equal in the end, but by steps that may be smaller than the noise
 * of a window: shares that are not equal are on their way for long. Where flows share other ports,
 * too, they need not become equal.
 * \param rates of \p members; with noise, if any
 * \param theta by which equal shares may differ, relative to them
 * \return for each port that is full and has unequal shares: the flows that share no other one
 */
std::vector<FlowGroup> UnfairShares(const Simulator& simulator,
                                    const PartitionMap& map,
                                    const PartitionMembers& members,
                                    const SteadyRates& rates,
                                    double theta);

/**
 * Gives flows that are alike, whose control can be scaled, and whose shares of a port are equal
 * within \p theta and noise, their mean: they become equal sooner or later, and what is seen of
 * them in a few windows may be a pattern that does not last.
 * \param rates of \p members; with noise
 */
void EvenShares(const Simulator& simulator,
                const PartitionMap& map,
                const PartitionMembers& members,
                SteadyRates& rates,
                double theta);

} // namespace wormhole

#endif // WORMHOLE_FAIR_SHARES_H
