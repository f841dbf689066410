/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/data.h"
#include "harness/errors.h"
#include "harness/picoseconds.h"
#include "harness/traffic_probe.h"

#include "ns3/input-bytes.h"
#include "ns3/input-error.h"
#include "ns3/rdma-flow-size-cdf.h"
#include "ns3/rdma-traffic-generator.h"
#include "ns3/rdma-traffic-random.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>

using namespace ns3;

namespace
{

using harness::Star;
using harness::Written;
using TrafficGenerator = harness::InPicoseconds;
using TrafficSizes = harness::InPicoseconds;
using FlowSizeCdf = harness::InPicoseconds;

const std::string SOURCE = WORMHOLE_SOURCE_DIR;
const std::string WEB_SEARCH = SOURCE + "/workloads/cdf/websearch.txt";

using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;

Pairs
PairsOf(const std::vector<RdmaFlowSpec>& flows)
{
    Pairs pairs;
    for (const RdmaFlowSpec& flow : flows)
    {
        pairs.emplace_back(flow.src, flow.dst);
    }
    return pairs;
}

std::string
ErrorOf(const std::string& spec, const RdmaTopology& topology = Star(4))
{
    return harness::InputErrorOf([&] { GenerateRdmaTraffic(spec, topology, 1); });
}

RdmaFlowSizeCdf
Cdf(const std::string& text)
{
    std::istringstream in(text);
    return RdmaFlowSizeCdf(in, "cdf.txt");
}

std::string
CdfError(const std::string& text)
{
    return harness::InputErrorOf([&] { Cdf(text); });
}

std::string
Poisson(const std::string& load, const std::string& duration)
{
    return "poisson:cdf=" + WEB_SEARCH + ",load=" + load + ",duration=" + duration;
}

} // namespace

TEST_F(TrafficGenerator, PermutationMovesEveryHost)
{
    for (uint64_t seed = 0; seed < 100; ++seed)
    {
        std::set<uint32_t> sources;
        std::set<uint32_t> destinations;
        for (const auto& [src, dst] : PairsOf(GenerateRdmaTraffic("permutation", Star(5), seed)))
        {
            EXPECT_NE(src, dst);
            sources.insert(src);
            destinations.insert(dst);
        }
        EXPECT_EQ(sources.size(), 5U);
        EXPECT_EQ(destinations.size(), 5U);
    }
}

TEST_F(TrafficGenerator, PermutationsAreEquallyLikely)
{
    // Four hosts have 9 permutations that move all (4! * (1 - 1 + 1/2 - 1/6 + 1/24)).
    constexpr int DRAWS = 9000;
    std::map<Pairs, int> seen;
    for (uint64_t seed = 0; seed < DRAWS; ++seed)
    {
        ++seen[PairsOf(GenerateRdmaTraffic("permutation", Star(4), seed))];
    }
    EXPECT_EQ(seen.size(), 9U);
    for (const auto& [pairs, count] : seen)
    {
        EXPECT_NEAR(count, 1000, 150); // 5 deviations of sqrt(9000 * 1/9 * 8/9) = 30
    }
}

TEST_F(TrafficGenerator, IncastGoesToTheReceiver)
{
    EXPECT_EQ(PairsOf(GenerateRdmaTraffic("incast", Star(4), 1)), (Pairs{{0, 3}, {1, 3}, {2, 3}}));
    EXPECT_EQ(PairsOf(GenerateRdmaTraffic("incast:fan-in=2,receiver=1", Star(4), 1)),
              (Pairs{{0, 1}, {2, 1}}));
}

TEST_F(TrafficGenerator, AllToAllInBothOrders)
{
    EXPECT_EQ(PairsOf(GenerateRdmaTraffic("all-to-all", Star(3), 1)),
              (Pairs{{0, 1}, {1, 2}, {2, 0}, {0, 2}, {1, 0}, {2, 1}}));
    EXPECT_EQ(PairsOf(GenerateRdmaTraffic("all-to-all:order=source", Star(3), 1)),
              (Pairs{{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}}));
}

