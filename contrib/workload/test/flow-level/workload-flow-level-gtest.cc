/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Flow level: completion times by hand, against an exact fluid simulation, and paths and times
// against the packet level.

#include "harness/apart.h"
#include "harness/transfers.h"

#include "ns3/boolean.h"
#include "ns3/global-value.h"
#include "ns3/input-error.h"
#include "ns3/nstime.h"
#include "ns3/rdma-helper.h"
#include "ns3/rdma-topology-generator.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/workload-flow-transport.h"
#include "ns3/workload-rdma-transport.h"
#include "ns3/workload-routes.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace ns3;
using namespace harness;
using nlohmann::json;

namespace
{

constexpr uint64_t GBPS = 1000000000;

/** One flow of a random case. */
struct Case
{
    uint32_t src;
    uint32_t dst;
    uint64_t bytes;
    int64_t startPs;
};

/** Runs transfers that start at given times. \return deliveries, ps */
std::vector<int64_t>
RunCases(WorkloadTransport& transport, const std::vector<Case>& cases)
{
    TransferLog log(transport);
    log.onTimer = [&](uint64_t i) {
        transport.Start({cases[i].src, cases[i].dst, cases[i].bytes, 0}, i);
    };
    for (size_t i = 0; i < cases.size(); ++i)
    {
        transport.Schedule(cases[i].startPs, i);
    }
    transport.Run();
    std::vector<int64_t> times;
    for (size_t i = 0; i < cases.size(); ++i)
    {
        times.push_back(log.delivered.count(i) ? log.delivered[i] : -1);
    }
    return times;
}

/** An exact fluid simulation in double: rates from scratch at every start and end. */
std::vector<double>
FluidEnds(const std::vector<Case>& cases,
          const std::vector<std::vector<uint32_t>>& paths,
          const std::vector<double>& capacities,
          double perPacket)
{
    const size_t n = cases.size();
    std::vector<double> left(n);
    std::vector<double> ends(n, -1);
    for (size_t i = 0; i < n; ++i)
    {
        left[i] = static_cast<double>(cases[i].bytes) +
                  perPacket * std::ceil(static_cast<double>(cases[i].bytes) / 1000);
    }
    double now = 0;
    for (;;)
    {
        std::vector<double> rates(n, 0);
        std::vector<double> spare = capacities;
        std::vector<bool> open(n);
        double nextStart = HUGE_VAL;
        for (size_t i = 0; i < n; ++i)
        {
            open[i] = ends[i] < 0 && static_cast<double>(cases[i].startPs) <= now;
            if (static_cast<double>(cases[i].startPs) > now)
            {
                nextStart = std::min(nextStart, static_cast<double>(cases[i].startPs));
            }
        }
        const std::vector<bool> running = open;
        while (std::count(open.begin(), open.end(), true))
        {
            std::vector<uint32_t> count(capacities.size());
            for (size_t i = 0; i < n; ++i)
            {
                for (const uint32_t link : paths[i])
                {
                    count[link] += open[i] ? 1 : 0;
                }
            }
            double least = HUGE_VAL;
            uint32_t at = 0;
            for (uint32_t link = 0; link < capacities.size(); ++link)
            {
                if (count[link] && spare[link] / count[link] < least)
                {
                    least = spare[link] / count[link];
                    at = link;
                }
            }
            for (size_t i = 0; i < n; ++i)
            {
                if (open[i] && std::count(paths[i].begin(), paths[i].end(), at))
                {
                    open[i] = false;
                    rates[i] = least;
                    for (const uint32_t link : paths[i])
                    {
                        spare[link] -= least;
                    }
                }
            }
        }
        double next = nextStart;
        for (size_t i = 0; i < n; ++i)
        {
            if (running[i])
            {
                next = std::min(next, now + left[i] / rates[i]);
            }
        }
        if (next == HUGE_VAL)
        {
            return ends;
        }
        for (size_t i = 0; i < n; ++i)
        {
            if (running[i])
            {
                left[i] -= rates[i] * (next - now);
                if (left[i] < 1e-6 * rates[i])
                {
                    ends[i] = next;
                }
            }
        }
        now = next;
    }
}

RdmaTopology
RandomTopology(Draw& draw)
{
    RdmaTopology topology;
    const auto hosts = static_cast<uint32_t>(2 + draw.Below(7));
    const auto switches = static_cast<uint32_t>(1 + draw.Below(5));
    const auto nv = static_cast<uint32_t>(draw.Below(3));
    topology.nodes.assign(hosts, RdmaNodeKind::HOST);
    topology.nodes.insert(topology.nodes.end(), nv, RdmaNodeKind::NVSWITCH);
    topology.nodes.insert(topology.nodes.end(), switches, RdmaNodeKind::SWITCH);
    const uint32_t nodes = hosts + nv + switches;
    auto link = [&](uint32_t a, uint32_t b) {
        const Time delay = NanoSeconds(draw.Below(5) * 100);
        topology.links.push_back({a, b, DataRate(GBPS * (1 + draw.Below(4)) * 25), delay});
    };
    for (uint32_t node = hosts + 1; node < nodes; ++node)
    {
        link(node, hosts + static_cast<uint32_t>(draw.Below(node - hosts))); // a tree of switches
    }
    for (uint32_t host = 0; host < hosts; ++host)
    {
        for (uint64_t n = 1 + draw.Below(2); n > 0; --n)
        {
            link(host, hosts + static_cast<uint32_t>(draw.Below(nodes - hosts)));
        }
    }
    for (uint64_t more = draw.Below(6); more > 0 && nodes - hosts > 1; --more)
    {
        const auto a = hosts + static_cast<uint32_t>(draw.Below(nodes - hosts));
        const auto b = hosts + static_cast<uint32_t>(draw.Below(nodes - hosts));
        if (a != b)
        {
            link(a, b);
        }
    }
    topology.origin = "random";
    return topology;
}

/** Longest-running part of a test that needs the packet level, in a process of its own. */
json
PacketLevel(const RdmaTopology& topology,
            const std::vector<Case>& cases,
            const std::string& control = "")
{
    return RunApart([&]() {
        Time::SetResolution(Time::PS);
        GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::RdmaSimulatorImpl"));
        RdmaHelper helper;
        helper.SetCongestionControl(control);
        WorkloadRdmaTransport transport(helper.Install(topology), MakeWorkloadEndpoints(topology));
        return json(RunCases(transport, cases));
    });
}

} // namespace

