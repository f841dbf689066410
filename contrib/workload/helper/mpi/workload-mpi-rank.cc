/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-mpi-rank.h"

#include "workload-mpi-collective.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3
{

namespace
{

const char* const REMEDY_DAMAGED = ": the file is damaged; trace the program again";

/** \return what MPI calls a function */
std::string
NameOf(WorkloadMpiCall call)
{
    return std::string("MPI_") + WorkloadMpiCallName(call);
}

/** \return what to say of what a trace cannot hold */
std::string
UnsupportedText(WorkloadMpiCall call)
{
    if (call == WorkloadMpiCall::Init_thread)
    {
        return "several threads called MPI, and traces are of one: run the program with one "
               "thread, or with MPI_THREAD_FUNNELED, and trace it again";
    }
    return "the program called " + NameOf(call) +
           ", and traces hold neither one-sided communication nor further programs: trace a part "
           "of the program, or a mode of it, without them";
}

} // namespace

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
        m_step.push_back({operation, false});
    }

    WorkloadMpiRank& m_rank;
    const std::vector<uint32_t>& m_members;
    const uint32_t m_tag;
    const WorkloadMpiCall m_call;
    Befores m_before; //!< of the step's messages
    Befores m_step;   //!< its messages
    bool m_any{false};
};

WorkloadMpiRank::WorkloadMpiRank(WorkloadMpiReader& reader,
                                 WorkloadMpiCommunicators& communicators,
                                 const WorkloadMpiOptions& options,
                                 WorkloadMpiConversion& done)
    : m_reader(reader),
      m_communicators(communicators),
      m_options(options),
      m_done(done)
{
    const uint32_t rank = reader.GetHead().rank;
    m_self.number = UINT32_MAX; // apart from those of several ranks
    m_self.members = {rank};
    m_known[WORKLOAD_MPI_WORLD] = {&communicators.World(), rank, false};
    m_known[WORKLOAD_MPI_SELF] = {&m_self, 0, false};
}

WorkloadRank
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
    SetWorkloadDependencies(m_rank, m_dependencies);
    return std::move(m_rank);
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
WorkloadMpiRank::Append(const WorkloadOperation& operation, const Befores& befores)
{
    if (m_rank.operations.size() >= WorkloadWaiter::MAX_OPERATIONS)
    {
        m_reader.Fail("makes more operations than a rank of GOAL may have: trace a shorter run");
    }
    const auto number = static_cast<uint32_t>(m_rank.operations.size());
    m_rank.operations.push_back(operation);
    for (const Before& before : befores)
    {
        m_dependencies.push_back({before.operation, WorkloadWaiter(number, before.start)});
    }
    return number;
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

WorkloadMpiRank::Known&
WorkloadMpiRank::Find(const WorkloadMpiRecord& record)
{
    const auto found = m_known.find(record.comm);
    if (found == m_known.end())
    {
        m_reader.Fail(NameOf(record.call) + " on communicator " + std::to_string(record.comm) +
                      ", which no function that is traced made; trace the program again without "
                      "MPI_Comm_spawn and MPI_Comm_accept");
    }
    if (found->second.inter)
    {
        m_reader.Fail(NameOf(record.call) +
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
                      std::to_string(known.group->members.size()) + REMEDY_DAMAGED);
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
    if (send)
    {
        Count(record.call, record.bytes);
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
                                      m_before);
    m_before = {{operation, record.request != 0}};
    if (record.request != 0)
    {
        m_pending[record.request] = {operation, record.comm, record.open, record.call};
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
                      " is over, but has not begun" + REMEDY_DAMAGED);
    }
    const Pending pending = found->second;
    if (completion.end == WorkloadMpiEnd::FREED)
    {
        found->second.operation = pending.open ? pending.operation : NONE;
        return; // an open receive is never known then: see EndRequests
    }
    m_pending.erase(found);
    if (pending.operation == NONE)
    {
        return;
    }
    WorkloadOperation& operation = m_rank.operations[pending.operation];
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
    m_before.push_back({pending.operation, false});
}

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
    Pending pending{NONE, record.comm, 0, record.call};
    if (part.Any())
    {
        pending.operation = part.End().size() == 1
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
            m_reader.Fail(NameOf(record.call) + ": " + fault + REMEDY_DAMAGED);
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

void
WorkloadMpiRank::EndRequests()
{
    uint64_t open = 0;
    for (const auto& [request, pending] : m_pending)
    {
        if (pending.operation != NONE && pending.open != 0)
        {
            m_rank.operations[pending.operation] = {};
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
