/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// `wormhole report`: what it makes of the files of a run, worked out by hand from
// harness/report_fixture.cc, and what becomes of mistakes. The page itself:
// report_browser_slow_test.cc.

#include "harness/report_fixture.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>

namespace
{

using harness::FixtureRun;
using harness::ProgramResult;
using harness::Sandbox;
using harness::With;
using harness::Words;
using harness::WriteRun;
using nlohmann::json;

class Report : public testing::Test
{
  protected:
    /** \return the data of a report of these runs, which must succeed */
    json Data(const Words& runs)
    {
        const ProgramResult r = box.Run(With(With({"report"}, runs), {"--json"}));
        EXPECT_EQ(r.exit, 0) << r.err;
        return r.exit == 0 ? json::parse(r.out) : json();
    }

    /** A report must be refused, with a message that holds \p text. */
    void ExpectError(const Words& words, const std::string& text)
    {
        const ProgramResult r = box.Run(With({"report"}, words));
        EXPECT_EQ(r.exit, 2) << r.out << r.err;
        EXPECT_NE(r.err.find(text), std::string::npos) << r.err;
        EXPECT_FALSE(std::filesystem::exists(box.PathOf("report.html"))) << text;
    }

    /** The run must be refused once a file of it is this. */
    void ExpectErrorOf(const std::string& file, const std::string& content, const std::string& text)
    {
        WriteRun(box, "a");
        box.Write("a/" + file, content);
        ExpectError({"a"}, text);
    }

    Sandbox box;
};

} // namespace

TEST_F(Report, DistributionsAreOfAllFlowsAndByKind)
{
    WriteRun(box, "a");
    const json flows = Data({"a"})["runs"][0]["flows"];
    ASSERT_EQ(flows["kinds"].size(), 3U);
    const json all = flows["kinds"][0];
    EXPECT_EQ(all["kind"], "all");
    EXPECT_EQ(all["flows"], 4);
    EXPECT_EQ(all["bytes"], 10000);
    // 1000, 2000, 2000 and 4000 ns
    EXPECT_EQ(all["fct_ns"]["mean"], 2250);
    EXPECT_EQ(all["fct_ns"]["p50"], 2000);
    EXPECT_EQ(all["fct_ns"]["max"], 4000);
    EXPECT_EQ(all["fct_distribution"]["fct_ns"], (json{1000.0, 2000.0, 4000.0}));
    EXPECT_EQ(all["fct_distribution"]["share"], (json{0.25, 0.75, 1.0}));
    // only of recorded flows the time alone is known, which is not the last column of fct.txt: two,
    // 1000 / 500 and 2000 / 1000
    EXPECT_EQ(all["slowdown_distribution"]["slowdown"], (json{2.0}));
    EXPECT_EQ(all["slowdown_distribution"]["share"], (json{1.0}));
    EXPECT_EQ(flows["kinds"][1]["kind"], "all-reduce");
    EXPECT_EQ(flows["kinds"][1]["fct_ns"]["mean"], 1500);
    EXPECT_EQ(flows["kinds"][1]["slowdown"]["max"], 2);
    EXPECT_EQ(flows["kinds"][2]["kind"], "send");
    EXPECT_TRUE(flows["kinds"][2]["slowdown"].is_null()); // not known
}

TEST_F(Report, DistributionsOfManyFlowsKeepTheirEnds)
{
    FixtureRun run;
    run.flows.clear();
    for (int i = 1; i <= 5000; ++i)
    {
        run.flows.push_back({0, 1, i, 0, i <= 4000 ? 10 : i, 10}); // most are equal
    }
    WriteRun(box, "a", run);
    const json points = Data({"a"})["runs"][0]["flows"]["kinds"][0]["fct_distribution"];
    EXPECT_LE(points["share"].size(), 400U);
    EXPECT_EQ(points["fct_ns"].front(), 10);
    EXPECT_EQ(points["share"].front(), 0.8); // 4000 of 5000
    EXPECT_EQ(points["fct_ns"].back(), 5000);
    EXPECT_EQ(points["share"].back(), 1);
    const auto shares = points["share"].get<std::vector<double>>();
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
}

