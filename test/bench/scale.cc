/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What large networks and many flows cost: set-up time and memory of fat-trees with 400 Gb/s links,
// and time per packet-hop with more and more flows on one leaf-spine network.
//
//   bench-scale [--one-queue] [TOPOLOGY | FLOWS]...
//
// With --one-queue, RdmaSimulatorImpl::Windows is not set.
// Without arguments, all rows of the document; FLOWS is how many start at once. Prints one JSON
// object. Every row is a process of its own, and seconds are processor time.

#include "harness/apart.h"
#include "harness/memory.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/rdma-flow-source.h"
#include "ns3/rdma-helper.h"
#include "ns3/rdma-topology-generator.h"
#include "ns3/rdma-traffic-generator.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <iostream>
#include <random>

using namespace ns3;
using nlohmann::json;

namespace
{

/** \return seconds of processor time that \p work took */
double
Timed(const std::function<void()>& work)
{
    const std::clock_t start = std::clock();
    work();
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

double
ToMb(uint64_t kib)
{
    return static_cast<double>(kib) * 1024 / 1e6;
}

/** A network under HPCC, built step by step. */
struct Experiment
{
    RdmaTopology topology;
    Ptr<RdmaNetwork> network;

    void Generate(const std::string& spec)
    {
        Time::SetResolution(Time::PS);
        GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::RdmaSimulatorImpl"));
        topology = GenerateRdmaTopology(spec);
    }

    void Install()
    {
        RdmaHelper helper;
        helper.SetCongestionControl("ns3::RdmaHpcc");
        network = helper.Install(topology);
        network->SetReactions(RdmaReactions::NONE);
    }

    /** Runs flows to their end. \return what that cost */
    json Run(const std::vector<RdmaFlowSpec>& flows) const
    {
        uint64_t completed = 0;
        int64_t last = 0;
        RdmaFlowSource source(network, flows, {true, true});
        source.SetEndCallback([&](const RdmaQueuePair& qp) {
            ++completed;
            last = qp.GetEndTime();
        });
        source.Start();
        const double seconds = Timed([] { Simulator::Run(); });
        const RdmaCounters& counters = network->GetContext().counters;
        json result{{"flows", flows.size()},
                    {"completed", completed},
                    {"last_completion_ms", static_cast<double>(last) / 1e9},
                    {"packet_hops", counters.packetHops},
                    {"pauses", counters.pauses},
                    {"seconds", seconds},
                    {"ns_per_packet_hop", seconds * 1e9 / static_cast<double>(counters.packetHops)},
                    {"peak_memory_mb", ToMb(harness::PeakMemoryKib())}};
        Simulator::Destroy();
        return result;
    }
};

/** Sets a network up, and lets every host send 100 KB to another. */
json
MeasureNetwork(const std::string& spec)
{
    const uint64_t before = harness::MemoryKib();
    Experiment experiment;
    int64_t rttNs = 0;
    uint64_t bdp = 0;
    const double generate = Timed([&] { experiment.Generate(spec); });
    const double install = Timed([&] { experiment.Install(); });
    const double largest = Timed([&] { experiment.network->GetRouting().GetLargest(rttNs, bdp); });
    const uint64_t hosts = experiment.topology.Count(RdmaNodeKind::HOST);
    const uint64_t memory = harness::MemoryKib() - before;
    json row{
        {"topology", spec},
        {"hosts", hosts},
        {"switches", experiment.topology.Count(RdmaNodeKind::SWITCH)},
        {"links", experiment.topology.links.size()},
        {"generate_seconds", generate},
        {"install_seconds", install},
        {"largest_rtt_seconds", largest},
        {"set_up_seconds", generate + install + largest},
        {"set_up_us_per_host", (generate + install + largest) * 1e6 / static_cast<double>(hosts)},
        {"memory_mb", ToMb(memory)},
        {"memory_kb_per_host", ToMb(memory) * 1000 / static_cast<double>(hosts)},
        {"largest_rtt_ns", rttNs},
        {"largest_bdp_bytes", bdp}};
    row["permutation_100kb"] =
        experiment.Run(GenerateRdmaTraffic("permutation:bytes=100000", experiment.topology, 1));
    return row;
}

/** \return flows of 10 KB between random hosts: all at once, or at random times at half load */
std::vector<RdmaFlowSpec>
SmallFlows(size_t count, bool spread, uint32_t hosts, double hostRate)
{
    constexpr uint64_t BYTES = 10000;
    constexpr double LOAD = 0.5;
    const double meanGap = BYTES * 8 / (LOAD * hostRate * hosts); // s
    std::mt19937_64 random(1);
    double now = 0;
    std::vector<RdmaFlowSpec> flows(count);
    for (RdmaFlowSpec& flow : flows)
    {
        flow.src = static_cast<uint32_t>(random() % hosts);
        flow.dst = static_cast<uint32_t>((flow.src + 1 + random() % (hosts - 1)) % hosts);
        flow.bytes = BYTES;
        if (spread)
        {
            now -= meanGap * std::log1p(-static_cast<double>(random() >> 11) * 0x1p-53);
        }
        flow.start = NanoSeconds(static_cast<uint64_t>(now * 1e9));
    }
    return flows;
}

json
MeasureFlows(size_t count, bool spread)
{
    Experiment experiment;
    experiment.Generate("leaf-spine:leaves=8,spines=8,hosts-per-leaf=8");
    experiment.Install();
    const auto rate = static_cast<double>(experiment.topology.links.front().rate.GetBitRate());
    json row = experiment.Run(
        SmallFlows(count, spread, experiment.topology.Count(RdmaNodeKind::HOST), rate));
    row["arrivals"] = spread ? "Poisson, half load" : "all at t = 0";
    return row;
}

} // namespace

int
main(int argc, char** argv)
{
    json result{{"networks", json::array()}, {"flows", json::array()}};
    const auto addNetwork = [&result](const std::string& spec) {
        result["networks"].push_back(harness::RunApart([spec] { return MeasureNetwork(spec); }));
    };
    const auto addFlows = [&result](size_t count, bool spread) {
        result["flows"].push_back(
            harness::RunApart([count, spread] { return MeasureFlows(count, spread); }));
    };
    const bool oneQueue = argc > 1 && std::string(argv[1]) == "--one-queue";
    Config::SetDefault("ns3::RdmaSimulatorImpl::Windows", BooleanValue(!oneQueue));
    for (int i = 1 + oneQueue; i < argc; ++i)
    {
        const size_t count = std::strtoul(argv[i], nullptr, 10);
        count ? addFlows(count, false) : addNetwork(argv[i]);
    }
    if (argc == 1 + oneQueue)
    {
        for (const char* spec : {"fat-tree:k=16,rate=400Gbps",
                                 "fat-tree:hosts=4096,rate=400Gbps",
                                 "fat-tree:hosts=16384,rate=400Gbps"})
        {
            addNetwork(spec);
        }
        for (const bool spread : {false, true})
        {
            for (const size_t count : {1000, 10000, 100000})
            {
                addFlows(count, spread);
            }
        }
    }
    std::cout << result.dump(1) << "\n";
    return 0;
}
