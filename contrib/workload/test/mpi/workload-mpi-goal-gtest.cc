/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Traces of MPI programs, written by hand, and the schedules that they become.

#include "harness/apart.h"
#include "harness/folder.h"
#include "harness/memory.h"
#include "harness/mpi_trace.h"
#include "harness/texts.h"

#include "ns3/input-error.h"
#include "ns3/workload-goal.h"
#include "ns3/workload-mpi-goal.h"
#include "ns3/workload-validation.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace ns3;
using harness::MpiTrace;

namespace
{

using harness::ExpectIn;

/** \return the schedule of a program with these traces */
std::string
MpiGoal(const std::vector<std::string>& traces,
        const WorkloadMpiOptions& options = {},
        WorkloadMpiConversion* done = nullptr)
{
    const harness::Folder folder;
    for (size_t rank = 0; rank < traces.size(); ++rank)
    {
        folder.Write("rank-" + std::to_string(rank) + ".mpitrace", traces[rank]);
    }
    std::ostringstream out;
    const std::vector<std::string> files = FindWorkloadMpiTraces(folder.PathOf(""), options);
    const WorkloadMpiConversion converted = ConvertWorkloadMpi(files, options, out, false);
    if (done)
    {
        *done = converted;
    }
    return out.str();
}

/** \return options by which sends of MPI_Send of so many bytes wait for their receive */
WorkloadMpiOptions
WaitingFrom(uint64_t bytes)
{
    WorkloadMpiOptions options;
    options.eagerBytes = bytes - 1;
    return options;
}

/** \return what is said of these traces */
std::string
MpiError(const std::vector<std::string>& traces)
{
    try
    {
        MpiGoal(traces);
        return "no error";
    }
    catch (const InputError& error)
    {
        return error.what();
    }
}

/** \return a trace that ends at once */
std::string
Idle(uint32_t rank, uint32_t ranks)
{
    return MpiTrace(rank, ranks).Ended();
}

/** \return findings of the schedule's check */
uint64_t
FindingsOf(const std::string& goal)
{
    std::istringstream in(goal);
    const WorkloadValidation result = ValidateWorkload(ReadGoalText(in, "x.goal"), {});
    return result.errors + result.warnings;
}

} // namespace

TEST(MpiGoal, BlockingMessagesFollowEachOther)
{
    MpiTrace zero(0, 2);
    zero.Compute(500).Add(MpiTrace::SEND, MpiTrace::SEND_CALL, {0, 1, 5, 80, 0});
    MpiTrace one(1, 2);
    one.Add(MpiTrace::RECV, MpiTrace::RECV_CALL, {0, 3, 0, 5, 80, 0}); // from any, of any tag
    one.Compute(200).Add(MpiTrace::SEND, MpiTrace::SEND_CALL, {0, 0, 5, 7, 0});
    zero.Add(MpiTrace::RECV, MpiTrace::RECV_CALL, {0, 0, 1, 5, 7, 0}).Compute(40);
    // 1024 tags are for collectives of MPI_COMM_WORLD, so that the first one of messages is 1024
    EXPECT_EQ(MpiGoal({zero.Ended(), one.Ended()}, WaitingFrom(1)),
              "num_ranks 2\n"
              "\n"
              "rank 0 {\n"
              "l1: calc 500\n"
              "l2: send 80b to 1 tag 1024\n"
              "l2 requires l1\n"
              "l3: recv 7b from 1 tag 1024\n"
              "l3 requires l2\n"
              "l4: calc 40\n"
              "l4 requires l3\n"
              "}\n"
              "\n"
              "rank 1 {\n"
              "l1: recv 80b from 0 tag 1024\n"
              "l2: calc 200\n"
              "l2 requires l1\n"
              "l3: send 7b to 0 tag 1024\n"
              "l3 requires l2\n"
              "}\n");
}

TEST(MpiGoal, RequestsAreWaitedForWhereTheProgramDid)
{
    MpiTrace zero(0, 2);
    zero.Add(MpiTrace::SEND, MpiTrace::ISEND, {0, 1, 5, 80, 1});
    zero.Compute(30).Add(MpiTrace::COMPLETE, MpiTrace::WAIT, {1, 1, 0}).Compute(2);
    MpiTrace one(1, 2);
    // open at first; then it was 80 bytes from 0 of tag 5
    one.Add(MpiTrace::RECV, MpiTrace::IRECV, {0, 3, 0, 0, 999, 1}).Compute(10);
    one.Add(MpiTrace::COMPLETE, MpiTrace::WAITALL, {1, 1, 1, 0, 5, 80});
    EXPECT_EQ(MpiGoal({zero.Ended(), one.Ended()}, WaitingFrom(1)),
              "num_ranks 2\n"
              "\n"
              "rank 0 {\n"
              "l1: send 80b to 1 tag 1024\n"
              "l2: calc 30\n"
              "l2 irequires l1\n"
              "l3: calc 2\n"
              "l3 requires l1\n"
              "l3 requires l2\n"
              "}\n"
              "\n"
              "rank 1 {\n"
              "l1: recv 80b from 0 tag 1024\n"
              "l2: calc 10\n"
              "l2 irequires l1\n"
              "}\n");
}

