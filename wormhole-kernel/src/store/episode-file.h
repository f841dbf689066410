/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_EPISODE_FILE_H
#define WORMHOLE_EPISODE_FILE_H

#include "episode/episode-codec.h"
#include "store/episode-cache.h"
#include "store/sqlite.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace wormhole
{

/** What can be wrong with a file of episodes. */
enum class EpisodeFileProblem : std::uint8_t
{
    CannotOpen,
    NotOurs,
    OtherVersion,
    Damaged,
    CannotRead,
    Locked,
    CannotWrite,
    ReadOnly,
    DamagedRow,
};

/** A file that cannot be opened as what it should be. Stays within the library. */
class EpisodeFileError : public std::runtime_error
{
  public:
    EpisodeFileError(EpisodeFileProblem problem, const std::string& reason)
        : std::runtime_error(reason),
          m_problem(problem)
    {
    }

    EpisodeFileProblem Problem() const
    {
        return m_problem;
    }

  private:
    EpisodeFileProblem m_problem;
};

/** A stored episode, encoded. */
struct EpisodeRow
{
    std::int64_t id{0}; //!< given by the file; never used again
    Signature fingerprint;
    EpisodeKey key;
    std::int64_t verified{0};  //!< Episode::verified; that in #data is what it was first
    std::int64_t lastUse{0};   //!< milliseconds since 1970
    std::uint64_t checksum{0}; //!< of all but the id and the last use
    std::string data;          //!< EncodeRecord

    /** \return what #checksum is made of, but for #verified */
    std::uint64_t Content() const;
};

/** \return EpisodeRow::checksum for EpisodeRow::Content and EpisodeRow::verified */
std::uint64_t ChecksumOf(std::uint64_t content, std::int64_t verified);

/** \return nullopt if \p row is damaged; Episode::verified is that of the row */
std::optional<EpisodeRecord> DecodeRow(const EpisodeRow& row);

/**
 * \brief The database of a SqliteEpisodeStore.
 *
 * Members throw SqliteError; after one, the database is as it was before the call.
 */
class EpisodeFile
{
  public:
    /** \param mayMake whether a file that is missing is made
     *  \throws EpisodeFileError if it is no file of episodes, or cannot be read now */
    EpisodeFile(const std::string& path, std::chrono::milliseconds busyTimeout, bool mayMake);

    bool IsReadOnly() const;

    void SetBusyTimeout(std::chrono::milliseconds timeout);

    SqliteConnection& Connection()
    {
        return m_connection;
    }

    /** \return a number that changes when somebody else has written */
    std::int64_t DataVersion();

    using RowVisitor = std::function<void(EpisodeRow& row)>;

    /** Rows with a key. \p visit must neither read nor write. */
    void Load(const Signature& fingerprint, const EpisodeKey& key, const RowVisitor& visit);

    /** All rows, by id. */
    void LoadAll(const RowVisitor& visit);

    /** Adds \p row, whose id and checksum do not matter, and deletes others so that all rows take
     * up at most \p limit. Within a transaction. \return the id */
    std::int64_t Insert(const EpisodeRow& row, std::uint64_t limit, std::uint64_t& evicted);

    /** Raises the verified time of a row that is still there. */
    void Raise(std::int64_t id, std::uint64_t content, std::int64_t verified);

    /** Notes a later use of a row that is still there. */
    void Touch(std::int64_t id, std::int64_t lastUse);

    /** Which rows are to go: see EpisodeSelection. */
    struct Selection
    {
        std::optional<Signature> fingerprint;
        std::optional<std::int64_t> usedBefore;
        std::optional<std::uint64_t> beyondEpisodes;
        std::optional<std::uint64_t> beyondBytes;
    };

    /** Within a transaction. \return number of rows deleted */
    std::uint64_t Delete(const Selection& selection);

    /** Number and bytes of the rows of \p fingerprint. */
    struct Size
    {
        std::uint64_t episodes{0};
        std::uint64_t bytes{0};
    };

    Size SizeOf(const Signature& fingerprint);

    /** Gives free space back to the file system, if nobody is in the way. */
    void Shrink();

  private:
    std::uint64_t EvictTo(std::uint64_t limit);
    std::vector<std::int64_t> Select(const Selection& selection);
    void DeleteRows(const std::vector<std::int64_t>& ids);
    std::int64_t ConfigurationOf(const Signature& fingerprint);
    void Recount();

    SqliteConnection m_connection;
    SqliteStatement m_dataVersion;
    SqliteStatement m_load;
    SqliteStatement m_insert;
    SqliteStatement m_count;
    SqliteStatement m_raise;
    SqliteStatement m_touch;
    SqliteStatement m_configuration;
    SqliteStatement m_addConfiguration;
    SqliteStatement m_total;
};

} // namespace wormhole

#endif // WORMHOLE_EPISODE_FILE_H
