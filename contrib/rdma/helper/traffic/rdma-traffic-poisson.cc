/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-traffic-poisson.h"

#include "rdma-traffic-random.h"

#include "ns3/rdma-timing.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

constexpr double BITS_PER_BYTE = 8;

double
MeanIntervalNs(const RdmaPoissonHost& host, double meanBytes, double load)
{
    return meanBytes * BITS_PER_BYTE * RDMA_NS_PER_SECOND / (static_cast<double>(host.rate) * load);
}

} // namespace

double
RdmaPoissonFlowCount(const std::vector<RdmaPoissonHost>& hosts,
                     const RdmaFlowSizeCdf& sizes,
                     double load,
                     double durationNs)
{
    double count = 0;
    for (const RdmaPoissonHost& host : hosts)
    {
        count += durationNs / MeanIntervalNs(host, sizes.Mean(), load);
    }
    return count;
}

std::vector<RdmaFlowSpec>
RdmaPoissonFlows(const std::vector<RdmaPoissonHost>& hosts,
                 const RdmaFlowSizeCdf& sizes,
                 double load,
                 double durationNs,
                 uint64_t seed)
{
    const double meanBytes = sizes.Mean();
    std::vector<RdmaFlowSpec> flows;
    for (size_t i = 0; i < hosts.size(); ++i)
    {
        RdmaTrafficRandom random(seed, i);
        const double interval = MeanIntervalNs(hosts[i], meanBytes, load);
        for (double ns = random.Exponential(interval); ns < durationNs;
             ns += random.Exponential(interval))
        {
            const size_t other = random.Below(hosts.size() - 1);
            RdmaFlowSpec flow;
            flow.src = hosts[i].node;
            flow.dst = hosts[other < i ? other : other + 1].node;
            flow.bytes = sizes.SizeAt(random.Uniform());
            flow.start = NanoSeconds(static_cast<uint64_t>(ns));
            flows.push_back(flow);
        }
    }
    std::stable_sort(flows.begin(), flows.end(), [](const RdmaFlowSpec& a, const RdmaFlowSpec& b) {
        return a.start < b.start;
    });
    return flows;
}

} // namespace ns3
