/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Statistics of `wormhole sweep`: intervals and tests of known samples, and those of a study,
// recomputed here from what its runs recorded.

#include "harness/report_fixture.h"
#include "harness/sandbox.h"
#include "result/statistics.h"
#include "sweep/student.h"
#include "sweep/sweep-metrics.h"
#include "sweep/sweep-plan.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

namespace
{

using harness::ProgramResult;
using harness::Sandbox;
using harness::Words;

/** A line of a table, by the names of its columns. */
using StudyRow = std::map<std::string, std::string>;

constexpr double T_OF_2 = 4.30265; // 97.5 % of Student's t with 2 degrees of freedom, from tables

std::vector<std::string>
SplitFields(const std::string& line)
{
    std::vector<std::string> fields(1);
    for (const char c : line)
    {
        c == ',' ? void(fields.emplace_back()) : fields.back().push_back(c);
    }
    return fields;
}

class SweepStatisticsCli : public testing::Test
{
  protected:
    std::vector<StudyRow> Rows(const std::string& file) const
    {
        const std::vector<std::string> lines = box.Lines(file);
        const std::vector<std::string> names = SplitFields(lines.at(0));
        std::vector<StudyRow> rows;
        for (size_t i = 1; i < lines.size(); ++i)
        {
            const std::vector<std::string> fields = SplitFields(lines[i]);
            rows.emplace_back();
            for (size_t c = 0; c < names.size(); ++c)
            {
                rows.back()[names[c]] = fields.at(c);
            }
        }
        return rows;
    }

    /** \return the line of a table that has these fields; there must be one */
    StudyRow Find(const std::vector<StudyRow>& rows, const StudyRow& wanted) const
    {
        std::vector<StudyRow> found;
        std::copy_if(rows.begin(), rows.end(), std::back_inserter(found), [&](const StudyRow& row) {
            return std::all_of(wanted.begin(), wanted.end(), [&](const auto& field) {
                return row.count(field.first) && row.at(field.first) == field.second;
            });
        });
        EXPECT_EQ(found.size(), 1U);
        return found.empty() ? StudyRow() : found.front();
    }

    /** \return the 95th percentile of the slowdowns of a run's flows of one kind and size: the
     * least value that 95 % of them do not exceed */
    double SlowdownP95(const std::string& hash,
                       const std::string& kind,
                       double over,
                       double upTo) const
    {
        std::vector<double> slowdowns;
        for (const StudyRow& flow : Rows("s/runs/" + hash + "/record/flows.csv"))
        {
            const double bytes = std::stod(flow.at("bytes"));
            if (flow.at("kind") == kind && bytes > over && bytes <= upTo)
            {
                slowdowns.push_back(std::stod(flow.at("fct_ns")) /
                                    std::stod(flow.at("standalone_ns")));
            }
        }
        std::sort(slowdowns.begin(), slowdowns.end());
        size_t rank = 1;
        while (static_cast<double>(rank) < 0.95 * static_cast<double>(slowdowns.size()))
        {
            ++rank;
        }
        return slowdowns.at(rank - 1);
    }

    /** Checks that no parameter may be named as a column of the table, but for \p parameters. */
    void ExpectColumnsAreTaken(const std::string& file,
                               const std::set<std::string>& parameters) const
    {
        for (const std::string& column : SplitFields(box.Lines(file).at(0)))
        {
            const Words words{"--topology", "star:hosts={" + column + "}", "--" + column, "4"};
            std::string message;
            try
            {
                wormhole::MakeSweepPlan("", words, "");
            }
            catch (const ns3::InputError& error)
            {
                message = error.what();
            }
            const bool taken = message.find("a column of that name") != std::string::npos;
            EXPECT_TRUE(taken || parameters.count(column)) << file << ": " << column << message;
        }
    }

