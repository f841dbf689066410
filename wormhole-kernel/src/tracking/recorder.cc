/*
 * SPDX-License-Identifier: MIT
 */
#include "tracking/recorder.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace wormhole
{
namespace
{

/** \return where \p flow is among those of \p recording, or would be */
std::size_t
IndexOf(const Recording& recording, FlowId flow)
{
    const auto& flows = recording.flows;
    const auto place = std::lower_bound(flows.begin(), flows.end(), flow);
    return static_cast<std::size_t>(place - flows.begin());
}

} // namespace

Recorder::Recorder(Simulator& simulator,
                   const PartitionMap& partitions,
                   EpisodeStore* store,
                   ControllerStatistics& statistics)
    : m_simulator(simulator),
      m_partitions(partitions),
      m_store(store),
      m_statistics(statistics)
{
}

void
Recorder::SetWarningHandler(WarningHandler handler)
{
    m_warn = std::move(handler);
}

std::unique_ptr<Recording>
Recorder::Start(const PartitionMembers& members, Time now) const
{
    auto recording = std::make_unique<Recording>();
    recording->start = now;
    recording->flows = members.ids.flows;
    recording->progress.reserve(members.flows.size());
    for (const FlowId flow : members.ids.flows)
    {
        recording->progress.push_back(m_simulator.Observe(flow));
    }
    return recording;
}

bool
Recorder::IsByChance(const Recording& recording) const
{
    for (std::size_t i = 0; i < recording.flows.size(); ++i)
    {
        if (m_simulator.Observe(recording.flows[i]).draws != recording.progress[i].draws)
        {
            return true;
        }
    }
    return false;
}

std::shared_ptr<const Episode>
Recorder::SoFar(const Recording& recording, Time now) const
{
    if (IsByChance(recording))
    {
        return nullptr;
    }
    auto episode = std::make_shared<Episode>(Collect(recording, now));
    episode->end = EpisodeEnd::Completed;
    return Capture(recording, *episode) ? episode : nullptr;
}

void
Recorder::Converged(const Recording& recording,
                    const std::vector<Rate>& rates,
                    Duration trusted,
                    Time now)
{
    if (IsByChance(recording))
    {
        ++m_statistics.recordingsByChance;
        return;
    }
    Episode episode = Collect(recording, now);
    episode.end = EpisodeEnd::Converged;
    episode.verified = trusted;
    for (std::size_t i = 0; i < rates.size(); ++i)
    {
        episode.flows[i].endRate = rates[i];
    }
    const bool complete = Capture(recording, episode);
    Store(*recording.converged, episode, complete);
}

void
Recorder::Completed(std::unique_ptr<Recording> recording, FlowId flow, Time now)
{
    if (IsByChance(*recording))
    {
        ++m_statistics.recordingsByChance;
        return;
    }
    Episode episode = Collect(*recording, now);
    episode.end = EpisodeEnd::Completed;
    episode.flows[IndexOf(*recording, flow)].completed = true;
    const bool complete = Capture(*recording, episode);
    m_pending.push_back({now, std::move(recording), std::move(episode), complete});
}

void
Recorder::AlsoCompleted(FlowId flow, Time now)
{
    for (Pending& pending : m_pending)
    {
        const auto& flows = pending.recording->flows;
        const std::size_t index = IndexOf(*pending.recording, flow);
        if (pending.time == now && index < flows.size() && flows[index] == flow)
        {
            MarkCompleted(pending, index);
        }
    }
}

void
Recorder::MarkCompleted(Pending& pending, std::size_t index) const
{
    const FlowProgress& start = pending.recording->progress[index];
    FlowOutcome& outcome = pending.episode.flows[index];
    const FlowProgress now = m_simulator.Observe(pending.recording->flows[index]);
    outcome.completed = true;
    outcome.bytes = now.delivered - start.delivered;
    outcome.inFlight = now.inFlight;
    outcome.control = m_simulator.CaptureEnd(pending.recording->flows[index]);
}

void
Recorder::Flush()
{
    for (Pending& pending : m_pending)
    {
        const auto& mayComplete = pending.recording->mayComplete;
        bool foreseen = true;
        for (std::size_t i = 0; i < mayComplete.size(); ++i)
        {
            // Otherwise the key does not say what is left of the flow, on which the episode
            // depends.
            foreseen = foreseen && (mayComplete[i] || !pending.episode.flows[i].completed);
        }
        if (foreseen)
        {
            Store(pending.recording->completed, pending.episode, pending.complete);
        }
        else
        {
            ++m_statistics.recordingsUnforeseen;
        }
    }
    m_pending.clear();
}

Episode
Recorder::Collect(const Recording& recording, Time now) const
{
    Episode episode;
    episode.duration = now - recording.start;
    episode.flows.resize(recording.flows.size());
    for (std::size_t i = 0; i < recording.flows.size(); ++i)
    {
        const FlowProgress progress = m_simulator.Observe(recording.flows[i]);
        episode.flows[i].bytes = progress.delivered - recording.progress[i].delivered;
        episode.flows[i].inFlight = progress.inFlight;
        episode.flows[i].endRate = progress.rate;
        episode.events += progress.events - recording.progress[i].events;
    }
    return episode;
}

bool
Recorder::Capture(const Recording& recording, Episode& episode) const
{
    // Ports first: one that is paused spares the search for frames on their way.
    std::unordered_set<PortId> seen;
    for (std::uint32_t i = 0; i < recording.flows.size(); ++i)
    {
        const auto& path = m_partitions.PortsOf(recording.flows[i]);
        for (std::uint32_t hop = 0; hop < path.size(); ++hop)
        {
            if (!seen.insert(path[hop]).second)
            {
                continue;
            }
            auto state = m_simulator.CapturePort(path[hop]);
            if (!state)
            {
                return false;
            }
            episode.ports.push_back({i, hop, m_simulator.QueueOf(path[hop]), std::move(*state)});
        }
    }
    for (std::size_t i = 0; i < recording.flows.size(); ++i)
    {
        const FlowId flow = recording.flows[i];
        auto state = episode.flows[i].completed ? std::optional(m_simulator.CaptureEnd(flow))
                                                : m_simulator.CaptureFlow(flow);
        if (!state)
        {
            return false;
        }
        episode.flows[i].control = std::move(*state);
    }
    return true;
}

void
Recorder::Store(const ConflictGraph& graph, const Episode& episode, bool complete)
{
    if (!complete)
    {
        ++m_statistics.recordingsWithoutState;
        if (!m_warned && m_warn)
        {
            m_warn(
                "a congestion control or port cannot save its state, so nothing that it takes part "
                "in is memoized");
        }
        m_warned = true;
        return;
    }
    if (m_store->Insert(graph, episode))
    {
        ++m_statistics.recordingsStored;
    }
}

} // namespace wormhole
