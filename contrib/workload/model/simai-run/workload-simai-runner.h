/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_SIMAI_RUNNER_H
#define WORKLOAD_SIMAI_RUNNER_H

#include "workload-simai-queue.h"
#include "workload-simai-record.h"

#include "ns3/workload-disturbance.h"
#include "ns3/workload-observer.h"
#include "ns3/workload-simai-collectives.h"
#include "ns3/workload-simai-groups.h"
#include "ns3/workload-simai-memory.h"
#include "ns3/workload-simai-program.h"
#include "ns3/workload-simai-shape.h"
#include "ns3/workload-simai.h"
#include "ns3/workload-transport.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief Runs a SimAI workload on a transport, as SimAI's ns-3 back end does.
 *
 * Host h of the topology is rank h. Each rank goes through the same program on its own, without any
 * barrier. Collectives become flows, each of which is one transfer. A flow counts as received when
 * its sender has the last acknowledgement, and as sent when it has been delivered.
 *
 * Each rank runs one collective of a queue at a time, the one issued last first. Where ranks of a
 * group would choose differently, which SimAI does not survive, they follow whoever chose first.
 */
class WorkloadSimAiRunner : private WorkloadTransport::Client, private WorkloadSimAiRanks
{
  public:
    /**
     * \param file the workload; must outlive the runner
     * \param options as ResolveWorkloadSimAiOptions() returns them
     * \param transport must outlive the runner
     * \param observer told of computations (stream 0), tensor and expert collectives (1) and weight
     * gradient collectives (2); or null
     * \throws InputError if the topology does not fit the workload
     */
    WorkloadSimAiRunner(const WorkloadSimAiFile& file,
                        const WorkloadSimAiOptions& options,
                        WorkloadTransport& transport,
                        WorkloadObserver* observer = nullptr);
    ~WorkloadSimAiRunner() override;

    WorkloadSimAiRunner(const WorkloadSimAiRunner&) = delete;
    WorkloadSimAiRunner& operator=(const WorkloadSimAiRunner&) = delete;

    /** \param listener told of every collective; null for none */
    void SetListener(WorkloadSimAiListener* listener)
    {
        m_collectives.SetListener(listener);
    }

    /** Runs to the end; call it once. \return whether every rank has finished */
    bool Run();

    /** \return steps that ranks have done, and of all: for progress */
    uint64_t GetCompleted() const
    {
        return m_completed;
    }

    uint64_t GetTotal() const;

    /** \return flows started so far */
    uint64_t GetFlowCount() const
    {
        return m_flows;
    }

    /** \return what of the options has no effect here, for people */
    const std::vector<std::string>& GetWarnings() const
    {
        return m_warnings;
    }

    /** \return what WorkloadSimAiOptions::disturbance has moved, for people; empty without one */
    std::string GetDisturbed() const;

    /** \return totals of rank 0, a layer each */
    const std::vector<WorkloadSimAiLayerTotals>& GetLayers() const
    {
        return m_record.GetLayers();
    }

    /** \return totals of all ranks */
    const std::vector<WorkloadSimAiRankTotals>& GetRanks() const
    {
        return m_record.GetRanks();
    }

    /** \return the groups used */
    const WorkloadSimAiGroups& GetGroups() const
    {
        return m_groups;
    }

    /** \return computing time of a rank, ns */
    uint64_t GetComputeNs() const
    {
        return m_program.computeNs;
    }

    /** \return who has not finished and why, at most \p max lines */
    std::vector<std::string> ExplainStall(size_t max) const;

    /** \return names of the categories of spans and of labels of transfers */
    static std::vector<std::string> GetCategories()
    {
        return WorkloadSimAiCategories();
    }

  private:
    struct Rank;
    struct Timer;

    std::string DescribeTransfer(uint64_t id) const override;
    std::string DescribeTimer(uint64_t timer) const override;
    std::string DescribeLayer(uint32_t layer) const;

    // WorkloadSimAiRanks
    int64_t Now() const override
    {
        return m_transport.Now();
    }

    int64_t BeganAt(uint32_t rank, uint32_t operation) const override;
    bool WaitsFor(uint32_t rank, uint32_t operation) const override;
    int64_t IdleUntil(uint32_t rank) const override;
    int64_t GetLeastLatency() const override;
    void Schedule(int64_t delayPs, uint32_t unit, uint32_t what) override;

    void Done(uint32_t slot, uint32_t end) override
    {
        MemberDone(slot, end);
    }

    void Sent(uint32_t slot, uint32_t flow) override;
    void Arrived(uint32_t slot, uint32_t flow) override;
    void Over(uint32_t slot) override;

    void Delivered(uint64_t id) override;
    void Acknowledged(uint64_t id) override;
    void Due(uint64_t timer) override;
    void Failed(uint64_t id, const std::string& reason) override;

    /** What has no effect here. */
    void Warn();

    /** Chooses the rank whose steps take longer. */
    void Disturb();

    /** \return how long a step takes in a rank, ns */
    uint64_t LengthOf(uint32_t rank, size_t step) const;

    /** Does steps until one takes time. */
    void Advance(uint32_t rank);

    /** Computes, or ticks, or both. */
    void Delay(uint32_t rank);
    void DelayOver(uint32_t rank);

    void Issue(uint32_t rank, uint32_t operation);

    /** Starts what is next in the queue, if anything can be. */
    void TakeNext(uint32_t rank, uint8_t queue);

    /** The rank takes part in the collective from now on. */
    void Begin(uint32_t rank, uint32_t operation);

    /** Sets the timers of flows that are ready. */
    void Launch(uint32_t slot);

    /** The flow's data is there: it posts receives, and is sent after its latency. */
    void StartFlow(uint32_t slot, uint32_t flow);

    /** The flow's latency is over. */
    void Send(uint32_t slot, uint32_t flow);
    void MemberDone(uint32_t slot, uint32_t end);

    /** The collective and its process time are over for the rank. */
    void Finished(uint32_t rank, uint32_t operation);
    std::string ExplainRank(uint32_t rank) const;
    std::string ExplainFlow(uint32_t rank, uint32_t operation) const;

    const WorkloadSimAiFile& m_file;
    WorkloadSimAiOptions m_options;
    WorkloadTransport& m_transport;
    WorkloadSimAiGroups m_groups;
    WorkloadSimAiServers m_servers;
    WorkloadSimAiProgram m_program;
    WorkloadSimAiCollectives m_collectives;
    WorkloadSimAiRecord m_record;
    std::unique_ptr<WorkloadSimAiMemory> m_memory; //!< null: everything is simulated
    std::vector<Rank> m_ranks;
    std::vector<WorkloadSimAiOrder> m_orders; //!< one per set of ranks that must agree
    std::vector<WorkloadSimAiReady> m_ready;  //!< flows to be launched
    std::vector<std::string> m_warnings;
    WorkloadDisturbance m_disturbed; //!< of which rank the steps take longer
    std::string m_failure;
    uint64_t m_completed{0};
    uint64_t m_flows{0};
    uint32_t m_unfinished{0}; //!< ranks
};

} // namespace ns3

#endif // WORKLOAD_SIMAI_RUNNER_H
