/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/skip/probes.h"

#include "controller/skip/skip-plan.h"
#include "controller/skip/skipping.h"
#include "wormhole/isomorphism.h"

#include <algorithm>
#include <utility>

namespace wormhole
{
namespace
{

/** Part of theta by which rates of partitions may differ that are skipped alike. */
constexpr double ALIKE = 0.2;

/** \return \p rates, ascending */
std::vector<Rate>
Ascending(std::vector<Rate> rates)
{
    std::sort(rates.begin(), rates.end());
    return rates;
}

} // namespace

Probes::Probes(const ControllerContext& context, PartitionTable& table, const Recorder& recorder)
    : m_context(context),
      m_table(table),
      m_recorder(recorder)
{
}

bool
Probes::AreOfOneSource(const PartitionRecord& record, const PartitionRecord& probe)
{
    const SkipState& own = record.skipping;
    const SkipState& other = probe.skipping;
    return !record.fresh && !probe.fresh && own.source && other.source &&
           own.source->GetSignature() == other.source->GetSignature();
}

std::optional<Time>
Probes::NextLook(const PartitionRecord& record)
{
    if (!m_context.options.follow || !record.skipping.source)
    {
        return std::nullopt;
    }
    Probe& probe =
        m_probes.try_emplace(record.skipping.source->GetSignature(), Probe{record.id, nullptr, {}})
            .first->second;
    const PartitionRecord* const found = m_table.Find(probe.partition);
    if (probe.partition != record.id && found != nullptr)
    {
        const PartitionRecord& other = *found;
        const bool same =
            AreOfOneSource(record, other) &&
            other.skipping.steadySince <= record.skipping.steadySince &&
            FarthestApart(Ascending(record.skipping.rates), Ascending(other.skipping.rates)) <
                ALIKE * m_context.options.steady.theta;
        // One that looks for longer does not know whether it may go on.
        if (same && other.state == PartitionState::Waking &&
            m_table.Now() - other.since <=
                WindowsOf(m_context, m_table.Map(), other.members, Skipping::WAKING_WINDOWS))
        {
            if (other.since == m_table.Now())
            {
                probe.waiting.push_back(record.id);
            }
            return Later(m_table.Now(), WindowsOf(m_context, m_table.Map(), record.members, 1));
        }
        if (same && other.state == PartitionState::Skipping && other.alarm->time > m_table.Now())
        {
            return Later(other.alarm->time, WindowsOf(m_context, m_table.Map(), record.members, 1));
        }
    }
    probe = {record.id, nullptr, {}};
    return std::nullopt;
}

void
Probes::Begin(const PartitionRecord& record)
{
    Probe* const probe = Find(record);
    if (probe != nullptr)
    {
        probe->recording = m_recorder.Start(record.members, m_table.Now());
    }
}

Probes::Probe*
Probes::Find(const PartitionRecord& record)
{
    const auto& source = record.skipping.source;
    const auto found = source ? m_probes.find(source->GetSignature()) : m_probes.end();
    const bool isIt = found != m_probes.end() && found->second.partition == record.id;
    return isIt ? &found->second : nullptr;
}

std::optional<SharedLook>
Probes::End(const PartitionRecord& record)
{
    Probe* const probe = record.state == PartitionState::Waking ? Find(record) : nullptr;
    const bool isAwaited = probe != nullptr && !probe->waiting.empty() && probe->recording &&
                           probe->recording->start == record.since;
    if (!isAwaited)
    {
        return std::nullopt;
    }
    const std::unique_ptr<Recording> recording = std::move(probe->recording);
    auto episode = m_recorder.SoFar(*recording, m_table.Now());
    if (!episode)
    {
        return std::nullopt;
    }
    return SharedLook{recording->start, std::move(episode), std::exchange(probe->waiting, {})};
}

std::vector<std::uint32_t>
Probes::Counterparts(const PartitionRecord& record, const PartitionRecord& probe)
{
    Isomorphism found = FindIsomorphism(*record.skipping.source,
                                        *probe.skipping.source,
                                        EpisodeMemoryLimits().comparisonWork);
    if (found.outcome != Isomorphism::Outcome::Match)
    {
        return {};
    }
    found.vertices.resize(record.members.flows.size());
    return std::move(found.vertices);
}

void
Probes::Forget()
{
    m_probes.clear();
}

} // namespace wormhole
