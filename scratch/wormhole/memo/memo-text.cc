/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "memo-text.h"

#include "terminal/units-text.h"
#include "wormhole/episode-json.h"

#include <cstdint>
#include <ctime>

namespace wormhole
{

using Json = nlohmann::ordered_json;

namespace
{

constexpr size_t DIGITS = 12; // of a signature that people are shown

std::string
Left(const std::string& text, size_t width)
{
    return text + std::string(text.size() < width ? width - text.size() : 1, ' ');
}

double
Nanoseconds(Duration duration)
{
    return static_cast<double>(duration.count()) / 1000;
}

const char*
EndText(const Episode& episode)
{
    return episode.end == EpisodeEnd::Converged ? "converged" : "completed";
}

uint64_t
BytesOf(const Episode& episode)
{
    uint64_t bytes = 0;
    for (const FlowOutcome& flow : episode.flows)
    {
        bytes += flow.bytes;
    }
    return bytes;
}

/** UTC, whatever the machine's time zone. */
std::string
TimeOfDay(WallTime time)
{
    const auto seconds = static_cast<std::time_t>(time.count() / 1000);
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    char text[32];
    std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

std::string
RateText(double bitsPerSecond)
{
    return FixedText(bitsPerSecond / 1e9, 3) + " Gb/s";
}

/** \return name of a vertex: f0, f1, ... and p0, p1, ... */
std::string
VertexName(const ConflictGraph& graph, uint32_t vertex)
{
    const bool flow = vertex < graph.FlowCount();
    return (flow ? "f" : "p") + std::to_string(flow ? vertex : vertex - graph.FlowCount());
}

/** \return the class of a quantity as QuantiseLog counts them: "none" of zero, "infinite" */
std::string
ClassText(int32_t number)
{
    switch (number)
    {
    case INT32_MIN:
        return "none";
    case INT32_MAX:
        return "infinite";
    default:
        return std::to_string(number);
    }
}

std::string
VertexText(const ConflictGraph& graph, uint32_t vertex)
{
    if (vertex >= graph.FlowCount())
    {
        const PortAttributes& port = graph.Port(vertex);
        return RateText(static_cast<double>(port.rate)) + ", classes of delay " +
               ClassText(port.delayClass) + ", queue " + ClassText(port.queueClass) +
               ", background " + ClassText(port.backgroundClass);
    }
    const FlowAttributes& flow = graph.Flow(vertex);
    return RateText(static_cast<double>(flow.lineRate)) + ", classes of RTT " +
           ClassText(flow.baseRttClass) + ", rate " + ClassText(flow.startRateClass) +
           ", in flight " + ClassText(flow.inFlightClass) +
           (flow.bytesLeft ? ", " + CountText(*flow.bytesLeft) + " bytes left" : "");
}

std::string
GraphText(const ConflictGraph& graph)
{
    std::string text;
    for (uint32_t vertex = 0; vertex < graph.VertexCount(); ++vertex)
    {
        text += "  " + Left(VertexName(graph, vertex), 6) + VertexText(graph, vertex) + "\n";
        std::string edges;
        for (const ConflictGraph::Edge& edge : graph.Edges(vertex))
        {
            edges += (edges.empty() ? "" : ", ") + VertexName(graph, edge.neighbour) +
                     (graph.Detail() == GraphDetail::Ports ? " at hop " : " sharing ports: ") +
                     std::to_string(edge.label);
        }
        text += edges.empty() || vertex >= graph.FlowCount() ? "" : "        meets " + edges + "\n";
    }
    return text;
}

std::string
OutcomeText(const Episode& episode)
{
    std::string text;
    for (size_t i = 0; i < episode.flows.size(); ++i)
    {
        const FlowOutcome& flow = episode.flows[i];
        text +=
            "  " + Left("f" + std::to_string(i), 6) + CountText(flow.bytes) + " bytes delivered, " +
            (flow.completed ? "completed" : "then " + RateText(flow.endRate.InBitsPerSecond())) +
            "\n";
    }
    for (const PortOutcome& port : episode.ports)
    {
        text += "  hop " + std::to_string(port.hop) + " of f" + std::to_string(port.flow) + ": " +
                CountText(port.queue) + " bytes queued\n";
    }
    return text;
}

} // namespace

std::string
EpisodeHeadText()
{
    return "     #  signature     fingerprint   end         flows  ports    duration          bytes"
           "     events    size  last use\n";
}

std::string
EpisodeRowText(uint64_t number, const StoredEpisode& stored)
{
    const auto right = [](const std::string& text, size_t width) {
        return std::string(text.size() < width ? width - text.size() : 1, ' ') + text;
    };
    const Episode& episode = stored.episode;
    return right(std::to_string(number), 6) + "  " +
           Left(stored.signature.ToString().substr(0, DIGITS), DIGITS + 2) +
           Left(stored.fingerprint.ToString().substr(0, DIGITS), DIGITS + 2) +
           Left(EndText(episode), 10) + right(CountText(stored.graph.FlowCount()), 7) +
           right(CountText(stored.graph.PortCount()), 7) +
           right(TimeText(Nanoseconds(episode.duration)), 12) +
           right(CountText(BytesOf(episode)), 15) + right(CountText(episode.events), 11) +
           right(CountText(stored.bytes), 8) + "  " + TimeOfDay(stored.lastUse) + "\n";
}

Json
EpisodeSummaryJson(uint64_t number, const StoredEpisode& stored)
{
    const Episode& episode = stored.episode;
    return {{"number", number},
            {"signature", stored.signature.ToString()},
            {"fingerprint", stored.fingerprint.ToString()},
            {"end", EndText(episode)},
            {"flows", stored.graph.FlowCount()},
            {"ports", stored.graph.PortCount()},
            {"edges", stored.graph.EdgeCount()},
            {"duration_ns", Nanoseconds(episode.duration)},
            {"verified_ns", Nanoseconds(episode.verified)},
            {"bytes", BytesOf(episode)},
            {"events", episode.events},
            {"stored_bytes", stored.bytes},
            {"last_use", TimeOfDay(stored.lastUse)}};
}

Json
EpisodeDetailJson(const StoredEpisode& stored)
{
    return ToJson(stored.episode);
}

std::string
EpisodeText(uint64_t number, const StoredEpisode& stored)
{
    const Episode& episode = stored.episode;
    std::string text = "episode " + std::to_string(number) + ", " + EndText(episode) + " after " +
                       TimeText(Nanoseconds(episode.duration)) + ", " + CountText(episode.events) +
                       " events to simulate\n";
    text += "signature   " + stored.signature.ToString() + "\n";
    text += "fingerprint " + stored.fingerprint.ToString() + " of the configuration\n";
    text +=
        episode.end == EpisodeEnd::Converged
            ? "its rates are known to hold for " + TimeText(Nanoseconds(episode.verified)) + "\n"
            : "";
    text += "\nit starts with\n" + GraphText(stored.graph);
    return text + "\nit ends with\n" + OutcomeText(episode);
}

std::string
EpisodeDot(const StoredEpisode& stored)
{
    const ConflictGraph& graph = stored.graph;
    std::string dot = "graph episode {\n";
    for (uint32_t vertex = 0; vertex < graph.VertexCount(); ++vertex)
    {
        const std::string name = VertexName(graph, vertex);
        dot.append("  ").append(name);
        dot.append(vertex < graph.FlowCount() ? " [shape=ellipse" : " [shape=box");
        dot.append(", label=\"").append(name).append("\\n");
        dot.append(VertexText(graph, vertex)).append("\"];\n");
    }
    for (uint32_t vertex = 0; vertex < graph.VertexCount(); ++vertex)
    {
        for (const ConflictGraph::Edge& edge : graph.Edges(vertex))
        {
            if (vertex < edge.neighbour) // each is seen from both its ends
            {
                dot += "  " + VertexName(graph, vertex) + " -- " +
                       VertexName(graph, edge.neighbour) + " [label=\"" +
                       std::to_string(edge.label) + "\"];\n";
            }
        }
    }
    return dot + "}\n";
}

} // namespace wormhole