TEST_F(Report, RatesAreWhatWasDeliveredBetweenLines)
{
    WriteRun(box, "a");
    const json pairs = Data({"a"})["runs"][0]["rates"]["pairs"];
    ASSERT_EQ(pairs.size(), 2U);
    // 2000 B in 2 us are 8 Gb/s, then nothing for 2 us, then 5000 B in 1 us: 40 Gb/s
    EXPECT_EQ(pairs[0]["time_ns"], (json{0.0, 2000.0, 4000.0, 5000.0}));
    EXPECT_EQ(pairs[0]["rate_bps"], (json{8e9, 0.0, 40e9, 0.0}));
    // 25,000 B in 2 us
    EXPECT_EQ(pairs[1]["time_ns"], (json{1000.0, 3000.0}));
    EXPECT_EQ(pairs[1]["rate_bps"], (json{100e9, 0.0}));
    const json stretches = pairs[0]["stretches"]; // in order of time
    ASSERT_EQ(stretches.size(), 2U);
    EXPECT_EQ(stretches[0],
              (json{{"state", "replaying"}, {"begin_ns", 500.0}, {"end_ns", 1500.0}}));
    EXPECT_EQ(stretches[1]["state"], "skipping");
    EXPECT_TRUE(pairs[1]["stretches"].empty());
}

TEST_F(Report, QueuesComeWithTheHighestPeakFirst)
{
    WriteRun(box, "a");
    const json ports = Data({"a"})["runs"][0]["queues"]["ports"];
    ASSERT_EQ(ports.size(), 2U);
    EXPECT_EQ(ports[0]["port"], 1);
    EXPECT_EQ(ports[0]["peak_bytes"], 9000);
    EXPECT_EQ(ports[0]["bytes"], (json{9000.0, 100.0}));
    EXPECT_EQ(ports[1]["time_ns"], (json{0.0, 1000.0, 3000.0}));
    EXPECT_EQ(ports[1]["peer"], 0);
}

TEST_F(Report, LongQueuesAreThinnedButKeepTheirPeaks)
{
    WriteRun(box, "a");
    std::string text = "time_ns,node,port,peer,bytes\n";
    for (int i = 0; i < 60000; ++i)
    {
        text +=
            std::to_string(i) + ",2,0,0," + std::to_string(i == 31337 ? 777777 : 1 + i % 2) + "\n";
    }
    box.Write("a/record/queues.csv", text);
    const json port = Data({"a"})["runs"][0]["queues"]["ports"][0];
    EXPECT_LE(port["time_ns"].size(), 24000U);
    EXPECT_EQ(port["peak_bytes"], 777777);
    const auto bytes = port["bytes"].get<std::vector<double>>();
    const auto peak = std::max_element(bytes.begin(), bytes.end());
    EXPECT_EQ(*peak, 777777);
    EXPECT_EQ(port["time_ns"][static_cast<size_t>(peak - bytes.begin())], 31337);
    EXPECT_EQ(port["time_ns"].back(), 59999);
}

TEST_F(Report, StatesHoldUntilTheyChange)
{
    WriteRun(box, "a");
    const json run = Data({"a"})["runs"][0];
    EXPECT_EQ(run["partitions"]["time_ns"], (json{0.0, 1000.0, 2000.0}));
    const json states = run["partitions"]["states"];
    ASSERT_EQ(states.size(), 3U);
    EXPECT_EQ(states[0]["state"], "recording");
    EXPECT_EQ(states[0]["flows"], (json{2.0, 0.0, 0.0}));
    EXPECT_EQ(states[1]["state"], "running");
    EXPECT_EQ(states[1]["partitions"], (json{0.0, 0.0, 3.0}));
    EXPECT_EQ(states[2]["state"], "skipping");
    EXPECT_EQ(states[2]["flows"], (json{0.0, 2.0, 2.0}));
    EXPECT_EQ(run["events"]["skipped"], (json{0.0, 600.0, 600.0}));
    EXPECT_EQ(run["events"]["replayed"], (json{0.0, 100.0, 300.0}));
}

