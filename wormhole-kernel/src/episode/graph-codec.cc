/*
 * SPDX-License-Identifier: MIT
 */
#include "episode/graph-codec.h"

#include "episode/byte-codec.h"
#include "wormhole/error.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace wormhole
{
namespace
{

/** What of a flow is often the same for many. */
auto
KindOf(const FlowAttributes& flow)
{
    return std::make_tuple(flow.control,
                           flow.lineRate,
                           flow.baseRttClass,
                           flow.startRateClass,
                           flow.inFlightClass,
                           flow.extra,
                           flow.bytesLeft.has_value());
}

auto
KindOf(const PortAttributes& port)
{
    return std::make_tuple(port.rate,
                           port.delayClass,
                           port.queueClass,
                           port.backgroundClass,
                           port.extra);
}

void
WriteKind(ByteWriter& writer, const FlowAttributes& flow)
{
    writer.Word(flow.control);
    writer.Unsigned(flow.lineRate);
    writer.Signed(flow.baseRttClass);
    writer.Signed(flow.startRateClass);
    writer.Signed(flow.inFlightClass);
    writer.Unsigned(flow.extra);
    writer.Byte(flow.bytesLeft ? 1 : 0);
}

void
WriteKind(ByteWriter& writer, const PortAttributes& port)
{
    writer.Unsigned(port.rate);
    writer.Signed(port.delayClass);
    writer.Signed(port.queueClass);
    writer.Signed(port.backgroundClass);
    writer.Unsigned(port.extra);
}

std::int32_t
ReadClass(ByteReader& reader)
{
    const std::int64_t value = reader.Signed();
    if (value < INT32_MIN || value > INT32_MAX)
    {
        reader.Fail();
        return 0;
    }
    return static_cast<std::int32_t>(value);
}

void
ReadKind(ByteReader& reader, FlowAttributes& flow)
{
    flow.control = reader.Word();
    flow.lineRate = reader.Unsigned();
    flow.baseRttClass = ReadClass(reader);
    flow.startRateClass = ReadClass(reader);
    flow.inFlightClass = ReadClass(reader);
    flow.extra = reader.Unsigned();
    if (reader.Limited(1) == 1)
    {
        flow.bytesLeft = 0;
    }
}

void
ReadKind(ByteReader& reader, PortAttributes& port)
{
    port.rate = reader.Unsigned();
    port.delayClass = ReadClass(reader);
    port.queueClass = ReadClass(reader);
    port.backgroundClass = ReadClass(reader);
    port.extra = reader.Unsigned();
}

/** Each vertex by the number of its kind; a kind is written out where it first occurs. */
template <class At>
void
WriteVertices(ByteWriter& writer, std::uint32_t begin, std::uint32_t end, At&& at)
{
    writer.Unsigned(end - begin);
    std::map<decltype(KindOf(at(begin))), std::size_t> kinds;
    for (std::uint32_t i = begin; i < end; ++i)
    {
        const auto [kind, isNew] = kinds.try_emplace(KindOf(at(i)), kinds.size());
        writer.Unsigned(kind->second);
        if (isNew)
        {
            WriteKind(writer, at(i));
        }
    }
}

template <class Attributes>
std::vector<Attributes>
ReadVertices(ByteReader& reader)
{
    std::vector<Attributes> vertices;
    std::vector<Attributes> kinds;
    for (std::size_t count = reader.Count(1); count > 0 && reader.Ok(); --count)
    {
        const std::uint64_t kind = reader.Limited(kinds.size());
        if (kind == kinds.size())
        {
            ReadKind(reader, kinds.emplace_back());
        }
        vertices.push_back(kinds[static_cast<std::size_t>(kind)]);
    }
    return vertices;
}

/** The edges of \p vertex to later ones. */
void
WriteEdges(ByteWriter& writer, const ConflictGraph& graph, std::uint32_t vertex)
{
    const auto edges = graph.Edges(vertex);
    const auto* edge = std::find_if(edges.begin(), edges.end(), [&](const auto& other) {
        return other.neighbour > vertex;
    });
    writer.Unsigned(static_cast<std::uint64_t>(edges.end() - edge));
    std::uint32_t before = vertex;
    for (; edge != edges.end(); ++edge)
    {
        writer.Unsigned(edge->neighbour - before - 1);
        writer.Unsigned(edge->label);
        before = edge->neighbour;
    }
}

void
ReadEdges(ByteReader& reader,
          std::uint32_t vertex,
          std::size_t vertices,
          std::vector<ConflictGraph::FullEdge>& edges)
{
    std::uint32_t before = vertex;
    for (std::size_t count = reader.Count(2); count > 0 && reader.Ok(); --count)
    {
        const std::uint64_t skipped = reader.Limited(vertices - 1 - before);
        const auto label = static_cast<std::uint32_t>(reader.Limited(UINT32_MAX));
        before += static_cast<std::uint32_t>(skipped) + 1;
        edges.push_back({vertex, before, label});
    }
}

} // namespace

std::string
EncodeGraph(const ConflictGraph& graph)
{
    ByteWriter writer;
    writer.Byte(static_cast<std::uint8_t>(graph.Detail()));
    WriteVertices(writer, 0, graph.FlowCount(), [&](std::uint32_t vertex) -> const FlowAttributes& {
        return graph.Flow(vertex);
    });
    Bytes bytesLeft = 0;
    for (std::uint32_t vertex = 0; vertex < graph.FlowCount(); ++vertex)
    {
        if (graph.Flow(vertex).bytesLeft)
        {
            writer.Delta(*graph.Flow(vertex).bytesLeft, bytesLeft);
        }
    }
    WriteVertices(
        writer,
        graph.FlowCount(),
        graph.VertexCount(),
        [&](std::uint32_t vertex) -> const PortAttributes& { return graph.Port(vertex); });
    for (std::uint32_t vertex = 0; vertex < graph.VertexCount(); ++vertex)
    {
        WriteEdges(writer, graph, vertex);
    }
    return writer.Take();
}

std::optional<ConflictGraph>
DecodeGraph(std::string_view bytes)
{
    ByteReader reader(bytes);
    const auto detail = static_cast<GraphDetail>(reader.Limited(1));
    auto flows = ReadVertices<FlowAttributes>(reader);
    Bytes bytesLeft = 0;
    for (FlowAttributes& flow : flows)
    {
        if (flow.bytesLeft)
        {
            flow.bytesLeft = reader.Delta(bytesLeft);
        }
    }
    auto ports = ReadVertices<PortAttributes>(reader);
    std::vector<ConflictGraph::FullEdge> edges;
    const std::size_t vertices = flows.size() + ports.size();
    for (std::size_t vertex = 0; vertex < vertices && reader.Ok(); ++vertex)
    {
        ReadEdges(reader, static_cast<std::uint32_t>(vertex), vertices, edges);
    }
    if (!reader.Done())
    {
        return std::nullopt;
    }
    try
    {
        return ConflictGraph::FromParts(detail, std::move(flows), std::move(ports), edges);
    }
    catch (const UsageError&)
    {
        return std::nullopt;
    }
}

} // namespace wormhole
