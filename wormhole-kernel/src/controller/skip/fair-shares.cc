/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/skip/fair-shares.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <unordered_set>
#include <utility>

namespace wormhole
{
namespace
{

/** Part of theta below which noise must be of shares that are on their way: others wander. */
constexpr double QUIET = 0.5;

/** Part of theta by which, beside noise, rates may move that stand still. */
constexpr double STILL = 0.5;

/** What measured speeds may be of what additive increase makes them: mostly 1 to 1.6, and tens just
 * after something has happened, which do not last. */
constexpr double FASTEST = 2.5;

/** Part of the time in which additive increase brings shares together by e: those that can be
 * scaled and stood still for as long are not on their way. */
constexpr double LOCKED = 0.3;

/** How much more than noise that is measured, in variance, differences of shares must be that are
 * to last while controls make them equal. */
constexpr double LASTING = 1.5;

/** Flows that do not come apart by more than they wander. */
constexpr std::size_t PAIR = 2;

/** Of the FNV hash (Fowler, Noll, Vo), 64 bits. */
constexpr std::uint64_t FNV_PRIME = 0x100000001b3;

/** What it begins with. */
constexpr std::uint64_t FNV_BASIS = 0xcbf29ce484222325;

/** What a partition does at a port. */
struct PortUse
{
    double rate{0}; //!< bytes/s on the wire
    std::uint32_t flows{0};
    std::uint64_t users{0}; //!< which they are: equal if the same
};

/** \return whether the flows of \p group are alike */
bool
AreAlike(const Simulator& simulator, const PartitionMembers& members, const FlowGroup& group)
{
    const FlowAttributes first = simulator.Describe(members.ids.flows[group.front()]);
    return std::all_of(group.begin(), group.end(), [&](std::uint32_t flow) {
        return AreAlike(simulator.Describe(members.ids.flows[flow]), first);
    });
}

/** \return whether the control of each flow of \p group can be scaled */
bool
CanScale(const Simulator& simulator, const PartitionMembers& members, const FlowGroup& group)
{
    return std::all_of(group.begin(), group.end(), [&](std::uint32_t flow) {
        return simulator.CanScale(members.ids.flows[flow]);
    });
}

/** \return bytes/s */
double
MeanOf(const FlowGroup& group, const SteadyRates& rates)
{
    double sum = 0;
    for (const std::uint32_t flow : group)
    {
        sum += rates.rates[flow].InBytesPerSecond();
    }
    return sum / static_cast<double>(group.size());
}

/** \return how much of the differences between the rates of \p group is more than \p margin times
 * their noise, a share (after James and Stein) */
double
ShareBeyondNoise(const FlowGroup& group, const SteadyRates& rates, double margin)
{
    const double mean = MeanOf(group, rates);
    double differences = 0;
    double noise = 0;
    for (const std::uint32_t flow : group)
    {
        const double rate = rates.rates[flow].InBytesPerSecond();
        differences += (rate - mean) * (rate - mean);
        noise += rates.noise[flow] * rate * rates.noise[flow] * rate;
    }
    const auto flows = static_cast<double>(group.size());
    differences /= std::max(flows - 1, 1.0);
    noise *= margin / flows;
    return noise < differences ? 1 - noise / differences : 0;
}

/** Leaves a \p part of the differences between the rates of \p group. */
void
Level(const FlowGroup& group, double part, SteadyRates& rates)
{
    const double mean = MeanOf(group, rates);
    for (const std::uint32_t flow : group)
    {
        const double rate = rates.rates[flow].InBytesPerSecond();
        rates.rates[flow] = Rate::BytesPerSecond(mean + part * (rate - mean));
    }
}

/** \return how fast shares of \p group become equal, 1/s: what additive increase adds to the rates
 * of all, cuts in proportion take away. 0 if not known */
double
SpeedOf(const Simulator& simulator,
        const PartitionMembers& members,
        const FlowGroup& group,
        const SteadyRates& rates)
{
    double increase = 0;
    for (const std::uint32_t flow : group)
    {
        increase += simulator.AdditiveIncrease(members.ids.flows[flow]);
    }
    return increase / (MeanOf(group, rates) * static_cast<double>(group.size()));
}

/** \return what \p unequal shares, whose noise is small, go on to: they are on their way to being
 * equal, at a speed that is known; or would long have gone it, and stand still. nullopt if neither
 * is so. */
std::optional<Approach>
FindApproach(const Simulator& simulator,
             const PartitionRecord& record,
             const Shares& unequal,
             const SteadyRates& rates,
             double theta)
{
    const ShareWatch& shares = record.sampling.shares;
    const FlowGroup& group = unequal.flows;
    const double speed = SpeedOf(simulator, record.members, group, rates);
    const Duration still = shares.StillFor(group, rates.noise, STILL * theta);
    const double ways = std::chrono::duration<double>(still).count() * speed;
    if (!CanScale(simulator, record.members, group))
    {
        return ways >= 1 ? std::optional(Approach{{}, 0, still}) : std::nullopt;
    }
    auto approach = ways < LOCKED ? shares.Find(group, rates.noise) : std::nullopt;
    if (approach && unequal.onePort && speed > 0)
    {
        approach->speed = std::min(approach->speed, FASTEST * speed);
    }
    return approach;
}

} // namespace

bool
AreAlike(const FlowAttributes& flow, const FlowAttributes& other)
{
    return flow.control == other.control && flow.lineRate == other.lineRate &&
           flow.baseRttClass == other.baseRttClass;
}

bool
AreApart(const Simulator& simulator, const PartitionMap& map, const PartitionMembers& members)
{
    std::unordered_set<PortId> used;
    bool apart = true;
    for (const FlowId flow : members.ids.flows)
    {
        ForDataPorts(simulator, map, flow, [&](PortId port) {
            apart = used.insert(port).second && apart;
        });
    }
    return apart;
}

std::vector<HeldBack>
HeldBackBy(const Simulator& simulator,
           const PartitionMap& map,
           const PartitionMembers& members,
           const std::vector<Rate>& rates,
           double contended)
{
    std::map<PortId, PortUse> uses;
    const auto forDataPorts = [&](std::size_t flow, const auto& visit) {
        ForDataPorts(simulator, map, members.ids.flows[flow], visit);
    };
    const auto isUsed = [&](PortId port, double share) {
        return uses[port].rate >= share * simulator.CapacityOf(port).InBytesPerSecond();
    };
    const auto isNarrower = [&](PortId port, PortId other) {
        const Rate a = simulator.CapacityOf(port);
        const Rate b = simulator.CapacityOf(other);
        return a != b ? a < b : port < other;
    };
    for (std::size_t i = 0; i < rates.size(); ++i)
    {
        const double onWire =
            rates[i].InBytesPerSecond() * simulator.WireBytesPerByte(members.ids.flows[i]);
        forDataPorts(i, [&](PortId port) {
            uses[port].rate += onWire;
            ++uses[port].flows;
            uses[port].users = (uses[port].users ^ (i + 1)) * FNV_PRIME;
        });
    }
    std::vector<HeldBack> heldBack(rates.size());
    for (std::size_t i = 0; i < rates.size(); ++i)
    {
        bool many = false;
        bool full = false;
        std::optional<PortId> last;
        std::uint64_t ports = FNV_BASIS;
        forDataPorts(i, [&](PortId port) {
            if (uses[port].flows > 1 && isUsed(port, contended))
            {
                // Ports one behind the other that the same flows share are as one.
                many = many || (last && uses[port].users != uses[*last].users);
                last = last && !isNarrower(port, *last) ? last : port;
                full = full || isUsed(port, FULL_PORT);
                ports = (ports ^ port.Value()) * FNV_PRIME;
            }
        });
        if (last && !many && isUsed(*last, FULL_PORT))
        {
            heldBack[i].port = last;
        }
        if (heldBack[i].port || (many && full))
        {
            heldBack[i].ports = ports;
        }
    }
    return heldBack;
}

bool
HaveOneBottleneck(const Simulator& simulator,
                  const PartitionMap& map,
                  const PartitionMembers& members,
                  const std::vector<Rate>& rates)
{
    const auto heldBack = HeldBackBy(simulator, map, members, rates);
    return heldBack.front().port &&
           std::all_of(heldBack.begin() + 1, heldBack.end(), [&](const HeldBack& by) {
               return by.port == heldBack.front().port;
           });
}

std::vector<Shares>
SharesOf(const Simulator& simulator,
         const PartitionMap& map,
         const PartitionMembers& members,
         const SteadyRates& rates,
         double contended)
{
    const auto heldBack = HeldBackBy(simulator, map, members, rates.rates, contended);
    std::map<std::uint64_t, Shares> sharesOf;
    for (std::size_t i = 0; i < heldBack.size(); ++i)
    {
        if (heldBack[i].ports)
        {
            const double rate = rates.rates[i].InBytesPerSecond();
            const double noise = i < rates.noise.size() ? rates.noise[i] : 0;
            Shares& shares = sharesOf[*heldBack[i].ports];
            shares.flows.push_back(static_cast<std::uint32_t>(i));
            shares.onePort = shares.onePort && heldBack[i].port;
            shares.least = std::min(shares.least, rate * (1 + noise));
            shares.most = std::max(shares.most, rate * (1 - noise));
        }
    }
    std::vector<Shares> all;
    all.reserve(sharesOf.size());
    for (auto& [ports, shares] : sharesOf)
    {
        all.push_back(std::move(shares));
    }
    return all;
}

void
EvenShares(const Simulator& simulator,
           const PartitionMembers& members,
           const Shares& shares,
           SteadyRates& rates)
{
    if (CanScale(simulator, members, shares.flows) && AreAlike(simulator, members, shares.flows))
    {
        Level(shares.flows, ShareBeyondNoise(shares.flows, rates, LASTING), rates);
    }
}

void
ForgetNoise(const Simulator& simulator,
            const PartitionMap& map,
            const PartitionMembers& members,
            SteadyRates& rates)
{
    const auto& flows = members.ids.flows;
    if (std::all_of(flows.begin(), flows.end(), [&](FlowId f) { return simulator.CanScale(f); }))
    {
        return; // before anything is found out of ports
    }
    for (const Shares& shares : SharesOf(simulator, map, members, rates, FULL_PORT))
    {
        const FlowGroup& group = shares.flows;
        if (!CanScale(simulator, members, group) && AreAlike(simulator, members, group))
        {
            Level(group, ShareBeyondNoise(group, rates, 1), rates);
        }
    }
}

bool
AreInStep(const Simulator& simulator, const PartitionMembers& members, const FlowGroup& group)
{
    const auto averageOf = [&](std::uint32_t flow) {
        return simulator.CongestionAverage(members.ids.flows[flow]);
    };
    return group.size() <= PAIR ||
           std::all_of(group.begin() + 1, group.end(), [&](std::uint32_t flow) {
               return averageOf(flow) == averageOf(group.front());
           });
}

bool
FindApproaches(const Simulator& simulator,
               const PartitionMap& map,
               const PartitionRecord& record,
               double theta,
               SteadyRates& rates)
{
    const auto all = SharesOf(simulator, map, record.members, rates);
    const auto isQuiet = [&](std::uint32_t flow) { return rates.noise[flow] < QUIET * theta; };
    rates.approaches.clear();
    for (const Shares& shares : all)
    {
        const FlowGroup& group = shares.flows;
        if (!shares.AreUnfair(theta))
        {
            if (!AreInStep(simulator, record.members, group))
            {
                return false;
            }
            EvenShares(simulator, record.members, shares, rates);
            continue;
        }
        const auto approach = std::all_of(group.begin(), group.end(), isQuiet)
                                  ? FindApproach(simulator, record, shares, rates, theta)
                                  : std::nullopt;
        if (!approach)
        {
            return false;
        }
        rates.approaches.resize(rates.rates.size());
        for (const std::uint32_t flow : group)
        {
            rates.approaches[flow] = *approach;
        }
    }
    ForgetNoise(simulator, map, record.members, rates);
    return true;
}

} // namespace wormhole
