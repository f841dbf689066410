/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_EPISODE_CACHE_H
#define WORMHOLE_EPISODE_CACHE_H

#include "wormhole/episode-store.h"
#include "wormhole/isomorphism.h"

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

namespace wormhole
{

/** What episodes are looked up by before their graphs are compared. */
struct EpisodeKey
{
    Signature signature;
    EpisodeEnd end{EpisodeEnd::Converged};

    friend bool operator==(const EpisodeKey& a, const EpisodeKey& b)
    {
        return a.signature == b.signature && a.end == b.end;
    }
};

struct EpisodeKeyHash
{
    std::size_t operator()(const EpisodeKey& key) const noexcept
    {
        return static_cast<std::size_t>(key.signature.low) + static_cast<std::size_t>(key.end);
    }
};

/** Episodes in memory, least recently used last: the core of all stores. */
class EpisodeCache
{
  public:
    struct Entry
    {
        EpisodeKey key;
        ConflictGraph graph;
        std::shared_ptr<const Episode> episode;
        std::uint64_t bytes{0}; //!< encoded, with the graph

        /** \name For a store with a file
         * @{ */
        std::int64_t row{0};         //!< where it is there; 0: it is not
        std::uint64_t content{0};    //!< its EpisodeFile::Row::content
        std::int64_t lastUse{0};     //!< as the file has it, or as it will have
        bool hasUnwrittenUse{false}; //!< the file does not know of lastUse yet
        /** @} */
    };

    /** An entry, and which of its flows is which of the graph asked for. */
    struct Match
    {
        Entry* entry{nullptr};
        std::vector<std::uint32_t> flows;
        bool suffices{false};      //!< the bytes that are left
        std::uint32_t variants{0}; //!< of matching entries that were looked at
        bool gaveUp{false};        //!< nothing was found, but a comparison was left unfinished

        /** \return whether there is nothing to add where the bytes that are left are LeastFor an
         * episode */
        bool IsKnown() const
        {
            return suffices || variants >= EpisodeStore::VARIANTS || gaveUp;
        }
    };

    /** \throws UsageError for a limit of 0 */
    explicit EpisodeCache(const EpisodeMemoryLimits& limits);

    /** What matches is now the most recently used. Counts collisions and comparisons given up.
     *  \param left as of EpisodeStore::Find */
    Match Find(const ConflictGraph& graph,
               EpisodeEnd end,
               const std::vector<wormhole::Bytes>& left = {});

    /** Raises Episode::verified of all entries that match. \param raised told of each that was less
     */
    void Confirm(const ConflictGraph& graph,
                 Duration verified,
                 const std::function<void(const Entry& entry)>& raised = {});

    /** \return whether there is an entry with that key and row */
    bool HasRow(const EpisodeKey& key, std::int64_t row) const;

    /** Adds an entry that matches none, and evicts what exceeds the limits then, which may be the
     * entry itself. */
    void Add(Entry entry);

    void Clear();

    /** \param handler told of each entry that is evicted */
    void SetEvictionHandler(std::function<void(const Entry& entry)> handler);

    /** Most recently used first. */
    std::list<Entry>& Entries()
    {
        return m_entries;
    }

    const std::list<Entry>& Entries() const
    {
        return m_entries;
    }

    const EpisodeMemoryLimits& Limits() const
    {
        return m_limits;
    }

    std::uint64_t Bytes() const
    {
        return m_bytes;
    }

    EpisodeStoreStatistics& Counters()
    {
        return m_counters;
    }

    const EpisodeStoreStatistics& Counters() const
    {
        return m_counters;
    }

  private:
    using Place = std::list<Entry>::iterator;

    void Evict();

    EpisodeMemoryLimits m_limits;
    std::list<Entry> m_entries;
    std::unordered_map<EpisodeKey, std::vector<Place>, EpisodeKeyHash> m_places;
    std::uint64_t m_bytes{0};
    std::function<void(const Entry& entry)> m_evicted;
    EpisodeStoreStatistics m_counters;
};

/** \return the fewest bytes that flows have left which can be taken through \p episode */
std::vector<Bytes> LeastFor(const Episode& episode);

/** \throws UsageError if \p episode cannot be one of \p graph (EpisodeStore::Insert) */
void CheckEpisode(const ConflictGraph& graph, const Episode& episode);

} // namespace wormhole

#endif // WORMHOLE_EPISODE_CACHE_H
