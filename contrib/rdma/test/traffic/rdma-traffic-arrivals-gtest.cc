/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/errors.h"
#include "harness/picoseconds.h"
#include "harness/traffic_probe.h"

#include "ns3/input-error.h"
#include "ns3/rdma-flow-size-cdf.h"
#include "ns3/rdma-traffic-generator.h"
#include "ns3/rdma-traffic-trace.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>

using namespace ns3;

namespace
{

using harness::Star;
using harness::Written;
using TrafficArrivals = harness::InPicoseconds;

const std::string ROOT = WORMHOLE_SOURCE_DIR;

std::vector<RdmaFlowSpec>
Generate(const std::string& spec, uint32_t hosts, uint64_t seed = 1)
{
    return GenerateRdmaTraffic(spec, Star(hosts), seed);
}

std::string
ArrivalError(const std::string& spec)
{
    return harness::InputErrorOf([&] { Generate(spec, 4); });
}

std::vector<RdmaFlowSpec>
Trace(const std::string& text)
{
    std::istringstream in(text);
    return ReadRdmaTrafficTrace(in, "a.csv");
}

std::string
TraceError(const std::string& text)
{
    return harness::InputErrorOf([&] { Trace(text); });
}

/** \return flows of one kind, as text */
std::string
TextOfKind(const RdmaTrafficMix& mix, const std::string& name)
{
    std::vector<RdmaFlowSpec> flows;
    std::copy_if(mix.flows.begin(),
                 mix.flows.end(),
                 std::back_inserter(flows),
                 [&](const RdmaFlowSpec& flow) { return mix.names.at(flow.kind) == name; });
    return Written(flows);
}

} // namespace

TEST_F(TrafficArrivals, PeriodicIncastsDrawTheirHosts)
{
    // incasts at 0, 10, 20 us; the duration ends before 30 us
    const auto flows = Generate(
        "incast:fan-in=4,senders=random,receiver=random,bytes=1KB,period=10us,duration=30us",
        16);
    ASSERT_EQ(flows.size(), 12U);
    std::set<std::set<uint32_t>> senders;
    std::set<uint32_t> receivers;
    for (size_t i = 0; i < flows.size(); i += 4)
    {
        std::set<uint32_t> together;
        for (size_t k = i; k < i + 4; ++k)
        {
            EXPECT_EQ(flows[k].start, MicroSeconds(static_cast<int64_t>(10 * (i / 4))));
            EXPECT_EQ(flows[k].dst, flows[i].dst);
            EXPECT_NE(flows[k].src, flows[k].dst);
            EXPECT_EQ(flows[k].bytes, 1000U);
            together.insert(flows[k].src);
        }
        EXPECT_EQ(together.size(), 4U);
        senders.insert(together);
        receivers.insert(flows[i].dst);
    }
    EXPECT_EQ(senders.size(), 3U);
    EXPECT_GE(receivers.size(), 2U);
    // a longer series begins alike, and without draws it is the plain incast again and again
    EXPECT_EQ(Written(Generate("incast:fan-in=2,period=10us,duration=11us", 3)),
              "4\n0 2 3 100 1000000 0.0000000000\n1 2 3 100 1000000 0.0000000000\n"
              "0 2 3 100 1000000 0.0000100000\n1 2 3 100 1000000 0.0000100000\n");
}

TEST_F(TrafficArrivals, DrawnSendersAreEquallyLikely)
{
    // Each of 3 incasters of 9 is drawn with 1/3: of 6000 incasts 2000, deviation
    // sqrt(6000 * 1/3 * 2/3) = 36.5.
    std::map<uint32_t, int> seen;
    for (const RdmaFlowSpec& flow :
         Generate("incast:fan-in=3,senders=random,receiver=9,period=1us,duration=6ms", 10))
    {
        ++seen[flow.src];
    }
    ASSERT_EQ(seen.size(), 9U);
    for (const auto& [host, count] : seen)
    {
        EXPECT_NEAR(count, 2000, 5 * 36.5) << host;
    }
}

