/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// `wormhole run --mode`: fast-forward and flow level of flows and workloads, and what they write.

#include "harness/run_cli.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>

namespace
{

using harness::ProgramResult;
using harness::Sandbox;
using harness::With;
using harness::Words;
using nlohmann::json;

/** 4 hosts at a switch by links of 100 Gb/s and 1 us; each sends 100 packets to the next one. */
const Words RING{"--topology", "star:hosts=4", "--traffic", "ring:bytes=100KB"};

using ModeCli = harness::RunCli;

} // namespace

TEST_F(ModeCli, FlowLevelOfFlowsIsExact)
{
    // 100 packets of 1000 + 48 B at 12.5 B/ns, the last once more at the switch, 2 links of 1 us;
    // and the acknowledgement of 60 B back over both. All links carry another flow's, too, from
    // when the first packet is there.
    const double alone = 100 * 83.84 + 83.84 + 2000 + 2000 + 2 * 4.8;
    const double fct = alone + 100 * 4.8 * (1 - (2000 + 2 * 83.84) / 8384);
    const json s = Summary(With(RING, {"--mode", "flow", "--cc", "none", "--links"}));
    EXPECT_TRUE(s["configuration"]["congestion_control"].is_null());
    EXPECT_EQ(s["configuration"]["header_bytes"], 48);
    EXPECT_EQ(s["configuration"]["ack_bytes"], 60);
    EXPECT_EQ(s["configuration"]["mode"], "flow");
    EXPECT_EQ(s["configuration"]["payload"], 1000);
    EXPECT_TRUE(s["program"]["simulator"].is_null());
    EXPECT_EQ(s["flows"]["completed"], 4);
    EXPECT_EQ(s["fct_ns"]["max"], std::floor(fct));
    EXPECT_FALSE(s.contains("counters"));
    EXPECT_FALSE(std::filesystem::exists(box.PathOf("out/pfc.txt")));
    const std::vector<std::string> rows = box.Lines("out/fct.txt");
    ASSERT_EQ(rows.size(), 4U);
    const std::string ns = std::to_string(static_cast<int>(fct));
    // HPCC's formula: 4 us, the payload of a packet at both links, and 100 packets of 1048 B
    const std::string hpcc = std::to_string(4000 + 2 * 80 + 100 * 1048 * 8 / 100);
    EXPECT_EQ(rows[0], "0b000001 0b000101 10000 100 100000 0 " + ns + " " + hpcc);
    EXPECT_NEAR(s["slowdown"]["mean"], fct / alone, 1e-6);
    EXPECT_EQ(box.Lines("out/links.csv").size(), 1U + 8);
}

TEST_F(ModeCli, FlowLevelTakesFlowsFromFiles)
{
    box.Write("topology.txt", "3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n");
    box.Write("flow.txt", "2\n0 1 3 700 1000 0\n1 0 3 100 2000 0.001\n");
    box.Write("config.txt",
              "TOPOLOGY_FILE topology.txt\nFLOW_FILE flow.txt\nPACKET_PAYLOAD_SIZE 500\n"
              "L2_ACK_INTERVAL 1\nFCT_OUTPUT_FILE fct.txt\nPFC_OUTPUT_FILE pfc.txt\n"
              "KMAX_MAP 1 100000000000 1600\nKMIN_MAP 1 100000000000 400\n"
              "PMAX_MAP 1 100000000000 0.2\n");
    const json s = Summary({"--config", "config.txt", "--mode", "flow"});
    EXPECT_EQ(s["configuration"]["payload"], 500);
    const std::vector<std::string> rows = box.Lines("out/fct.txt");
    ASSERT_EQ(rows.size(), 2U);
    // as HPCC has time, in whole ns: two packets of 548 B, 43 ns, one of them once more, 4 us, and
    // 2 acknowledgements' 4 ns; by HPCC's formula 4 us, twice 40 ns for 500 B, and 87.68 ns for two
    // packets
    EXPECT_EQ(s["configuration"]["timing"], "hpcc");
    EXPECT_EQ(rows[0], "0b000001 0b000101 10000 700 1000 0 4137 4167");
    EXPECT_EQ(rows[1].substr(0, 44), "0b000101 0b000001 10000 100 2000 1000000 422");
    box.Write("down.txt", box.Read("config.txt") + "LINK_DOWN 10 0 2\n");
    ExpectError({"--config", "down.txt", "--mode", "flow"}, "down.txt:10: LINK_DOWN");
}

