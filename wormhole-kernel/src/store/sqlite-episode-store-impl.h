/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_SQLITE_EPISODE_STORE_IMPL_H
#define WORMHOLE_SQLITE_EPISODE_STORE_IMPL_H

#include "store/episode-cache.h"
#include "store/fault-tolerant-episode-file.h"
#include "wormhole/sqlite-episode-store.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>

namespace wormhole
{

/**
 * \brief A cache before a file.
 *
 * Its members are in two files: what a run does (sqlite-episode-store-lookup.cc), and what is done
 * with the file as a whole (sqlite-episode-store-maintenance.cc).
 */
class SqliteEpisodeStore::Impl
{
  public:
    Impl(const std::string& path,
         const Signature& fingerprint,
         WarningHandler handler,
         const SqliteEpisodeStoreOptions& options);

    std::optional<EpisodeHit> Find(const ConflictGraph& graph,
                                   EpisodeEnd end,
                                   const std::vector<Bytes>& left);
    bool Insert(const ConflictGraph& graph, const Episode& episode);
    void Confirm(const ConflictGraph& graph, Duration verified);
    void Flush();

    EpisodeStoreStatistics Statistics();
    void ForEach(const std::function<void(const StoredEpisode& stored)>& visit);
    std::uint64_t Prune(const EpisodeSelection& selection);
    EpisodeMergeResult MergeFrom(const std::string& path);

    EpisodeFileAccess Access() const
    {
        return m_file.Access();
    }

  private:
    EpisodeCache::Match Search(const ConflictGraph& graph,
                               EpisodeEnd end,
                               const std::vector<Bytes>& left);
    bool LoadIntoCache(EpisodeFile& file, const EpisodeKey& key);
    void AddToCache(const EpisodeRow& row,
                    ConflictGraph graph,
                    std::shared_ptr<const Episode> episode);
    bool AddToFile(EpisodeRow& row, const ConflictGraph& graph, const Episode& episode);
    void NoteUse(EpisodeCache::Entry& entry);

    bool MergeRow(const EpisodeRow& row, const EpisodeRecord& record, EpisodeMergeResult& result);
    void ForgetCache();
    void WarnOfDamagedRow(std::int64_t id, const std::string& path);

    Signature m_fingerprint;
    SqliteEpisodeStoreOptions m_options;
    EpisodeCache m_cache;
    FaultTolerantEpisodeFile
        m_file; //!< made last: nothing is thrown once a file may have been made

    /** Keys of which the cache holds all that the file had when it was at #m_version. */
    std::unordered_set<EpisodeKey, EpisodeKeyHash> m_loaded;
    std::int64_t m_version{0};

    std::map<std::int64_t, std::int64_t> m_uses; //!< last uses to be noted in the file, by row
    std::size_t m_flushAt;                       //!< number of them at which they are

    std::set<std::int64_t> m_damagedRows;
};

} // namespace wormhole

#endif // WORMHOLE_SQLITE_EPISODE_STORE_IMPL_H
