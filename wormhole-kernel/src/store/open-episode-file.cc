/*
 * SPDX-License-Identifier: MIT
 */
#include "store/open-episode-file.h"

#include "episode/episode-codec.h"
#include "store/episode-file.h"

#include <filesystem>
#include <thread>
#include <unistd.h>

namespace wormhole
{
namespace
{

namespace fs = std::filesystem;

/** PRAGMA user_version: of the tables, and of what is in them. */
constexpr std::int64_t SCHEMA_VERSION = 1;
constexpr std::int64_t FILE_VERSION = SCHEMA_VERSION << 16 | EPISODE_CODEC_VERSION;

/**
 * Rows in the order of insertion fill their pages: in that of their signatures (WITHOUT ROWID) the
 * file of a training job takes up 1.6 to 1.7 times as much. Nor does another size of pages help:
 * with 2048 bytes the file is up to 1.3 times as large, with 8192 an insertion takes a third
 * longer.
 */
constexpr char SCHEMA[] = R"(
    CREATE TABLE configurations (
        id INTEGER PRIMARY KEY,
        fingerprint_high INTEGER NOT NULL,
        fingerprint_low INTEGER NOT NULL,
        episodes INTEGER NOT NULL,
        bytes INTEGER NOT NULL);
    CREATE TABLE episodes (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        configuration INTEGER NOT NULL,
        ending INTEGER NOT NULL,
        signature_high INTEGER NOT NULL,
        signature_low INTEGER NOT NULL,
        last_use INTEGER NOT NULL,
        verified INTEGER NOT NULL,
        checksum INTEGER NOT NULL,
        data BLOB NOT NULL);
    CREATE INDEX episodes_by_signature ON episodes (signature_low);
)";

bool
Exists(const std::string& path)
{
    std::error_code error;
    return fs::exists(path, error);
}

/** \throws EpisodeFileError if there is nothing to open, and nothing can be made */
void
CheckPath(const std::string& path, bool mayMake)
{
    std::error_code error;
    if (fs::is_directory(path, error))
    {
        throw EpisodeFileError(EpisodeFileProblem::CannotOpen, "it is a folder");
    }
    if (fs::exists(path, error))
    {
        return;
    }
    if (!mayMake)
    {
        throw EpisodeFileError(EpisodeFileProblem::CannotOpen, "there is no such file");
    }
    const fs::path folder = fs::absolute(path, error).parent_path();
    if (!fs::is_directory(folder, error))
    {
        throw EpisodeFileError(EpisodeFileProblem::CannotOpen,
                               "there is no folder " + folder.string());
    }
}

/** \p path as a URI that says that nobody changes the file. */
std::string
ImmutableUri(const std::string& path)
{
    static constexpr char DIGITS[] = "0123456789ABCDEF";
    std::error_code error;
    std::string uri = "file://";
    for (const char byte : fs::absolute(path, error).string())
    {
        if (byte == '%' || byte == '?' || byte == '#')
        {
            uri += '%';
            uri += DIGITS[byte >> 4];
            uri += DIGITS[byte & 15];
        }
        else
        {
            uri += byte;
        }
    }
    return uri + "?immutable=1";
}

SqliteConnection
Connect(const std::string& path, bool mayMake)
{
    if (path == ":memory:")
    {
        return {path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX};
    }
    CheckPath(path, mayMake);
    // Else SQLite would make files beside one that is not to be written, which the owner may then
    // be unable to open. Whoever has it open for writing has made them already.
    if (Exists(path) && access(path.c_str(), R_OK) == 0 && access(path.c_str(), W_OK) != 0 &&
        !Exists(path + "-wal") && !Exists(path + "-shm"))
    {
        return {ImmutableUri(path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX};
    }
    const int make = mayMake ? SQLITE_OPEN_CREATE : 0;
    // A path that begins with "file:" is no URI.
    const std::string plain = path.rfind("file:", 0) == 0 ? "./" + path : path;
    return {plain, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | make};
}

/** Within a transaction. \return whether it is a file of episodes; false: it is empty
 *  \throws EpisodeFileError if it is anything else */
bool
Recognise(SqliteConnection& connection)
{
    const std::int64_t id = connection.Number("PRAGMA application_id");
    const std::int64_t version = connection.Number("PRAGMA user_version");
    if (id == 0 && version == 0 && connection.Number("SELECT COUNT(*) FROM sqlite_master") == 0)
    {
        return false;
    }
    if (id != EPISODE_FILE_ID)
    {
        throw EpisodeFileError(EpisodeFileProblem::NotOurs, "it is a database of something else");
    }
    if (version != FILE_VERSION)
    {
        throw EpisodeFileError(EpisodeFileProblem::OtherVersion,
                               std::string("it was written by ") +
                                   (version > FILE_VERSION ? "a newer" : "an older") +
                                   " version of this program");
    }
    return true;
}

/** SQLite does not mind if a part of the last page is missing. Where there is a log, the page may
 * be in it. */
void
CheckSize(SqliteConnection& connection, const std::string& path)
{
    std::error_code error;
    const std::uintmax_t size = fs::file_size(path, error);
    const std::int64_t pageSize = connection.Number("PRAGMA page_size");
    if (!error && size % static_cast<std::uintmax_t>(pageSize) != 0)
    {
        throw EpisodeFileError(EpisodeFileProblem::Damaged, "its end is missing");
    }
}

/** SQLite takes a file of one byte for an empty one, and would write over it.
 *  \throws EpisodeFileError if \p path is one */
void
CheckEmpty(const std::string& path)
{
    std::error_code error;
    if (fs::file_size(path, error) == 1 && !error)
    {
        throw EpisodeFileError(EpisodeFileProblem::NotOurs, "it is not a database");
    }
}

/** In one transaction with a rollback journal, so that the first page, by which the file is
 * recognised, is never only in the write-ahead log. */
void
Make(SqliteConnection& connection)
{
    SqliteTransaction transaction(connection, SqliteTransaction::Kind::Write);
    if (!Recognise(connection)) // somebody else may have been faster
    {
        connection.Execute(SCHEMA);
        connection.Execute("PRAGMA application_id = " + std::to_string(EPISODE_FILE_ID));
        connection.Execute("PRAGMA user_version = " + std::to_string(FILE_VERSION));
    }
    transaction.Commit();
}

/** Changing the journal needs the file alone for a moment, and SQLite does not wait for that. */
void
UseWriteAheadLog(SqliteConnection& connection, std::chrono::milliseconds busyTimeout)
{
    for (std::int64_t tries = busyTimeout.count();; --tries)
    {
        try
        {
            connection.Execute("PRAGMA journal_mode = WAL");
            return;
        }
        catch (const SqliteError& error)
        {
            if (error.Code() != SQLITE_BUSY || tries <= 0)
            {
                throw;
            }
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

} // namespace

SqliteConnection
OpenEpisodeFile(const std::string& path, std::chrono::milliseconds busyTimeout, bool mayMake)
{
    // A log that somebody else's crash has left is not ours to merge, unless the file is.
    const bool hasLog = Exists(path + "-wal");
    SqliteConnection connection = Connect(path, mayMake);
    const auto checkpointOnClose = [&](bool on) {
        sqlite3_db_config(connection.Get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, on ? 0 : 1, nullptr);
    };
    checkpointOnClose(!hasLog);
    sqlite3_busy_timeout(connection.Get(), static_cast<int>(busyTimeout.count()));
    connection.Execute("PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF");
    const bool isReadOnly = sqlite3_db_readonly(connection.Get(), "main") == 1;
    bool isMade = false;
    {
        // At one moment, for somebody else may be making it.
        SqliteTransaction transaction(connection, SqliteTransaction::Kind::Read);
        isMade = Recognise(connection);
        transaction.Commit();
    }
    if (!isMade)
    {
        if (isReadOnly)
        {
            throw EpisodeFileError(EpisodeFileProblem::CannotOpen, "it is empty and read-only");
        }
        CheckEmpty(path);
        Make(connection);
    }
    else if (!hasLog)
    {
        CheckSize(connection, path);
    }
    checkpointOnClose(true);
    if (!isReadOnly)
    {
        UseWriteAheadLog(connection, busyTimeout);
        connection.Execute("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 128");
    }
    return connection;
}

} // namespace wormhole
