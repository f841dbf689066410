/*
 * SPDX-License-Identifier: MIT
 */
#include "episode/episode-samples.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace wormhole::test
{
namespace
{

std::uint64_t
BitsOf(double value)
{
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

} // namespace

ConflictGraph
Incast(std::uint64_t kind, std::uint32_t flows, std::uint32_t rotation)
{
    ConflictGraph::Builder builder(GraphDetail::Ports);
    for (std::uint32_t flow = 0; flow < flows; ++flow)
    {
        FlowAttributes attributes;
        attributes.control = kind;
        attributes.lineRate = 400'000'000'000;
        attributes.extra = (flow + rotation) % flows;
        builder.AddFlow(attributes, {PortId(flow), PortId(flows)});
    }
    for (std::uint32_t port = 0; port <= flows; ++port)
    {
        PortAttributes attributes;
        attributes.rate = 400'000'000'000;
        builder.AddPort(PortId(port), attributes);
    }
    return builder.Build();
}

ConflictGraph
EqualTwin(bool other)
{
    const std::uint32_t ring = other ? 3 : 6;
    std::vector<ConflictGraph::FullEdge> edges;
    for (std::uint32_t flow = 0; flow < 6; ++flow)
    {
        const std::uint32_t base = flow / ring * ring;
        edges.push_back({flow, base + (flow - base + 1) % ring, 1});
    }
    return ConflictGraph::FromParts(GraphDetail::Flows, std::vector<FlowAttributes>(6), {}, edges);
}

Episode
EpisodeOf(std::uint64_t kind, std::uint32_t flows, EpisodeEnd end)
{
    Dice dice(kind);
    Episode episode;
    episode.duration = Duration{static_cast<std::int64_t>(dice(1'000'000'000))};
    episode.end = end;
    episode.verified = Duration{1000};
    episode.events = dice(100'000);
    for (std::uint32_t flow = 0; flow < flows; ++flow)
    {
        FlowOutcome outcome;
        outcome.bytes = dice(10'000'000);
        outcome.inFlight = dice.Word() % 1'000'000;
        outcome.endRate = Rate::BytesPerSecond(static_cast<double>(dice.Word()) / 1e9);
        outcome.control = dice.Text(60 + dice(60));
        episode.flows.push_back(outcome);
    }
    episode.ports.push_back({0, 1, dice(1'000'000), "port"});
    return episode;
}

Episode
RandomEpisode(Dice& dice)
{
    const auto blob = [&]() -> StateBlob {
        static constexpr std::size_t COMMON_SIZE = 40;
        StateBlob common(COMMON_SIZE, 'c');
        switch (dice(5))
        {
        case 0:
            return {};
        case 1:
            return common;
        case 2:
            common[dice(COMMON_SIZE)] = static_cast<char>(dice(256));
            return common + dice.Text(dice(3));
        case 3:
            return common.substr(0, dice(COMMON_SIZE));
        default:
            return dice.Text(dice(300));
        }
    };
    Episode episode;
    episode.duration = Duration{static_cast<std::int64_t>(dice.Any())};
    episode.end = dice(2) ? EpisodeEnd::Completed : EpisodeEnd::Converged;
    episode.verified = Duration{static_cast<std::int64_t>(dice.Any())};
    episode.events = dice.Any();
    for (std::uint64_t flow = dice(20); flow > 0; --flow)
    {
        double rate = 0;
        const std::uint64_t bits = dice.Word();
        std::memcpy(&rate, &bits, sizeof rate);
        episode.flows.push_back({dice.Any(), Rate::BytesPerSecond(rate), dice(2) == 1, blob()});
    }
    for (std::uint64_t port = episode.flows.empty() ? 0 : dice(20); port > 0; --port)
    {
        episode.ports.push_back({static_cast<std::uint32_t>(dice(episode.flows.size())),
                                 static_cast<std::uint32_t>(dice.Any()),
                                 dice.Any(),
                                 blob()});
    }
    return episode;
}

ConflictGraph
RandomGraph(Dice& dice)
{
    const bool hasPorts = dice(2) == 1;
    ConflictGraph::Builder builder(hasPorts ? GraphDetail::Ports : GraphDetail::Flows);
    const auto ports = static_cast<std::uint32_t>(1 + dice(8));
    for (std::uint64_t flow = dice(12); flow > 0; --flow)
    {
        FlowAttributes attributes;
        attributes.control = dice(2) ? 0 : dice.Word();
        attributes.lineRate = dice.Any();
        attributes.baseRttClass = static_cast<std::int32_t>(dice.Word());
        attributes.inFlightClass = static_cast<std::int32_t>(dice(40));
        attributes.startRateClass = static_cast<std::int32_t>(dice(3)) - 1;
        attributes.extra = dice.Any();
        if (dice(2))
        {
            attributes.bytesLeft = dice.Any();
        }
        std::vector<PortId> path;
        for (std::uint64_t hops = dice(5); hops > 0; --hops)
        {
            path.emplace_back(static_cast<std::uint32_t>(dice(ports)));
        }
        builder.AddFlow(attributes, path);
    }
    for (std::uint32_t port = 0; port < ports; ++port)
    {
        PortAttributes attributes;
        attributes.rate = dice(2) ? 100 : dice.Any();
        attributes.delayClass = static_cast<std::int32_t>(dice(2));
        attributes.queueClass = static_cast<std::int32_t>(dice.Word());
        attributes.backgroundClass = INT32_MIN;
        attributes.extra = dice(2);
        builder.AddPort(PortId(port), attributes);
    }
    return builder.Build();
}

bool
SameEpisode(const Episode& a, const Episode& b)
{
    const auto sameFlow = [](const FlowOutcome& x, const FlowOutcome& y) {
        return x.bytes == y.bytes && x.inFlight == y.inFlight &&
               BitsOf(x.endRate.InBytesPerSecond()) == BitsOf(y.endRate.InBytesPerSecond()) &&
               x.completed == y.completed && x.control == y.control;
    };
    const auto samePort = [](const PortOutcome& x, const PortOutcome& y) {
        return x.flow == y.flow && x.hop == y.hop && x.queue == y.queue && x.state == y.state;
    };
    return a.duration == b.duration && a.end == b.end && a.verified == b.verified &&
           a.events == b.events &&
           std::equal(a.flows.begin(), a.flows.end(), b.flows.begin(), b.flows.end(), sameFlow) &&
           std::equal(a.ports.begin(), a.ports.end(), b.ports.begin(), b.ports.end(), samePort);
}

bool
SameGraph(const ConflictGraph& a, const ConflictGraph& b)
{
    if (a.Detail() != b.Detail() || a.FlowCount() != b.FlowCount() ||
        a.VertexCount() != b.VertexCount())
    {
        return false;
    }
    for (std::uint32_t vertex = 0; vertex < a.VertexCount(); ++vertex)
    {
        const auto x = a.Edges(vertex);
        const auto y = b.Edges(vertex);
        const bool isSameKind = vertex < a.FlowCount() ? a.Flow(vertex) == b.Flow(vertex)
                                                       : a.Port(vertex) == b.Port(vertex);
        if (!isSameKind || !std::equal(x.begin(), x.end(), y.begin(), y.end()))
        {
            return false;
        }
    }
    return true;
}

} // namespace wormhole::test