TEST(WorkloadFlowLevel, OneFlowOnALine)
{
    // 10,000 bytes are 10 packets of 1,048 bytes: 10,480 bytes at 100 Gb/s (80 ps a byte) take
    // 838,400 ps; two links of 1,000 ns; one packet more at the second link, 83,840 ps
    WorkloadFlowTransport transport(Star(2, 100 * GBPS, 1000));
    TransferLog log(transport);
    transport.Start({0, 1, 10000, 0}, 7);
    transport.Run();
    EXPECT_EQ(log.delivered.at(7), 838400 + 2000000 + 83840);
    // an acknowledgement of 60 bytes: 4,800 ps at each of two links
    EXPECT_EQ(log.acknowledged.at(7), log.delivered.at(7) + 2000000 + 9600);
}

TEST(WorkloadFlowLevel, OneByte)
{
    // a packet of 49 bytes: 3,920 ps at each of two links
    WorkloadFlowTransport transport(Star(2, 100 * GBPS, 0));
    TransferLog log(transport);
    transport.Start({0, 1, 1, 0}, 0);
    transport.Run();
    EXPECT_EQ(log.delivered.at(0), 2 * 3920);
}

TEST(WorkloadFlowLevel, IncastSharesEqually)
{
    // three flows of 8,000 bytes into one 100 Gb/s link without headers: 24,000 * 80 ps, and one
    // packet more; of the three last packets, those of two others come later half of the time
    WorkloadFlowOptions options;
    options.headerBytes = 0;
    WorkloadFlowTransport transport(Star(4, 100 * GBPS, 0), options);
    TransferLog log(transport);
    for (uint32_t host = 1; host < 4; ++host)
    {
        transport.Start({host, 0, 8000, 0}, host);
    }
    transport.Run();
    for (uint32_t host = 1; host < 4; ++host)
    {
        EXPECT_EQ(log.delivered.at(host), 24000 * 80 + 80000 - 2 * 80000 / 2);
    }
}

