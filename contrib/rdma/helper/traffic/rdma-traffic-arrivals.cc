/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-traffic-arrivals.h"

#include "rdma-flow-size-cdf.h"
#include "rdma-flow-source.h"
#include "rdma-traffic-incast.h"
#include "rdma-traffic-keys.h"
#include "rdma-traffic-on-off.h"
#include "rdma-traffic-poisson.h"
#include "rdma-traffic-trace.h"

#include "ns3/input-number.h"
#include "ns3/input-units.h"
#include "ns3/rdma-timing.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr double MIN_LOAD = 0.0001;
constexpr double MAX_LOAD = 10;
constexpr uint64_t USUAL_BYTES = 1000000;

double
NsOf(InputSpec& spec, const std::string& key)
{
    return RdmaTimeIn(RdmaTrafficTime(spec, key), Time::NS);
}

/** \return a time that must be given, and be more than 0 */
double
PositiveNsOf(InputSpec& spec, const std::string& key, const std::string& example)
{
    spec.Require(key, example);
    const double ns = NsOf(spec, key);
    if (ns <= 0)
    {
        spec.FailValue(key, "more than 0");
    }
    return ns;
}

/** Sets the receiver, unless it is drawn. */
void
SetReceiver(InputSpec& spec, const std::vector<uint32_t>& hosts, RdmaIncasts& incasts)
{
    const std::string text = spec.Word("receiver", std::to_string(hosts.back()));
    if (text == "random")
    {
        return;
    }
    uint64_t receiver = 0;
    if (!ParseInteger(text, receiver) || receiver > UINT32_MAX ||
        !std::binary_search(hosts.begin(), hosts.end(), receiver))
    {
        spec.FailValue("receiver",
                       "random, or the id of a host of the topology; these are from " +
                           std::to_string(hosts.front()) + " to " + std::to_string(hosts.back()) +
                           ", switches excepted");
    }
    incasts.receiver = static_cast<uint32_t>(receiver);
}

/** \return ns between incasts that together are this load of all hosts' rates */
double
IncastIntervalNs(const RdmaTopology& topology, const RdmaIncasts& incasts, double load)
{
    constexpr double BITS_PER_BYTE = 8;
    double rate = 0;
    for (const RdmaPoissonHost& host : RdmaTrafficHostRates(topology))
    {
        rate += static_cast<double>(host.rate);
    }
    const auto bytes = static_cast<double>(incasts.bytes) * static_cast<double>(incasts.fanIn);
    return bytes * BITS_PER_BYTE * RDMA_NS_PER_SECOND / (rate * load);
}

/** \return when the incasts are, in ns: one at 0 unless a period or load is given */
std::vector<double>
IncastStarts(InputSpec& spec,
             const RdmaTopology& topology,
             const RdmaIncasts& incasts,
             uint64_t seed)
{
    const bool regular = spec.Has("period");
    const bool random = spec.Has("load");
    if (!regular && !random)
    {
        return {0};
    }
    if (regular && random)
    {
        spec.Fail("period and load both say how often; give one");
    }
    const double durationNs = PositiveNsOf(spec, "duration", "10ms");
    const double intervalNs =
        regular ? PositiveNsOf(spec, "period", "100us")
                : IncastIntervalNs(topology, incasts, spec.Number("load", 0, MIN_LOAD, MAX_LOAD));
    CheckRdmaTrafficCount(durationNs / intervalNs * static_cast<double>(incasts.fanIn),
                          spec,
                          "use a shorter duration, or less frequent incasts");
    return regular ? RdmaRegularArrivals(intervalNs, durationNs)
                   : RdmaPoissonArrivals(intervalNs, durationNs, seed);
}

} // namespace

std::vector<RdmaFlowSpec>
RdmaPoissonTraffic(InputSpec& spec, const RdmaTopology& topology, uint64_t seed)
{
    spec.Require("cdf", "workloads/cdf/websearch.txt");
    spec.Require("load", "0.5");
    spec.Require("duration", "10ms");
    const std::string file = spec.Word("cdf", "");
    const double load = spec.Number("load", 0, MIN_LOAD, MAX_LOAD);
    const double durationNs = NsOf(spec, "duration");
    spec.Finish();
    const std::vector<RdmaPoissonHost> hosts = RdmaTrafficHostRates(topology);
    const RdmaFlowSizeCdf sizes(file);
    CheckRdmaTrafficCount(RdmaPoissonFlowCount(hosts, sizes, load, durationNs),
                          spec,
                          "use a shorter duration or a smaller load");
    return RdmaPoissonFlows(hosts, sizes, load, durationNs, seed);
}

std::vector<RdmaFlowSpec>
RdmaIncastTraffic(InputSpec& spec, const RdmaTopology& topology, uint64_t seed)
{
    const std::vector<uint32_t> hosts = RdmaTrafficHosts(topology);
    RdmaIncasts incasts;
    incasts.bytes = spec.Bytes("bytes", USUAL_BYTES, 1);
    incasts.fanIn = spec.Integer("fan-in", hosts.size() - 1, 1, hosts.size() - 1);
    incasts.drawSenders = spec.Choice("senders", "first", {"first", "random"}) == "random";
    SetReceiver(spec, hosts, incasts);
    const std::vector<double> startsNs = IncastStarts(spec, topology, incasts, seed);
    spec.Finish();
    return RdmaIncastFlows(hosts, incasts, startsNs, seed);
}

std::vector<RdmaFlowSpec>
RdmaOnOffTraffic(InputSpec& spec, const RdmaTopology& topology, uint64_t seed)
{
    RdmaOnOff onOff;
    onOff.bytes = spec.Bytes("bytes", USUAL_BYTES, 1);
    onOff.onNs = PositiveNsOf(spec, "on", "100us");
    spec.Require("off", "100us");
    onOff.offNs = NsOf(spec, "off");
    onOff.load = spec.Number("load", 1, MIN_LOAD, MAX_LOAD);
    onOff.durationNs = PositiveNsOf(spec, "duration", "10ms");
    spec.Finish();
    const std::vector<RdmaPoissonHost> hosts = RdmaTrafficHostRates(topology);
    const double turns =
        static_cast<double>(hosts.size()) * onOff.durationNs / (onOff.onNs + onOff.offNs);
    CheckRdmaTrafficCount(std::max(RdmaOnOffFlowCount(hosts, onOff), turns),
                          spec,
                          "use a shorter duration, longer times on and off, or larger flows");
    return RdmaOnOffFlows(hosts, onOff, seed);
}

std::vector<RdmaFlowSpec>
RdmaTraceTraffic(InputSpec& spec, const RdmaTopology& topology)
{
    spec.Require("file", "workloads/arrivals.csv");
    const std::string file = spec.Word("file", "");
    spec.Finish();
    std::vector<RdmaFlowSpec> flows = ReadRdmaTrafficTrace(file);
    RdmaFlowSource::Check(flows, topology, file);
    return flows;
}

} // namespace ns3
