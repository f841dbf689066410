/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// `wormhole run --record`: what the files hold where that is known, that they stay small, and that
// results do not depend on them.

#include "harness/run_cli.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <vector>

namespace
{

using harness::ProgramResult;
using harness::With;
using harness::Words;
using nlohmann::json;

/** A line of a CSV file, by the names of its columns. */
using Row = std::map<std::string, std::string>;

/** Two hosts at a switch, by links of 100 Gb/s and 1 us. */
const Words TWO{"--topology", "star:hosts=2", "--cc", "none"};

/** 8 hosts at a switch; each sends to the next one, for long enough to be steady. */
const Words RING{"--topology", "star:hosts=8", "--traffic", "ring:bytes=8MB"};

/** Of which some is skipped, and some replayed. */
const Words ALL_REDUCE{"--topology", "star:hosts=8", "--workload", "all-reduce:ranks=8,bytes=40MB"};

const Words FAST{"--mode", "fast"};

int64_t
Int(const std::string& text)
{
    return std::stoll(text);
}

class Record : public harness::RunCli
{
  protected:
    std::vector<Row> Rows(const std::string& file) const
    {
        std::vector<Row> rows;
        std::vector<std::string> names;
        for (const std::string& line : box.Lines("out/record/" + file))
        {
            std::istringstream fields(line);
            std::vector<std::string> values;
            for (std::string value; std::getline(fields, value, ',');)
            {
                values.push_back(value);
            }
            if (names.empty())
            {
                names = values;
                continue;
            }
            EXPECT_EQ(values.size(), names.size()) << line;
            rows.emplace_back();
            for (size_t i = 0; i < std::min(names.size(), values.size()); ++i)
            {
                rows.back()[names[i]] = values[i];
            }
        }
        return rows;
    }

    /** \return whether there is a file of this name */
    bool IsThere(const std::string& file) const
    {
        return std::filesystem::exists(box.PathOf("out/record/" + file));
    }

    /** Results of a run with \p words must be the same with --record. */
    void ExpectNoEffect(const Words& words)
    {
        for (const Words& more :
             {Words{"--output", "plain", "--links"}, {"--output", "out", "--record"}})
        {
            const ProgramResult r = box.Run(With(With({"run", "--quiet"}, words), more));
            EXPECT_EQ(r.exit, 0) << r.err;
        }
        EXPECT_FALSE(box.Read("plain/fct.txt").empty());
        for (const char* file : {"fct.txt", "pfc.txt", "links.csv", "ranks.csv"})
        {
            EXPECT_EQ(box.Read("out/" + std::string(file)), box.Read("plain/" + std::string(file)))
                << file;
        }
        json with = box.ReadJson("out/summary.json");
        json without = box.ReadJson("plain/summary.json");
        for (const char* part : {"simulated_s", "last_end_ns", "counters", "fast"})
        {
            EXPECT_EQ(with[part], without[part]) << part;
        }
        EXPECT_EQ(with["cost"]["events"], without["cost"]["events"]);
        EXPECT_TRUE(without["record"].is_null());
    }
};

} // namespace

TEST_F(Record, AFlowAloneMovesAtLineRate)
{
    box.Write("flow.txt", "1\n0 1 3 100 300000 0.001\n");
    const json s = Summary(With(TWO, {"--flows", "flow.txt", "--record"}));
    EXPECT_EQ(s["record"]["folder"], "record");
    EXPECT_EQ(s["record"]["origin_ns"], 1000000);
    EXPECT_EQ(s["record"]["period_ns"], 1000);
    EXPECT_EQ(s["record"]["pairs"], json::parse("[[0, 1]]"));
    // 1048 B at 12.5 B/ns, twice, and 2 us; then one more packet per transmission
    const int64_t packetPs = 83840;
    const int64_t firstPs = 2 * packetPs + 2000000;
    std::map<int64_t, int64_t> lines;
    for (const Row& row : Rows("rates.csv"))
    {
        EXPECT_EQ(row.at("src") + row.at("dst"), "01");
        lines[Int(row.at("time_ns"))] = Int(row.at("bytes"));
    }
    ASSERT_GT(lines.size(), 20U);
    EXPECT_EQ(lines.rbegin()->second, 300000);
    for (const auto& [ns, bytes] : lines)
    {
        const int64_t passedPs = (ns - 1000000) * 1000 - firstPs;
        const int64_t packets = passedPs <= 0 ? 0 : (passedPs + packetPs - 1) / packetPs;
        EXPECT_EQ(bytes, std::min<int64_t>(packets, 300) * 1000) << ns;
    }
    // a frame per link and direction: data and acknowledgements, over 2 links each
    EXPECT_EQ(Rows("events.csv").back().at("run"), "1200");
    for (const char* file : {"stretches.csv", "partitions.csv", "decisions.csv", "timeline.csv"})
    {
        EXPECT_FALSE(IsThere(file)) << file;
    }
    EXPECT_FALSE(box.Lines("out/links.csv").empty());
    EXPECT_EQ(box.Run({"run", "--topology", "out/record/topology.txt", "--flows", "flow.txt"}).exit,
              0);
}