TEST(WorkloadFlowLevel, EqualFlowsThatEndTogetherAreOneRecomputation)
{
    WorkloadFlowTransport transport(Star(64, 100 * GBPS, 100));
    TransferLog log(transport);
    for (uint32_t host = 0; host < 64; ++host)
    {
        for (uint32_t to = 0; to < 64; ++to)
        {
            if (to != host)
            {
                transport.Start({host, to, 100000, 0}, host * 64 + to);
            }
        }
    }
    transport.Run();
    EXPECT_EQ(log.delivered.size(), 64 * 63);
    EXPECT_EQ(transport.GetRateUpdates(), 64 * 63);
}

TEST(WorkloadFlowLevel, ChainOfTransfersAndTimersInOrder)
{
    WorkloadFlowTransport transport(Star(2, 100 * GBPS, 100));
    TransferLog log(transport);
    for (const uint64_t timer : {3, 1, 2})
    {
        transport.Schedule(1000, timer);
    }
    transport.Schedule(0, 9);
    transport.Run();
    EXPECT_EQ(log.timers, (std::vector<uint64_t>{9, 3, 1, 2}));
    EXPECT_EQ(transport.Now(), 1000);
    log.onAcknowledged = [&](uint64_t id) {
        if (id < 100)
        {
            transport.Start(
                {static_cast<uint32_t>(id % 2), 1 - static_cast<uint32_t>(id % 2), 10, 0},
                id + 1);
        }
    };
    transport.Start({0, 1, 10, 0}, 0);
    transport.Run();
    EXPECT_EQ(log.acknowledged.size(), 101);
}

TEST(WorkloadFlowLevel, StopAndPulse)
{
    WorkloadFlowTransport transport(Star(2, 100 * GBPS, 100));
    TransferLog log(transport);
    int pulses = 0;
    transport.SetPulse([&]() {
        if (++pulses == 3)
        {
            transport.Stop();
        }
    });
    log.onTimer = [&](uint64_t) { transport.Schedule(1, 0); };
    transport.Schedule(1, 0);
    transport.Run();
    EXPECT_EQ(pulses, 3);
}

TEST(WorkloadFlowLevel, NoRouteFails)
{
    RdmaTopology topology = Star(3, 100 * GBPS, 0);
    topology.links.pop_back(); // host 2 hangs on nothing
    WorkloadFlowTransport transport(topology);
    TransferLog log(transport);
    transport.Start({0, 2, 10, 0}, 4);
    transport.Start({0, 1, 10, 0}, 5);
    EXPECT_TRUE(log.failed.empty()) << "told before it could expect it";
    transport.Run();
    EXPECT_EQ(log.failed.at(4), "no route from node 0 to node 2");
    EXPECT_EQ(log.delivered.count(5), 1);
}

TEST(WorkloadFlowLevel, WrongOptions)
{
    WorkloadFlowOptions options;
    options.payloadBytes = 0;
    EXPECT_THROW(WorkloadFlowTransport(Star(2, GBPS, 0), options), InputError);
    WorkloadFlowTransport slow(Star(2, 1, 0)); // 1 bit/s
    TransferLog log(slow);
    slow.Start({0, 1, 2000000, 0}, 0); // 16,000,000 s; time ends after 9,000,000
    EXPECT_THROW(slow.Run(), InputError);
}