TEST_F(TrafficArrivals, IncastsOfferTheirLoad)
{
    // HPCC's incasts: 60 x 500 KB. 2 % of 320 x 100 Gb/s is 640 Gb/s: an incast in 375 us.
    const auto flows = Generate(
        "incast:fan-in=60,senders=random,receiver=random,bytes=500KB,load=0.02,duration=1s",
        320);
    const double incasts = static_cast<double>(flows.size()) / 60;
    EXPECT_NEAR(incasts, 1 / 375e-6, 5 * std::sqrt(1 / 375e-6));
    EXPECT_GT(flows.front().start, Time(0));
    EXPECT_LT(flows.back().start, Seconds(1));
}

TEST_F(TrafficArrivals, OnOffOffersItsLoad)
{
    // While on, a host sends 64 KB in 64000 * 8 / 80 Gb/s = 6.4 us; a quarter of the time it is on.
    const std::string spec = "on-off:on=100us,off=300us,load=0.8,bytes=64KB,duration=1s";
    const auto flows = Generate(spec, 16);
    const double expected = 16 * 0.25 / 6.4e-6;
    // 2500 turns a host: the time on deviates by some sqrt(2 * 0.75^2 / 2500 / 16) = 0.5 %
    EXPECT_NEAR(static_cast<double>(flows.size()), expected, 0.03 * expected);
    std::map<uint32_t, Time> last;
    std::map<uint32_t, uint32_t> receiver;
    int turns = 0;
    for (const RdmaFlowSpec& flow : flows)
    {
        EXPECT_NE(flow.src, flow.dst);
        const bool first = last.count(flow.src) == 0;
        const Time gap = flow.start - last[flow.src];
        if (!first && gap >= NanoSeconds(6399) && gap <= NanoSeconds(6401))
        {
            EXPECT_EQ(flow.dst, receiver[flow.src]) << "within a turn, one receiver";
        }
        else
        {
            ++turns;
        }
        last[flow.src] = flow.start;
        receiver[flow.src] = flow.dst;
    }
    // a turn of exponential length T has a flow with 1 - (100 / 6.4) * (1 - exp(-6.4 / 100)) or so
    // more than none: nearly all of 16 * 2500 turns
    EXPECT_NEAR(turns, 16 * 2500, 0.06 * 16 * 2500);
    // always on: one flow each 6.4 us
    EXPECT_NEAR(static_cast<double>(
                    Generate("on-off:on=1ms,off=0s,load=0.8,bytes=64KB,duration=64ms", 2).size()),
                20000,
                300);
}

TEST_F(TrafficArrivals, TracesAreReadAsTheyStand)
{
    EXPECT_EQ(Written(Trace("time_us,source,destination,bytes\n1.5,2,0,300\n\n0.001, 1,2,7\r\n")),
              "2\n1 2 3 100 7 0.0000000010\n2 0 3 100 300 0.0000015000\n");
    // as some editors begin a file
    EXPECT_EQ(Written(Trace("\xEF\xBB\xBFtime_us,source,destination,bytes\n1,2,0,300\n")),
              "1\n2 0 3 100 300 0.0000010000\n");
    // flows.csv of a recorded run
    EXPECT_EQ(
        Written(Trace("kind,src,dst,bytes,start_ns,fct_ns,standalone_ns\nring,0,1,9,250,7,\n")),
        "1\n0 1 3 100 9 0.0000002500\n");
    const auto flows =
        Generate("trace:file=" + ROOT + "/workloads/arrivals.csv,start=1ms,priority=5", 4);
    ASSERT_EQ(flows.size(), 4U);
    EXPECT_EQ(flows[3].start, MicroSeconds(1020));
    EXPECT_EQ(flows[3].priority, 5);
}