TEST_F(TrafficGenerator, RingFollowsTheRing)
{
    EXPECT_EQ(PairsOf(GenerateRdmaTraffic("ring", Star(3), 1)), (Pairs{{0, 1}, {1, 2}, {2, 0}}));
    EXPECT_EQ(PairsOf(GenerateRdmaTraffic("ring:stride=2", Star(4), 1)),
              (Pairs{{0, 2}, {2, 0}, {1, 3}, {3, 1}}));
}

TEST_F(TrafficGenerator, MakesTheFlowsOfOurReferenceCases)
{
    struct Case
    {
        const char* name;
        const char* spec;
        uint32_t hosts;
    };

    for (const Case& c : {Case{"ring64", "ring:stride=8,bytes=20000000", 64},
                          Case{"a2a16", "all-to-all:bytes=1MB", 16},
                          Case{"incast16", "incast:bytes=5MB", 17},
                          Case{"single", "incast:bytes=20MB", 2}})
    {
        const auto file = harness::Data("hpcc") / c.name / "flow.txt";
        EXPECT_EQ(Written(GenerateRdmaTraffic(c.spec, Star(c.hosts), 1)),
                  Written(ReadRdmaFlows(file.string())))
            << c.name;
    }
}

TEST_F(TrafficGenerator, AppliesTheCommonKeys)
{
    const auto flows =
        GenerateRdmaTraffic("ring:bytes=64KiB,start=1ms,priority=5,dport=4791", Star(3), 1);
    ASSERT_EQ(flows.size(), 3U); // from each host to the next
    for (const RdmaFlowSpec& flow : flows)
    {
        EXPECT_EQ(flow.bytes, 65536U);
        EXPECT_EQ(flow.start, MilliSeconds(1));
        EXPECT_EQ(flow.priority, 5);
        EXPECT_EQ(flow.dport, 4791);
    }
}

TEST_F(TrafficGenerator, JitterIsUniform)
{
    const auto flows = GenerateRdmaTraffic("ring:start=1us,jitter=10us", Star(10000), 1);
    double sum = 0;
    for (const RdmaFlowSpec& flow : flows)
    {
        ASSERT_GE(flow.start, MicroSeconds(1));
        ASSERT_LT(flow.start, MicroSeconds(11));
        sum += flow.start.GetSeconds();
    }
    // Mean 6 us; deviation of the mean 10 us / sqrt(12) / sqrt(10000) = 0.029 us.
    EXPECT_NEAR(sum / 10000, 6e-6, 0.15e-6);
    EXPECT_TRUE(std::is_sorted(flows.begin(), flows.end(), [](const auto& a, const auto& b) {
        return a.start < b.start;
    }));
}

TEST_F(TrafficGenerator, LeavesSwitchesAndNvSwitchesOut)
{
    RdmaTopology topology = Star(2);
    topology.nodes.push_back(RdmaNodeKind::NVSWITCH);
    topology.nodes.push_back(RdmaNodeKind::HOST);
    topology.links.push_back({0, 3, DataRate("2400Gbps"), NanoSeconds(25)});
    topology.links.push_back({4, 2, DataRate("100Gbps"), MicroSeconds(1)});
    EXPECT_EQ(PairsOf(GenerateRdmaTraffic("ring", topology, 1)), (Pairs{{0, 1}, {1, 4}, {4, 0}}));
    // The NVLink of host 0 does not count for its load: all three send about as much.
    std::map<uint32_t, int> flows;
    for (const auto& [src, dst] : PairsOf(GenerateRdmaTraffic(Poisson("0.5", "1s"), topology, 1)))
    {
        ++flows[src];
    }
    EXPECT_NEAR(flows[0], flows[1], 0.15 * flows[1]);
    EXPECT_NEAR(flows[4], flows[1], 0.15 * flows[1]);
}

