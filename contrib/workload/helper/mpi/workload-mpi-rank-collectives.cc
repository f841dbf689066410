/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Collectives in the graph of operations of a rank.
 */

#include "workload-mpi-rank.h"

#include "ns3/workload-mpi-collective.h"

#include <utility>

namespace ns3
{

/** Adds the steps of a collective to the rank's graph. */
class WorkloadMpiRank::Part : public WorkloadMpiPart
{
  public:
    Part(WorkloadMpiRank& rank,
         const Known& known,
         uint32_t tag,
         WorkloadMpiCall call,
         Befores befores)
        : WorkloadMpiPart(static_cast<uint32_t>(known.group->members.size()), known.rank),
          m_rank(rank),
          m_members(known.group->members),
          m_tag(tag),
          m_call(call),
          m_before(std::move(befores))
    {
    }

    void Send(uint32_t to, uint64_t bytes) override
    {
        m_rank.Count(m_call, bytes);
        Message(WorkloadKind::SEND, to, bytes);
    }

    void Receive(uint32_t from, uint64_t bytes) override
    {
        Message(WorkloadKind::RECV, from, bytes);
    }

    void Next() override
    {
        if (!m_step.empty())
        {
            m_before.swap(m_step);
            m_step.clear();
            m_rank.Join(m_before);
            m_any = true;
        }
    }

    /** \return what is to be over at the end */
    Befores& End()
    {
        return m_before;
    }

    /** \return whether it has messages */
    bool Any() const
    {
        return m_any;
    }

  private:
    void Message(WorkloadKind kind, uint32_t peer, uint64_t bytes)
    {
        const uint32_t operation =
            m_rank.Append({bytes, m_members[peer], m_tag, 0, kind, 0, 0, 0}, m_before);
        m_step.push_back({operation, kind == WorkloadKind::SEND && m_rank.IsLocal(m_call, bytes)});
    }

    WorkloadMpiRank& m_rank;
    const std::vector<uint32_t>& m_members;
    const uint32_t m_tag;
    const WorkloadMpiCall m_call;
    Befores m_before; //!< of the step's messages
    Befores m_step;   //!< its messages
    bool m_any{false};
};

void
WorkloadMpiRank::AddCollective(const WorkloadMpiRecord& record)
{
    Known& known = Find(record);
    const uint32_t tag = known.group->firstTag + known.collectives++ % WORKLOAD_MPI_TAGS;
    Join(m_before);
    Part part(*this, known, tag, record.call, m_before);
    AddSteps(record, part);
    if (record.request == 0)
    {
        m_before = part.End();
        return;
    }
    Pending pending{NONE, false, record.comm, 0, record.call, false};
    if (part.Any())
    {
        pending.operation = part.End().size() == 1 && !part.End().front().start
                                ? part.End().front().operation
                                : Append({0, 0, 0, 0, WorkloadKind::CALC, 0, 0, 0}, part.End());
    }
    m_pending[record.request] = pending;
}

void
WorkloadMpiRank::AddSteps(const WorkloadMpiRecord& record, Part& part)
{
    if (record.kind == WorkloadMpiKind::COLLECTIVE)
    {
        const std::string fault =
            WorkloadMpiCollectiveFault(record, part.GetSize(), part.GetRank());
        if (!fault.empty())
        {
            m_reader.Fail(WorkloadMpiFunction(record.call) + ": " + fault + WORKLOAD_MPI_DAMAGED);
        }
        AddWorkloadMpiCollective(part, record, m_options.library);
        return;
    }
    const Known& known = m_known.at(record.comm);
    for (const auto& [rank, bytes] : record.from)
    {
        MemberOf(known, rank);
        part.Receive(rank, bytes);
    }
    for (const auto& [rank, bytes] : record.to)
    {
        MemberOf(known, rank);
        part.Send(rank, bytes);
    }
    part.Next();
}

} // namespace ns3