TEST_F(ModeCli, FlowLevelKeepsTheSizeOfAnEmptyFlow)
{
    box.Write("flow.txt", "3\n0 1 3 100 0 0\n1 2 3 100 1 0\n2 0 3 100 0 0.001\n");
    const Words words{"--topology", "star:hosts=3", "--flows", "flow.txt", "--record"};
    Summary(With(words, {"--mode", "flow", "--cc", "none"}));
    // a packet of headers alone: 48 B at 12.5 B/ns over two links of 1 us, and the acknowledgement
    // of 60 B back
    const std::string fct = std::to_string(static_cast<int>(2 * 3.84 + 2000 + 2000 + 2 * 4.8));
    const std::vector<std::string> rows = box.Lines("out/fct.txt");
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0].rfind("0b000001 0b000101 10000 100 0 0 " + fct + " ", 0), 0U) << rows[0];
    EXPECT_NE(rows[2].find(" 10000 100 0 1000000 " + fct), std::string::npos) << rows[2];
    const std::vector<std::string> flows = box.Lines("out/record/flows.csv");
    ASSERT_EQ(flows.size(), 4U);
    EXPECT_EQ(flows[1].rfind("flow,0,1,0,0," + fct, 0), 0U) << flows[0] << flows[1];
}

TEST_F(ModeCli, FlowLevelKnowsWhatPacketsAndControlsTakeOfLinks)
{
    // A ring: frames of 1000 + 48 B, with telemetry 42 B more, and acknowledgements of 60 B, with
    // telemetry 88 B. HPCC leaves 5 %, or what it is told to.
    const auto mean = [&](const Words& more) {
        const Words ring{"--topology", "star:hosts=4", "--traffic", "ring:bytes=10MB"};
        const json s = Summary(With(With(ring, {"--mode", "flow"}), more));
        return s["fct_ns"]["mean"].get<double>();
    };
    const double plain = mean({"--cc", "none"});
    EXPECT_NEAR(plain, 10e6 * (1.048 + 0.060) / 12.5, 5000);
    EXPECT_NEAR(mean({"--cc", "dctcp"}), plain, 1);
    EXPECT_NEAR(mean({"--cc", "swift"}) / plain, (1.056 + 0.060) / 1.108, 1e-3);
    EXPECT_NEAR(mean({"--payload", "4096", "--cc", "dcqcn"}) / plain,
                (4144 + 60) / 4096. / 1.108,
                1e-3);
    const double hpcc = mean({});
    EXPECT_NEAR(hpcc / plain, (1.090 + 0.088) / 0.9504 / 1.108, 1e-3);
    EXPECT_NEAR(mean({"--set", "ns3::RdmaHpcc::UtilizationTarget=0.8"}) / hpcc,
                0.9504 / 0.8004,
                2e-3);
    EXPECT_EQ(mean({"--set", "ns3::RdmaHost::PayloadSize=2000"}), mean({"--payload", "2000"}));
}

TEST_F(ModeCli, FastForwardReportsWhatItSaved)
{
    const json s = Summary(With(RING, {"--mode", "fast", "--fast", "Theta=0.02"}));
    EXPECT_EQ(s["configuration"]["mode"], "fast");
    EXPECT_EQ(s["configuration"]["fast"]["attributes"]["Theta"], "0.02");
    EXPECT_TRUE(s["configuration"]["fast"]["memo"].is_null());
    EXPECT_EQ(s["program"]["simulator"], "ns3::WormholeSimulatorImpl");
    EXPECT_EQ(s["flows"]["completed"], 4);
    for (const char* name : {"run", "skipped", "replayed"})
    {
        EXPECT_TRUE(s["fast"]["events"][name].is_number()) << name;
    }
    for (const char* name : {"found", "stored", "inStore"})
    {
        EXPECT_TRUE(s["fast"]["episodes"][name].is_number()) << name;
    }
    EXPECT_TRUE(s["fast"]["flowTime"].is_object());
    EXPECT_EQ(box.Lines("out/fct.txt").size(), 4U);
    const ProgramResult table =
        box.Run(With(With({"run"}, RING), {"--mode", "fast", "--output", "out"}));
    EXPECT_NE(table.out.find("\nepisodes "), std::string::npos) << table.out;
}

