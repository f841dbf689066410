/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-fct-writer.h"

#include "rdma-standalone.h"

#include "ns3/rdma-host.h"
#include "ns3/rdma-routing.h"

#include <algorithm>
#include <charconv>

namespace ns3
{

namespace
{

uint64_t
StepsPerNs(const RdmaNetwork& network)
{
    return static_cast<uint64_t>(network.GetContext().clock.StepsPerNs());
}

uint64_t
HpccStandaloneNs(RdmaNetwork& network, const RdmaQueuePair& qp)
{
    const RdmaFlow& flow = qp.GetFlow();
    RdmaPathProperties facts = network.GetRouting().GetPathProperties(flow.src, flow.dst);
    if (!facts.reachable) // a link on the only way may have failed since
    {
        facts.txDelayNs = qp.GetBaseRttNs();
        facts.rate = qp.GetMaxRate();
    }
    return RdmaHpccStandaloneNs(facts, flow.bytes, qp.GetPayloadSize());
}

} // namespace

uint64_t
RdmaFctNs(const RdmaNetwork& network, const RdmaQueuePair& qp)
{
    return static_cast<uint64_t>(qp.GetEndTime() - qp.GetStartTime()) / StepsPerNs(network);
}

std::string
RdmaFctLine(const RdmaFctRow& row)
{
    char line[160]; // 2 addresses of 8 digits and 6 numbers of at most 20, each with a separator
    char* end = line;
    for (const uint32_t node : {row.src, row.dst})
    {
        const uint32_t address = RdmaRouting::AddressOf(node);
        for (int shift = 28; shift >= 0; shift -= 4)
        {
            *end++ = "0123456789abcdef"[address >> shift & 15];
        }
        *end++ = ' ';
    }
    for (const uint64_t number :
         {uint64_t{row.sport}, uint64_t{row.dport}, row.bytes, row.startNs, row.fctNs, row.aloneNs})
    {
        end = std::to_chars(end, line + sizeof(line), number).ptr;
        *end++ = ' ';
    }
    end[-1] = '\n';
    return {line, end};
}

RdmaFctWriter::RdmaFctWriter(Ptr<RdmaNetwork> network, const std::string& path)
    : m_network(network),
      m_file(path)
{
}

void
RdmaFctWriter::Write(const RdmaQueuePair& qp)
{
    if (qp.GetState() != RdmaFlowState::COMPLETED)
    {
        return;
    }
    const RdmaFlow& flow = qp.GetFlow();
    m_file.Write(RdmaFctLine({flow.src,
                              flow.dst,
                              qp.GetSourcePort(),
                              flow.dport,
                              flow.bytes,
                              static_cast<uint64_t>(qp.GetStartTime()) / StepsPerNs(*m_network),
                              RdmaFctNs(*m_network, qp),
                              HpccStandaloneNs(*m_network, qp)}));
}

} // namespace ns3
