/*
 * SPDX-License-Identifier: MIT
 */
#include "wormhole/sqlite-episode-store.h"

#include "episode-cache.h"
#include "episode-codec.h"
#include "episode-file.h"

#include <filesystem>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>

namespace wormhole
{
namespace
{

/** \return what an error of SQLite means for a file of episodes */
EpisodeFileProblem
ProblemOf(const SqliteError& error, bool writing)
{
    switch (error.Code())
    {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return EpisodeFileProblem::Locked;
    case SQLITE_NOTADB:
        return EpisodeFileProblem::NotOurs;
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return EpisodeFileProblem::CannotOpen;
    case SQLITE_READONLY:
        return EpisodeFileProblem::ReadOnly;
    case SQLITE_FULL:
        return EpisodeFileProblem::CannotWrite;
    case SQLITE_IOERR:
        return writing ? EpisodeFileProblem::CannotWrite : EpisodeFileProblem::CannotRead;
    default: // among them SQLITE_ERROR: a table is missing
        return EpisodeFileProblem::Damaged;
    }
}

WallTime
SystemTime()
{
    return std::chrono::duration_cast<WallTime>(
        std::chrono::system_clock::now().time_since_epoch());
}

std::uint64_t
StateBytes(const Episode& episode)
{
    std::uint64_t bytes = 0;
    for (const FlowOutcome& flow : episode.flows)
    {
        bytes += flow.control.size();
    }
    for (const PortOutcome& port : episode.ports)
    {
        bytes += port.state.size();
    }
    return bytes;
}

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

class SqliteEpisodeStore::Impl
{
  public:
    Impl(std::string path,
         const Signature& fingerprint,
         WarningHandler handler,
         const SqliteEpisodeStoreOptions& options);

    std::optional<EpisodeHit> Find(const ConflictGraph& graph, EpisodeEnd end);
    bool Insert(const ConflictGraph& graph, const Episode& episode);
    void Confirm(const ConflictGraph& graph, Duration verified);
    EpisodeStoreStatistics Statistics();
    void ForEach(const std::function<void(const StoredEpisode& stored)>& visit);
    std::uint64_t Prune(const EpisodeSelection& selection);
    EpisodeMergeResult MergeFrom(const std::string& path);
    void Flush();

    EpisodeFileAccess Access() const
    {
        return m_access;
    }

  private:
    enum class Action
    {
        Read,
        Write,
    };

    template <class Work>
    bool Try(Action action, Work&& work);
    template <class Work>
    bool Write(Work&& work);
    void Handle(EpisodeFileProblem problem, const std::string& reason, Action action);
    void Warn(EpisodeFileProblem problem, const std::string& path, const std::string& reason);
    void WarnOfDamagedRow(std::int64_t id, const std::string& path);

    EpisodeCache::Match Search(const ConflictGraph& graph, EpisodeEnd end);
    bool LoadIntoCache(const EpisodeKey& key);
    void AddToCache(EpisodeRow& row);
    void NoteUse(EpisodeCache::Entry& entry);
    bool MergeRow(EpisodeRow& row, const EpisodeRecord& record, EpisodeMergeResult& result);
    void ForgetCache();

    std::int64_t Now() const
    {
        return (m_options.clock ? m_options.clock() : SystemTime()).count();
    }

    std::string m_path;
    Signature m_fingerprint;
    WarningHandler m_handler;
    SqliteEpisodeStoreOptions m_options;
    EpisodeCache m_cache;
    std::optional<EpisodeFile> m_file;
    EpisodeFileAccess m_access{EpisodeFileAccess::None};
    bool m_isPatient{true}; //!< a write waits for others

    /** Keys of which the cache holds all that the file had when it was at #m_version. */
    std::unordered_set<EpisodeKey, EpisodeKeyHash> m_loaded;
    std::int64_t m_version{0};

    std::map<std::int64_t, std::int64_t> m_uses; //!< last uses to be noted in the file, by row
    std::size_t m_flushAt;                       //!< number of them at which they are