TEST_F(ModeCli, PacketLevelReportsNoSavings)
{
    const json s = Summary(RING);
    EXPECT_EQ(s["configuration"]["mode"], "packet");
    EXPECT_TRUE(s["fast"].is_null());
    EXPECT_TRUE(s["configuration"]["fast"].is_null());
}

TEST_F(ModeCli, FastForwardRunsWorkloads)
{
    const json s = Summary({"--workload",
                            "all-reduce:ranks=4,bytes=100KB",
                            "--topology",
                            "star:hosts=4",
                            "--mode",
                            "fast"});
    EXPECT_EQ(s["operations"]["completed"], s["operations"]["count"]);
    EXPECT_TRUE(s["fast"]["events"].is_object());
    EXPECT_EQ(s["configuration"]["mode"], "fast");
}

TEST_F(ModeCli, LinksHaveTheBytesOfTheirFlows)
{
    Summary(With(RING, {"--links"}));
    const std::vector<std::string> rows = box.Lines("out/links.csv");
    ASSERT_EQ(rows.size(), 1U + 8);
    EXPECT_EQ(rows[0], "link,from,to,bytes,begin_ns,end_ns");
    EXPECT_EQ(rows[1].substr(0, 15), "0,0,4,100000,0,");
    EXPECT_EQ(rows[2].substr(0, 15), "0,4,0,100000,0,");
}

TEST_F(ModeCli, RoundTripTimesAreThoseOfTheFirstFlow)
{
    Summary({"--topology",
             "star:hosts=2",
             "--traffic",
             "incast:fan-in=1,bytes=3KB",
             "--cc",
             "none",
             "--rtts"});
    const std::vector<std::string> rows = box.Lines("out/rtts.csv");
    ASSERT_EQ(rows.size(), 1U + 3);
    EXPECT_EQ(rows[0], "time_ns,seq,rtt_ns");
    // 2 * (2 links of 1 us), a packet of 1048 B and an acknowledgement of 60 B at each; the second
    // and third packet leave 83.84 ns later each
    EXPECT_EQ(rows[1], "4177,1000,4177");
    EXPECT_EQ(rows[2], "4261,2000,4177");
    EXPECT_EQ(rows[3], "4344,3000,4177");
}

TEST_F(ModeCli, TheNetworksSeedLeavesTheTrafficAlone)
{
    const Words poisson{"--topology", "star:hosts=4", "--traffic", "permutation:bytes=10KB"};
    const auto flows = [&](const Words& more) {
        Summary(With(poisson, more));
        std::string pairs;
        for (const std::string& row : box.Lines("out/fct.txt"))
        {
            pairs += row.substr(0, 18);
        }
        return pairs;
    };
    EXPECT_EQ(flows({"--seed", "3"}), flows({"--seed", "3", "--network-seed", "9"}));
    const json s = Summary(With(poisson, {"--seed", "3", "--network-seed", "9"}));
    EXPECT_EQ(s["configuration"]["seed"], 3);
    EXPECT_EQ(s["configuration"]["network_seed"], 9);
    EXPECT_EQ(s["configuration"]["attributes"]["ns3::RdmaNetwork"]["Seed"], "9");
}

