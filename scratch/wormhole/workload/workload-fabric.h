/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_WORKLOAD_FABRIC_H
#define WORMHOLE_CLI_WORKLOAD_FABRIC_H

#include "run/run-options.h"
#include "run/run-plan.h"
#include "run/run-result.h"
#include "terminal/progress.h"

#include "ns3/workload-connections.h"
#include "ns3/workload-transport.h"

#include <memory>
#include <string>
#include <vector>

namespace wormhole
{

/** What a workload asks of its network. */
struct FabricRequest
{
    bool nvSwitches{false}; ///< whether NVSwitches are end points
    ns3::WorkloadConnections connections{ns3::WorkloadConnections::FRESH};
};

/** The network that a workload's bytes cross, with all that is recorded there. */
class WorkloadFabric
{
  public:
    virtual ~WorkloadFabric() = default;

    virtual ns3::WorkloadTransport& GetTransport() = 0;

    /** \return what the user should know before the run, a line each */
    virtual std::vector<std::string> GetWarnings() const = 0;

    /** Says what labels of transfers stand for, for --record. */
    virtual void SetLabels(std::vector<std::string> labels) = 0;

    /** Begins to record, before the workload runs. */
    virtual void Begin() = 0;

    /** Hands what is recorded so far to the operating system; called now and then. \return what the
     * user should know of that, each once */
    virtual std::vector<std::string> Flush() = 0;

    /** Adds what the network knows of how far it is to \p state. */
    virtual void AddProgress(ProgressState& state) const = 0;

    /** \return what is under way and why, at most so many lines */
    virtual std::vector<std::string> ExplainWait(size_t most) const = 0;

    /** The workload is over. \param interrupted whether by a signal */
    virtual void End(bool interrupted) = 0;

    /** Completes the output files. \throws OutputError if one is incomplete */
    virtual void FinishFiles() = 0;

    /** Fills in what is known of the network: counters, attributes, round-trip times, records.
     * Once, after End. */
    virtual void Describe(RunResult& result) const = 0;
};

/**
 * \param plan of the run; must outlive the fabric
 * \param options as given
 * \param request of the workload
 * \return packet level
 * \throws OutputError if an output file cannot be created
 */
std::unique_ptr<WorkloadFabric> MakePacketFabric(const RunPlan& plan,
                                                 const RunOptions& options,
                                                 const FabricRequest& request);

/** \return flow level: as MakePacketFabric */
std::unique_ptr<WorkloadFabric> MakeFlowFabric(const RunPlan& plan,
                                               const RunOptions& options,
                                               const FabricRequest& request);

} // namespace wormhole

#endif // WORMHOLE_CLI_WORKLOAD_FABRIC_H
