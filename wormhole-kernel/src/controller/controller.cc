/*
 * SPDX-License-Identifier: MIT
 */
#include "wormhole/controller.h"

#include "controller/controller-impl.h"

#include <utility>

namespace wormhole
{

Controller::Controller(Simulator& simulator, EpisodeStore* store, const ControllerOptions& options)
    : m_impl(std::make_unique<Impl>(simulator, store, options))
{
}

Controller::~Controller() = default;

void
Controller::SetDecisionHandler(DecisionHandler handler)
{
    m_impl->SetDecisionHandler(std::move(handler));
}

void
Controller::SetWarningHandler(WarningHandler handler)
{
    m_impl->SetWarningHandler(std::move(handler));
}

void
Controller::FlowStarted(FlowId flow, const std::vector<PortId>& path, Time now)
{
    m_impl->FlowStarted(flow, path, now);
}

bool
Controller::MayGoBack(PartitionId partition, Time at) const
{
    return m_impl->MayGoBack(partition, at);
}

void
Controller::FlowStartedLate(FlowId flow, const std::vector<PortId>& path, Time at)
{
    m_impl->FlowStartedLate(flow, path, at);
}

void
Controller::FlowEnded(FlowId flow, Time at)
{
    m_impl->FlowEnded(flow, at);
}

void
Controller::FlowRerouted(FlowId flow, const std::vector<PortId>& path, Time now)
{
    m_impl->FlowRerouted(flow, path, now);
}

void
Controller::PortChanged(PortId port, Time now)
{
    m_impl->PortChanged(port, now);
}

void
Controller::LimitNear(PortId port, Time now)
{
    m_impl->LimitNear(port, now);
}

bool
Controller::IsFollowed(PortId port) const
{
    return m_impl->IsFollowed(port);
}

void
Controller::LoadChanged(PortId port, Time now)
{
    m_impl->LoadChanged(port, now);
}

void
Controller::Disturbed(FlowId flow, Time now)
{
    m_impl->Disturbed(flow, now);
}

std::optional<Time>
Controller::NextAlarm() const
{
    return m_impl->NextAlarm();
}

void
Controller::RunAlarms(Time now)
{
    m_impl->RunAlarms(now);
}

void
Controller::Finish(Time now)
{
    m_impl->Finish(now);
}

bool
Controller::IsSuspended() const
{
    return m_impl->IsSuspended();
}

double
Controller::LeastEvents() const
{
    return m_impl->LeastEvents();
}

void
Controller::AddReplayed(std::uint64_t events)
{
    m_impl->AddReplayed(events);
}

bool
Controller::PaysOff() const
{
    return m_impl->PaysOff();
}

bool
Controller::SavesLittle() const
{
    return m_impl->SavesLittle();
}

const PartitionMap&
Controller::Partitions() const
{
    return m_impl->Map();
}

PartitionState
Controller::StateOf(PartitionId partition) const
{
    return m_impl->StateOf(partition);
}

StateCounts
Controller::CountStates() const
{
    return m_impl->CountStates();
}

Bytes
Controller::DeliveredBy(FlowId flow, Time now) const
{
    return m_impl->DeliveredBy(flow, now);
}

const ControllerStatistics&
Controller::Statistics() const
{
    return m_impl->Statistics();
}

} // namespace wormhole
