/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-saved-flow.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace ns3
{

namespace
{

/** Numbers become bytes of 7 bits each, so that small ones of either sign are short. */
class Writer
{
  public:
    void Number(uint64_t value)
    {
        while (value >= 0x80)
        {
            m_text.push_back(static_cast<char>(value | 0x80));
            value >>= 7;
        }
        m_text.push_back(static_cast<char>(value));
    }

    void Signed(int64_t value)
    {
        const uint64_t twice = static_cast<uint64_t>(value) << 1;
        Number(value < 0 ? ~twice : twice);
    }

    void Bytes(const std::vector<uint8_t>& bytes)
    {
        Number(bytes.size());
        m_text.append(bytes.begin(), bytes.end());
    }

    std::string Take()
    {
        return std::move(m_text);
    }

  private:
    std::string m_text;
};

/** The other way round, by the same names; what is missing is 0. */
class Reader
{
  public:
    explicit Reader(const std::string& text)
        : m_text(text)
    {
    }

    bool AtEnd() const
    {
        return m_at == m_text.size();
    }

    uint64_t Get()
    {
        uint64_t value = 0;
        for (uint32_t shift = 0; m_at < m_text.size(); shift += 7)
        {
            const auto byte = static_cast<uint8_t>(m_text[m_at++]);
            value |= static_cast<uint64_t>(byte & 0x7f) << (shift & 63);
            if (!(byte & 0x80))
            {
                break;
            }
        }
        return value;
    }

    template <typename T>
    void Number(T& value)
    {
        value = static_cast<T>(Get());
    }

    void Signed(int64_t& value)
    {
        const uint64_t number = Get();
        value = static_cast<int64_t>(number >> 1) ^ -static_cast<int64_t>(number & 1);
    }

    void Bytes(std::vector<uint8_t>& bytes)
    {
        const size_t size = std::min<uint64_t>(Get(), m_text.size() - m_at);
        const auto begin = m_text.begin() + static_cast<std::ptrdiff_t>(m_at);
        m_at += size;
        bytes.assign(begin, begin + static_cast<std::ptrdiff_t>(size));
    }

  private:
    const std::string& m_text;
    size_t m_at{0};
};

// What is written and read, in this order: a Codec is a Writer, or a Reader of what is not const.

template <typename Codec, typename Due>
void
DueFields(Codec& codec, Due& due)
{
    codec.Number(due.pending);
    if (due.pending)
    {
        codec.Signed(due.time);
        codec.Signed(due.place);
    }
}

template <typename Codec, typename Flow>
void
FlowFields(Codec& codec, Flow& flow)
{
    codec.Number(flow.rate);
    codec.Number(flow.window);
    codec.Bytes(flow.control);
    codec.Number(flow.lastWireBytes);
    codec.Number(flow.pacingKnown);
    codec.Signed(flow.pacing);
    codec.Signed(flow.nextAvailable);
    codec.Signed(flow.nextSeq);
    codec.Signed(flow.unacknowledged);
    codec.Number(flow.inChunk);
    codec.Signed(flow.lastProgress);
    codec.Signed(flow.sinceArrival);
    codec.Signed(flow.sinceCnp);
    DueFields(codec, flow.retransmission);
    codec.Number(flow.turn.place);
    codec.Number(flow.turn.since);
}

template <typename Codec, typename Frame>
void
FrameFields(Codec& codec, Frame& frame, uint64_t& flags)
{
    codec.Number(frame.hop);
    codec.Number(flags);
    codec.Signed(frame.time);
    codec.Signed(frame.order);
    codec.Signed(frame.seq);
    codec.Number(frame.payloadBytes);
    codec.Number(frame.wireBytes);
    codec.Signed(frame.timestamp);
}

template <typename Codec, typename Port>
void
PortFields(Codec& codec, Port& port)
{
    codec.Number(port.txBytes);
    DueFields(codec, port.txEnd);
    codec.Number(port.watched);
    DueFields(codec, port.wake);
}

void
WriteFrame(Writer& writer, const RdmaSavedFrame& frame)
{
    uint64_t flags = static_cast<uint64_t>(frame.kind) | uint64_t{frame.ce} << 3 |
                     uint64_t{frame.echo} << 4 | uint64_t{frame.telemetry} << 5 |
                     uint64_t{frame.queue} << 6;
    FrameFields(writer, frame, flags);
    writer.Number(frame.intHeader.hopCount);
    for (uint32_t i = 0; i < frame.intHeader.GetRecords(); ++i)
    {
        const RdmaIntHeader::Hop& record = frame.intHeader.hops[i];
        writer.Number(record.time);
        writer.Number(record.tx);
        writer.Number(record.qlen);
    }
}

void
ReadFrame(Reader& reader, RdmaSavedFrame& frame)
{
    uint64_t flags = 0;
    FrameFields(reader, frame, flags);
    frame.kind = static_cast<RdmaFrameKind>(flags & 7);
    frame.ce = flags >> 3 & 1;
    frame.echo = flags >> 4 & 1;
    frame.telemetry = flags >> 5 & 1;
    frame.queue = static_cast<uint32_t>(flags >> 6);
    frame.intHeader.hopCount =
        static_cast<uint8_t>(std::min<uint64_t>(reader.Get(), RdmaIntHeader::MAX_HOPS));
    for (uint32_t i = 0; i < frame.intHeader.GetRecords(); ++i)
    {
        RdmaIntHeader::Hop& record = frame.intHeader.hops[i];
        record.time = reader.Get();
        record.tx = reader.Get();
        record.qlen = reader.Get();
    }
}

} // namespace

std::string
EncodeRdmaFlow(const RdmaSavedFlow& flow)
{
    Writer writer;
    writer.Number(flow.frames.size());
    FlowFields(writer, flow);
    for (const RdmaSavedFrame& frame : flow.frames)
    {
        WriteFrame(writer, frame);
    }
    return writer.Take();
}

RdmaSavedFlow
DecodeRdmaFlow(const std::string& text)
{
    Reader reader(text);
    RdmaSavedFlow flow;
    const uint64_t frames = reader.Get();
    FlowFields(reader, flow);
    for (uint64_t i = 0; i < frames && !reader.AtEnd(); ++i)
    {
        ReadFrame(reader, flow.frames.emplace_back());
    }
    return flow;
}

std::string
EncodeRdmaPort(const RdmaSavedPort& port)
{
    Writer writer;
    PortFields(writer, port);
    writer.Number(port.passing.size());
    for (const RdmaSavedPassing& frame : port.passing)
    {
        writer.Signed(frame.time);
        writer.Number(frame.bytes);
    }
    return writer.Take();
}

RdmaSavedPort
DecodeRdmaPort(const std::string& text)
{
    Reader reader(text);
    RdmaSavedPort port;
    PortFields(reader, port);
    const uint64_t passing = reader.Get();
    for (uint64_t i = 0; i < passing && !reader.AtEnd(); ++i)
    {
        RdmaSavedPassing& frame = port.passing.emplace_back();
        reader.Signed(frame.time);
        reader.Number(frame.bytes);
    }
    return port;
}

std::string
EncodeRdmaLatency(int64_t latency)
{
    Writer writer;
    writer.Number(static_cast<uint64_t>(latency));
    return writer.Take();
}

int64_t
DecodeRdmaLatency(const std::string& text)
{
    return static_cast<int64_t>(Reader(text).Get() & INT64_MAX);
}

} // namespace ns3
