/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/errors.h"

#include "ns3/input-error.h"
#include "ns3/workload-collective-names.h"
#include "ns3/workload-collective-spec.h"
#include "ns3/workload-collective-tuning.h"

#include <gtest/gtest.h>
#include <numeric>
#include <sstream>

using namespace ns3;

namespace
{

using Algorithm = WorkloadCollectiveAlgorithm;
using Kind = WorkloadCollectiveKind;
using Protocol = WorkloadProtocol;

std::string
ErrorOf(const std::string& spec)
{
    return harness::InputErrorOf([&] { MakeCollectiveSchedule(spec); });
}

WorkloadCollective
Resolved(Kind kind, uint64_t bytes, uint32_t members, uint32_t perServer)
{
    WorkloadCollective collective;
    collective.kind = kind;
    collective.bytes = bytes;
    collective.protocol = Protocol::AUTO;
    collective.channels = 0;
    collective.ranksPerServer = perServer;
    std::vector<uint32_t> ranks(members);
    std::iota(ranks.begin(), ranks.end(), 0);
    return ResolveWorkloadCollective(collective, ranks);
}

} // namespace

TEST(WorkloadCollectiveSpec, ReadsEveryKey)
{
    const WorkloadCollectiveSpec spec = ParseWorkloadCollectiveSpec(
        "reduce:ranks=16,bytes=1.5MB,algorithm=tree,protocol=ll128,channels=2,chunk=64KiB,"
        "window=nccl,element=2,reduce-ns-per-byte=0.5,copy-ns-per-byte=0.25,ranks-per-server=8,"
        "rotate=0,nvlink=cost,nvlink-rate=800Gbps,repeat=3,gap=2us,root=5");
    const WorkloadCollective& collective = spec.collective;
    EXPECT_EQ(spec.ranks, 16U);
    EXPECT_EQ(spec.repeat, 3U);
    EXPECT_EQ(spec.gapNs, 2000U);
    EXPECT_EQ(collective.kind, Kind::REDUCE);
    EXPECT_EQ(collective.algorithm, Algorithm::TREE);
    EXPECT_EQ(collective.protocol, Protocol::LL128);
    EXPECT_EQ(collective.bytes, 1500000U);
    EXPECT_EQ(collective.root, 5U);
    EXPECT_EQ(collective.channels, 2U);
    EXPECT_EQ(collective.chunkBytes, 65536U);
    EXPECT_EQ(collective.window, WORKLOAD_NCCL_WINDOW);
    EXPECT_EQ(collective.elementBytes, 2U);
    EXPECT_EQ(collective.reduceNsPerByte, 0.5);
    EXPECT_EQ(collective.copyNsPerByte, 0.25);
    EXPECT_EQ(collective.ranksPerServer, 8U);
    EXPECT_FALSE(collective.rotateChannels);
    EXPECT_FALSE(collective.nvlinkOnNetwork);
    EXPECT_EQ(collective.nvlinkBytesPerNs, 100);
}

TEST(WorkloadCollectiveSpec, ReadsTuning)
{
    const WorkloadNcclTuning tuning =
        ParseWorkloadCollectiveSpec("all-reduce:ranks=2,bytes=1,gpu=ampere,cpu=amd,ll128=0,"
                                    "max-channels=8,server-GBps=200,nic-GBps=24")
            .collective.tuning;
    EXPECT_EQ(tuning.gpu, WorkloadGpuGeneration::AMPERE);
    EXPECT_TRUE(tuning.amdCpu);
    EXPECT_FALSE(tuning.ll128);
    EXPECT_EQ(tuning.channels, 8U);
    EXPECT_EQ(tuning.serverGBps, 200);
    EXPECT_EQ(tuning.nicGBps, 24);
}

