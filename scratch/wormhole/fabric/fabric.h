/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_FABRIC_H
#define WORMHOLE_CLI_FABRIC_H

#include "plan/run-plan.h"
#include "run/program.h"

#include "ns3/workload-transport.h"

#include <memory>
#include <string>
#include <vector>

namespace wormhole
{

/** The network that bytes cross, at packet level or flow level, with all that is recorded there. */
class Fabric
{
  public:
    virtual ~Fabric() = default;

    /** \return the plan's list of flows, ready to run here */
    virtual std::unique_ptr<Program> MakeFlowList() = 0;

    /** \return what moves the bytes of workloads */
    virtual ns3::WorkloadTransport& GetTransport() = 0;

    /** \return what the user should know before the run, a line each */
    virtual std::vector<std::string> GetWarnings() const
    {
        return {};
    }

    /** Says what labels of transfers stand for, for --record. */
    virtual void SetLabels(std::vector<std::string> labels) = 0;

    /** Schedules what happens to the network by itself. */
    virtual void Begin()
    {
    }

    /** The workload is over: goes on until the last monitor has ended. */
    virtual void GoOn()
    {
    }

    /** Hands what is recorded so far to the operating system; called now and then. \return what the
     * user should know of that, each once */
    virtual std::vector<std::string> Flush() = 0;

    /** Adds what the network knows of how far it is to \p state. */
    virtual void AddProgress(ProgressState& state) const = 0;

    /** \return what is under way and why, at most so many lines */
    virtual std::vector<std::string> ExplainWait(size_t most) const
    {
        (void)most;
        return {};
    }

    /** Completes the output files. \throws OutputError if one is incomplete */
    virtual void FinishFiles() = 0;

    /** Fills in what is known of the network: counters, attributes, round-trip times, records.
     * Once, when the run is over. */
    virtual void Describe(RunResult& result) const = 0;
};

/**
 * \param plan of the run; must outlive the fabric
 * \param options as given
 * \return packet level, with fast-forward or without, built
 * \throws OutputError if an output file cannot be created
 */
std::unique_ptr<Fabric> MakePacketFabric(const RunPlan& plan, const RunOptions& options);

/** \return flow level: as MakePacketFabric */
std::unique_ptr<Fabric> MakeFlowFabric(const RunPlan& plan, const RunOptions& options);

} // namespace wormhole

#endif // WORMHOLE_CLI_FABRIC_H