TEST_F(TrafficGenerator, PoissonOffersTheLoad)
{
    constexpr uint32_t HOSTS = 32;
    constexpr double SECONDS = 2;
    const auto flows = GenerateRdmaTraffic(Poisson("0.5", "2s"), Star(HOSTS), 7);
    // A host starts 0.5 * 100 Gb/s / 8 / 1665174 B = 3753.4 flows a second.
    const double expected = HOSTS * SECONDS * 0.5 * 100e9 / 8 / 1665173.8;
    EXPECT_NEAR(static_cast<double>(flows.size()), expected, 5 * std::sqrt(expected));
    double bytes = 0;
    double small = 0;
    for (const RdmaFlowSpec& flow : flows)
    {
        EXPECT_NE(flow.src, flow.dst);
        EXPECT_LT(flow.start.GetSeconds(), SECONDS);
        bytes += static_cast<double>(flow.bytes);
        small += flow.bytes <= 77380;
    }
    const double load = bytes * 8 / (HOSTS * 100e9 * SECONDS);
    EXPECT_NEAR(load, 0.5, 0.01);
    EXPECT_NEAR(small / static_cast<double>(flows.size()),
                0.53,
                0.005); // 240,000 flows: 5 deviations
}

TEST_F(TrafficGenerator, PoissonIntervalsAreExponentialAndPairsUniform)
{
    constexpr uint32_t HOSTS = 8;
    const auto flows = GenerateRdmaTraffic(Poisson("0.5", "2s"), Star(HOSTS), 3);
    std::map<std::pair<uint32_t, uint32_t>, double> pairs;
    std::vector<double> intervals;
    double last = 0;
    for (const RdmaFlowSpec& flow : flows)
    {
        ++pairs[{flow.src, flow.dst}];
        if (flow.src == 0)
        {
            intervals.push_back(flow.start.GetSeconds() - last);
            last = flow.start.GetSeconds();
        }
    }
    const double mean = 8 * 1665173.8 / (0.5 * 100e9);
    for (double factor : {0.1, 0.5, 1.0, 2.0})
    {
        const auto longer = std::count_if(intervals.begin(), intervals.end(), [&](double interval) {
            return interval > factor * mean;
        });
        EXPECT_NEAR(static_cast<double>(longer) / static_cast<double>(intervals.size()),
                    std::exp(-factor),
                    0.03); // some 7500 intervals: 5 deviations
    }
    EXPECT_EQ(pairs.size(), HOSTS * (HOSTS - 1));
    const double each = static_cast<double>(flows.size()) / (HOSTS * (HOSTS - 1));
    for (const auto& [pair, count] : pairs)
    {
        EXPECT_NEAR(count, each, 5 * std::sqrt(each));
    }
}

TEST_F(TrafficGenerator, SameSeedSameFlows)
{
    const std::string specs[] = {"permutation:jitter=1ms", Poisson("0.3", "10ms")};
    for (const std::string& spec : specs)
    {
        const std::string flows = Written(GenerateRdmaTraffic(spec, Star(16), 42));
        EXPECT_EQ(Written(GenerateRdmaTraffic(spec, Star(16), 42)), flows);
        EXPECT_NE(Written(GenerateRdmaTraffic(spec, Star(16), 43)), flows);
        std::istringstream in(flows);
        EXPECT_EQ(Written(ReadRdmaFlows(in, "flow.txt")), flows);
    }
}

TEST_F(TrafficGenerator, DrawsAreTheSameOnEveryMachine)
{
    RdmaTrafficRandom random(1, 0);
    RdmaTrafficRandom again(1, 0);
    RdmaTrafficRandom other(1, 1);
    // Computed with Python's integers: state = mix(mix(1) + 0), then SplitMix64's next() twice.
    const uint64_t first = random.Bits();
    EXPECT_EQ(first, 4720248854425330031U);
    EXPECT_EQ(random.Bits(), 1629287585893752162U);
    EXPECT_EQ(again.Bits(), first);
    EXPECT_NE(other.Bits(), first);
    for (int i = 0; i < 1000; ++i)
    {
        EXPECT_LT(random.Below(3), 3U);
        const double uniform = random.Uniform();
        EXPECT_GT(uniform, 0);
        EXPECT_LE(uniform, 1);
    }
}

