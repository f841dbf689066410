/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Fast-forward where hosts send, or receive, more than one flow at a time, and in collectives of
 * short messages. Errors are of flow completion times, against packet level; so small that they
 * were found in wider searches than those of random-fast.py.
 */

#include "harness/fast_cases.h"

#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

namespace
{

using namespace harness;

/** \return a GOAL schedule of \p rounds in which what ranks have goes up a binomial tree to rank 0
 * and back, each followed by 10 ms of work */
std::string
BinomialTrees(uint32_t ranks, uint32_t rounds)
{
    std::ostringstream goal;
    goal << "num_ranks " << ranks << "\n";
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        std::vector<uint32_t> children;
        const uint32_t span = rank > 0 ? rank & (~rank + 1) : ranks; // the lowest bit that is set
        for (uint32_t step = 1; step < span && rank + step < ranks; step *= 2)
        {
            children.push_back(rank + step);
        }
        uint32_t last = 0;
        uint32_t number = 0;
        std::ostringstream operations;
        const auto add = [&](const std::string& text, uint32_t after) {
            operations << "l" << ++number << ": " << text << "\n";
            if (after > 0)
            {
                operations << "l" << number << " requires l" << after << "\n";
            }
            return number;
        };
        const auto message = [&](const char* what, uint32_t other, uint32_t tag) {
            return std::string(what) + std::to_string(other) + " tag " + std::to_string(tag);
        };
        for (uint32_t round = 0; round < rounds; ++round)
        {
            for (const uint32_t child : children)
            {
                last = add(message("recv 1290081b from ", child, 2 * round), last);
            }
            if (rank > 0)
            {
                last = add(message("send 1290081b to ", rank - span, 2 * round), last);
                last = add(message("recv 1290081b from ", rank - span, 2 * round + 1), last);
            }
            const uint32_t received = last;
            for (auto child = children.rbegin(); child != children.rend(); ++child)
            {
                last = add(message("send 1290081b to ", *child, 2 * round + 1), received);
            }
            const uint32_t work = add("calc 10000000", last);
            for (uint32_t sent = received + 1; sent < last; ++sent)
            {
                operations << "l" << work << " requires l" << sent << "\n";
            }
            last = work;
        }
        goal << "rank " << rank << " {\n" << operations.str() << "}\n";
    }
    return goal.str();
}

TEST_F(FastForwardCases, ControlsThatDoNotLimitTheirFlowsMoveOn)
{
    // Four flows of host 7 share its NIC. The window of one of them falls from a half to a fifth
    // of the link within the first skip, in which it stood still: the flow 0 -> 1 was 8 % later
    // than packet level, on average of twelve sizes of the first flow.
    box.Write("senders.txt",
              "7\n"
              "7 0 3 100 4165784 0\n"
              "7 2 3 100 100357226 0\n"
              "0 1 3 100 52171004 0\n"
              "1 0 3 100 97082343 0\n"
              "7 0 3 100 204154615 0\n"
              "7 1 3 100 59013435 0.000003869\n"
              "7 1 3 100 86578290 0.000007117\n");
    RunBoth({"--topology", "star:hosts=8", "--flows", "senders.txt"});
    EXPECT_LT(MeanError(), 0.03);
    EXPECT_LT(LastError(), 0.001);
}

TEST_F(FastForwardCases, WindowsThatComeToLimitTheirFlowsAreWaitedFor)
{
    // The NIC limits all six for 8 ms, while HPCC takes their windows down by 5 % a round trip: the
    // line's rate was skipped with for another 13 ms. And what looks found was averaged with that.
    std::string flows = "6\n";
    for (int i = 0; i < 6; ++i)
    {
        flows += "0 1 3 100 80000000 0.00000000" + std::to_string(i) + "\n";
    }
    box.Write("pair.txt", flows);
    RunBoth({"--topology", "star:hosts=2,rate=40Gbps,delay=50us", "--flows", "pair.txt"});
    EXPECT_LT(MeanError(), 0.005); // 0.011
    EXPECT_GT(LeftOut(), 0.7);
}

TEST_F(FastForwardCases, TurnsAtNicsThatFollowOthersAreTheirs)
{
    // Two rings reduce gradients over each NIC. Those that followed another one had places of flows
    // in the round of which the last acknowledgement came while they did, so that the next message
    // was a frame later: the ring was out of step, and of its flows 8 % late in the 90th
    // percentile.
    const std::string job =
        "training:file=" WORMHOLE_SOURCE_DIR
        "/workloads/training/mixtral-8x7b-64.json,scale=200,compute-scale=1,model.layers=4,"
        "parallelism.data=4,batch.global=4,parallelism.expert=2";
    RunBoth({"--cc",
             "none",
             "--payload",
             "9000",
             "--workload",
             job,
             "--topology",
             "rail-optimized:gpus=64,nvlink=1,rate=100Gbps"});
    EXPECT_LT(MeanError(), 0.001); // 0.0074; 0.0022 where only the data were in their order
    EXPECT_GT(LeftOut(), 0.1);
}

