/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Classes of flows, credits of links, and entropy of packets by options of `wormhole run`.

#include "harness/run_cli.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace
{

using namespace harness;
using nlohmann::json;

constexpr double FRAME_NS = 83.84; //!< of 1048 B at 100 Gb/s

const Words RING{"--topology", "star:hosts=4", "--traffic", "ring:bytes=100KB"};

/** 3 MB of class 2 and 1 MB of class 4 for one host, at line rate. */
const Words TWO_CLASSES{"--topology", "star:hosts=3", "--flows", "flows.txt", "--cc", "none"};

class FabricCli : public RunCli
{
  protected:
    FabricCli()
    {
        box.Write("flows.txt", "2\n0 2 2 100 3000000 0\n1 2 4 100 1000000 0\n");
    }

    /** \return completion times by source, ns */
    std::map<std::string, double> FctsOf(const Words& words)
    {
        Summary(words);
        std::map<std::string, double> fcts;
        for (const std::string& line : box.Lines("out/fct.txt"))
        {
            std::istringstream in(line);
            std::vector<std::string> fields;
            for (std::string field; in >> field;)
            {
                fields.push_back(field);
            }
            fcts[fields.at(0)] = std::stod(fields.at(6));
        }
        return fcts;
    }

    /** Expects the same bytes in one queue, in windows, on two threads and of ns-3's simulator. */
    void ExpectSame(const Words& words)
    {
        const auto run = [&](const Words& more) {
            const json counters = Summary(With(words, more))["counters"];
            std::vector<std::string> lines = box.Lines("out/fct.txt");
            lines.push_back(counters.dump());
            return lines;
        };
        setenv("NS_ATTRIBUTE_DEFAULT", "ns3::RdmaSimulatorImpl::Windows=false", 1);
        const std::vector<std::string> one = run({});
        unsetenv("NS_ATTRIBUTE_DEFAULT");
        EXPECT_GT(one.size(), 1U);
        EXPECT_EQ(run({"--threads", "1"}), one) << "windows";
        EXPECT_EQ(run({"--threads", "2"}), one) << "two threads";
        EXPECT_EQ(run({"--simulator", "default"}), one) << "ns-3's simulator";
    }

    /** Expects \p words to be the same with fast-forward, and a warning why. */
    void ExpectEveryPacket(const Words& words)
    {
        Summary(words);
        const std::vector<std::string> packets = box.Lines("out/fct.txt");
        const json fast = Summary(With(words, {"--mode", "fast"}));
        EXPECT_EQ(box.Lines("out/fct.txt"), packets);
        EXPECT_NE(fast["warnings"].dump().find("--mode fast simulates every packet"),
                  std::string::npos)
            << fast["warnings"];
    }
};

} // namespace

TEST_F(FabricCli, ClassesShareLinksByWeights)
{
    // The link carries 4000 frames, and 4000 ns pass on the way and back. With 3 to 1 both end
    // then; by turns class 4 ends after 2000, and with 1 to 4 after 1250.
    const auto class2 = [](const auto& fcts) { return fcts.at("0b000001"); };
    const auto class4 = [](const auto& fcts) { return fcts.at("0b000101"); };
    const double all = 4000 * FRAME_NS + 4000;
    const double margin = 20 * FRAME_NS;
    const auto even = FctsOf(With(TWO_CLASSES, {"--class", "2:weight=3"}));
    EXPECT_NEAR(class2(even), all, margin);
    EXPECT_NEAR(class4(even), all, margin);
    EXPECT_NEAR(class4(FctsOf(TWO_CLASSES)), 2000 * FRAME_NS + 4000, margin);
    EXPECT_NEAR(class4(FctsOf(With(TWO_CLASSES, {"--class", "4:weight=4"}))),
                1250 * FRAME_NS + 4000,
                margin);
    EXPECT_NEAR(class4(FctsOf(With(TWO_CLASSES, {"--class", "4:strict=1"}))),
                1000 * FRAME_NS + 4000,
                margin);
}

TEST_F(FabricCli, ClassesHaveControls)
{
    const Words words{"--topology", "star:hosts=3", "--flows", "flows.txt", "--cc", "hpcc"};
    const Words own{"--class", "2:cc=dctcp", "--set", "ns3::RdmaDctcp::Gain=0.5"};
    const json summary = Summary(With(words, own));
    EXPECT_EQ(summary["configuration"]["congestion_control"], "ns3::RdmaHpcc");
    EXPECT_EQ(summary["configuration"]["class_controls"], json({{"2", "ns3::RdmaDctcp"}}));
    EXPECT_EQ(summary["configuration"]["attributes"]["ns3::RdmaDctcp"]["Gain"], "0.5");
    EXPECT_TRUE(Summary(words)["configuration"]["class_controls"].is_null());
    // A control of a class is what it is for all: with the same for the only other class, too, all
    // is as if --cc said so.
    const Words none{"--topology", "star:hosts=3", "--flows", "flows.txt"};
    const Words both = With(none, {"--class", "2:cc=dcqcn", "--class", "4:cc=dcqcn"});
    EXPECT_EQ(FctsOf(both), FctsOf(With(none, {"--cc", "dcqcn"})));
    Summary(With(both, {"--routing", "spray"})); // no flow is under the default, HPCC
    ExpectError(With(both, {"--cc", "hpcc"}), "--cc hpcc: no effect, since --class gives");
    ExpectError(With(both, {"--set", "ns3::RdmaHpcc::UtilizationTarget=0.9"}), "no effect, since");
}

