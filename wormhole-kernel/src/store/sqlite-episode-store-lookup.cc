/*
 * SPDX-License-Identifier: MIT
 */
// What a run asks for and tells.

#include "store/sqlite-episode-store-impl.h"

#include <utility>
#include <vector>

namespace wormhole
{
namespace
{

/** \return milliseconds since 1970 */
std::int64_t
Now(const SqliteEpisodeStoreOptions& options)
{
    if (options.clock)
    {
        return options.clock().count();
    }
    return std::chrono::duration_cast<WallTime>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

} // namespace

std::optional<EpisodeHit>
SqliteEpisodeStore::Impl::Find(const ConflictGraph& graph,
                               EpisodeEnd end,
                               const std::vector<Bytes>& left)
{
    ++m_cache.Counters().lookups;
    EpisodeCache::Match match = Search(graph, end, left);
    if (!match.entry)
    {
        return std::nullopt;
    }
    ++m_cache.Counters().hits;
    EpisodeHit hit{match.entry->episode, std::move(match.flows)};
    NoteUse(*match.entry);
    return hit;
}

/** In the cache, and then in the file. */
EpisodeCache::Match
SqliteEpisodeStore::Impl::Search(const ConflictGraph& graph,
                                 EpisodeEnd end,
                                 const std::vector<Bytes>& left)
{
    EpisodeCache::Match match = m_cache.Find(graph, end, left);
    bool isNews = false;
    const EpisodeKey key{graph.GetSignature(), end};
    if (!match.suffices &&
        m_file.Read([&](EpisodeFile& file) { isNews = LoadIntoCache(file, key); }) && isNews)
    {
        match = m_cache.Find(graph, end, left);
    }
    return match;
}

/** Brings what the file has for \p key into the cache. \return whether there was anything new */
bool
SqliteEpisodeStore::Impl::LoadIntoCache(EpisodeFile& file, const EpisodeKey& key)
{
    constexpr std::size_t MAX_LOADED = 1 << 18; // keys without episodes are remembered as well
    const std::int64_t version = file.DataVersion();
    if (version != m_version || m_loaded.size() >= MAX_LOADED)
    {
        m_version = version;
        m_loaded.clear();
    }
    if (!m_loaded.insert(key).second)
    {
        ++m_cache.Counters().readsSaved;
        return false;
    }
    ++m_cache.Counters().fileReads;
    std::vector<EpisodeRow> rows;
    try
    {
        file.Load(m_fingerprint, key, [&](EpisodeRow& row) {
            if (!m_cache.HasRow(key, row.id))
            {
                rows.push_back(std::move(row));
            }
        });
    }
    catch (const SqliteError&)
    {
        m_loaded.erase(key);
        throw;
    }
    for (const EpisodeRow& row : rows)
    {
        auto record = DecodeRow(row);
        if (!record)
        {
            WarnOfDamagedRow(row.id, m_file.Path());
            continue;
        }
        AddToCache(row,
                   std::move(record->graph),
                   std::make_shared<const Episode>(std::move(record->episode)));
    }
    return !rows.empty();
}

void
SqliteEpisodeStore::Impl::AddToCache(const EpisodeRow& row,
                                     ConflictGraph graph,
                                     std::shared_ptr<const Episode> episode)
{
    EpisodeCache::Entry entry;
    entry.key = row.key;
    entry.graph = std::move(graph);
    entry.episode = std::move(episode);
    entry.bytes = row.data.size();
    entry.row = row.id;
    entry.content = row.Content();
    entry.lastUse = row.lastUse;
    m_cache.Add(std::move(entry));
}

bool
SqliteEpisodeStore::Impl::Insert(const ConflictGraph& graph, const Episode& episode)
{
    CheckEpisode(graph, episode);
    if (m_cache.Find(graph, episode.end, LeastFor(episode)).IsKnown() || !FitsCodec(episode))
    {
        return false;
    }
    EpisodeRow row;
    row.fingerprint = m_fingerprint;
    row.key = {graph.GetSignature(), episode.end};
    row.verified = episode.verified.count();
    row.lastUse = Now(m_options);
    row.data = EncodeRecord(graph, episode);
    if (row.data.size() > m_cache.Limits().bytes || !AddToFile(row, graph, episode))
    {
        return false;
    }
    AddToCache(row, graph, std::make_shared<const Episode>(episode));
    ++m_cache.Counters().inserted;
    return true;
}

/** If the file takes it, \p row gets an id. \return false if the file has it already, or it takes
 * too much work to tell */
bool
SqliteEpisodeStore::Impl::AddToFile(EpisodeRow& row,
                                    const ConflictGraph& graph,
                                    const Episode& episode)
{
    if (row.data.size() > m_options.fileBytes || !m_file.MayWrite())
    {
        return true;
    }
    bool isKnown = false;
    std::uint64_t evicted = 0;
    const bool isDone = m_file.Write([&](EpisodeFile& file) {
        // Somebody else may have added it, and nobody can from here on.
        isKnown = LoadIntoCache(file, row.key) &&
                  m_cache.Find(graph, row.key.end, LeastFor(episode)).IsKnown();
        if (!isKnown)
        {
            row.id = file.Insert(row, m_options.fileBytes, evicted);
        }
    });
    if (isKnown)
    {
        return false;
    }
    if (isDone)
    {
        m_cache.Counters().evicted += evicted;
    }
    else
    {
        row.id = 0;
        ++m_cache.Counters().writeFailures;
    }
    return true;
}

void
SqliteEpisodeStore::Impl::Confirm(const ConflictGraph& graph, Duration verified)
{
    Search(graph, EpisodeEnd::Converged, {});
    m_cache.Confirm(graph, verified, [&](const EpisodeCache::Entry& entry) {
        if (entry.row != 0 && m_file.MayWrite() && !m_file.Write([&](EpisodeFile& file) {
                file.Raise(entry.row, entry.content, verified.count());
            }))
        {
            ++m_cache.Counters().writeFailures;
        }
    });
}

void
SqliteEpisodeStore::Impl::NoteUse(EpisodeCache::Entry& entry)
{
    if (entry.row == 0 || !m_file.MayWrite())
    {
        return;
    }
    const std::int64_t now = Now(m_options);
    if (now - entry.lastUse <= m_options.stampInterval.count())
    {
        return;
    }
    entry.lastUse = now;
    m_uses[entry.row] = now;
    if (m_uses.size() >= m_flushAt)
    {
        Flush();
    }
}

void
SqliteEpisodeStore::Impl::Flush()
{
    if (m_uses.empty())
    {
        return;
    }
    const bool isDone = m_file.Write([&](EpisodeFile& file) {
        for (const auto& [row, lastUse] : m_uses)
        {
            file.Touch(row, lastUse);
        }
    });
    if (isDone || !m_file.MayWrite())
    {
        m_uses.clear();
    }
    m_flushAt = m_uses.size() + m_options.stampBatch;
}

} // namespace wormhole