TEST_F(FastForwardCases, PortsCountWhatOthersWereCreditedWith)
{
    // After the other two have ended, the first flow goes at 83.7 Gb/s, which follows from how far
    // apart the counts of the ports on its way are. With what one of the others had been credited
    // with left out, it was 1.4 % late.
    box.Write("phases.txt",
              "3\n"
              "1 15 3 100 108512106 0.000453132\n"
              "1 7 3 100 4955298 0.000701162\n"
              "15 6 3 100 5488886 0.000814233\n");
    RunBoth({"--topology", "rail-optimized:gpus=16", "--flows", "phases.txt"});
    EXPECT_LT(MeanError(), 0.002);
    EXPECT_LT(LastError(), 0.002);
    EXPECT_GT(LeftOut(), 0.7);
}

TEST_F(FastForwardCases, BurstsThatFollowEachOther)
{
    // With windows, TIMELY's flows send in bursts. Means of samples of different lengths came to
    // 1.2 % more than the link carries: 3.2 % early.
    box.Write("bursts.txt",
              "3\n"
              "0 3 3 100 253958841 0\n"
              "1 3 3 100 253958841 0.000009\n"
              "2 3 3 100 253958841 0.000082\n");
    RunBoth({"--topology",
             "star:hosts=4,rate=200Gbps",
             "--flows",
             "bursts.txt",
             "--cc",
             "timely",
             "--window",
             "pair",
             "--payload",
             "1452"});
    EXPECT_LT(MeanError(), 0.002);
    EXPECT_LT(LastError(), 0.002);
    EXPECT_GT(LeftOut(), 0.2);
}

TEST_F(FastForwardCases, RoundsOfShortMessagesStayInStep)
{
    // Acknowledgements of flows whose ends were replayed took nothing of the links: ranks fell out
    // of step when packets went on, and ended 1.7 to 315 % late, for some slow down for good then.
    struct Rounds
    {
        const char* topology;
        const char* workload;
        const char* control;
        const char* payload;
        double leftOut; //!< at least
    };

    const Rounds all[] = {{"star:hosts=16,rate=25Gbps,delay=200ns",
                           "all-gather:ranks=16,bytes=492884,repeat=20,algorithm=ring",
                           "dctcp",
                           "2000",
                           0},
                          {"star:hosts=16,rate=25Gbps,delay=200ns",
                           "all-gather:ranks=16,bytes=492884,repeat=20,algorithm=ring",
                           "swift",
                           "2000",
                           0},
                          {"star:hosts=16,delay=200ns",
                           "all-reduce:ranks=16,bytes=2433463,repeat=20,algorithm=ring",
                           "powertcp",
                           "2000",
                           0.9},
                          {"star:hosts=3,delay=500ns",
                           "reduce-scatter:ranks=3,bytes=571264,repeat=20,algorithm=ring",
                           "dctcp",
                           "9000",
                           0.9},
                          {"star:hosts=4,delay=3us",
                           "reduce-scatter:ranks=4,bytes=705686,repeat=20,algorithm=ring",
                           "swift",
                           "9000",
                           0.9}};
    for (const Rounds& rounds : all)
    {
        RunBoth({"--topology",
                 rounds.topology,
                 "--workload",
                 rounds.workload,
                 "--cc",
                 rounds.control,
                 "--payload",
                 rounds.payload});
        EXPECT_LT(MeanError(), 0.001) << rounds.workload << rounds.control;
        EXPECT_LT(LastError(), 0.001) << rounds.workload << rounds.control;
        EXPECT_GE(LeftOut(), rounds.leftOut) << rounds.workload << rounds.control;
    }
}

TEST_F(FastForwardCases, StepsThatFollowAnAuditedOne)
{
    // What audits simulate is told some nanoseconds before it is so. With the next step's data on
    // their way by then, acknowledgements were behind them: 1.1 % on average, 9 % in the 90th
    // percentile.
    RunBoth({"--topology",
             "star:hosts=8,rate=400Gbps,delay=200ns",
             "--workload",
             "all-reduce:ranks=8,bytes=346309,repeat=20,algorithm=ring,gap=10us",
             "--payload",
             "4096"});
    EXPECT_LT(MeanError(), 0.001);
    EXPECT_LT(LastError(), 0.001);
    EXPECT_GT(LeftOut(), 0.8);
}

TEST_F(FastForwardCases, StartsWaitForWhatWasToldBefore)
{
    // The schedule ended at 29 of 40 ms, with messages that had not started: one that an audit was
    // to simulate waited for its own end, of which its sender had been told.
    box.Write("trees.goal", BinomialTrees(20, 4));
    RunBoth({"--topology",
             "dumbbell:left=10,right=11,rate=400Gbps,delay=2us,bottleneck-rate=80Gbps",
             "--workload",
             "trees.goal",
             "--cc",
             "nscc",
             "--placement",
             "round-robin",
             "--seed",
             "74",
             "--window",
             "pair",
             "--connections",
             "fresh",
             "--overhead",
             "500ns"});
    EXPECT_LT(LastError(), 0.005);
    EXPECT_GT(LeftOut(), 0.3);
}

