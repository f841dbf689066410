/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-pfc-writer.h"

#include "ns3/callback.h"

#include <cinttypes>
#include <cstdio>

namespace ns3
{

namespace
{

/** \return the simulators' number for a kind of node */
int
KindNumber(RdmaNodeKind kind)
{
    switch (kind)
    {
    case RdmaNodeKind::HOST:
        return 0;
    case RdmaNodeKind::SWITCH:
        return 1;
    case RdmaNodeKind::NVSWITCH:
        return 2;
    }
    return 0;
}

} // namespace

RdmaPfcWriter::RdmaPfcWriter(Ptr<RdmaNetwork> network,
                             const RdmaTopology& topology,
                             const std::string& path)
    : m_network(network),
      m_kinds(topology.nodes),
      m_file(path)
{
    network->GetPfcTrace().ConnectWithoutContext(MakeCallback(&RdmaPfcWriter::Received, this));
}

void
RdmaPfcWriter::Received(const RdmaPort& port, uint32_t /* queue */, bool pause)
{
    const uint32_t node = port.GetOwner().GetRdmaId();
    char line[96];
    std::snprintf(line,
                  sizeof(line),
                  "%" PRId64 " %" PRIu32 " %d %d %d\n",
                  m_network->GetContext().NowNs(),
                  node,
                  KindNumber(m_kinds[node]),
                  port.GetIndex() + 1, // interface 0 is the loopback
                  pause ? 1 : 0);
    m_file.Write(line);
}

} // namespace ns3
