/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-loggops-literal.h"

#include "ns3/rdma-input-error.h"

#include <algorithm>

namespace ns3
{

void
WorkloadLogGopsLiteral::DoBegin()
{
    for (const WorkloadJob& job : m_jobs->GetJobs())
    {
        m_cpus = std::max<uint32_t>(m_cpus, job.schedule.HighestCpu() + 1U);
    }
    m_nics = m_jobs->GetNicCount();
    m_cpuFree.assign(size_t{m_jobs->GetProcessCount()} * m_cpus, 0);
    m_sendFree.assign(size_t{m_jobs->GetNodeCount()} * m_nics, 0);
    m_recvFree.assign(m_sendFree.size(), 0);
    m_epochs.assign(m_jobs->GetProcessCount(), 0);
}

void
WorkloadLogGopsLiteral::HandOver(WorkloadStep step, int64_t ns)
{
    if (m_running)
    {
        // Whose last missing dependency is a start forgets the times of all others.
        m_released.push_back({step, m_starting ? 0 : ns});
    }
    else if (ns == 0 && m_now == 0)
    {
        // Before all others that can still come: nothing is earlier, and this is the order of time 0.
        RunOne({step.process, step.operation}, 0);
    }
    else
    {
        m_queue.Push(Checked(ns), {step.process, step.operation});
    }
}

int64_t
WorkloadLogGopsLiteral::GetFinish(uint32_t process) const
{
    const auto first = m_cpuFree.begin() + static_cast<ptrdiff_t>(size_t{process} * m_cpus);
    return *std::max_element(first, first + m_cpus);
}

bool
WorkloadLogGopsLiteral::RunFirst()
{
    if (m_queue.Empty())
    {
        return false;
    }
    m_now = m_queue.FirstTime();
    const Event event = m_queue.Pop();
    if (const Event* next = m_queue.Peek(); next && next->process != CROWD)
    {
        __builtin_prefetch(&Operation({next->process, next->operation & ~MESSAGE}));
    }
    if (event.process == CROWD)
    {
        RunCrowd(event.operation, m_now);
    }
    else
    {
        RunOne(event, m_now);
    }
    return true;
}

void
WorkloadLogGopsLiteral::RunOne(const Event& event, int64_t now)
{
    Need need{};
    if (const int64_t again = Try(event, now, need, false))
    {
        PutBack(event, again, need);
    }
}

void
WorkloadLogGopsLiteral::RunCrowd(uint32_t number, int64_t now)
{
    Crowd& crowd = m_crowds[number];
    while (crowd.first != WORKLOAD_POOL_NONE)
    {
        if (!m_queue.Empty() && m_queue.FirstTime() < now)
        {
            m_queue.PushFront(now, {CROWD, number}); // a member has led to something earlier
            return;
        }
        const Event event = m_members[crowd.first].event;
        const bool current = crowd.epoch == Epoch(crowd.need);
        Need need{};
        const int64_t again = Try(event, now, need, current);
        if (again != 0 && current)
        {
            PutBackCrowd(number, again);
            return;
        }
        DropFirst(crowd);
        if (again != 0)
        {
            PutBack(event, again, need);
        }
    }
    m_crowds.Free(number);
}

int64_t
WorkloadLogGopsLiteral::Try(const Event& event, int64_t now, Need& need, bool ofCrowd)
{
    m_running = true;
    const WorkloadStep step{event.process, event.operation & ~MESSAGE};
    int64_t again = 0;
    if (event.operation & MESSAGE)
    {
        again = TryArrival(step, now, need, ofCrowd);
    }
    else
    {
        switch (Operation(step).kind)
        {
        case WorkloadKind::CALC:
            again = TryCompute(step, now, need);
            break;
        case WorkloadKind::SEND:
            again = TrySend(step, now, need);
            break;
        case WorkloadKind::RECV:
            Receive(step, now);
            break;
        }
    }
    m_running = false;
    if (again == 0)
    {
        PutReleased();
    }
    return again;
}

int64_t
WorkloadLogGopsLiteral::TryCompute(WorkloadStep step, int64_t now, Need& need)
{
    const WorkloadOperation& operation = Operation(step);
    int64_t& cpuFree = CpuFree(step.process, operation.cpu);
    if (cpuFree > now)
    {
        need = {step.process, operation.cpu, 0, 'c'};
        return cpuFree;
    }
    cpuFree = Checked(now + Duration(operation));
    Start(step, now);
    Complete(step, cpuFree);
    return 0;
}

int64_t
WorkloadLogGopsLiteral::TrySend(WorkloadStep step, int64_t now, Need& need)
{
    const WorkloadOperation& operation = Operation(step);
    int64_t& cpuFree = CpuFree(step.process, operation.cpu);
    int64_t& sendFree = SendFree(step.process, operation.nic);
    if (const int64_t free = std::max(cpuFree, sendFree); free > now)
    {
        need = {step.process, operation.cpu, operation.nic, 's'};
        return free;
    }
    const int64_t bytes = BytesTime(operation);
    Start(step, now);
    cpuFree = Checked(now + Overhead(operation));
    sendFree = Checked(now + static_cast<int64_t>(m_parameters.g) + bytes);
    m_queue.Push(Checked(cpuFree + static_cast<int64_t>(m_parameters.L) + bytes),
                 {step.process, step.operation | MESSAGE});
    if (IsEager(operation))
    {
        Complete(step, cpuFree);
    }
    return 0;
}

void
WorkloadLogGopsLiteral::Receive(WorkloadStep step, int64_t now)
{
    const WorkloadOperation& operation = Operation(step);
    Start(step, now);
    WorkloadMatchTable::List& list =
        m_waiting[step.process].FindOrAdd(GetPeer(step.process, operation), operation.tag);
    if (!list.IsEmpty() && list.HoldsMessages())
    {
        TakeUnexpected(step, now, list);
        return;
    }
    if (!list.IsEmpty() && m_posted[list.Last()].operation & EXPECTED)
    {
        ++m_epochs[step.process];
    }
    WorkloadMatchTable::Append(list, m_posted, {step.operation, 0});
}

void
WorkloadLogGopsLiteral::TakeUnexpected(WorkloadStep step,
                                       int64_t now,
                                       WorkloadMatchTable::List& list)
{
    const WorkloadOperation& operation = Operation(step);
    const uint32_t sender = list.source;
    const WorkloadUnexpected message =
        m_waiting[step.process].TakeFirst(list, m_unexpected);
    if (message.time > now)
    {
        throw RdmaInputError(
            m_jobs->GetProcessName(step.process) + ": operation " + std::to_string(step.operation) +
            " receives at " + std::to_string(now) + " ns a message that comes at " +
            std::to_string(message.time) +
            " ns, where LogGOPSim aborts (an irequires loses the time): leave out literal mode");
    }
    const int64_t taken = std::max(SendFree(step.process, operation.nic), now) +
                          static_cast<int64_t>(m_parameters.g);
    const int64_t end = Checked(taken + Overhead(operation));
    CpuFree(step.process, operation.cpu) = end;
    RecvFree(step.process, operation.nic) = taken;
    if (!IsEager(operation))
    {
        Complete({sender, message.operation}, end);
        int64_t& cpuFree = CpuFree(sender, operation.cpu);
        int64_t& sendFree = SendFree(sender, operation.nic);
        cpuFree = std::max(cpuFree, end);
        sendFree = std::max(sendFree, taken);
    }
    Complete(step, end);
}

int64_t
WorkloadLogGopsLiteral::TryArrival(WorkloadStep send, int64_t now, Need& need, bool ofCrowd)
{
    const WorkloadOperation& operation = Operation(send);
    const uint32_t process = GetPeer(send.process, operation);
    WorkloadMatchTable& table = m_waiting[process];
    WorkloadMatchTable::List& list = table.FindOrAdd(send.process, operation.tag);
    if (list.IsEmpty() || list.HoldsMessages())
    {
        WorkloadMatchTable::Append(list, m_unexpected, {now, send.operation, 0});
        return 0;
    }
    const uint32_t first = m_posted[list.Last()].next;
    const WorkloadStep recv{process, m_posted[first].operation & ~EXPECTED};
    const bool expected = m_posted[first].operation & EXPECTED;
    const uint8_t cpu = Operation(recv).cpu;
    int64_t& cpuFree = CpuFree(process, cpu);
    int64_t& recvFree = RecvFree(process, operation.nic);
    if (const int64_t free = std::max(cpuFree, recvFree); free > now)
    {
        // Only a receive that is alone in its list stays the one that the message will get.
        const bool alone = first == list.Last() && (ofCrowd || !expected);
        need = {process, cpu, operation.nic, alone ? 'm' : ' '};
        m_posted[first].operation |= alone ? EXPECTED : 0;
        list.last = first; // to the back
        return free;
    }
    if (expected && !ofCrowd)
    {
        ++m_epochs[process];
    }
    table.TakeFirst(list, m_posted);
    const int64_t taken = now + static_cast<int64_t>(m_parameters.g);
    const int64_t end = Checked(taken + Overhead(operation));
    cpuFree = end;
    recvFree = taken;
    if (!IsEager(operation))
    {
        Complete(send, end);
        int64_t& senderCpu = CpuFree(send.process, operation.cpu);
        int64_t& sendFree = SendFree(send.process, operation.nic);
        senderCpu = std::max(senderCpu, end);
        sendFree = std::max(sendFree, taken);
    }
    Complete(recv, end);
    return 0;
}

WorkloadLogGopsLiteral::Crowd*
WorkloadLogGopsLiteral::LastCrowd(int64_t time, const Need& need)
{
    const Event* last = m_queue.Last(time);
    if (!last || last->process != CROWD)
    {
        return nullptr;
    }
    Crowd& crowd = m_crowds[last->operation];
    return crowd.need == need && crowd.epoch == Epoch(need) ? &crowd : nullptr;
}

void
WorkloadLogGopsLiteral::PutBack(const Event& event, int64_t time, const Need& need)
{
    if (need.kind == ' ')
    {
        m_queue.Push(time, event);
        return;
    }
    const uint32_t member = m_members.Add({event, WORKLOAD_POOL_NONE});
    if (Crowd* crowd = LastCrowd(time, need))
    {
        m_members[crowd->last].next = member;
        crowd->last = member;
        return;
    }
    m_queue.Push(time,
                 {CROWD,
                  m_crowds.Add(
                      {need, Epoch(need), member, member, WORKLOAD_POOL_NONE})});
}

void
WorkloadLogGopsLiteral::PutBackCrowd(uint32_t number, int64_t time)
{
    const Crowd& crowd = m_crowds[number];
    Crowd* last = crowd.epoch == Epoch(crowd.need) ? LastCrowd(time, crowd.need) : nullptr;
    if (!last)
    {
        m_queue.Push(time, {CROWD, number});
        return;
    }
    m_members[last->last].next = crowd.first;
    last->last = crowd.last;
    m_crowds.Free(number);
}

void
WorkloadLogGopsLiteral::DropFirst(Crowd& crowd)
{
    const uint32_t first = crowd.first;
    crowd.first = m_members[first].next;
    m_members.Free(first);
}

void
WorkloadLogGopsLiteral::Touch(uint32_t process)
{
    if (m_touchedCount == 0 || (m_touchedCount == 1 && m_touched[0] != process))
    {
        m_touched[m_touchedCount++] = process;
    }
}

void
WorkloadLogGopsLiteral::Start(WorkloadStep step, int64_t ns)
{
    Touch(step.process);
    m_starting = true;
    TellStarted(step, ns);
    m_starting = false;
}

void
WorkloadLogGopsLiteral::Complete(WorkloadStep step, int64_t ns)
{
    Touch(step.process);
    TellCompleted(step, ns);
}

void
WorkloadLogGopsLiteral::PutReleased()
{
    while (m_touchedCount > 0)
    {
        const uint32_t process = m_touched[--m_touchedCount];
        for (const Released& released : m_released)
        {
            if (released.step.process != process)
            {
                continue;
            }
            const WorkloadOperation& operation = Operation(released.step);
            int64_t time = released.ns;
            if (operation.kind == WorkloadKind::CALC)
            {
                time = std::max(time, CpuFree(process, operation.cpu));
            }
            else if (operation.kind == WorkloadKind::SEND)
            {
                time = std::max(time, SendFree(process, operation.nic));
            }
            m_queue.Push(Checked(time), {process, released.step.operation});
        }
    }
    m_released.clear();
}

} // namespace ns3
