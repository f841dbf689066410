/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What GPUs did with NCCL, written by hand, and the schedules that it becomes.

#include "harness/errors.h"
#include "harness/texts.h"

#include "ns3/workload-goal.h"
#include "ns3/workload-nccl-goal.h"
#include "ns3/workload-validation.h"

#include <gtest/gtest.h>
#include <sstream>

using namespace ns3;

namespace
{

using harness::ExpectIn;
using Operation = WorkloadNcclOperation;

/** A GPU whose kernels follow each other as they are added. */
WorkloadNcclGpu
Gpu(uint64_t startNs, uint64_t endNs, const std::vector<uint64_t>& streams = {20})
{
    WorkloadNcclGpu gpu;
    gpu.startNs = startNs;
    gpu.endNs = endNs;
    gpu.streams = streams;
    return gpu;
}

void
AddKernel(WorkloadNcclGpu& gpu,
          uint32_t stream,
          uint64_t startNs,
          uint64_t endNs,
          const std::vector<WorkloadNcclCall>& calls,
          uint32_t threads = 544)
{
    WorkloadNcclKernel kernel;
    kernel.startNs = startNs;
    kernel.endNs = endNs;
    kernel.firstCall = static_cast<uint32_t>(gpu.calls.size());
    kernel.calls = static_cast<uint32_t>(calls.size());
    kernel.stream = stream;
    kernel.channels = 1;
    kernel.threads = threads;
    kernel.algorithm = WorkloadCollectiveAlgorithm::RING;
    gpu.calls.insert(gpu.calls.end(), calls.begin(), calls.end());
    gpu.kernels.push_back(kernel);
}

/** \return a trace of these GPUs, which are all in one communicator */
WorkloadNcclTrace
TraceOf(const std::vector<WorkloadNcclGpu>& gpus)
{
    WorkloadNcclTrace trace;
    trace.communicators.push_back({"all", {}});
    for (const WorkloadNcclGpu& gpu : gpus)
    {
        trace.communicators.front().members.push_back(static_cast<uint32_t>(trace.gpus.size()));
        trace.gpus.push_back(gpu);
        trace.gpus.back().name = "gpu-" + std::to_string(trace.gpus.size() - 1);
    }
    return trace;
}

std::string
GoalOf(const WorkloadNcclTrace& trace, const std::string& keys = "", double scale = 1)
{
    std::ostringstream out;
    WorkloadNcclOptions options;
    options.scale = scale;
    options.how = ParseWorkloadNcclKeys(keys);
    ConvertWorkloadNccl(trace, options, out, false);
    return out.str();
}

std::string
ErrorOf(const WorkloadNcclTrace& trace)
{
    return harness::ExpectedInputErrorOf([&] { GoalOf(trace); });
}

/** \return how often words are in a text */
size_t
CountIn(const std::string& text, const std::string& words)
{
    size_t count = 0;
    for (size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
    {
        ++count;
    }
    return count;
}

/** \return two GPUs that reduce so many bytes, in a kernel of so many threads */
WorkloadNcclTrace
AllReduce(uint64_t bytes, uint32_t threads)
{
    WorkloadNcclGpu gpu = Gpu(0, 20);
    AddKernel(gpu, 0, 10, 20, {{bytes, 0, 0, Operation::ALL_REDUCE}}, threads);
    return TraceOf({gpu, gpu});
}

} // namespace

TEST(NcclGoal, TimeBetweenKernelsIsComputing)
{
    // clocks of the two start at 1,000 and at 5,000,000,000; the second one reduces later, longer
    WorkloadNcclGpu zero = Gpu(1000, 1900);
    AddKernel(zero, 0, 1500, 1800, {{100000, 0, 0, Operation::ALL_REDUCE}});
    WorkloadNcclGpu one = Gpu(5000000000, 5000001000);
    AddKernel(one, 0, 5000000700, 5000001000, {{100000, 0, 0, Operation::ALL_REDUCE}});
    // a ring of two: each sends half of the 100,000 bytes and adds what comes, then sends the sum;
    // 500 ns before the kernel, 100 ns after it; the kernel's own 300 ns are left out
    const std::string expected = "num_ranks 2\n"
                                 "\n"
                                 "rank 0 {\n"
                                 "l1: calc 500\n"
                                 "l2: calc 0\n"
                                 "l2 requires l1\n"
                                 "l3: send 50000b to 1 tag 1\n"
                                 "l3 requires l2\n"
                                 "l4: recv 50000b from 1 tag 1\n"
                                 "l4 requires l2\n"
                                 "l5: send 50000b to 1 tag 2\n"
                                 "l5 requires l4\n"
                                 "l6: recv 50000b from 1 tag 2\n"
                                 "l6 requires l2\n"
                                 "l7: calc 0\n"
                                 "l7 requires l2\n"
                                 "l7 requires l3\n"
                                 "l7 requires l5\n"
                                 "l7 requires l6\n"
                                 "l8: calc 100\n"
                                 "l8 requires l7\n"
                                 "}\n";
    const std::string goal = GoalOf(TraceOf({zero, one}));
    EXPECT_EQ(goal.substr(0, expected.size()), expected);
    ExpectIn(goal.substr(expected.size()),
             "l1: calc 700\n"); // and nothing after the kernel
    EXPECT_EQ(CountIn(goal, "calc"), 7U);
    ExpectIn(GoalOf(TraceOf({zero, one}), "", 0.5), "l1: calc 250\n");
    EXPECT_EQ(CountIn(GoalOf(TraceOf({zero, one}), "", 0), "calc"), 4U);
}

TEST(NcclGoal, ClocksDoNotCount)
{
    const auto shifted = [](uint64_t ns) {
        WorkloadNcclGpu gpu = Gpu(ns, ns + 50);
        AddKernel(gpu, 0, ns + 10, ns + 20, {{8, 0, 0, Operation::ALL_REDUCE}});
        return gpu;
    };
    EXPECT_EQ(GoalOf(TraceOf({shifted(0), shifted(0)})),
              GoalOf(TraceOf({shifted(3600000000000), shifted(7)})));
}

TEST(NcclGoal, StreamsOverlapButKeepTheirOrder)
{
    WorkloadNcclGpu gpu = Gpu(0, 100, {20, 24});
    AddKernel(gpu, 0, 10, 40, {{8, 0, 0, Operation::BROADCAST}}); // from 10 to 40
    AddKernel(gpu, 1, 20, 30, {{8, 0, 0, Operation::BROADCAST}}); // while that runs
    AddKernel(gpu, 1, 50, 60, {{8, 0, 0, Operation::BROADCAST}}); // after both
    AddKernel(gpu, 0, 70, 80, {{8, 0, 0, Operation::BROADCAST}}); // after the last one of stream 1
    const std::string goal = GoalOf(TraceOf({gpu}));
    // Each broadcast of one rank has a begin and an end. Of stream 1, the first kernel starts 20 ns
    // after the GPU; the second one 20 ns after it, and not before that of stream 0. The second
    // kernel of stream 0 starts 30 ns after the first one, and not before both of stream 1.
    EXPECT_EQ(goal,
              "num_ranks 1\n"
              "\n"
              "rank 0 {\n"
              "l1: calc 10\n"
              "l2: calc 0\n"
              "l2 requires l1\n"
              "l3: calc 0\n"
              "l3 requires l2\n"
              "l4: calc 20 cpu 1\n"
              "l5: calc 0 cpu 1\n"
              "l5 requires l4\n"
              "l6: calc 0 cpu 1\n"
              "l6 requires l5\n"
              "l7: calc 20 cpu 1\n"
              "l7 requires l6\n"
              "l8: calc 0 cpu 1\n"
              "l8 requires l3\n"
              "l8 requires l7\n"
              "l9: calc 0 cpu 1\n"
              "l9 requires l8\n"
              "l10: calc 30\n"
              "l10 requires l3\n"
              "l11: calc 0\n"
              "l11 requires l9\n"
              "l11 requires l10\n"
              "l12: calc 0\n"
              "l12 requires l11\n"
              "l13: calc 20\n"
              "l13 requires l9\n"
              "l13 requires l12\n"
              "}\n");
}

TEST(NcclGoal, ThreadsOfAKernelSayItsProtocol)
{
    // NCCL runs 512 threads, with Simple 32 more that synchronise; LL doubles the bytes on the wire
    const uint64_t bytes = 64 << 10;
    ExpectIn(GoalOf(AllReduce(bytes, 544)), "send 32768b");
    ExpectIn(GoalOf(AllReduce(bytes, 512)), "send 65536b");
    // LL128 runs 640, and sends 128 bytes for 120: 274 lines for 32 KiB
    ExpectIn(GoalOf(AllReduce(bytes, 640)), "send 35072b");
    // an option says more than the trace
    ExpectIn(GoalOf(AllReduce(bytes, 512), "protocol=simple"), "send 32768b");
}

TEST(NcclGoal, MessagesAreMatchedInTheirOrder)
{
    WorkloadNcclGpu zero = Gpu(0, 40);
    AddKernel(zero,
              0,
              10,
              20,
              {{100000, 0, 1, Operation::SEND},
               {7, 0, 0, Operation::SEND}, // to itself: a copy
               {7, 0, 0, Operation::RECV},
               {200000, 0, 1, Operation::RECV}});
    AddKernel(zero, 0, 30, 40, {{300000, 0, 1, Operation::SEND}});
    WorkloadNcclGpu one = Gpu(0, 40);
    AddKernel(one, 0, 10, 20, {{100000, 0, 0, Operation::RECV}, {200000, 0, 0, Operation::SEND}});
    AddKernel(one, 0, 30, 40, {{300000, 0, 0, Operation::RECV}});
    const std::string goal = GoalOf(TraceOf({zero, one}));
    // tags 1 to 3 in the order of the first GPU: to 1, to itself, from 1; 4 is the last message
    for (const char* line : {"send 100000b to 1 tag 1",
                             "recv 200000b from 1 tag 3",
                             "send 300000b to 1 tag 4",
                             "recv 100000b from 0 tag 1",
                             "send 200000b to 0 tag 3",
                             "recv 300000b from 0 tag 4"})
    {
        EXPECT_EQ(CountIn(goal, line), 1U) << line << "\n" << goal;
    }
    EXPECT_EQ(CountIn(goal, "send"), 3U);
    // up to 16 KiB NCCL sends by LL; chunk=nccl: between servers 128 KiB, halved below 8 of them
    ExpectIn(GoalOf(TraceOf({zero, one}), "chunk=nccl"), "send 65536b to 1");
}

TEST(NcclGoal, WhatGpusDoNotAgreeAboutIsAnError)
{
    const WorkloadNcclTrace good = AllReduce(8, 544);
    WorkloadNcclTrace bad = good;
    bad.gpus[1].calls[0].bytes = 16;
    EXPECT_EQ(ErrorOf(bad),
              "gpu-1: communicator all: its collective no. 1 is all-reduce of 16 bytes, but that "
              "of an earlier member is all-reduce of 8 bytes: record the same part of the program "
              "on all ranks, whole iterations");
    bad = good;
    bad.gpus[1].calls[0] = {8, 0, 1, Operation::BROADCAST};
    ExpectIn(ErrorOf(bad), "broadcast of 8 bytes with root 1, but that of an earlier member is");
    bad.gpus[1].calls[0] = {8, 0, 2, Operation::BROADCAST};
    ExpectIn(ErrorOf(bad), "broadcast with root 2, but there are only 2 members");
    bad = good;
    AddKernel(bad.gpus[0], 0, 30, 40, {{8, 0, 0, Operation::ALL_REDUCE}});
    EXPECT_EQ(ErrorOf(bad),
              "gpu-1: communicator all: has 1 collectives, but gpu-0 has 2: record the same part "
              "of the program on all ranks, whole iterations");
    bad = good;
    AddKernel(bad.gpus[1], 0, 30, 40, {{8, 0, 0, Operation::SEND}});
    ExpectIn(ErrorOf(bad), "gpu-1: communicator all: sends 1 messages to member 0, but gpu-0");
    AddKernel(bad.gpus[0], 0, 30, 40, {{9, 0, 1, Operation::RECV}});
    ExpectIn(ErrorOf(bad),
             "gpu-1: communicator all: its send no. 1 to member 0 has 8 bytes, but "
             "at the other end it has 9");
    bad = good;
    bad.communicators[0].members = {0};
    ExpectIn(ErrorOf(bad), "gpu-1: communicator all: the GPU uses it, but is none of its 1");
    bad = good;
    bad.gpus[0].streams.resize(255);
    ExpectIn(ErrorOf(bad), "gpu-0: has kernels of NCCL on 255 streams, but schedules can have 254");
}

TEST(NcclGoal, ACommunicatorWithoutMembersIsOfNoAccount)
{
    // Found by fuzz_nsys: of its members, the least and the most collectives were looked for.
    WorkloadNcclGpu gpu = Gpu(0, 20);
    AddKernel(gpu, 0, 10, 20, {{64, 0, 0, Operation::ALL_GATHER}});
    WorkloadNcclTrace trace = TraceOf({gpu, gpu});
    const std::string goal = GoalOf(trace);
    trace.communicators.push_back({"none", {}});
    EXPECT_EQ(GoalOf(trace), goal);
}

TEST(NcclGoal, KeysAreThoseOfCollectives)
{
    const auto error = [](const std::string& keys) {
        return harness::ExpectedInputErrorOf([&] { ParseWorkloadNcclKeys(keys); });
    };
    EXPECT_EQ(ParseWorkloadNcclKeys("ranks-per-server=8").ranksPerServer, 8U);
    EXPECT_EQ(ParseWorkloadNcclKeys("").protocol, WorkloadProtocol::AUTO);
    ExpectIn(error("bytes=8"), "bytes");
    ExpectIn(error("ranks-per-server=0"), "ranks-per-server");
    ExpectIn(error("protocol=tcp"), "tcp");
    ExpectIn(error("nvlink-rate=1Gbps"), "nvlink");
}

TEST(NcclGoal, AGroupOfCollectivesIsDoneWhenAllAre)
{
    WorkloadNcclGpu gpu = Gpu(0, 20);
    AddKernel(gpu,
              0,
              10,
              20,
              {{64, 0, 0, Operation::ALL_GATHER}, {64, 0, 0, Operation::REDUCE_SCATTER}});
    const WorkloadNcclTrace trace = TraceOf({gpu, gpu, gpu});
    std::istringstream in(GoalOf(trace));
    const WorkloadSchedule schedule = ReadGoalText(in, "x.goal");
    const WorkloadValidation result = ValidateWorkload(schedule, {});
    EXPECT_EQ(result.errors + result.warnings, 0U);
    std::ostringstream out;
    const WorkloadNcclConversion done = ConvertWorkloadNccl(trace, {}, out, false);
    // in rings of three, each rank sends two parts of each; together 2 * 64 bytes for each
    for (const Operation operation : {Operation::ALL_GATHER, Operation::REDUCE_SCATTER})
    {
        const WorkloadNcclCount& count = done.counts[static_cast<size_t>(operation)];
        EXPECT_EQ(count.calls, 3U);
        EXPECT_EQ(count.bytes, 3U * 64);
        EXPECT_EQ(count.messages, 6U);
        EXPECT_EQ(count.sent, 2U * 64);
    }
}
