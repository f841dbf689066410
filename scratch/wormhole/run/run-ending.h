/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_RUN_ENDING_H
#define WORMHOLE_CLI_RUN_ENDING_H

#include "run-options.h"

#include "ns3/input-line-file.h"

#include <functional>
#include <string>

namespace wormhole
{

/** What is to be told of a run that is over. */
struct RunEnding
{
    std::string summary;                ///< JSON
    std::function<void()> finishFiles;  ///< writes the rest of the other files
    std::function<std::string()> table; ///< the result for people
    std::function<void()> complain;     ///< says what did not complete, if anything
};

/**
 * Writes the files and tells the user; a file that is incomplete does not keep the rest from being
 * told.
 * \throws OutputError for such a file, at the end
 */
void EndRun(const RunOptions& options, const RunEnding& ending, ns3::LineFile& summaryFile);

} // namespace wormhole

#endif // WORMHOLE_CLI_RUN_ENDING_H
