/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-mpi-reader.h"

#include "ns3/input-error.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** Longest that a trace may take, ns: 104 days. More is a damaged file. */
constexpr uint64_t MOST_TRACE_NS = uint64_t(1) << 53;

/** Largest message that is taken, bytes. More is a damaged file. */
constexpr uint64_t MOST_BYTES = uint64_t(1) << 53;

/** Largest tag of MPI: an int. */
constexpr uint64_t MOST_TAG = INT32_MAX;

constexpr int EOF_BYTE = std::istream::traits_type::eof();

const char* const TRACE_AGAIN = "; trace the program again";

} // namespace

WorkloadMpiReader::WorkloadMpiReader(std::istream& in, const std::string& name)
    : m_in(in),
      m_name(name)
{
    for (int i = 0; i < 8; ++i)
    {
        const int byte = m_in.rdbuf()->sbumpc();
        if (byte == EOF_BYTE || static_cast<char>(byte) != WORKLOAD_MPI_MAGIC[i])
        {
            throw InputError(m_name,
                             0,
                             i < 7 ? "is no trace of an MPI program; wormhole trace writes them"
                                   : "is a trace of another version; trace the program again with "
                                     "this wormhole");
        }
    }
    m_offset = 8;
    m_head.rank = static_cast<uint32_t>(Fixed(4));
    m_head.ranks = static_cast<uint32_t>(Fixed(4));
    m_head.run = Fixed(8);
    m_head.start = Fixed(8);
    m_head.offset = static_cast<int64_t>(Fixed(8));
    m_head.offsetError = static_cast<uint32_t>(Fixed(4));
    FindEnd();
    if (m_head.rank >= m_head.ranks || m_head.ranks > INT32_MAX)
    {
        throw InputError(m_name,
                         0,
                         "says that it is of rank " + std::to_string(m_head.rank) + " of " +
                             std::to_string(m_head.ranks) + TRACE_AGAIN);
    }
}

void
WorkloadMpiReader::FindEnd()
{
    const uint64_t unused = Fixed(4);
    if (unused == 0)
    {
        return;
    }
    const auto bytes = m_in.rdbuf()->pubseekoff(0, std::ios::end, std::ios::in);
    m_in.rdbuf()->pubseekpos(static_cast<std::streamoff>(m_offset), std::ios::in);
    // a file that is shorter was cut off besides
    m_end =
        std::max(m_offset,
                 static_cast<uint64_t>(std::max<int64_t>(bytes - static_cast<int64_t>(unused), 0)));
}

void
WorkloadMpiReader::Fail(const std::string& message) const
{
    throw InputError(m_name,
                     0,
                     "record " + std::to_string(m_records) + " (byte " + std::to_string(m_start) +
                         "): " + message);
}

uint8_t
WorkloadMpiReader::Byte()
{
    const int byte = m_offset < m_end ? m_in.rdbuf()->sbumpc() : EOF_BYTE;
    if (byte == EOF_BYTE)
    {
        m_cutOff = true;
        throw InputError(m_name,
                         0,
                         "ends at byte " + std::to_string(m_offset) + ", after " +
                             std::to_string(m_records) +
                             " whole records, without MPI_Finalize: the program was ended, the "
                             "disk was full or the copy is cut off" +
                             TRACE_AGAIN);
    }
    ++m_offset;
    return static_cast<uint8_t>(byte);
}

uint64_t
WorkloadMpiReader::Fixed(int bytes)
{
    uint64_t number = 0;
    for (int i = 0; i < bytes; ++i)
    {
        number |= static_cast<uint64_t>(Byte()) << (8 * i);
    }
    return number;
}

uint64_t
WorkloadMpiReader::Number()
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
    Fail(std::string("a number of more than 10 bytes: the file is damaged") + TRACE_AGAIN);
}

uint64_t
WorkloadMpiReader::Bounded(const char* what, uint64_t most)
{
    const uint64_t number = Number();
    if (number > most)
    {
        Fail(std::string(what) + " " + std::to_string(number) + ", but at most " +
             std::to_string(most) + " is possible: the file is damaged" + TRACE_AGAIN);
    }
    return number;
}

uint32_t
WorkloadMpiReader::Word(const char* what)
{
    return static_cast<uint32_t>(Bounded(what, UINT32_MAX));
}

