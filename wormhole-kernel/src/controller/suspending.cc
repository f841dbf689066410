/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/suspending.h"

#include "controller/following.h"
#include "controller/settling.h"
#include "controller/skip/skipping.h"

#include <algorithm>
#include <utility>

namespace wormhole
{
namespace
{

/** The next look comes after this many times what has passed so far, at most, ... */
constexpr double MAX_PATIENCE = 1;

/** ... and at least, ... */
constexpr double MIN_PATIENCE = 1.0 / 16;

/** ... but never after less than this. */
constexpr Duration FIRST_LOOK{1000};

} // namespace

Suspending::Suspending(const ControllerContext& context,
                       PartitionTable& table,
                       Account& account,
                       Settling& settling,
                       Skipping& skipping,
                       Following& following)
    : m_context(context),
      m_table(table),
      m_account(account),
      m_settling(settling),
      m_skipping(skipping),
      m_following(following)
{
}

void
Suspending::Count()
{
    if (m_suspension)
    {
        const std::uint64_t run = *m_context.simulator.TotalEvents();
        m_context.statistics.eventsSuspended += run - std::exchange(m_suspension->counted, run);
    }
}

void
Suspending::Suspend()
{
    m_settling.SettleAll(Reason::Suspended);
    ++m_context.statistics.suspensions;
    const std::uint64_t run = *m_context.simulator.TotalEvents();
    const double wanted = m_account.WatchingWork(m_table.FlowCount());
    m_suspension = Suspension{m_table.Now(), run, run, run, wanted, 0, std::nullopt};
    m_following.MayHaveEnded();
    m_skipping.ForgetProbes();
    m_table.Clear();
    Await(run);
}

void
Suspending::FlowStarted()
{
    if (!m_suspension->look || *m_context.simulator.TotalEvents() >= m_suspension->target)
    {
        m_suspension->look = Later(m_table.Now(), Duration{1});
    }
}

void
Suspending::Look()
{
    const std::uint64_t run = *m_context.simulator.TotalEvents();
    const bool isEnough = m_account.SavesUpFor(m_suspension->wanted);
    if (run == m_suspension->seen || isEnough)
    {
        const std::size_t flows = m_context.simulator.CountRunningFlows().value();
        m_suspension->wanted = m_account.WatchingWork(flows);
        if (m_account.HasSaved(m_suspension->wanted))
        {
            GoOn(m_context.simulator.RunningFlows().value());
            return;
        }
        if (flows == 0)
        {
            m_suspension->look.reset();
            return;
        }
    }
    m_suspension->seen = run;
    Await(run);
}

void
Suspending::Await(std::uint64_t run)
{
    const Duration passed = m_table.Now() - m_suspension->since;
    const double missing = m_account.EventsUntil(m_suspension->wanted);
    m_suspension->target = static_cast<double>(run) + missing;
    // By how fast events came so far.
    const auto came = static_cast<double>(run - m_suspension->events);
    const double share = came > 0 ? missing / came : MAX_PATIENCE;
    const Duration patience = Scale(passed, std::clamp(share, MIN_PATIENCE, MAX_PATIENCE));
    m_suspension->look = Later(m_table.Now(), std::max(patience, FIRST_LOOK));
}

void
Suspending::GoOn(std::vector<FlowPath> flows)
{
    Count();
    m_suspension.reset();
    std::sort(flows.begin(), flows.end(), [](const FlowPath& a, const FlowPath& b) {
        return a.flow < b.flow;
    });
    for (const auto& [id, ports] : flows)
    {
        m_settling.Register(id, ports, Reason::Resumed);
        const FlowProgress progress = m_context.simulator.Observe(id);
        FlowRecord& flow = m_table.Flow(id);
        flow.deliveredBefore = progress.delivered;
        flow.eventsBefore = progress.events;
    }
}

} // namespace wormhole
