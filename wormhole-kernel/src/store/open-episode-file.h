/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_OPEN_EPISODE_FILE_H
#define WORMHOLE_OPEN_EPISODE_FILE_H

#include "store/sqlite.h"

#include <chrono>
#include <string>

namespace wormhole
{

/** PRAGMA application_id of a file of episodes: "WhEp". */
constexpr std::int64_t EPISODE_FILE_ID = 0x57684570;

/**
 * \brief Opens \p path as a file of episodes, in WAL mode, and makes it one if it is empty, or
 * missing and \p mayMake. A file that is none, or of another version, is not changed.
 * \throws EpisodeFileError, SqliteError
 */
SqliteConnection OpenEpisodeFile(const std::string& path,
                                 std::chrono::milliseconds busyTimeout,
                                 bool mayMake);

} // namespace wormhole

#endif // WORMHOLE_OPEN_EPISODE_FILE_H
