/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "folder-lock.h"

#include "files.h"

#include "ns3/output-error.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace wormhole
{

FolderLock::FolderLock(const std::string& folder, const std::string& what, bool shared)
{
    MakeFolder(folder);
    m_folder = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (m_folder >= 0 && flock(m_folder, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 &&
        errno == EWOULDBLOCK)
    {
        close(m_folder);
        throw ns3::OutputError(folder + ": another " + what +
                               " is writing to this folder; give this one its own by --output DIR");
    }
}

FolderLock::~FolderLock()
{
    if (m_folder >= 0)
    {
        close(m_folder);
    }
}

} // namespace wormhole