TEST_F(Report, UtilisationIsPayloadOverWhatTheLinkCouldCarry)
{
    WriteRun(box, "a");
    const json links = Data({"a"})["runs"][0]["links"];
    // 100 Gb/s are 12.5 B/ns; all flows take 4000 ns: 50,000 B
    ASSERT_EQ(links["busiest"].size(), 3U);
    EXPECT_EQ(links["used"], 3);
    EXPECT_EQ(links["directed_links"], 4);
    const json back = links["busiest"][0]; // 25,000 B from the switch to host 0
    EXPECT_EQ(back["from"], 2);
    EXPECT_EQ(back["to"], 0);
    EXPECT_DOUBLE_EQ(back["utilisation"], 0.5);
    EXPECT_DOUBLE_EQ(links["busiest"][1]["utilisation"], 0.25);
    EXPECT_DOUBLE_EQ(links["busiest"][1]["busy_utilisation"], 0.5); // in 2000 ns of its own
    EXPECT_DOUBLE_EQ(links["busiest"][2]["busy_utilisation"], 0.4); // 5000 of 12,500 B
    const json& picture = links["picture"];
    ASSERT_EQ(picture["nodes"].size(), 3U);
    EXPECT_EQ(picture["nodes"][0]["tier"], 0);
    EXPECT_EQ(picture["nodes"][2]["tier"], 1);
    EXPECT_EQ(picture["nodes"][0]["x"], 0.25);
    EXPECT_EQ(picture["nodes"][2]["x"], 0.5); // above the middle of its hosts
    EXPECT_EQ(picture["links"][0]["utilisation"], (json{0.25, 0.5}));
}

TEST_F(Report, LargeNetworksAreDrawnCoarser)
{
    WriteRun(box, "a");
    // 700 hosts at each of two leaves, and a link between these
    std::string text = "1402 2 1401\n1400 1401\n";
    for (int host = 0; host < 1400; ++host)
    {
        text += std::to_string(host) + (host < 700 ? " 1400" : " 1401") + " 100Gbps 1000ns 0\n";
    }
    box.Write("a/record/topology.txt", text + "1400 1401 100Gbps 1000ns 0\n");
    box.Write("a/links.csv",
              "link,from,to,bytes,begin_ns,end_ns\n3,3,1400,1250,0,1000\n5,5,1400,6250,0,1000\n");
    const json picture = Data({"a"})["runs"][0]["links"]["picture"];
    EXPECT_TRUE(picture["hosts_joined"]);
    EXPECT_EQ(picture["left_out"], 0);
    ASSERT_EQ(picture["nodes"].size(), 4U);
    EXPECT_EQ(picture["nodes"][0]["count"], 700);
    EXPECT_EQ(picture["nodes"][1]["last"], 1399);
    const json link = picture["links"][0];
    EXPECT_EQ(link["links"], 700);
    EXPECT_EQ(link["bytes"], (json{7500.0, 0.0}));
    EXPECT_EQ(link["utilisation"], (json{0.5, 0.0})); // of the busier one: 6250 of 12,500 B
}

