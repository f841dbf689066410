/*
 * SPDX-License-Identifier: MIT
 */
#include "tracking/key-builder.h"

#include <algorithm>
#include <limits>

namespace wormhole
{
namespace
{

/** A flow may complete first if, at the rates of the start, it needs at most this many times what
 * the quickest one needs. Rates change in a transient, hence more than 1; what is left of each such
 * flow must agree for an episode to be found, hence not much more. */
constexpr double COMPLETION_SPREAD = 2;

/** Bytes in flight below this part of a flow's tail are as good as none. */
constexpr Bytes IN_FLIGHT_SLACK_SHARE = 8;

/** ... unless they are more than this part of what is left: the flow ends sooner by as much. Those
 * of a ring begin one after another. By how much each is ahead of its neighbours makes them differ
 * more at the next step, so it must not be taken for nothing. */
constexpr Bytes AHEAD_SHARE = 1024;

/** Units that bytes in flight are counted in are powers of two, fewer than this. */
constexpr std::int32_t UNITS = 64;

/**
 * How far ahead a flow is that has sent \p inFlight and delivered nothing: in the same time, it
 * delivers so many bytes more than one that begins.
 * \param slack bytes that do not matter
 * \return a negative number, so that it is no class of flows that have delivered some. Two flows
 * with the same number are less than \p slack apart
 */
std::int32_t
AheadClass(Bytes inFlight, Bytes slack)
{
    std::int32_t unit = 0;
    while (unit + 1 < UNITS && (slack >> (unit + 1)) > 0)
    {
        ++unit;
    }
    constexpr Bytes MOST = 1 << 20; // whatever a simulator says
    return -1 - unit - UNITS * static_cast<std::int32_t>(std::min(inFlight >> unit, MOST));
}

} // namespace

KeyBuilder::KeyBuilder(const Simulator& simulator,
                       const PartitionMap& partitions,
                       const PacketState& packets,
                       const PartitionMembers& members,
                       const KeyOptions& options,
                       ConflictGraph::Builder& graphs)
    : m_simulator(simulator),
      m_partitions(partitions),
      m_packets(packets),
      m_members(members),
      m_options(options),
      m_graphs(graphs)
{
    m_starts.reserve(members.flows.size());
    double quickest = std::numeric_limits<double>::infinity();
    for (const FlowRecord* flow : members.flows)
    {
        m_starts.push_back(StartOf(*flow));
        quickest = std::min(quickest, m_starts.back().needs);
    }
    m_mayComplete.reserve(m_starts.size());
    for (const Start& start : m_starts)
    {
        m_mayComplete.push_back(start.needs <= COMPLETION_SPREAD * quickest);
    }
}

KeyBuilder::Start
KeyBuilder::StartOf(const FlowRecord& flow) const
{
    const FlowProgress progress = m_simulator.Observe(flow.id);
    const double rate = flow.steady.value_or(progress.rate).InBytesPerSecond();
    const Bytes inFlight =
        flow.episode ? flow.episode->flows[flow.index].inFlight : progress.inFlight;
    Start start{m_simulator.Describe(flow.id),
                progress.left,
                rate > 0 ? static_cast<double>(progress.left) / rate
                         : std::numeric_limits<double>::infinity()};
    start.attributes.startRateClass = QuantiseLog(rate, m_options.rateStep);
    // A part of what will be in flight does not matter: flows that started together did so within
    // some packets.
    const Bytes slack =
        std::min(m_simulator.TailOf(flow.id, Rate::BytesPerSecond(rate)) / IN_FLIGHT_SLACK_SHARE,
                 progress.left / AHEAD_SHARE);
    start.attributes.inFlightClass =
        progress.delivered == 0 && inFlight > slack
            ? AheadClass(inFlight, slack)
            : QuantiseLog(inFlight > slack ? static_cast<double>(inFlight) : 0,
                          m_options.queueStep);
    start.attributes.bytesLeft.reset();
    return start;
}

ConflictGraph
KeyBuilder::Converged() const
{
    return Build(false);
}

ConflictGraph
KeyBuilder::Completed() const
{
    return Build(true);
}

ConflictGraph
KeyBuilder::Build(bool withBytesLeft) const
{
    for (std::size_t i = 0; i < m_starts.size(); ++i)
    {
        FlowAttributes attributes = m_starts[i].attributes;
        if (withBytesLeft && m_mayComplete[i])
        {
            attributes.bytesLeft = m_starts[i].left;
        }
        m_graphs.AddFlow(attributes, m_partitions.PortsOf(m_members.ids.flows[i]));
    }
    if (m_options.detail == GraphDetail::Ports)
    {
        for (const PortId port : m_members.ids.ports)
        {
            const Bytes queue = m_packets.QueueOf(port);
            PortAttributes attributes = m_simulator.Describe(port);
            attributes.queueClass =
                QuantiseLog(queue > m_options.queueSlack ? static_cast<double>(queue) : 0,
                            m_options.queueStep);
            m_graphs.AddPort(port, attributes);
        }
    }
    return m_graphs.Build();
}

} // namespace wormhole
