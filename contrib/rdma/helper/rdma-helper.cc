/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-helper.h"

#include "ns3/boolean.h"
#include "ns3/input-error.h"
#include "ns3/input-number.h"
#include "ns3/input-spec.h"
#include "ns3/input-units.h"
#include "ns3/log.h"
#include "ns3/rdma-cut.h"
#include "ns3/rdma-host.h"
#include "ns3/rdma-node.h"
#include "ns3/rdma-routing.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaHelper");

namespace
{

/** \return link rates, bit/s, at which switches send that mark */
std::set<uint64_t>
SwitchRates(const RdmaTopology& topology)
{
    std::set<uint64_t> rates;
    for (const RdmaLinkSpec& link : topology.links)
    {
        if (topology.nodes[link.a] == RdmaNodeKind::SWITCH ||
            topology.nodes[link.b] == RdmaNodeKind::SWITCH)
        {
            rates.insert(link.rate.GetBitRate());
        }
    }
    return rates;
}

/** \return the value of an attribute, a whole number or a Boolean */
template <typename Value>
uint64_t
ValueOf(const Object& object, const std::string& name)
{
    Value value;
    object.GetAttribute(name, value);
    return value.Get();
}

/** \throws InputError if links of \p network, which has not started, cannot have the credits */
void
CheckCredits(const RdmaNetwork& network, const RdmaHost& host, const RdmaSwitch& sw)
{
    if (!network.GetContext().credits)
    {
        return;
    }
    if (ValueOf<BooleanValue>(host, "AckHighPriority") !=
        ValueOf<BooleanValue>(sw, "AckHighPriority"))
    {
        throw InputError("ns3::RdmaHost::AckHighPriority and ns3::RdmaSwitch::AckHighPriority must "
                         "be the same with credits, which both ends of a link count; set both");
    }
    if (ValueOf<UintegerValue>(host, "AckPauseClass") != 0)
    {
        throw InputError("ns3::RdmaHost::AckPauseClass must be 0 with credits, which "
                         "acknowledgements take of their own class");
    }
    const uint64_t buffer = ValueOf<UintegerValue>(network, "CreditBuffer");
    const uint64_t update = ValueOf<UintegerValue>(network, "CreditUpdate");
    const uint64_t largest = network.GetLargestFrame();
    if (buffer && buffer < largest + update)
    {
        throw InputError("ns3::RdmaNetwork::CreditBuffer=" + std::to_string(buffer) +
                         ": must be 0, or hold the largest frame, " + std::to_string(largest) +
                         " bytes, and CreditUpdate, " + std::to_string(update) +
                         "; raise it, or lower CreditUpdate");
    }
}

/** Checks the attribute \p name of switches that send at \p rates, and mark if \p on. */
void
CheckByRate(const std::string& name,
            const RdmaByRate& values,
            const std::set<uint64_t>& rates,
            bool on)
{
    const std::string shown = "ns3::RdmaSwitch::" + name;
    if (!values.GetAll().empty() && !on)
    {
        throw InputError(shown + ": no effect, since ns3::RdmaSwitch::Ecn (ENABLE_QCN) is false");
    }
    for (const auto& [rate, value] : values.GetAll())
    {
        const std::string entry =
            shown + "=" + (rate ? RateText(rate) + ":" : "") + NumberText(value);
        if (rate && !rates.count(rate))
        {
            std::vector<std::string> known;
            known.reserve(rates.size());
            for (const uint64_t other : rates)
            {
                known.push_back(RateText(other));
            }
            throw InputError(entry + ": no switch has a link of this rate; they have " +
                             ListText(known));
        }
        if (name == "Pmax" ? value > 1 : value != std::floor(value))
        {
            throw InputError(entry + (name == "Pmax" ? ": must be a probability from 0 to 1"
                                                     : ": must be whole bytes"));
        }
    }
}

[[noreturn]] void
FailLink(const RdmaTopology& topology, size_t index, const std::string& must)
{
    const RdmaLinkSpec& link = topology.links[index];
    throw InputError(topology.origin,
                     0,
                     "links[" + std::to_string(index) + "], from node " + std::to_string(link.a) +
                         " to node " + std::to_string(link.b) + ": it must have " + must);
}

/** \throws InputError naming the first link that cannot be, or a node with too many */
void
CheckLinks(const RdmaTopology& topology)
{
    std::vector<size_t> ports(topology.nodes.size());
    for (size_t i = 0; i < topology.links.size(); ++i)
    {
        const RdmaLinkSpec& link = topology.links[i];
        if (std::max(link.a, link.b) >= topology.nodes.size() || link.a == link.b)
        {
            FailLink(topology,
                     i,
                     "two different ends among the " + std::to_string(topology.nodes.size()) +
                         " nodes");
        }
        if (link.rate.GetBitRate() == 0 || link.delay.IsStrictlyNegative())
        {
            FailLink(topology, i, "a rate above 0, and a delay of 0 or more");
        }
        if (!(link.errorRate >= 0 && link.errorRate <= 1))
        {
            FailLink(topology, i, "an error rate from 0 to 1");
        }
        ++ports[link.a];
        ++ports[link.b];
    }
    const auto most = std::max_element(ports.begin(), ports.end());
    if (most != ports.end() && *most > RdmaNode::MOST_PORTS)
    {
        throw InputError(topology.origin,
                         0,
                         "node " + std::to_string(most - ports.begin()) + " has " +
                             std::to_string(*most) + " links, but at packet level the most is " +
                             std::to_string(RdmaNode::MOST_PORTS) +
                             "; spread them over several switches, or use flow level");
    }
}

/** Lets \p network know what it is going to be. */
void
Announce(const RdmaTopology& topology, RdmaNetwork& network)
{
    const RdmaClock& clock = network.GetClock();
    std::vector<bool> hosts;
    hosts.reserve(topology.nodes.size());
    for (const RdmaNodeKind kind : topology.nodes)
    {
        hosts.push_back(kind == RdmaNodeKind::HOST);
    }
    std::vector<RdmaCutLink> links;
    links.reserve(topology.links.size());
    for (const RdmaLinkSpec& link : topology.links)
    {
        links.push_back({link.a, link.b, link.DelaySteps(clock)});
    }
    network.Expect(hosts, links);
}

} // namespace

