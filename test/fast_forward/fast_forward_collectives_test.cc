/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Collectives of SimAI's workloads that go as equal ones did before.

#include "harness/run_cli.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

namespace
{

using namespace harness;
using nlohmann::json;

/** Two servers of 8 GPUs, each a tensor group: 8 all-reduces of 1 MB in each, then a reduce-scatter
 * between them. */
const char* const DENSE =
    "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8 ep: 1 pp: 1 vpp: 1 ga: 1 "
    "all_gpus: 16 checkpoints: 0 checkpoint_initiates: 0\n3\n"
    "grad -1 1000 NONE 0 1000 NONE 0 1 REDUCESCATTER 1048576 100\n"
    "attention -1 20000 ALLREDUCE 1048576 20000 ALLREDUCE 1048576 20000 NONE 0 100\n"
    "mlp -1 30000 ALLREDUCE 1048576 30000 ALLREDUCE 1048576 30000 NONE 0 100\n";

/** Sends to each other meet in the leaf switches: groups of 4 experts, a rank of each server. */
const char* const EXPERTS =
    "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 4 ep: 4 pp: 1 vpp: 1 ga: 1 "
    "all_gpus: 16 checkpoints: 0 checkpoint_initiates: 0\n2\n"
    "mlp -1 30000 ALLTOALL_EP 1048576 30000 ALLTOALL_EP 1048576 30000 NONE 0 100\n"
    "attention -1 20000 ALLREDUCE 1048576 20000 ALLREDUCE 1048576 20000 NONE 0 100\n";

class FastForwardCollectives : public RunCli
{
  protected:
    std::string WriteWorkload(const std::string& text)
    {
        box.Write("workload.txt", text);
        return "simai:file=workload.txt";
    }

    Words With16Gpus(const std::string& workload, const Words& further = {})
    {
        return With({"--workload", WriteWorkload(workload), "--topology", "spectrum-x:gpus=16"},
                    further);
    }

    /** Runs \p words at packet level, and with fast-forward and \p fast; both end with \p exit. */
    void RunBoth(const Words& words, const Words& fast = {}, int exit = 0)
    {
        const Words all = With(With({"run"}, words), {"--output", "out"});
        EXPECT_EQ(box.Run(all).exit, exit);
        m_packetFlows = SortedLines();
        EXPECT_EQ(box.Run(With(With(all, {"--mode", "fast"}), fast)).exit, exit);
        m_fastFlows = SortedLines();
        m_fast = box.ReadJson("out/summary.json");
        m_collectives =
            m_fast["fast"].is_null() ? json() : m_fast["fast"].value("collectives", json());
    }

    std::vector<std::string> SortedLines()
    {
        std::vector<std::string> lines;
        std::istringstream text(box.Read("out/fct.txt"));
        for (std::string line; std::getline(text, line);)
        {
            lines.push_back(line);
        }
        std::sort(lines.begin(), lines.end());
        return lines;
    }

    json m_fast;
    json m_collectives;
    std::vector<std::string> m_packetFlows;
    std::vector<std::string> m_fastFlows;
};

} // namespace

TEST_F(FastForwardCollectives, RepeatToTheNanosecond)
{
    RunBoth(With16Gpus(DENSE), {"--fast", "Audit=0"});
    // A line of fct.txt has both ends, both ports, bytes, start and time of a flow. An all-reduce
    // of 8 ranks over 8 channels is 2 (8 - 1) 8 8 = 896 flows, there are 4 of each server, and a
    // reduce-scatter is 2 flows between each of 8 pairs.
    EXPECT_EQ(m_packetFlows.size(), 4 * 2 * 896 + 8 * 2);
    EXPECT_EQ(m_packetFlows, m_fastFlows);
    // One all-reduce and one reduce-scatter are simulated, and the others, or what is the second of
    // those that begin together, are not. Of the 14 steps of the former, the first two differ.
    EXPECT_EQ(m_collectives["recorded"], 2);
    EXPECT_EQ(m_collectives["repeated"], 4 * 2 - 1 + 8 - 1);
    EXPECT_EQ(m_collectives["followed"], 1 + 8 - 1);
    EXPECT_EQ(m_collectives["steps"], 14 - 2);
    EXPECT_EQ(m_collectives["disturbed"], 0);
    EXPECT_GT(m_fast["fast"]["events"]["skippedShare"], 0.9);
}

