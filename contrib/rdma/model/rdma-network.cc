/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-network.h"

#include "ns3/abort.h"
#include "ns3/channel-list.h"
#include "ns3/node-list.h"
#include "ns3/rdma-cut.h"
#include "ns3/rdma-simulator-impl.h"
#include "ns3/simulator-impl.h"
#include "ns3/simulator.h"

#include <type_traits>

// Nodes and links; rdma-network-flows.cc has the flows between them, and links that go up and down,
// rdma-network-settings.cc the attributes.

namespace ns3
{

namespace
{

/** From ns-3.41 on, ns3::ChannelList has channels initialized, as ns3::Node has its devices. */
constexpr bool CHANNELS_ARE_INITIALIZED = !std::is_void_v<RdmaSimulatorImpl::StopResult>;

} // namespace

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
    NS_ABORT_MSG_IF(
        m_timing != RdmaTiming::EXACT && m_context.clock.StepsPerNs() < 1,
        "RdmaNetwork::Timing counts nanoseconds, but ns-3's time resolution is coarser; "
        "call Time::SetResolution(Time::NS) or finer first");
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
    m_teardown = Simulator::ScheduleDestroy(&RdmaNetwork::Teardown, this);
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
}

void
RdmaNetwork::Sync()
{
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

void
RdmaNetwork::Expect(const std::vector<bool>& hosts, const std::vector<RdmaCutLink>& links)
{
    NS_ABORT_MSG_IF(!m_nodes.empty(), "RdmaNetwork: Expect comes before nodes are added");
    Prepare();
    m_elsewhere = m_simulator ? m_simulator->ListElsewhere(hosts, links) : std::vector<bool>();
    if (!m_elsewhere.empty())
    {
        // these lists take a place when they are first used; a rank may have no link of its own
        static_cast<void>(NodeList::GetNNodes());
        static_cast<void>(ChannelList::GetNChannels());
    }
}

uint32_t
RdmaNetwork::AddNode(Ptr<Node> node, Ptr<RdmaNode> rdma, bool nvSwitch)
{
    NS_ABORT_MSG_IF(m_started, "RdmaNetwork: nodes are added before Start");
    Prepare();
    const auto id = static_cast<uint32_t>(m_nodes.size());
    const bool elsewhere = IsExpectedElsewhere(id);
    NS_ABORT_MSG_IF(elsewhere != !node,
                    "RdmaNetwork: node " << id << " must be null if it is expected elsewhere, and "
                                         << "only then");
    rdma->Install(m_context, m_routing, id);
    rdma->SetElsewhere(elsewhere);
    if (elsewhere)
    {
        m_simulator->CountElsewhere(); // ns3::Node has itself initialized
    }
    else
    {
        node->AggregateObject(rdma);
    }
    m_nodes.push_back(node);
    m_rdmaNodes.push_back(rdma);
    m_nvSwitches.push_back(nvSwitch);
    return id;
}

uint32_t
RdmaNetwork::AddHost(Ptr<Node> node, Ptr<RdmaHost> host)
{
    host->SetNetwork(*this);
    return AddNode(node, host, false);
}

uint32_t
RdmaNetwork::AddSwitch(Ptr<Node> node, Ptr<RdmaSwitch> sw, bool nvSwitch)
{
    return AddNode(node, sw, nvSwitch);
}

uint32_t
RdmaNetwork::Connect(uint32_t a, uint32_t b, uint64_t rate, int64_t delay, double errorRate)
{
    NS_ABORT_MSG_IF(m_started, "RdmaNetwork: links are added before Start");
    NS_ABORT_MSG_IF(a >= m_nodes.size() || b >= m_nodes.size() || a == b,
                    "RdmaNetwork::Connect: two different nodes, please");
    const auto link = static_cast<uint32_t>(m_links.size());
    RdmaPort& portA = AddPort(a, 2 * link);
    RdmaPort& portB = AddPort(b, 2 * link + 1);
    if (!IsExpectedElsewhere(a) && !IsExpectedElsewhere(b))
    {
        const auto channel = CreateObject<RdmaChannel>();
        const Ptr<RdmaNetDevice> deviceA(static_cast<RdmaNetDevice*>(&portA));
        const Ptr<RdmaNetDevice> deviceB(static_cast<RdmaNetDevice*>(&portB));
        channel->Attach(deviceA, deviceB);
        deviceA->SetChannel(channel);
        deviceB->SetChannel(channel);
    }
    else if (CHANNELS_ARE_INITIALIZED)
    {
        m_simulator->CountElsewhere();
    }
    portA.Connect(portB, rate, delay, errorRate);
    portB.Connect(portA, rate, delay, errorRate);
    m_links.emplace_back(&portA, &portB);
    return link;
}

/** \return the next port of \p node, which is a device if it is here */
RdmaPort&
RdmaNetwork::AddPort(uint32_t node, uint32_t portId)
{
    const Mac48Address address = Mac48Address::Allocate(); // the same wherever the node is
    if (IsExpectedElsewhere(node))
    {
        m_portsElsewhere.push_back(std::make_unique<RdmaPort>());
        m_simulator->CountElsewhere(); // ns3::Node has its devices initialized
        m_rdmaNodes[node]->AddPort(*m_portsElsewhere.back(), portId);
        return *m_portsElsewhere.back();
    }
    const auto device = CreateObject<RdmaNetDevice>();
    device->SetAddress(address);
    m_nodes[node]->AddDevice(device);
    m_rdmaNodes[node]->AddPort(*device, portId);
    m_devices.push_back(device);
    return *device;
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

std::pair<RdmaPort*, RdmaPort*>
RdmaNetwork::GetLink(uint32_t link) const
{
    return m_links.at(link);
}

uint32_t
RdmaNetwork::GetNodeCount() const
{
    return static_cast<uint32_t>(m_nodes.size());
}

uint32_t
RdmaNetwork::GetLinkCount() const
{
    return static_cast<uint32_t>(m_links.size());
}

RdmaNode&
RdmaNetwork::GetRdmaNode(uint32_t node) const
{
    return *m_rdmaNodes.at(node);
}

Ptr<Node>
RdmaNetwork::GetNode(uint32_t node) const
{
    return m_nodes.at(node);
}

RdmaHost*
RdmaNetwork::GetHost(uint32_t node) const
{
    return node < m_rdmaNodes.size() && !m_rdmaNodes[node]->IsTransit()
               ? static_cast<RdmaHost*>(PeekPointer(m_rdmaNodes[node]))
               : nullptr;
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