RdmaHelper::RdmaHelper()
{
    m_network.SetTypeId("ns3::RdmaNetwork");
    m_host.SetTypeId("ns3::RdmaHost");
    m_switch.SetTypeId("ns3::RdmaSwitch");
}

void
RdmaHelper::SetNetworkAttribute(const std::string& name, const AttributeValue& value)
{
    m_network.Set(name, value);
}

void
RdmaHelper::SetHostAttribute(const std::string& name, const AttributeValue& value)
{
    m_host.Set(name, value);
}

void
RdmaHelper::SetSwitchAttribute(const std::string& name, const AttributeValue& value)
{
    m_switch.Set(name, value);
}

bool
RdmaPacketCosts::operator==(const RdmaPacketCosts& other) const
{
    const auto all = [](const RdmaPacketCosts& c) {
        return std::tie(c.payloadBytes,
                        c.headerBytes,
                        c.ackBytes,
                        c.ackInterval,
                        c.chunkBytes,
                        c.use.share,
                        c.use.increase,
                        c.timing,
                        c.collapseParallel);
    };
    return all(*this) == all(other);
}

RdmaPacketCosts
RdmaHelper::GetPacketCosts() const
{
    const Ptr<const RdmaHost> host = m_host.Create<RdmaHost>();
    const Ptr<const RdmaNetwork> network = m_network.Create<RdmaNetwork>();
    const Ptr<const RdmaCongestionControl> control = CreateCongestionControl();
    const RdmaWireFormat wire = network->GetWireFormat();
    const uint32_t telemetry =
        RdmaTelemetryBytes(control ? control->GetTelemetry() : RdmaTelemetry::NONE, wire.pintBytes);
    return {host->GetPayloadSize(),
            wire.DataHeader(telemetry),
            wire.Ack(telemetry),
            host->GetAckInterval(),
            host->GetChunkSize(),
            control ? control->GetLinkUse() : RdmaLinkUse(),
            network->GetTimingRule(),
            network->CollapsesParallelLinks()};
}

void
RdmaHelper::SetEcnThresholds(uint64_t rate, const RdmaEcnThresholds& thresholds)
{
    m_ecn[rate] = thresholds;
}

void
RdmaHelper::SetClassEcnThresholds(uint8_t priority,
                                  uint64_t rate,
                                  const RdmaEcnThresholds& thresholds)
{
    m_classEcn[{priority, rate}] = thresholds;
}

void
RdmaHelper::SetDefaultErrorRate(double errorRate)
{
    if (!(errorRate >= 0 && errorRate <= 1))
    {
        throw InputError("RdmaHelper::SetDefaultErrorRate: " + NumberText(errorRate) +
                         " is no probability; it must be from 0 to 1");
    }
    m_errorRate = errorRate;
}

Ptr<RdmaSwitch>
RdmaHelper::CreateSwitch() const
{
    Ptr<RdmaSwitch> sw = m_switch.Create<RdmaSwitch>();
    for (const auto& [rate, thresholds] : m_ecn)
    {
        sw->SetEcnThresholds(rate, thresholds);
    }
    for (const auto& [place, thresholds] : m_classEcn)
    {
        sw->SetClassEcnThresholds(place.first, place.second, thresholds);
    }
    sw->SetScheduler(CreateScheduler());
    sw->SetRouter(CreateRouter());
    return sw;
}