TEST_F(TrafficArrivals, AMixIsTheSumOfItsParts)
{
    const RdmaTopology topology = Star(16);
    const std::string cdf = ROOT + "/workloads/cdf/fb-hadoop.txt";
    const std::string poisson = "poisson:cdf=" + cdf + ",load=0.3,duration=200us";
    const std::string incast = "incast:fan-in=3,senders=random,receiver=random,period=50us,"
                               "duration=200us,name=burst";
    const RdmaTrafficMix one = MixRdmaTraffic({poisson}, topology, 7);
    const RdmaTrafficMix both = MixRdmaTraffic({poisson, incast}, topology, 7);
    const RdmaTrafficMix three = MixRdmaTraffic({poisson, incast, poisson}, topology, 7);
    EXPECT_EQ(one.names, std::vector<std::string>{"poisson"});
    EXPECT_EQ(both.names, (std::vector<std::string>{"poisson", "burst"}));
    EXPECT_EQ(three.names, both.names);
    EXPECT_EQ(both.flows.size(), one.flows.size() + 12);
    EXPECT_TRUE(std::is_sorted(
        both.flows.begin(),
        both.flows.end(),
        [](const RdmaFlowSpec& a, const RdmaFlowSpec& b) { return a.start < b.start; }));
    // what is added changes nothing of what there was, and draws for itself
    EXPECT_EQ(Written(one.flows), Written(GenerateRdmaTraffic(poisson, topology, 7)));
    EXPECT_EQ(TextOfKind(both, "poisson"), Written(one.flows));
    EXPECT_EQ(TextOfKind(three, "burst"), TextOfKind(both, "burst"));
    EXPECT_NE(Written(GenerateRdmaTraffic(poisson, topology, 7, 2)), Written(one.flows));
    EXPECT_EQ(three.flows.size(),
              both.flows.size() + GenerateRdmaTraffic(poisson, topology, 7, 2).size());
    // a stream is a name for draws
    EXPECT_EQ(Written(GenerateRdmaTraffic(poisson + ",stream=2", topology, 7)),
              Written(GenerateRdmaTraffic(poisson, topology, 7, 2)));
}

TEST_F(TrafficArrivals, PublishedDistributionsHaveTheirMeans)
{
    // as workloads/cdf/README.md has them, and the text of each file
    for (const auto& [name, mean] : std::map<std::string, double>{{"websearch", 1665174},
                                                                  {"fb-hadoop", 120421},
                                                                  {"ali-storage", 40870},
                                                                  {"google-rpc", 2964}})
    {
        std::string file = ROOT;
        file.append("/workloads/cdf/").append(name).append(".txt");
        EXPECT_NEAR(RdmaFlowSizeCdf(file).Mean(), mean, 0.5);
    }
}

TEST_F(TrafficArrivals, SaysWhatIsWrong)
{
    const std::pair<std::string, std::string> cases[] = {
        {"incast:period=1us,load=0.1", "incast: period and load both say how often; give one"},
        {"incast:period=1us", "incast: duration is missing; give it, as in duration=10ms"},
        {"incast:period=0us,duration=1us", "incast: period=0us, but must be more than 0"},
        {"incast:period=1ps,duration=10s",
         "incast: would make more than 100000000 flows; use a shorter duration, or less frequent "
         "incasts"},
        {"incast:senders=some", "incast: senders=some, but must be one of first and random"},
        {"on-off:on=0us", "on-off: on=0us, but must be more than 0"},
        {"on-off:on=1us", "on-off: off is missing; give it, as in off=100us"},
        {"on-off:on=1us,off=0us,duration=1s,bytes=1",
         "on-off: would make more than 100000000 flows; use a shorter duration, longer times on "
         "and off, or larger flows"},
        {"trace", "trace: file is missing; give it, as in file=workloads/arrivals.csv"},
    };
    for (const auto& [spec, message] : cases)
    {
        EXPECT_EQ(ArrivalError(spec), message) << spec;
    }
    const std::string head = "time_us,source,destination,bytes\n";
    const std::pair<std::string, std::string> traces[] = {
        {"",
         "a.csv:1: the file is empty; its first line names the columns, such as "
         "time_us,source,destination,bytes"},
        {"0,1,2,3\n",
         "a.csv:1: no column of time_s, time_ms, time_us, time_ns and start_ns; the first line "
         "names the columns, such as time_us,source,destination,bytes"},
        {"time_us,time_ns,source,destination,bytes\n",
         "a.csv:1: columns time_us and time_ns mean the same; leave one of them out"},
        {head + "1,2,3\n",
         "a.csv:2: the line has 3 fields, but must have as many as there are columns, 4"},
        {head + "x,2,3,4\n", "a.csv:2: the time is x, but must be a number of us, 0 or more"},
        {head + "-1,2,3,4\n", "a.csv:2: the time is -1, but must be a number of us, 0 or more"},
        {head + "1,2,3,4\n1,2,3,-4\n",
         "a.csv:3: the size in bytes is -4, but must be a whole number from 0 to "
         "9223372036854775807"},
    };
    for (const auto& [text, message] : traces)
    {
        EXPECT_EQ(TraceError(text), message) << text;
    }
}
