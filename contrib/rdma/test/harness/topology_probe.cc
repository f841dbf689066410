/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology_probe.h"

#include "ns3/input-error.h"
#include "ns3/rdma-topology-generator.h"

#include <numeric>
#include <sstream>

using namespace ns3;

namespace harness
{

std::string
Written(const RdmaTopology& topology)
{
    std::ostringstream out;
    WriteRdmaTopology(out, topology);
    return out.str();
}

std::string
SpecError(const std::string& spec)
{
    try
    {
        GenerateRdmaTopology(spec);
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return "no error";
}

std::vector<size_t>
Degrees(const RdmaTopology& topology)
{
    std::vector<size_t> degrees(topology.nodes.size());
    for (const RdmaLinkSpec& link : topology.links)
    {
        ++degrees[link.a];
        ++degrees[link.b];
    }
    return degrees;
}

size_t
Parts(const RdmaTopology& topology)
{
    std::vector<size_t> parent(topology.nodes.size());
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](size_t node) {
        while (parent[node] != node)
        {
            node = parent[node] = parent[parent[node]];
        }
        return node;
    };
    size_t parts = parent.size();
    for (const RdmaLinkSpec& link : topology.links)
    {
        const size_t a = root(link.a);
        const size_t b = root(link.b);
        parts -= a != b;
        parent[a] = b;
    }
    return parts;
}

std::pair<uint64_t, uint64_t>
RatesBelowAndAbove(const RdmaTopology& topology, uint32_t node)
{
    std::pair<uint64_t, uint64_t> rates{0, 0};
    for (const RdmaLinkSpec& link : topology.links)
    {
        rates.first += link.b == node && link.a < node ? link.rate.GetBitRate() : 0;
        rates.second += link.a == node && link.b > node ? link.rate.GetBitRate() : 0;
    }
    return rates;
}

} // namespace harness