    Sandbox box;
};

double
MeanOf(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/** \return half the 95 % interval of 3 values */
double
HalfOf3(const std::vector<double>& values)
{
    const double mean = MeanOf(values);
    double squares = 0;
    for (const double value : values)
    {
        squares += (value - mean) * (value - mean);
    }
    return T_OF_2 * std::sqrt(squares / 2 / 3);
}

} // namespace

TEST(Student, IntervalsAndTestsAreThoseOfTables)
{
    // mean 2, variance 1, error 1/sqrt(3)
    const wormhole::StudentMean three = wormhole::MeanOfSample({1, 2, 3});
    EXPECT_DOUBLE_EQ(three.mean, 2);
    EXPECT_NEAR(three.half.value(), T_OF_2 / std::sqrt(3.0), 1e-5);
    // with 2 degrees of freedom, t = 2 sqrt(3) has p = 1 - t / sqrt(t^2 + 2) = 1 - sqrt(12 / 14)
    EXPECT_NEAR(three.p.value(), 1 - std::sqrt(12.0 / 14), 1e-12);
    EXPECT_FALSE(wormhole::MeanOfSample({5}).half);
    EXPECT_EQ(wormhole::MeanOfSample({5, 5}).half.value(), 0);
    EXPECT_EQ(wormhole::MeanOfSample({5, 5}).p.value(), 0);
    EXPECT_EQ(wormhole::MeanOfSample({0, 0}).p.value(), 1);
}

TEST(Jain, IsOneIfAllAreEqual)
{
    EXPECT_DOUBLE_EQ(wormhole::JainIndex({3, 3, 3}), 1);
    EXPECT_DOUBLE_EQ(wormhole::JainIndex({0, 4, 0, 0}), 0.25);
    EXPECT_DOUBLE_EQ(wormhole::JainIndex({1, 2}), 9.0 / 10);
}

TEST_F(SweepStatisticsCli, AStudyIsRecomputedFromItsFlows)
{
    box.Write("cdf.txt", "500 0\n1000 50\n40000 100\n");
    box.Write("study.json",
              R"({"topology": "star:hosts=8", "cc": ["hpcc", "dcqcn"], "seed": "1-3",
                  "traffic": ["poisson:cdf=cdf.txt,load=0.5,duration=50us",
                              "incast:fan-in=4,senders=random,receiver=random,bytes=9KB,period=20us,duration=50us"],
                  "record": true})");
    const ProgramResult r = box.Run({"sweep",
                                     "study.json",
                                     "--sizes",
                                     "1KB,20KB",
                                     "--bin",
                                     "10us",
                                     "--output",
                                     "s",
                                     "--quiet"});
    ASSERT_EQ(r.exit, 0) << r.err;
    const auto runs = Rows("s/results.csv");
    const auto statistics = Rows("s/statistics.csv");
    std::map<std::string, std::vector<double>> values; // by control
    std::map<std::string, std::vector<double>> means;
    for (const StudyRow& run : runs)
    {
        values[run.at("cc")].push_back(SlowdownP95(run.at("hash"), "poisson", 1000, 20000));
        means[run.at("cc")].push_back(std::stod(run.at("slowdown_mean")));
    }
    for (const char* control : {"hpcc", "dcqcn"})
    {
        ASSERT_EQ(values[control].size(), 3U);
        const StudyRow row = Find(statistics,
                                  {{"cc", control},
                                   {"flow_kind", "poisson"},
                                   {"bytes_over", "1000"},
                                   {"bytes_up_to", "20000"},
                                   {"metric", "slowdown_p95"}});
        EXPECT_EQ(row.at("runs"), "3");
        const double mean = MeanOf(values[control]);
        const double half = HalfOf3(values[control]);
        EXPECT_GT(half, 0);
        EXPECT_NEAR(std::stod(row.at("mean")), mean, 1e-9);
        EXPECT_NEAR(std::stod(row.at("ci95_low")), mean - half, 1e-4);
        EXPECT_NEAR(std::stod(row.at("ci95_high")), mean + half, 1e-4);
        const StudyRow all = Find(statistics,
                                  {{"cc", control},
                                   {"flow_kind", "all"},
                                   {"bytes_over", ""},
                                   {"bytes_up_to", ""},
                                   {"metric", "slowdown_mean"}});
        EXPECT_NEAR(std::stod(all.at("mean")), MeanOf(means[control]), 1e-9);
    }
    // in the bin from 10 to 20 us, 6 us of the first interval and 4 us of the second
    std::vector<double> utilisations;
    for (const StudyRow& run : runs)
    {
        if (run.at("cc") == "hpcc")
        {
            const auto lines = Rows("s/runs/" + run.at("hash") + "/record/over-time.csv");
            const double begin = std::stod(lines.at(0).at("begin_ns"));
            ASSERT_EQ(std::stod(lines.at(0).at("end_ns")), begin + 16000);
            const double first = (begin + 6000) / 10000; // share of the bin
            utilisations.push_back(first * std::stod(lines[0].at("utilisation_mean")) +
                                   (1 - first) * std::stod(lines.at(1).at("utilisation_mean")));
        }
    }
    const StudyRow bin =
        Find(Rows("s/over_time.csv"),
             {{"cc", "hpcc"}, {"begin_ns", "10000"}, {"metric", "utilisation_mean"}});
    EXPECT_EQ(bin.at("end_ns"), "20000");
    EXPECT_EQ(bin.at("runs"), "3");
    EXPECT_NEAR(std::stod(bin.at("mean")), MeanOf(utilisations), 1e-12);
    EXPECT_NEAR(std::stod(bin.at("ci95_high")) - std::stod(bin.at("mean")),
                HalfOf3(utilisations),
                1e-4 * HalfOf3(utilisations));
    // the paired test: of the differences, seed by seed
    std::vector<double> differences;
    for (size_t i = 0; i < 3; ++i)
    {
        differences.push_back(values["dcqcn"][i] - values["hpcc"][i]);
    }
    const StudyRow pair = Find(Rows("s/pairs.csv"),
                               {{"cc", "hpcc"},
                                {"cc_other", "dcqcn"},
                                {"flow_kind", "poisson"},
                                {"bytes_over", "1000"},
                                {"bytes_up_to", "20000"},
                                {"metric", "slowdown_p95"}});
    const double mean = MeanOf(differences);
    EXPECT_EQ(pair.at("pairs"), "3");
    EXPECT_NEAR(std::stod(pair.at("difference")), mean, 1e-9);
    EXPECT_NEAR(std::stod(pair.at("ci95_high")) - mean, HalfOf3(differences), 1e-4);
    const double t = std::abs(mean) / (HalfOf3(differences) / T_OF_2);
    EXPECT_NEAR(std::stod(pair.at("p_value")), 1 - t / std::sqrt(t * t + 2), 1e-5);
    // 12 flows of incasts a run, at 0, 20 and 40 us
    EXPECT_EQ(Find(statistics,
                   {{"cc", "hpcc"},
                    {"flow_kind", "incast"},
                    {"bytes_over", ""},
                    {"bytes_up_to", ""},
                    {"metric", "flows_recorded"}})
                  .at("mean"),
              "12");
    for (const char* name : {"statistics", "pairs", "distributions", "over_time"})
    {
        ExpectColumnsAreTaken("s/" + std::string(name) + ".csv", {"cc"});
    }
}

