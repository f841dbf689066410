/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-traffic-keys.h"

#include "ns3/input-error.h"

namespace ns3
{

namespace
{

constexpr uint64_t MAX_FLOWS = 100000000; // some 5 GB

} // namespace

std::vector<uint32_t>
RdmaTrafficHosts(const RdmaTopology& topology)
{
    std::vector<uint32_t> hosts;
    for (uint32_t id = 0; id < topology.nodes.size(); ++id)
    {
        if (topology.nodes[id] == RdmaNodeKind::HOST)
        {
            hosts.push_back(id);
        }
    }
    if (hosts.size() < 2)
    {
        throw InputError(topology.origin,
                         0,
                         "traffic needs 2 hosts at least, but the topology has " +
                             std::to_string(hosts.size()));
    }
    return hosts;
}

std::vector<RdmaPoissonHost>
RdmaTrafficHostRates(const RdmaTopology& topology)
{
    std::vector<uint64_t> rates(topology.nodes.size());
    for (const RdmaLinkSpec& link : topology.links)
    {
        if (topology.nodes[link.a] != RdmaNodeKind::NVSWITCH &&
            topology.nodes[link.b] != RdmaNodeKind::NVSWITCH)
        {
            rates[link.a] += link.rate.GetBitRate();
            rates[link.b] += link.rate.GetBitRate();
        }
    }
    std::vector<RdmaPoissonHost> hosts;
    for (uint32_t id : RdmaTrafficHosts(topology))
    {
        if (rates[id] == 0)
        {
            throw InputError(topology.origin,
                             0,
                             "host " + std::to_string(id) +
                                 " has no link to the network, so that a load says nothing for "
                                 "it; add one, or use another kind of traffic");
        }
        hosts.push_back({id, rates[id]});
    }
    return hosts;
}

void
CheckRdmaTrafficCount(double count, const InputSpec& spec, const std::string& remedy)
{
    if (count > MAX_FLOWS)
    {
        spec.Fail("would make more than " + std::to_string(MAX_FLOWS) + " flows; " + remedy);
    }
}

Time
RdmaTrafficTime(InputSpec& spec, const std::string& key)
{
    return spec.Duration(key, Time(0), Days(RDMA_TRAFFIC_DAYS));
}

} // namespace ns3
