/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-loggops-literal.h"

#include "ns3/input-error.h"

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
    m_crowdsOf.resize(m_jobs->GetProcessCount());
    std::vector<bool> used(m_jobs->GetNodeCount());
    m_shared.resize(m_jobs->GetNodeCount());
    for (uint32_t process = 0; process < m_jobs->GetProcessCount(); ++process)
    {
        const uint32_t node = m_jobs->GetNode(process);
        m_shared[node] = m_shared[node] || used[node];
        used[node] = true;
    }
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
        // At once: nothing that it leads to comes before the next of these.
        RunOne({step.process, step.operation, m_roots++}, 0);
    }
    else
    {
        Insert(ns, step.process, step.operation);
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
    if (m_new.Empty() && m_again.Empty())
    {
        return false;
    }
    const bool again =
        m_new.Empty() || (!m_again.Empty() && (m_again.First().time < m_new.FirstTime() ||
                                               (m_again.First().time == m_new.FirstTime() &&
                                                m_again.First().number < m_new.Peek()->number)));
    const int64_t now = again ? m_again.First().time : m_new.FirstTime();
    if (now != m_now)
    {
        for (const uint32_t crowd : m_failed)
        {
            if (now < m_now && m_crowds[crowd].members != WORKLOAD_POOL_NONE)
            {
                Explode(m_crowds[crowd].need.process); // some have not had their turn yet
            }
        }
        m_failed.clear();
        m_now = now;
    }
    if (again)
    {
        const Event event = m_again.First().value;
        m_again.Pop();
        event.process == CROWD ? RunCrowd(event.operation, event.number, now) : RunOne(event, now);
    }
    else
    {
        LookAhead();
        RunOne(m_new.Pop(), now);
    }
    return true;
}

void
WorkloadLogGopsLiteral::RunOne(const Event& event, int64_t now)
{
    Need need{};
    if (const int64_t again = Try(event, now, need))
    {
        PutBack(event, again, need);
    }
}

int64_t
WorkloadLogGopsLiteral::Try(const Event& event, int64_t now, Need& need)
{
    m_running = true;
    m_number = event.number;
    const WorkloadStep step{event.process, event.operation & ~MESSAGE};
    int64_t again = 0;
    if (event.operation & MESSAGE)
    {
        again = TryArrival(step, now, need);
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
        need = {step.process, operation.cpu, 0, Crowds(step.process) ? 'c' : ' '};
        return cpuFree;
    }
    cpuFree = Checked(now + Duration(operation), operation);
    Raised(step.process);
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
        need = {step.process, operation.cpu, operation.nic, Crowds(step.process) ? 's' : ' '};
        return free;
    }
    const int64_t bytes = BytesTime(operation);
    Start(step, now);
    cpuFree = Checked(now + Overhead(operation), operation);
    sendFree = Checked(now + static_cast<int64_t>(m_parameters.g) + bytes, operation);
    Raised(step.process);
    Insert(cpuFree + static_cast<int64_t>(m_parameters.L) + bytes,
           step.process,
           step.operation | MESSAGE);
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
        Explode(step.process);
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
    const WorkloadUnexpected message = m_waiting[step.process].TakeFirst(list, m_unexpected);
    if (message.time > now)
    {
        throw InputError(
            m_jobs->GetProcessName(step.process) + ": operation " + std::to_string(step.operation) +
            " receives at " + std::to_string(now) + " ns a message that comes at " +
            std::to_string(message.time) +
            " ns, where LogGOPSim aborts (an irequires loses the time): leave out literal mode");
    }
    const int64_t taken =
        std::max(SendFree(step.process, operation.nic), now) + static_cast<int64_t>(m_parameters.g);
    const int64_t end = Checked(taken + Overhead(operation), operation);
    int64_t& recvCpu = CpuFree(step.process, operation.cpu);
    int64_t& recvFree = RecvFree(step.process, operation.nic);
    if (end < recvCpu || taken < recvFree)
    {
        Explode(step.process);
    }
    recvCpu = end;
    recvFree = taken;
    Raised(step.process);
    if (!IsEager(operation))
    {
        Complete({sender, message.operation}, end);
        int64_t& cpuFree = CpuFree(sender, operation.cpu);
        int64_t& sendFree = SendFree(sender, operation.nic);
        cpuFree = std::max(cpuFree, end);
        sendFree = std::max(sendFree, taken);
        Raised(sender);
    }
    Complete(step, end);
}

int64_t
WorkloadLogGopsLiteral::TryArrival(WorkloadStep send, int64_t now, Need& need)
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
        // Only a receive that is alone in its list is surely the one that the message will get.
        const bool alone = first == list.Last() && !expected && Crowds(process);
        need = {process, cpu, operation.nic, alone ? 'm' : ' '};
        m_posted[first].operation |= alone ? EXPECTED : 0;
        list.last = first; // to the back
        return free;
    }
    if (expected)
    {
        Explode(process);
    }
    table.TakeFirst(list, m_posted);
    const int64_t taken = now + static_cast<int64_t>(m_parameters.g);
    const int64_t end = Checked(taken + Overhead(operation), operation);
    cpuFree = end;
    recvFree = taken;
    Raised(process);
    if (!IsEager(operation))
    {
        Complete(send, end);
        int64_t& senderCpu = CpuFree(send.process, operation.cpu);
        int64_t& sendFree = SendFree(send.process, operation.nic);
        senderCpu = std::max(senderCpu, end);
        sendFree = std::max(sendFree, taken);
        Raised(send.process);
    }
    Complete(recv, end);
    return 0;
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
            Insert(time, process, released.step.operation);
        }
    }
    m_released.clear();
}

} // namespace ns3