TEST(WorkloadFlowLevel, EqualsTheExactFluidOnRandomNetworks)
{
    uint64_t flows = 0;
    for (uint64_t seed = 1; seed <= 300; ++seed)
    {
        Draw draw(seed);
        const RdmaTopology topology = RandomTopology(draw);
        const uint32_t hosts = topology.Count(RdmaNodeKind::HOST);
        std::vector<double> capacities;
        for (const RdmaLinkSpec& link : topology.links)
        {
            capacities.insert(capacities.end(),
                              2,
                              static_cast<double>(link.rate.GetBitRate()) / 8e12);
        }
        std::vector<Case> cases;
        for (uint64_t n = 1 + draw.Below(12); n > 0; --n)
        {
            const auto src = static_cast<uint32_t>(draw.Below(hosts));
            const auto dst = static_cast<uint32_t>((src + 1 + draw.Below(hosts - 1)) % hosts);
            cases.push_back(
                {src, dst, 1 + draw.Below(100000), static_cast<int64_t>(draw.Below(4) * 1000000)});
        }
        std::stable_sort(cases.begin(), cases.end(), [](const Case& a, const Case& b) {
            return a.startPs < b.startPs;
        });
        WorkloadRoutes routes(topology);
        std::vector<std::vector<uint32_t>> paths;
        std::vector<int64_t> pathPs;
        for (const Case& c : cases)
        {
            paths.emplace_back();
            routes.Next(c.src, c.dst, 100, paths.back());
            int64_t sum = 0;
            int64_t longest = 0;
            for (const uint32_t link : paths.back())
            {
                const auto packet = static_cast<double>(std::min<uint64_t>(c.bytes, 1000) + 48);
                const int64_t time = std::llround(packet / capacities[link]);
                sum += time + topology.links[link / 2].delay.GetPicoSeconds();
                longest = std::max(longest, time);
            }
            pathPs.push_back(sum - longest);
        }
        WorkloadFlowOptions options;
        options.ackBytes = 0; // the fluid has none
        WorkloadFlowTransport transport(topology, options);
        const std::vector<int64_t> got = RunCases(transport, cases);
        const std::vector<double> ends = FluidEnds(cases, paths, capacities, 48);
        for (size_t i = 0; i < cases.size(); ++i)
        {
            const auto together = [&](double end) { return std::abs(end - ends[i]) < 5; };
            if (std::count_if(ends.begin(), ends.end(), together) > 1)
            {
                continue; // they may take turns
            }
            // ends are rounded to whole ps, each of those that change a rate
            ASSERT_NEAR(static_cast<double>(got[i]), ends[i] + static_cast<double>(pathPs[i]), 15)
                << "seed " << seed << " flow " << i;
            ++flows;
        }
    }
    EXPECT_GT(flows, 1000);
}

TEST(WorkloadFlowLevel, PathsEqualThoseOfThePacketLevel)
{
    const json differing = RunApart([]() {
        Time::SetResolution(Time::PS);
        uint64_t compared = 0;
        for (uint64_t seed = 1; seed <= 40; ++seed)
        {
            Draw draw(seed);
            const RdmaTopology plain = RandomTopology(draw);
            const WorkloadEndpoints ends = MakeWorkloadEndpoints(plain, seed % 2);
            const bool collapse = seed % 3 == 0;
            RdmaHelper helper;
            helper.SetNetworkAttribute("CollapseParallelLinks", BooleanValue(collapse));
            const Ptr<RdmaNetwork> network = helper.Install(ends.topology);
            WorkloadRoutes routes(ends.topology, collapse);
            for (uint32_t flow = 0; flow < 60; ++flow)
            {
                const auto n = static_cast<uint32_t>(ends.nodes.size());
                const auto src = static_cast<uint32_t>(draw.Below(n));
                const auto dst = static_cast<uint32_t>((src + 1 + draw.Below(n - 1)) % n);
                RdmaFlow spec;
                spec.src = ends.nodes[src];
                spec.dst = ends.nodes[dst];
                spec.bytes = 1;
                const bool persistent = flow % 2 == 0;
                if (persistent)
                {
                    spec.sourcePort = WorkloadConnectionPort(spec.src, spec.dst, flow % 5);
                }
                std::vector<uint32_t> expected;
                for (const RdmaPort* port : network->StartFlow(spec).GetDataRoute())
                {
                    expected.push_back(port->GetPortId());
                }
                std::vector<uint32_t> links;
                if (persistent)
                {
                    routes.Find(spec.src, spec.dst, spec.sourcePort, spec.dport, links);
                }
                else
                {
                    routes.Next(spec.src, spec.dst, spec.dport, links);
                }
                if (links != expected)
                {
                    return json("seed " + std::to_string(seed));
                }
                compared += links.size();
            }
            network->Dispose();
        }
        Simulator::Destroy();
        return json(compared);
    });
    ASSERT_TRUE(differing.is_number()) << differing;
    EXPECT_GT(differing.get<uint64_t>(), 4000);
}

