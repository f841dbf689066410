/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-network.h"

#include "ns3/event-impl.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

namespace ns3
{

bool
RdmaTestEnd::operator==(const RdmaTestEnd& other) const
{
    return id == other.id && start == other.start && fct == other.fct &&
           delivered == other.delivered && resent == other.resent && state == other.state;
}

RdmaTestNetwork::RdmaTestNetwork(const RdmaTopology& topology, const Setup& setup)
{
    RdmaHelper helper;
    helper.SetNetworkAttribute("Timing", StringValue("hpcc"));
    if (setup)
    {
        setup(helper);
    }
    network = helper.Install(topology);
}

RdmaQueuePair&
RdmaTestNetwork::Flow(uint32_t src, uint32_t dst, uint64_t bytes, uint64_t window, uint8_t priority)
{
    RdmaFlow flow;
    flow.src = src;
    flow.dst = dst;
    flow.bytes = bytes;
    flow.window = window;
    flow.priority = priority;
    const RdmaPathProperties facts = network->GetRouting().GetPathProperties(src, dst);
    flow.baseRttNs = facts.reachable ? facts.GetRttNs() : 0;
    flow.onEnd = [this](const RdmaQueuePair& qp) {
        const int64_t steps = network->GetContext().clock.StepsPerNs();
        const int64_t start = qp.GetStartTime();
        ends.push_back({qp.GetId(),
                        start / steps,
                        (qp.GetEndTime() - start) / steps,
                        qp.GetDeliveryTime() < 0 ? -1 : (qp.GetDeliveryTime() - start) / steps,
                        qp.GetRetransmittedBytes(),
                        qp.GetState()});
    };
    return network->StartFlow(flow);
}

void
RdmaTestNetwork::At(int64_t ns, std::function<void()> what)
{
    Simulator::Schedule(NanoSeconds(static_cast<uint64_t>(ns)) - Simulator::Now(), std::move(what));
}

void
RdmaTestNetwork::Run(int64_t ns)
{
    Simulator::Stop(NanoSeconds(static_cast<uint64_t>(ns)));
    Simulator::Run();
}

int64_t
RdmaTestNetwork::Now() const
{
    return network->GetContext().NowNs();
}

RdmaPort&
RdmaTestNetwork::Port(uint32_t node, uint32_t index) const
{
    return *network->GetRdmaNode(node).GetPorts().at(index);
}

RdmaTestLoss::RdmaTestLoss(RdmaPort& from, std::set<uint64_t> lost)
    : m_from(from),
      m_lost(std::move(lost))
{
    from.GetPeer().rxTrace.ConnectWithoutContext(MakeCallback(&RdmaTestLoss::Count, this));
    from.dropTrace.ConnectWithoutContext(MakeCallback(&RdmaTestLoss::CountDrop, this));
    Prepare();
}

void
RdmaTestLoss::Prepare()
{
    m_from.SetErrorRate(m_lost.count(m_count) ? 1 : 0);
}

void
RdmaTestLoss::Count(const RdmaFrame&)
{
    ++m_count;
    Prepare();
}

void
RdmaTestLoss::CountDrop(const RdmaFrame&, RdmaDropReason)
{
    ++m_count;
    Prepare();
}

void
RdmaTestSendPfc(RdmaPort& from, uint32_t queue, bool pause)
{
    RdmaContext& context = from.GetContext();
    RdmaFrame* frame = context.frames.Take();
    frame->qp = nullptr;
    frame->kind = RdmaFrameKind::PFC;
    frame->priority = 0;
    frame->payloadBytes = 0;
    frame->wireBytes = context.wire.Pfc();
    frame->ce = frame->echo = frame->ackNow = frame->telemetry = false;
    frame->serial = from.NextSerial();
    frame->timestamp = context.eventQueue->Now();
    frame->pfc = {pause ? 5U : 0U, 0, static_cast<uint8_t>(queue)};
    from.queues.Push(0, frame);
    from.Trigger();
}

RdmaLinkSpec
RdmaTestLink(uint32_t a, uint32_t b)
{
    return {a, b, DataRate("100Gbps"), MicroSeconds(1)};
}

RdmaTopology
RdmaTestChain()
{
    RdmaTopology topology;
    topology.nodes = {RdmaNodeKind::HOST,
                      RdmaNodeKind::HOST,
                      RdmaNodeKind::SWITCH,
                      RdmaNodeKind::SWITCH};
    topology.links = {RdmaTestLink(0, 2), RdmaTestLink(2, 3), RdmaTestLink(3, 1)};
    return topology;
}

RdmaTopology
RdmaTestPair()
{
    RdmaTopology topology;
    topology.nodes = {RdmaNodeKind::HOST, RdmaNodeKind::HOST};
    topology.links = {RdmaTestLink(0, 1)};
    return topology;
}

RdmaTopology
RdmaTestStar(uint32_t hosts)
{
    RdmaTopology topology;
    topology.nodes.assign(hosts, RdmaNodeKind::HOST);
    topology.nodes.push_back(RdmaNodeKind::SWITCH);
    for (uint32_t host = 0; host < hosts; ++host)
    {
        topology.links.push_back(RdmaTestLink(host, hosts));
    }
    return topology;
}

} // namespace ns3
