/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_MPI_RANK_H
#define WORKLOAD_MPI_RANK_H

#include "workload-mpi-communicators.h"
#include "workload-mpi-goal.h"
#include "workload-mpi-operations.h"
#include "workload-mpi-reader.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

/** \ingroup workload What to say of traces that cannot be right. */
constexpr const char* WORKLOAD_MPI_DAMAGED = ": the file is damaged; trace the program again";

/** \ingroup workload \return what MPI calls a function */
inline std::string
WorkloadMpiFunction(WorkloadMpiCall call)
{
    return std::string("MPI_") + WorkloadMpiCallName(call);
}

/**
 * \ingroup workload
 * \brief Makes the graph of operations of one rank from its trace, and writes it.
 *
 * Time outside MPI becomes computations, one after the other with the calls. A call that blocks
 * must be over before the next one; one that does not must have started, and its request is waited
 * for where the program did so. A send that does not need its receive to be over (IsLocal) is never
 * waited for.
 */
class WorkloadMpiRank
{
  public:
    /**
     * \param reader of the trace, at its first record
     * \param communicators of the program
     * \param options what to make of it
     * \param done counts, and warnings, are added to it
     * \param writer gets the graph, as the trace is read: only what may still change is in memory
     */
    WorkloadMpiRank(WorkloadMpiReader& reader,
                    WorkloadMpiCommunicators& communicators,
                    const WorkloadMpiOptions& options,
                    WorkloadMpiConversion& done,
                    WorkloadGoalWriter& writer);

    /**
     * Makes the whole graph.
     * \param delayNs before the first call
     * \throws InputError for what is wrong in the trace
     */
    void Make(uint64_t delayNs);

  private:
    class Part;

    using Before = WorkloadMpiOperations::Before;
    using Befores = WorkloadMpiOperations::Befores;

    /** A communicator as this rank knows it. */
    struct Known
    {
        const WorkloadMpiGroup* group;
        uint32_t rank;           //!< of this rank
        bool inter;              //!< of two groups
        uint32_t collectives{0}; //!< so far
    };

    /** A request that is not over. */
    struct Pending
    {
        uint32_t operation; //!< NONE if it stands for no message
        bool changes;       //!< a message, which its end may change
        uint32_t comm;
        uint8_t open; //!< what a receive left open
        WorkloadMpiCall call;
        bool local; //!< waits for nobody
    };

    void Add(const WorkloadMpiRecord& record);
    void AddCommunicator(const WorkloadMpiRecord& record);
    void AddMessage(const WorkloadMpiRecord& record);
    void AddCompletions(const WorkloadMpiRecord& record);
    void Complete(const WorkloadMpiCompletion& completion);
    void Change(const Pending& pending, const WorkloadMpiCompletion& completion);
    void AddCollective(const WorkloadMpiRecord& record);
    void AddSteps(const WorkloadMpiRecord& record, Part& part);
    void Compute(uint64_t ns);
    void EndRequests();

    Known& Find(const WorkloadMpiRecord& record);
    uint32_t MemberOf(const Known& known, uint32_t peer) const;
    uint32_t Append(const WorkloadOperation& operation,
                    const Befores& befores,
                    bool changes = false);
    /** Puts one operation in place of several to wait for. */
    void Join(Befores& befores);
    void Count(WorkloadMpiCall call, uint64_t bytes);
    bool IsLocal(WorkloadMpiCall call, uint64_t bytes) const;

    static constexpr uint32_t NONE = UINT32_MAX;

    WorkloadMpiReader& m_reader;
    WorkloadMpiCommunicators& m_communicators;
    const WorkloadMpiOptions& m_options;
    WorkloadMpiConversion& m_done;
    WorkloadMpiOperations m_operations;
    Befores m_before; //!< what the next call waits for
    std::unordered_map<uint32_t, Known> m_known;
    std::unordered_map<const WorkloadMpiGroup*, uint32_t> m_again; //!< how often one was made
    WorkloadMpiGroup m_self;
    std::unordered_map<uint32_t, Pending> m_pending; //!< by request
};

} // namespace ns3

#endif // WORKLOAD_MPI_RANK_H