TEST_F(ModeCli, ThreadsWriteTheSameFiles)
{
    // 16 hosts send 12 packets in a window of 1 us, each over 4 links with two events at each end:
    // some 1,500 events, enough for several threads at 96 each
    const Words flows{"--topology",
                      "leaf-spine:leaves=4,spines=4,hosts-per-leaf=4",
                      "--traffic",
                      "permutation:bytes=500KB",
                      "--links",
                      "--link-down",
                      "20us:0-16",
                      "--link-up",
                      "60us:0-16"};
    const json one = Summary(With(flows, {"--threads", "1"}));
    EXPECT_EQ(one["cost"]["threads"]["one_because"], "1 was asked for");
    const std::vector<std::string> times = box.Lines("out/fct.txt");
    ASSERT_EQ(times.size(), 16U);
    EXPECT_GT(one["counters"]["link_down_drops"], 0U);
    const std::vector<std::string> links = box.Lines("out/links.csv");
    for (const char* threads : {"2", "3", "8"})
    {
        const json several = Summary(With(flows, {"--threads", threads}));
        EXPECT_EQ(box.Lines("out/fct.txt"), times) << threads;
        EXPECT_EQ(box.Lines("out/links.csv"), links) << threads;
        EXPECT_EQ(several["counters"], one["counters"]) << threads;
        EXPECT_EQ(several["cost"]["events"], one["cost"]["events"]) << threads;
        const json& ran = several["cost"]["threads"];
        EXPECT_EQ(ran["asked"], std::stoi(threads));
        EXPECT_GT(ran["ran"], 1U) << threads;
        EXPECT_TRUE(ran["one_because"].is_null());
    }
}

TEST_F(ModeCli, ThreadsRecordTheSame)
{
    // DCQCN with low thresholds in a small buffer: marks and CNPs, for SimAI's monitors
    box.Write(
        "config.txt",
        "TOPOLOGY_FILE topology.txt FLOW_FILE flow.txt L2_ACK_INTERVAL 1 CC_MODE 1\n"
        "KMAX_MAP 1 100000000000 160 KMIN_MAP 1 100000000000 40 PMAX_MAP 1 100000000000 0.2\n"
        "QLEN_MON_FILE qlen.txt BW_MON_FILE bw.txt RATE_MON_FILE rate.txt CNP_MON_FILE cnp.txt\n"
        "QLEN_MON_INTERVAL 1 QP_MON_INTERVAL 1 BW_MON_INTERVAL 2 MON_START 0 MON_END 40\n"
        "ENABLE_TRACE 1 TRACE_FILE trace.txt TRACE_OUTPUT_FILE mix.tr BUFFER_SIZE 1\n");
    box.Write("topology.txt",
              "6 1 0 2 6 H100\n4 5\n0 4 100Gbps 1us 0\n1 4 100Gbps 1us 0\n2 5 100Gbps 1us 0\n"
              "3 5 100Gbps 1us 0\n4 5 100Gbps 1us 0\n4 5 100Gbps 1us 0\n");
    box.Write("flow.txt",
              "5\n0 2 3 100 150000 0\n1 2 3 100 150000 0\n3 2 3 100 150000 0\n"
              "2 0 3 100 50000 0\n3 1 3 101 80000 0.00001\n");
    box.Write("trace.txt", "3\n0 4 5\n");
    const Words words{"--config",
                      "config.txt",
                      "--pcap",
                      "all",
                      "--rtts",
                      "--record",
                      "--link-down",
                      "10us:4-5",
                      "--link-up",
                      "20us:4-5"};
    const auto run = [&](const Words& more, uint32_t threads) {
        json summary = Summary(With(words, more));
        const json ran = summary["cost"]["threads"];
        EXPECT_EQ(ran["windows"] > 0U, threads > 0);
        EXPECT_EQ(ran["ran"], std::max(threads, 1U));
        std::map<std::string, std::string> files;
        for (const auto& file : summary["outputs"])
        {
            const std::string path = file["path"];
            files[path] = path == "out/summary.json" ? "" : box.Read(path);
        }
        return files;
    };
    setenv("NS_ATTRIBUTE_DEFAULT", "ns3::RdmaSimulatorImpl::Windows=false", 1);
    const auto one = run({"--threads", "1"}, 0); // in one queue
    setenv("NS_ATTRIBUTE_DEFAULT",
           "ns3::RdmaSimulatorImpl::EventsPerThread=1;ns3::RdmaSimulatorImpl::ThreadTrial=false",
           1);
    for (const char* file : {"mix.tr", "qlen.txt", "bw.txt", "rate.txt", "cnp.txt"})
    {
        const auto found = one.find(std::string("out/") + file);
        ASSERT_NE(found, one.end()) << file;
        EXPECT_GT(std::count(found->second.begin(), found->second.end(), '\n'), 1) << file;
    }
    for (const uint32_t threads : {1U, 2U, 3U})
    {
        for (const auto& [file, content] : run({"--threads", std::to_string(threads)}, threads))
        {
            EXPECT_EQ(content == one.at(file), true) << file << ", " << threads << " threads";
        }
    }
    unsetenv("NS_ATTRIBUTE_DEFAULT");
}

