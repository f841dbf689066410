/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_SIMAI_COLLECTIVES_H
#define WORKLOAD_SIMAI_COLLECTIVES_H

#include "workload-simai-flows.h"
#include "workload-simai-groups.h"
#include "workload-simai-instance.h"
#include "workload-simai-program.h"
#include "workload-simai.h"

#include "ns3/workload-transport.h"

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

/** \ingroup workload A collective of one group that goes on. */
struct WorkloadSimAiRunning
{
    WorkloadSimAiRunning(const WorkloadSimAiFlowSet& set, const WorkloadSimAiReductions& reductions)
        : instance(set, reductions)
    {
    }

    WorkloadSimAiInstance instance;
    uint32_t operation{0};
    uint32_t group{0};
    WorkloadSimAiChoice choice;
    std::vector<uint32_t> ends; ///< end points of members, then of NVSwitches
    uint64_t flowBytes{0};
};

/** \ingroup workload How a collective of one group will go. */
struct WorkloadSimAiPlan
{
    WorkloadSimAiChoice choice;
    const WorkloadSimAiFlowSet& set;
    std::vector<uint32_t> ends; ///< end points of members, then of NVSwitches
};

/**
 * \ingroup workload
 * \brief The collectives that go on in a run, each in a slot of its own, and their flows as
 * transfers.
 *
 * A slot is used again when its collective is over. Groups of one shape share a set of flows.
 */
class WorkloadSimAiCollectives
{
  public:
    static constexpr uint32_t NONE = UINT32_MAX;

    /** All must outlive this; operations may be filled in later, up to the first Join(). */
    WorkloadSimAiCollectives(const WorkloadSimAiFile& file,
                             const WorkloadSimAiOptions& options,
                             const WorkloadSimAiGroups& groups,
                             const WorkloadSimAiServers& servers,
                             const WorkloadSimAiProgram& program);

    /** \param listener told of every collective; null for none */
    void SetListener(WorkloadSimAiListener* listener);

    /** \return slot of the operation's collective in the group, made if there is none */
    uint32_t Join(uint32_t operation, uint32_t group);

    /** \return slot of the operation's collective in the group, or NONE */
    uint32_t Find(uint32_t operation, uint32_t group) const;

    WorkloadSimAiRunning& Get(uint32_t slot)
    {
        return *m_running[slot];
    }

    const WorkloadSimAiRunning& Get(uint32_t slot) const
    {
        return *m_running[slot];
    }

    /** The collective is over, and its slot free. */
    void Remove(uint32_t slot);

    /** \return how the operation's collective in the group goes */
    WorkloadSimAiPlan PlanOf(uint32_t operation, uint32_t group);

    /** \return a flow as a transfer */
    WorkloadTransfer TransferOf(uint32_t slot, uint32_t flow) const;

    /** \return time from a flow's start to its first packet, ps */
    int64_t SendLatencyPs(uint32_t slot, uint32_t flow) const;

  private:
    const WorkloadSimAiFlowSet& FlowsFor(const WorkloadSimAiOperation& operation,
                                         const WorkloadSimAiShape& shape,
                                         const WorkloadSimAiChoice& choice);

    /** \return the collective, ready to begin; the listener has been told */
    std::unique_ptr<WorkloadSimAiRunning> Make(uint32_t operation, uint32_t group);

    const WorkloadSimAiFile& m_file;
    const WorkloadSimAiOptions& m_options;
    const WorkloadSimAiGroups& m_groups;
    const WorkloadSimAiServers& m_servers;
    const WorkloadSimAiProgram& m_program;
    WorkloadSimAiListener* m_listener{nullptr};
    std::vector<std::unique_ptr<WorkloadSimAiRunning>> m_running; //!< by slot
    std::vector<uint32_t> m_freeSlots;
    std::unordered_map<uint64_t, uint32_t> m_slots; //!< by operation and group; never iterated
    std::map<std::vector<uint64_t>, std::unique_ptr<WorkloadSimAiFlowSet>> m_sets; //!< by shape
    uint64_t m_flowNumbers{0};
};

} // namespace ns3

#endif // WORKLOAD_SIMAI_COLLECTIVES_H
