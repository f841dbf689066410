/*
 * SPDX-License-Identifier: MIT
 */
#include "episode/episode-codec.h"

#include "episode/blob-codec.h"
#include "episode/byte-codec.h"
#include "episode/graph-codec.h"

#include <algorithm>
#include <utility>

namespace wormhole
{

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
    }
    std::uint64_t flow = 0;
    Bytes queue = 0;
    body.Unsigned(episode.ports.size());
    for (const PortOutcome& port : episode.ports)
    {
        body.Unsigned(blobs.NumberOf(port.state));
        body.Delta(port.flow, flow);
        body.Unsigned(port.hop);
        body.Delta(port.queue, queue);
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

    BlobList blobs(reader, MAX_STATE_BYTES);
    Bytes delivered = 0;
    Bytes inFlight = 0;
    double rate = 0;
    for (std::size_t count = reader.Count(4); count > 0 && reader.Ok(); --count)
    {
        FlowOutcome flow;
        const std::uint64_t state = reader.Limited(blobs.Size() * 2 - 1);
        flow.completed = (state & 1) != 0;
        flow.control = blobs.Take(state >> 1);
        flow.bytes = reader.Delta(delivered);
        flow.inFlight = reader.Delta(inFlight);
        flow.endRate = Rate::BytesPerSecond(reader.Double(rate));
        episode.flows.push_back(std::move(flow));
    }
    std::uint64_t flow = 0;
    Bytes queue = 0;
    for (std::size_t count = reader.Count(4); count > 0 && reader.Ok(); --count)
    {
        PortOutcome port;
        port.state = blobs.Take(reader.Limited(blobs.Size() - 1));
        port.flow = static_cast<std::uint32_t>(reader.Delta(flow));
        port.hop = static_cast<std::uint32_t>(reader.Limited(UINT32_MAX));
        port.queue = reader.Delta(queue);
        if (flow >= episode.flows.size())
        {
            reader.Fail();
        }
        episode.ports.push_back(std::move(port));
    }
    if (!reader.Done() || blobs.HasExceeded())
    {
        return std::nullopt;
    }
    return episode;
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
FitsCodec(const Episode& episode)
{
    std::uint64_t bytes = 0;
    for (const FlowOutcome& flow : episode.flows)
    {
        bytes += flow.control.size();
    }
    for (const PortOutcome& port : episode.ports)
    {
        bytes += port.state.size();
    }
    return bytes < MAX_STATE_BYTES;
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
