/*
 * SPDX-License-Identifier: MIT
 */
#include "tracking/account.h"

#include <algorithm>
#include <utility>

namespace wormhole
{
namespace
{

/** What is saved earns so many times as much as what is run: it is a good trade while it lasts. */
constexpr double SAVED_WORTH = 50;

/** Work that knowing of any flows is worth at least, in events. */
constexpr double MIN_WATCHING_WORK = 1000;

/** Windows of samples that are paid for before flows are watched again. */
constexpr double WINDOWS_WATCHED = 2;

/** So many flows are watched whatever they stand for, ... */
constexpr std::size_t FREE_FLOWS = 128;

/** ... so many once there was a long one, ... */
constexpr std::size_t FREE_FLOWS_BESIDE = 512;

/** ... and more if they are: others cost more than they can ever save. */
constexpr double LEAST_EVENTS = 4 * START_WORK;

/** A flow that stands for so many events mostly comes to be steady, ... */
constexpr double MANY_EVENTS = 50'000;

/** ... so that of what it will earn, so many times as much may be spent in advance. */
constexpr double MANY_ADVANCES = 3;

/** Events: less than that is not worth it that all that follows is in another order, where that
 * matters (Simulator::PathsCollide). */
constexpr double LEAST_SAVED = 65'536;

/** What may be spent in advance, in events' worth, at one time. */
constexpr double MAX_DEBT = 10'000;

} // namespace

Account::Account(const ControllerContext& context)
    : m_context(context),
      m_budget(context.options.overhead, context.options.freeWork)
{
}

bool
Account::PaysOff(double gain) const
{
    return IsShare(gain, m_context.options.minSaving) && IsAnything(gain);
}

bool
Account::IsAnything(double gain) const
{
    return Saved() + gain + m_awaited >= LEAST_SAVED || m_context.options.minSaving == 0 ||
           !m_context.simulator.PathsCollide();
}

double
Account::Saved() const
{
    const ControllerStatistics& statistics = m_context.statistics;
    return statistics.eventsSkipped + static_cast<double>(statistics.eventsReplayed) +
           statistics.eventsMissed;
}

bool
Account::SavesLittle() const
{
    return !IsShare(0, m_context.options.minSaving / 2);
}

bool
Account::PaysOffForNew() const
{
    return IsShare(-m_context.options.minSaving * m_awaited, m_context.options.minSaving);
}

bool
Account::IsShare(double gain, double share) const
{
    const auto run = m_context.simulator.TotalEvents();
    if (!run || share == 0)
    {
        return true;
    }
    const ControllerStatistics& statistics = m_context.statistics;
    const double watched = static_cast<double>(*run - statistics.eventsSuspended);
    const double saved = Saved() + gain;
    return saved > 0 && saved >= share * watched;
}

void
Account::Miss(double events)
{
    m_context.statistics.eventsMissed += events;
}

void
Account::Earn(double wanted)
{
    const auto run = m_context.simulator.TotalEvents();
    const ControllerStatistics& statistics = m_context.statistics;
    const double saved = statistics.eventsSkipped + static_cast<double>(statistics.eventsReplayed);
    m_budget.Earn(static_cast<double>(run.value_or(0)) + SAVED_WORTH * saved, wanted);
}

bool
Account::Affords(double work)
{
    Earn(0);
    if (m_context.simulator.TotalEvents() && !m_budget.Affords(work))
    {
        return false;
    }
    m_budget.Spend(work);
    return true;
}

bool
Account::IsSpent(double debt)
{
    Earn(0);
    return m_context.simulator.TotalEvents() && !m_budget.Affords(-debt);
}

bool
Account::SavesUpFor(double work)
{
    Earn(work);
    return m_budget.Affords(work);
}

void
Account::SawFlow(std::size_t flows, std::optional<double> events)
{
    const bool isLong = !events || *events >= LEAST_EVENTS;
    m_sawLong = m_sawLong || isLong;
    if (flows > m_maxFlows && m_context.options.freeWork > 0)
    {
        m_maxFlows = flows;
        m_ungranted += isLong || flows <= FREE_FLOWS_BESIDE ? WorkPerFlow() : 0;
        const double own = isLong ? events.value_or(0) : 0;
        m_advance += m_context.options.overhead * own * (own < MANY_EVENTS ? 1 : MANY_ADVANCES);
    }
    if (m_sawLong || flows <= FREE_FLOWS)
    {
        m_budget.Grant(std::exchange(m_ungranted, 0));
        m_budget.Advance(std::exchange(m_advance, 0));
    }
}

double
Account::LargestDebt() const
{
    return m_sawLong ? MAX_DEBT : 0;
}

double
Account::WatchingWork(std::size_t flows) const
{
    return MIN_WATCHING_WORK + WorkPerFlow() * static_cast<double>(flows);
}

double
Account::LeastOfLong() const
{
    return WorkPerFlow() / (2 * m_context.options.overhead);
}

double
Account::WorkPerFlow() const
{
    return START_WORK + KEY_WORK + RECORDING_WORK +
           SAMPLE_WORK * WINDOWS_WATCHED * m_context.options.steady.window;
}

} // namespace wormhole