TEST_F(Report, TiersAreDistancesFromTheHosts)
{
    WriteRun(box, "a");
    // host 0 - 2 - 3 - 4 - host 1, and an NVSwitch 5 at both hosts, in SimAI's format
    box.Write("a/record/topology.txt",
              "6 2 1 3 6 H100\n5 2 3 4\n0 2 100Gbps 1000ns 0\n2 3 100Gbps 1000ns 0\n"
              "3 4 100Gbps 1000ns 0\n1 4 100Gbps 1000ns 0\n0 5 900Gbps 25ns 0\n"
              "1 5 900Gbps 25ns 0\n");
    box.Write("a/links.csv", "link,from,to,bytes,begin_ns,end_ns\n0,0,2,12500,0,2000\n");
    const json nodes = Data({"a"})["runs"][0]["links"]["picture"]["nodes"];
    ASSERT_EQ(nodes.size(), 6U);
    const std::vector<int> tiers{0, 0, 1, 2, 1, -1};
    for (size_t node = 0; node < tiers.size(); ++node)
    {
        EXPECT_EQ(nodes[node]["tier"], tiers[node]) << node;
    }
    EXPECT_EQ(nodes[5]["kind"], "nvswitch");
}

TEST_F(Report, RanksAreInOrderWithTheirIntervals)
{
    WriteRun(box, "a");
    const json timeline = Data({"a"})["runs"][0]["timeline"];
    ASSERT_EQ(timeline["ranks"].size(), 2U);
    EXPECT_EQ(timeline["ranks"][0]["computation"], json::parse("[[0.0, 3000.0]]"));
    EXPECT_EQ(timeline["ranks"][1]["communication"], json::parse("[[4000.0, 6000.0]]"));
}

TEST_F(Report, RunsAreComparedWithTheFirst)
{
    FixtureRun packet;
    packet.mode = "packet";
    packet.runSeconds = 19;
    WriteRun(box, "packet", packet);
    FixtureRun fast;
    fast.flows[3].fctNs = 5000; // instead of 4000: 25 %
    WriteRun(box, "fast", fast);
    const json comparison = Data({"packet", "fast"})["comparison"];
    EXPECT_EQ(comparison["reference"], "packet");
    const json row = comparison["rows"][1];
    EXPECT_EQ(row["wall_s"], 4);
    EXPECT_EQ(row["speedup"], 5); // 20 s over 4 s
    EXPECT_DOUBLE_EQ(row["errors"]["fct"]["mean"], 0.25 / 4);
    EXPECT_EQ(row["errors"]["fct"]["max"], 0.25);
    EXPECT_EQ(row["errors"]["makespan"], 0.25);
    EXPECT_EQ(row["share_left_out"], 0.9);
    EXPECT_TRUE(comparison["rows"][0]["errors"].is_null());
    bool mode = false;
    for (const json& difference : comparison["differences"])
    {
        mode |= difference == json{{"name", "mode"}, {"values", {"packet", "fast"}}};
    }
    EXPECT_TRUE(mode) << comparison["differences"];
}

TEST_F(Report, WhatLiesBetweenTwoScenariosIsNoError)
{
    FixtureRun run;
    run.mode = "packet";
    WriteRun(box, "hpcc", run);
    run.mode = "flow"; // has no control
    WriteRun(box, "flow", run);
    run.mode = "packet";
    run.control = "ns3::RdmaDcqcn";
    run.flows[3].fctNs = 5000; // instead of 4000: of all four 2500 on average
    WriteRun(box, "dcqcn", run);
    ASSERT_EQ(box.Run({"report", "hpcc", "flow", "dcqcn", "--json=r.json", "--csv", "t"}).exit, 0);
    const json rows = box.ReadJson("r.json")["comparison"]["rows"];
    EXPECT_TRUE(rows[0]["scenario_differences"].empty());
    EXPECT_TRUE(rows[1]["scenario_differences"].empty()) << rows[1];
    EXPECT_EQ(rows[1]["errors"]["fct"]["mean"], 0);
    EXPECT_EQ(rows[2]["scenario_differences"], json({"congestion_control"}));
    EXPECT_TRUE(rows[2]["errors"].is_null());
    EXPECT_EQ(rows[2]["unmatched_flows"], 0);
    // run,mode,wall_s,speedup, three errors of FCT and one of the makespan,flows,unmatched_flows;
    // then FCT mean, p99, max, slowdown mean, p99, max of the recorded flows, 1000 / 500 and
    // 2000 / 1000
    EXPECT_NE(box.Lines("t/comparison.csv").at(3).find(",,,,,4,0,2500,5000,5000,2,2,2,5000,"),
              std::string::npos)
        << box.Read("t/comparison.csv");
    // an input that has changed, whatever it is called, is another scenario, too; a seed of the
    // noise is not
    json summary = box.ReadJson("hpcc/summary.json");
    summary["configuration"]["network_seed"] = 1;
    box.Write("hpcc/summary.json", summary.dump());
    summary["configuration"]["network_seed"] = 2;
    box.Write("seed/summary.json", summary.dump());
    box.Write("seed/fct.txt", box.Read("hpcc/fct.txt"));
    EXPECT_TRUE(Data({"hpcc", "seed"})["comparison"]["rows"][1]["errors"].is_object());
    summary["configuration"]["config_txt"] = nullptr;
    summary["inputs"] = {{{"named_by", "--flows"}, {"path", "f"}, {"fnv1a_64", "0"}}};
    box.Write("seed/summary.json", summary.dump());
    EXPECT_EQ(Data({"hpcc", "seed"})["comparison"]["rows"][1]["scenario_differences"],
              json({"inputs"}));
}