TEST_F(TrafficGenerator, SaysWhatIsWrong)
{
    const std::pair<std::string, std::string> cases[] = {
        {"torus",
         "torus: no such kind of traffic; there are permutation, incast, all-to-all, ring, "
         "poisson, on-off and trace"},
        {"ring:strid=2",
         "ring: has no key strid; did you mean stride? Its keys are start, jitter, priority, "
         "dport, stream, name, bytes and stride"},
        {"incast:fanin=2",
         "incast: has no key fanin; did you mean fan-in? Its keys are start, jitter, priority, "
         "dport, stream, name, bytes, fan-in, senders, receiver, period and load"},
        {"all2all",
         "all2all: no such kind of traffic; did you mean all-to-all? There are permutation, "
         "incast, "
         "all-to-all, ring, poisson, on-off and trace"},
        {"ring:start=2000h,jitter=2000h",
         "ring: a flow would start after more than 100 days; choose a smaller start or jitter"},
        {"permutation:cdf=x",
         "permutation: has no key cdf; its keys are start, jitter, priority, dport, "
         "stream, name and bytes"},
        {"ring:stride=0", "ring: stride=0, but must be a whole number from 1 to 4294967295"},
        {"ring:stride=8",
         "ring: stride=8, but must be a number that is not a multiple of the number of hosts, "
         "4: a host cannot send to itself"},
        {"ring:bytes=1.5",
         "ring: bytes=1.5, but must be a size in whole bytes from 1 to 9223372036854775807, "
         "such as 20000000, 1MB or 64KiB"},
        {"ring:bytes=1Mb",
         "ring: bytes=1Mb, but must be a size in whole bytes from 1 to 9223372036854775807, "
         "such as 20000000, 1MB or 64KiB"},
        {"ring:start=5",
         "ring: start=5, but must be a time from 0 to 8640000000000000ns with its unit, such "
         "as 1us"},
        {"ring:priority=0", "ring: priority=0, but must be a whole number from 1 to 7"},
        {"incast:receiver=4",
         "incast: receiver=4, but must be random, or the id of a host of the topology; these are "
         "from 0 to 3, switches excepted"},
        {"incast:fan-in=4", "incast: fan-in=4, but must be a whole number from 1 to 3"},
        {"all-to-all:order=x", "all-to-all: order=x, but must be one of shift and source"},
        {"poisson", "poisson: cdf is missing; give it, as in cdf=workloads/cdf/websearch.txt"},
        {"poisson:cdf=/nonexistent,load=1,duration=1us",
         "/nonexistent: cannot be read; check the name and the permissions"},
        {Poisson("0.1", "1us,bytes=1MB"),
         "poisson: has no key bytes; its keys are start, jitter, priority, dport, stream, name, "
         "cdf, load and "
         "duration"},
        {Poisson("0", "1ms"), "poisson: load=0, but must be a number from 0.0001 to 10"},
        {Poisson("10", "1h"),
         "poisson: would make more than 100000000 flows; use a shorter duration or a smaller load"},
    };
    for (const auto& [spec, message] : cases)
    {
        EXPECT_EQ(ErrorOf(spec), message) << spec;
    }
    EXPECT_EQ(ErrorOf("ring", Star(1)),
              "star: traffic needs 2 hosts at least, but the topology has 1");
    RdmaTopology cut = Star(3);
    cut.links.pop_back();
    EXPECT_EQ(
        ErrorOf(Poisson("0.5", "1ms"), cut),
        "star: host 2 has no link to the network, so that a load says nothing for it; add one, or "
        "use another kind of traffic");
}

TEST_F(TrafficGenerator, HelpFitsTheTerminalAndItsExamplesWork)
{
    std::istringstream help(RdmaTrafficGeneratorHelp());
    bool examples = false;
    int tried = 0;
    for (std::string line; std::getline(help, line);)
    {
        EXPECT_LE(line.size(), 100U) << line;
        if (examples)
        {
            std::string spec = line.substr(line.find_first_not_of(' '));
            if (const size_t at = spec.find("workloads/"); at != std::string::npos)
            {
                spec.insert(at, SOURCE + "/");
            }
            EXPECT_FALSE(GenerateRdmaTraffic(spec, Star(17), 1).empty()) << spec;
            ++tried;
        }
        examples = examples || line == "Examples:";
    }
    EXPECT_EQ(tried, 8);
}