TEST(MpiGoal, SendsWaitForTheirReceivesAsTheirModesSay)
{
    // each of the modes of MPI 3.1, 3.4, of 80 bytes, then one of MPI_Send of 81
    const std::pair<uint8_t, bool> modes[] = {{MpiTrace::SEND_CALL, false},
                                              {MpiTrace::BSEND, false},
                                              {MpiTrace::SSEND, true},
                                              {MpiTrace::RSEND, false},
                                              {MpiTrace::BSEND_INIT, false},
                                              {MpiTrace::SSEND_INIT, true},
                                              {MpiTrace::SEND_CALL, true}};
    MpiTrace zero(0, 2);
    MpiTrace one(1, 2);
    uint64_t bytes = 80;
    std::string expected;
    for (size_t i = 0; i < std::size(modes); ++i)
    {
        const auto& [call, waits] = modes[i];
        bytes += i + 1 == std::size(modes) ? 1 : 0;
        // every second one has a request, which is waited for at once
        zero.Add(MpiTrace::SEND, call, {0, 1, 5, bytes, i % 2 ? i : 0});
        if (i % 2)
        {
            zero.Add(MpiTrace::COMPLETE, MpiTrace::WAIT, {1, i, 0});
        }
        zero.Compute(30);
        one.Add(MpiTrace::RECV, MpiTrace::RECV_CALL, {0, 0, 0, 5, bytes, 0});
        const std::string send = "l" + std::to_string(2 * i + 1);
        const std::string after = "l" + std::to_string(2 * i + 2);
        expected += send + ": send " + std::to_string(bytes) + "b to 1 tag 1024\n";
        expected += i ? send + " requires l" + std::to_string(2 * i) + "\n" : "";
        expected.append(after).append(": calc 30\n");
        expected.append(after).append(waits ? " requires " : " irequires ").append(send + "\n");
    }
    WorkloadMpiConversion done;
    ExpectIn(MpiGoal({zero.Ended(), one.Ended()}, WaitingFrom(81), &done),
             "rank 0 {\n" + expected + "}\n");
    ASSERT_EQ(done.warnings.size(), 1U);
    ExpectIn(done.warnings[0], "(MPI_Ssend), 2, wait for their receive");
    ExpectIn(done.warnings[0], "one below 80");
}

TEST(MpiGoal, CollectivesSendAsMpiSendDoes)
{
    // Two ranks that reduce all: each sends 8 bytes and receives 8, then computes.
    MpiTrace traces[] = {{0, 2}, {1, 2}};
    for (MpiTrace& trace : traces)
    {
        trace.Add(MpiTrace::COLLECTIVE, MpiTrace::ALLREDUCE, {0, 0, 8, 8, 0, 0, 0, 0}).Compute(5);
    }
    const std::vector<std::string> ended{traces[0].Ended(), traces[1].Ended()};
    ExpectIn(MpiGoal(ended, WaitingFrom(9)), "l3: calc 5\nl3 requires l1\nl3 irequires l2\n");
    ExpectIn(MpiGoal(ended, WaitingFrom(8)), "l3: calc 5\nl3 requires l1\nl3 requires l2\n");
}

TEST(MpiGoal, WhatIsCancelledOrNeverKnownIsLeftOut)
{
    MpiTrace one(0, 1);
    one.Add(MpiTrace::RECV, MpiTrace::IRECV, {0, 1, 0, 0, 999, 1});
    one.Add(MpiTrace::COMPLETE, MpiTrace::WAIT, {1, 1, 2}); // cancelled
    one.Add(MpiTrace::RECV, MpiTrace::IRECV, {0, 1, 0, 0, 999, 2});
    one.Add(MpiTrace::COMPLETE, MpiTrace::REQUEST_FREE, {1, 2, 3}); // freed
    WorkloadMpiConversion done;
    const std::string goal = MpiGoal({one.Ended()}, {}, &done);
    EXPECT_EQ(goal.find("recv"), std::string::npos) << goal;
    ASSERT_EQ(done.warnings.size(), 1U);
    ExpectIn(done.warnings[0], "rank 0: 1 receives");
}

