/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-loggops-exact.h"

#include "ns3/input-error.h"

#include <algorithm>

namespace ns3
{

void
WorkloadLogGopsExact::DoBegin()
{
    for (const WorkloadJob& job : m_jobs->GetJobs())
    {
        m_cpus = std::max<uint32_t>(m_cpus, job.schedule.HighestCpu() + 1U);
    }
    m_nics = m_jobs->GetNicCount();
    m_cpuFree.assign(size_t{m_jobs->GetProcessCount()} * m_cpus, 0);
    m_sendFree.assign(size_t{m_jobs->GetNodeCount()} * m_nics, 0);
    m_recvFree.assign(m_sendFree.size(), 0);
    m_groups.resize(m_jobs->GetNodeCount());
}

void
WorkloadLogGopsExact::HandOver(WorkloadStep step, int64_t ns)
{
    if (m_running)
    {
        // Whose last missing dependency is a start forgets the times of all others.
        m_released.push_back({step, m_starting ? 0 : ns});
    }
    else if (ns == 0 && m_now == 0)
    {
        // At once: nothing that it leads to comes before the next of these.
        RunOne({0, m_roots++, step.process, step.operation, nullptr});
    }
    else
    {
        Insert(ns, step.process, step.operation);
    }
}

int64_t
WorkloadLogGopsExact::GetFinish(uint32_t process) const
{
    const auto first = m_cpuFree.begin() + static_cast<ptrdiff_t>(size_t{process} * m_cpus);
    return *std::max_element(first, first + m_cpus);
}

bool
WorkloadLogGopsExact::RunFirst()
{
    if (m_queue.empty())
    {
        return false;
    }
    const Event event = m_queue.top();
    m_queue.pop();
    if (event.time < m_now)
    {
        for (uint32_t node = 0; node < m_groups.size(); ++node)
        {
            Dissolve(node);
        }
    }
    m_now = event.time;
    if (event.group)
    {
        RunGroup(*event.group, event.number);
    }
    else
    {
        RunOne(event);
    }
    return true;
}

void
WorkloadLogGopsExact::RunOne(const Event& event)
{
    std::optional<Need> need;
    const int64_t again = Try(event, need);
    if (need)
    {
        Join(event, *need, again);
    }
    else if (again != 0)
    {
        m_queue.push({again, event.number, event.process, event.operation, nullptr});
    }
}

int64_t
WorkloadLogGopsExact::Try(const Event& event, std::optional<Need>& need)
{
    m_running = true;
    m_number = event.number;
    const WorkloadStep step{event.process, event.operation & ~MESSAGE};
    int64_t again = 0;
    if (event.operation & MESSAGE)
    {
        again = TryArrival(step, need);
    }
    else
    {
        switch (Operation(step).kind)
        {
        case WorkloadKind::CALC:
            again = TryCompute(step, need);
            break;
        case WorkloadKind::SEND:
            again = TrySend(step, need);
            break;
        case WorkloadKind::RECV:
            Receive(step);
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
WorkloadLogGopsExact::TryCompute(WorkloadStep step, std::optional<Need>& need)
{
    const WorkloadOperation& operation = Operation(step);
    int64_t& cpuFree = CpuFree(step.process, operation.cpu);
    if (cpuFree > m_now)
    {
        need = Need{step.process, operation.cpu, 0, WorkloadKind::CALC};
        return cpuFree;
    }
    cpuFree = Checked(m_now + Duration(operation), operation);
    Raised(step.process);
    Start(step);
    Complete(step, cpuFree);
    return 0;
}

int64_t
WorkloadLogGopsExact::TrySend(WorkloadStep step, std::optional<Need>& need)
{
    const WorkloadOperation& operation = Operation(step);
    int64_t& cpuFree = CpuFree(step.process, operation.cpu);
    int64_t& sendFree = SendFree(step.process, operation.nic);
    if (const int64_t free = std::max(cpuFree, sendFree); free > m_now)
    {
        need = Need{step.process, operation.cpu, operation.nic, WorkloadKind::SEND};
        return free;
    }
    const int64_t bytes = BytesTime(operation);
    Start(step);
    cpuFree = Checked(m_now + Overhead(operation), operation);
    sendFree = Checked(m_now + static_cast<int64_t>(m_parameters.g) + bytes, operation);
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
WorkloadLogGopsExact::Receive(WorkloadStep step)
{
    const WorkloadOperation& operation = Operation(step);
    Start(step);
    WorkloadMatchTable::List& list =
        m_waiting[step.process].FindOrAdd(GetPeer(step.process, operation), operation.tag);
    if (!list.IsEmpty() && list.HoldsMessages())
    {
        TakeUnexpected(step, list);
        return;
    }
    if (!list.IsEmpty() && m_posted[list.Last()].operation & EXPECTED)
    {
        Dissolve(m_jobs->GetNode(step.process));
    }
    WorkloadMatchTable::Append(list, m_posted, {step.operation, 0});
}

void
WorkloadLogGopsExact::TakeUnexpected(WorkloadStep step, WorkloadMatchTable::List& list)
{
    const WorkloadOperation& operation = Operation(step);
    const uint32_t sender = list.source;
    const WorkloadUnexpected message = m_waiting[step.process].TakeFirst(list, m_unexpected);
    if (message.time > m_now)
    {
        throw InputError(
            m_jobs->GetProcessName(step.process) + ": operation " + std::to_string(step.operation) +
            " receives at " + std::to_string(m_now) + " ns a message that comes at " +
            std::to_string(message.time) +
            " ns, where LogGOPSim aborts (an irequires loses the time): leave out loggopsim-exact");
    }
    const int64_t taken = std::max(SendFree(step.process, operation.nic), m_now) +
                          static_cast<int64_t>(m_parameters.g);
    const int64_t end = Checked(taken + Overhead(operation), operation);
    int64_t& recvCpu = CpuFree(step.process, operation.cpu);
    int64_t& recvFree = RecvFree(step.process, operation.nic);
    if (end < recvCpu || taken < recvFree)
    {
        Dissolve(m_jobs->GetNode(step.process));
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
WorkloadLogGopsExact::TryArrival(WorkloadStep send, std::optional<Need>& need)
{
    const WorkloadOperation& operation = Operation(send);
    const uint32_t process = GetPeer(send.process, operation);
    WorkloadMatchTable& table = m_waiting[process];
    WorkloadMatchTable::List& list = table.FindOrAdd(send.process, operation.tag);
    if (list.IsEmpty() || list.HoldsMessages())
    {
        WorkloadMatchTable::Append(list, m_unexpected, {m_now, send.operation, 0});
        return 0;
    }
    const uint32_t first = m_posted[list.Last()].next;
    const WorkloadStep recv{process, m_posted[first].operation & ~EXPECTED};
    const bool expected = m_posted[first].operation & EXPECTED;
    const uint8_t cpu = Operation(recv).cpu;
    int64_t& cpuFree = CpuFree(process, cpu);
    int64_t& recvFree = RecvFree(process, operation.nic);
    if (const int64_t free = std::max(cpuFree, recvFree); free > m_now)
    {
        // Only a receive that is alone in its list is surely the one that the message will get.
        if (first == list.Last() && !expected)
        {
            need = Need{process, cpu, operation.nic, WorkloadKind::RECV};
            m_posted[first].operation |= EXPECTED;
        }
        list.last = first; // to the back
        return free;
    }
    if (expected)
    {
        Dissolve(m_jobs->GetNode(process));
    }
    table.TakeFirst(list, m_posted);
    const int64_t taken = m_now + static_cast<int64_t>(m_parameters.g);
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
WorkloadLogGopsExact::Touch(uint32_t process)
{
    if (m_touchedCount == 0 || (m_touchedCount == 1 && m_touched[0] != process))
    {
        m_touched[m_touchedCount++] = process;
    }
}

void
WorkloadLogGopsExact::Start(WorkloadStep step)
{
    Touch(step.process);
    m_starting = true;
    TellStarted(step, m_now);
    m_starting = false;
}

void
WorkloadLogGopsExact::Complete(WorkloadStep step, int64_t ns)
{
    Touch(step.process);
    TellCompleted(step, ns);
}

void
WorkloadLogGopsExact::PutReleased()
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
