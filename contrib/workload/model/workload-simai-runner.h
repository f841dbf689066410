/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_SIMAI_RUNNER_H
#define WORKLOAD_SIMAI_RUNNER_H

#include "workload-observer.h"
#include "workload-simai-flows.h"
#include "workload-simai-groups.h"
#include "workload-simai-instance.h"
#include "workload-simai-program.h"
#include "workload-simai-queue.h"
#include "workload-simai.h"
#include "workload-transport.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

/** \ingroup workload A collective of one group that has just begun. */
struct WorkloadSimAiCollective
{
    const WorkloadSimAiLayer& layer;
    const WorkloadSimAiOperation& operation;
    WorkloadSimAiChoice choice;
    const WorkloadSimAiFlowSet& set;
    const std::vector<uint32_t>& ends; ///< end point of each member, then of each NVSwitch
    uint64_t flowBytes{0};
    uint64_t firstFlow{0}; ///< number of the set's first flow, counted over the whole run
};

/** \ingroup workload Is told of collectives, for a listing of flows. */
class WorkloadSimAiListener
{
  public:
    virtual ~WorkloadSimAiListener() = default;
    virtual void Began(const WorkloadSimAiCollective& collective) = 0;
};

/** \ingroup workload One part of one layer as rank 0 saw it. */
struct WorkloadSimAiPartTotals
{
    uint64_t computeNs{0};
    int64_t exposedPs{0}; ///< waited for it
    int64_t totalPs{0};   ///< from issue to the end of the process time
    uint64_t bytes{0};    ///< as simulated; 0 without a collective
};

/** \ingroup workload A layer as rank 0 saw it. */
struct WorkloadSimAiLayerTotals
{
    WorkloadSimAiPartTotals parts[WORKLOAD_SIMAI_PASSES];
};

/** \ingroup workload A rank in all. */
struct WorkloadSimAiRankTotals
{
    int64_t finishPs{0};
    int64_t waitPs[5]{}; ///< stood still for a collective, by WorkloadSimAiGroup
};

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
class WorkloadSimAiRunner : private WorkloadTransport::Client
{
  public:
    /**
     * \param file the workload; must outlive the runner
     * \param options as ResolveWorkloadSimAiOptions() returns them
     * \param transport must outlive the runner
     * \param observer told of computations (stream 0), tensor and expert collectives (1) and weight
     * gradient collectives (2); or null
     * \throws RdmaInputError if the topology does not fit the workload
     */
    WorkloadSimAiRunner(const WorkloadSimAiFile& file,
                        const WorkloadSimAiOptions& options,
                        WorkloadTransport& transport,
                        WorkloadObserver* observer = nullptr);
    ~WorkloadSimAiRunner() override;

    WorkloadSimAiRunner(const WorkloadSimAiRunner&) = delete;
    WorkloadSimAiRunner& operator=(const WorkloadSimAiRunner&) = delete;

    /** \param listener told of every collective; null for none */
    void SetListener(WorkloadSimAiListener* listener);

    /** Runs to the end; call it once. \return whether every rank has finished */
    bool Run();

    /** \return steps that ranks have done, and of all: for progress */
    uint64_t GetCompleted() const;
    uint64_t GetTotal() const;

    /** \return flows started so far */
    uint64_t GetFlowCount() const;

    /** \return what of the options has no effect here, for people */
    const std::vector<std::string>& GetWarnings() const;

    /** \return totals of rank 0, a layer each */
    const std::vector<WorkloadSimAiLayerTotals>& GetLayers() const;

    /** \return totals of all ranks */
    const std::vector<WorkloadSimAiRankTotals>& GetRanks() const;

    /** \return the groups used */
    const WorkloadSimAiGroups& GetGroups() const;

    /** \return computing time of a rank, ns */
    uint64_t GetComputeNs() const;

    /** \return who has not finished and why, at most \p most lines */
    std::vector<std::string> ExplainStall(size_t most) const;

    /** \return names of the categories of spans and of labels of transfers */
    static std::vector<std::string> GetCategories();

  private:
    struct Rank;
    struct Running;

    void Delivered(uint64_t id) override;
    void Acknowledged(uint64_t id) override;
    void Due(uint64_t timer) override;
    void Failed(uint64_t id, const std::string& reason) override;

    void CheckOptions() const;
    void CheckSizes() const;
    void WarnOfNvls();

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

    /** \return slot of the operation's collective in the group, made if there is none */
    uint32_t Join(uint32_t operation, uint32_t group);
    const WorkloadSimAiFlowSet& FlowsFor(const WorkloadSimAiOperation& operation,
                                         const WorkloadSimAiShape& shape,
                                         const WorkloadSimAiChoice& choice);
    WorkloadSimAiShape ShapeOf(const std::vector<uint32_t>& ranks) const;

    /** Sets the timers of flows that are ready. */
    void Launch(uint32_t slot);
    int64_t LatencyPs(const Running& running, uint32_t flow) const;
    void MemberDone(uint32_t slot, uint32_t end);

    /** The collective and its process time are over for the rank. */
    void Finished(uint32_t rank, uint32_t operation);
    void Span(uint32_t rank, uint32_t category, uint8_t cpu, int64_t beginPs, uint64_t size);
    std::string ExplainRank(uint32_t rank) const;
    std::string ExplainFlow(uint32_t rank, uint32_t operation) const;

    const WorkloadSimAiFile& m_file;
    WorkloadSimAiOptions m_options;
    WorkloadTransport& m_transport;
    WorkloadObserver* m_observer;
    WorkloadSimAiListener* m_listener{nullptr};
    WorkloadSimAiGroups m_groups;
    uint32_t m_gpusPerServer;
    uint32_t m_switchesPerServer;
    WorkloadSimAiProgram m_program;
    std::vector<Rank> m_ranks;
    std::vector<WorkloadSimAiOrder> m_orders;        //!< one per set of ranks that must agree
    std::vector<std::unique_ptr<Running>> m_running; //!< by slot
    std::vector<uint32_t> m_freeSlots;
    std::unordered_map<uint64_t, uint32_t> m_slots; //!< by operation and group; never iterated
    std::map<std::vector<uint64_t>, std::unique_ptr<WorkloadSimAiFlowSet>> m_sets; //!< by shape
    std::vector<uint32_t> m_ready; //!< flows to be launched
    std::vector<WorkloadSimAiLayerTotals> m_layers;
    std::vector<WorkloadSimAiRankTotals> m_totals;
    std::vector<std::string> m_warnings;
    std::string m_failure;
    uint64_t m_completed{0};
    uint64_t m_flows{0};
    uint64_t m_flowNumbers{0};
    uint32_t m_unfinished{0}; //!< ranks
};

} // namespace ns3

#endif // WORKLOAD_SIMAI_RUNNER_H
