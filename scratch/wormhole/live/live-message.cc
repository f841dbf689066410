/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "live-message.h"

#include "ns3/input-error.h"

#include <utility>

namespace wormhole
{

namespace
{

using ns3::InputError;

/** Longest that a rank may compute, ns: 104 days. */
constexpr uint64_t MOST_LIVE_NS = uint64_t(1) << 53;

/** Largest message, bytes. */
constexpr uint64_t MOST_LIVE_BYTES = uint64_t(1) << 53;

/** Largest tag of MPI: an int. */
constexpr uint64_t MOST_LIVE_TAG = INT32_MAX;

uint32_t
FixedWord(const std::string& bytes, size_t at)
{
    uint32_t number = 0;
    for (size_t i = 0; i < 4; ++i)
    {
        number |= uint32_t(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
    }
    return number;
}

} // namespace

LiveHello
ReadLiveHello(const std::string& frame)
{
    const std::string magic(WORMHOLE_LIVE_MAGIC, WORMHOLE_LIVE_MAGIC_BYTES);
    if (frame.size() != magic.size() + 12 || frame.compare(0, magic.size() - 1, magic, 0, 7) != 0)
    {
        throw InputError("who connects does not speak the protocol of wormhole live "
                         "(docs/reference/live-protocol.md)");
    }
    if (frame[7] != magic[7])
    {
        throw InputError("a program speaks version " + std::to_string(frame[7]) +
                         " of the protocol of wormhole live, which has " +
                         std::to_string(magic[7]) + ": use the libwormhole-live.so beside it");
    }
    const LiveHello hello{FixedWord(frame, 8), FixedWord(frame, 12), FixedWord(frame, 16)};
    if (hello.rank >= hello.ranks || hello.ranks > INT32_MAX)
    {
        throw InputError("a program says that it is rank " + std::to_string(hello.rank) + " of " +
                         std::to_string(hello.ranks));
    }
    return hello;
}

LiveReader::LiveReader(std::string frame, uint32_t ranks)
    : m_frame(std::move(frame)),
      m_ranks(ranks)
{
}

uint8_t
LiveReader::Byte()
{
    if (m_at == m_frame.size())
    {
        throw InputError("a frame of " + std::to_string(m_at) + " bytes ends inside a message");
    }
    return static_cast<uint8_t>(m_frame[m_at++]);
}

uint64_t
LiveReader::Number()
{
    uint64_t number = 0;
    for (int shift = 0; shift < 64; shift += 7)
    {
        const uint64_t byte = Byte();
        number |= (byte & 0x7f) << shift;
        if (byte < 0x80)
        {
            return number;
        }
    }
    throw InputError("a number of more than 10 bytes");
}

uint64_t
LiveReader::Bounded(const char* what, uint64_t most)
{
    const uint64_t number = Number();
    if (number > most)
    {
        throw InputError(std::string(what) + " " + std::to_string(number) + ", but at most " +
                         std::to_string(most) + " is possible");
    }
    return number;
}

uint32_t
LiveReader::Word(const char* what)
{
    return static_cast<uint32_t>(Bounded(what, UINT32_MAX));
}

/** A damaged length costs no memory: each item takes a byte. */
uint32_t
LiveReader::Length(const char* what)
{
    return static_cast<uint32_t>(Bounded(what, m_frame.size() - m_at));
}

void
LiveReader::Next(LiveMessage& message)
{
    message = LiveMessage();
    const uint8_t kind = Byte();
    const uint8_t call = Byte();
    if (kind >= WORMHOLE_LIVE_KINDS || call >= static_cast<uint8_t>(ns3::WorkloadMpiCall::COUNT))
    {
        throw InputError("kind " + std::to_string(kind) + " of call " + std::to_string(call) +
                         ", which there is not");
    }
    message.kind = static_cast<wormhole_live_kind>(kind);
    message.record.call = static_cast<ns3::WorkloadMpiCall>(call);
    message.record.computed = Bounded("a time of", MOST_LIVE_NS);
    ReadBody(message);
    if (message.IsAnswered() != IsOver())
    {
        throw InputError(IsOver() ? "a frame ends without a message that is answered"
                                  : "a frame goes on behind a message that is answered");
    }
}

void
LiveReader::ReadBody(LiveMessage& message)
{
    ns3::WorkloadMpiRecord& record = message.record;
    switch (message.kind)
    {
    case WORMHOLE_LIVE_COMMUNICATOR:
        ReadCommunicator(record);
        break;
    case WORMHOLE_LIVE_SEND:
        ReadEnvelope(message, WORMHOLE_LIVE_SYNCHRONOUS | WORMHOLE_LIVE_BUFFERED);
        record.bytes = Bounded("bytes:", MOST_LIVE_BYTES);
        record.request = Word("request");
        break;
    case WORMHOLE_LIVE_RECEIVE:
        ReadEnvelope(message, WORMHOLE_LIVE_ANY_SOURCE | WORMHOLE_LIVE_ANY_TAG);
        record.request = Word("request");
        break;
    case WORMHOLE_LIVE_MATCHED_RECEIVE:
        message.message = Word("message");
        record.request = Word("request");
        break;
    case WORMHOLE_LIVE_COLLECTIVE:
        ReadCollective(record);
        break;
    case WORMHOLE_LIVE_NEIGHBORS:
        record.comm = Word("communicator");
        record.request = Word("request");
        ReadNeighbors(record.to);
        ReadNeighbors(record.from);
        break;
    case WORMHOLE_LIVE_CANCEL:
        record.request = Word("request");
        break;
    case WORMHOLE_LIVE_WAIT:
        message.bits = Word("bits") & (WORMHOLE_LIVE_NOW | WORMHOLE_LIVE_ALL);
        for (uint32_t count = Length("requests:"); count > 0; --count)
        {
            message.requests.push_back(Word("request"));
        }
        break;
    case WORMHOLE_LIVE_PROBE:
        ReadEnvelope(message,
                     WORMHOLE_LIVE_ANY_SOURCE | WORMHOLE_LIVE_ANY_TAG | WORMHOLE_LIVE_TAKE |
                         WORMHOLE_LIVE_NOW);
        break;
    case WORMHOLE_LIVE_TOGETHER:
        record.comm = Word("communicator");
        break;
    case WORMHOLE_LIVE_FINISH:
    case WORMHOLE_LIVE_UNSUPPORTED:
    case WORMHOLE_LIVE_THREAD:
    case WORMHOLE_LIVE_KINDS:
        break;
    }
}

void
LiveReader::ReadCommunicator(ns3::WorkloadMpiRecord& record)
{
    record.comm = Word("communicator");
    record.parent = Word("parent");
    const uint32_t count = Length("members:");
    for (uint32_t i = 0; i < count; ++i)
    {
        record.members.push_back(static_cast<uint32_t>(Bounded("member", m_ranks - 1)));
    }
}

void
LiveReader::ReadEnvelope(LiveMessage& message, uint32_t bits)
{
    message.record.comm = Word("communicator");
    message.bits = static_cast<uint32_t>(Bounded("bits", bits));
    message.record.peer = Word("rank");
    message.record.tag = static_cast<uint32_t>(Bounded("tag", MOST_LIVE_TAG));
}

void
LiveReader::ReadCollective(ns3::WorkloadMpiRecord& record)
{
    record.comm = Word("communicator");
    record.peer = Word("root");
    record.bytes = Bounded("bytes:", MOST_LIVE_BYTES);
    record.element = Bounded("bytes of an element:", MOST_LIVE_BYTES);
    record.commutative = Bounded("bits", ns3::WORKLOAD_MPI_IN_ORDER) == 0;
    record.request = Word("request");
    ReadList(record.sends);
    ReadList(record.receives);
}

void
LiveReader::ReadList(std::vector<uint64_t>& list)
{
    for (uint32_t count = Length("ranks:"); count > 0; --count)
    {
        list.push_back(Bounded("bytes:", MOST_LIVE_BYTES));
    }
}

void
LiveReader::ReadNeighbors(std::vector<ns3::WorkloadMpiRecord::Neighbor>& neighbors)
{
    for (uint32_t count = Length("neighbors:"); count > 0; --count)
    {
        const uint32_t rank = Word("rank");
        neighbors.emplace_back(rank, Bounded("bytes:", MOST_LIVE_BYTES));
    }
}

LiveAnswer::LiveAnswer(int64_t ps)
    : m_ps(ps)
{
    Put(static_cast<uint64_t>(ps));
}

void
LiveAnswer::Put(uint64_t number)
{
    for (; number > 0x7f; number >>= 7)
    {
        m_bytes.push_back(static_cast<char>(number | 0x80));
    }
    m_bytes.push_back(static_cast<char>(number));
}

std::string
LiveAnswer::Frame() const
{
    std::string frame;
    for (int i = 0; i < 4; ++i)
    {
        frame.push_back(static_cast<char>(m_bytes.size() >> (8 * i)));
    }
    return frame + m_bytes;
}

} // namespace wormhole