TEST_F(Record, FlowsAreThoseOfTheCompletionTimes)
{
    Summary(With(RING, {"--record"}));
    const std::vector<Row> flows = Rows("flows.csv");
    const std::vector<std::string> lines = box.Lines("out/fct.txt");
    ASSERT_EQ(flows.size(), 8U);
    ASSERT_EQ(lines.size(), flows.size());
    std::map<std::string, std::string> last; // of rates.csv, by pair
    for (const Row& row : Rows("rates.csv"))
    {
        last[row.at("src") + "-" + row.at("dst")] = row.at("bytes");
    }
    for (size_t i = 0; i < flows.size(); ++i)
    {
        const Row& flow = flows[i];
        EXPECT_EQ(flow.at("kind"), "ring");
        const std::string tail =
            " 100 " + flow.at("bytes") + " " + flow.at("start_ns") + " " + flow.at("fct_ns");
        const std::string line = lines[i].substr(0, lines[i].rfind(' ')); // HPCC's formula follows
        EXPECT_EQ(line.substr(line.size() - tail.size()), tail);
        EXPECT_GE(std::stoull(flow.at("fct_ns")), std::stoull(flow.at("standalone_ns")));
        EXPECT_EQ(last[flow.at("src") + "-" + flow.at("dst")], "8000000");
    }
}

TEST_F(Record, QueuesAreThoseOfTheSwitch)
{
    // two hosts send to a third: half of what they send at first waits
    box.Write("flow.txt", "2\n0 2 3 100 50000 0\n1 2 3 100 50000 0\n");
    Summary({"--topology", "star:hosts=3", "--cc", "none", "--flows", "flow.txt", "--record"});
    const std::vector<Row> rows = Rows("queues.csv");
    ASSERT_GT(rows.size(), 3U);
    int64_t highest = 0;
    for (const Row& row : rows)
    {
        EXPECT_EQ(row.at("node"), "3");
        // acknowledgements may be caught as they wait, too
        highest = row.at("peer") == "2" ? std::max(highest, Int(row.at("bytes"))) : highest;
    }
    EXPECT_EQ(rows.front().at("peer"), "2"); // the longest comes first
    EXPECT_EQ(rows.front().at("port"), "2");
    // 50 packets come twice as fast as they go: nearly 50 wait, sampled within 1 us of the peak
    EXPECT_LE(highest, 50 * 1048);
    EXPECT_GE(highest, 50 * 1048 - 1048 - 12500);
    EXPECT_EQ(rows.back().at("bytes"), "0");
}

TEST_F(Record, FairnessAndUtilisationAreThoseOfTheRates)
{
    // two flows share the link to host 3; the third has its own, and the share of both
    box.Write("flow.txt", "3\n0 3 3 100 400000 0\n1 3 3 100 400000 0\n2 1 3 100 800000 0\n");
    Summary({"--topology", "star:hosts=4", "--cc", "none", "--flows", "flow.txt", "--record"});
    std::map<std::string, std::map<int64_t, double>> bytes; // by sender and time
    for (const Row& row : Rows("rates.csv"))
    {
        bytes[row.at("src")][Int(row.at("time_ns"))] = std::stod(row.at("bytes"));
    }
    const std::vector<Row> intervals = Rows("over-time.csv");
    ASSERT_GT(intervals.size(), 3U);
    for (size_t i = 0; i < 3; ++i)
    {
        const Row& row = intervals[i];
        const int64_t begin = Int(row.at("begin_ns"));
        const int64_t end = Int(row.at("end_ns"));
        EXPECT_EQ(begin, 16000 * static_cast<int64_t>(i));
        EXPECT_EQ(end, begin + 16000);
        const auto moved = [&](const char* sender) {
            return bytes[sender].at(end) - bytes[sender].at(begin);
        };
        const double a = moved("0");
        const double b = moved("1");
        const double c = moved("2");
        EXPECT_EQ(row.at("flows"), "3");
        const double jain = (a + b + c) * (a + b + c) / (3 * (a * a + b * b + c * c));
        EXPECT_NEAR(std::stod(row.at("jain")), jain, 1e-12);
        EXPECT_NEAR(jain, 8.0 / 9, 0.01); // shares 1, 1 and 2: 4^2 / (3 * 6)
        const double most = 12.5 * 16000; // bytes of a link of 100 Gb/s
        EXPECT_NEAR(std::stod(row.at("utilisation_max")), std::max(a + b, c) / most, 1e-12);
        // each flow crosses two of the eight directions of links
        EXPECT_NEAR(std::stod(row.at("utilisation_mean")), (a + b + c) * 2 / 8 / most, 1e-12);
        EXPECT_EQ(row.at("paused_ports"), "0");
    }
    EXPECT_EQ(intervals.back().at("jain"), ""); // all flows have ended in it
}

