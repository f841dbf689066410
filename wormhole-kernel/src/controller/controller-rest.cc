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

#include "controller/controller-impl.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace wormhole
{
namespace
{

/** What is saved earns so many times as much as what is run: it is a good trade while it lasts. */
constexpr double SAVED_WORTH = 50;

/** Work that a waking is worth at least, in events. */
constexpr double LEAST_WAKING_WORK = 1000;

/** Windows of samples that a waking should pay for. */
constexpr double WINDOWS_AWAKE = 2;

/** The next look comes after this many times what has passed so far, at most, ... */
constexpr double MOST_PATIENCE = 1;

/** ... and at least, ... */
constexpr double LEAST_PATIENCE = 1.0 / 16;

/** ... but never after less than this. */
constexpr Duration FIRST_LOOK{1000};

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
    const double saved =
        m_statistics.eventsSkipped + static_cast<double>(m_statistics.eventsReplayed);
    m_budget.Earn(static_cast<double>(run.value_or(0)) + SAVED_WORTH * saved, wanted);
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
    m_nap = Nap{m_now, run, run, run, WakingWork(m_flows.size()), 0, std::nullopt};
    for (const auto& [id, record] : m_records)
    {
        CountTime(*record);
    }
    m_alarms.clear();
    m_anyEnded = true; // from now on, others may without its knowledge
    m_sentinels.clear();
    m_records.clear();
    m_flows.clear();
    m_map.Clear();
    m_searched = 0;
    Await(run);
}

void
Controller::Impl::Stir()
{
    if (!m_nap->look || *m_simulator.TotalEvents() >= m_nap->target)
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
    Await(run);
}

void
Controller::Impl::Await(std::uint64_t run)
{
    const Duration passed = m_now - m_nap->since;
    const double missing = m_budget.EventsUntil(m_nap->wanted);
    m_nap->target = static_cast<double>(run) + missing;
    // By how fast events came so far.
    const auto came = static_cast<double>(run - m_nap->events);
    const double share = came > 0 ? missing / came : MOST_PATIENCE;
    const Duration patience = Scale(passed, std::clamp(share, LEAST_PATIENCE, MOST_PATIENCE));
    m_nap->look = Later(m_now, std::max(patience, FIRST_LOOK));
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
    return LEAST_WAKING_WORK + WorkPerFlow() * static_cast<double>(flows);
}

double
Controller::Impl::WorkPerFlow() const
{
    return START_WORK + KEY_WORK + RECORDING_WORK +
           SAMPLE_WORK * WINDOWS_AWAKE * m_options.steady.window;
}

} // namespace wormhole
