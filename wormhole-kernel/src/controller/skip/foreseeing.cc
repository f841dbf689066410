/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/skip/foreseeing.h"

#include "controller/auditing.h"
#include "controller/settling.h"
#include "controller/skip/skip-plan.h"

#include <algorithm>
#include <utility>

namespace wormhole
{
namespace
{

/** By which what is foreseen is longer than before, each time. */
constexpr int GROWTH = 2;

/** Skips of so many windows are worth it where nothing may be drawn: what is between two draws is
 * left to packets. */
constexpr double UNDRAWN = 8;

/** LeftOut::single: 2 % of all bytes, or 10 % of each flow's, are too much. */
constexpr double SINGLE = 0.2;

} // namespace

Foreseeing::Foreseeing(const ControllerContext& context,
                       PartitionTable& table,
                       PacketState& packets,
                       Account& account,
                       Settling& settling,
                       Auditing& auditing)
    : m_context(context),
      m_table(table),
      m_packets(packets),
      m_account(account),
      m_settling(settling),
      m_auditing(auditing)
{
}

std::optional<Foresight>
Foreseeing::Look(const PartitionRecord& record) const
{
    const auto disturbance = m_context.simulator.NextDisturbance(record.members.ids);
    if ((disturbance && *disturbance <= m_table.Now()) || !m_auditing.TrustsForeseen(record))
    {
        return std::nullopt;
    }
    const ControllerOptions& options = m_context.options;
    const double windows = options.foresee ? options.shortestSkip : UNDRAWN;
    const Duration shortest = WindowsOf(m_context, m_table.Map(), record.members, windows);
    // What has not happened for so long is expected not to happen for as long again.
    const Duration undisturbed = m_table.Now() - record.undisturbedSince;
    auto foresight = m_context.simulator.Foresee(record.members.ids,
                                                 std::max(undisturbed, shortest),
                                                 options.foresee);
    return foresight && (foresight->completes || foresight->span >= shortest) ? std::move(foresight)
                                                                              : std::nullopt;
}

std::vector<Rate>
Foreseeing::RatesOf(const Foresight& foresight)
{
    std::vector<Rate> rates;
    rates.reserve(foresight.bytes.size());
    for (const Bytes bytes : foresight.bytes)
    {
        rates.push_back(RateOf(bytes, foresight.span));
    }
    return rates;
}

void
Foreseeing::Begin(PartitionRecord& record, Foresight foresight)
{
    m_account.Spend(LEAP_WORK * static_cast<double>(record.members.flows.size()));
    m_packets.Pause(record.members);
    record.skipping.toTail = false;
    record.skipping.foreseen = std::move(foresight);
    AssumeRates(record);
}

void
Foreseeing::AssumeRates(const PartitionRecord& record)
{
    for (std::size_t i = 0; i < record.skipping.rates.size(); ++i)
    {
        m_context.simulator.AssumeRate(record.members.ids.flows[i], record.skipping.rates[i]);
    }
}

bool
Foreseeing::Prolong(PartitionRecord& record)
{
    Foresight& foresight = *record.skipping.foreseen;
    const Duration before = foresight.span;
    const auto disturbance = m_context.simulator.NextDisturbance(record.members.ids);
    if (!foresight.goesOn || (disturbance && *disturbance <= m_table.Now()))
    {
        return false;
    }
    m_context.simulator.Prolong(foresight, before * GROWTH);
    if (foresight.span <= before)
    {
        return false;
    }
    record.skipping.rates = RatesOf(foresight);
    AssumeRates(record);
    m_table.SetAlarm(record, Later(record.since, foresight.span), Alarm::Phase::End);
    return true;
}

bool
Foreseeing::End(PartitionRecord& record)
{
    if (Prolong(record))
    {
        return false;
    }
    if (IsRefuted(record))
    {
        record.skipping.foreseen.reset();
        m_settling.CatchUp(record, record.since, Reason::Audited);
        return false;
    }
    const bool completes = record.skipping.foreseen->completes;
    Apply(record, completes);
    if (completes)
    {
        Complete(record);
        return false;
    }
    m_packets.Run(record.members, m_table.Now());
    return true;
}

void
Foreseeing::Interrupt(PartitionRecord& record)
{
    Apply(record, false);
    record.skipping.noise.clear(); // no rates that looks might find again
    m_packets.Run(record.members, m_table.Now());
}

bool
Foreseeing::IsRefuted(PartitionRecord& record)
{
    const Foresight& foresight = *record.skipping.foreseen;
    const double events =
        EventsIn(m_context.simulator, record.members, record.skipping.rates, foresight.span);
    if (!m_auditing.DrawSkip(events))
    {
        return false;
    }
    if (!m_auditing.Refutes(record, {record.since, events, foresight.bytes, SINGLE}, {}))
    {
        return false;
    }
    m_auditing.ThrowOutForeseen(record);
    return true;
}

void
Foreseeing::Apply(PartitionRecord& record, bool ends)
{
    Foresight foresight = *std::exchange(record.skipping.foreseen, std::nullopt);
    const Duration elapsed = m_table.Now() - record.since;
    if (elapsed <= Duration{0})
    {
        return;
    }
    const PartitionMembers& members = record.members;
    std::vector<FlowProgress> before;
    for (const FlowId flow : members.ids.flows)
    {
        before.push_back(m_context.simulator.Observe(flow));
    }
    const std::vector<Bytes> bytes =
        m_context.simulator.Realise(members.ids, foresight, elapsed, ends);
    for (std::size_t i = 0; i < bytes.size(); ++i)
    {
        FlowRecord& flow = *members.flows[i];
        m_context.statistics.eventsSkipped += EventsFor(flow, before[i], bytes[i]);
        m_context.statistics.bytesSkipped += bytes[i];
        flow.credited += bytes[i];
    }
}

/** Flows of \p record have delivered their last bytes. */
void
Foreseeing::Complete(PartitionRecord& record)
{
    std::vector<FlowId> completed;
    for (const FlowId flow : record.members.ids.flows)
    {
        if (m_context.simulator.Observe(flow).left == 0)
        {
            completed.push_back(flow);
        }
    }
    const std::vector<PortId> ports = record.members.ids.ports;
    for (const FlowId flow : completed)
    {
        const PartitionChange change = m_table.End(flow);
        m_table.ForgetFlow(flow);
        m_settling.Left(change, Reason::FlowEnded);
    }
    m_packets.ForgetUnused(ports);
    // Last, for who waits for them may start others at once.
    for (const FlowId flow : completed)
    {
        m_context.simulator.Complete(flow, m_table.Now());
    }
}

} // namespace wormhole