/** \param like it, without control
 * \param controls prototypes of the control of each class that has one, and for 0 of the others */
Ptr<RdmaHost>
RdmaHelper::CreateHost(const Ptr<const RdmaHost>& like,
                       const std::map<uint8_t, Ptr<RdmaCongestionControl>>& controls) const
{
    Ptr<RdmaHost> host = CopyObject(like);
    if (m_hasControl)
    {
        host->SetCongestionControl(controls.at(0));
    }
    for (const auto& [priority, control] : m_classControls)
    {
        host->SetClassControl(priority, controls.at(priority), control.varWindow);
    }
    host->SetScheduler(CreateScheduler());
    return host;
}

void
RdmaHelper::CheckEcn(const RdmaTopology& topology) const
{
    const Ptr<const RdmaSwitch> sw = CreateSwitch();
    const std::set<uint64_t> rates = SwitchRates(topology);
    BooleanValue on;
    sw->GetAttribute("Ecn", on);
    for (const char* name : {"Kmin", "Kmax", "Pmax"})
    {
        RdmaByRateValue value;
        sw->GetAttribute(name, value);
        CheckByRate(name, value.Get(), rates, on.Get());
    }
    for (const uint64_t rate : rates)
    {
        for (uint32_t queue = 0; queue < RdmaEgressQueues::COUNT; ++queue)
        {
            const RdmaEcnThresholds ecn = sw->GetEcnThresholds(rate, queue);
            if (on.Get() && ecn.kmin > ecn.kmax)
            {
                throw InputError("ns3::RdmaSwitch::Kmin must not exceed Kmax, but at " +
                                 RateText(rate) + " it is " + std::to_string(ecn.kmin) + " of " +
                                 std::to_string(ecn.kmax) + " bytes; lower Kmin, or set Kmax, too");
            }
        }
    }
}

Ptr<RdmaNetwork>
RdmaHelper::Install(const RdmaTopology& topology) const
{
    CheckLinks(topology);
    Ptr<RdmaNetwork> network = m_network.Create<RdmaNetwork>();
    const Ptr<RdmaCongestionControl> control = CreateCongestionControl();
    std::map<uint8_t, Ptr<RdmaCongestionControl>> controls{{0, control}};
    for (const auto& [priority, ofClass] : m_classControls)
    {
        controls[priority] = CreateClassControl(priority);
    }
    const Ptr<const RdmaHost> prototype = m_host.Create<RdmaHost>();
    Announce(topology, *network);
    std::vector<Ptr<RdmaSwitch>> switches;
    for (RdmaNodeKind kind : topology.nodes)
    {
        const bool elsewhere = network->IsExpectedElsewhere(network->GetNodeCount());
        const Ptr<Node> node = elsewhere ? nullptr : CreateObject<Node>();
        if (kind == RdmaNodeKind::HOST)
        {
            network->AddHost(node, CreateHost(prototype, controls));
            continue;
        }
        Ptr<RdmaSwitch> sw = CreateSwitch();
        const bool nvSwitch = kind == RdmaNodeKind::NVSWITCH;
        if (nvSwitch)
        {
            sw->SetAttribute("Ecn", BooleanValue(false));
        }
        switches.push_back(sw);
        network->AddSwitch(node, sw, nvSwitch);
    }
    const RdmaClock& clock = network->GetClock();
    for (const RdmaLinkSpec& link : topology.links)
    {
        const double errorRate = link.errorRate > 0 ? link.errorRate : m_errorRate;
        network->Connect(link.a, link.b, link.rate.GetBitRate(), link.DelaySteps(clock), errorRate);
    }
    // a switch port faster than the first host's NIC gets more of the buffer
    uint64_t nicRate = 0;
    for (uint32_t node = 0; node < network->GetNodeCount() && !nicRate; ++node)
    {
        const auto& ports = network->GetRdmaNode(node).GetPorts();
        nicRate = network->GetHost(node) && !ports.empty() ? ports.front()->GetRate() : 0;
    }
    for (const Ptr<RdmaSwitch>& sw : switches)
    {
        sw->SetNicRate(nicRate);
    }
    NS_LOG_INFO("network of " << topology.nodes.size() - switches.size() << " hosts, "
                              << switches.size() << " switches and " << topology.links.size()
                              << " links; congestion control: "
                              << (control ? control->GetInstanceTypeId().GetName() : "none")
                              << "; rate of NICs: " << RateText(nicRate));
    CheckCredits(*network, *prototype, *CreateSwitch());
    network->Start();
    return network;
}

} // namespace ns3