TEST_F(Report, AComparisonIsItsRunsWithItsTimes)
{
    for (const char* name : {"packet", "fast"})
    {
        FixtureRun run;
        run.mode = name;
        WriteRun(box, std::string("both/") + name, run);
    }
    box.Write(
        "both/compare.json",
        R"({"modes": {"packet": {"wall_s": 8.0}, "fast": {"wall_s": 2.0}, "flow": {"wall_s": 1.0}},
                  "notes": ["a note"], "failures": [], "seeds": []})");
    const json data = Data({"both"});
    ASSERT_EQ(data["runs"].size(), 2U);
    EXPECT_EQ(data["runs"][0]["name"], "packet");
    EXPECT_EQ(data["comparison"]["rows"][1]["speedup"], 4);
    EXPECT_EQ(data["comparison"]["wall_is"], "the whole process");
    ASSERT_EQ(data["notes"].size(), 2U); // the results of flow are not there
    EXPECT_NE(data["notes"][0].get<std::string>().find("\"flow\""), std::string::npos);
}

TEST_F(Report, SaysWhatWasNotRecorded)
{
    FixtureRun run;
    run.recorded = false;
    for (const char* mode : {"packet", "fast", "flow", "message"})
    {
        run.mode = mode;
        WriteRun(box, mode, run);
    }
    const json data = Data({"packet", "fast", "flow", "message"});
    const auto missing = [&data](size_t i, const char* chart) {
        return data["runs"][i]["missing"].value(chart, "");
    };
    EXPECT_EQ(missing(1, "rates"), "Not recorded: run with --record.");
    EXPECT_EQ(missing(1, "partitions"), "Not recorded: run with --record.");
    EXPECT_EQ(missing(0, "partitions").find("The packet level has no partitions"), 0U);
    EXPECT_EQ(missing(2, "queues").find("The flow level has no packets"), 0U);
    EXPECT_EQ(missing(3, "rates").find("The message level has no network"), 0U);
    EXPECT_EQ(missing(0, "timeline").find("Only workloads have ranks"), 0U);
    // the network is made again from its specification
    EXPECT_DOUBLE_EQ(data["runs"][0]["links"]["busiest"][0]["utilisation"], 0.5);
    EXPECT_FALSE(data["runs"][0]["flows"]["by_kind"]);
    EXPECT_EQ(data["runs"][0]["flows"]["kinds"].size(), 1U);
}