TEST_F(FastForwardCollectives, AuditsFindThemRight)
{
    // 4 - 1 all-reduces of the server that is first
    RunBoth(With16Gpus(DENSE), {"--fast", "Audit=1"});
    EXPECT_EQ(m_packetFlows, m_fastFlows);
    EXPECT_GE(m_collectives["audited"], 3);
    EXPECT_EQ(m_collectives["thrownOut"], 0);
    EXPECT_EQ(m_fast["fast"]["audit"]["largestError"], 0);
    // by default, a part of them
    RunBoth(With16Gpus(DENSE));
    EXPECT_EQ(m_packetFlows, m_fastFlows);
    EXPECT_GE(m_collectives["audited"], 1);
    EXPECT_GT(m_collectives["repeated"], 7);
}

TEST_F(FastForwardCollectives, OthersAreSimulated)
{
    // A rank that is a nanosecond late lets all of its collectives begin otherwise.
    RunBoth(With16Gpus(DENSE, {"--disturb", "1"}), {"--fast", "Audit=0"});
    EXPECT_EQ(m_packetFlows, m_fastFlows);
    EXPECT_GT(m_collectives["recorded"], 2);
    // Expert groups cross each other's ports.
    RunBoth(With16Gpus(EXPERTS), {"--fast", "Audit=0"});
    EXPECT_EQ(m_packetFlows.size(), m_fastFlows.size());
    EXPECT_EQ(m_collectives["disturbed"], 0);
}

TEST_F(FastForwardCollectives, NotWhereTheyCannotBeKnown)
{
    std::vector<Words> options{{"--fast", "Collectives=false"},
                               {"--link-down", "10ms:0-18"},
                               {"--fast", "Memo=false"},
                               {"--fast", "Enabled=false"},
                               {"--record"}};
    if (Sandbox::IsSlow())
    {
        options.resize(2);
    }
    for (const Words& fast : options)
    {
        RunBoth(With16Gpus(DENSE), fast);
        EXPECT_TRUE(m_collectives.is_null()) << fast.back();
    }
}

TEST_F(FastForwardCollectives, NotOnLinksThatAreNotKnown)
{
    // Flows take one of two ways, by their ports, between servers; not within one.
    RunBoth({"--workload", WriteWorkload(DENSE), "--topology", "dcn+:gpus=16,tor=dual,spines=2"},
            {"--fast", "Audit=0"});
    EXPECT_EQ(m_collectives["repeated"], 4 * 2 - 1);
    // Each link that loses frames is one of which nothing is known.
    RunBoth({"--workload", WriteWorkload(DENSE), "--topology", "spectrum-x:gpus=16,error=1e-9"},
            {"--fast", "Audit=0"});
    EXPECT_TRUE(m_collectives.is_null());
}

/** Two ranks answer each other, each message while acknowledgements of the last one are on their
 * way; one of a byte meets them. */
TEST_F(FastForwardCollectives, MessagesThatMeetAcknowledgementsStartLate)
{
    std::string ranks[2] = {"rank 0 {\n", "rank 1 {\n"};
    for (int i = 0; i < 12; ++i)
    {
        for (int rank = 0; rank < 2; ++rank)
        {
            const std::string label = "l" + std::to_string(i);
            ranks[rank] += label + (i % 2 == rank ? ": send" : ": recv") + " 1048576b " +
                           (i % 2 == rank ? "to " : "from ") + std::to_string(1 - rank) + " tag " +
                           std::to_string(i) + "\n";
            ranks[rank] += i > 0 ? label + " requires l" + std::to_string(i - 1) + "\n" : "";
        }
    }
    box.Write("answers.goal",
              "num_ranks 2\n" + ranks[0] + "x: send 1b to 1 tag 99\n}\n" + ranks[1] +
                  "x: recv 1b from 0 tag 99\n}\n");
    RunBoth({"--workload", "answers.goal", "--topology", "star:hosts=64"});
    EXPECT_GE(m_collectives["met"], 1);
    EXPECT_EQ(m_collectives["delayed"], 0);
    ASSERT_EQ(m_fastFlows.size(), m_packetFlows.size());
    const auto lastEnd = [](const std::vector<std::string>& flows) {
        double last = 0;
        for (const std::string& flow : flows)
        {
            std::istringstream text(flow);
            std::string word;
            double startNs = 0;
            double fctNs = 0;
            text >> word >> word >> word >> word >> word >> startNs >> fctNs;
            last = std::max(last, startNs + fctNs);
        }
        return last;
    };
    EXPECT_NEAR(lastEnd(m_fastFlows), lastEnd(m_packetFlows), 1'000) << "of 1.2 ms";
}

TEST_F(FastForwardCollectives, StopInTheMiddle)
{
    // What had ended by then is known.
    RunBoth(With16Gpus(DENSE, {"--stop", "300us"}), {"--fast", "Audit=0"}, 3);
    EXPECT_GT(m_packetFlows.size(), 896U);
    EXPECT_LT(m_packetFlows.size(), 4 * 2 * 896U);
    EXPECT_EQ(m_packetFlows, m_fastFlows);
}
