/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-mpi-rank.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

/** \return what to say of what a trace cannot hold */
std::string
UnsupportedText(WorkloadMpiCall call)
{
    if (call == WorkloadMpiCall::Init_thread)
    {
        return "several threads called MPI, and traces are of one: run the program with one "
               "thread, or with MPI_THREAD_FUNNELED, and trace it again";
    }
    return "the program called " + WorkloadMpiFunction(call) +
           ", and traces hold neither one-sided communication nor further programs: trace a part "
           "of the program, or a mode of it, without them";
}

} // namespace

WorkloadMpiRank::WorkloadMpiRank(WorkloadMpiReader& reader,
                                 WorkloadMpiCommunicators& communicators,
                                 const WorkloadMpiOptions& options,
                                 WorkloadMpiConversion& done,
                                 WorkloadGoalWriter& writer)
    : m_reader(reader),
      m_communicators(communicators),
      m_options(options),
      m_done(done),
      m_operations(writer)
{
    const uint32_t rank = reader.GetHead().rank;
    m_self.number = UINT32_MAX; // apart from those of several ranks
    m_self.members = {rank};
    m_known[WORKLOAD_MPI_WORLD] = {&communicators.World(), rank, false};
    m_known[WORKLOAD_MPI_SELF] = {&m_self, 0, false};
}

void
WorkloadMpiRank::Make(uint64_t delayNs)
{
    if (delayNs > 0)
    {
        m_before = {{Append({delayNs, 0, 0, 0, WorkloadKind::CALC, 0, 0, 0}, {}), false}};
    }
    WorkloadMpiRecord record;
    while (m_reader.Next(record))
    {
        Compute(record.computed);
        Add(record);
    }
    Compute(record.computed); // before MPI_Finalize
    EndRequests();
    m_operations.End();
    m_done.operations += m_operations.GetCount();
    m_done.dependencies += m_operations.GetDependencies();
}

void
WorkloadMpiRank::Add(const WorkloadMpiRecord& record)
{
    const WorkloadMpiCall call = record.call;
    // these write several records, of which one is their own
    const bool part =
        (call == WorkloadMpiCall::Sendrecv || call == WorkloadMpiCall::Sendrecv_replace ||
         (call >= WorkloadMpiCall::Wait && call <= WorkloadMpiCall::Testsome)) &&
        record.kind != WorkloadMpiKind::COMPLETE;
    m_done.calls[call].calls += part ? 0 : 1;
    switch (record.kind)
    {
    case WorkloadMpiKind::COMMUNICATOR:
        AddCommunicator(record);
        break;
    case WorkloadMpiKind::SEND:
    case WorkloadMpiKind::RECV:
        AddMessage(record);
        break;
    case WorkloadMpiKind::COMPLETE:
        AddCompletions(record);
        break;
    case WorkloadMpiKind::COLLECTIVE:
    case WorkloadMpiKind::NEIGHBORS:
        AddCollective(record);
        break;
    case WorkloadMpiKind::UNSUPPORTED:
        m_reader.Fail(UnsupportedText(call));
    case WorkloadMpiKind::END:
        break;
    }
}

void
WorkloadMpiRank::Compute(uint64_t ns)
{
    const double scaled = std::round(static_cast<double>(ns) * m_options.scale);
    const auto time = static_cast<uint64_t>(scaled);
    if (time > 0)
    {
        const uint32_t operation = Append({time, 0, 0, 0, WorkloadKind::CALC, 0, 0, 0}, m_before);
        m_before = {{operation, false}};
    }
}

uint32_t
WorkloadMpiRank::Append(const WorkloadOperation& operation, const Befores& befores, bool changes)
{
    if (m_operations.GetCount() >= WorkloadWaiter::MAX_OPERATIONS)
    {
        m_reader.Fail("makes more operations than a rank of GOAL may have: trace a shorter run");
    }
    return m_operations.Append(operation, befores, changes);
}

