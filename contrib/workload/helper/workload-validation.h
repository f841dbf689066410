/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_VALIDATION_H
#define WORKLOAD_VALIDATION_H

#include "workload-finding.h"

#include "ns3/workload-goal-reader.h"
#include "ns3/workload-schedule.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{

/** \ingroup workload How to check a schedule. */
struct WorkloadValidationOptions
{
    const WorkloadGoalNotes* notes{nullptr}; ///< of the reader, for lines; null if there are none
    size_t max{20};                          ///< findings of each kind that are kept

    /**
     * Greatest message, in bytes, whose send completes before the receive is there. Without it both
     * extremes are tried: what never completes even if every send does at once is an error, what
     * only stalls if none does is a warning.
     */
    std::optional<uint64_t> eagerBytes;
};

/** \ingroup workload What a check found. */
struct WorkloadValidation
{
    std::vector<WorkloadFinding> findings; ///< some of each kind
    uint64_t errors{0};                    ///< all, also those that are not kept
    uint64_t warnings{0};
    uint64_t stalled{0};           ///< operations that never complete
    uint64_t stalledRendezvous{0}; ///< that never complete if every send waits for its receive; as
                                   ///< `stalled` if eagerBytes is given
};

/**
 * \ingroup workload
 *
 * Checks that a schedule can run to its end:
 *
 * - peers, streams and interfaces are in range (error);
 * - no label stands for two operations, no rank sends to itself (warnings);
 * - every message has a receive, and every receive a message: they are counted by source,
 *   destination and tag; where a receive takes any source or tag, or a send bears any tag, the
 *   greatest possible number of pairs is found (error);
 * - the two ends have the same size, if those of one source, destination and tag meet in the order
 *   of the text (warning);
 * - no operation of a rank waits for itself through others (error);
 * - no operations of several ranks wait for each other in a circle: the graph is run without time,
 *   first come first served (error or warning, see eagerBytes); a receive from any source or with
 *   any tag does not take what another one needs (warning).
 *
 * The last one tries one order of many. It decides the matter if no receive takes any source or tag
 * and no two messages of one source, destination and tag are under way at once; else another order
 * may go better or worse.
 *
 * Takes O((operations + dependencies) log operations), and 32 bytes per operation; ranks that
 * receive from any source or with any tag may take the square of the messages to them.
 * \throws InputError for more than 2^32 - 2 operations
 */
WorkloadValidation ValidateWorkload(const WorkloadSchedule& schedule,
                                    const WorkloadValidationOptions& options = {});

} // namespace ns3

#endif // WORKLOAD_VALIDATION_H