/** A chain of 3 ranks, twice, 50 ns of computation between: begin, message, end; gap; the same. */
TEST(WorkloadCollectiveSpec, MakesASchedule)
{
    const std::string text = "broadcast:ranks=3,bytes=10,algorithm=ring,repeat=2,gap=50ns";
    const WorkloadSchedule schedule = MakeCollectiveSchedule(text);
    EXPECT_EQ(schedule.origin, text);
    EXPECT_EQ(schedule.categories, (std::vector<std::string>{"other", "broadcast", "compute"}));
    ASSERT_EQ(schedule.ranks.size(), 3U);
    const WorkloadRank& middle = schedule.ranks[1];
    std::ostringstream shown;
    for (const WorkloadOperation& operation : middle.operations)
    {
        shown << static_cast<int>(operation.kind) << ':' << operation.size << ':'
              << static_cast<int>(operation.category) << ' ';
    }
    EXPECT_EQ(shown.str(), "3:0:1 2:10:1 1:10:1 3:0:1 3:50:2 3:0:1 2:10:1 1:10:1 3:0:1 ");
}

TEST(WorkloadCollectiveSpec, EveryKindOfTheHelp)
{
    const std::string help = WorkloadCollectiveSpecHelp();
    for (const Kind kind : WorkloadValues<Kind>())
    {
        const std::string name = WorkloadName(kind);
        EXPECT_NE(help.find("\n  " + name + " "), std::string::npos);
        EXPECT_TRUE(IsWorkloadCollectiveSpec(name + ":ranks=4"));
        EXPECT_EQ(MakeCollectiveSchedule(name + ":ranks=1,bytes=0").CountOperations(), 2U);
    }
    EXPECT_FALSE(IsWorkloadCollectiveSpec("all-reduce.goal"));
    std::istringstream lines(help.substr(help.find("Examples:")));
    std::string line;
    std::getline(lines, line);
    uint32_t examples = 0;
    while (std::getline(lines, line))
    {
        EXPECT_GT(MakeCollectiveSchedule(line.substr(2)).CountOperations(), 0U) << line;
        ++examples;
    }
    EXPECT_EQ(examples, 4U);
}

TEST(WorkloadCollectiveSpec, Rejects)
{
    EXPECT_EQ(ErrorOf("gather:ranks=2"),
              "gather: no such kind of collective; did you mean all-gather? There are all-reduce, "
              "all-gather, "
              "reduce-scatter, broadcast, reduce, all-to-all and send-recv");
    EXPECT_EQ(ErrorOf("all-reduce:bytes=1"),
              "all-reduce: ranks is missing; give it, as in ranks=64");
    EXPECT_EQ(ErrorOf("all-reduce:ranks=4"),
              "all-reduce: bytes is missing; give it, as in bytes=1GB");
    EXPECT_EQ(ErrorOf("all-reduce:ranks=0,bytes=1"),
              "all-reduce: ranks=0, but must be a whole number from 1 to 1048576");
    EXPECT_NE(ErrorOf("all-reduce:ranks=4,bytes=1,root=2").find("has no key root"),
              std::string::npos);
    EXPECT_NE(ErrorOf("reduce:ranks=4,bytes=1,root=4").find("from 0 to 3"), std::string::npos);
    const std::string start = "all-reduce:ranks=4,bytes=";
    for (const std::string wrong : {"",
                                    "-1",
                                    "1PB",
                                    "99999999999999999999",
                                    "0.5",
                                    "5e18",
                                    "1,chunk=0",
                                    "1,chunk=x",
                                    "1,window=-1",
                                    "1,window=none",
                                    "1,channels=65",
                                    "1,algorithm=direct",
                                    "1,algorithm=RING",
                                    "1,protocol=LL",
                                    "1,element=0",
                                    "1,element=8,chunk=4",
                                    "1,ranks-per-server=0",
                                    "1,nvlink=1",
                                    "1,nvlink-rate=5Gbps",
                                    "1,nvlink=cost,nvlink-rate=0Gbps",
                                    "1,repeat=0",
                                    "1,gap=1us",
                                    "1,repeat=2,gap=1",
                                    "1,copy-ns-per-byte=nan",
                                    "1,reduce-ns-per-byte=-1",
                                    "1,algorithm=ring,gpu=volta",
                                    "1,gpu=pascal",
                                    "1,max-channels=33",
                                    "1TB,chunk=1",
                                    "1,repeat=100000000",
                                    "1,ranks=5",
                                    "1,x=1"})
    {
        EXPECT_EQ(ErrorOf(start + wrong).find("all-reduce: "), 0U)
            << wrong << ErrorOf(start + wrong);
    }
}