TEST(MpiGoal, CommunicatorsAreTheSameForAllTheirRanks)
{
    // Ranks 3 and 1 make a communicator twice, in which 3 is the first one. Their messages of the
    // second one have a tag of their own, though the numbers of communicators differ.
    MpiTrace traces[] = {{0, 4}, {1, 4}, {2, 4}, {3, 4}};
    traces[1].Add(MpiTrace::COMMUNICATOR, MpiTrace::SPLIT, {2, 0, 0, 1, 1}); // alone
    for (const int rank : {1, 3})
    {
        const uint64_t first = rank == 1 ? 3 : 2;
        traces[rank].Add(MpiTrace::COMMUNICATOR, MpiTrace::SPLIT, {first, 0, 0, 2, 3, 1});
        traces[rank].Add(MpiTrace::COMMUNICATOR, MpiTrace::SPLIT, {first + 1, 0, 0, 2, 3, 1});
    }
    traces[1].Add(MpiTrace::SEND, MpiTrace::SEND_CALL, {4, 0, 5, 80, 0});
    traces[1].Add(MpiTrace::SEND, MpiTrace::SEND_CALL, {3, 0, 5, 90, 0});
    traces[3].Add(MpiTrace::RECV, MpiTrace::RECV_CALL, {2, 0, 1, 5, 90, 0});
    traces[3].Add(MpiTrace::RECV, MpiTrace::RECV_CALL, {3, 0, 1, 5, 80, 0});
    const std::string goal =
        MpiGoal({traces[0].Ended(), traces[1].Ended(), traces[2].Ended(), traces[3].Ended()});
    // the first member of tag 4096: three communicators and MPI_COMM_WORLD have 1024 tags each
    ExpectIn(goal, "l1: send 80b to 3 tag 4096\n");
    ExpectIn(goal, "l2: send 90b to 3 tag 4097\n");
    ExpectIn(goal, "l1: recv 90b from 1 tag 4097\n");
    ExpectIn(goal, "l2: recv 80b from 1 tag 4096\n");
}

TEST(MpiGoal, CollectivesWaitAndOverlap)
{
    MpiTrace traces[] = {{0, 2}, {1, 2}};
    for (MpiTrace& trace : traces)
    {
        trace.Add(MpiTrace::COLLECTIVE, MpiTrace::IALLREDUCE, {0, 0, 8, 8, 0, 1, 0, 0});
        trace.Compute(100).Add(MpiTrace::COLLECTIVE, MpiTrace::BARRIER, {0, 0, 0, 1, 0, 0, 0, 0});
        trace.Add(MpiTrace::COMPLETE, MpiTrace::WAIT, {1, 1, 0}).Compute(3);
    }
    WorkloadMpiConversion done;
    const std::string goal = MpiGoal({traces[0].Ended(), traces[1].Ended()}, {}, &done);
    // the all-reduce, l1 and l2, runs beside the computation and the barrier, l3 to l5; l7 has all
    ExpectIn(goal,
             "rank 0 {\n"
             "l1: recv 8b from 1 tag 0\n"
             "l2: send 8b to 1 tag 0\n"
             "l3: calc 0\n"
             "l3 requires l1\n"
             "l3 irequires l2\n"
             "l4: calc 100\n"
             "l5: recv 0b from 1 tag 1\n"
             "l5 requires l4\n"
             "l6: send 0b to 1 tag 1\n"
             "l6 requires l4\n"
             "l7: calc 0\n"
             "l7 requires l3\n"
             "l7 requires l5\n"
             "l7 irequires l6\n"
             "l8: calc 3\n"
             "l8 requires l7\n"
             "}\n");
    EXPECT_EQ(FindingsOf(goal), 0U);
    const WorkloadMpiCount& count = done.calls[WorkloadMpiCall::Iallreduce];
    EXPECT_EQ(count.calls, 2U);
    EXPECT_EQ(count.messages, 2U);
    EXPECT_EQ(count.bytes, 16U);
}

TEST(MpiGoal, NeighborsOfATopology)
{
    MpiTrace traces[] = {{0, 2}, {1, 2}};
    for (const uint64_t rank : {0, 1})
    {
        // 10 bytes to the other one, 10 from it
        traces[rank].Add(MpiTrace::NEIGHBORS,
                         MpiTrace::NEIGHBOR_ALLTOALL,
                         {0, 0, 1, 1 - rank, 10, 1, 1 - rank, 10});
    }
    const std::string goal = MpiGoal({traces[0].Ended(), traces[1].Ended()});
    ExpectIn(goal, "send 10b to 1");
    EXPECT_EQ(FindingsOf(goal), 0U);
}