TEST_F(ModeCli, TwinComparesWithOneQueue)
{
    const Words words{"--topology",
                      "leaf-spine:leaves=2,spines=2,hosts-per-leaf=2",
                      "--traffic",
                      "ring:bytes=100KB",
                      "--threads",
                      "2"};
    const json alone = Summary(words);
    EXPECT_FALSE(alone["cost"].contains("twin_events"));
    const std::vector<std::string> times = box.Lines("out/fct.txt");
    const json both = Summary(With(words, {"--twin", "--rtts"}));
    EXPECT_EQ(box.Lines("out/fct.txt"), times);
    // each crossing of a link is sent and received; 4 flows start, are delivered and end
    const uint64_t hops = both["counters"]["packet_hops"].get<uint64_t>() +
                          both["counters"]["ack_hops"].get<uint64_t>();
    EXPECT_EQ(both["cost"]["twin_events"], 2 * hops + uint64_t(4) * 3);
    ExpectError(With(RING, {"--twin", "--simulator", "default"}), "--twin: no effect");
    ExpectError(With(RING, {"--twin", "--mode", "flow"}), "--twin: no effect with --mode flow");
    ExpectError(With(RING, {"--twin", "--mode", "fast", "--memo", "m.db"}), "--memo m.db");
}

TEST_F(ModeCli, ThreadsRunWorkloads)
{
    // as above: a ring sends from all 16 hosts at once, in 30 steps of 62,500 bytes
    const Words words{"--topology",
                      "leaf-spine:leaves=4,spines=4,hosts-per-leaf=4",
                      "--workload",
                      "all-reduce:ranks=16,bytes=1MB",
                      "--links"};
    const auto run = [&](const Words& more) {
        std::vector<std::string> files{Summary(With(words, more))["counters"].dump()};
        for (const char* file : {"out/fct.txt", "out/links.csv"})
        {
            const std::vector<std::string> lines = box.Lines(file);
            files.insert(files.end(), lines.begin(), lines.end());
        }
        return files;
    };
    const std::vector<std::string> one = run({"--set", "ns3::RdmaSimulatorImpl::Windows=false"});
    EXPECT_EQ(box.ReadJson("out/summary.json")["cost"]["threads"]["windows"], 0U);
    EXPECT_EQ(run({"--threads", "1"}), one) << "windows on one thread";
    for (const char* threads : {"2", "4"})
    {
        EXPECT_EQ(run({"--threads", threads}), one) << threads;
        const json ran = Summary(With(words, {"--threads", threads}))["cost"]["threads"];
        EXPECT_GT(ran["ran"], 1U) << threads;
        EXPECT_GT(ran["windows_merged"], 0U) << threads << ": in which messages complete";
    }
}

TEST_F(ModeCli, TimeoutsThatAreFarAwayTakeMemoryOnce)
{
    // a switch drops what is sent again, so that each window is merged, and time-outs stay where
    // they are: each window listed them again, 2 MB in a millisecond
    const auto peak = [this](const char* stop) {
        const ProgramResult r = box.Run({"run",
                                         "--topology",
                                         "star:hosts=16,rate=400Gbps,delay=100ns",
                                         "--traffic",
                                         "incast:fan-in=5,bytes=40MB",
                                         "--cc",
                                         "dcqcn",
                                         "--set",
                                         "ns3::RdmaSwitch::BufferSize=4000000",
                                         "--set",
                                         "ns3::RdmaSwitch::Pfc=false",
                                         "--threads",
                                         "2",
                                         "--stop",
                                         stop,
                                         "--output",
                                         "out"});
        EXPECT_EQ(r.exit, 3) << r.err;
        const json cost = box.ReadJson("out/summary.json")["cost"];
        EXPECT_GT(cost["threads"]["windows_merged"], 20000U);
        return cost["peak_memory_kib"].get<uint64_t>();
    };
    EXPECT_LT(peak("8ms"), peak("3ms") + 4096);
}

