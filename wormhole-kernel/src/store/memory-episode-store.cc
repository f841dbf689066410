/*
 * SPDX-License-Identifier: MIT
 */
#include "wormhole/memory-episode-store.h"

#include "episode/episode-codec.h"
#include "store/episode-cache.h"

namespace wormhole
{

class MemoryEpisodeStore::Impl
{
  public:
    explicit Impl(const EpisodeMemoryLimits& limits)
        : cache(limits)
    {
    }

    EpisodeCache cache;
};

MemoryEpisodeStore::MemoryEpisodeStore(const EpisodeMemoryLimits& limits)
    : m_impl(std::make_unique<Impl>(limits))
{
}

MemoryEpisodeStore::~MemoryEpisodeStore() = default;

std::optional<EpisodeHit>
MemoryEpisodeStore::Find(const ConflictGraph& graph, EpisodeEnd end, const std::vector<Bytes>& left)
{
    EpisodeCache& cache = m_impl->cache;
    ++cache.Counters().lookups;
    EpisodeCache::Match match = cache.Find(graph, end, left);
    if (!match.entry)
    {
        return std::nullopt;
    }
    ++cache.Counters().hits;
    return EpisodeHit{match.entry->episode, std::move(match.flows)};
}

bool
MemoryEpisodeStore::Insert(const ConflictGraph& graph, const Episode& episode)
{
    CheckEpisode(graph, episode);
    EpisodeCache& cache = m_impl->cache;
    if (cache.Find(graph, episode.end, LeastFor(episode)).IsKnown())
    {
        return false;
    }
    const std::uint64_t bytes = EncodeRecord(graph, episode).size();
    if (bytes > cache.Limits().bytes)
    {
        return false;
    }
    EpisodeCache::Entry entry;
    entry.key = {graph.GetSignature(), episode.end};
    entry.graph = graph;
    entry.episode = std::make_shared<const Episode>(episode);
    entry.bytes = bytes;
    cache.Add(std::move(entry));
    ++cache.Counters().inserted;
    return true;
}

void
MemoryEpisodeStore::Confirm(const ConflictGraph& graph, Duration verified)
{
    m_impl->cache.Confirm(graph, verified);
}

EpisodeStoreStatistics
MemoryEpisodeStore::Statistics() const
{
    EpisodeStoreStatistics statistics = m_impl->cache.Counters();
    statistics.episodes = m_impl->cache.Entries().size();
    statistics.bytes = m_impl->cache.Bytes();
    return statistics;
}

} // namespace wormhole