TEST_F(FastForwardCases, CollectivesWithDrawnMarksAreNotRepeated)
{
    // Which frames are marked is drawn, and differs from one round to the next: with one of them in
    // place of the others, the last end was 1.4 % late and the 99th percentile 10 % early.
    RunBoth(
        {"--topology",
         "star:hosts=4,rate=40Gbps,delay=200ns",
         "--workload",
         "all-reduce:ranks=4,bytes=7093KB,algorithm=tree,repeat=40,gap=100us,chunk=256KB,window=2",
         "--cc",
         "dcqcn",
         "--payload",
         "4096"});
    EXPECT_LT(MeanError(), 0.002);
    EXPECT_LT(LastError(), 0.002);
}

TEST_F(FastForwardCases, AcknowledgementsBehindAFrameThatIsPaused)
{
    // Host 0 announces its messages, and is invited, by 64 bytes each. Acknowledgements of the
    // invitations wait for the first frame of a message; where its port was paused just then, they
    // did not, and half of all messages were 14 % short.
    std::ostringstream goal;
    goal << "num_ranks 5\nrank 0 {\n";
    for (int round = 0; round < 5; ++round)
    {
        for (int to = 1; to < 5; ++to)
        {
            goal << "s" << round << to << ": send 20000000b to " << to << " tag " << round << "\n";
            for (int before = 1; round > 0 && before < 5; ++before)
            {
                goal << "s" << round << to << " requires s" << round - 1 << before << "\n";
            }
        }
    }
    goal << "}\n";
    for (int rank = 1; rank < 5; ++rank)
    {
        goal << "rank " << rank << " {\n";
        for (int round = 0; round < 5; ++round)
        {
            goal << "r" << round << ": recv 20000000b from 0 tag " << round << "\n";
            if (round > 0)
            {
                goal << "r" << round << " requires r" << round - 1 << "\n";
            }
        }
        goal << "}\n";
    }
    box.Write("scatter.goal", goal.str());
    RunBoth({"--topology",
             "star:hosts=5",
             "--workload",
             "scatter.goal",
             "--payload",
             "9000",
             "--cc",
             "none",
             "--handshake",
             "64"});
    EXPECT_LT(MeanError(), 0.002);
    EXPECT_GT(LeftOut(), 0.9);
}

TEST_F(FastForwardCases, RingsThatShareHostsStayInStep)
{
    // Two channels of a ring of three, over NVLink: several replays of a nanosecond and less in a
    // row left them in another order, 18 % off on average, 49 % in the 90th percentile.
    box.Write("small.json", R"({"name": "small",
        "model": {"layers": 2, "hidden": 1024, "heads": 16, "ffn": 4096, "vocabulary": 32000,
                  "sequence": 1024},
        "parallelism": {"tensor": 1, "data": 3, "pipeline": 1, "sharding": 0},
        "batch": {"global": 3}, "gradients": {"bucketBytes": 2000000, "overlap": false},
        "collectives": {"allReduce": "ring", "channels": 2},
        "compute": {"times": "flops", "peakFlops": 989e12, "efficiency": 0.1},
        "network": {"gpusPerServer": 4}})");
    RunBoth({"--topology",
             "dcn+:gpus=16,gpus-per-server=4,gpus-per-tor=8,spines=4,tor=dual",
             "--workload",
             "training:file=small.json,scale=1",
             "--workload",
             "send-recv:ranks=4,bytes=93046KB,algorithm=ring,repeat=10,gap=1us,name=j1",
             "--cc",
             "nscc",
             "--payload",
             "9000",
             "--eager-limit",
             "100000000"});
    EXPECT_LT(MeanError(), 0.005);
    EXPECT_LT(LastError(), 0.002);
    EXPECT_GT(LeftOut(), 0.3);
}

TEST_F(FastForwardCases, WhatIsToPassIsNotCountedBefore)
{
    // Ports had counted last acknowledgements that were to pass a moment later, where a step began,
    // or fast-forward was suspended, meanwhile. HPCC took the difference for another load: ranks
    // fell out of step. The last one ended 7.6 % early, and 3.4 % late.
    for (const char* const workload :
         {"all-gather:ranks=8,bytes=1240060,repeat=5,algorithm=ring,gap=1us",
          "all-reduce:ranks=16,bytes=1438624,repeat=5,algorithm=ring"})
    {
        const bool isFew = std::string(workload).find("ranks=8") != std::string::npos;
        RunBoth({"--topology",
                 isFew ? "star:hosts=8,rate=25Gbps,delay=500ns" : "star:hosts=16,delay=200ns",
                 "--workload",
                 workload,
                 "--payload",
                 "9000"});
        EXPECT_LT(MeanError(), 0.001) << workload;
        EXPECT_LT(LastError(), 0.001) << workload;
        EXPECT_GT(LeftOut(), 0.1) << workload;
    }
}

} // namespace
