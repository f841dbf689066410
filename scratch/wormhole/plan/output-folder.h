/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_OUTPUT_FOLDER_H
#define WORMHOLE_CLI_OUTPUT_FOLDER_H

#include "result/folder-lock.h"
#include "run-plan.h"

#include <optional>

namespace wormhole
{

/** The folder that the outputs of a run go into. It is this run's as long as this lives, unless
 * files that a config.txt names may go to it beside those of others. */
class OutputFolder
{
  public:
    /** Makes the folder, and removes what an earlier run wrote to it that this one does not: it
     * would be taken for this one's. \throws OutputError if the folder cannot be made, or another
     * run writes to it now */
    OutputFolder(const RunOptions& options, const RunPlan& plan);

  private:
    std::optional<FolderLock> m_lock;
};

} // namespace wormhole

#endif // WORMHOLE_CLI_OUTPUT_FOLDER_H
