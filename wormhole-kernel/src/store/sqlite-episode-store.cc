/*
 * SPDX-License-Identifier: MIT
 */
#include "wormhole/sqlite-episode-store.h"

#include "store/sqlite-episode-store-impl.h"

#include <utility>

namespace wormhole
{
namespace
{

void
CheckOptions(const std::string& path, const SqliteEpisodeStoreOptions& options)
{
    if (path.empty())
    {
        throw UsageError("the path of an episode store is empty: give a file, or \":memory:\"");
    }
    if (options.fileBytes == 0 || options.stampBatch == 0)
    {
        throw UsageError("fileBytes or stampBatch of an episode store is 0: give at least 1");
    }
    if (options.busyTimeout.count() < 0 || options.busyTimeout > std::chrono::hours(1) ||
        options.stampInterval.count() < 0)
    {
        throw UsageError("busyTimeout of an episode store must be from 0 to an hour, and "
                         "stampInterval not negative");
    }
}

} // namespace

const char*
ToString(EpisodeFileAccess access)
{
    switch (access)
    {
    case EpisodeFileAccess::ReadWrite:
        return "read-write";
    case EpisodeFileAccess::ReadOnly:
        return "read-only";
    case EpisodeFileAccess::None:
        return "none";
    }
    return "?";
}

SqliteEpisodeStore::Impl::Impl(const std::string& path,
                               const Signature& fingerprint,
                               WarningHandler handler,
                               const SqliteEpisodeStoreOptions& options)
    : m_fingerprint(fingerprint),
      m_options(options),
      m_cache(options.memory),
      m_file(path, options.busyTimeout, std::move(handler)),
      m_flushAt(options.stampBatch)
{
    m_cache.SetEvictionHandler(
        [this](const EpisodeCache::Entry& entry) { m_loaded.erase(entry.key); });
}

SqliteEpisodeStore::SqliteEpisodeStore(const std::string& path,
                                       const Signature& fingerprint,
                                       WarningHandler handler,
                                       const SqliteEpisodeStoreOptions& options)
{
    CheckOptions(path, options);
    m_impl = std::make_unique<Impl>(path, fingerprint, std::move(handler), options);
}

SqliteEpisodeStore::~SqliteEpisodeStore()
{
    m_impl->Flush();
}

std::optional<EpisodeHit>
SqliteEpisodeStore::Find(const ConflictGraph& graph, EpisodeEnd end, const std::vector<Bytes>& left)
{
    return m_impl->Find(graph, end, left);
}

bool
SqliteEpisodeStore::Insert(const ConflictGraph& graph, const Episode& episode)
{
    return m_impl->Insert(graph, episode);
}

void
SqliteEpisodeStore::Confirm(const ConflictGraph& graph, Duration verified)
{
    m_impl->Confirm(graph, verified);
}

EpisodeStoreStatistics
SqliteEpisodeStore::Statistics() const
{
    return m_impl->Statistics();
}

EpisodeFileAccess
SqliteEpisodeStore::Access() const
{
    return m_impl->Access();
}

void
SqliteEpisodeStore::Flush()
{
    m_impl->Flush();
}

void
SqliteEpisodeStore::ForEach(const std::function<void(const StoredEpisode& stored)>& visit)
{
    m_impl->ForEach(visit);
}

std::uint64_t
SqliteEpisodeStore::Prune(const EpisodeSelection& selection)
{
    return m_impl->Prune(selection);
}

EpisodeMergeResult
SqliteEpisodeStore::MergeFrom(const std::string& path)
{
    return m_impl->MergeFrom(path);
}

} // namespace wormhole
