/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Collectives member by member, and messages of one member.

#include "ns3/workload-collective.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

using Kind = WorkloadCollectiveKind;

/** \return a rank's operations and dependencies in words */
std::string
WordsOfRank(const WorkloadRank& rank)
{
    std::string words;
    for (uint32_t index = 0; index < rank.operations.size(); ++index)
    {
        const WorkloadOperation& operation = rank.operations[index];
        words += std::to_string(static_cast<int>(operation.kind)) + " " +
                 std::to_string(operation.size) + " " + std::to_string(operation.peer) + " " +
                 std::to_string(operation.tag) + " " + std::to_string(operation.cpu) + ":";
        for (const auto* waiter = rank.BeginWaiters(index); waiter != rank.EndWaiters(index);
             ++waiter)
        {
            words += " " + std::to_string(waiter->Operation());
        }
        words += "\n";
    }
    return words;
}

} // namespace

TEST(CollectivePart, PartsOfAllMembersAreTheCollective)
{
    const std::vector<uint32_t> members{5, 1, 0, 3, 4};
    for (const Kind kind : {Kind::ALL_REDUCE,
                            Kind::ALL_GATHER,
                            Kind::REDUCE_SCATTER,
                            Kind::BROADCAST,
                            Kind::REDUCE,
                            Kind::ALL_TO_ALL,
                            Kind::SEND_RECV})
    {
        for (const auto algorithm :
             {WorkloadCollectiveAlgorithm::AUTO, WorkloadCollectiveAlgorithm::DOUBLE_BINARY_TREE})
        {
            for (const bool nvlink : {true, false})
            {
                WorkloadCollective collective;
                collective.kind = kind;
                collective.bytes = 10000000;
                collective.root = 2;
                collective.algorithm =
                    kind == Kind::ALL_REDUCE ? algorithm : WorkloadCollectiveAlgorithm::AUTO;
                collective.protocol = WorkloadProtocol::AUTO;
                collective.channels = 0;
                collective.chunkBytes = WORKLOAD_NCCL_CHUNKS;
                collective.window = WORKLOAD_NCCL_WINDOW;
                collective.ranksPerServer = 2;
                collective.nvlinkOnNetwork = nvlink;
                collective.cpu = 3;
                WorkloadScheduleBuilder whole(6);
                const WorkloadCollectiveEnds ends =
                    AddWorkloadCollective(whole, members, collective);
                const WorkloadSchedule expected = whole.Build();
                const WorkloadCollective resolved = ResolveWorkloadCollective(collective, members);
                uint64_t tags = 0;
                for (uint32_t index = 0; index < members.size(); ++index)
                {
                    WorkloadScheduleBuilder part(6);
                    const WorkloadCollectivePart made =
                        AddWorkloadCollectivePart(part, members, resolved, index, 1);
                    EXPECT_EQ(made.begin, ends.begin[index]);
                    EXPECT_EQ(made.end, ends.end[index]);
                    EXPECT_GT(made.tags, 0U);
                    EXPECT_EQ(made.tags, index == 0 ? made.tags : tags);
                    tags = made.tags;
                    const uint32_t rank = members[index];
                    EXPECT_EQ(WordsOfRank(part.Build().ranks[rank]),
                              WordsOfRank(expected.ranks[rank]));
                }
            }
        }
    }
}

TEST(CollectivePart, MessagesAreCutIntoChunks)
{
    // two servers: 128 KiB, halved below 8 of them; 300,000 bytes are 4 chunks of 64 KiB, and rest
    WorkloadCollective how;
    how.protocol = WorkloadProtocol::AUTO;
    how.chunkBytes = WORKLOAD_NCCL_CHUNKS;
    const std::vector<uint32_t> members{0, 1};
    EXPECT_EQ(CountWorkloadMessageTags(members, how, 300000), 5U);
    EXPECT_EQ(CountWorkloadMessageTags(members, how, 0), 0U);
    how.chunkBytes = 0;
    EXPECT_EQ(CountWorkloadMessageTags(members, how, 300000), 1U);
    how.chunkBytes = WORKLOAD_NCCL_CHUNKS;
    WorkloadScheduleBuilder builder(2);
    const WorkloadCollectivePart part = AddWorkloadMessages(
        builder,
        members,
        how,
        0,
        {{1, 300000, 10, false}, {0, 5, 20, false}, {0, 5, 20, true}, {1, 100, 30, true}});
    const WorkloadRank rank = builder.Build().ranks[0];
    // begin, 5 sends, 1 receive, end; nothing is sent to itself
    ASSERT_EQ(rank.operations.size(), 8U);
    EXPECT_EQ(part.begin, 0U);
    EXPECT_EQ(part.end, 7U);
    uint64_t sent = 0;
    for (uint32_t chunk = 0; chunk < 5; ++chunk)
    {
        const WorkloadOperation& operation = rank.operations[1 + chunk];
        EXPECT_EQ(operation.kind, WorkloadKind::SEND);
        EXPECT_EQ(operation.tag, 10 + chunk);
        EXPECT_EQ(operation.size, chunk < 4 ? 65536U : 300000U - 4 * 65536U);
        sent += operation.size;
    }
    EXPECT_EQ(sent, 300000U);
    EXPECT_EQ(rank.operations[6].kind, WorkloadKind::RECV);
    EXPECT_EQ(rank.operations[6].size, 208U); // LL: 16 bytes for 8, of 100 bytes 13 times
}
