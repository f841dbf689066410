/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_FAULT_TOLERANT_EPISODE_FILE_H
#define WORMHOLE_FAULT_TOLERANT_EPISODE_FILE_H

#include "store/episode-file.h"
#include "wormhole/error.h"
#include "wormhole/sqlite-episode-store.h"

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace wormhole
{

/**
 * \brief A file of episodes with which anything may be wrong.
 *
 * Whatever it is costs a warning, once for each kind and file, and what cannot be done any more: it
 * falls back from reading and writing to reading, or to nothing. No member throws SqliteError or
 * EpisodeFileError; what the work itself throws otherwise passes through.
 */
class FaultTolerantEpisodeFile
{
  public:
    /** Opens \p path, which is made if it is missing. */
    FaultTolerantEpisodeFile(std::string path,
                             std::chrono::milliseconds busyTimeout,
                             WarningHandler handler);

    const std::string& Path() const
    {
        return m_path;
    }

    EpisodeFileAccess Access() const
    {
        return m_access;
    }

    bool MayWrite() const
    {
        return m_access == EpisodeFileAccess::ReadWrite;
    }

    /** Does \p work(EpisodeFile&), if there is a file. \return whether it succeeded */
    template <class Work>
    bool Read(Work&& work)
    {
        return Try(Action::Read, work);
    }

    /** Does \p work(EpisodeFile&) in a transaction, if the file may be written. A file that was
     * locked is not waited for again until a write succeeds. \return whether it succeeded */
    template <class Work>
    bool Write(Work&& work);

    /** Does \p work(EpisodeFile&) with another file, which must be there. */
    template <class Work>
    void ReadOther(const std::string& path, Work&& work);

    /** Gives free space back to the file system, if nobody is in the way. */
    void Shrink();

    void Warn(EpisodeFileProblem problem, const std::string& path, const std::string& reason);

  private:
    enum class Action
    {
        Read,
        Write,
    };

    template <class Work>
    bool Try(Action action, Work&& work);
    void Handle(EpisodeFileProblem problem, const std::string& reason, Action action);
    void BePatient(bool isPatient);

    std::string m_path;
    std::chrono::milliseconds m_busyTimeout;
    WarningHandler m_handler;
    std::optional<EpisodeFile> m_file;
    EpisodeFileAccess m_access{EpisodeFileAccess::None};
    bool m_isPatient{true}; //!< a write waits for others
    std::set<std::pair<EpisodeFileProblem, std::string>> m_warned;
};

/** \return what an error of SQLite means for a file of episodes */
EpisodeFileProblem ProblemOf(const SqliteError& error, bool writing);

template <class Work>
bool
FaultTolerantEpisodeFile::Write(Work&& work)
{
    if (!MayWrite())
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
        BePatient(true);
    }
    return isDone;
}

template <class Work>
void
FaultTolerantEpisodeFile::ReadOther(const std::string& path, Work&& work)
{
    try
    {
        EpisodeFile other(path, m_busyTimeout, false);
        work(other);
    }
    catch (const EpisodeFileError& error)
    {
        Warn(error.Problem(), path, error.what());
    }
    catch (const SqliteError& error)
    {
        Warn(ProblemOf(error, false), path, error.what());
    }
}

template <class Work>
bool
FaultTolerantEpisodeFile::Try(Action action, Work&& work)
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

} // namespace wormhole

#endif // WORMHOLE_FAULT_TOLERANT_EPISODE_FILE_H