TEST_F(TrafficSizes, Units)
{
    const std::pair<const char*, uint64_t> cases[] = {{"7", 7},
                                                      {"7B", 7},
                                                      {"1KB", 1000},
                                                      {"1.5MB", 1500000},
                                                      {"2GB", 2000000000},
                                                      {"64KiB", 65536},
                                                      {"3MiB", 3145728},
                                                      {"9223372036854775807", INT64_MAX}};
    for (const auto& [text, expected] : cases)
    {
        uint64_t bytes = 0;
        EXPECT_TRUE(ParseBytes(text, bytes)) << text;
        EXPECT_EQ(bytes, expected) << text;
    }
    for (const char* text :
         {"", "B", "-1", "1.5", "1 MB", "1mb", "9223372036854775808", "10000000TB", "1e3"})
    {
        uint64_t bytes = 5;
        EXPECT_FALSE(ParseBytes(text, bytes)) << text;
        EXPECT_EQ(bytes, 5U);
    }
}

TEST_F(FlowSizeCdf, InterpolatesAndAverages)
{
    const RdmaFlowSizeCdf cdf = Cdf("0 0\n1000 50\n3000 100\n");
    EXPECT_EQ(cdf.Mean(), 0.5 * 500 + 0.5 * 2000);
    EXPECT_EQ(cdf.SizeAt(0), 1U); // not 0 bytes
    EXPECT_EQ(cdf.SizeAt(0.25), 500U);
    EXPECT_EQ(cdf.SizeAt(0.5), 1000U);
    EXPECT_EQ(cdf.SizeAt(0.75), 2000U);
    EXPECT_EQ(cdf.SizeAt(1), 3000U);
    EXPECT_EQ(Cdf("5000 0\n5000 100\n").SizeAt(0.5), 5000U); // one size only
}

TEST_F(FlowSizeCdf, SaysWhatIsWrongAndWhere)
{
    const std::pair<const char*, const char*> cases[] = {
        {"",
         "cdf.txt:1: the last percentage must be 100; end with a line of the greatest size and "
         "100"},
        {"0 0\n5 x\n", "cdf.txt:2: percentage of flows x, but must be a number from 0 to 100"},
        {"0 0\n-5 3\n",
         "cdf.txt:2: flow size in bytes -5, but must be a number from 0 to "
         "9000000000000000000"},
        {"0 0\n5\n",
         "cdf.txt:2: the file ends where the percentage of flows up to the size is expected; "
         "complete the file"},
        {"0 0\n9 50\n5 100\n",
         "cdf.txt:3: the flow size is less than the one before; sort the points by "
         "size"},
        {"0 0\n5 50\n9 40\n",
         "cdf.txt:3: the percentage is less than the one before; a CDF never "
         "decreases"},
        {"0 5\n5 100\n",
         "cdf.txt:1: the first percentage must be 0; begin with a line of the least size "
         "and 0"},
        {"0 0\n5 99\n",
         "cdf.txt:2: the last percentage must be 100; end with a line of the greatest size "
         "and 100"},
        {"0 0\n1 100\n", "cdf.txt:2: the mean of the sizes is below 1 byte; give larger sizes"},
    };
    for (const auto& [text, message] : cases)
    {
        EXPECT_EQ(CdfError(text), message) << text;
    }
}

TEST_F(FlowSizeCdf, ReadsFiles)
{
    const auto mean = [](const char* name) {
        return RdmaFlowSizeCdf(harness::Data("formats/hpcc/" + std::string(name)).string()).Mean();
    };
    // Sizes between two lines are equally likely: half of 500, a quarter of 2000, none of 51,500,
    // and a quarter of 150,000.
    EXPECT_DOUBLE_EQ(mean("cdf-messages.txt"), 0.5 * 500 + 0.25 * 2000 + 0.25 * 150000);
    EXPECT_NEAR(mean("cdf-requests.txt"),
                0.125 * 4 + 0.25 * 16 + 0.624995 * 44 + 0.000005 * 32032,
                1e-9);
    EXPECT_GT(RdmaFlowSizeCdf(WEB_SEARCH).Mean(), 100);
}
