/*
 * SPDX-License-Identifier: MIT
 */
// What is done with a file as a whole.

#include "store/sqlite-episode-store-impl.h"

#include <filesystem>
#include <utility>

namespace wormhole
{
namespace
{

/** What a file has for an episode of another one. */
struct Known
{
    std::optional<EpisodeRow> twin; //!< for an isomorphic graph, and as good
    bool isKnown{false};            //!< there is one, or it takes too much work to tell
};

Known
Recognise(EpisodeFile& file,
          const EpisodeRow& row,
          const EpisodeRecord& other,
          std::uint64_t comparisonWork)
{
    Known known;
    const std::vector<Bytes> least = LeastFor(other.episode);
    std::uint32_t variants = 0;
    file.Load(row.fingerprint, row.key, [&](EpisodeRow& own) {
        const auto record = DecodeRow(own);
        if (!record || known.twin)
        {
            return;
        }
        const Isomorphism found = FindIsomorphism(other.graph, record->graph, comparisonWork);
        known.isKnown = known.isKnown || found.outcome == Isomorphism::Outcome::GaveUp;
        if (found.outcome != Isomorphism::Outcome::Match)
        {
            return;
        }
        if (Suffice(least, record->episode, found.vertices) || ++variants == EpisodeStore::VARIANTS)
        {
            known.isKnown = true;
            known.twin = std::move(own);
        }
    });
    return known;
}

} // namespace

EpisodeStoreStatistics
SqliteEpisodeStore::Impl::Statistics()
{
    EpisodeFile::Size size;
    const bool hasFile = m_file.Read([&](EpisodeFile& file) { size = file.SizeOf(m_fingerprint); });
    EpisodeStoreStatistics statistics = m_cache.Counters();
    statistics.episodes = size.episodes;
    statistics.bytes = size.bytes;
    for (const EpisodeCache::Entry& entry : m_cache.Entries())
    {
        if (entry.row == 0 || !hasFile)
        {
            ++statistics.episodes;
            statistics.bytes += entry.bytes;
        }
    }
    return statistics;
}

void
SqliteEpisodeStore::Impl::ForEach(const std::function<void(const StoredEpisode& stored)>& visit)
{
    Flush();
    m_file.Read([&](EpisodeFile& file) {
        file.LoadAll([&](EpisodeRow& row) {
            auto record = DecodeRow(row);
            if (!record)
            {
                WarnOfDamagedRow(row.id, m_file.Path());
                return;
            }
            visit({row.fingerprint,
                   row.key.signature,
                   row.data.size(),
                   WallTime{row.lastUse},
                   std::move(record->graph),
                   std::move(record->episode)});
        });
    });
}

std::uint64_t
SqliteEpisodeStore::Impl::Prune(const EpisodeSelection& selection)
{
    Flush();
    std::uint64_t deleted = 0;
    const bool isDone = m_file.Write([&](EpisodeFile& file) {
        EpisodeFile::Selection rows{selection.fingerprint,
                                    {},
                                    selection.beyondEpisodes,
                                    selection.beyondBytes};
        if (selection.usedBefore)
        {
            rows.usedBefore = selection.usedBefore->count();
        }
        deleted = file.Delete(rows);
    });
    if (!isDone)
    {
        return 0;
    }
    ForgetCache();
    m_file.Shrink();
    return deleted;
}

/** The file has changed under the cache. */
void
SqliteEpisodeStore::Impl::ForgetCache()
{
    m_cache.Clear();
    m_loaded.clear();
    m_uses.clear();
}

EpisodeMergeResult
SqliteEpisodeStore::Impl::MergeFrom(const std::string& path)
{
    std::error_code ignored;
    if (std::filesystem::equivalent(path, m_file.Path(), ignored))
    {
        throw UsageError("episode store " + m_file.Path() +
                         " cannot be merged into itself: give another file");
    }
    Flush();
    EpisodeMergeResult result;
    if (!m_file.MayWrite())
    {
        return result;
    }
    m_file.ReadOther(path, [&](EpisodeFile& other) {
        bool isGoingOn = true;
        other.LoadAll([&](EpisodeRow& row) {
            const auto record = DecodeRow(row);
            if (!record)
            {
                ++result.damaged;
                WarnOfDamagedRow(row.id, path);
            }
            else if (isGoingOn)
            {
                isGoingOn = MergeRow(row, *record, result);
            }
        });
    });
    ForgetCache();
    return result;
}

/** \return false if the file does not take it */
bool
SqliteEpisodeStore::Impl::MergeRow(const EpisodeRow& row,
                                   const EpisodeRecord& record,
                                   EpisodeMergeResult& result)
{
    if (row.data.size() > m_options.fileBytes)
    {
        return true;
    }
    bool isKnown = false;
    std::uint64_t evicted = 0;
    const bool isDone = m_file.Write([&](EpisodeFile& file) {
        const Known known = Recognise(file, row, record, m_options.memory.comparisonWork);
        isKnown = known.isKnown;
        if (known.twin)
        {
            file.Raise(known.twin->id, known.twin->Content(), row.verified);
            file.Touch(known.twin->id, row.lastUse);
        }
        else if (!isKnown)
        {
            file.Insert(row, m_options.fileBytes, evicted);
        }
    });
    if (isDone)
    {
        ++(isKnown ? result.known : result.added);
        m_cache.Counters().evicted += evicted;
    }
    else
    {
        ++m_cache.Counters().writeFailures;
    }
    return isDone;
}

void
SqliteEpisodeStore::Impl::WarnOfDamagedRow(std::int64_t id, const std::string& path)
{
    if (path != m_file.Path() || m_damagedRows.insert(id).second)
    {
        ++m_cache.Counters().damaged;
    }
    m_file.Warn(EpisodeFileProblem::DamagedRow,
                path,
                "episode " + std::to_string(id) + " in it is damaged");
}

} // namespace wormhole