TEST_F(Report, WritesTablesAndTheSameBytesAgain)
{
    WriteRun(box, "a");
    const ProgramResult first =
        box.Run({"report", "a", "--csv", "t", "--output", "1.html", "--json=1.json"});
    ASSERT_EQ(first.exit, 0);
    EXPECT_EQ(first.out, "written       1.html\n              1.json\n              t/\n");
    EXPECT_EQ(box.Read("t/fct.csv").substr(0, 56),
              "run,kind,fct_ns,share\na,all,1000,0.25\na,all,2000,0.75\na,");
    EXPECT_EQ(box.Lines("t/queues.csv").at(1), "a,2,1,1,2000,9000");
    EXPECT_EQ(box.Lines("t/stretches.csv").at(2), "a,0,1,2500,4500,skipping");
    EXPECT_EQ(box.Lines("t/rates.csv").at(3), "a,0,1,4000,40000000000");
    EXPECT_EQ(box.Lines("t/events.csv").at(3), "a,2000,100,600,300");
    EXPECT_EQ(box.Lines("t/partitions.csv").at(4), "a,1000,recording,0,0");
    EXPECT_EQ(box.Lines("t/timeline.csv").at(2), "a,gpt,0,communication,2000,5000");
    EXPECT_EQ(box.Lines("t/links.csv").at(1), "a,0,2,0,100000000000,25000,0.5,0.5");
    EXPECT_FALSE(std::filesystem::exists(box.PathOf("t/comparison.csv"))); // one run
    ASSERT_EQ(box.Run({"report", "a", "--output", "2.html", "--json=2.json"}).exit, 0);
    EXPECT_EQ(box.Read("1.html"), box.Read("2.html"));
    EXPECT_EQ(box.Read("1.json"), box.Read("2.json"));
    EXPECT_FALSE(std::filesystem::exists(box.PathOf("report.html")));
}

TEST_F(Report, NamesStayText)
{
    WriteRun(box, "plain");
    ASSERT_EQ(box.Run({"report", "plain", "--output", "plain.html"}).exit, 0);
    const std::string evil = "</script><img src=x onerror=alert(1)>\"'&{{data}}";
    WriteRun(box, "a,\"b");
    box.Write("a,\"b/record/flows.csv",
              "kind,src,dst,bytes,start_ns,fct_ns,standalone_ns\n" + evil +
                  ",0,1,1000,0,1000,500\n");
    const Words words{"report", "a,\"b", "--title", evil, "--csv", "t", "--output", "r.html"};
    const ProgramResult r = box.Run(With(words, {"--json=r.json"}));
    ASSERT_EQ(r.exit, 0) << r.err;
    const json data = box.ReadJson("r.json");
    EXPECT_EQ(data["title"], evil);
    EXPECT_EQ(data["runs"][0]["flows"]["kinds"][1]["kind"], evil);
    const auto count = [this](const std::string& file, const std::string& what) {
        const std::string text = box.Read(file);
        size_t found = 0;
        for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
        {
            ++found;
        }
        return found;
    };
    EXPECT_EQ(count("r.html", "</script"), count("plain.html", "</script"));
    EXPECT_EQ(count("r.html", "<img"), 0U);
    EXPECT_EQ(box.Lines("t/rates.csv").at(1).substr(0, 10), "\"a,\"\"b\",0,"); // as RFC 4180 has it
}

TEST_F(Report, RefusesWhatIsNoRun)
{
    ExpectError({}, "which run?");
    ExpectError({"nowhere"}, "nowhere is no folder");
    box.Write("empty/readme", "");
    ExpectError({"empty"}, "there is no summary.json in it");
    WriteRun(box, "a");
    ExpectError({"a", "a"}, "a is given twice");
    ExpectError({"a", "--csv", ""}, "--csv");
    box.Write("b/compare.json", R"({"modes": {}})");
    ExpectError({"b"}, "the comparison has no results yet");
    box.Write("b/compare.json", "[1]");
    ExpectError({"b"}, "b/compare.json: this is not what wormhole compare writes");
}

