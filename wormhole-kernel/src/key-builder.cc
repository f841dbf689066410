/*
 * SPDX-License-Identifier: MIT
 */
#include "key-builder.h"

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

/** A flow as its transient starts. */
struct Start
{
    FlowAttributes attributes;
    Bytes left;
    double needs; //!< seconds up to its completion at the rate of the start
};

Start
StartOf(const Simulator& simulator, const FlowRecord& flow, const KeyOptions& options)
{
    const FlowProgress progress = simulator.Observe(flow.id);
    const double rate = flow.steady.value_or(progress.rate).InBytesPerSecond();
    Start start{simulator.Describe(flow.id),
                progress.left,
                rate > 0 ? static_cast<double>(progress.left) / rate
                         : std::numeric_limits<double>::infinity()};
    const Bytes inFlight =
        flow.episode ? flow.episode->flows[flow.index].inFlight : progress.inFlight;
    start.attributes.startRateClass = QuantiseLog(rate, options.rateStep);
    start.attributes.inFlightClass = QuantiseLog(static_cast<double>(inFlight), options.queueStep);
    return start;
}

} // namespace

EpisodeKeys
BuildKeys(const Simulator& simulator,
          const PartitionMap& partitions,
          const PacketState& packets,
          const PartitionMembers& members,
          const KeyOptions& options)
{
    std::vector<Start> starts;
    starts.reserve(members.flows.size());
    double quickest = std::numeric_limits<double>::infinity();
    for (const FlowRecord* flow : members.flows)
    {
        starts.push_back(StartOf(simulator, *flow, options));
        quickest = std::min(quickest, starts.back().needs);
    }

    ConflictGraph::Builder converged(options.detail);
    ConflictGraph::Builder completed(options.detail);
    std::vector<bool> mayComplete;
    mayComplete.reserve(starts.size());
    for (std::size_t i = 0; i < starts.size(); ++i)
    {
        Start& start = starts[i];
        const auto& path = partitions.PortsOf(members.ids.flows[i]);
        mayComplete.push_back(start.needs <= COMPLETION_SPREAD * quickest);
        start.attributes.bytesLeft.reset();
        converged.AddFlow(start.attributes, path);
        if (mayComplete.back())
        {
            start.attributes.bytesLeft = start.left;
        }
        completed.AddFlow(start.attributes, path);
    }
    if (options.detail == GraphDetail::Ports)
    {
        for (const PortId port : members.ids.ports)
        {
            PortAttributes attributes = simulator.Describe(port);
            const Bytes queue = packets.QueueOf(port);
            attributes.queueClass =
                QuantiseLog(queue > options.queueSlack ? static_cast<double>(queue) : 0,
                            options.queueStep);
            converged.AddPort(port, attributes);
            completed.AddPort(port, attributes);
        }
    }
    return {converged.Build(), completed.Build(), std::move(mayComplete)};
}

} // namespace wormhole