TEST_F(SweepStatisticsCli, IsDrawnWithACurveForEachControl)
{
    if (std::system("command -v gnuplot > /dev/null") != 0)
    {
        GTEST_SKIP() << "there is no gnuplot";
    }
    const char* columns = "flow_kind,bytes_over,bytes_up_to,metric,runs,mean,ci95_low,ci95_high\n";
    box.Write("s/statistics.csv",
              std::string("load,cc,") + columns +
                  "0.3,hpcc,all,,1000,slowdown_p95,3,1.5,1.2,1.8\n"
                  "0.3,hpcc,all,1000,,slowdown_p95,1,2.5,,\n"
                  "0.3,dcqcn,all,,1000,slowdown_p95,3,4,3,5\n");
    const std::string draw = "cd '" + box.PathOf(".") +
                             "' && '" WORMHOLE_SOURCE_DIR "/scripts/plot-sweep.py' s --output p ";
    ASSERT_EQ(std::system((draw + "> drawn.txt").c_str()), 0);
    EXPECT_EQ(box.Read("drawn.txt"), "p/slowdown-p95-all-load-0.3.svg\n");
    const std::string svg = box.Read("p/slowdown-p95-all-load-0.3.svg");
    for (const char* text : {">hpcc<", ">dcqcn<", "> 1K<", "</svg>"})
    {
        EXPECT_NE(svg.find(text), std::string::npos) << text;
    }
    ASSERT_EQ(std::system((draw + "--format pdf > drawn.txt").c_str()), 0);
    EXPECT_EQ(box.Read("p/slowdown-p95-all-load-0.3.pdf").substr(0, 5), "%PDF-");
    EXPECT_NE(std::system((draw + "--curves seed 2> drawn.txt").c_str()), 0);
    EXPECT_EQ(box.Read("drawn.txt"), "plot-sweep: --curves seed: the sweep varies load, cc\n");
    box.Write("s/statistics.csv", std::string("cc,") + columns);
    EXPECT_NE(std::system((draw + "2> drawn.txt").c_str()), 0);
    EXPECT_EQ(box.Read("drawn.txt"),
              "plot-sweep: s: has no statistics of flows or over time; run with --record\n");
}