TEST(MpiGoal, ScaleAndClocks)
{
    WorkloadMpiOptions twice;
    twice.scale = 2;
    // rank 1 left MPI_Init 30 ns later: its clock is an hour ahead, which its offset undoes
    const int64_t hour = int64_t(3600) * 1'000'000'000;
    MpiTrace zero(0, 2, 1000);
    zero.Compute(100).Add(MpiTrace::COLLECTIVE, MpiTrace::BARRIER, {0, 0, 0, 1, 0, 0, 0, 0});
    MpiTrace one(1, 2, 1030 + uint64_t(hour), -hour);
    one.Add(MpiTrace::COLLECTIVE, MpiTrace::BARRIER, {0, 0, 0, 1, 0, 0, 0, 0});
    const std::vector<std::string> traces{zero.Ended(), one.Ended()};
    ExpectIn(MpiGoal(traces, twice), "rank 0 {\nl1: calc 200\n");
    ExpectIn(MpiGoal(traces, twice), "rank 1 {\nl1: calc 30\n");
    twice.ignoreClocks = true;
    ExpectIn(MpiGoal(traces, twice), "rank 1 {\nl1: recv 0b");
    ExpectIn(MpiError({Idle(0, 2), MpiTrace(1, 2, uint64_t(hour)).Ended()}),
             "leaves MPI_Init 3600000000000 ns after the first rank");
}

TEST(MpiGoal, FoldersThatAreNotOneRun)
{
    ExpectIn(MpiError({}), "holds no traces of an MPI program");
    ExpectIn(MpiError({Idle(0, 3), Idle(1, 3)}), "rank-2.mpitrace: there is no such file");
    ExpectIn(MpiError({Idle(0, 1), Idle(1, 2)}), "holds 2 traces, but the program had 1 ranks");
    ExpectIn(MpiError({Idle(0, 2), MpiTrace(1, 2, 0, 0, 8).Ended()}), "is of another run");
    ExpectIn(MpiError({Idle(0, 2), Idle(0, 2)}), "is of rank 0, not of that of its name");
}

TEST(MpiGoal, DamagedTraces)
{
    MpiTrace trace(0, 1);
    trace.Add(MpiTrace::COLLECTIVE, MpiTrace::BARRIER, {0, 0, 0, 1, 0, 0, 0, 0});
    ExpectIn(MpiError({trace.Bytes()}),
             "1 of 1 traces end without MPI_Finalize (whole records: rank 0 after 1)");
    ExpectIn(MpiError({trace.Ended() + "x"}), "or more bytes follow");
    ExpectIn(MpiError({"GOAL"}), "is no trace of an MPI program");
    ExpectIn(MpiError({MpiTrace(5, 1).Ended()}), "rank 5 of 1");
    const auto one =
        [](MpiTrace::Kind kind, uint64_t function, std::initializer_list<uint64_t> numbers) {
            return MpiError({MpiTrace(0, 1).Add(kind, function, numbers).Ended()});
        };
    ExpectIn(one(MpiTrace::SEND, MpiTrace::SEND_CALL, {9, 0, 0, 1, 0}),
             "record 1 (byte 48): MPI_Send on communicator 9");
    ExpectIn(one(MpiTrace::SEND, MpiTrace::SEND_CALL, {0, 1, 0, 1, 0}), "rank 1 of a communicator");
    ExpectIn(one(MpiTrace::COMPLETE, MpiTrace::WAIT, {1, 4, 0}), "request 4 is over");
    ExpectIn(one(MpiTrace::COLLECTIVE, MpiTrace::BCAST, {0, 1, 1, 1, 0, 0, 0, 0}), "root 1 of 1");
    ExpectIn(one(MpiTrace::UNSUPPORTED, MpiTrace::WIN_CREATE, {}), "MPI_Win_create");
    ExpectIn(one(MpiTrace::COMMUNICATOR, MpiTrace::SPLIT, {2, 0, 0, 1, 7}), "communicator 2");
    ExpectIn(one(MpiTrace::Kind(8), 0, {}), "kind 8");
}

