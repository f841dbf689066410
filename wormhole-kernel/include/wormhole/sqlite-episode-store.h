/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_SQLITE_EPISODE_STORE_H
#define WORMHOLE_SQLITE_EPISODE_STORE_H

#include "wormhole/episode-store.h"
#include "wormhole/error.h"
#include "wormhole/signature.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace wormhole
{

/** What a SqliteEpisodeStore can do with its file. */
enum class EpisodeFileAccess : std::uint8_t
{
    ReadWrite,
    ReadOnly, //!< nothing is written: it must not be, or a write failed for good
    None,     //!< episodes are kept in memory only
};

/** \return the enumerator's name */
const char* ToString(EpisodeFileAccess access);

/** Milliseconds since 1970 (UTC): when a stored episode was last used. */
using WallTime = std::chrono::duration<std::int64_t, std::milli>;

/** Limits, and how much a SqliteEpisodeStore waits and notes. */
struct SqliteEpisodeStoreOptions
{
    EpisodeMemoryLimits memory; //!< of the cache before the file
    /** Encoded episodes of all fingerprints in the file; pages and index add to it. What exceeds it
     * goes, least recently used first, with an eighth more, so that it does not go on and on.
     * > 0 */
    std::uint64_t fileBytes{std::uint64_t{256} << 20};
    /** For how long a write waits for another process that writes; >= 0. A file that stays locked
     * is tried again with the next write, without waiting. */
    std::chrono::milliseconds busyTimeout{2000};
    /** A use is not noted in the file if one is that is no older; >= 0 */
    WallTime stampInterval{60'000};
    /** Uses noted in the file at once; > 0 */
    std::uint64_t stampBatch{256};
    /** For tests; the clock of the system unless given. */
    std::function<WallTime()> clock;
};

/** An episode as it is stored. */
struct StoredEpisode
{
    Signature fingerprint; //!< of the configuration that it was made in
    Signature signature;   //!< of #graph
    std::uint64_t bytes;   //!< encoded, with the graph
    WallTime lastUse;      //!< as noted in the file
    ConflictGraph graph;   //!< that it started from
    Episode episode;
};

/** Which stored episodes are to go: all that meet every condition that is given. */
struct EpisodeSelection
{
    std::optional<Signature> fingerprint;
    std::optional<WallTime> usedBefore;
    /** Not among the so many that were used last, of the fingerprint if one is given. */
    std::optional<std::uint64_t> beyondEpisodes{std::nullopt};
    /** Not among those that were used last and take up so many bytes together, likewise. */
    std::optional<std::uint64_t> beyondBytes{std::nullopt};
};

/** What became of the episodes of another file. */
struct EpisodeMergeResult
{
    std::uint64_t added{0};
    std::uint64_t known{0};   //!< there was one for an isomorphic graph, and it stayed
    std::uint64_t damaged{0}; //!< passed over
};

/**
 * \brief Episodes in an SQLite file, which outlives the run and may be shared by processes, behind
 * a cache in memory.
 *
 * What is inserted is in the file when Insert returns, in a transaction of its own (write-ahead
 * log, synchronous=NORMAL). A process that is killed at any point leaves whole episodes only, and
 * loses at most the one that it was inserting; a machine that stops may lose the last few. Readers
 * wait for nobody. The file is FILE; FILE-wal and FILE-shm belong to it while it is open.
 *
 * A file may hold episodes of several configurations; a store sees those of its own fingerprint.
 * What is wrong with the file costs a warning, once per kind, which says what to do, and the run
 * goes on: without it (missing folder, foreign, of another version, damaged), or without writing to
 * it (read-only, disk full). A file that is not an episode store, or a damaged one, is left as it
 * is. An episode whose checksum does not fit is not used.
 *
 * Cost: a lookup that the cache answers is that of EpisodeStore; a miss adds one question to the
 * file whether it has changed (microseconds), and only if so, or the first time, a search in it. An
 * insertion writes a few pages (some 0.1 ms).
 *
 * Results are reproducible as long as nobody else adds to the file meanwhile.
 *
 * Thread safety: see EpisodeStore. Do not use it across a fork.
 */
class SqliteEpisodeStore : public EpisodeStore
{
  public:
    /**
     * \param path of the file, which is made if it is missing and its folder is there; ":memory:":
     *             nowhere
     * \param fingerprint of all that an outcome depends on and the conflict graph does not say,
     *             e.g. made with a SignatureBuilder: name and version of the simulator and of its
     *             models; settings of buffers, flow control, ECN marking and routing, whatever
     *             defaults apply; packet size; what the simulator puts into
     *             FlowAttributes::control, both `extra` and state blobs, and how; the detail of the
     *             graphs and the step of QuantiseLog; the settings by which a flow counts as
     *             steady. Not: sizes of flows, seeds, topology, which the graph's attributes cover.
     * \param handler told of warnings, within the constructor and all other members, the
     *                destructor too, so it must not throw; nor may it call the store; may be empty
     * \throws UsageError for an empty path or an option out of range
     */
    SqliteEpisodeStore(const std::string& path,
                       const Signature& fingerprint,
                       WarningHandler handler = {},
                       const SqliteEpisodeStoreOptions& options = {});
    ~SqliteEpisodeStore() override;
    SqliteEpisodeStore(const SqliteEpisodeStore&) = delete;
    SqliteEpisodeStore& operator=(const SqliteEpisodeStore&) = delete;

    std::optional<EpisodeHit> Find(const ConflictGraph& graph,
                                   EpisodeEnd end,
                                   const std::vector<Bytes>& left = {}) override;
    bool Insert(const ConflictGraph& graph, const Episode& episode) override;
    void Confirm(const ConflictGraph& graph, Duration verified) override;
    EpisodeStoreStatistics Statistics() const override;

    /** \return what can be done with the file now; it may become less, never more. O(1) */
    EpisodeFileAccess Access() const;

    /** Notes in the file the uses that it does not know of yet, as the destructor does. */
    void Flush();

    /** Calls \p visit for each whole episode in the file, of all fingerprints, in the order of
     * insertion. \p visit may throw; it must not call the store. Cost: reads the whole file. */
    void ForEach(const std::function<void(const StoredEpisode& stored)>& visit);

    /** Deletes episodes from the file, and from the cache. The file becomes smaller if nobody else
     * has it open. \return how many */
    std::uint64_t Prune(const EpisodeSelection& selection);

    /** Adds the episodes of the file \p path, of all fingerprints. Where both have one for
     * isomorphic graphs, this store's stays, with the longer Episode::verified and the later use.
     * \throws UsageError if \p path is this store's own file */
    EpisodeMergeResult MergeFrom(const std::string& path);

  private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace wormhole

#endif // WORMHOLE_SQLITE_EPISODE_STORE_H