TEST_F(Report, RunsOfOtherFlowsAreComparedByTheirDistributions)
{
    WriteRun(box, "a");
    FixtureRun other; // as of another seed
    other.flows = {{0, 1, 77, 0, 1000, 500}};
    WriteRun(box, "b", other);
    const json data = Data({"a", "b"});
    const json row = data["comparison"]["rows"][1];
    EXPECT_EQ(row["other_flows"], true);
    EXPECT_TRUE(row["errors"].is_null());
    EXPECT_TRUE(row["unmatched_flows"].is_null());
    EXPECT_EQ(data["comparison"]["rows"][0]["other_flows"], false);
    EXPECT_EQ(data["runs"][1]["flows"]["kinds"][0]["flows"], 1);
}

TEST_F(Report, RecordedRunsAreDrawnOverEachOther)
{
    WriteRun(box, "a");
    WriteRun(box, "b");
    FixtureRun bare;
    bare.recorded = false;
    WriteRun(box, "bare", bare);
    const json scenarios = Data({"a", "b", "bare"})["overlay"]["scenarios"];
    ASSERT_EQ(scenarios.size(), 1U);
    ASSERT_EQ(scenarios[0]["curves"].size(), 2U); // of those that were recorded
    const json curve = scenarios[0]["curves"][1];
    EXPECT_EQ(curve["name"], "b");
    // 1000 B took 1000 instead of 500 ns, 2000 B 2000 instead of 1000; of others nothing is known
    const json kind = curve["slowdown_by_size"][1];
    EXPECT_EQ(kind["kind"], "all-reduce");
    ASSERT_EQ(kind["sizes"].size(), 2U);
    EXPECT_EQ(kind["sizes"][0]["bytes_up_to"], 1000);
    EXPECT_EQ(kind["sizes"][1]["bytes_over"], 1000);
    EXPECT_EQ(kind["sizes"][1]["p99"], json({{"mean", 2}, {"low", 2}, {"high", 2}}));
    // 4 us are four bins of 1 us; in the first, port 0 holds 0 B all the time; port 1 is unknown
    const json& overTime = curve["over_time"];
    EXPECT_EQ(overTime["utilisation_max"]["mean"], json({0.4, 0.4, 0.8, 0.8}));
    EXPECT_EQ(overTime["jain"]["mean"], json({0.75, 0.75}));
    EXPECT_EQ(overTime["queue_bytes_p99"]["mean"][0], 0);
    EXPECT_EQ(overTime["queue_bytes_p99"]["begin_ns"][3], 3000);
}

TEST_F(Report, ASweepIsItsControlsInEachScenario)
{
    harness::WriteSweepTables(box, "s");
    ASSERT_EQ(box.Run({"report", "s", "--json=r.json", "--csv", "t"}).exit, 0);
    const json data = box.ReadJson("r.json");
    EXPECT_EQ(data["title"], "Sweep s");
    EXPECT_TRUE(data["runs"].empty());
    const json scenarios = data["overlay"]["scenarios"];
    ASSERT_EQ(scenarios.size(), 2U);
    EXPECT_EQ(scenarios[0]["name"], "load=0.3");
    EXPECT_EQ(scenarios[1]["name"], "load=0.5");
    ASSERT_EQ(scenarios[0]["curves"].size(), 2U);
    const json hpcc = scenarios[0]["curves"][0];
    EXPECT_EQ(hpcc["name"], "hpcc");
    EXPECT_EQ(hpcc["runs"], 3);
    const json size = hpcc["slowdown_by_size"][0]["sizes"][0];
    EXPECT_EQ(size["bytes_up_to"], 1000);
    EXPECT_EQ(size["p95"], json({{"mean", 1.5}, {"low", -0.2}, {"high", 3.2}}));
    // one seed has no interval
    EXPECT_EQ(hpcc["slowdown_by_size"][0]["sizes"][1]["p95"],
              json({{"mean", 2.5}, {"low", 2.5}, {"high", 2.5}}));
    EXPECT_EQ(hpcc["distributions"][0]["fct_ns"], json({10, 30}));
    EXPECT_EQ(hpcc["over_time"]["jain"]["mean"], json({0.9}));
    EXPECT_EQ(box.Lines("t/slowdown_by_size.csv").at(1),
              "hpcc,load=0.3,all,0,1000,p95,1.5,-0.2,3.2");
    EXPECT_EQ(box.Lines("t/over_time.csv").at(1), "hpcc,load=0.3,0,1000,jain,0.9,0.8,1");
    ExpectError({"s", "--csv", "s"}, "over_time.csv");
    box.Write("s/over_time.csv", "cc,begin_ns\nhpcc,0\n");
    ExpectError({"s"}, "s/over_time.csv:1: has no columns from begin_ns to ci95_high");
    box.Write("plain/statistics.csv",
              "cc,flow_kind,bytes_over,bytes_up_to,metric,runs,mean,ci95_low,ci95_high\n"
              "hpcc,all,,,events,1,5,,\n");
    ExpectError({"plain"}, "plain: the sweep has no statistics of flows or over time");
}