TEST(MpiGoal, TracesOfAProgramThatWasKilled)
{
    // the file is longer than what the rank wrote, as the head says: 1000 bytes, in 2 bytes
    const auto killed = [](uint32_t rank, const std::string& unused) {
        MpiTrace trace(rank, 3);
        trace.Add(MpiTrace::SEND, MpiTrace::SEND_CALL, {0, 0, 1, 8, 0});
        trace.Add(MpiTrace::SEND, MpiTrace::SEND_CALL, {0, 0, 1, 8, 0});
        std::string bytes = trace.Bytes() + std::string(1000, 0);
        return bytes.replace(44, 4, unused);
    };
    const std::string all("\xe8\x03\0\0", 4);
    const std::string most("\xff\xff\xff\xff", 4);
    ExpectIn(MpiError({Idle(0, 3), killed(1, all), killed(2, all)}),
             "2 of 3 traces end without MPI_Finalize (whole records: rank 1 after 2, rank 2 after "
             "2): the program was ended");
    // one byte less: the second record is not whole
    ExpectIn(MpiError({Idle(0, 3), killed(1, "\xe9" + all.substr(1)), Idle(2, 3)}),
             "1 of 3 traces end without MPI_Finalize (whole records: rank 1 after 1)");
    ExpectIn(MpiError({Idle(0, 3), killed(1, most), Idle(2, 3)}), "rank 1 after 0");
}

TEST(MpiGoal, MpichGathersLargeBlocksOfSeveralSizesInPieces)
{
    // blocks of 100,000, 0 and 40,000 bytes go round a ring, as 4, 1 (empty) and 2 messages: each
    // crosses two of three links
    std::vector<std::string> traces;
    for (uint32_t rank = 0; rank < 3; ++rank)
    {
        constexpr uint64_t ALL_GATHER_V = 49;
        traces.push_back(
            MpiTrace(rank, 3)
                .Add(MpiTrace::COLLECTIVE, ALL_GATHER_V, {0, 0, 0, 1, 0, 0, 0, 3, 100000, 0, 40000})
                .Ended());
    }
    WorkloadMpiOptions options;
    WorkloadMpiConversion done;
    options.library = WorkloadMpiLibrary::MPICH;
    const std::string text = MpiGoal(traces, options, &done);
    EXPECT_EQ(done.calls.at(WorkloadMpiCall::Allgatherv).messages, 2U * (4 + 1 + 2));
    EXPECT_EQ(done.calls.at(WorkloadMpiCall::Allgatherv).bytes, 2U * 140000);
    std::istringstream in(text);
    EXPECT_EQ(ValidateWorkload(ReadGoalText(in, "x.goal"), {}).errors, 0U);
}

#ifndef WORMHOLE_SANITIZED // which keeps what is freed
TEST(MpiGoal, HoldsWhatCallsLeaveOpenHoweverManyTheyAre)
{
    // rank 0 sends to rank 1, who posts receives from anybody and waits for each two calls later: a
    // computation and a message for each send, and a receive. In memory the operations of one rank
    // would take 28 bytes each, and 4 to 8 for each dependency: 2 x 300,000 of them 20 MB
    constexpr uint32_t MESSAGES = 300000;
    MpiTrace zero(0, 2);
    MpiTrace one(1, 2);
    for (uint32_t i = 1; i <= MESSAGES; ++i)
    {
        zero.Compute(10).Add(MpiTrace::SEND, MpiTrace::SEND_CALL, {0, 1, 3, 1000, 0});
        one.Compute(10).Add(MpiTrace::RECV, MpiTrace::IRECV, {0, 1, 0, 3, 1000, i});
        if (i > 2)
        {
            one.Add(MpiTrace::COMPLETE, MpiTrace::WAIT, {1, i - 2, 1, 0, 3, 1000});
        }
    }
    one.Add(MpiTrace::COMPLETE,
            MpiTrace::WAITALL,
            {2, MESSAGES - 1, 1, 0, 3, 1000, MESSAGES, 1, 0, 3, 1000});
    const harness::Folder folder;
    folder.Write("rank-0.mpitrace", zero.Ended());
    folder.Write("rank-1.mpitrace", one.Ended());
    const nlohmann::json got = harness::RunApart([&folder] {
        const WorkloadMpiOptions options;
        const std::vector<std::string> files = FindWorkloadMpiTraces(folder.PathOf(""), options);
        const uint64_t before = harness::PeakMemoryKib();
        std::ofstream out(folder.PathOf("x.goal"));
        const WorkloadMpiConversion done = ConvertWorkloadMpi(files, options, out, false);
        return nlohmann::json{done.operations, harness::PeakMemoryKib() - before};
    });
    EXPECT_EQ(got[0], 4 * MESSAGES + 1); // the last two receives are waited for as one
    EXPECT_LT(got[1], 4096);
    EXPECT_GT(folder.Lines("x.goal").size(), 4 * MESSAGES);
}
#endif