void
WorkloadMpiRank::Join(Befores& befores)
{
    constexpr size_t FEW = 2; // what follows may be two messages: four dependencies, as with one
    if (befores.size() > FEW)
    {
        const uint32_t operation = Append({0, 0, 0, 0, WorkloadKind::CALC, 0, 0, 0}, befores);
        befores = {{operation, false}};
    }
}

void
WorkloadMpiRank::Count(WorkloadMpiCall call, uint64_t bytes)
{
    WorkloadMpiCount& count = m_done.calls[call];
    ++count.messages;
    count.bytes += bytes;
}

/** \return whether a send is over without its receive (MPI 3.1, 3.4) */
bool
WorkloadMpiRank::IsLocal(WorkloadMpiCall call, uint64_t bytes) const
{
    switch (call)
    {
    case WorkloadMpiCall::Bsend:
    case WorkloadMpiCall::Ibsend:
    case WorkloadMpiCall::Bsend_init:
        return true;
    case WorkloadMpiCall::Ssend:
    case WorkloadMpiCall::Issend:
    case WorkloadMpiCall::Ssend_init:
        return false;
    default:
        return bytes <= m_options.eagerBytes;
    }
}

WorkloadMpiRank::Known&
WorkloadMpiRank::Find(const WorkloadMpiRecord& record)
{
    const auto found = m_known.find(record.comm);
    if (found == m_known.end())
    {
        m_reader.Fail(WorkloadMpiFunction(record.call) + " on communicator " +
                      std::to_string(record.comm) +
                      ", which no function that is traced made; trace the program again without "
                      "MPI_Comm_spawn and MPI_Comm_accept");
    }
    if (found->second.inter)
    {
        m_reader.Fail(WorkloadMpiFunction(record.call) +
                      " on a communicator of two groups (MPI_Intercomm_create), which schedules "
                      "are not made of: merge it first (MPI_Intercomm_merge)");
    }
    return found->second;
}

uint32_t
WorkloadMpiRank::MemberOf(const Known& known, uint32_t peer) const
{
    if (peer >= known.group->members.size())
    {
        m_reader.Fail("rank " + std::to_string(peer) + " of a communicator of " +
                      std::to_string(known.group->members.size()) + WORKLOAD_MPI_DAMAGED);
    }
    return known.group->members[peer];
}

void
WorkloadMpiRank::AddCommunicator(const WorkloadMpiRecord& record)
{
    const uint32_t own = m_reader.GetHead().rank;
    const auto place = std::find(record.members.begin(), record.members.end(), own);
    std::vector<uint32_t> sorted = record.members;
    std::sort(sorted.begin(), sorted.end());
    if (place == record.members.end() || sorted.back() >= m_reader.GetHead().ranks ||
        std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end() ||
        m_known.count(record.comm))
    {
        m_reader.Fail("communicator " + std::to_string(record.comm) + " of " +
                      std::to_string(record.members.size()) +
                      " members is made twice, or without this rank, or has a member twice or "
                      "from another program; trace a program that starts no other ones");
    }
    const auto parent = m_known.find(record.parent);
    const uint32_t from = parent == m_known.end() ? UINT32_MAX : parent->second.group->number;
    const WorkloadMpiGroup& first = m_communicators.Find(from, record.members, 0);
    const uint32_t before = m_again[&first]++;
    const WorkloadMpiGroup& group =
        before == 0 ? first : m_communicators.Find(from, record.members, before);
    m_known[record.comm] = {&group,
                            static_cast<uint32_t>(place - record.members.begin()),
                            record.inter};
}

