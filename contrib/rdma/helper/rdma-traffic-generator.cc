/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-traffic-generator.h"

#include "rdma-flow-size-cdf.h"
#include "rdma-input-error.h"
#include "rdma-traffic-options.h"
#include "rdma-traffic-patterns.h"
#include "rdma-traffic-poisson.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

constexpr uint64_t MAX_FLOWS = 100000000;      // some 5 GB
constexpr uint64_t JITTER_STREAM = UINT64_MAX; // of the seed; others are numbers of hosts
constexpr uint64_t PERMUTATION_STREAM = 0;
constexpr double NS_PER_SECOND = 1e9;

std::vector<uint32_t>
Hosts(const RdmaTopology& topology)
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
        throw RdmaInputError(topology.origin,
                             0,
                             "traffic needs 2 hosts at least, but the topology has " +
                                 std::to_string(hosts.size()));
    }
    return hosts;
}

/** \return the hosts with the rate of their links, those inside a server (to NVSwitches) left out
 */
std::vector<RdmaPoissonHost>
HostRates(const RdmaTopology& topology)
{
    std::vector<uint64_t> rates(topology.nodes.size());
    for (const RdmaLinkSpec& link : topology.links)
    {
        if (topology.nodes[link.a] != RdmaNodeKind::NVSWITCH &&
            topology.nodes[link.b] != RdmaNodeKind::NVSWITCH)
        {
            rates[link.a] += link.rate;
            rates[link.b] += link.rate;
        }
    }
    std::vector<RdmaPoissonHost> hosts;
    for (uint32_t id : Hosts(topology))
    {
        if (rates[id] == 0)
        {
            throw RdmaInputError(topology.origin,
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
CheckCount(double count, const RdmaTrafficOptions& options, const std::string& remedy)
{
    if (count > MAX_FLOWS)
    {
        options.Fail("would make more than " + std::to_string(MAX_FLOWS) + " flows; " + remedy);
    }
}

std::vector<RdmaHostPair>
Incast(RdmaTrafficOptions& options, const std::vector<uint32_t>& hosts)
{
    const uint64_t receiver = options.Whole("receiver", hosts.back(), 0, UINT32_MAX);
    if (!std::binary_search(hosts.begin(), hosts.end(), receiver))
    {
        options.Fail("receiver=" + std::to_string(receiver) +
                     " is not a host of the topology; hosts are " + std::to_string(hosts.front()) +
                     " to " + std::to_string(hosts.back()) + ", switches excepted");
    }
    const uint64_t fanIn = options.Whole("fan-in", hosts.size() - 1, 1, hosts.size() - 1);
    return RdmaIncastPairs(hosts, static_cast<uint32_t>(receiver), fanIn);
}

std::vector<RdmaHostPair>
AllToAll(RdmaTrafficOptions& options, const std::vector<uint32_t>& hosts)
{
    const auto count = static_cast<double>(hosts.size());
    CheckCount(count * (count - 1), options, "use a smaller topology");
    const bool shift = options.Choice("order", {"shift", "source"}) == "shift";
    return RdmaAllToAllPairs(hosts, shift ? RdmaAllToAllOrder::SHIFT : RdmaAllToAllOrder::SOURCE);
}

std::vector<RdmaHostPair>
Ring(RdmaTrafficOptions& options, const std::vector<uint32_t>& hosts)
{
    const uint64_t stride = options.Whole("stride", 1, 1, UINT32_MAX);
    if (stride % hosts.size() == 0)
    {
        options.Fail("stride=" + std::to_string(stride) + " would lead each of the " +
                     std::to_string(hosts.size()) +
                     " hosts to itself; use a stride that is not a multiple of that number");
    }
    return RdmaRingPairs(hosts, stride);
}

std::vector<RdmaHostPair>
Permutation(const std::vector<uint32_t>& hosts, uint64_t seed)
{
    RdmaTrafficRandom random(seed, PERMUTATION_STREAM);
    return RdmaPermutationPairs(hosts, random);
}

std::vector<RdmaFlowSpec>
Poisson(RdmaTrafficOptions& options, const RdmaTopology& topology, uint64_t seed)
{
    constexpr double MIN_LOAD = 0.0001;
    constexpr double MAX_LOAD = 10;
    const std::vector<RdmaPoissonHost> hosts = HostRates(topology);
    const RdmaFlowSizeCdf sizes(options.Text("cdf"));
    const double load = options.Number("load", MIN_LOAD, MAX_LOAD);
    const double durationNs = options.TimeNs("duration");
    CheckCount(RdmaPoissonFlowCount(hosts, sizes, load, durationNs),
               options,
               "use a shorter duration or a smaller load");
    return RdmaPoissonFlows(hosts, sizes, load, durationNs, seed);
}

/** The flows of a kind, with sizes; all start at 0 unless the kind says when. */
std::vector<RdmaFlowSpec>
Flows(RdmaTrafficOptions& options, const RdmaTopology& topology, uint64_t seed)
{
    if (options.Kind() == "poisson")
    {
        return Poisson(options, topology, seed);
    }
    const std::vector<uint32_t> hosts = Hosts(topology);
    const std::vector<RdmaHostPair> pairs = options.Kind() == "incast" ? Incast(options, hosts)
                                            : options.Kind() == "all-to-all"
                                                ? AllToAll(options, hosts)
                                            : options.Kind() == "ring" ? Ring(options, hosts)
                                                                       : Permutation(hosts, seed);
    RdmaFlowSpec flow;
    flow.bytes = options.Bytes("bytes", 1000000);
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

/** Sets what all kinds have in common. */
void
ApplyCommonOptions(RdmaTrafficOptions& options, std::vector<RdmaFlowSpec>& flows, uint64_t seed)
{
    const auto priority = static_cast<uint8_t>(options.Whole("priority", 3, 1, 7));
    const auto dport = static_cast<uint16_t>(options.Whole("dport", 100, 0, UINT16_MAX));
    const double startNs = options.TimeNs("start", 0);
    const double jitterNs = options.TimeNs("jitter", 0);
    const auto steps = static_cast<uint64_t>(std::ceil(jitterNs)); // offsets are whole nanoseconds
    RdmaTrafficRandom random(seed, JITTER_STREAM);
    for (RdmaFlowSpec& flow : flows)
    {
        flow.priority = priority;
        flow.dport = dport;
        const double offsetNs = steps ? static_cast<double>(random.Below(steps)) : 0;
        const double flowNs = std::round(flow.startSeconds * NS_PER_SECOND);
        flow.startSeconds = (flowNs + startNs + offsetNs) / NS_PER_SECOND;
    }
    std::stable_sort(flows.begin(), flows.end(), [](const RdmaFlowSpec& a, const RdmaFlowSpec& b) {
        return a.startSeconds < b.startSeconds;
    });
}

} // namespace

std::vector<RdmaFlowSpec>
GenerateRdmaTraffic(const std::string& spec, const RdmaTopology& topology, uint64_t seed)
{
    RdmaTrafficOptions options(spec, {"permutation", "incast", "all-to-all", "ring", "poisson"});
    std::vector<RdmaFlowSpec> flows = Flows(options, topology, seed);
    ApplyCommonOptions(options, flows, seed);
    options.CheckAllUsed();
    return flows;
}

std::string
RdmaTrafficGeneratorHelp()
{
    return R"(Traffic: KIND or KIND:KEY=VALUE,KEY=VALUE...

  permutation   each host sends to one other and receives from one, drawn with the seed
  incast        hosts send to one receiver
      fan-in=N        senders, the first N hosts          (all but the receiver)
      receiver=ID     node id                             (the last host)
  all-to-all    each host sends to each other one
      order=shift     all hosts to their next one, then all to the one after it...   (default)
      order=source    all flows of the first host, then all of the second...
  ring          each host sends to the one STRIDE places on, around the end
      stride=N                                            (1)
  poisson       hosts start flows at exponentially distributed intervals, to random other hosts
      cdf=FILE        flow sizes: lines of SIZE PERCENT, as workloads/cdf/websearch.txt   (required)
      load=X          fraction of the rate of a host's links, 0.0001 to 10                (required)
      duration=TIME   flows start before it                                               (required)

Keys of every kind (with their values if not given):
      bytes=SIZE      size of each flow, not with poisson: B, KB, MB, GB are powers of 1000,
                      KiB, MiB, GiB of 1024                                               (1MB)
      start=TIME      added to all starts: fs, ps, ns, us, ms, s                          (0)
      jitter=TIME     a random time below it is added to each start, with the seed        (0)
      priority=N      priority group, 1 to 7                                              (3)
      dport=N         UDP destination port                                                (100)

Examples:
  permutation:bytes=10MB,jitter=5us
  incast:fan-in=16,receiver=16,bytes=5MB
  all-to-all:bytes=64KiB
  ring:stride=8,bytes=20MB
  poisson:cdf=workloads/cdf/websearch.txt,load=0.5,duration=10ms
)";
}

} // namespace ns3
