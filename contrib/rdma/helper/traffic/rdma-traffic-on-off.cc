/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-traffic-on-off.h"

#include "rdma-traffic-random.h"

#include "ns3/rdma-timing.h"

#include <algorithm>

namespace ns3
{

namespace
{

double
OnOffIntervalNs(const RdmaPoissonHost& host, const RdmaOnOff& onOff)
{
    constexpr double BITS_PER_BYTE = 8;
    return static_cast<double>(onOff.bytes) * BITS_PER_BYTE * RDMA_NS_PER_SECOND /
           (static_cast<double>(host.rate) * onOff.load);
}

} // namespace

double
RdmaOnOffFlowCount(const std::vector<RdmaPoissonHost>& hosts, const RdmaOnOff& onOff)
{
    double count = 0;
    for (const RdmaPoissonHost& host : hosts)
    {
        count += onOff.durationNs * onOff.onNs / (onOff.onNs + onOff.offNs) /
                 OnOffIntervalNs(host, onOff);
    }
    return count;
}

std::vector<RdmaFlowSpec>
RdmaOnOffFlows(const std::vector<RdmaPoissonHost>& hosts, const RdmaOnOff& onOff, uint64_t seed)
{
    std::vector<RdmaFlowSpec> flows;
    for (size_t i = 0; i < hosts.size(); ++i)
    {
        RdmaTrafficRandom random(seed, i);
        const double interval = OnOffIntervalNs(hosts[i], onOff);
        bool on = random.Uniform() * (onOff.onNs + onOff.offNs) <= onOff.onNs;
        for (double begin = 0; begin < onOff.durationNs; on = !on)
        {
            const double end = begin + random.Exponential(on ? onOff.onNs : onOff.offNs);
            if (on)
            {
                const size_t other = random.Below(hosts.size() - 1);
                RdmaFlowSpec flow;
                flow.src = hosts[i].node;
                flow.dst = hosts[other < i ? other : other + 1].node;
                flow.bytes = onOff.bytes;
                // a random phase makes the mean number of flows the length over the interval
                for (double ns = begin + random.Uniform() * interval;
                     ns < std::min(end, onOff.durationNs);
                     ns += interval)
                {
                    flow.start = NanoSeconds(static_cast<uint64_t>(ns));
                    flows.push_back(flow);
                }
            }
            begin = end;
        }
    }
    std::stable_sort(flows.begin(), flows.end(), [](const RdmaFlowSpec& a, const RdmaFlowSpec& b) {
        return a.start < b.start;
    });
    return flows;
}

} // namespace ns3