    std::set<std::int64_t> m_damagedRows;
    std::set<std::pair<EpisodeFileProblem, std::string>> m_warned;
};

SqliteEpisodeStore::Impl::Impl(std::string path,
                               const Signature& fingerprint,
                               WarningHandler handler,
                               const SqliteEpisodeStoreOptions& options)
    : m_path(std::move(path)),
      m_fingerprint(fingerprint),
      m_handler(std::move(handler)),
      m_options(options),
      m_cache(options.memory),
      m_flushAt(options.stampBatch)
{
    m_cache.SetEvictionHandler(
        [this](const EpisodeCache::Entry& entry) { m_loaded.erase(entry.key); });
    try
    {
        m_file.emplace(m_path, m_options.busyTimeout, true);
        m_access = EpisodeFileAccess::ReadWrite;
        if (m_file->IsReadOnly())
        {
            Handle(EpisodeFileProblem::ReadOnly, "it may not be written", Action::Write);
        }
    }
    catch (const EpisodeFileError& error)
    {
        Warn(error.Problem(), m_path, error.what());
    }
    catch (const SqliteError& error)
    {
        const EpisodeFileProblem problem = ProblemOf(error, false);
        // Without the file from the start, whatever the reason.
        const bool isTemporary = problem == EpisodeFileProblem::Locked ||
                                 problem == EpisodeFileProblem::ReadOnly ||
                                 problem == EpisodeFileProblem::CannotWrite;
        Warn(isTemporary ? EpisodeFileProblem::CannotOpen : problem, m_path, error.what());
    }
}

/** Does \p work with the file, if there is one. \return whether it succeeded */
template <class Work>
bool
SqliteEpisodeStore::Impl::Try(Action action, Work&& work)
{
    if (!m_file)
    {
        return false;
    }
    try
    {
        work(*m_file);
        return true;
    }
    catch (const SqliteError& error)
    {
        Handle(ProblemOf(error, action == Action::Write), error.what(), action);
        return false;
    }
}

/** Does \p work in a transaction, if the file may be written. */
template <class Work>
bool
SqliteEpisodeStore::Impl::Write(Work&& work)
{
    if (m_access != EpisodeFileAccess::ReadWrite)
    {
        return false;
    }
    const bool isDone = Try(Action::Write, [&](EpisodeFile& file) {
        SqliteTransaction transaction(file.Connection(), SqliteTransaction::Kind::Write);
        work(file);
        transaction.Commit();
    });
    if (isDone && !m_isPatient)
    {
        m_isPatient = true;
        m_file->SetBusyTimeout(m_options.busyTimeout);
    }
    return isDone;
}

void
SqliteEpisodeStore::Impl::Handle(EpisodeFileProblem problem,
                                 const std::string& reason,
                                 Action action)
{
    Warn(problem, m_path, reason);
    switch (problem)
    {
    case EpisodeFileProblem::Locked:
        if (action == Action::Write)
        {
            m_isPatient = false;
            m_file->SetBusyTimeout(std::chrono::milliseconds(0));
        }
        break;
    case EpisodeFileProblem::CannotWrite:
    case EpisodeFileProblem::ReadOnly:
        m_access = EpisodeFileAccess::ReadOnly;
        break;
    default:
        m_access = EpisodeFileAccess::None;
        m_file.reset();
        m_loaded.clear();
        break;
    }
}

void
SqliteEpisodeStore::Impl::Warn(EpisodeFileProblem problem,
                               const std::string& path,
                               const std::string& reason)
{
    if (m_warned.insert({problem, path}).second && m_handler)
    {
        m_handler("episode store " + path + ": " + reason + "; " + RemedyOf(problem));
    }
}

void
SqliteEpisodeStore::Impl::WarnOfDamagedRow(std::int64_t id, const std::string& path)
{
    if (path != m_path || m_damagedRows.insert(id).second)
    {
        ++m_cache.Counters().damaged;
    }
    Warn(EpisodeFileProblem::DamagedRow,
         path,
         "episode " + std::to_string(id) + " in it is damaged");
}

std::optional<EpisodeHit>
SqliteEpisodeStore::Impl::Find(const ConflictGraph& graph, EpisodeEnd end)
{
    ++m_cache.Counters().lookups;
    EpisodeCache::Match match = Search(graph, end);
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
SqliteEpisodeStore::Impl::Search(const ConflictGraph& graph, EpisodeEnd end)
{
    EpisodeCache::Match match = m_cache.Find(graph, end);
    bool isNews = false;
    const EpisodeKey key{graph.GetSignature(), end};
    if (!match.entry && Try(Action::Read, [&](EpisodeFile&) { isNews = LoadIntoCache(key); }) &&
        isNews)
    {
        match = m_cache.Find(graph, end);
    }
    return match;
}

/** Brings what the file has for \p key into the cache. \return whether there was anything new */
bool
SqliteEpisodeStore::Impl::LoadIntoCache(const EpisodeKey& key)
{
    constexpr std::size_t MAX_LOADED = 1 << 18; // keys without episodes are remembered as well
    const std::int64_t version = m_file->DataVersion();
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
        m_file->Load(m_fingerprint, key, [&](EpisodeRow& row) {
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
    for (EpisodeRow& row : rows)
    {
        AddToCache(row);
    }
    return !rows.empty();
}

void
SqliteEpisodeStore::Impl::AddToCache(EpisodeRow& row)
{
    auto record = DecodeRow(row);
    if (!record)
    {
        WarnOfDamagedRow(row.id, m_path);
        return;
    }
    EpisodeCache::Entry entry;
    entry.key = row.key;
    entry.graph = std::move(record->graph);
    entry.episode = std::make_shared<const Episode>(std::move(record->episode));
    entry.bytes = row.data.size();
    entry.row = row.id;
    entry.content = row.Content();
    entry.lastUse = row.lastUse;
    m_cache.Add(std::move(entry));
}

void
SqliteEpisodeStore::Impl::NoteUse(EpisodeCache::Entry& entry)
{
    if (entry.row == 0 || m_access != EpisodeFileAccess::ReadWrite)
    {
        return;
    }
    const std::int64_t now = Now();
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
    const bool isDone = Write([&](EpisodeFile& file) {
        for (const auto& [row, lastUse] : m_uses)
        {
            file.Touch(row, lastUse);
        }
    });
    if (isDone || m_access != EpisodeFileAccess::ReadWrite)
    {
        m_uses.clear();
    }
    m_flushAt = m_uses.size() + m_options.stampBatch;
}

bool
SqliteEpisodeStore::Impl::Insert(const ConflictGraph& graph, const Episode& episode)
{
    CheckEpisode(graph, episode);
    EpisodeCache::Match match = m_cache.Find(graph, episode.end);
    if (match.entry || match.gaveUp || StateBytes(episode) >= MAX_STATE_BYTES)
    {
        return false;
    }
    EpisodeRow row;
    row.fingerprint = m_fingerprint;
    row.key = {graph.GetSignature(), episode.end};
    row.verified = episode.verified.count();
    row.lastUse = Now();
    row.data = EncodeRecord(graph, episode);
    if (row.data.size() > m_cache.Limits().bytes)
    {
        return false;
    }
    std::uint64_t evicted = 0;
    if (row.data.size() <= m_options.fileBytes && m_access == EpisodeFileAccess::ReadWrite)
    {
        const bool isDone = Write([&](EpisodeFile& file) {
            // Somebody else may have added it, and nobody can from here on.
            if (LoadIntoCache(row.key))
            {
                match = m_cache.Find(graph, episode.end);
            }
            if (!match.entry && !match.gaveUp)
            {
                row.id = file.Insert(row, m_options.fileBytes, evicted);
            }
        });
        if (match.entry || match.gaveUp)
        {
            return false;
        }
        if (!isDone)
        {
            row.id = 0;
            evicted = 0;
            ++m_cache.Counters().writeFailures;
        }
    }
    EpisodeCache::Entry entry;
    entry.key = row.key;
    entry.graph = graph;
    entry.episode = std::make_shared<const Episode>(episode);
    entry.bytes = row.data.size();
    entry.row = row.id;
    entry.content = row.Content();
    entry.lastUse = row.lastUse;
    m_cache.Add(std::move(entry));
    ++m_cache.Counters().inserted;
    m_cache.Counters().evicted += evicted;
    return true;
}

void
SqliteEpisodeStore::Impl::Confirm(const ConflictGraph& graph, Duration verified)
{
    EpisodeCache::Entry* entry = Search(graph, EpisodeEnd::Converged).entry;
    if (!entry || !RaiseVerified(*entry, verified) || entry->row == 0 ||
        m_access != EpisodeFileAccess::ReadWrite)
    {
        return;
    }
    if (!Write(
            [&](EpisodeFile& file) { file.Raise(entry->row, entry->content, verified.count()); }))
    {
        ++m_cache.Counters().writeFailures;
    }
}

EpisodeStoreStatistics
SqliteEpisodeStore::Impl::Statistics()
{
    EpisodeFile::Size size;
    const bool hasFile =
        Try(Action::Read, [&](EpisodeFile& file) { size = file.SizeOf(m_fingerprint); });
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
    Try(Action::Read, [&](EpisodeFile& file) {
        file.LoadAll([&](EpisodeRow& row) {
            auto record = DecodeRow(row);
            if (!record)
            {
                WarnOfDamagedRow(row.id, m_path);
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
    const bool isDone = Write([&](EpisodeFile& file) {
        std::optional<std::int64_t> usedBefore;
        if (selection.usedBefore)
        {
            usedBefore = selection.usedBefore->count();
        }
        deleted = file.Delete(selection.fingerprint, usedBefore);
    });
    if (!isDone)
    {
        return 0;
    }
    ForgetCache();
    try
    {
        m_file->Shrink();
    }
    catch (const SqliteError&)
    {
        // Somebody has the file open, or the disk is full: the space is used for other episodes.
    }
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
    if (std::filesystem::equivalent(path, m_path, ignored))
    {
        throw UsageError("episode store " + m_path +
                         " cannot be merged into itself: give another "
                         "file");
    }
    Flush();
    EpisodeMergeResult result;
    if (m_access != EpisodeFileAccess::ReadWrite)
    {
        return result;
    }
    try
    {
        EpisodeFile other(path, m_options.busyTimeout, false);
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
    }
    catch (const EpisodeFileError& error)
    {
        Warn(error.Problem(), path, error.what());
    }
    catch (const SqliteError& error)
    {
        Warn(ProblemOf(error, false), path, error.what());
    }
    ForgetCache();
    return result;
}

/** \return false if the file does not take it */
bool
SqliteEpisodeStore::Impl::MergeRow(EpisodeRow& row,
                                   const EpisodeRecord& record,
                                   EpisodeMergeResult& result)
{
    if (row.data.size() > m_options.fileBytes)
    {
        return true;
    }
    bool isKnown = false;
    const bool isDone = Write([&](EpisodeFile& file) {
        std::optional<EpisodeRow> twin;
        file.Load(row.fingerprint, row.key, [&](EpisodeRow& own) {
            const auto ownRecord = DecodeRow(own);
            if (!ownRecord || twin)
            {
                return;
            }
            const auto outcome =
                FindIsomorphism(record.graph, ownRecord->graph, m_options.memory.comparisonWork)
                    .outcome;
            isKnown = isKnown || outcome != Isomorphism::Outcome::Different;
            if (outcome == Isomorphism::Outcome::Match)
            {
                twin = std::move(own);
            }
        });
        if (twin)
        {
            file.Raise(twin->id, twin->Content(), row.verified);
            file.Touch(twin->id, row.lastUse);
        }
        else if (!isKnown)
        {
            file.Insert(row, m_options.fileBytes, m_cache.Counters().evicted);
        }
    });
    if (isDone)
    {
        ++(isKnown ? result.known : result.added);
    }
    else
    {
        ++m_cache.Counters().writeFailures;
    }
    return isDone;
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
SqliteEpisodeStore::Find(const ConflictGraph& graph, EpisodeEnd end)
{
    return m_impl->Find(graph, end);
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