TEST_F(ModeCli, SuspendedFastForwardRunsInWindows)
{
    const Words packet{"--topology",
                       "leaf-spine:leaves=4,spines=4,hosts-per-leaf=4",
                       "--traffic",
                       "permutation:bytes=500KB"};
    const json level = Summary(With(packet, {"--threads", "1"}));
    const std::vector<std::string> times = box.Lines("out/fct.txt");
    const json& asPackets = level["cost"]["threads"];
    ASSERT_GT(asPackets["windows"], 0U);
    const Words fast =
        With(packet, {"--mode", "fast", "--fast", "FreeWork=0", "--fast", "Overhead=0"});
    for (const uint32_t threads : {1U, 2U})
    {
        const json s = Summary(With(fast, {"--threads", std::to_string(threads)}));
        EXPECT_EQ(s["fast"]["suspensions"], 1U);
        EXPECT_EQ(box.Lines("out/fct.txt"), times) << threads;
        EXPECT_EQ(s["counters"], level["counters"]) << threads;
        const json& ran = s["cost"]["threads"];
        EXPECT_EQ(ran["ran"], threads);
        EXPECT_GE(ran["events_in_windows"].get<double>(),
                  0.9 * asPackets["events_in_windows"].get<double>());
    }
}

TEST_F(ModeCli, FastForwardRunsInWindowsBesideWhatItLeavesOut)
{
    const Words words{"--topology",
                      "leaf-spine:leaves=4,spines=4,hosts-per-leaf=4",
                      "--traffic",
                      "permutation:bytes=20MB",
                      "--mode",
                      "fast"};
    setenv("NS_ATTRIBUTE_DEFAULT", "ns3::RdmaSimulatorImpl::Windows=false", 1);
    const json one = Summary(With(words, {"--threads", "1"}));
    unsetenv("NS_ATTRIBUTE_DEFAULT");
    const std::vector<std::string> times = box.Lines("out/fct.txt");
    EXPECT_GT(one["fast"]["events"]["skippedShare"], 0.3);
    for (const uint32_t threads : {1U, 2U})
    {
        const json s = Summary(With(words, {"--threads", std::to_string(threads)}));
        EXPECT_EQ(box.Lines("out/fct.txt"), times) << threads;
        EXPECT_EQ(s["counters"], one["counters"]) << threads;
        const json& ran = s["cost"]["threads"];
        EXPECT_EQ(ran["ran"], threads);
        EXPECT_GT(ran["events_in_windows"].get<double>(),
                  0.5 * s["fast"]["events"]["run"].get<double>());
    }
}

TEST_F(ModeCli, FastForwardSaysThatLinksMayLoseOtherPauses)
{
    const Words words{"--topology",
                      "star:hosts=16,error=0.0002",
                      "--traffic",
                      "permutation:bytes=20MB",
                      "--traffic",
                      "all-to-all:bytes=1KB",
                      "--network-seed",
                      "18"};
    const Words pauses{"--traffic",
                       "incast:fan-in=15,bytes=200KB,start=10ms",
                       "--set",
                       "ns3::RdmaSwitch::BufferSize=1200000"};
    const auto warnings = [](const json& s) { return s.value("warnings", json()).dump(); };
    const Words fast{"--mode", "fast"};
    const json without = Summary(With(words, fast));
    EXPECT_GT(without["counters"]["timeouts"], 0);
    EXPECT_EQ(warnings(without).find("time-outs"), std::string::npos);
    EXPECT_EQ(warnings(Summary(With(words, pauses))).find("time-outs"), std::string::npos);
    const json with = Summary(With(With(words, pauses), fast));
    EXPECT_GT(with["fast"]["events"]["skippedShare"], 0);
    EXPECT_NE(warnings(with).find("retransmission time-outs: "), std::string::npos);
}