TEST_F(SweepStatisticsCli, DistributionsAndTimeAreDrawnOfSweepsAndOfReports)
{
    if (std::system("command -v gnuplot > /dev/null") != 0)
    {
        GTEST_SKIP() << "there is no gnuplot";
    }
    harness::WriteSweepTables(box, "s");
    ASSERT_EQ(box.Run({"report", "s", "--csv", "tables"}).exit, 0);
    for (const std::string from : {"s", "tables"})
    {
        ASSERT_EQ(std::system(("cd '" + box.PathOf(".") +
                               "' && '" WORMHOLE_SOURCE_DIR "/scripts/plot-sweep.py' " + from +
                               " --output p > drawn.txt")
                                  .c_str()),
                  0);
        const std::string scenario = from == "s" ? "load-0.3" : "scenario-load_0.3";
        const std::string drawn = box.Read("drawn.txt");
        const std::string jain = "p/over-time-jain-" + scenario + ".svg";
        for (const std::string& file : {"p/slowdown-p95-all-" + scenario + ".svg", jain})
        {
            EXPECT_NE(drawn.find(file + "\n"), std::string::npos) << drawn;
        }
        const std::string svg = box.Read(jain);
        for (const char* text : {">hpcc<", ">dcqcn<", "Jain's index", "</svg>"})
        {
            EXPECT_NE(svg.find(text), std::string::npos) << text;
        }
        // a report has distributions of runs, but of no sweep
        EXPECT_EQ(drawn.find("slowdown-cdf") != std::string::npos, from == "s") << drawn;
    }
}

