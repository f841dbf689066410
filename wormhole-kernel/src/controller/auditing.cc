/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/auditing.h"

#include "controller/aside.h"
#include "controller/settling.h"
#include "wormhole/signature.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace wormhole
{
namespace
{

/** Events that audits may simulate in any case, at an audit of everything. */
constexpr double FREE_EVENTS = 6e6;

/** What it costs to look at a copy of everything. */
constexpr double ASIDE_EVENTS = 40000;

/** Of a flow's tail: a difference that says nothing, for it is of frames that are in flight. */
constexpr double SLACK_SHARE = 0.25;

/** What was run pays for so many times ControllerOptions::audit of it. */
constexpr double RUN_SHARE = 5;

/** Of episodes that have not been audited, this part is, as long as that is affordable. */
constexpr double FIRST_SHARE = 0.5;

/** Episodes of one shape that are thrown out before all are. */
constexpr std::uint32_t SHAPE_LIMIT = 2;

} // namespace

Auditing::Auditing(const ControllerContext& context, PartitionTable& table, Settling& settling)
    : m_context(context),
      m_table(table),
      m_settling(settling)
{
}

bool
Auditing::Affords(double events) const
{
    const double share = m_context.options.audit;
    const auto run = m_context.simulator.TotalEvents();
    if (share >= 1 || !run)
    {
        return true;
    }
    const ControllerStatistics& statistics = m_context.statistics;
    const double saved =
        statistics.eventsSkipped + static_cast<double>(statistics.eventsReplayed) + events;
    const double free = FREE_EVENTS * share;
    return statistics.eventsAudited + events + ASIDE_EVENTS <=
           std::min(free + RUN_SHARE * share * static_cast<double>(*run),
                    std::max(free, share * saved));
}

bool
Auditing::Draw(double probability)
{
    const std::uint64_t draw =
        SignatureBuilder().Add(m_context.options.seed).Add(m_draws++).Get().low;
    return static_cast<double>(draw >> 11) * 0x1p-53 < probability;
}

bool
Auditing::DrawReplay(const Subject& subject, double events)
{
    ++m_context.statistics.auditable;
    const double share = m_context.options.audit;
    if (share <= 0)
    {
        return false;
    }
    Known& record = m_records[subject];
    if (!Draw(record.audited ? share : std::max(share, FIRST_SHARE)) || !Affords(events))
    {
        return false;
    }
    record.audited = true;
    return true;
}

bool
Auditing::DrawSkip(double events)
{
    ++m_context.statistics.auditable;
    return m_context.options.audit > 0 && Draw(m_context.options.audit) && Affords(events);
}

bool
Auditing::Refutes(PartitionRecord& record,
                  const LeftOut& what,
                  const std::optional<Subject>& subject)
{
    ControllerStatistics& statistics = m_context.statistics;
    statistics.eventsAudited += what.events + ASIDE_EVENTS;
    const std::optional<double> difference = DoAside([&]() { return Compare(record, what); });
    const auto whole =
        static_cast<double>(std::accumulate(what.bytes.begin(), what.bytes.end(), Bytes{0}));
    if (!difference || whole <= 0)
    {
        return false;
    }
    const double error = *difference / whole;
    ++statistics.audited;
    statistics.bytesAudited += whole;
    statistics.bytesWrong += *difference;
    statistics.largestAuditError = std::max(statistics.largestAuditError, error);
    const bool refuted = error > m_context.options.auditBound;
    if (refuted && subject)
    {
        ThrowOut(*subject, record);
    }
    return refuted;
}

double
Auditing::Compare(PartitionRecord& record, const LeftOut& what)
{
    const Duration span = m_table.Now() - what.from;
    const std::vector<FlowId> flows = record.members.ids.flows;
    std::vector<FlowProgress> before;
    std::vector<double> slack;
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        before.push_back(m_context.simulator.Observe(flows[i]));
        const Bytes tail = m_context.simulator.TailOf(flows[i], RateOf(what.bytes[i], span));
        slack.push_back(SLACK_SHARE * static_cast<double>(tail));
    }
    m_ends.emplace();
    m_context.simulator.Audit(record.members.ids);
    m_settling.CatchUp(record, what.from, Reason::Audited);
    double apart = 0;
    double sum = 0;
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        const auto said = static_cast<double>(what.bytes[i]);
        const auto end = m_ends->find(flows[i]);
        double delivered = 0;
        if (end == m_ends->end())
        {
            const Bytes now = m_context.simulator.Observe(flows[i]).delivered;
            delivered = static_cast<double>(now - before[i].delivered);
        }
        else
        {
            const double took = static_cast<double>((end->second - what.from).count()) /
                                static_cast<double>(span.count());
            delivered = static_cast<double>(before[i].left);
            delivered /=
                what.single < 1 ? 1 : std::max(took, 0.5); // others take over what it leaves
        }
        apart += std::max(std::abs(said - delivered) - slack[i], 0.0);
        sum += said - delivered;
    }
    const double slackInSum = std::accumulate(slack.begin(), slack.end(), 0.0);
    return std::max(std::abs(sum) - slackInSum, what.single * apart);
}

void
Auditing::ThrowOut(const Subject& subject, const PartitionRecord& record)
{
    m_records[subject].thrownOut = true;
    ++m_thrownOut[ShapeOf(record)];
    ++m_context.statistics.episodesThrownOut;
}

bool
Auditing::Trusts(const Subject& subject, const PartitionRecord& record) const
{
    const auto known = m_records.find(subject);
    const auto shape = m_thrownOut.find(ShapeOf(record));
    return (known == m_records.end() || !known->second.thrownOut) &&
           (shape == m_thrownOut.end() || shape->second < SHAPE_LIMIT);
}

void
Auditing::ThrowOutForeseen(const PartitionRecord& record)
{
    m_notForeseen.insert(ShapeOf(record));
    ++m_context.statistics.episodesThrownOut;
}

bool
Auditing::TrustsForeseen(const PartitionRecord& record) const
{
    return m_notForeseen.count(ShapeOf(record)) == 0;
}

void
Auditing::FlowEnded(FlowId flow, Time at)
{
    if (m_ends)
    {
        m_ends->emplace(flow, at);
    }
}

Auditing::Shape
Auditing::ShapeOf(const PartitionRecord& record)
{
    return {record.members.ids.flows.size(), record.members.ids.ports.size()};
}

} // namespace wormhole