TEST_F(ModeCli, BalancedFlowsAreTheSameInWindowsAndThreads)
{
    const Words words{"--topology",
                      "leaf-spine:leaves=4,spines=4,hosts-per-leaf=4",
                      "--traffic",
                      "permutation:bytes=100KB",
                      "--cc",
                      "dcqcn"};
    std::set<std::vector<std::string>> kinds;
    for (const char* routing : {"ecmp", "spray", "flowlet", "adaptive"})
    {
        const auto run = [&](const Words& more) {
            const json counters =
                Summary(With(With(words, {"--routing", routing}), more))["counters"];
            std::vector<std::string> lines = box.Lines("out/fct.txt");
            lines.push_back(counters.dump());
            return lines;
        };
        setenv("NS_ATTRIBUTE_DEFAULT", "ns3::RdmaSimulatorImpl::Windows=false", 1);
        const std::vector<std::string> one = run({});
        unsetenv("NS_ATTRIBUTE_DEFAULT");
        EXPECT_EQ(one.size(), 17U);
        EXPECT_EQ(run({"--threads", "1"}), one) << routing << ", windows on one thread";
        EXPECT_EQ(run({"--threads", "2"}), one) << routing << ", two threads";
        kinds.insert(one);
    }
    EXPECT_GE(kinds.size(),
              3U); // flows of DCQCN at line rate make no pause: flowlets may be as ECMP
}

TEST_F(ModeCli, FastForwardSimulatesEveryPacketOfBalancedFlows)
{
    const Words words{"--topology",
                      "leaf-spine:leaves=2,spines=2,hosts-per-leaf=2",
                      "--traffic",
                      "permutation:bytes=100KB",
                      "--cc",
                      "dcqcn"};
    for (const Words& more : {Words{"--routing", "spray"}, Words{"--recovery", "irn"}})
    {
        Summary(With(words, more));
        const std::vector<std::string> packets = box.Lines("out/fct.txt");
        const json fast = Summary(With(With(words, more), {"--mode", "fast"}));
        EXPECT_EQ(box.Lines("out/fct.txt"), packets) << more[1];
        EXPECT_NE(fast["warnings"].dump().find("--mode fast simulates every packet"),
                  std::string::npos)
            << fast["warnings"];
    }
}

TEST_F(ModeCli, SelectiveRepeatLimitsWhatIsInFlight)
{
    const Words words = With(RING, {"--cc", "dcqcn"});
    EXPECT_EQ(Summary(words)["configuration"]["window"], "none");
    EXPECT_EQ(Summary(With(words, {"--recovery", "irn"}))["configuration"]["window"], "global");
    EXPECT_EQ(
        Summary(With(words, {"--recovery", "irn", "--window", "none"}))["configuration"]["window"],
        "none");
}

TEST_F(ModeCli, SaysWhereOneThreadRan)
{
    const auto why = [this](const Words& words) {
        const json ran = Summary(With(words, {"--threads", "2"}))["cost"]["threads"];
        EXPECT_EQ(ran["ran"], 1U);
        return ran["one_because"].get<std::string>();
    };
    const std::string irn = "with selective repeat, any frame may be the one that completes a flow";
    EXPECT_EQ(why(With(RING, {"--recovery", "irn"})), irn);
    EXPECT_EQ(why({"--topology", "star:hosts=2", "--traffic", "ring:bytes=1KB"}),
              "a window holds too few events");
    EXPECT_EQ(why({"--topology", "star:hosts=2,delay=0ns", "--traffic", "ring:bytes=1KB"}),
              "no windows of a link's delay are worth it here");
    const ProgramResult r = box.Run(With(With({"run"}, RING), {"--recovery", "irn"}));
    EXPECT_NE(r.out.find("one queue     " + irn + "\n"), std::string::npos) << r.out;
    EXPECT_EQ(box.ReadJson("wormhole-out/summary.json")["cost"]["one_queue_because"], irn);
    EXPECT_FALSE(Summary(RING)["cost"].contains("one_queue_because"));
}

