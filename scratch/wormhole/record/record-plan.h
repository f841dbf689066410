/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_RECORD_PLAN_H
#define WORMHOLE_CLI_RECORD_PLAN_H

#include "record-options.h"

#include <string>
#include <vector>

namespace wormhole
{

/** What --record writes in this run, and where. */
struct RecordPlan
{
    std::string folder;             ///< empty: nothing is recorded
    std::string shown;              ///< the folder, as seen from that of summary.json
    std::vector<std::string> files; ///< names in it
    std::vector<RecordPair> pairs;  ///< whose rates are recorded; empty: those with the most bytes
    std::vector<std::string> kinds; ///< of the flows, but for those of workloads

    bool IsOn() const
    {
        return !folder.empty();
    }

    /** \return path of the file \p name */
    std::string PathOf(const std::string& name) const
    {
        return folder + "/" + name;
    }
};

struct RunPlan;
struct RunOptions;

/**
 * Names what --record writes.
 * \param options as given
 * \param plan with its inputs and the outputs that stand beside; completed
 * \throws InputError if a pair of --record-pairs cannot be recorded
 */
void PlanRecord(const RunOptions& options, RunPlan& plan);

/** Makes the folder, and removes what an earlier run of another mode recorded there.
 * \throws OutputError if that is impossible */
void PrepareRecordFolder(const RecordPlan& plan);

} // namespace wormhole

#endif // WORMHOLE_CLI_RECORD_PLAN_H
