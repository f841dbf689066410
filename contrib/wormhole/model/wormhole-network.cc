/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wormhole-network.h"

#include "wormhole/memory-episode-store.h"
#include "wormhole/sqlite-episode-store.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iostream>
#include <sstream>

// The network from its start to its end, with the alarms of the controller.

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("WormholeNetwork");

namespace
{

using wormhole::FlowId;

void
Warn(const std::string& warning)
{
    std::cerr << "wormhole: warning: " << warning << std::endl;
}

/** \return "partition 7 of 8 flows: Running -> Skipping, Steady, for +12.5us" */
std::string
DecisionText(const wormhole::Decision& d)
{
    std::ostringstream text;
    text << "partition " << d.partition.Value() << " of " << d.flows
         << (d.flows == 1 ? " flow: " : " flows: ") << ToString(d.from);
    if (d.from != d.to)
    {
        text << " -> " << ToString(d.to);
    }
    text << ", " << ToString(d.reason);
    if (d.span.count() > 0)
    {
        text << ", for " << TimeStep(static_cast<uint64_t>(d.span.count())).As(Time::US);
    }
    return text.str();
}

} // namespace

WormholeNetwork::WormholeNetwork(RdmaNetwork& network, const WormholeOptions& options)
    : m_network(network),
      m_options(options),
      m_packets(network),
      m_kernelSeconds(1000.0 / static_cast<double>(network.GetContext().clock.StepsPerNs())),
      m_ports(network, m_fingerprint),
      m_alarm(this),
      m_touch(this)
{
    NS_ABORT_MSG_IF(network.GetContext().clock.StepsPerNs() < 1,
                    "WormholeSimulatorImpl: ns-3's time resolution is coarser than a nanosecond; "
                    "call Time::SetResolution(Time::NS) or finer first");
    if (options.memo && options.memoFile.empty())
    {
        m_store = std::make_unique<wormhole::MemoryEpisodeStore>();
    }
    else if (options.memo)
    {
        m_store = std::make_unique<wormhole::SqliteEpisodeStore>(
            options.memoFile,
            WormholeFingerprint::OfNetwork(network, options),
            Warn);
    }
    m_options.controller.seed = network.GetContext().seed;
    m_controller =
        std::make_unique<wormhole::Controller>(*this, m_store.get(), m_options.controller);
    CountHosts();
    network.SetFlowObserver(this);
    NS_LOG_INFO("network of " << network.GetNodeCount() << " nodes; episodes: "
                              << (!options.memo              ? "none"
                                  : options.memoFile.empty() ? "in memory"
                                                             : options.memoFile));
}

WormholeNetwork::~WormholeNetwork()
{
    m_network.SetFlowObserver(nullptr);
}

wormhole::Time
WormholeNetwork::Now() const
{
    return wormhole::Time{wormhole::Duration{m_network.GetContext().eventQueue->Now()}};
}

wormhole::Rate
WormholeNetwork::RateOf(uint64_t bitsPerSecond) const
{
    return wormhole::Rate::BitsPerSecond(static_cast<double>(bitsPerSecond) * m_kernelSeconds);
}

uint64_t
WormholeNetwork::GetDelivered(const RdmaQueuePair& qp) const
{
    return GetDelivered(qp, m_network.GetContext().eventQueue->Now());
}

uint64_t
WormholeNetwork::GetDelivered(const RdmaQueuePair& qp, int64_t time) const
{
    const FlowId id{qp.GetId()};
    return m_controller->Partitions().Contains(id)
               ? m_controller->DeliveredBy(id, wormhole::Time{wormhole::Duration{time}})
               : RdmaPacketState::GetDelivered(qp);
}

void
WormholeNetwork::SetDecisionHandler(wormhole::DecisionHandler handler)
{
    m_controller->SetDecisionHandler(
        [handler = std::move(handler)](const wormhole::Decision& decision) {
            NS_LOG(decision.from == decision.to ? LOG_LOGIC : LOG_INFO, DecisionText(decision));
            handler(decision);
        });
}

void
WormholeNetwork::CheckControl(const RdmaQueuePair& qp)
{
    const RdmaCongestionControl* control = qp.GetCongestionControl();
    std::vector<uint8_t> state;
    if (!m_store || !control || !m_checkedControls.insert(control->GetInstanceTypeId()).second)
    {
        return;
    }
    if (control->GetTelemetry() == RdmaTelemetry::PINT)
    {
        Warn(control->GetInstanceTypeId().GetName() +
             ": switches draw for each frame what they tell of their links, so what its flows do "
             "before they are steady is not remembered and replayed");
        return;
    }
    if (control->SaveState(qp, state))
    {
        return;
    }
    Warn(control->GetInstanceTypeId().GetName() +
         " has no SaveState: its flows are skipped while they are steady, but what they do before "
         "is not remembered and replayed; write SaveState and LoadState "
         "(rdma-congestion-control.h)");
}

// ---- alarms

void
WormholeNetwork::Rearm()
{
    if (m_late)
    {
        return; // whoever let it catch up rearms
    }
    RdmaEventQueue& eventQueue = *m_network.GetContext().eventQueue;
    const auto alarm = m_controller->NextAlarm();
    if (!alarm)
    {
        eventQueue.Cancel(m_alarm);
        return;
    }
    const int64_t time = std::max<int64_t>(alarm->time_since_epoch().count(), eventQueue.Now());
    if (!m_alarm.IsPending() || m_alarm.GetTime() != time)
    {
        eventQueue.ScheduleAt(m_alarm, time, eventQueue.TakeEndPlace());
    }
}

void
WormholeNetwork::RunAlarm()
{
    RdmaEventQueue& eventQueue = *m_network.GetContext().eventQueue;
    eventQueue.SetNow(
        eventQueue.Now(),
        eventQueue.ReserveSequence()); // places of the end of an instant are ours alone
    const bool wasSuspended = m_controller->IsSuspended();
    m_controller->RunAlarms(Now());
    if (m_controller->IsSuspended() != wasSuspended)
    {
        NS_LOG_INFO("fast-forward is " << (wasSuspended ? "resumed" : "suspended") << ", with "
                                       << GetFlowCount() << " flows under way");
    }
    if (m_controller->IsSuspended() && !wasSuspended)
    {
        m_packets.Launch();
        eventQueue.DropOutdated(); // of which starts and alarms leave many
    }
    ArmTouch();
    if (!IsOver())
    {
        Rearm();
    }
}

bool
WormholeNetwork::IsOver() const
{
    // Flows that are stuck for ever would be looked at for ever.
    if (!ns3::Simulator::IsFinished())
    {
        return false;
    }
    if (m_controller->IsSuspended())
    {
        return true;
    }
    const auto alarm = m_controller->NextAlarm();
    return alarm && *alarm > Now() &&
           std::none_of(m_flows.begin(), m_flows.end(), [this](const auto& item) {
               const auto partition = m_controller->Partitions().PartitionOf(FlowId{item.first});
               const auto state = m_controller->StateOf(partition);
               return state == wormhole::PartitionState::Skipping ||
                      state == wormhole::PartitionState::Replaying;
           });
}

void
WormholeNetwork::Finish()
{
    NS_LOG_INFO("the simulation stops: " << GetFlowCount() << " flows are brought to the present");
    m_controller->Finish(Now());
    Rearm();
}

} // namespace ns3