TEST_F(Record, PausesAreThoseOfTheFrames)
{
    Summary(With(harness::PAUSED_INCAST, {"--record"}));
    std::map<std::string, int64_t> since; // by node
    std::map<std::string, int64_t> paused;
    for (const std::string& line : box.Lines("out/pfc.txt"))
    {
        std::istringstream fields(line);
        std::string time;
        std::string node;
        std::string kind;
        std::string interface;
        bool pause = false;
        fields >> time >> node >> kind >> interface >> pause;
        pause ? void(since.emplace(node, Int(time)))
              : void(paused[node] += Int(time) - since.extract(node).mapped());
    }
    ASSERT_FALSE(paused.empty());
    EXPECT_TRUE(since.empty());
    double all = 0;
    for (const Row& row : Rows("pauses.csv"))
    {
        EXPECT_EQ(Int(row.at("paused_ns")), paused.at(row.at("node")));
        EXPECT_EQ(row.at("port") + row.at("peer"), "05");
        EXPECT_GT(Int(row.at("pauses")), 0);
        all += std::stod(row.at("paused_ns"));
    }
    EXPECT_EQ(Rows("pauses.csv").size(), paused.size());
    double sum = 0;
    for (const Row& row : Rows("over-time.csv"))
    {
        sum += std::stod(row.at("paused_ports")) *
               static_cast<double>(Int(row.at("end_ns")) - Int(row.at("begin_ns")));
    }
    EXPECT_NEAR(sum, all, 1e-6 * all);
}

TEST_F(Record, UtilisationGoesOnWhilePacketsAreLeftOut)
{
    const json s = Summary(With(With(RING, FAST), {"--record"}));
    EXPECT_GT(s["fast"]["events"]["skippedShare"].get<double>(), 0.5);
    double carried = 0; // bytes, over all links
    for (const Row& row : Rows("over-time.csv"))
    {
        const auto ns = static_cast<double>(Int(row.at("end_ns")) - Int(row.at("begin_ns")));
        EXPECT_LT(std::stod(row.at("utilisation_max")), 1);
        carried += std::stod(row.at("utilisation_mean")) * 16 * 12.5 * ns;
    }
    EXPECT_NEAR(carried, 8 * 2 * 8e6, 1); // 8 flows cross 2 links each
}

TEST_F(Record, StretchesDecisionsAndEventsAddUp)
{
    const json s = Summary(With(With(ALL_REDUCE, FAST), {"--record"}));
    const json& fast = s["fast"];
    for (const char* state : {"Skipping", "Replaying", "Following"})
    {
        ASSERT_GT(fast["flowTime"][state].get<double>(), 1e-6) << state;
    }
    // each pair has one flow at a time: its stretches take the time that flows were in the state
    std::map<std::string, int64_t> ns;
    for (const Row& row : Rows("stretches.csv"))
    {
        EXPECT_LT(Int(row.at("begin_ns")), Int(row.at("end_ns")));
        ns[row.at("state")] += Int(row.at("end_ns")) - Int(row.at("begin_ns"));
    }
    EXPECT_NEAR(ns["skipping"], fast["flowTime"]["Skipping"].get<double>() * 1e9, 1000);
    EXPECT_NEAR(ns["replaying"], fast["flowTime"]["Replaying"].get<double>() * 1e9, 1000);
    EXPECT_NEAR(ns["following"], fast["flowTime"]["Following"].get<double>() * 1e9, 1000);
    const Row events = Rows("events.csv").back();
    for (const char* name : {"run", "skipped", "replayed"})
    {
        EXPECT_EQ(Int(events.at(name)), fast["events"][name].get<int64_t>()) << name;
    }
    int64_t decisions = 0;
    for (const auto& [reason, count] : fast["kernel"][0]["reasons"].items())
    {
        decisions += count.get<int64_t>();
    }
    EXPECT_EQ(static_cast<int64_t>(Rows("decisions.csv").size()), decisions);
    EXPECT_EQ(s["record"]["decisions"], decisions);
}

