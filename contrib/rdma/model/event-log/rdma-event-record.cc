/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-event-record.h"

#include "ns3/nstime.h"

#include <cstring>
#include <iomanip>
#include <sstream>

namespace ns3
{

namespace
{

const char*
NameOf(RdmaEventRecord::What what)
{
    switch (what)
    {
    case RdmaEventRecord::What::RECEIVED:
        return "received";
    case RdmaEventRecord::What::SENT:
        return "sent";
    case RdmaEventRecord::What::LOST:
        return "lost";
    case RdmaEventRecord::What::STARTED:
        return "started";
    case RdmaEventRecord::What::DELIVERED:
        return "delivered";
    case RdmaEventRecord::What::ENDED:
        return "ended";
    }
    return "?";
}

const char*
NameOf(RdmaFrameKind kind)
{
    switch (kind)
    {
    case RdmaFrameKind::DATA:
        return "data";
    case RdmaFrameKind::ACK:
        return "ACK";
    case RdmaFrameKind::NACK:
        return "NACK";
    case RdmaFrameKind::CNP:
        return "CNP";
    case RdmaFrameKind::PFC:
        return "PFC";
    case RdmaFrameKind::PACKET:
        return "packet";
    case RdmaFrameKind::CREDIT:
        return "credits";
    }
    return "?";
}

} // namespace

bool
RdmaEventRecord::operator==(const RdmaEventRecord& other) const
{
    return std::memcmp(this, &other, sizeof(other)) == 0;
}

std::string
RdmaEventRecord::ToString() const
{
    std::ostringstream out;
    out << "at " << TimeStep(static_cast<uint64_t>(time)).As(Time::NS) << " node " << node;
    if (port == 0)
    {
        out << ", flow " << flow - 1 << " " << NameOf(what);
        return out.str();
    }
    out << " port " << port << " " << NameOf(what) << " " << NameOf(kind);
    if (flow)
    {
        out << " of flow " << flow - 1 << ", byte " << seq;
    }
    out << " (number " << number << " of the node, state " << std::hex << std::setfill('0')
        << std::setw(16) << digest << ")";
    return out.str();
}

} // namespace ns3
