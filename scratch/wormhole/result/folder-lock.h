/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_FOLDER_LOCK_H
#define WORMHOLE_CLI_FOLDER_LOCK_H

#include <string>

namespace wormhole
{

/** Keeps a folder of results for one process as long as this lives; the system forgets it with the
 * process, however that ends. Where the file system has no such locks, it does nothing. */
class FolderLock
{
  public:
    /** Makes the folder, too. \param what writes to it, such as "run"
     * \param shared whether others that share it may write to it at the same time
     * \throws OutputError if it cannot be made, or another process keeps it */
    FolderLock(const std::string& folder, const std::string& what, bool shared = false);
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

  private:
    int m_folder; //!< file descriptor
};

} // namespace wormhole

#endif // WORMHOLE_CLI_FOLDER_LOCK_H