TEST_F(FabricCli, CreditsLoseNothing)
{
    const Words words{"--topology",
                      "star:hosts=9",
                      "--traffic",
                      "incast:fan-in=8,bytes=200KB",
                      "--cc",
                      "none"};
    const json counters = Summary(With(
        words,
        {"--flow-control", "credits", "--set", "ns3::RdmaNetwork::CreditBuffer=8KB"}))["counters"];
    EXPECT_EQ(counters["buffer_drops"], 0U);
    EXPECT_EQ(counters["pauses"], 0U);
    EXPECT_EQ(counters["nacks"], 0U);
    EXPECT_GT(counters["credit_stops"], 0U);
    EXPECT_GT(counters["credit_updates"], 0U);
    EXPECT_EQ(Summary(words)["counters"]["credit_updates"], 0U);
}

TEST_F(FabricCli, IsTheSameInWindowsAndThreads)
{
    const Words words{"--topology",
                      "leaf-spine:leaves=4,spines=2,hosts-per-leaf=4",
                      "--traffic",
                      "permutation:bytes=100KB,priority=2",
                      "--traffic",
                      "all-to-all:bytes=5KB,priority=4"};
    ExpectSame(With(words, {"--class", "2:weight=3,cc=dcqcn", "--class", "4:cc=dctcp"}));
    ExpectSame(With(words, {"--class", "4:strict=1"}));
    ExpectSame(With(words,
                    {"--flow-control",
                     "credits",
                     "--cc",
                     "dcqcn",
                     "--set",
                     "ns3::RdmaNetwork::CreditBuffer=9KB"}));
    ExpectSame(With(words, {"--routing", "entropy", "--cc", "dcqcn"}));
    ExpectSame(With(words, {"--routing", "ugal", "--cc", "dcqcn"}));
    ExpectSame(With(words, {"--routing", "reps", "--cc", "dcqcn", "--flow-control", "credits"}));
}

TEST_F(FabricCli, FastForwardSimulatesEveryPacket)
{
    ExpectEveryPacket(With(TWO_CLASSES, {"--class", "2:weight=3"}));
    ExpectEveryPacket(With(TWO_CLASSES, {"--class", "2:cc=dcqcn"}));
    ExpectEveryPacket(With(RING, {"--flow-control", "credits"}));
    ExpectEveryPacket(With(RING, {"--routing", "reps", "--cc", "dcqcn"}));
    ExpectEveryPacket(With(RING, {"--routing", "valiant", "--cc", "dcqcn"}));
}

TEST_F(FabricCli, WarnsOfPacketsThatOvertakeUnderGoBackN)
{
    const auto warns = [this](const Words& words) {
        const json warnings = Summary(With(RING, With({"--cc", "dcqcn"}, words)))["warnings"];
        return warnings.dump().find("may overtake each other") != std::string::npos;
    };
    EXPECT_TRUE(warns({"--routing", "spray"}));
    EXPECT_TRUE(warns({"--routing", "entropy", "--recovery", "go-back-n"}));
    EXPECT_FALSE(warns({"--routing", "spray", "--recovery", "irn"}));
    EXPECT_FALSE(warns({"--routing", "flowlet"})) << "which are far enough apart";
    EXPECT_FALSE(warns({"--routing", "ecmp"}));
}

TEST_F(FabricCli, RecordsWithoutAWayOfEachFlow)
{
    // Four flows of 100 frames cross four links each, as do their acknowledgements of 60 B. 8 links
    // have 16 ports, of 12.5 B/ns.
    const Words words{"--topology",
                      "leaf-spine:leaves=2,spines=2,hosts-per-leaf=2",
                      "--cc",
                      "dcqcn"};
    const Words more{"--traffic", "ring:stride=2,bytes=100KB", "--routing", "spray", "--record"};
    const Words order{"--recovery", "irn", "--set", "ns3::RdmaHost::NackThreshold=100"};
    Summary(With(With(words, more), order));
    EXPECT_FALSE(std::filesystem::exists(box.PathOf("out/links.csv")));
    const std::vector<std::string> lines = box.Lines("out/record/over-time.csv");
    double bytes = 0;
    for (size_t i = 1; i < lines.size(); ++i)
    {
        std::istringstream in(lines[i]);
        std::vector<std::string> fields;
        for (std::string field; std::getline(in, field, ',');)
        {
            fields.push_back(field);
        }
        bytes +=
            std::stod(fields.at(4)) * (std::stod(fields[1]) - std::stod(fields[0])) * 16 * 12.5;
    }
    EXPECT_NEAR(bytes, 4 * 100 * 4 * (1048 + 60), 0.01 * 1600 * 1108);
}