/** NCCL's model by hand. 16 GPUs, 2 servers of 8, 1 MiB, ring, Simple, Hopper: 30 steps, of which 4
 * between servers at 14 us, 26 inside at max(3.4, 3 * 1) us; times 1.4 for the plateau; 360 GB/s of
 * bus bandwidth times 16 / 30. */
TEST(WorkloadCollectiveTuning, RingByHand)
{
    const WorkloadNcclTuning tuning;
    const WorkloadNcclCase what{Kind::ALL_REDUCE, 1 << 20, 16, 2};
    const double latency = (8.4 + 26 * 3.4 + 4 * 14.0) * 1.4;
    EXPECT_NEAR(EstimateWorkloadNcclUs(what, Algorithm::RING, Protocol::SIMPLE, tuning),
                latency + (1 << 20) / (1000 * 360.0 * 16 / 30),
                1e-6);
}

/** The same by tree and LL: 7 hops inside at 0.6 us, log2(2) between at 5 us, both ways. Bandwidth:
 * min(0.92 * 360, 16 * 41.4) / 3.8 = 87.2, at most 39; halved; times 0.4 at 2^14 * 64 bytes. */
TEST(WorkloadCollectiveTuning, TreeByHand)
{
    const WorkloadNcclTuning tuning;
    const WorkloadNcclCase what{Kind::ALL_REDUCE, 1 << 20, 16, 2};
    const double latency = 6.8 + 2 * (7 * 0.6 + 5.0);
    EXPECT_NEAR(EstimateWorkloadNcclUs(what, Algorithm::DOUBLE_BINARY_TREE, Protocol::LL, tuning),
                latency + (1 << 20) / (1000 * 39.0 / 2 * 0.5),
                1e-6);
}

/** Small: a tree with LL and one channel (two, for its two trees). Large: a ring with Simple. */
TEST(WorkloadCollectiveTuning, ChoosesBySize)
{
    const WorkloadCollective small = Resolved(Kind::ALL_REDUCE, 1024, 64, 8);
    EXPECT_EQ(small.algorithm, Algorithm::DOUBLE_BINARY_TREE);
    EXPECT_EQ(small.protocol, Protocol::LL);
    EXPECT_EQ(small.channels, 2U);
    const WorkloadCollective large = Resolved(Kind::ALL_REDUCE, uint64_t{4} << 30, 64, 8);
    EXPECT_EQ(large.algorithm, Algorithm::RING);
    EXPECT_EQ(large.protocol, Protocol::SIMPLE);
    EXPECT_EQ(large.channels, 16U);
    EXPECT_EQ(Resolved(Kind::ALL_GATHER, 1024, 64, 8).protocol, Protocol::LL);
    EXPECT_EQ(Resolved(Kind::ALL_TO_ALL, 64ULL * 16384, 64, 8).protocol, Protocol::LL);
    EXPECT_EQ(Resolved(Kind::ALL_TO_ALL, 64ULL * 16385, 64, 8).protocol, Protocol::SIMPLE);
}

/** Simple: 512 threads of 64 bytes: 32 KiB per channel. An LL ring: 512 * 8 * members. */
TEST(WorkloadCollectiveTuning, Channels)
{
    const WorkloadNcclTuning tuning;
    const auto channels = [&](uint64_t bytes, Algorithm algorithm, Protocol protocol) {
        return WorkloadNcclChannels({Kind::ALL_REDUCE, bytes, 4, 1}, algorithm, protocol, tuning);
    };
    EXPECT_EQ(channels(0, Algorithm::RING, Protocol::SIMPLE), 1U);
    EXPECT_EQ(channels(3ULL * 32768 - 1, Algorithm::RING, Protocol::SIMPLE), 2U);
    EXPECT_EQ(channels(3ULL * 32768, Algorithm::RING, Protocol::SIMPLE), 3U);
    EXPECT_EQ(channels(1 << 30, Algorithm::RING, Protocol::SIMPLE), 16U);
    EXPECT_EQ(channels(3ULL * 512 * 8 * 4, Algorithm::RING, Protocol::LL), 3U);
    EXPECT_EQ(channels(3ULL * 512 * 8, Algorithm::TREE, Protocol::LL), 3U);
    EXPECT_EQ(channels(3ULL * 640 * 8, Algorithm::TREE, Protocol::LL128), 3U);
}
