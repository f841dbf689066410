/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_WORKLOAD_SOURCE_KINDS_H
#define WORMHOLE_CLI_WORKLOAD_SOURCE_KINDS_H

#include "workload-source.h"

#include "ns3/input-spec.h"

#include <string>

namespace wormhole
{

/** A specification on its way to becoming a job. */
struct SourceRequest
{
    ns3::InputSpec spec; ///< without the keys that all kinds share
    std::string file;    ///< if it was named without a specification; else empty
};

// Each reads one kind into the schedule or replay of a source, with its inputs; it calls Finish()
// of the specification. \throws InputError for any mistake

void ReadGoalSource(SourceRequest& request, WorkloadSource& source);
void ReadTrainingSource(SourceRequest& request, WorkloadSource& source);
void ReadCollectiveSource(SourceRequest& request, WorkloadSource& source);
void ReadStorageSource(SourceRequest& request, WorkloadSource& source);
void ReadChakraSource(SourceRequest& request, WorkloadSource& source);
void ReadSimAiSource(SourceRequest& request, WorkloadSource& source);

/** \return the file that the request names, which becomes an input of the source */
std::string InputFile(SourceRequest& request, WorkloadSource& source);

} // namespace wormhole

#endif // WORMHOLE_CLI_WORKLOAD_SOURCE_KINDS_H
