/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-traffic-generator.h"

#include "rdma-flow-size-cdf.h"
#include "rdma-traffic-patterns.h"
#include "rdma-traffic-poisson.h"

#include "ns3/input-error.h"
#include "ns3/input-nearest-name.h"
#include "ns3/input-spec.h"
#include "ns3/input-units.h"
#include "ns3/rdma-timing.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

constexpr uint64_t MAX_FLOWS = 100000000;      // some 5 GB
constexpr uint64_t JITTER_STREAM = UINT64_MAX; // of the seed; others are numbers of hosts
constexpr uint64_t PERMUTATION_STREAM = 0;
constexpr int MAX_TIME_DAYS = 100; // what a run in picoseconds can count

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
        throw InputError(topology.origin,
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
            rates[link.a] += link.rate.GetBitRate();
            rates[link.b] += link.rate.GetBitRate();
        }
    }
    std::vector<RdmaPoissonHost> hosts;
    for (uint32_t id : Hosts(topology))
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
CheckCount(double count, const InputSpec& spec, const std::string& remedy)
{
    if (count > MAX_FLOWS)
    {
        spec.Fail("would make more than " + std::to_string(MAX_FLOWS) + " flows; " + remedy);
    }
}

/** \return the value of a key, a time; 0 if it is not given */
Time
TimeOf(InputSpec& spec, const std::string& key)
{
    return spec.Duration(key, Time(0), Days(MAX_TIME_DAYS));
}

/** What all kinds have in common. */
struct CommonKeys
{
    explicit CommonKeys(InputSpec& spec)
        : start(TimeOf(spec, "start")),
          jitter(TimeOf(spec, "jitter")),
          priority(static_cast<uint8_t>(spec.Integer("priority", 3, 1, 7))),
          dport(static_cast<uint16_t>(spec.Integer("dport", 100, 0, UINT16_MAX)))
    {
    }

    Time start;
    Time jitter;
    uint8_t priority;
    uint16_t dport;
};

std::vector<RdmaHostPair>
Permutation(InputSpec& spec, const std::vector<uint32_t>& hosts, uint64_t seed)
{
    spec.Finish();
    RdmaTrafficRandom random(seed, PERMUTATION_STREAM);
    return RdmaPermutationPairs(hosts, random);
}

std::vector<RdmaHostPair>
Incast(InputSpec& spec, const std::vector<uint32_t>& hosts)
{
    const uint64_t receiver = spec.Integer("receiver", hosts.back(), 0, UINT32_MAX);
    const uint64_t fanIn = spec.Integer("fan-in", hosts.size() - 1, 1, hosts.size() - 1);
    spec.Finish();
    if (!std::binary_search(hosts.begin(), hosts.end(), receiver))
    {
        spec.FailValue("receiver",
                       "the id of a host of the topology; these are from " +
                           std::to_string(hosts.front()) + " to " + std::to_string(hosts.back()) +
                           ", switches excepted");
    }
    return RdmaIncastPairs(hosts, static_cast<uint32_t>(receiver), fanIn);
}

std::vector<RdmaHostPair>
AllToAll(InputSpec& spec, const std::vector<uint32_t>& hosts)
{
    const bool shift = spec.Choice("order", "shift", {"shift", "source"}) == "shift";
    spec.Finish();
    const auto count = static_cast<double>(hosts.size());
    CheckCount(count * (count - 1), spec, "use a smaller topology");
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

std::vector<RdmaFlowSpec>
Poisson(InputSpec& spec, const RdmaTopology& topology, uint64_t seed)
{
    constexpr double MIN_LOAD = 0.0001;
    constexpr double MAX_LOAD = 10;
    spec.Require("cdf", "workloads/cdf/websearch.txt");
    spec.Require("load", "0.5");
    spec.Require("duration", "10ms");
    const std::string file = spec.Word("cdf", "");
    const double load = spec.Number("load", 0, MIN_LOAD, MAX_LOAD);
    const double durationNs = RdmaTimeIn(TimeOf(spec, "duration"), Time::NS);
    spec.Finish();
    const std::vector<RdmaPoissonHost> hosts = HostRates(topology);
    const RdmaFlowSizeCdf sizes(file);
    CheckCount(RdmaPoissonFlowCount(hosts, sizes, load, durationNs),
               spec,
               "use a shorter duration or a smaller load");
    return RdmaPoissonFlows(hosts, sizes, load, durationNs, seed);
}

/** A flow of the same size for each pair that the kind makes. */
std::vector<RdmaFlowSpec>
EqualFlows(InputSpec& spec, const RdmaTopology& topology, uint64_t seed)
{
    const std::vector<uint32_t> hosts = Hosts(topology);
    RdmaFlowSpec flow;
    flow.bytes = spec.Bytes("bytes", 1000000, 1);
    const std::vector<RdmaHostPair> pairs = spec.Kind() == "incast"       ? Incast(spec, hosts)
                                            : spec.Kind() == "all-to-all" ? AllToAll(spec, hosts)
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

void
Apply(const InputSpec& spec,
      const CommonKeys& keys,
      std::vector<RdmaFlowSpec>& flows,
      uint64_t seed)
{
    const Time left = Days(MAX_TIME_DAYS) - (flows.empty() ? Time(0) : flows.back().start);
    if (keys.start > left || keys.jitter > left - keys.start)
    {
        spec.Fail("a flow would start after more than " + std::to_string(MAX_TIME_DAYS) +
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
    std::stable_sort(flows.begin(), flows.end(), [](const RdmaFlowSpec& a, const RdmaFlowSpec& b) {
        return a.start < b.start;
    });
}

} // namespace

std::vector<RdmaFlowSpec>
GenerateRdmaTraffic(const std::string& spec, const RdmaTopology& topology, uint64_t seed)
{
    const std::vector<std::string> kinds{"permutation", "incast", "all-to-all", "ring", "poisson"};
    InputSpec parsed(spec);
    if (std::find(kinds.begin(), kinds.end(), parsed.Kind()) == kinds.end())
    {
        parsed.Fail("no such kind of traffic" + KnownNamesText(parsed.Kind(), kinds));
    }
    const CommonKeys keys(parsed);
    std::vector<RdmaFlowSpec> flows = parsed.Kind() == "poisson"
                                          ? Poisson(parsed, topology, seed)
                                          : EqualFlows(parsed, topology, seed);
    Apply(parsed, keys, flows, seed);
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
