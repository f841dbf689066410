/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What large networks and many flows cost: set-up time and memory of fat-trees with 400 Gb/s links,
// and time per packet-hop with more and more flows on one leaf-spine network, beside that of case
// ring64 (bench-case, HPCC, windows, one thread).
//
//   bench-scale [--one-queue] [--rounds N = 4] [TOPOLOGY | FLOWS]...
//
// With --one-queue, RdmaSimulatorImpl::Windows is not set; it is for ring64.
// Without others, all rows of the document; FLOWS is how many start at once. Prints one JSON
// object: of each row the medians. Every run is a process of its own, and seconds are processor
// time. In each round the rows and ring64 take turns: a row is compared with the mean of the
// ring64 before it and the one behind it, since the machine's speed may change meanwhile.

#include "harness/apart.h"
#include "harness/medians.h"
#include "harness/memory.h"
#include "harness/program.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/rdma-flow-source.h"
#include "ns3/rdma-helper.h"
#include "ns3/rdma-topology-generator.h"
#include "ns3/rdma-traffic-generator.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
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

/** What is measured again in each round. */
struct Row
{
    const char* list; //!< of the result, that it is for
    std::function<json()> measure;
    std::vector<json> runs;
    std::vector<double> ratios; //!< of ns per packet-hop to ring64's
};

/** \return what the flows of \p run cost, which a network has beside its set-up */
json
CostOf(const json& run)
{
    return run.contains("permutation_100kb") ? run.at("permutation_100kb") : run;
}

/** \return processor time per packet-hop of case ring64, ns */
double
MeasureRing64(const std::string& folder)
{
    const json run = harness::RunProgram(
        {folder + "/bench-case", "ring64", "hp", "ns3::RdmaSimulatorImpl", "windows"});
    return run.at("processor_ns_per_packet_hop");
}

json
Summary(const Row& row)
{
    json result = harness::MedianRun(row.runs);
    const auto [least, greatest] = std::minmax_element(row.ratios.begin(), row.ratios.end());
    json& cost = result.contains("permutation_100kb") ? result["permutation_100kb"] : result;
    cost["ratio_to_ring64"] = harness::Median(row.ratios);
    cost["least_ratio"] = *least;
    cost["greatest_ratio"] = *greatest;
    return result;
}

} // namespace

int
main(int argc, char** argv)
{
    bool oneQueue = false;
    int rounds = 4;
    std::vector<Row> rows;
    const auto addNetwork = [&rows](const std::string& spec) {
        rows.push_back({"networks", [spec] { return MeasureNetwork(spec); }, {}, {}});
    };
    const auto addFlows = [&rows](size_t count, bool spread) {
        rows.push_back({"flows", [count, spread] { return MeasureFlows(count, spread); }, {}, {}});
    };
    for (int i = 1; i < argc; ++i)
    {
        const std::string argument = argv[i];
        const size_t count = std::strtoul(argv[i], nullptr, 10);
        if (argument == "--one-queue")
        {
            oneQueue = true;
        }
        else if (argument == "--rounds" && i + 1 < argc)
        {
            rounds = std::max(1, std::atoi(argv[++i]));
        }
        else
        {
            count ? addFlows(count, false) : addNetwork(argument);
        }
    }
    if (rows.empty())
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
    Config::SetDefault("ns3::RdmaSimulatorImpl::Windows", BooleanValue(!oneQueue));
    const std::string folder = harness::FolderOf(argv[0]);
    std::vector<double> ring64{MeasureRing64(folder)};
    for (int round = 0; round < rounds; ++round)
    {
        for (Row& row : rows)
        {
            const double before = ring64.back();
            row.runs.push_back(harness::RunApart(row.measure));
            ring64.push_back(MeasureRing64(folder));
            const double ns = CostOf(row.runs.back()).at("ns_per_packet_hop");
            row.ratios.push_back(2 * ns / (before + ring64.back()));
        }
    }
    const auto [least, greatest] = std::minmax_element(ring64.begin(), ring64.end());
    json result{{"rounds", rounds},
                {"ring64",
                 {{"ns_per_packet_hop", harness::Median(ring64)},
                  {"least_ns_per_packet_hop", *least},
                  {"greatest_ns_per_packet_hop", *greatest}}},
                {"networks", json::array()},
                {"flows", json::array()}};
    for (const Row& row : rows)
    {
        result[row.list].push_back(Summary(row));
    }
    std::cout << result.dump(1) << "\n";
    return 0;
}