TEST_F(SweepStatisticsCli, MeasuresFilesByHand)
{
    std::filesystem::create_directories(box.PathOf("r/record"));
    // port 1 of node 3 is paused from 100 to 400 ns, then from 900 ns to the end at 1000 ns;
    // port 2 from 200 to 250 ns, told twice
    box.Write("r/pfc.txt",
              "100 3 1 1 1\n200 3 1 2 1\n210 3 1 2 1\n250 3 1 2 0\n400 3 1 1 0\n900 3 1 1 1\n");
    // 3000 B from 0 to 1000 ns
    box.Write("r/fct.txt",
              "0b000001 0b000101 10000 100 1000 0 500 400\n"
              "0b000001 0b000101 10001 100 2000 400 600 400\n");
    // slowdowns 2 and 1: shares 0.5 and 1, so that Jain's index is 1.5^2 / (2 * 1.25) = 0.9
    box.Write("r/record/flows.csv",
              "kind,src,dst,bytes,start_ns,fct_ns,standalone_ns\n"
              "x,0,1,1000,0,500,250\ny,0,1,1001,400,600,600\n");
    // of 1900 ns at two ports, 800 + 600 ns at 0 B, 100 ns at 50 B, 400 ns at 70 B
    box.Write("r/record/queues.csv",
              "time_ns,node,port,peer,bytes\n0,3,1,0,0\n600,3,1,0,70\n"
              "100,3,2,0,0\n900,3,2,0,50\n");
    const wormhole::SweepResult result{
        nullptr,
        box.PathOf("r"),
        {{"last_end_ns", 1000}, {"flows", {{"completed", 2}}}, {"cost", {{"wall_s", 1}}}}};
    const wormhole::SweepMeasured run = wormhole::MeasureSweepRun(result, {{1000}, 0});
    const auto value = [&run](const std::string& kind, size_t bucket, const std::string& name) {
        return run.metrics.at({kind, bucket, name});
    };
    EXPECT_DOUBLE_EQ(value("", 0, "pfc_pause_ns"), 300 + 100 + 50);
    EXPECT_DOUBLE_EQ(value("", 0, "pfc_pause_ns_of_port_max"), 400);
    EXPECT_DOUBLE_EQ(value("", 0, "pfc_paused_ports"), 2);
    EXPECT_DOUBLE_EQ(value("", 0, "goodput_bps"), 3000 * 8 / 1e-6);
    EXPECT_DOUBLE_EQ(value("", 0, "jain"), 0.9);
    EXPECT_DOUBLE_EQ(value("", 1, "slowdown_p99"), 2); // the edge is in its bucket
    EXPECT_DOUBLE_EQ(value("y", 2, "slowdown_p50"), 1);
    EXPECT_DOUBLE_EQ(value("", 0, "queue_bytes_p50"), 0);
    EXPECT_DOUBLE_EQ(value("", 0, "queue_bytes_p95"), 70);
    EXPECT_DOUBLE_EQ(value("", 0, "flows_completed"), 2);
    EXPECT_EQ(run.metrics.count({"", 0, "cost_wall_s"}), 0U);
    // a workload's summary has the simulated time instead
    const wormhole::SweepResult workload{nullptr, box.PathOf("r"), {{"simulated_s", 2e-6}}};
    EXPECT_NEAR(wormhole::MeasureSweepRun(workload, {{1000}, 0})
                    .metrics.at({"", 0, "pfc_pause_ns_of_port_max"}),
                300 + 1100,
                1e-6);
}

TEST_F(SweepStatisticsCli, MeasuresTimeByHand)
{
    std::filesystem::create_directories(box.PathOf("r/record"));
    // bins of 1000 ns; jain is unknown from 500 to 1500 ns
    box.Write("r/record/over-time.csv",
              "begin_ns,end_ns,flows,jain,utilisation_mean,utilisation_max,paused_ports\n"
              "0,500,2,0.8,0.1,0.2,0\n500,1500,1,,0.3,0.6,1.5\n1500,1800,2,1,0.5,1,0\n");
    // one port: empty up to 600 ns, 70 B up to 1200 ns, then 10 B; another: 90 B all the time
    box.Write("r/record/queues.csv",
              "time_ns,node,port,peer,bytes\n0,3,1,0,0\n600,3,1,0,70\n1200,3,1,0,10\n"
              "0,3,2,0,90\n");
    box.Write("r/record/pauses.csv",
              "node,port,peer,pauses,paused_ns\n0,0,3,2,500\n3,1,1,1,1000\n");
    const wormhole::SweepResult result{nullptr, box.PathOf("r"), {{"last_end_ns", 1800}}};
    EXPECT_DOUBLE_EQ(wormhole::SweepBinNs({box.PathOf("r")}, 0), 1000);
    EXPECT_DOUBLE_EQ(wormhole::SweepBinNs({box.PathOf("r")}, 7), 7);
    EXPECT_THROW(wormhole::SweepBinNs({box.PathOf("r")}, 0.1), ns3::InputError);
    const wormhole::SweepMeasured run = wormhole::MeasureSweepRun(result, {{}, 1000});
    const auto value = [&run](uint64_t bin, const char* name) {
        return run.overTime.at({bin, name});
    };
    EXPECT_DOUBLE_EQ(value(0, "jain"), 0.8);
    EXPECT_DOUBLE_EQ(value(1, "jain"), 1);
    EXPECT_DOUBLE_EQ(value(0, "flows"), (500 * 2 + 500 * 1) / 1000.0);
    EXPECT_DOUBLE_EQ(value(0, "utilisation_mean"), (500 * 0.1 + 500 * 0.3) / 1000);
    EXPECT_DOUBLE_EQ(value(1, "utilisation_max"), (500 * 0.6 + 300 * 1) / 800); // it ends at 1800
    EXPECT_DOUBLE_EQ(value(0, "paused_ports"), 0.75);
    // of 2000 ns of two ports: 600 at 0 B, 400 at 70 B, 1000 at 90 B
    EXPECT_DOUBLE_EQ(value(0, "queue_bytes_p50"), 70);
    EXPECT_DOUBLE_EQ(value(0, "queue_bytes_p95"), 90);
    // of 1600 ns: 600 at 10 B, 200 at 70 B, 800 at 90 B
    EXPECT_DOUBLE_EQ(value(1, "queue_bytes_p50"), 70);
    EXPECT_DOUBLE_EQ(run.metrics.at({"", 0, "pfc_pause_ns"}), 1500);
    EXPECT_DOUBLE_EQ(run.metrics.at({"", 0, "pfc_pause_ns_of_port_max"}), 1000);
    EXPECT_EQ(run.overTime.count({2, "jain"}), 0U);
}