TEST_F(Report, NamesTheLineOfWhatIsDamaged)
{
    ExpectErrorOf("summary.json", "{", "a/summary.json: this is no summary");
    ExpectErrorOf("summary.json",
                  R"({"configuration": {"mode": 5}})",
                  "a/summary.json: this is no");
    ExpectErrorOf("fct.txt", "0b000001 what\n", "a/fct.txt:1:");
    ExpectErrorOf("record/rates.csv", "time,src\n", "rates.csv:1: the header should name");
    ExpectErrorOf("record/rates.csv", "", "rates.csv:1: the header should name");
    ExpectErrorOf("record/rates.csv",
                  "time_ns,src,dst,bytes\n0,0,1,0\n5,0,1,1",
                  "rates.csv:3: the line is cut off");
    ExpectErrorOf("record/rates.csv",
                  "time_ns,src,dst,bytes\n0,0,1\n",
                  "rates.csv:2: there are 3 columns, but the header names 4");
    ExpectErrorOf("record/rates.csv",
                  "time_ns,src,dst,bytes\n0,0,1,9\n5,0,1,8\n",
                  "rates.csv:3: the pair has moved less");
    ExpectErrorOf("record/queues.csv",
                  "time_ns,node,port,peer,bytes\n0,2,0,0,-5\n",
                  "queues.csv:2: bytes is \"-5\"");
    ExpectErrorOf("record/timeline.csv",
                  "job,rank,kind,begin_ns,end_ns\nj,0,sleep,0,1\n",
                  "timeline.csv:2: kind is neither");
    ExpectErrorOf("links.csv",
                  "link,from,to,bytes,begin_ns,end_ns\n0,0,1,5,0,1\n",
                  "links.csv:2: link 0 joins 0 and 1, but in the network 0 and 2");
    ExpectErrorOf("links.csv",
                  "link,from,to,bytes,begin_ns,end_ns\n2,0,1,5,0,1\n",
                  "links.csv:2: link 2, but the network has 2");
}

TEST_F(Report, OverwritesNothingThatItReads)
{
    WriteRun(box, "a");
    const std::string links = box.Read("a/links.csv");
    ExpectError({"a", "--output", "a/summary.json"}, "would overwrite the input");
    ExpectError({"a", "--json=a/record/rates.csv"}, "would overwrite the input");
    ExpectError({"a", "--csv", "a"}, "a/links.csv: the output --csv would overwrite");
    ExpectError({"a", "--output", "x", "--json=x"}, "would overwrite the output");
    EXPECT_EQ(box.Read("a/links.csv"), links);
    // a report in the folder of a run is no input of the next one
    ASSERT_EQ(box.Run({"report", "a", "--output", "a/report.html"}).exit, 0);
    EXPECT_EQ(box.Run({"report", "a", "--output", "a/report.html"}).exit, 0);
}
