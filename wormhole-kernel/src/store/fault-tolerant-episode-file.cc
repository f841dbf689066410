/*
 * SPDX-License-Identifier: MIT
 */
#include "store/fault-tolerant-episode-file.h"

namespace wormhole
{
namespace
{

/** \return what the user can do about \p problem, and what happens otherwise */
const char*
RemedyOf(EpisodeFileProblem problem)
{
    switch (problem)
    {
    case EpisodeFileProblem::CannotOpen:
        return "nothing is remembered beyond this run; give a file in a folder that is there and "
               "may be written";
    case EpisodeFileProblem::NotOurs:
        return "it is left as it is, and nothing is remembered beyond this run; give another path";
    case EpisodeFileProblem::OtherVersion:
        return "it is left as it is, and nothing is remembered beyond this run; use that version, "
               "or give another path";
    case EpisodeFileProblem::Damaged:
        return "it is left as it is, and nothing is remembered beyond this run from now on; delete "
               "it or give another path";
    case EpisodeFileProblem::CannotRead:
        return "it is not used any more in this run; check the disk";
    case EpisodeFileProblem::Locked:
        return "what it does not take or give now is simulated again; see who holds it";
    case EpisodeFileProblem::CannotWrite:
        return "nothing more is written to it in this run; make room on the disk";
    case EpisodeFileProblem::ReadOnly:
        return "what is in it is used, and nothing is added; make it and its folder writable to "
               "remember more";
    case EpisodeFileProblem::DamagedRow:
        return "such episodes are simulated again; delete the file if there are many";
    }
    return "";
}

} // namespace

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

FaultTolerantEpisodeFile::FaultTolerantEpisodeFile(std::string path,
                                                   std::chrono::milliseconds busyTimeout,
                                                   WarningHandler handler)
    : m_path(std::move(path)),
      m_busyTimeout(busyTimeout),
      m_handler(std::move(handler))
{
    try
    {
        m_file.emplace(m_path, m_busyTimeout, true);
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

void
FaultTolerantEpisodeFile::Handle(EpisodeFileProblem problem,
                                 const std::string& reason,
                                 Action action)
{
    Warn(problem, m_path, reason);
    switch (problem)
    {
    case EpisodeFileProblem::Locked:
        if (action == Action::Write)
        {
            BePatient(false);
        }
        break;
    case EpisodeFileProblem::CannotWrite:
    case EpisodeFileProblem::ReadOnly:
        m_access = EpisodeFileAccess::ReadOnly;
        break;
    default:
        m_access = EpisodeFileAccess::None;
        m_file.reset();
        break;
    }
}

void
FaultTolerantEpisodeFile::BePatient(bool isPatient)
{
    m_isPatient = isPatient;
    m_file->SetBusyTimeout(isPatient ? m_busyTimeout : std::chrono::milliseconds(0));
}

void
FaultTolerantEpisodeFile::Shrink()
{
    try
    {
        if (m_file)
        {
            m_file->Shrink();
        }
    }
    catch (const SqliteError&)
    {
        // Somebody has the file open, or the disk is full: the space is used for other episodes.
    }
}

void
FaultTolerantEpisodeFile::Warn(EpisodeFileProblem problem,
                               const std::string& path,
                               const std::string& reason)
{
    if (m_warned.insert({problem, path}).second && m_handler)
    {
        m_handler("episode store " + path + ": " + reason + "; " + RemedyOf(problem));
    }
}

} // namespace wormhole
