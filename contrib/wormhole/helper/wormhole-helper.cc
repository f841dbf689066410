/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wormhole-helper.h"

#include "ns3/abort.h"
#include "ns3/global-value.h"
#include "ns3/rdma-host.h"
#include "ns3/rdma-late-flow.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/wormhole-fingerprint.h"
#include "ns3/wormhole-simulator-impl.h"

#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>

namespace ns3
{

WormholeHelper::WormholeHelper() = default;

void
WormholeHelper::Set(const std::string& name, const AttributeValue& value)
{
    TypeId::AttributeInformation attribute;
    NS_ABORT_MSG_UNLESS(WormholeSimulatorImpl::GetTypeId().LookupAttributeByName(name, &attribute),
                        "WormholeHelper::Set: ns3::WormholeSimulatorImpl has no attribute \""
                            << name << "\"");
    const Ptr<const AttributeValue> valid = attribute.checker->CreateValidValue(value);
    NS_ABORT_MSG_UNLESS(valid,
                        "WormholeHelper::Set: "
                            << name << " of ns3::WormholeSimulatorImpl must be "
                            << attribute.checker->GetUnderlyingTypeInformation());
    m_attributes.emplace_back(name, valid);
}

void
WormholeHelper::Enable()
{
    StringValue before;
    GlobalValue::GetValueByName("SimulatorImplementationType", before);
    GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::WormholeSimulatorImpl"));
    const auto simulator = DynamicCast<WormholeSimulatorImpl>(Simulator::GetImplementation());
    NS_ABORT_MSG_UNLESS(
        simulator,
        "WormholeHelper::Enable: another simulator implementation is in use already; call Enable "
        "before nodes, links and events are made");
    for (const auto& [name, value] : m_attributes)
    {
        simulator->SetAttribute(name, *value);
    }
    const std::string replaced = before.Get();
    if (replaced != "ns3::DefaultSimulatorImpl" && replaced != "ns3::RdmaSimulatorImpl" &&
        replaced != "ns3::WormholeSimulatorImpl")
    {
        std::cerr << "wormhole: warning: WormholeHelper::Enable replaces " << replaced
                  << ", which was chosen before: the simulation runs under "
                     "ns3::WormholeSimulatorImpl, on one thread"
                  << std::endl;
    }
}

nlohmann::ordered_json
WormholeHelper::GetReport()
{
    const auto simulator = DynamicCast<WormholeSimulatorImpl>(Simulator::GetImplementation());
    if (!simulator || simulator->GetNetworks().empty())
    {
        return {};
    }
    const WormholePacketHops crossings = CountPacketHops();
    uint64_t found = 0;
    uint64_t stored = 0;
    uint64_t inStore = 0;
    uint64_t suspensions = 0;
    uint64_t suspended = 0;
    uint64_t drawn = 0;
    WormholeAudit audit;
    nlohmann::ordered_json flowTime = nlohmann::ordered_json::object();
    nlohmann::ordered_json kernel;
    for (const auto& network : simulator->GetNetworks())
    {
        const RdmaContext& context = network->GetNetwork().GetContext();
        const wormhole::ControllerStatistics& s = network->GetController().Statistics();
        const auto replaying = static_cast<std::size_t>(wormhole::PartitionState::Replaying);
        for (const auto& from : s.transitions)
        {
            found += from[replaying];
        }
        stored += s.recordingsStored;
        suspensions += s.suspensions;
        suspended += s.eventsSuspended;
        drawn += s.bytesDrawn;
        audit.Add(s);
        if (const wormhole::EpisodeStore* store = network->GetStore())
        {
            inStore += store->Statistics().episodes;
        }
        const double stepSeconds = 1e-9 / static_cast<double>(context.clock.StepsPerNs());
        for (std::size_t i = 0; i < wormhole::PARTITION_STATES; ++i)
        {
            const std::string state = ToString(static_cast<wormhole::PartitionState>(i));
            flowTime[state] = flowTime.value(state, 0.0) +
                              static_cast<double>(s.flowTime[i].count()) * stepSeconds;
        }
        kernel.push_back(ToJson(s));
    }
    const auto run = static_cast<double>(crossings.run);
    const double all = run + crossings.skipped + static_cast<double>(crossings.replayed);
    return {{"events",
             {{"run", crossings.run},
              {"skipped", static_cast<uint64_t>(crossings.skipped)},
              {"replayed", crossings.replayed},
              {"suspended", suspended},
              {"skippedShare", all > 0 ? 1 - run / all : 0.0}}},
            {"episodes", {{"found", found}, {"stored", stored}, {"inStore", inStore}}},
            {"audit",
             {{"leftOut", audit.leftOut},
              {"audited", audit.audited},
              {"meanError", audit.GetMean()},
              {"largestError", audit.largest},
              {"thrownOut", audit.thrownOut}}},
            {"suspensions", suspensions},
            {"drawn", drawn},
            {"flowTime", flowTime},
            {"kernel", kernel}};
}

WormholePacketHops
WormholeHelper::CountPacketHops()
{
    WormholePacketHops crossings;
    const auto simulator = DynamicCast<WormholeSimulatorImpl>(Simulator::GetImplementation());
    if (!simulator)
    {
        return crossings;
    }
    for (const auto& network : simulator->GetNetworks())
    {
        const wormhole::ControllerStatistics& s = network->GetController().Statistics();
        crossings.run += network->GetNetwork().GetContext().counters.GetHops();
        crossings.skipped += s.eventsSkipped;
        crossings.replayed += s.eventsReplayed;
    }
    return crossings;
}

void
WormholeHelper::AddReplayed(const RdmaNetwork& network, uint64_t hops)
{
    const auto simulator = DynamicCast<WormholeSimulatorImpl>(Simulator::GetImplementation());
    if (WormholeNetwork* fast = simulator ? simulator->Find(network) : nullptr)
    {
        fast->AddReplayed(hops);
    }
}

std::vector<RdmaQueuePair*>
WormholeHelper::StartLate(RdmaNetwork& network, const std::vector<RdmaLateFlow>& flows)
{
    const auto simulator = DynamicCast<WormholeSimulatorImpl>(Simulator::GetImplementation());
    if (WormholeNetwork* fast = simulator ? simulator->Find(network) : nullptr)
    {
        return fast->StartLate(flows);
    }
    RdmaPacketState packets(network);
    return packets.StartLate(flows, [time = flows.front().time](const RdmaPort& port) {
        return RdmaPacketState::IsIdleSince(port, time);
    });
}

std::function<uint64_t(const RdmaPort& port)>
WormholeHelper::GetPortKinds()
{
    return [known = WormholeFingerprint()](const RdmaPort& port) mutable {
        wormhole::SignatureBuilder kind;
        kind.Add(known.OfPort(port))
            .Add(port.GetRate())
            .Add(static_cast<uint64_t>(port.GetDelay()));
        const RdmaNode& owner = port.GetOwner();
        if (!owner.IsTransit())
        {
            const Ptr<const Object> control =
                static_cast<const RdmaHost&>(owner).GetCongestionControl();
            kind.Add(control ? WormholeFingerprint::OfObject(*control) : 0);
        }
        return kind.Get().low;
    };
}

std::string
WormholeHelper::ExplainIdle()
{
    const auto simulator = DynamicCast<WormholeSimulatorImpl>(Simulator::GetImplementation());
    const WormholePacketHops crossings = CountPacketHops();
    return simulator && crossings.skipped <= 0 && crossings.replayed == 0 ? simulator->ExplainIdle()
                                                                          : "";
}

uint64_t
WormholeHelper::GetDelivered(const RdmaNetwork& network, const RdmaQueuePair& qp)
{
    const auto simulator = DynamicCast<WormholeSimulatorImpl>(Simulator::GetImplementation());
    const WormholeNetwork* fast = simulator ? simulator->Find(network) : nullptr;
    return fast ? fast->GetDelivered(qp, network.GetContext().eventQueue->Now()) : qp.GetSndUna();
}

void
WormholeHelper::PrintReport(std::ostream& out)
{
    const std::string idle = ExplainIdle();
    if (!idle.empty())
    {
        out << "fast-forward left out nothing: " << idle << "\n";
    }
    const nlohmann::ordered_json report = GetReport();
    if (report.is_null())
    {
        return;
    }
    const auto& events = report["events"];
    const auto& episodes = report["episodes"];
    std::ostringstream share; // the caller's stream keeps its format
    share << std::fixed << std::setprecision(2) << 100 * events["skippedShare"].get<double>();
    out << "packet-hops: " << events["run"] << " run, " << events["skipped"] << " skipped, "
        << events["replayed"] << " replayed: " << share.str() << " % left out\n"
        << "episodes: " << episodes["found"] << " found, " << episodes["stored"] << " stored\n";
    const auto& audit = report["audit"];
    const auto audited = audit["audited"].get<uint64_t>();
    std::ostringstream errors;
    if (audited > 0)
    {
        errors << std::fixed << std::setprecision(2) << ", mean error "
               << 100 * audit["meanError"].get<double>() << " %, largest "
               << 100 * audit["largestError"].get<double>() << " %, " << audit["thrownOut"]
               << " episodes thrown out";
    }
    out << "audited: " << (audited > 0 ? std::to_string(audited) : "none") << " of "
        << audit["leftOut"] << " replays and skips" << errors.str() << "\n";
    if (report["drawn"] > 0)
    {
        out << "drawn: " << report["drawn"] << " bytes of flows that are alike\n";
    }
}

} // namespace ns3
