/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-traffic-generator.h"

#include "rdma-traffic-arrivals.h"
#include "rdma-traffic-keys.h"
#include "rdma-traffic-patterns.h"

#include "ns3/input-nearest-name.h"
#include "ns3/input-units.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

// Streams of a seed; others are numbers of hosts or incasts.
constexpr uint64_t JITTER_STREAM = UINT64_MAX;
constexpr uint64_t FIRST_SEED_STREAM = uint64_t{1} << 63;
constexpr uint64_t PERMUTATION_STREAM = 0;

const std::vector<std::string>
    TRAFFIC_KINDS{"permutation", "incast", "all-to-all", "ring", "poisson", "on-off", "trace"};

/** What all kinds have in common. */
struct CommonKeys
{
    CommonKeys(InputSpec& spec, uint32_t usualStream)
        : start(RdmaTrafficTime(spec, "start")),
          jitter(RdmaTrafficTime(spec, "jitter")),
          priority(static_cast<uint8_t>(spec.Integer("priority", 3, 1, 7))),
          dport(static_cast<uint16_t>(spec.Integer("dport", 100, 0, UINT16_MAX))),
          stream(spec.Integer("stream", usualStream, 0, UINT32_MAX))
    {
        spec.Word("name", ""); // for MixRdmaTraffic
    }

    Time start;
    Time jitter;
    uint8_t priority;
    uint16_t dport;
    uint64_t stream;
};

std::vector<RdmaHostPair>
Permutation(InputSpec& spec, const std::vector<uint32_t>& hosts, uint64_t seed)
{
    spec.Finish();
    RdmaTrafficRandom random(seed, PERMUTATION_STREAM);
    return RdmaPermutationPairs(hosts, random);
}

std::vector<RdmaHostPair>
AllToAll(InputSpec& spec, const std::vector<uint32_t>& hosts)
{
    const bool shift = spec.Choice("order", "shift", {"shift", "source"}) == "shift";
    spec.Finish();
    const auto count = static_cast<double>(hosts.size());
    CheckRdmaTrafficCount(count * (count - 1), spec, "use a smaller topology");
    return RdmaAllToAllPairs(hosts, shift ? RdmaAllToAllOrder::SHIFT : RdmaAllToAllOrder::SOURCE);
}

std::vector<RdmaHostPair>
Ring(InputSpec& spec, const std::vector<uint32_t>& hosts)
{
    const uint64_t stride = spec.Integer("stride", 1, 1, UINT32_MAX);
    spec.Finish();
    if (stride % hosts.size() == 0)
    {
        spec.FailValue("stride",
                       "a number that is not a multiple of the number of hosts, " +
                           std::to_string(hosts.size()) + ": a host cannot send to itself");
    }
    return RdmaRingPairs(hosts, stride);
}

/** A flow of the same size for each pair that the kind makes. */
std::vector<RdmaFlowSpec>
EqualFlows(InputSpec& spec, const RdmaTopology& topology, uint64_t seed)
{
    const std::vector<uint32_t> hosts = RdmaTrafficHosts(topology);
    RdmaFlowSpec flow;
    flow.bytes = spec.Bytes("bytes", 1000000, 1);
    const std::vector<RdmaHostPair> pairs = spec.Kind() == "all-to-all" ? AllToAll(spec, hosts)
                                            : spec.Kind() == "ring"
                                                ? Ring(spec, hosts)
                                                : Permutation(spec, hosts, seed);
    std::vector<RdmaFlowSpec> flows;
    flows.reserve(pairs.size());
    for (const auto& [src, dst] : pairs)
    {
        flow.src = src;
        flow.dst = dst;
        flows.push_back(flow);
    }
    return flows;
}

bool
StartsEarlier(const RdmaFlowSpec& a, const RdmaFlowSpec& b)
{
    return a.start < b.start;
}

void
Apply(const InputSpec& spec,
      const CommonKeys& keys,
      std::vector<RdmaFlowSpec>& flows,
      uint64_t seed)
{
    const Time left = Days(RDMA_TRAFFIC_DAYS) - (flows.empty() ? Time(0) : flows.back().start);
    if (keys.start > left || keys.jitter > left - keys.start)
    {
        spec.Fail("a flow would start after more than " + std::to_string(RDMA_TRAFFIC_DAYS) +
                  " days; choose a smaller start or jitter");
    }
    const auto steps =
        static_cast<uint64_t>(std::ceil(RdmaTimeIn(keys.jitter, Time::NS))); // whole nanoseconds
    RdmaTrafficRandom random(seed, JITTER_STREAM);
    for (RdmaFlowSpec& flow : flows)
    {
        flow.priority = keys.priority;
        flow.dport = keys.dport;
        flow.start += keys.start + NanoSeconds(steps ? random.Below(steps) : 0);
    }
    std::stable_sort(flows.begin(), flows.end(), StartsEarlier);
}

/** \return the flows before what the common keys do to them */
std::vector<RdmaFlowSpec>
FlowsOfKind(InputSpec& spec, const RdmaTopology& topology, uint64_t seed)
{
    return spec.Kind() == "poisson"  ? RdmaPoissonTraffic(spec, topology, seed)
           : spec.Kind() == "incast" ? RdmaIncastTraffic(spec, topology, seed)
           : spec.Kind() == "on-off" ? RdmaOnOffTraffic(spec, topology, seed)
           : spec.Kind() == "trace"  ? RdmaTraceTraffic(spec, topology)
                                     : EqualFlows(spec, topology, seed);
}

} // namespace

std::vector<RdmaFlowSpec>
GenerateRdmaTraffic(const std::string& spec,
                    const RdmaTopology& topology,
                    uint64_t seed,
                    uint32_t stream)
{
    InputSpec parsed(spec);
    if (std::find(TRAFFIC_KINDS.begin(), TRAFFIC_KINDS.end(), parsed.Kind()) == TRAFFIC_KINDS.end())
    {
        parsed.Fail("no such kind of traffic" + KnownNamesText(parsed.Kind(), TRAFFIC_KINDS));
    }
    const CommonKeys keys(parsed, stream);
    const uint64_t own =
        keys.stream ? RdmaTrafficRandom(seed, FIRST_SEED_STREAM + keys.stream).Bits() : seed;
    std::vector<RdmaFlowSpec> flows = FlowsOfKind(parsed, topology, own);
    Apply(parsed, keys, flows, own);
    return flows;
}

RdmaTrafficMix
MixRdmaTraffic(const std::vector<std::string>& specs, const RdmaTopology& topology, uint64_t seed)
{
    RdmaTrafficMix mix;
    for (size_t i = 0; i < specs.size(); ++i)
    {
        std::vector<RdmaFlowSpec> flows =
            GenerateRdmaTraffic(specs[i], topology, seed, static_cast<uint32_t>(i));
        InputSpec parsed(specs[i]);
        const std::string name = parsed.Word("name", parsed.Kind());
        const auto known = std::find(mix.names.begin(), mix.names.end(), name);
        const auto kind = static_cast<uint32_t>(known - mix.names.begin());
        if (known == mix.names.end())
        {
            mix.names.push_back(name);
        }
        for (RdmaFlowSpec& flow : flows)
        {
            flow.kind = kind;
        }
        mix.flows.insert(mix.flows.end(), flows.begin(), flows.end());
    }
    std::stable_sort(mix.flows.begin(), mix.flows.end(), StartsEarlier);
    return mix;
}

} // namespace ns3