TEST_F(Record, EveryFlowIsInOneState)
{
    Summary(With(With(RING, FAST), {"--record"}));
    std::map<int64_t, std::map<std::string, int64_t>> flows; // by time and state
    std::map<std::string, int64_t> now;
    for (const Row& row : Rows("partitions.csv"))
    {
        now[row.at("state")] = Int(row.at("flows"));
        flows[Int(row.at("time_ns"))] = now;
    }
    EXPECT_EQ(now.size(), 7U);
    for (const auto& [ns, states] : flows)
    {
        int64_t sum = 0;
        for (const auto& [state, count] : states)
        {
            sum += count;
        }
        // before the first sample there was nothing; 8 MB take 671 us at line rate
        EXPECT_LE(sum, 8);
        EXPECT_TRUE(sum == 8 || ns == 0 || ns > 671000) << ns;
    }
    // at the end, none is left
    for (const auto& [state, count] : now)
    {
        EXPECT_EQ(count, 0) << state;
    }
}

TEST_F(Record, FastForwardThatSimulatesEveryPacket)
{
    // What it cannot restore: there was a crash when a flow was delivered.
    Summary(With(With(RING, FAST), {"--record", "--recovery", "irn"}));
    EXPECT_TRUE(Rows("stretches.csv").empty());
    EXPECT_TRUE(Rows("decisions.csv").empty());
}

TEST_F(Record, RatesGoOnWhilePacketsAreLeftOut)
{
    // bytes by pair and time; the same samples, as the runs take nearly the same time
    std::map<std::string, std::map<int64_t, double>> packets;
    Summary(With(ALL_REDUCE, {"--record"}));
    const std::vector<Row> simulated = Rows("rates.csv");
    for (const Row& row : simulated)
    {
        packets[row.at("src")][Int(row.at("time_ns"))] = std::stod(row.at("bytes"));
    }
    Summary(With(With(ALL_REDUCE, FAST), {"--record"}));
    size_t compared = 0;
    for (const Row& row : Rows("rates.csv"))
    {
        const auto found = packets[row.at("src")].find(Int(row.at("time_ns")));
        if (found != packets[row.at("src")].end())
        {
            // 1 % of all that a pair sends, which is 2 * 7 / 8 of the data
            EXPECT_NEAR(std::stod(row.at("bytes")), found->second, 0.01 * 70e6)
                << row.at("src") << " at " << row.at("time_ns");
            ++compared;
        }
    }
    EXPECT_GT(compared, simulated.size() / 2);
}

TEST_F(Record, WorkloadsSayWhatFlowsBelongTo)
{
    for (const char* mode : {"packet", "fast", "flow"})
    {
        const json s = Summary(With(ALL_REDUCE, {"--mode", mode, "--record"}));
        const std::vector<Row> flows = Rows("flows.csv");
        EXPECT_EQ(flows.size(), 8U * 14) << mode; // 7 steps to reduce, and 7 to gather
        for (const Row& flow : flows)
        {
            EXPECT_EQ(flow.at("kind"), "all-reduce");
            EXPECT_EQ(flow.at("bytes"), "5000000");
        }
        EXPECT_EQ(s["record"]["pairs"].size(), 8U);
        EXPECT_EQ(Rows("rates.csv").back().at("bytes"), "70000000") << mode;
        // each rank is busy from the first to the last moment
        const std::vector<Row> timeline = Rows("timeline.csv");
        EXPECT_EQ(timeline.front().at("job"), "all-reduce");
        EXPECT_EQ(timeline.front().at("kind"), "communication");
        EXPECT_EQ(timeline.front().at("begin_ns"), "0");
        EXPECT_EQ(IsThere("events.csv"), std::string(mode) != "flow");
    }
    Summary({"--workload", "all-reduce:ranks=8,bytes=40MB", "--mode", "message", "--record"});
    EXPECT_EQ(Rows("timeline.csv").size(), 8U);
    EXPECT_FALSE(IsThere("flows.csv")); // what an earlier run recorded is gone
}