TEST_F(FabricCli, WrongOptions)
{
    const auto ofClass = [](const std::string& text) {
        return With(TWO_CLASSES, {"--class", text});
    };
    ExpectError(ofClass("8:weight=2"), "--class 8:weight=2: must be a class from 1 to 7");
    ExpectError(ofClass("two:weight=2"), "must be a class from 1 to 7");
    ExpectError(ofClass("2"), "says nothing of the class");
    ExpectError(ofClass("2:weight=0"), "weight=0, but must be");
    ExpectError(ofClass("2:weight=1001"), "weight=1001, but must be");
    ExpectError(ofClass("2:weights=3"), "has no key weights; did you mean weight?");
    ExpectError(ofClass("2:strict=1,weight=3"), "a strict class has no weight");
    ExpectError(ofClass("2:cc=hpc"), "no such congestion control; did you mean hpcc?");
    ExpectError(ofClass("5:weight=3"), "no effect, since no flow is of class 5");
    ExpectError(With(ofClass("2:weight=3"), {"--class", "2:weight=3"}), "is given twice");
    ExpectError(With(RING, {"--class", "3:weight=2"}), "no effect, since all flows are of class 3");
    ExpectError({"--workload",
                 "all-reduce:ranks=4,bytes=1MB",
                 "--topology",
                 "star:hosts=4",
                 "--class",
                 "2:cc=dcqcn"},
                "messages of workloads are of class 3");
    ExpectError(With(RING, {"--mode", "flow", "--class", "3:cc=dcqcn"}), "--class: no effect");
    ExpectError(With(RING, {"--mode", "flow", "--flow-control", "credits"}),
                "--flow-control: no effect");
    ExpectError(With(RING, {"--set", "ns3::RdmaClassScheduler::Classes=2:3"}), "use --class");
    ExpectError(With(RING, {"--scheduler", "ns3::Mine"}), "no such scheduler");
    ExpectError(With(RING, {"--flow-control", "credit"}), "--flow-control credit");
    ExpectError(With(RING, {"--set", "ns3::RdmaNetwork::FlowControl=credits"}),
                "use --flow-control");
    ExpectError(With(RING, {"--set", "ns3::RdmaNetwork::CreditBuffer=1MB"}),
                "no effect without --flow-control credits");
    const Words credits = With(RING, {"--flow-control", "credits"});
    ExpectError(With(credits, {"--set", "ns3::RdmaNetwork::CreditBuffer=2000"}),
                "must be 0, or hold the largest frame, 1514 bytes, and CreditUpdate, 4096;");
    ExpectError(With(credits, {"--set", "ns3::RdmaSwitch::BufferSize=1MB"}),
                "no effect with --flow-control credits");
    ExpectError(With(credits, {"--set", "ns3::RdmaHost::AckHighPriority=true"}), "set both");
    ExpectError(With(credits, {"--set", "ns3::RdmaHost::AckPauseClass=3"}),
                "must be 0 with credits");
    ExpectError(With(RING, {"--routing", "reps"}), "telemetry ns3::RdmaHpcc cannot tell apart");
    ExpectError(With(RING, {"--set", "ns3::RdmaHost::EntropyValues=4"}),
                "no effect without --routing entropy or reps");
    ExpectError(With(RING, {"--set", "ns3::RdmaHost::Entropy=reps"}), "use --routing");
    ExpectError(With(RING, {"--set", "ns3::RdmaSwitch::FlowletGap=1us"}),
                "no effect without --routing flowlet");
    for (const char* setting : {"NackThreshold=5", "RtoLow=5us", "RtoHigh=5us", "RtoLowPackets=2"})
    {
        ExpectError(With(RING, {"--set", std::string("ns3::RdmaHost::") + setting}),
                    "no effect without --recovery irn");
    }
    for (const char* setting : {"NackInterval=5us", "RetransmissionTimeout=5us"})
    {
        ExpectError(
            With(RING, {"--recovery", "irn", "--set", std::string("ns3::RdmaHost::") + setting}),
            "no effect with --recovery irn");
    }
    ExpectError(With(TWO_CLASSES, {"--class", "2:cc=hpcc", "--routing", "spray"}),
                "telemetry ns3::RdmaHpcc cannot tell apart");
}
