/*
 * SPDX-License-Identifier: MIT
 */
// What skipping and replaying is worth: the sixth part of Controller::Impl.
//
// Where packets are in chaos, as with short messages that share links, leaving out a few of them
// changes all that follows, although it saves next to nothing. So nothing is left out before a
// share of all events could have been, by what is known to have been missed. That is known without
// a risk: partitions go on in packets, which show whether they are left alone for that long.

#include "controller/controller-impl.h"
#include "controller/skip-plan.h"

#include <algorithm>

namespace wormhole
{

bool
Controller::Impl::PaysOff(double gain) const
{
    const auto run = m_simulator.TotalEvents();
    if (!run || m_options.leastSaving == 0)
    {
        return true;
    }
    const double watched = static_cast<double>(*run - m_statistics.eventsAtRest);
    const double saved = m_statistics.eventsSkipped +
                         static_cast<double>(m_statistics.eventsReplayed) +
                         m_statistics.eventsMissed;
    return saved + gain > 0 && saved + gain >= m_options.leastSaving * watched;
}

bool
Controller::Impl::IsWorthSkipping(PartitionRecord& record, const SteadyRates& steady, Duration span)
{
    if (record.waits)
    {
        m_statistics.eventsMissed += EventsIn(record, steady.rates, m_now - *record.waits);
    }
    // What has not happened for so long is expected not to happen for as long again.
    const Duration undisturbed = m_now - record.undisturbedSince;
    if (PaysOff(EventsIn(record, steady.rates, std::min(span, undisturbed))))
    {
        record.waits.reset();
        return true;
    }
    record.waits = m_now;
    if (record.recording)
    {
        NoteSteady(record, steady);
        Enter(record, PartitionState::Running, Reason::SavesLittle);
    }
    return false;
}

double
Controller::Impl::EventsIn(const PartitionRecord& record,
                           const std::vector<Rate>& rates,
                           Duration time) const
{
    double events = 0;
    for (std::size_t i = 0; i < rates.size(); ++i)
    {
        const FlowRecord& flow = *record.members.flows[i];
        events += EventsFor(flow, m_simulator.Observe(flow.id), BytesIn(rates[i], time));
    }
    return events;
}

void
Controller::Impl::CountUnused(PartitionRecord& record)
{
    if (record.unused && m_now >= record.unused->by)
    {
        m_statistics.eventsMissed += record.unused->events;
        record.unused.reset();
    }
}

} // namespace wormhole
