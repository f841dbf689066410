/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Collectives that ranks issue, and the flows that they become.

#include "workload-simai-runner-rank.h"

#include "ns3/workload-units.h"

namespace ns3
{

void
WorkloadSimAiRunner::Issue(uint32_t rank, uint32_t operation)
{
    Rank& state = m_ranks[rank];
    ++state.outstanding;
    state.times[operation] = {m_transport.Now(), m_transport.Now()};
    const uint8_t queue = m_program.operations[operation].queue;
    state.queues[queue].Push(operation);
    TakeNext(rank, queue);
}

void
WorkloadSimAiRunner::TakeNext(uint32_t rank, uint8_t queue)
{
    // Data groups hold the expert groups of their ranks: nobody outside has to agree.
    const uint32_t order = queue == 0 ? 0
                           : m_file.HasParallelism()
                               ? 1 + m_groups.GetGroup(WorkloadSimAiGroup::DP, rank)
                               : 1;
    const uint32_t operation = m_ranks[rank].queues[queue].Take(m_orders[order]);
    if (operation != WorkloadSimAiQueue::NONE)
    {
        Begin(rank, operation);
    }
}

void
WorkloadSimAiRunner::Begin(uint32_t rank, uint32_t operation)
{
    const WorkloadSimAiGroup kind = m_program.operations[operation].group;
    m_ranks[rank].times[operation].second = m_transport.Now();
    const uint32_t slot = m_collectives.Join(operation, m_groups.GetGroup(kind, rank));
    if (m_memory)
    {
        m_memory->Joined(slot);
    }
    m_collectives.Get(slot).instance.Begin(m_groups.GetMember(kind, rank), m_ready);
    Launch(slot);
}

void
WorkloadSimAiRunner::Launch(uint32_t slot)
{
    for (const WorkloadSimAiReady& ready : m_ready)
    {
        const int64_t ns = m_options.memoryDelayNs + (ready.reduces ? m_options.reduceDelayNs : 0);
        m_transport.Schedule(ns * WORKLOAD_PS_PER_NS, Timer::Id(Timer::READY, slot, ready.flow));
    }
    m_ready.clear();
}

void
WorkloadSimAiRunner::StartFlow(uint32_t slot, uint32_t flow)
{
    m_collectives.Get(slot).instance.Started(flow, m_ready);
    Launch(slot);
    const int64_t latency = m_collectives.SendLatencyPs(slot, flow);
    if (m_memory)
    {
        m_memory->Waits(slot, flow, latency);
    }
    m_transport.Schedule(latency, Timer::Id(Timer::FLOW, slot, flow));
}

void
WorkloadSimAiRunner::Send(uint32_t slot, uint32_t flow)
{
    ++m_flows;
    if (!m_memory || !m_memory->Repeats(slot, flow))
    {
        WorkloadTransfer transfer = m_collectives.TransferOf(slot, flow);
        transfer.exact = m_memory && m_memory->IsExact(slot);
        m_transport.Start(transfer, Timer::FlowId(slot, flow));
    }
}

void
WorkloadSimAiRunner::Delivered(uint64_t id)
{
    WorkloadSimAiRunning& running = m_collectives.Get(Timer::High(id));
    if (m_memory)
    {
        m_memory->Delivered(Timer::High(id), uint32_t(id));
    }
    const bool done = running.instance.Sent(uint32_t(id), m_ready);
    Launch(Timer::High(id));
    if (done)
    {
        MemberDone(Timer::High(id), running.instance.GetSet().flows[uint32_t(id)].src);
    }
}

void
WorkloadSimAiRunner::Acknowledged(uint64_t id)
{
    const uint32_t slot = Timer::High(id);
    WorkloadSimAiRunning& running = m_collectives.Get(slot);
    if (m_memory)
    {
        m_memory->Ended(slot, uint32_t(id));
    }
    const bool done = running.instance.Arrived(uint32_t(id), m_ready);
    Launch(slot);
    if (done)
    {
        MemberDone(slot, running.instance.GetSet().flows[uint32_t(id)].dst);
    }
    if (running.instance.IsOver())
    {
        if (m_memory)
        {
            m_memory->Over(slot);
        }
        m_collectives.Remove(slot);
    }
}

void
WorkloadSimAiRunner::Sent(uint32_t slot, uint32_t flow)
{
    Delivered(Timer::FlowId(slot, flow));
}

void
WorkloadSimAiRunner::Arrived(uint32_t slot, uint32_t flow)
{
    Acknowledged(Timer::FlowId(slot, flow));
}

void
WorkloadSimAiRunner::Over(uint32_t slot)
{
    m_flows += m_collectives.Get(slot).instance.CountWaiting();
    m_collectives.Remove(slot);
}

void
WorkloadSimAiRunner::MemberDone(uint32_t slot, uint32_t end)
{
    if (m_memory)
    {
        m_memory->Done(slot, end);
    }
    const WorkloadSimAiRunning& running = m_collectives.Get(slot);
    const uint32_t rank = running.ends[end];
    if (rank >= m_groups.GetCount())
    {
        return; // an NVSwitch has no program
    }
    const uint32_t operation = running.operation;
    const WorkloadSimAiOperation& what = m_program.operations[operation];
    m_transport.Schedule(int64_t(m_file.layers[what.layer].processNs) * WORKLOAD_PS_PER_NS,
                         Timer::Id(Timer::PROCESS, operation, rank));
    m_ranks[rank].queues[what.queue].Release();
    TakeNext(rank, what.queue);
}

void
WorkloadSimAiRunner::Finished(uint32_t rank, uint32_t operation)
{
    Rank& state = m_ranks[rank];
    const WorkloadSimAiOperation& what = m_program.operations[operation];
    const int64_t now = m_transport.Now();
    const auto times = state.times.find(operation);
    const bool waits = state.awaited == operation;
    const bool last = state.ended && what.layer == 0 && what.pass == WorkloadSimAiPass::WG;
    m_record.Communicated(rank,
                          what,
                          times->second.first,
                          times->second.second,
                          now,
                          waits || last ? now - state.since : 0);
    state.times.erase(times);
    state.done[operation] = true;
    --state.outstanding;
    if (state.ended)
    {
        m_record.Waited(rank, what.group, now - GetRanks()[rank].finishPs);
        m_record.Ended(rank, now);
        m_unfinished -= state.outstanding == 0;
    }
    else if (waits)
    {
        m_record.Waited(rank, what.group, now - state.since);
        state.awaited = Rank::NOTHING;
        Advance(rank);
    }
}

} // namespace ns3