TEST_F(ModeCli, WrongOptions)
{
    const Words fast = With(RING, {"--mode", "fast"});
    ExpectError(With(fast, {"--fast", "Theta"}), "--fast Theta: must be NAME=VALUE");
    ExpectError(With(fast, {"--fast", "Theta="}), "--fast Theta=: must be NAME=VALUE");
    ExpectError(With(fast, {"--fast", "Thet=1"}),
                "--fast Thet=1: no attribute Thet; did you mean Theta? There are");
    ExpectError(With(fast, {"--fast", "Theta=many"}),
                "--fast Theta=many: must be a number from 1e-06 to 0.999999");
    ExpectError(With(fast, {"--fast", "RateStep=1"}),
                "--fast RateStep=1: must be a number of 1.0001 or more");
    ExpectError(With(fast, {"--fast", "Skip=perhaps"}), "must be true or false");
    ExpectError(With(fast, {"--fast", "Detail=all"}), "there are ports and flows");
    ExpectError(With(fast, {"--fast", "MemoFile=x"}), "use --memo");
    ExpectError(With(fast, {"--memo", ""}), "the value is empty");
    ExpectError(With(fast, {"--memo", "a.db", "--fast", "Enabled=false"}),
                "--memo: no effect with --fast Enabled=false");
    ExpectError(With(fast, {"--memo", "out/fct.txt", "--output", "out"}), "--memo (out/fct.txt)");
    ExpectError(With(fast, {"--simulator", "default"}), "--simulator: no effect with --mode fast");
    ExpectError(With(RING, {"--mode", "flow", "--threads", "2"}),
                "--threads: no effect with --mode flow");
    ExpectError(With(RING, {"--threads", "257"}), "--threads 257");
    ExpectError(With(RING, {"--routing", "spray"}), "telemetry ns3::RdmaHpcc cannot tell apart");
    ExpectError(With(RING, {"--routing", "spray", "--cc", "dcqcn", "--links"}), "leave it out");
    ExpectError(With(RING, {"--routing", "minimal"}), "--routing minimal");
    ExpectError(With(RING, {"--recovery", "tcp"}), "--recovery tcp");
    ExpectError(With(RING, {"--recovery", "irn", "--set", "ns3::RdmaHost::BackToZero=true"}),
                "--recovery irn does not go back");
    ExpectError(With(RING, {"--mode", "flow", "--routing", "spray"}), "--routing: no effect");
    ExpectError(With(RING, {"--set", "ns3::RdmaSwitch::Routing=spray"}), "use --routing");
    ExpectError(With(RING, {"--set", "ns3::RdmaHost::Recovery=irn"}), "use --recovery");
    ExpectError(With(RING, {"--threads", "2", "--simulator", "default"}),
                "--threads: no effect with --simulator default");
    ExpectError(With(RING, {"--memo", "x"}), "--memo: no effect with --mode packet");
    ExpectError(With(RING, {"--fast", "Theta=1"}), "--fast: no effect with --mode packet");
    const Words flow = With(RING, {"--mode", "flow"});
    const std::vector<std::pair<std::string, std::string>> packets{{"--window", "pair"},
                                                                   {"--stop", "1"},
                                                                   {"--pcap", "x"},
                                                                   {"--link-up", "1us:0-4"},
                                                                   {"--network-seed", "1"}};
    for (const auto& [option, value] : packets)
    {
        ExpectError(With(flow, {option, value}), option + ": no effect with --mode flow");
    }
    ExpectError(With(flow, {"--rtts"}), "--rtts: no effect with --mode flow");
    // scripts that run all modes give it for all
    const ProgramResult idle =
        box.Run(With(With({"run"}, flow), {"--set", "ns3::RdmaSwitch::Pfc=false"}));
    EXPECT_EQ(idle.exit, 0) << idle.err;
    EXPECT_NE(idle.err.find("--set ns3::RdmaSwitch::Pfc=false changes nothing with --mode flow"),
              std::string::npos)
        << idle.err;
    const ProgramResult message = box.Run({"run",
                                           "--mode",
                                           "message",
                                           "--workload",
                                           "all-reduce:ranks=4,bytes=1KB",
                                           "--cc",
                                           "DCQCN"});
    EXPECT_EQ(message.exit, 0) << message.err;
    EXPECT_NE(message.err.find("--cc DCQCN has no effect: there is no congestion control with "
                               "--mode message"),
              std::string::npos)
        << message.err;
    ExpectError(With(RING, {"--mode", "turbo"}), "there are packet, fast, flow and message");
    box.Write("flow.txt", "1\n0 1 3 100 1000 0\n");
    ExpectError(
        {"--topology", "star:hosts=4", "--flows", "flow.txt", "--mode", "flow", "--seed", "2"},
        "--seed: no effect with --mode flow");
}
