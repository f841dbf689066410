/*
 * SPDX-License-Identifier: MIT
 */

// Who moves how much in the toy, and when that brings something about. The loop:
// fluid-simulator.cc.

#include "simulator/fluid-simulator.h"

#include <algorithm>

namespace wormhole
{

/** At ports that run: as of now. At others: as of their pause, which is checked to be now. */
void
FluidSimulator::Join(Flow& flow)
{
    for (const PortId port : flow.path)
    {
        FluidPort& fluid = m_fluidPorts[port.Value()];
        if (m_ports[port.Value()].condition == Condition::Running)
        {
            fluid.MoveTo(m_now);
        }
        fluid.inflow += flow.fluid.rate;
    }
    flow.joined = true;
    m_sharesStale = true;
}

/** From ports that are as of now, or that do not run. */
void
FluidSimulator::Leave(Flow& flow)
{
    for (const PortId port : flow.path)
    {
        FluidPort& fluid = m_fluidPorts[port.Value()];
        if (m_ports[port.Value()].condition == Condition::Running)
        {
            fluid.MoveTo(m_clock);
        }
        fluid.inflow -= flow.fluid.rate;
    }
    flow.joined = false;
    m_sharesStale = true;
    for (const PortId port : flow.path)
    {
        FreeIfUnused(port);
    }
}

/** A port that no flow is left to wake with runs from now on, empty: what waits at a port belongs
 * to flows that still have to deliver it. */
void
FluidSimulator::FreeIfUnused(PortId port)
{
    const bool used = std::any_of(m_flows.begin(), m_flows.end(), [port](const Flow& flow) {
        return IsAt(flow, port);
    });
    if (!used)
    {
        m_ports[port.Value()] = {};
        FluidPort& fluid = m_fluidPorts[port.Value()];
        fluid.inflow = 0;
        fluid.queue = 0;
        fluid.since = m_clock;
    }
}

/** The ports of \p flow must be as of now. */
void
FluidSimulator::SetRate(Flow& flow, FluidRate rate)
{
    for (const PortId port : flow.path)
    {
        m_fluidPorts[port.Value()].inflow += rate - flow.fluid.rate;
    }
    flow.fluid.rate = rate;
}

void
FluidSimulator::StallIfCut(Flow& flow)
{
    if (!IsCut(flow.path) || flow.condition == Condition::Evicted)
    {
        return;
    }
    flow.fluid.MoveTo(TimeOf(flow));
    flow.fluid.Deliver();
    for (const PortId port : flow.path)
    {
        m_fluidPorts[port.Value()].MoveTo(TimeOf(flow));
    }
    SetRate(flow, 0);
    Reschedule(flow);
}

bool
FluidSimulator::IsAt(const Flow& flow, PortId port)
{
    return flow.joined && std::find(flow.path.begin(), flow.path.end(), port) != flow.path.end();
}

bool
FluidSimulator::IsCut(const std::vector<PortId>& path) const
{
    return std::any_of(path.begin(), path.end(), [this](PortId port) {
        return m_fluidPorts[port.Value()].capacity == 0;
    });
}

void
FluidSimulator::RefreshShares()
{
    std::vector<Flow*> joined;
    std::vector<FairShare> shares;
    for (Flow& flow : m_flows)
    {
        if (flow.joined)
        {
            joined.push_back(&flow);
            shares.push_back({&flow.path, flow.lineRate});
        }
    }
    ComputeFairShares(m_fluidPorts, shares);
    for (std::size_t i = 0; i < joined.size(); ++i)
    {
        joined[i]->share = shares[i].share;
    }
    m_sharesStale = false;
}

/** \return the share of \p flow, or less where queues stand on its path */
FluidRate
FluidSimulator::SlowedDown(const Flow& flow) const
{
    std::int64_t level = 0; // in 1/1024 of the queue that counts in full
    for (const PortId id : flow.path)
    {
        const FluidPort& port = m_fluidPorts[id.Value()];
        const PicoBytes unit = port.capacity * m_scenario.patience.count() / 1024;
        level = unit > 0 ? std::max(level, std::min<std::int64_t>(port.queue / unit, 1024)) : level;
    }
    return flow.share - flow.share / 4096 * level;
}

void
FluidSimulator::Schedule(Flow& flow)
{
    const FluidFlow::Next next = flow.fluid.NextEvent();
    flow.pending = {next.time, next.isEnd ? flow.endPlace : flow.tickPlace};
    if (flow.condition == Condition::Running && !flow.late)
    {
        Enqueue(flow);
    }
}

void
FluidSimulator::Enqueue(const Flow& flow)
{
    m_events.emplace(*flow.pending, IdOf(flow).Value());
}

void
FluidSimulator::Reschedule(Flow& flow)
{
    if (flow.pending)
    {
        m_events.erase(*flow.pending); // none, if it does not run
    }
    Schedule(flow);
}

} // namespace wormhole
