/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_WORKLOAD_SOURCE_H
#define WORMHOLE_CLI_WORKLOAD_SOURCE_H

#include "result/files.h"

#include "ns3/rdma-topology.h"
#include "ns3/workload-schedule.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace wormhole
{

class WorkloadProgram;
struct WorkloadReplay;

/** A job as `--workload` names it, read and checked. */
struct WorkloadSource
{
    std::string kind; ///< "goal", "training", "simai", "chakra", "storage", or a collective
    std::string name; ///< of the job
    std::vector<uint32_t> nodes; ///< that its ranks are placed on; empty if it does not say
    std::vector<NamedFile> inputs;
    std::vector<std::string> notes; ///< what the user should know, a line each

    ns3::WorkloadSchedule schedule; ///< unless it is a replay

    /** A workload that decides as it runs what it sends, and so is no schedule; else null. */
    std::shared_ptr<WorkloadReplay> replay;
};

/**
 * Reads what a `--workload` names: a file, whose content says what kind it is, or a specification
 * KIND:KEY=VALUE,...
 * \param text as given
 * \param number of the job, from 0, for its name if it has none
 * \return it
 * \throws InputError for any mistake
 */
WorkloadSource ReadWorkloadSource(const std::string& text, size_t number);

/** \return the kinds and their keys, for `wormhole run --help-workload` */
std::string WorkloadSourceHelp();

} // namespace wormhole

#endif // WORMHOLE_CLI_WORKLOAD_SOURCE_H