void
WorkloadMpiRank::AddMessage(const WorkloadMpiRecord& record)
{
    const Known& known = Find(record);
    const bool send = record.kind == WorkloadMpiKind::SEND;
    const bool local = send && IsLocal(record.call, record.bytes);
    if (send)
    {
        Count(record.call, record.bytes);
        if (!local && record.bytes <= m_options.eagerBytes)
        {
            const uint64_t least = m_done.synchronous++ ? m_done.leastSynchronous : UINT64_MAX;
            m_done.leastSynchronous = std::min(least, record.bytes);
        }
    }
    Join(m_before);
    const uint32_t operation = Append({record.bytes,
                                       MemberOf(known, record.peer),
                                       m_communicators.TagOf(*known.group, record.tag),
                                       0,
                                       send ? WorkloadKind::SEND : WorkloadKind::RECV,
                                       0,
                                       0,
                                       0},
                                      m_before,
                                      record.request != 0);
    m_before = {{operation, local || record.request != 0}};
    if (record.request != 0)
    {
        m_pending[record.request] = {operation, true, record.comm, record.open, record.call, local};
    }
}

void
WorkloadMpiRank::AddCompletions(const WorkloadMpiRecord& record)
{
    for (const WorkloadMpiCompletion& completion : record.completed)
    {
        Complete(completion);
    }
    // what is over has also started
    const auto isOver = [this](const Before& before) {
        return before.start && std::any_of(m_before.begin(), m_before.end(), [&](const Before& b) {
                   return !b.start && b.operation == before.operation;
               });
    };
    const auto start = std::find_if(m_before.begin(), m_before.end(), isOver);
    if (start != m_before.end())
    {
        m_before.erase(start);
    }
    Join(m_before);
}

void
WorkloadMpiRank::Complete(const WorkloadMpiCompletion& completion)
{
    const auto found = m_pending.find(completion.request);
    if (found == m_pending.end())
    {
        m_reader.Fail("request " + std::to_string(completion.request) +
                      " is over, but has not begun" + WORKLOAD_MPI_DAMAGED);
    }
    const Pending pending = found->second;
    if (completion.end == WorkloadMpiEnd::FREED)
    {
        if (pending.open != 0 || pending.operation == NONE)
        {
            return; // an open one is never known then: see EndRequests
        }
        if (pending.changes)
        {
            m_operations.Settle(pending.operation);
        }
        found->second.operation = NONE;
        return;
    }
    m_pending.erase(found);
    if (pending.operation == NONE)
    {
        return;
    }
    if (pending.changes)
    {
        Change(pending, completion);
        m_operations.Settle(pending.operation);
    }
    if (!pending.local) // else what follows waits for its start as it is
    {
        m_before.push_back({pending.operation, false});
    }
}

/** Changes a message to what it was in the end. */
void
WorkloadMpiRank::Change(const Pending& pending, const WorkloadMpiCompletion& completion)
{
    WorkloadOperation& operation = m_operations.Get(pending.operation);
    if (completion.end == WorkloadMpiEnd::RECEIVED && operation.kind == WorkloadKind::RECV)
    {
        const Known& known = m_known.at(pending.comm);
        operation.peer = MemberOf(known, completion.source);
        operation.tag = m_communicators.TagOf(*known.group, completion.tag);
        operation.size = completion.bytes;
    }
    else if (completion.end == WorkloadMpiEnd::CANCELLED)
    {
        if (operation.kind == WorkloadKind::SEND)
        {
            WorkloadMpiCount& count = m_done.calls[pending.call];
            --count.messages;
            count.bytes -= operation.size;
        }
        operation = {};
    }
}

void
WorkloadMpiRank::EndRequests()
{
    uint64_t open = 0;
    for (const auto& [request, pending] : m_pending)
    {
        if (pending.operation != NONE && pending.open != 0)
        {
            m_operations.Get(pending.operation) = {};
            ++open;
        }
    }
    if (open > 0)
    {
        m_done.warnings.push_back(
            "rank " + std::to_string(m_reader.GetHead().rank) + ": " + std::to_string(open) +
            " receives from any source or of any tag were never waited for, so that what they got "
            "is not known: they are left out; goal validate says whether messages miss them");
    }
}

} // namespace ns3
