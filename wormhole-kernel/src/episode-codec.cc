/*
 * SPDX-License-Identifier: MIT
 */
#include "episode-codec.h"

#include "byte-codec.h"
#include "wormhole/error.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace wormhole
{
namespace
{

/** Writes \p blob as runs of bytes that are those of \p before at the same place, and others. */
void
WriteBlob(ByteWriter& writer, std::string_view blob, std::string_view before)
{
    writer.Unsigned(blob.size());
    const std::size_t shared = std::min(blob.size(), before.size());
    const auto isSame = [&](std::size_t at) { return at < shared && blob[at] == before[at]; };
    for (std::size_t done = 0; done < blob.size();)
    {
        std::size_t same = done;
        while (isSame(same))
        {
            ++same;
        }
        writer.Unsigned(same - done);
        // Fewer than three equal bytes are not worth the two numbers that leaving them out takes.
        std::size_t other = same;
        while (other < blob.size() && !(isSame(other) && isSame(other + 1) && isSame(other + 2)))
        {
            ++other;
        }
        if (same < blob.size())
        {
            writer.Text(blob.substr(same, other - same));
        }
        done = other;
    }
}

std::string
ReadBlob(ByteReader& reader, std::string_view before, std::uint64_t limit)
{
    const std::uint64_t size = reader.Limited(limit);
    std::string blob;
    while (blob.size() < size)
    {
        const std::uint64_t same = reader.Unsigned();
        if (same > 0)
        {
            if (blob.size() > before.size() || same > before.size() - blob.size())
            {
                reader.Fail();
                break;
            }
            blob += before.substr(blob.size(), static_cast<std::size_t>(same));
        }
        std::string_view other;
        if (blob.size() < size)
        {
            other = reader.Text();
            blob += other;
        }
        // The second: nothing was added, and so it would go on.
        if (blob.size() > size || (same == 0 && other.empty()) || !reader.Ok())
        {
            reader.Fail();
            break;
        }
    }
    return blob;
}

/** The different state blobs of an episode, in the order in which they first occur. Number 0 is
 * the empty one. */
class BlobTable
{
  public:
    std::uint64_t NumberOf(const StateBlob& blob)
    {
        if (blob.empty())
        {
            return 0;
        }
        const auto [found, isNew] = m_numbers.try_emplace(blob, m_blobs.size() + 1);
        if (isNew)
        {
            m_blobs.emplace_back(blob);
        }
        return found->second;
    }

    void Write(ByteWriter& writer) const
    {
        writer.Unsigned(m_blobs.size());
        std::string_view before;
        for (const std::string_view blob : m_blobs)
        {
            WriteBlob(writer, blob, before);
            before = blob;
        }
    }

  private:
    std::map<std::string_view, std::uint64_t> m_numbers;
    std::vector<std::string_view> m_blobs;
};

std::vector<StateBlob>
ReadBlobs(ByteReader& reader)
{
    std::vector<StateBlob> blobs(1);
    std::uint64_t left = MAX_STATE_BYTES;
    for (std::size_t count = reader.Count(2); count > 0 && reader.Ok(); --count)
    {
        blobs.push_back(ReadBlob(reader, blobs.back(), left));
        left -= std::min<std::uint64_t>(left, blobs.back().size());
    }
    return blobs;
}

/** A copy of the blob whose number comes next, as long as \p left allows. */
StateBlob
TakeBlob(const std::vector<StateBlob>& blobs, std::uint64_t number, std::uint64_t& left)
{
    const StateBlob& blob = blobs[static_cast<std::size_t>(number)];
    left -= std::min<std::uint64_t>(left, blob.size());
    return left == 0 ? StateBlob{} : blob;
}

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
EncodeEpisode(const Episode& episode)
{
    BlobTable blobs;
    ByteWriter body;
    Bytes bytes = 0;
    Bytes inFlight = 0;
    double rate = 0;
    body.Unsigned(episode.flows.size());
    for (const FlowOutcome& flow : episode.flows)
    {
        body.Unsigned(blobs.NumberOf(flow.control) << 1 | (flow.completed ? 1 : 0));
        body.Delta(flow.bytes, bytes);
        body.Delta(flow.inFlight, inFlight);
        body.Double(flow.endRate.InBytesPerSecond(), rate);
        bytes = flow.bytes;
        inFlight = flow.inFlight;
        rate = flow.endRate.InBytesPerSecond();
    }
    std::uint32_t flow = 0;
    Bytes queue = 0;
    body.Unsigned(episode.ports.size());
    for (const PortOutcome& port : episode.ports)
    {
        body.Unsigned(blobs.NumberOf(port.state));
        body.Delta(port.flow, flow);
        body.Unsigned(port.hop);
        body.Delta(port.queue, queue);
        flow = port.flow;
        queue = port.queue;
    }

    ByteWriter writer;
    writer.Byte(static_cast<std::uint8_t>(episode.end));
    writer.Signed(episode.duration.count());
    writer.Signed(episode.verified.count());
    writer.Unsigned(episode.events);
    blobs.Write(writer);
    writer.Raw(body.Take());
    return writer.Take();
}

std::optional<Episode>
DecodeEpisode(std::string_view bytes)
{
    ByteReader reader(bytes);
    Episode episode;
    episode.end = static_cast<EpisodeEnd>(reader.Limited(1));
    episode.duration = Duration{reader.Signed()};
    episode.verified = Duration{reader.Signed()};
    episode.events = reader.Unsigned();

    const std::vector<StateBlob> blobs = ReadBlobs(reader);
    std::uint64_t left = MAX_STATE_BYTES;
    Bytes delivered = 0;
    Bytes inFlight = 0;
    double rate = 0;
    for (std::size_t count = reader.Count(4); count > 0 && reader.Ok(); --count)
    {
        FlowOutcome flow;
        const std::uint64_t state = reader.Limited(blobs.size() * 2 - 1);
        flow.completed = (state & 1) != 0;
        flow.control = TakeBlob(blobs, state >> 1, left);
        flow.bytes = delivered = reader.Delta(delivered);
        flow.inFlight = inFlight = reader.Delta(inFlight);
        rate = reader.Double(rate);
        flow.endRate = Rate::BytesPerSecond(rate);
        episode.flows.push_back(std::move(flow));
    }
    std::uint64_t flow = 0;
    Bytes queue = 0;
    for (std::size_t count = reader.Count(4); count > 0 && reader.Ok(); --count)
    {
        PortOutcome port;
        port.state = TakeBlob(blobs, reader.Limited(blobs.size() - 1), left);
        flow = reader.Delta(flow);
        port.flow = static_cast<std::uint32_t>(flow);
        port.hop = static_cast<std::uint32_t>(reader.Limited(UINT32_MAX));
        port.queue = queue = reader.Delta(queue);
        if (flow >= episode.flows.size())
        {
            reader.Fail();
        }
        episode.ports.push_back(std::move(port));
    }
    if (!reader.Done() || left == 0)
    {
        return std::nullopt;
    }
    return episode;
}

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
            bytesLeft = *graph.Flow(vertex).bytesLeft;
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
            flow.bytesLeft = bytesLeft = reader.Delta(bytesLeft);
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

std::string
EncodeRecord(const ConflictGraph& graph, const Episode& episode)
{
    ByteWriter writer;
    writer.Text(EncodeGraph(graph));
    writer.Raw(EncodeEpisode(episode));
    return writer.Take();
}

std::optional<EpisodeRecord>
DecodeRecord(std::string_view bytes)
{
    ByteReader reader(bytes);
    const std::string_view graphBytes = reader.Text();
    auto graph = DecodeGraph(graphBytes);
    auto episode = DecodeEpisode(reader.Rest());
    if (!graph || !episode || !FitsGraph(*episode, *graph))
    {
        return std::nullopt;
    }
    return EpisodeRecord{std::move(*graph), std::move(*episode)};
}

bool
FitsGraph(const Episode& episode, const ConflictGraph& graph)
{
    return episode.flows.size() == graph.FlowCount() &&
           std::all_of(episode.ports.begin(), episode.ports.end(), [&](const PortOutcome& port) {
               return port.flow < graph.FlowCount();
           });
}

} // namespace wormhole