bool
WorkloadMpiReader::Next(WorkloadMpiRecord& record)
{
    if (m_ended)
    {
        return false;
    }
    m_start = m_offset;
    const uint8_t kind = Byte();
    const uint8_t call = Byte();
    if (kind > static_cast<uint8_t>(WorkloadMpiKind::UNSUPPORTED) ||
        call >= static_cast<uint8_t>(WorkloadMpiCall::COUNT))
    {
        Fail("kind " + std::to_string(kind) + " of call " + std::to_string(call) +
             ", which there is not: the file is damaged" + TRACE_AGAIN);
    }
    record.kind = static_cast<WorkloadMpiKind>(kind);
    record.call = static_cast<WorkloadMpiCall>(call);
    record.computed = Bounded("a time of", MOST_TRACE_NS - m_time);
    m_time += record.computed;
    record.inside = Bounded("a time of", MOST_TRACE_NS - m_time);
    m_time += record.inside;
    switch (record.kind)
    {
    case WorkloadMpiKind::END:
        ReadEnd();
        return false;
    case WorkloadMpiKind::COMMUNICATOR:
        ReadCommunicator(record);
        break;
    case WorkloadMpiKind::SEND:
    case WorkloadMpiKind::RECV:
        ReadMessage(record);
        break;
    case WorkloadMpiKind::COMPLETE:
        ReadCompletions(record);
        break;
    case WorkloadMpiKind::COLLECTIVE:
        ReadCollective(record);
        break;
    case WorkloadMpiKind::NEIGHBORS:
        record.comm = Word("communicator");
        record.request = Word("request");
        ReadNeighbors(record.to);
        ReadNeighbors(record.from);
        break;
    case WorkloadMpiKind::UNSUPPORTED:
        break;
    }
    ++m_records;
    return true;
}

void
WorkloadMpiReader::ReadEnd()
{
    const uint64_t records = Number();
    // the end counts itself
    if (records != m_records + 1 || (m_offset < m_end && m_in.rdbuf()->sgetc() != EOF_BYTE))
    {
        Fail("the end says that it is the last of " + std::to_string(records) +
             " records, but it is number " + std::to_string(m_records + 1) +
             ", or more bytes follow: the file is damaged" + TRACE_AGAIN);
    }
    m_ended = true;
}

void
WorkloadMpiReader::ReadCommunicator(WorkloadMpiRecord& record)
{
    record.comm = Word("communicator");
    record.parent = Word("parent");
    record.inter = Bounded("bits", WORKLOAD_MPI_INTER) != 0;
    const uint64_t count = Bounded("members:", m_head.ranks);
    record.members.clear();
    for (uint64_t i = 0; i < count; ++i)
    {
        record.members.push_back(Word("member"));
    }
}

void
WorkloadMpiReader::ReadMessage(WorkloadMpiRecord& record)
{
    record.comm = Word("communicator");
    record.open = 0;
    if (record.kind == WorkloadMpiKind::RECV)
    {
        record.open =
            static_cast<uint8_t>(Bounded("bits", WORKLOAD_MPI_ANY_SOURCE | WORKLOAD_MPI_ANY_TAG));
    }
    record.peer = Word("rank");
    record.tag = static_cast<uint32_t>(Bounded("tag", MOST_TAG));
    record.bytes = Bounded("bytes:", MOST_BYTES);
    record.request = Word("request");
}

void
WorkloadMpiReader::ReadCompletions(WorkloadMpiRecord& record)
{
    record.completed.clear();
    // a damaged count costs no memory: each of them takes bytes of the file
    for (uint64_t count = Number(); count > 0; --count)
    {
        WorkloadMpiCompletion completion;
        completion.request = Word("request");
        completion.end = static_cast<WorkloadMpiEnd>(
            Bounded("end", static_cast<uint64_t>(WorkloadMpiEnd::FREED)));
        if (completion.end == WorkloadMpiEnd::RECEIVED)
        {
            completion.source = Word("rank");
            completion.tag = static_cast<uint32_t>(Bounded("tag", MOST_TAG));
            completion.bytes = Bounded("bytes:", MOST_BYTES);
        }
        record.completed.push_back(completion);
    }
}

void
WorkloadMpiReader::ReadCollective(WorkloadMpiRecord& record)
{
    record.comm = Word("communicator");
    record.peer = Word("root");
    record.bytes = Bounded("bytes:", MOST_BYTES);
    record.element = Bounded("bytes of an element:", MOST_BYTES);
    record.commutative = Bounded("bits", WORKLOAD_MPI_IN_ORDER) == 0;
    record.request = Word("request");
    ReadList(record.sends);
    ReadList(record.receives);
}

void
WorkloadMpiReader::ReadList(std::vector<uint64_t>& list)
{
    list.clear();
    for (uint64_t count = Bounded("ranks:", m_head.ranks); count > 0; --count)
    {
        list.push_back(Bounded("bytes:", MOST_BYTES));
    }
}

void
WorkloadMpiReader::ReadNeighbors(std::vector<WorkloadMpiRecord::Neighbor>& neighbors)
{
    neighbors.clear();
    for (uint64_t count = Number(); count > 0; --count)
    {
        const uint32_t rank = Word("rank");
        neighbors.emplace_back(rank, Bounded("bytes:", MOST_BYTES));
    }
}

} // namespace ns3
