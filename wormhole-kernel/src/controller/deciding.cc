/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/deciding.h"

#include "controller/following.h"
#include "controller/replaying.h"
#include "controller/sample/sampling.h"
#include "controller/sample/trends.h"
#include "controller/skip/skipping.h"
#include "controller/skip/wandering.h"
#include "tracking/key-builder.h"
#include "tracking/known-rates.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace wormhole
{

Deciding::Deciding(const ControllerContext& context,
                   PartitionTable& table,
                   PacketState& packets,
                   Recorder& recorder,
                   Account& account,
                   Replaying& replaying,
                   Following& following,
                   Sampling& sampling,
                   Skipping& skipping)
    : m_context(context),
      m_table(table),
      m_packets(packets),
      m_recorder(recorder),
      m_account(account),
      m_replaying(replaying),
      m_following(following),
      m_sampling(sampling),
      m_skipping(skipping),
      m_graphs(context.options.detail)
{
}

void
Deciding::Decide(PartitionRecord& record)
{
    m_account.Spend(ALARM_WORK);
    record.fresh = false;
    record.undisturbedSince = m_table.Now();
    ForgetTrend(record);
    record.members = m_table.CollectMembers(record.id);
    Wandering::Keep(record);
    const std::uint64_t flows = record.members.flows.size();
    ++m_context.statistics.decisions;
    m_context.statistics.flowsDecided += flows;
    m_context.statistics.largestPartition = std::max(m_context.statistics.largestPartition, flows);
    record.skipping.conditions =
        KnownRates::ConditionsOf(m_context.simulator, m_table.Map(), record.members);
    const PartitionId id = record.id;
    ReplayOrRecord(record, false);
    if (PartitionRecord* const left = m_table.Find(id))
    {
        left->sampling.keeps = false;
        MayNeedExactness(*left);
    }
}

/** Flows of several senders meet, in packets, and may do so for long: what saved much before them
 * need not save anything of these. */
void
Deciding::MayNeedExactness(const PartitionRecord& record)
{
    const bool runs =
        record.state == PartitionState::Running || record.state == PartitionState::Recording;
    const auto& flows = record.members.ids.flows;
    const auto firstPort = [this](FlowId flow) { return m_table.Map().PortsOf(flow).front(); };
    const auto isOther = [&](FlowId flow) { return firstPort(flow) != firstPort(flows.front()); };
    if (!runs || flows.size() < 2 || // one may have no ports
        std::none_of(flows.begin(), flows.end(), isOther) || !m_account.PaysOff(0) ||
        m_account.PaysOffForNew())
    {
        return;
    }
    std::vector<FlowId> begun;
    for (const FlowId flow : flows)
    {
        const FlowProgress progress = m_context.simulator.Observe(flow);
        if (progress.delivered == 0 && progress.inFlight == 0)
        {
            begun.push_back(flow);
        }
    }
    if (!begun.empty())
    {
        m_context.simulator.SetExact(begun);
    }
}

void
Deciding::ReplayOrRecord(PartitionRecord& record, bool tail)
{
    const auto flows = static_cast<double>(record.members.flows.size());
    if (!m_context.store || record.wandering.wander ||
        !m_context.simulator.IsRepeatable(record.members.ids))
    {
        RunUnrecorded(record, tail ? Reason::TailReached : Reason::NothingToRecord, tail);
        return;
    }
    if (!m_account.Affords(KEY_WORK * flows))
    {
        RunUnrecorded(record, Reason::OverBudget, tail);
        return;
    }
    const KeyBuilder keys(m_context.simulator,
                          m_table.Map(),
                          m_packets,
                          record.members,
                          {m_context.options.detail,
                           m_context.options.rateStep,
                           m_context.options.queueStep,
                           m_context.options.steady.queueSlack},
                          m_graphs);
    Reason why = Reason::EpisodeUnknown;
    // A partition that is steady already does not become so.
    std::optional<ConflictGraph> converged;
    if (!tail)
    {
        converged = keys.Converged();
        if (m_replaying.Try(record, *converged, EpisodeEnd::Converged, m_table.Now(), why))
        {
            m_skipping.SetSource(record, std::move(*converged));
            return;
        }
    }
    ConflictGraph completed = keys.Completed();
    if (m_replaying.Try(record, completed, EpisodeEnd::Completed, m_table.Now(), why))
    {
        return;
    }
    if (why == Reason::SavesLittle)
    {
        RunUnrecorded(record, why, tail);
        return;
    }
    auto recording = m_recorder.Start(record.members, m_table.Now());
    recording->converged = std::move(converged);
    recording->completed = std::move(completed);
    recording->mayComplete = keys.MayComplete();
    if (m_following.TryFollow(record, recording))
    {
        return;
    }
    if (!m_account.Affords(RECORDING_WORK * flows))
    {
        RunUnrecorded(record, Reason::OverBudget, tail);
        return;
    }
    m_packets.Run(record.members, m_table.Now());
    m_following.StartRecording(record, std::move(recording), why);
    if (!tail)
    {
        m_sampling.Start(record);
    }
}

void
Deciding::RunUnrecorded(PartitionRecord& record, Reason reason, bool tail)
{
    m_packets.Run(record.members, m_table.Now());
    m_table.Enter(record, PartitionState::Running, reason);
    if (!tail)
    {
        m_sampling.Start(record);
    }
}

} // namespace wormhole
