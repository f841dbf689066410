/*
 * SPDX-License-Identifier: MIT
 */
// What the controller costs, and how it rests when that is too much: the seventh part of
// Controller::Impl.
//
// While it rests the simulator runs as without a controller. What its events earn is saved up until
// it pays for getting to know the flows that are there then, and for watching them for as long as
// it takes to find them steady. So what it costs stays within bounds, and a phase in which all is
// steady is found after a share of it, however chaotic the beginning was.

#include "controller-impl.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace wormhole
{
namespace
{

/** Work that a waking is worth at least, in events. */
constexpr double LEAST_WAKING_WORK = 1000;

/** Windows of samples that a waking should pay for. */
constexpr double WINDOWS_AWAKE = 2;

/** The next look comes after this many times what has passed so far, at most, ... */
constexpr double MOST_PATIENCE = 4;

/** ... and at least. */
constexpr double LEAST_PATIENCE = 1.0 / 16;

} // namespace

bool
Controller::Impl::IsResting() const
{
    return m_nap.has_value();
}

void
Controller::Impl::Earn(double wanted)
{
    const auto run = m_simulator.TotalEvents();
    m_budget.Earn(static_cast<double>(run.value_or(0)) + m_statistics.eventsSkipped +
                      static_cast<double>(m_statistics.eventsReplayed),
                  wanted);
}

bool
Controller::Impl::Affords(double work)
{
    Earn();
    if (m_simulator.TotalEvents() && !m_budget.Affords(work))
    {
        return false;
    }
    m_budget.Spend(work);
    return true;
}

bool
Controller::Impl::IsSpent()
{
    Earn();
    return m_simulator.TotalEvents() && !m_budget.Affords(0);
}

void
Controller::Impl::Count()
{
    m_statistics.work = m_budget.Spent();
    if (m_nap)
    {
        const std::uint64_t run = *m_simulator.TotalEvents();
        m_statistics.eventsAtRest += run - std::exchange(m_nap->counted, run);
    }
}

void
Controller::Impl::SettleAll(Reason reason)
{
    for (bool settled = false; !settled;)
    {
        settled = true;
        for (const PartitionId partition : m_map.Partitions())
        {
            // Flows that end on the way may take partitions with them.
            const auto found = m_records.find(partition);
            if (found != m_records.end() && !found->second->fresh)
            {
                settled = false;
                Settle(*found->second, reason);
            }
        }
    }
    for (const PartitionId partition : m_map.Partitions())
    {
        PartitionRecord& record = RecordOf(partition);
        record.members = CollectMembers(partition);
        record.fresh = false;
        ClearAlarm(record);
        m_packets.Run(record.members, m_now);
    }
}

void
Controller::Impl::Rest()
{
    SettleAll(Reason::Resting);
    ++m_statistics.rests;
    const std::uint64_t run = *m_simulator.TotalEvents();
    m_nap = Nap{m_now, run, run, run, WakingWork(m_flows.size()), std::nullopt};
    for (const auto& [id, record] : m_records)
    {
        CountTime(*record);
    }
    m_alarms.clear();
    m_sentinels.clear();
    m_records.clear();
    m_flows.clear();
    m_map.Clear();
    m_searched = 0;
    m_nap->look = Later(m_now, Patience(run));
}

void
Controller::Impl::Stir()
{
    if (!m_nap->look)
    {
        m_nap->look = Later(m_now, Duration{1});
    }
}

void
Controller::Impl::Look()
{
    const std::uint64_t run = *m_simulator.TotalEvents();
    Earn(m_nap->wanted);
    if (run == m_nap->seen || m_budget.Affords(m_nap->wanted))
    {
        std::vector<FlowPath> flows = m_simulator.RunningFlows().value();
        m_nap->wanted = WakingWork(flows.size());
        if (m_budget.Affords(m_nap->wanted))
        {
            Wake(std::move(flows));
            return;
        }
        if (flows.empty())
        {
            m_nap->look.reset();
            return;
        }
    }
    m_nap->seen = run;
    m_nap->look = Later(m_now, Patience(run));
}

Duration
Controller::Impl::Patience(std::uint64_t events) const
{
    // By how fast events came since it rests; or in all, if that is since now.
    const bool begins = m_now == m_nap->since;
    const Duration passed = begins ? m_now.time_since_epoch() : m_now - m_nap->since;
    const double came = static_cast<double>(begins ? events : events - m_nap->events);
    const double missing = m_budget.EventsUntil(m_nap->wanted);
    const double share = came > 0 ? missing / came : MOST_PATIENCE;
    return std::max(Scale(passed, std::clamp(share, LEAST_PATIENCE, MOST_PATIENCE)), Duration{1});
}

void
Controller::Impl::Wake(std::vector<FlowPath> flows)
{
    Count();
    m_nap.reset();
    std::sort(flows.begin(), flows.end(), [](const FlowPath& a, const FlowPath& b) {
        return a.flow < b.flow;
    });
    for (const auto& [id, ports] : flows)
    {
        Register(id, ports, Reason::Woken);
        const FlowProgress progress = m_simulator.Observe(id);
        FlowRecord& flow = m_flows.at(id);
        flow.deliveredBefore = progress.delivered;
        flow.eventsBefore = progress.events;
    }
}

double
Controller::Impl::WakingWork(std::size_t flows) const
{
    const double perFlow = START_WORK + KEY_WORK + RECORDING_WORK +
                           SAMPLE_WORK * WINDOWS_AWAKE * m_options.steady.window;
    return LEAST_WAKING_WORK + perFlow * static_cast<double>(flows);
}

} // namespace wormhole