TEST(WorkloadFlowLevel, LongFlowsAgreeWithThePacketLevel)
{
    // one flow, two flows into one host, and three from one host: windows of a bandwidth-delay
    // product keep links busy, so that fluid and packets differ by headers of acknowledgements only
    const RdmaTopology topology = Star(4, 100 * GBPS, 1000);
    const std::vector<std::vector<Case>> all{
        {{0, 1, 4000000, 0}},
        {{0, 2, 4000000, 0}, {1, 2, 4000000, 0}},
        {{0, 1, 2000000, 0}, {0, 2, 2000000, 0}, {0, 3, 2000000, 0}},
    };
    for (const std::vector<Case>& cases : all)
    {
        WorkloadFlowTransport transport(topology);
        const std::vector<int64_t> flow = RunCases(transport, cases);
        const auto packet = PacketLevel(topology, cases).get<std::vector<int64_t>>();
        for (size_t i = 0; i < cases.size(); ++i)
        {
            EXPECT_NEAR(static_cast<double>(flow[i]) / static_cast<double>(packet[i]), 1, 0.02);
        }
    }
}

TEST(WorkloadFlowLevel, OneFlowEqualsThePacketLevelToThePicosecond)
{
    // alone, whole packets, equal links: what the formula says is what happens
    const RdmaTopology topology = Star(2, 100 * GBPS, 1000);
    const std::vector<Case> cases{{0, 1, 5000, 0}, {1, 0, 1, 100000000}};
    WorkloadFlowTransport transport(topology);
    EXPECT_EQ(json(RunCases(transport, cases)), PacketLevel(topology, cases));
}

TEST(WorkloadFlowLevel, NvSwitchesAreEndPoints)
{
    const RdmaTopology topology = Servers(2, 4, 2880 * GBPS, 400 * GBPS);
    WorkloadFlowOptions options;
    options.nvSwitches = true;
    WorkloadFlowTransport transport(topology, options);
    EXPECT_EQ(transport.GetHostCount(), 8);
    EXPECT_EQ(transport.GetEndpointCount(), 10);
    TransferLog log(transport);
    // end point 9 is the NVSwitch of server 1, with GPUs 4 to 7; all four send to it at once, each
    // over a link of its own: 1,048,000 bytes at 2,880 Gb/s = 2,911,111 ps, 25 ns, and a packet of
    // 1,048 bytes at 100 Tb/s: 84 ps
    for (uint32_t gpu = 4; gpu < 8; ++gpu)
    {
        transport.Start({gpu, 9, 1000000, 0}, gpu);
    }
    transport.Start({0, 9, 1000, 0}, 0); // hosts are not transit, so there is no way
    transport.Run();
    for (uint32_t gpu = 4; gpu < 8; ++gpu)
    {
        EXPECT_EQ(log.delivered.at(gpu), 2911111 + 25000 + 84);
    }
    EXPECT_EQ(log.failed.count(0), 1);
}