TEST_F(Record, FluidsMoveAtTheirRates)
{
    box.Write("flow.txt", "2\n0 1 3 100 1000000 0\n0 1 3 100 1000000 0.00001\n");
    Summary({"--topology",
             "star:hosts=2",
             "--flows",
             "flow.txt",
             "--cc",
             "none",
             "--mode",
             "flow",
             "--record"});
    // 1000 of 1048 bytes are payload, whether one flow has the link or two share it
    const auto rows = Rows("rates.csv");
    ASSERT_FALSE(rows.empty());
    for (const Row& row : rows)
    {
        const double ns = std::stod(row.at("time_ns"));
        EXPECT_NEAR(std::stod(row.at("bytes")), std::min(ns * 12.5 / 1.048, 2e6), 2) << ns;
    }
}

TEST_F(Record, ResultsDoNotDependOnIt)
{
    const Words incast{"--topology",
                       "star:hosts=8",
                       "--traffic",
                       "incast:bytes=200KB",
                       "--cc",
                       "dcqcn"};
    ExpectNoEffect(incast);
    ExpectNoEffect(With(incast, FAST));
    ExpectNoEffect(With(incast, {"--simulator", "default", "--timing", "hpcc"}));
    ExpectNoEffect({"--topology",
                    "leaf-spine:leaves=2,spines=2,hosts-per-leaf=4",
                    "--traffic",
                    "ring:bytes=500KB,stride=4",
                    "--link-down",
                    "20us:8-10",
                    "--link-up",
                    "60us:8-10"});
    ExpectNoEffect(With(RING, FAST));
    ExpectNoEffect({"--topology", "star:hosts=8", "--traffic", "ring:bytes=1MB", "--mode", "flow"});
    for (const char* mode : {"packet", "fast", "flow"})
    {
        ExpectNoEffect(With(ALL_REDUCE, {"--mode", mode}));
    }
}

TEST_F(Record, SamplesStayFew)
{
    // two flows, 3 s apart: 3,000,000 us need a period of 2,048 us, of which there are 1465
    box.Write("flow.txt", "2\n0 1 3 100 1000 2\n1 0 3 100 1000 5\n");
    for (const char* mode : {"packet", "fast", "flow"})
    {
        const Words words{"--topology", "star:hosts=2", "--flows", "flow.txt", "--mode", mode};
        const json s = Summary(With(words, {"--record"}));
        EXPECT_EQ(s["record"]["origin_ns"], 2000000000) << mode;
        EXPECT_EQ(s["record"]["period_ns"], 2048000) << mode;
        const std::vector<Row> rates = Rows("rates.csv");
        ASSERT_EQ(rates.size(), 4U) << mode;
        // nothing at first, all one sample later; and the second flow between the last ones
        EXPECT_EQ(rates[0].at("time_ns") + " " + rates[0].at("bytes"), "2000000000 0");
        EXPECT_EQ(rates[1].at("time_ns") + " " + rates[1].at("bytes"), "2002048000 1000");
        EXPECT_EQ(rates[2].at("src"), "1");
        EXPECT_EQ(rates[2].at("time_ns") + " " + rates[2].at("bytes"),
                  std::to_string(2000000000 + 1464 * int64_t{2048000}) + " 0");
        EXPECT_EQ(rates[3].at("bytes"), "1000");
    }
}

TEST_F(Record, ManyChangesStayFew)
{
    // one flow for 80 ms: far more than 2,048 us
    box.Write("topology.txt", "3 1 2\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n");
    box.Write("flow.txt", "1\n0 1 3 100 10000000 0\n");
    const json s =
        Summary({"--topology", "topology.txt", "--flows", "flow.txt", "--cc", "none", "--record"});
    EXPECT_EQ(s["record"]["period_ns"], 64000); // 83.84 ms / 2048 is 41 us
    const std::vector<Row> rates = Rows("rates.csv");
    EXPECT_NEAR(static_cast<double>(rates.size()), 83840 / 64.0, 3);
    for (size_t i = 0; i + 1 < rates.size(); ++i)
    {
        EXPECT_EQ(Int(rates[i].at("time_ns")) % 64000, 0);
        // 1000 of 1048 B at 0.125 B/ns, but for what is on its way
        const double sent = std::stod(rates[i].at("time_ns")) * 0.125 / 1.048;
        EXPECT_NEAR(std::stod(rates[i].at("bytes")), sent, 4000);
    }
    EXPECT_LE(Rows("queues.csv").size(), 2049U);
    EXPECT_LE(Rows("events.csv").size(), 2049U);
}

