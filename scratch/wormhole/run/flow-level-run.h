/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_FLOW_LEVEL_RUN_H
#define WORMHOLE_CLI_FLOW_LEVEL_RUN_H

#include "record/flow-level-files.h"
#include "run-options.h"
#include "run-plan.h"
#include "run-result.h"
#include "terminal/wall-clock.h"
#include "terminal/watch.h"

#include "ns3/workload-flow-transport.h"

#include <memory>
#include <string>
#include <vector>

namespace wormhole
{

/** Flows of a file or a generator, at flow level: what Simulation is at packet level. */
class FlowLevelRun final : private ns3::WorkloadTransport::Client, public Watched
{
  public:
    /**
     * Builds the network, and creates the output files.
     * \param plan of the run; must outlive it
     * \param options as given; must outlive it
     * \throws OutputError if an output file cannot be created
     */
    FlowLevelRun(const RunPlan& plan, const RunOptions& options);

    /** \return what the user should know before the run, a line each */
    const std::vector<std::string>& GetWarnings() const
    {
        return m_result.warnings;
    }

    /** Runs until all flows have ended, or a signal comes. */
    void Run();

    /** Completes the output files. \throws OutputError if one is incomplete */
    void FinishFiles();

    /** \return what came out */
    RunResult GetResult() const;

  private:
    /** How a flow stands. */
    struct Standing
    {
        bool started{false};
        bool ended{false};
        std::string failure; //!< empty if it has not failed
    };

    void Delivered(uint64_t id) override;
    void Acknowledged(uint64_t id) override;
    void Due(uint64_t timer) override;
    void Failed(uint64_t id, const std::string& reason) override;
    std::string DescribeTransfer(uint64_t id) const override;
    std::string DescribeTimer(uint64_t timer) const override;
    ProgressState GetProgress() const override;
    std::vector<std::string> ExplainWait(size_t most) const override;
    std::vector<std::string> FlushFiles() override;
    void StopEarly() override;

    const RunPlan& m_plan;
    const RunOptions& m_options;
    WallClock::time_point m_begin;
    std::vector<uint32_t> m_endpoints; //!< of the transport, by node
    ns3::WorkloadFlowTransport m_transport;
    FlowLevelFiles m_files;
    std::vector<Standing> m_standings; //!< by flow
    std::unique_ptr<Watch> m_watch;
    RunResult m_result;
    double m_bytesDone{0};
    double m_bytes{0};
};

} // namespace wormhole

#endif // WORMHOLE_CLI_FLOW_LEVEL_RUN_H
