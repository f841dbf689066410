/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-network.h"

#include "ns3/abort.h"
#include "ns3/rdma-simulator-impl.h"
#include "ns3/simulator-impl.h"
#include "ns3/simulator.h"

#include <algorithm>

// A network from its start to its end; rdma-network-nodes.cc has its nodes and links,
// rdma-network-flows.cc the flows between them, and links that go up and down,
// rdma-network-settings.cc the attributes.

namespace ns3
{

RdmaNetwork::RdmaNetwork()
    : m_noticeEvent(this)
{
    m_context.pfcTrace = &m_pfcTrace;
}

RdmaNetwork::~RdmaNetwork()
{
    Teardown();
}

void
RdmaNetwork::Prepare()
{
    if (m_prepared)
    {
        return;
    }
    m_prepared = true;
    m_context.clock = RdmaClock(m_timing);
    m_context.seed = m_seed;
    m_context.wire = GetWireFormat();
    m_context.intMultiplier = m_intMultiplier;
    m_context.credits = m_credits;
    m_simulator = DynamicCast<RdmaSimulatorImpl>(Simulator::GetImplementation());
    if (m_simulator)
    {
        m_context.eventQueue = &m_simulator->GetEventQueue();
    }
    else
    {
        m_pump = std::make_unique<RdmaEventPump>();
        m_context.eventQueue = &m_pump->GetEventQueue();
        m_pump->Sync();
    }
    m_context.timers.SetEventQueue(m_context.eventQueue);
    // it holds the network: nodes and devices, which all can find, lead to it
    m_teardown =
        Simulator::ScheduleDestroy(&RdmaNetwork::SimulatorDestroyed, Ptr<RdmaNetwork>(this));
}

void
RdmaNetwork::Teardown()
{
    if (!m_context.eventQueue)
    {
        return;
    }
    if (m_simulator)
    {
        m_simulator->NetworkGone(*this);
    }
    // what the simulator still holds of ours goes now, at once: an event that is destroyed before
    // would look for its entries among all
    for (const Ptr<RdmaNode>& node : m_rdmaNodes)
    {
        if (!node->IsTransit())
        {
            static_cast<RdmaHost*>(PeekPointer(node))->ClearTimers();
        }
    }
    m_context.eventQueue->DropOutdated();
    for (const Ptr<RdmaNode>& node : m_rdmaNodes)
    {
        node->CancelEvents();
    }
    m_context.eventQueue->Cancel(m_noticeEvent);
    m_active.Clear();
    m_ended.clear();
    m_context.timers.Clear();
    m_context.eventQueue->DropOutdated();
    m_context.eventQueue = nullptr;
    m_simulator = nullptr;
    Simulator::Remove(m_teardown);
    m_teardown = EventId();
}

void
RdmaNetwork::SimulatorDestroyed()
{
    const Ptr<RdmaNetwork> held(this); // the last one may be in what goes: a flow's callback
    Teardown();
}

void
RdmaNetwork::Sync()
{
    NS_ABORT_MSG_IF(
        m_prepared && !m_context.eventQueue,
        "RdmaNetwork: it has ended with Simulator::Destroy, or was disposed of; install "
        "another one");
    if (m_pump)
    {
        m_pump->Sync();
    }
}

const RdmaClock&
RdmaNetwork::GetClock()
{
    Prepare();
    return m_context.clock;
}

uint32_t
RdmaNetwork::GetLargestFrame() const
{
    uint32_t largest = 0;
    for (const Ptr<RdmaNode>& node : m_rdmaNodes)
    {
        if (node->IsTransit())
        {
            continue;
        }
        const uint32_t payload = static_cast<RdmaHost&>(*node).GetPayloadSize();
        largest = std::max(largest, m_context.wire.DataHeader(RdmaIntHeader::WIRE_BYTES) + payload);
    }
    // those elsewhere have the attribute's value, as all others here
    const Ptr<const RdmaNetDevice> usual =
        m_portsElsewhere.empty() ? nullptr : CreateObject<RdmaNetDevice>();
    largest = std::max(largest, usual ? m_context.wire.l2Bytes + usual->GetMtu() : 0);
    for (const Ptr<RdmaNetDevice>& device : m_devices)
    {
        if (!device->GetOwner().IsTransit())
        {
            largest = std::max(largest, m_context.wire.l2Bytes + device->GetMtu());
        }
    }
    return largest;
}

void
RdmaNetwork::StayInOnePartition()
{
    // A multithreaded simulator cuts links of at least this delay, but the events of a network are
    // in one order: what is beyond its links may run at the same time, its nodes may not.
    constexpr const char* LOOKAHEAD = "MinLookahead";
    const Ptr<SimulatorImpl> simulator = Simulator::GetImplementation();
    TimeValue lookahead;
    if (!simulator->GetAttributeFailSafe(LOOKAHEAD, lookahead))
    {
        return;
    }
    Time uncut = lookahead.Get();
    for (const auto& [a, b] : m_links)
    {
        uncut = Max(uncut, TimeStep(static_cast<uint64_t>(a->GetDelay()) + 1));
    }
    simulator->SetAttribute(LOOKAHEAD, TimeValue(uncut));
}

void
RdmaNetwork::Start()
{
    NS_ABORT_MSG_IF(m_started, "RdmaNetwork: started already");
    Prepare();
    m_started = true;
    m_context.largestFrame = GetLargestFrame();
    std::vector<RdmaNode*> nodes;
    uint32_t payload = 1;
    bool pint = false;
    for (const Ptr<RdmaNode>& node : m_rdmaNodes)
    {
        nodes.push_back(PeekPointer(node));
        node->Start();
        if (node->IsTransit())
        {
            const auto& sw = static_cast<const RdmaSwitch&>(*node);
            m_context.balances |= sw.GetBalancing() != RdmaBalancing::ECMP;
            m_context.entropy |= sw.GetBalancing() == RdmaBalancing::ENTROPY;
            m_context.classes |= sw.HasScheduler();
            m_context.mayOverflow |= !sw.HasPfc();
        }
        else
        {
            const auto& host = static_cast<const RdmaHost&>(*node);
            payload = host.GetPayloadSize();
            m_mayGiveUp |= host.m_timeout && !host.m_retryCount;
            m_selectiveRepeat |= host.m_selectiveRepeat;
            m_context.classes |= host.HasScheduler() || host.HasClassControls();
            for (const Ptr<const RdmaCongestionControl>& control : host.GetCongestionControls())
            {
                m_actsAlone &= !control || control->ActsAlone();
                pint |= control && control->GetTelemetry() == RdmaTelemetry::PINT;
            }
        }
    }
    m_context.special = m_context.entropy || m_context.credits || m_context.classes;
    if (m_credits)
    {
        StartCredits();
    }
    m_routing.Build(nodes, m_nvSwitches, m_collapseParallel, payload);
    if (pint)
    {
        StartPint();
    }
    StayInOnePartition();
    if (m_simulator)
    {
        m_simulator->NetworkStarted(*this);
    }
}

/** Switches average over the largest round-trip time of all pairs of hosts. */
void
RdmaNetwork::StartPint()
{
    int64_t rttNs = 0;
    uint64_t bdp = 0;
    m_routing.GetLargest(rttNs, bdp);
    m_pint = std::make_unique<RdmaPint>(m_pintLogBase, rttNs);
    m_context.pint = m_pint.get();
    for (const Ptr<RdmaNode>& node : m_rdmaNodes)
    {
        if (node->IsTransit())
        {
            static_cast<RdmaSwitch&>(*node).StartPint();
        }
    }
}

void
RdmaNetwork::SetFlowObserver(RdmaFlowObserver* observer)
{
    if (m_context.eventQueue)
    {
        m_context.eventQueue->Join(); // every node's context is this one
    }
    m_context.observer = observer;
}

void
RdmaNetwork::DoDispose()
{
    Teardown();
    m_links.clear();
    m_rdmaNodes.clear();
    m_devices.clear();
    m_portsElsewhere.clear();
    m_nodes.clear();
    Object::DoDispose();
}

} // namespace ns3
