/*
 * SPDX-License-Identifier: MIT
 */
#include "store/episode-cache.h"

#include "episode/episode-codec.h"
#include "wormhole/error.h"

#include <algorithm>
#include <string>
#include <utility>

namespace wormhole
{

EpisodeCache::EpisodeCache(const EpisodeMemoryLimits& limits)
    : m_limits(limits)
{
    if (limits.episodes == 0 || limits.bytes == 0 || limits.comparisonWork == 0)
    {
        throw UsageError("a limit of an episode store is 0: it must be at least 1; to remember "
                         "nothing, use no store");
    }
}

EpisodeCache::Match
EpisodeCache::Find(const ConflictGraph& graph,
                   EpisodeEnd end,
                   const std::vector<wormhole::Bytes>& left)
{
    Match match;
    const auto places = m_places.find({graph.GetSignature(), end});
    if (places == m_places.end())
    {
        return match;
    }
    for (const Place place : places->second)
    {
        Isomorphism isomorphism = FindIsomorphism(graph, place->graph, m_limits.comparisonWork);
        switch (isomorphism.outcome)
        {
        case Isomorphism::Outcome::Match:
            ++match.variants;
            isomorphism.vertices.resize(graph.FlowCount());
            match.suffices = Suffice(left, *place->episode, isomorphism.vertices);
            if (match.suffices || !match.entry)
            {
                match.entry = &*place;
                match.flows = std::move(isomorphism.vertices);
            }
            if (match.suffices)
            {
                m_entries.splice(m_entries.begin(), m_entries, place);
                match.gaveUp = false;
                return match;
            }
            break;
        case Isomorphism::Outcome::Different:
            ++m_counters.collisions;
            break;
        case Isomorphism::Outcome::GaveUp:
            ++m_counters.gaveUp;
            match.gaveUp = true;
            break;
        }
    }
    match.gaveUp = match.gaveUp && !match.entry;
    return match;
}

void
EpisodeCache::Confirm(const ConflictGraph& graph,
                      Duration verified,
                      const std::function<void(const Entry& entry)>& raised)
{
    const auto places = m_places.find({graph.GetSignature(), EpisodeEnd::Converged});
    if (places == m_places.end())
    {
        return;
    }
    for (const Place place : places->second)
    {
        if (place->episode->verified < verified &&
            FindIsomorphism(graph, place->graph, m_limits.comparisonWork).outcome ==
                Isomorphism::Outcome::Match)
        {
            auto episode = std::make_shared<Episode>(*place->episode);
            episode->verified = verified;
            place->episode = std::move(episode);
            if (raised)
            {
                raised(*place);
            }
        }
    }
}

bool
EpisodeCache::HasRow(const EpisodeKey& key, std::int64_t row) const
{
    const auto places = m_places.find(key);
    return places != m_places.end() &&
           std::any_of(places->second.begin(), places->second.end(), [&](const Place place) {
               return place->row == row;
           });
}

void
EpisodeCache::Add(Entry entry)
{
    m_bytes += entry.bytes;
    m_entries.push_front(std::move(entry));
    m_places[m_entries.front().key].push_back(m_entries.begin());
    while (m_entries.size() > m_limits.episodes || m_bytes > m_limits.bytes)
    {
        Evict();
    }
}

void
EpisodeCache::Evict()
{
    const Place last = std::prev(m_entries.end());
    if (m_evicted)
    {
        m_evicted(*last);
    }
    const auto places = m_places.find(last->key);
    places->second.erase(std::find(places->second.begin(), places->second.end(), last));
    if (places->second.empty())
    {
        m_places.erase(places);
    }
    m_bytes -= last->bytes;
    m_entries.erase(last);
    ++m_counters.evicted;
}

void
EpisodeCache::Clear()
{
    m_places.clear();
    m_entries.clear();
    m_bytes = 0;
}

void
EpisodeCache::SetEvictionHandler(std::function<void(const Entry& entry)> handler)
{
    m_evicted = std::move(handler);
}

bool
Suffice(const std::vector<Bytes>& left,
        const Episode& episode,
        const std::vector<std::uint32_t>& flows)
{
    for (std::size_t i = 0; i < left.size(); ++i)
    {
        const FlowOutcome& outcome = episode.flows[flows[i]];
        if (outcome.completed ? left[i] != outcome.bytes : left[i] <= outcome.bytes)
        {
            return false;
        }
    }
    return true;
}

std::vector<Bytes>
LeastFor(const Episode& episode)
{
    std::vector<Bytes> least;
    least.reserve(episode.flows.size());
    for (const FlowOutcome& outcome : episode.flows)
    {
        least.push_back(outcome.completed ? outcome.bytes : outcome.bytes + 1);
    }
    return least;
}

void
CheckEpisode(const ConflictGraph& graph, const Episode& episode)
{
    if (episode.end != EpisodeEnd::Converged && episode.end != EpisodeEnd::Completed)
    {
        throw UsageError("episode with end " + std::to_string(static_cast<int>(episode.end)) +
                         ": give one of EpisodeEnd");
    }
    if (episode.flows.size() != graph.FlowCount())
    {
        throw UsageError("episode of " + std::to_string(episode.flows.size()) +
                         " flows for a graph of " + std::to_string(graph.FlowCount()) +
                         ": give one outcome for each flow");
    }
    if (!FitsGraph(episode, graph))
    {
        throw UsageError("episode with a port of a flow that is not in it: name a port by one of "
                         "its " +
                         std::to_string(graph.FlowCount()) + " flows, from 0");
    }
}

} // namespace wormhole