TEST_F(Record, PairsAreThoseAskedFor)
{
    const json s = Summary(With(RING, {"--record", "--record-pairs", "6-7,2-3"}));
    EXPECT_EQ(s["record"]["pairs"], json::parse("[[6, 7], [2, 3]]"));
    EXPECT_EQ(Rows("rates.csv").front().at("src"), "6");
    EXPECT_EQ(Rows("rates.csv").back().at("src"), "2");
    Summary(With(ALL_REDUCE, {"--record", "--record-pairs", "0-2"}));
    const std::vector<Row> none = Rows("rates.csv"); // nobody knows before that it sends nothing
    ASSERT_EQ(none.size(), 1U);
    EXPECT_EQ(none[0].at("bytes"), "0");

    const Words with{"--record", "--record-pairs"};
    ExpectError(With(RING, {"--record-pairs", "0-1"}),
                "--record-pairs: no effect without --record");
    ExpectError(With(With(RING, with), {"0"}), "must be SRC-DST,..., such as 0-8,1-9");
    ExpectError(With(With(RING, with), {"0-1,"}), "must be SRC-DST,...");
    ExpectError(With(With(RING, with), {"3-3"}), "3-3: a host does not send to itself");
    ExpectError(With(With(RING, with), {"0-1,0-1"}), "0-1 is there twice");
    ExpectError(With(With(RING, with), {"0-8"}), "--record-pairs 0-8: star:hosts=8 has no host 8");
    ExpectError(With(With(RING, with), {"1-0"}), "no flow goes from host 1 to host 0");
    std::string many = "0-1";
    for (int host = 2; host < 67; ++host)
    {
        many += ",0-" + std::to_string(host);
    }
    ExpectError(With(With(RING, with), {many}), "66 pairs, but at most 64 are recorded");
    ExpectError(With(Words{"--workload", "all-reduce:ranks=2,bytes=1KB", "--mode", "message"},
                     {"--record", "--record-pairs", "0-1"}),
                "--record-pairs");
}

TEST_F(Record, FilesAreKeptApart)
{
    Summary(With(With(RING, FAST), {"--record"}));
    EXPECT_TRUE(IsThere("stretches.csv"));
    // an input is not overwritten
    ExpectError({"--topology",
                 "out/record/topology.txt",
                 "--traffic",
                 "ring:bytes=1KB",
                 "--record",
                 "--output",
                 "out"},
                "would overwrite the input");
    Summary(With(RING, {"--record"}));
    EXPECT_FALSE(IsThere("stretches.csv")); // of an earlier run
}

TEST_F(Record, WhatThereIsIsWrittenInTheEnd)
{
    // once the first flow has ended and its line is written, the run can be interrupted
    box.Write("flow.txt", "2\n0 1 3 100 1000 0\n1 0 3 100 100000000000 0\n");
    const ProgramResult stopped = box.RunAndSignal(
        With(With({"run", "--output", "out", "--quiet"}, TWO), {"--flows", "flow.txt", "--record"}),
        SIGINT,
        [this]() { return !box.Read("out/fct.txt").empty(); });
    EXPECT_EQ(stopped.exit, 130) << stopped.err;
    EXPECT_EQ(Rows("flows.csv").size(), 1U);
    EXPECT_GT(Int(Rows("rates.csv").back().at("bytes")), 1000);

    if (!std::filesystem::exists("/dev/full"))
    {
        GTEST_SKIP() << "no /dev/full here";
    }
    std::filesystem::remove(box.PathOf("out/record/rates.csv"));
    std::filesystem::create_symlink("/dev/full", box.PathOf("out/record/rates.csv"));
    const ProgramResult full = box.Run(With(With({"run", "--output", "out"}, RING), {"--record"}));
    EXPECT_EQ(full.exit, 1);
    EXPECT_NE(full.err.find("rates.csv: cannot be written: No space left on device"),
              std::string::npos)
        << full.err;
    EXPECT_EQ(Rows("flows.csv").size(), 8U); // the others are complete
    EXPECT_FALSE(Rows("queues.csv").empty());
}