TEST_F(SweepStatisticsCli, PausesAreByPortAndOverSeeds)
{
    const Words words{"sweep",
                      "--topology",
                      "star:hosts=5",
                      "--traffic",
                      "incast:fan-in=4,bytes=200KB,senders=random,receiver=random",
                      "--cc",
                      "none",
                      "--set",
                      "ns3::RdmaSwitch::BufferSize=400000",
                      "--seeds",
                      "1-3",
                      "--record",
                      "--output",
                      "s"};
    ASSERT_EQ(box.Run(words).exit, 0);
    std::map<std::string, std::vector<double>> paused; // by node
    for (const StudyRow& run : Rows("s/results.csv"))
    {
        for (const StudyRow& port : Rows("s/runs/" + run.at("hash") + "/record/pauses.csv"))
        {
            paused[port.at("node")].push_back(std::stod(port.at("paused_ns")));
        }
    }
    ASSERT_FALSE(paused.empty());
    const auto rows = Rows("s/pauses.csv");
    EXPECT_EQ(rows.size(), paused.size());
    for (auto& [node, values] : paused)
    {
        values.resize(3); // 0 where it was not paused
        const StudyRow row = Find(rows, {{"node", node}, {"metric", "paused_ns"}});
        EXPECT_EQ(row.at("runs"), "3");
        EXPECT_NEAR(std::stod(row.at("mean")), MeanOf(values), 1e-9 * MeanOf(values));
        EXPECT_NEAR(std::stod(row.at("ci95_high")) - MeanOf(values),
                    HalfOf3(values),
                    1e-4 * HalfOf3(values));
    }
    ExpectColumnsAreTaken("s/pauses.csv", {});
}

TEST_F(SweepStatisticsCli, ADamagedRecordCostsTheStatisticsAlone)
{
    const Words words{"sweep",
                      "--topology",
                      "star:hosts=3",
                      "--traffic",
                      "ring:bytes=1KB",
                      "--cc",
                      "hpcc",
                      "--record",
                      "--output",
                      "s"};
    ASSERT_EQ(box.Run(words).exit, 0);
    const std::string hash = Rows("s/results.csv").at(0).at("hash");
    box.Write("s/runs/" + hash + "/record/flows.csv", "nonsense\n");
    const ProgramResult r = box.Run(words);
    EXPECT_EQ(r.exit, 1);
    EXPECT_NE(r.err.find("no statistics: s/runs/" + hash + "/record/flows.csv:1"),
              std::string::npos)
        << r.err;
    EXPECT_EQ(Rows("s/results.csv").size(), 1U);
}

TEST_F(SweepStatisticsCli, SaysWhatSizesAndBinsMustBe)
{
    EXPECT_NE(box.Run({"sweep", "--cc", "hpcc", "--bin", "20"})
                  .err.find("--bin 20: must be a time of 1ns at least, such as 20us"),
              std::string::npos);
    const ProgramResult r = box.Run({"sweep", "--cc", "hpcc", "--sizes", "2KB,1KB"});
    EXPECT_EQ(r.exit, 2);
    EXPECT_NE(r.err.find("--sizes 2KB,1KB: must be sizes, each more than the one before"),
              std::string::npos)
        << r.err;
}
