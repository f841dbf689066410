/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-topology.h"

#include "ns3/input-number.h"
#include "ns3/input-spec.h"

#include <algorithm>
#include <ostream>

namespace ns3
{

namespace
{

bool
IsSimai(const RdmaTopology& topology)
{
    return topology.gpusPerServer != 0 || !topology.gpuType.empty() ||
           topology.Count(RdmaNodeKind::NVSWITCH) != 0;
}

/** \return the ids of all nodes of the kind, each with a blank after it */
std::string
IdsText(const RdmaTopology& topology, RdmaNodeKind kind)
{
    std::string text;
    for (size_t id = 0; id < topology.nodes.size(); ++id)
    {
        if (topology.nodes[id] == kind)
        {
            text += std::to_string(id) + " ";
        }
    }
    return text;
}

/** \return SimAI's first two lines; the second ends in a blank there */
std::string
SimaiHeader(const RdmaTopology& topology)
{
    return std::to_string(topology.nodes.size()) + " " + std::to_string(topology.gpusPerServer) +
           " " + std::to_string(topology.Count(RdmaNodeKind::NVSWITCH)) + " " +
           std::to_string(topology.Count(RdmaNodeKind::SWITCH)) + " " +
           std::to_string(topology.links.size()) + " " +
           (topology.gpuType.empty() ? RDMA_NO_GPU_TYPE : topology.gpuType) + "\n" +
           IdsText(topology, RdmaNodeKind::NVSWITCH) + IdsText(topology, RdmaNodeKind::SWITCH) +
           "\n";
}

/** \return HPCC's first two lines */
std::string
HpccHeader(const RdmaTopology& topology)
{
    std::string ids = IdsText(topology, RdmaNodeKind::SWITCH);
    if (!ids.empty())
    {
        ids.pop_back();
    }
    return std::to_string(topology.nodes.size()) + " " +
           std::to_string(topology.Count(RdmaNodeKind::SWITCH)) + " " +
           std::to_string(topology.links.size()) + "\n" + ids + "\n";
}

} // namespace

const std::vector<std::string>&
RdmaGpuTypes()
{
    static const std::vector<std::string> types{"A100", "A800", "H100", "H800", "H20"};
    return types;
}

int64_t
RdmaLinkSpec::DelaySteps(const RdmaClock& clock) const
{
    return clock.Duration(delay, clock.GetTiming() == RdmaTiming::HPCC_NS ? delayUnit : Time::NS);
}

uint32_t
RdmaTopology::Count(RdmaNodeKind kind) const
{
    return uint32_t(std::count(nodes.begin(), nodes.end(), kind));
}

void
WriteRdmaTopology(std::ostream& out, const RdmaTopology& topology)
{
    const bool simai = IsSimai(topology);
    out << (simai ? SimaiHeader(topology) : HpccHeader(topology));
    for (const RdmaLinkSpec& link : topology.links)
    {
        const double ns = RdmaTimeIn(link.delay, Time::NS);
        out << std::to_string(link.a) + " " + std::to_string(link.b) + " " +
                   RateText(link.rate.GetBitRate()) + " " + (simai ? MsText(ns) : NsText(ns)) +
                   " " + NumberText(link.errorRate) + "\n";
    }
}

} // namespace ns3
