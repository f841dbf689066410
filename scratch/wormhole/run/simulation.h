/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_SIMULATION_H
#define WORMHOLE_CLI_SIMULATION_H

#include "record/recorders.h"
#include "run-options.h"
#include "run-plan.h"
#include "run-result.h"
#include "terminal/wall-clock.h"
#include "terminal/watch.h"

#include "ns3/rdma-event-queue.h"
#include "ns3/rdma-flow-source.h"
#include "ns3/rdma-link-schedule.h"
#include "ns3/rdma-network.h"

#include <memory>

namespace wormhole
{

/**
 * One simulation, from a plan to a result. EndingSignals() end it early from Run() on, and are
 * held back until it is destroyed.
 */
class Simulation final : public Watched
{
  public:
    /**
     * Builds the network, and creates the output files.
     * \param plan of the run; must outlive the simulation
     * \param options as given; must outlive the simulation
     * \throws OutputError if an output file cannot be created
     */
    Simulation(const RunPlan& plan, const RunOptions& options);
    ~Simulation() override;
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    /** \return what the user should know before the run, a line each */
    const std::vector<std::string>& GetWarnings() const
    {
        return m_result.warnings;
    }

    /** Simulates until all flows have ended, the plan says stop, or a signal comes. */
    void Run();

    /**
     * Completes the output files.
     * \throws OutputError if one is incomplete
     */
    void FinishFiles();

    /** \return what came out */
    RunResult GetResult() const;

  private:
    /** After the last flow, waits until nothing is under way any more. */
    struct Drain final : public ns3::RdmaEvent
    {
        explicit Drain(Simulation* s)
            : simulation(s)
        {
        }

        void Fire() override
        {
            simulation->StopWhenQuiet();
        }

        Simulation* simulation;
        uint32_t looks{0};
    };

    void FlowEnded(const ns3::RdmaQueuePair& qp);
    [[noreturn]] void FailLate() const;
    void StopWhenQuiet();
    ProgressState GetProgress() const override;
    std::vector<std::string> ExplainWait(size_t most) const override;
    std::vector<std::string> FlushFiles() override;
    void StopEarly() override;
    std::vector<UnfinishedFlow> ListUnfinished() const;

    const RunPlan& m_plan;
    const RunOptions& m_options;
    WallClock::time_point m_begin;
    ns3::Ptr<ns3::RdmaNetwork> m_network;
    std::unique_ptr<Recorders> m_recorders;
    std::unique_ptr<ns3::RdmaFlowSource> m_source;
    std::unique_ptr<ns3::RdmaLinkSchedule> m_links;
    std::unique_ptr<Drain> m_drain;
    std::unique_ptr<Watch> m_watch;
    RunResult m_result;
    double m_bytes{0};     //!< of all flows
    double m_bytesDone{0}; //!< of flows that have ended
};

} // namespace wormhole

#endif // WORMHOLE_CLI_SIMULATION_H
