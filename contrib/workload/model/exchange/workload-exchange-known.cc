/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-exchange-parts.h"

#include <algorithm>
#include <tuple>

// What is remembered of exchanges.

namespace ns3
{

namespace
{

/** Transfers of all exchanges that are remembered: 100 MB. */
constexpr uint64_t MOST_KEPT = 1000000;

/** Transfers of an exchange that is remembered, at least: fast-forward itself knows how flows go
 * that are alone. */
constexpr size_t LEAST_TRANSFERS = 2;

/** Packet-hops of an exchange that is remembered: as many may have to be simulated at once. */
constexpr uint64_t MOST_HOPS = 100000;

/** Packet-hops that a transfer earns which could have been repeated, but was not, as too little was
 * earned: a tenth of fast-forward's own work for a flow, about. */
constexpr double EARNED_IN_VAIN = 4;

} // namespace

/** All transfers of an exchange that was simulated have ended. */
void
WorkloadExchangeMemory::Finish(const Exchange& exchange)
{
    WorkloadRepeats& statistics = m_repeater.GetStatistics();
    const std::shared_ptr<Known> seen = Remembered(exchange);
    if (seen->transfers.size() < LEAST_TRANSFERS || m_kept >= MOST_KEPT)
    {
        return;
    }
    if (IsKnown(*seen))
    {
        m_credit += EARNED_IN_VAIN * static_cast<double>(seen->transfers.size());
        return;
    }
    for (const WorkloadTransfer& transfer : seen->transfers)
    {
        seen->hops += m_repeater.CountHops(transfer);
    }
    if (seen->hops > MOST_HOPS)
    {
        return;
    }
    if (m_repeater.CountTroubles() != exchange.troubles)
    {
        ++statistics.disturbed;
        return;
    }
    ++statistics.recorded;
    m_kept += seen->transfers.size();
    for (const uint32_t place : seen->turns)
    {
        if (seen->starts[place] > seen->GetTolerance())
        {
            break;
        }
        auto& alike = m_known[KeyOf(seen->transfers[place])];
        if (alike.size() < WorkloadKnownStep::MOST_ALIKE && (alike.empty() || alike.back() != seen))
        {
            alike.push_back(seen);
        }
    }
}

/** \return what is to be remembered of it */
std::shared_ptr<WorkloadExchangeMemory::Known>
WorkloadExchangeMemory::Remembered(const Exchange& exchange)
{
    std::vector<const Member*> members;
    for (const Member& member : exchange.members)
    {
        members.push_back(&member);
    }
    // stable, as those of a pair may start at once
    std::stable_sort(members.begin(), members.end(), [](const Member* a, const Member* b) {
        const auto order = [](const Member& m) {
            return std::make_tuple(m.transfer.src, m.transfer.dst, m.startPs);
        };
        return order(*a) < order(*b);
    });
    auto known = std::make_shared<Known>();
    known->isOver = true;
    for (uint32_t place = 0; place < members.size(); ++place)
    {
        const Member& member = *members[place];
        known->transfers.push_back(member.transfer);
        known->turns.push_back(place);
        known->starts.push_back(member.startPs - exchange.sincePs);
        known->events.push_back({member.deliveredPs - exchange.sincePs, place, false});
        known->lastDelivery = std::max(known->lastDelivery, known->events.back().at);
        known->events.push_back({member.endPs - exchange.sincePs, place, true});
        const std::vector<uint32_t>& ports = WayOf(member.transfer).ports;
        known->ports.insert(known->ports.end(), ports.begin(), ports.end());
    }
    std::sort(known->ports.begin(), known->ports.end());
    known->ports.erase(std::unique(known->ports.begin(), known->ports.end()), known->ports.end());
    std::stable_sort(known->turns.begin(), known->turns.end(), [&](uint32_t a, uint32_t b) {
        return known->starts[a] < known->starts[b];
    });
    std::stable_sort(known->events.begin(), known->events.end(), [](const auto& a, const auto& b) {
        return a.at < b.at;
    });
    return known;
}

/** \return whether one like \p seen is remembered, right or wrong */
bool
WorkloadExchangeMemory::IsKnown(const Known& seen) const
{
    const auto alike = m_known.find(KeyOf(seen.transfers[seen.turns.front()]));
    return alike != m_known.end() &&
           std::any_of(alike->second.begin(), alike->second.end(), [&seen](const auto& known) {
               return std::equal(
                          known->transfers.begin(),
                          known->transfers.end(),
                          seen.transfers.begin(),
                          seen.transfers.end(),
                          [](const auto& a, const auto& b) { return KeyOf(a) == KeyOf(b); }) &&
                      known->IsNear(seen.starts);
           });
}

} // namespace ns3
