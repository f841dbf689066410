/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-traffic-incast.h"

#include "rdma-traffic-patterns.h"
#include "rdma-traffic-random.h"

namespace ns3
{

namespace
{

constexpr uint64_t ARRIVAL_STREAM = UINT64_MAX - 1; // of the seed; others are numbers of incasts

/** Moves \p count hosts, drawn without replacement, to the front. */
void
DrawToFront(std::vector<uint32_t>& hosts, uint64_t count, RdmaTrafficRandom& random)
{
    for (size_t i = 0; i < count; ++i)
    {
        std::swap(hosts[i], hosts[i + random.Below(hosts.size() - i)]);
    }
}

std::vector<RdmaHostPair>
OneIncast(const std::vector<uint32_t>& hosts, const RdmaIncasts& incasts, RdmaTrafficRandom& random)
{
    const uint32_t receiver =
        incasts.receiver ? *incasts.receiver : hosts[random.Below(hosts.size())];
    std::vector<RdmaHostPair> all = RdmaIncastPairs(hosts, receiver, hosts.size() - 1);
    std::vector<uint32_t> senders;
    senders.reserve(all.size());
    for (const RdmaHostPair& pair : all)
    {
        senders.push_back(pair.first);
    }
    if (incasts.drawSenders)
    {
        DrawToFront(senders, incasts.fanIn, random);
    }
    return RdmaIncastPairs(senders, receiver, incasts.fanIn);
}

} // namespace

std::vector<double>
RdmaRegularArrivals(double periodNs, double durationNs)
{
    std::vector<double> starts;
    for (uint64_t i = 0; static_cast<double>(i) * periodNs < durationNs; ++i)
    {
        starts.push_back(static_cast<double>(i) * periodNs);
    }
    return starts;
}

std::vector<double>
RdmaPoissonArrivals(double meanIntervalNs, double durationNs, uint64_t seed)
{
    RdmaTrafficRandom random(seed, ARRIVAL_STREAM);
    std::vector<double> starts;
    for (double ns = random.Exponential(meanIntervalNs); ns < durationNs;
         ns += random.Exponential(meanIntervalNs))
    {
        starts.push_back(ns);
    }
    return starts;
}

std::vector<RdmaFlowSpec>
RdmaIncastFlows(const std::vector<uint32_t>& hosts,
                const RdmaIncasts& incasts,
                const std::vector<double>& startsNs,
                uint64_t seed)
{
    std::vector<RdmaFlowSpec> flows;
    flows.reserve(startsNs.size() * incasts.fanIn);
    for (size_t i = 0; i < startsNs.size(); ++i)
    {
        RdmaTrafficRandom random(seed, i);
        for (const auto& [src, dst] : OneIncast(hosts, incasts, random))
        {
            RdmaFlowSpec flow;
            flow.src = src;
            flow.dst = dst;
            flow.bytes = incasts.bytes;
            flow.start = NanoSeconds(static_cast<uint64_t>(startsNs[i]));
            flows.push_back(flow);
        }
    }
    return flows;
}

} // namespace ns3
