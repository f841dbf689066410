/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-trace-record.h"

#include "ns3/input-values.h"

#include <fstream>
#include <iomanip>
#include <sstream>

namespace ns3
{

namespace
{

/** Reads \p value; \return false at the end of the file. */
template <typename T>
bool
Read(std::istream& in, T& value)
{
    return static_cast<bool>(in.read(reinterpret_cast<char*>(&value), sizeof(value)));
}

bool
ReadHeader(std::istream& in, RdmaTraceFile& trace)
{
    uint32_t count;
    if (!Read(in, count))
    {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        RdmaTracePort port; // fields one by one: the file has no padding
        if (!Read(in, port.node) || !Read(in, port.interface) || !Read(in, port.rate))
        {
            return false;
        }
        trace.ports.push_back(port);
    }
    return Read(in, trace.largestBdp);
}

const char*
NameOf(RdmaTraceEvent event)
{
    switch (event)
    {
    case RdmaTraceEvent::RECEIVE:
        return "Recv";
    case RdmaTraceEvent::ENQUEUE:
        return "Enqu";
    case RdmaTraceEvent::DEQUEUE:
        return "Dequ";
    case RdmaTraceEvent::DROP:
        return "Drop";
    }
    return "?";
}

void
PrintProtocol(std::ostream& out, const RdmaTraceRecord& r)
{
    switch (r.protocol)
    {
    case RdmaTraceRecord::DATA:
        out << r.data.sport << ' ' << r.data.dport << " U " << r.data.seq << ' ' << r.data.timestamp
            << ' ' << r.data.priority << ' ' << r.wireBytes << '(' << r.data.payload << ')';
        break;
    case RdmaTraceRecord::ACK:
    case RdmaTraceRecord::NACK:
        out << r.ack.sport << ' ' << r.ack.dport
            << (r.protocol == RdmaTraceRecord::ACK ? " A " : " N ") << r.ack.flags << ' '
            << r.ack.priority << ' ' << r.ack.seq << ' ' << r.ack.timestamp << ' ' << r.wireBytes;
        break;
    case RdmaTraceRecord::PFC:
        out << "P " << r.pfc.pauseTime << ' ' << r.pfc.queueBytes << ' ' << +r.pfc.queue << ' '
            << r.wireBytes;
        break;
    case RdmaTraceRecord::CNP:
        out << r.ports.sport << ' ' << r.ports.dport << " C " << r.wireBytes;
        break;
    default:
        out << r.ports.sport << ' ' << r.ports.dport << " O " << +r.protocol << ' ' << r.wireBytes;
        break;
    }
}

} // namespace

RdmaTraceFile
ReadRdmaTraceFile(const std::string& file)
{
    std::ifstream in = OpenInput(file);
    RdmaTraceFile trace;
    if (!ReadHeader(in, trace))
    {
        throw InputError(file, 0, "ends within the header of a packet trace");
    }
    for (RdmaTraceRecord record; Read(in, record);)
    {
        trace.records.push_back(record);
    }
    if (in.gcount())
    {
        throw InputError(file,
                         0,
                         "ends within record " + std::to_string(trace.records.size() + 1) +
                             ", after " + std::to_string(in.gcount()) + " of " +
                             std::to_string(sizeof(RdmaTraceRecord)) + " bytes");
    }
    return trace;
}

std::ostream&
operator<<(std::ostream& out, const RdmaTraceRecord& r)
{
    std::ostringstream line;
    line << r.time << " n:" << r.node << ' ' << +r.interface << ':' << +r.queue << ' '
         << r.queueBytes << ' ' << NameOf(r.event) << " ecn:" << +r.ecn << ' ' << std::hex
         << std::setfill('0') << std::setw(8) << r.source << ' ' << std::setw(8) << r.destination
         << std::dec << ' ';
    PrintProtocol(line, r);
    return out << line.str();
}

} // namespace ns3
