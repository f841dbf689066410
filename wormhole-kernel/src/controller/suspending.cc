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

/** Where others are beside long flows, so many times what watching these costs is saved up: some
 * may come to their ports before anything of theirs is skipped. */
constexpr double RESERVE = 3;

/** All flows are gone through again after so many events for each of them: it takes a third of
 * an event's time for each, and there may be 100,000. */
constexpr std::uint64_t EVENTS_PER_FLOW = 8;

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
    m_suspension = Suspension{m_table.Now(), run, run, run, run, wanted, 0, std::nullopt};
    m_least = 0;
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
    const bool isEnough =
        run >= m_suspension->countFrom && m_account.SavesUpFor(m_suspension->wanted);
    if ((run == m_suspension->seen || isEnough) && MayGoOn(run))
    {
        return;
    }
    m_suspension->seen = run;
    Await(run);
}

/** \return whether it has gone on, or there is nobody to await */
bool
Suspending::MayGoOn(std::uint64_t run)
{
    const std::size_t flows = m_context.simulator.CountRunningFlows().value();
    m_suspension->countFrom = run + EVENTS_PER_FLOW * flows;
    const double least = m_account.LeastOfLong();
    const std::size_t some = flows > 0 ? m_context.simulator.CountLongFlows(least).value_or(0) : 0;
    const bool isPart = some > 0 && some < flows;
    m_suspension->wanted =
        isPart ? RESERVE * m_account.WatchingWork(some) : m_account.WatchingWork(flows);
    if (m_account.HasSaved(m_suspension->wanted))
    {
        GoOn(some > 0 ? m_context.simulator.LongFlows(least)
                      : m_context.simulator.RunningFlows().value());
        m_least = some > 0 ? least : 0;
        return true;
    }
    if (flows == 0)
    {
        m_suspension->look.reset();
        return true;
    }
    return false;
}

void
Suspending::Await(std::uint64_t run)
{
    const Duration passed = m_table.Now() - m_suspension->since;
    const double missing = m_account.EventsUntil(m_suspension->wanted);
    m_suspension->target =
        std::max(static_cast<double>(run) + missing, static_cast<double>(m_suspension->countFrom));
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
    }
}

} // namespace wormhole
