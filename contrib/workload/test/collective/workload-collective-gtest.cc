/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/collective_checker.h"
#include "harness/collectives.h"
#include "harness/sanitized.h"

#include "ns3/input-error.h"
#include "ns3/workload-collective-names.h"
#include "ns3/workload-collective-protocol.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace ns3;

namespace
{

using Algorithm = WorkloadCollectiveAlgorithm;
using Kind = WorkloadCollectiveKind;
using Protocol = WorkloadProtocol;

/** Every kind with every algorithm that it has. */
const std::vector<std::pair<Kind, Algorithm>> COMBINATIONS{
    {Kind::ALL_REDUCE, Algorithm::RING},
    {Kind::ALL_REDUCE, Algorithm::TREE},
    {Kind::ALL_REDUCE, Algorithm::DOUBLE_BINARY_TREE},
    {Kind::ALL_GATHER, Algorithm::RING},
    {Kind::REDUCE_SCATTER, Algorithm::RING},
    {Kind::BROADCAST, Algorithm::RING},
    {Kind::BROADCAST, Algorithm::TREE},
    {Kind::REDUCE, Algorithm::RING},
    {Kind::REDUCE, Algorithm::TREE},
    {Kind::ALL_TO_ALL, Algorithm::DIRECT},
    {Kind::SEND_RECV, Algorithm::RING}};

/** A generator of its own: the same numbers everywhere. */
class Random
{
  public:
    explicit Random(uint64_t seed)
        : m_state(seed * 2 + 1)
    {
    }

    uint64_t Below(uint64_t bound)
    {
        m_state = m_state * 6364136223846793005 + 1442695040888963407;
        return (m_state >> 33) % bound;
    }

    template <typename T>
    T Of(const std::vector<T>& values)
    {
        return values[Below(values.size())];
    }

  private:
    uint64_t m_state;
};

std::string
Text(const WorkloadCollective& collective, size_t members)
{
    return WorkloadName(collective.kind) + " " + WorkloadName(collective.algorithm) + " " +
           WorkloadName(collective.protocol) + " members " + std::to_string(members) + " bytes " +
           std::to_string(collective.bytes) + " channels " + std::to_string(collective.channels) +
           " chunk " + std::to_string(collective.chunkBytes) + " window " +
           std::to_string(collective.window) + " element " +
           std::to_string(collective.elementBytes) + " per server " +
           std::to_string(collective.ranksPerServer) + " root " + std::to_string(collective.root) +
           (collective.nvlinkOnNetwork ? "" : " nvlink cost");
}

/** A collective's schedule and what it carries. */
struct Made
{
    WorkloadSchedule schedule;
    WorkloadCollectiveTrace trace;
};

Made
Make(const std::vector<uint32_t>& members, const WorkloadCollective& collective)
{
    Made made;
    WorkloadScheduleBuilder builder(*std::max_element(members.begin(), members.end()) + 1);
    AddWorkloadCollective(builder, members, collective, {}, &made.trace);
    made.schedule = builder.Build();
    return made;
}

/** Ranks in any order, with gaps. */
std::vector<uint32_t>
AnyRanks(uint32_t count, Random& random)
{
    std::vector<uint32_t> ranks = harness::FirstRanks(count + 5);
    for (size_t i = ranks.size() - 1; i > 0; --i)
    {
        std::swap(ranks[i], ranks[random.Below(i + 1)]);
    }
    ranks.resize(count);
    return ranks;
}

uint64_t
CountMessages(const WorkloadSchedule& schedule)
{
    uint64_t count = 0;
    for (const WorkloadRank& rank : schedule.ranks)
    {
        count += std::count_if(rank.operations.begin(), rank.operations.end(), [](const auto& o) {
            return o.kind == WorkloadKind::SEND;
        });
    }
    return count;
}

bool
IsSameServer(const WorkloadCollective& collective, uint32_t a, uint32_t b)
{
    return a / collective.ranksPerServer == b / collective.ranksPerServer;
}

/** Every message has the size that its bytes have on the wire; 0 inside a server if NVLink is no
 * network. */
void
ExpectWireSizes(const Made& made, const WorkloadCollective& collective)
{
    for (const WorkloadCollectiveTransfer& transfer : made.trace)
    {
        const WorkloadOperation& operation =
            made.schedule.ranks[transfer.rank].operations[transfer.operation];
        const bool off =
            !collective.nvlinkOnNetwork && IsSameServer(collective, transfer.rank, operation.peer);
        const uint64_t payload = transfer.end - transfer.begin;
        const uint64_t expected = off                                   ? 0
                                  : collective.protocol == Protocol::LL ? 16 * ((payload + 7) / 8)
                                  : collective.protocol == Protocol::LL128
                                      ? 128 * ((payload + 119) / 120)
                                      : payload;
        ASSERT_EQ(operation.size, expected);
        ASSERT_GT(payload, 0U);
    }
}

void
ExpectDelivers(const std::vector<uint32_t>& members,
               const WorkloadCollective& collective,
               Random& random)
{
    const Made made = Make(members, collective);
    ASSERT_EQ(made.trace.size(), 2 * CountMessages(made.schedule));
    ExpectWireSizes(made, collective);
    const std::vector<RunOrder> orders{RunOrder::RANDOM,
                                       RunOrder::SENDS_FIRST,
                                       RunOrder::RECEIVES_FIRST,
                                       RunOrder::LAST_RANK_FIRST};
    for (const DataTaken taken : {DataTaken::AT_SEND, DataTaken::AT_MATCH})
    {
        const RunOrder order = random.Of(orders);
        const uint64_t seed = random.Below(1000000);
        ASSERT_EQ(CheckDelivery(made.schedule, members, collective, made.trace, taken, order, seed),
                  "")
            << Text(collective, members.size());
    }
}

} // namespace

/** Every algorithm and protocol, 1 to 17 members, servers of 1, 2, 4, 8; the rest drawn. */
TEST(WorkloadCollective, Delivers)
{
    // one of five meets each of 12 protocols and servers in turn
    constexpr uint32_t EVERY = harness::IsSanitized() ? 5 : 1;
    uint32_t number = 0;
    Random random(1);
    for (const auto& [kind, algorithm] : COMBINATIONS)
    {
        for (uint32_t n = 1; n <= 17; ++n)
        {
            for (const Protocol protocol : {Protocol::SIMPLE, Protocol::LL, Protocol::LL128})
            {
                for (const uint32_t perServer : {1U, 2U, 4U, 8U})
                {
                    if (++number % EVERY != 0)
                    {
                        continue;
                    }
                    WorkloadCollective collective;
                    collective.kind = kind;
                    collective.algorithm = algorithm;
                    collective.protocol = protocol;
                    collective.ranksPerServer = perServer;
                    collective.bytes = random.Of<uint64_t>({0,
                                                            1,
                                                            n - 1,
                                                            n,
                                                            n + 1,
                                                            uint64_t{n} + (n - 1),
                                                            61,
                                                            4 * uint64_t{n},
                                                            200 + random.Below(50)});
                    collective.root = static_cast<uint32_t>(random.Below(n));
                    collective.channels = random.Of<uint32_t>({1, 1, 2, 3, 4});
                    collective.elementBytes = random.Of<uint32_t>({1, 1, 2, 4, 7});
                    collective.chunkBytes =
                        random.Of<uint64_t>({0, 0, 7, 16, 31, WORKLOAD_NCCL_CHUNKS});
                    collective.window = random.Of<uint32_t>({0, 0, 1, 2, 5, WORKLOAD_NCCL_WINDOW});
                    collective.reduceNsPerByte = random.Of<double>({0, 0.5});
                    collective.copyNsPerByte = random.Of<double>({0, 0.25});
                    collective.rotateChannels = random.Below(2);
                    const bool ordered = random.Below(2) == 0;
                    ExpectDelivers(ordered ? harness::FirstRanks(n) : AnyRanks(n, random),
                                   collective,
                                   random);
                    if (HasFatalFailure())
                    {
                        return;
                    }
                }
            }
        }
    }
}

/** Chunks as NCCL's buffers make them only show with larger data. */
TEST(WorkloadCollective, DeliversInNcclChunks)
{
    Random random(2);
    for (const auto& [kind, algorithm] : COMBINATIONS)
    {
        for (const uint32_t n : {2U, 3U, 5U})
        {
            WorkloadCollective collective;
            collective.kind = kind;
            collective.algorithm = algorithm;
            collective.protocol =
                random.Of<Protocol>({Protocol::LL, Protocol::LL, Protocol::SIMPLE});
            collective.bytes = 40000 + random.Below(100000);
            collective.elementBytes = 2;
            collective.channels = static_cast<uint32_t>(random.Below(3));
            collective.chunkBytes = WORKLOAD_NCCL_CHUNKS;
            collective.window = WORKLOAD_NCCL_WINDOW;
            ExpectDelivers(harness::FirstRanks(n), collective, random);
        }
    }
}

/** Between servers messages, inside computations and empty messages: it still delivers. */
TEST(WorkloadCollective, DeliversWithNvlinkAsCost)
{
    Random random(3);
    for (const auto& [kind, algorithm] : COMBINATIONS)
    {
        for (uint32_t n = 3; n <= 17; n += 2)
        {
            WorkloadCollective collective;
            collective.kind = kind;
            collective.algorithm = algorithm;
            collective.bytes = 100 + random.Below(100);
            collective.ranksPerServer = 2;
            collective.nvlinkOnNetwork = false;
            collective.nvlinkBytesPerNs = 0.5;
            collective.channels = random.Of<uint32_t>({1, 2});
            collective.window = random.Of<uint32_t>({0, 2});
            ExpectDelivers(harness::FirstRanks(n), collective, random);
        }
    }
}

/** In one server no message is left, and each member computes as long as its transfers take. */
TEST(WorkloadCollective, OneServerAsCost)
{
    WorkloadCollective collective;
    collective.algorithm = Algorithm::RING;
    collective.bytes = 800000;
    collective.ranksPerServer = 8;
    collective.nvlinkOnNetwork = false;
    collective.nvlinkBytesPerNs = 100;
    const Made made = Make(harness::FirstRanks(8), collective);
    EXPECT_EQ(CountMessages(made.schedule), 0U);
    EXPECT_TRUE(made.trace.empty());
    for (const WorkloadRank& rank : made.schedule.ranks)
    {
        uint64_t ns = 0;
        for (const WorkloadOperation& operation : rank.operations)
        {
            ns += operation.size;
        }
        EXPECT_EQ(ns, 14U * (100000 / 100)); // 2 * 7 steps of an eighth
    }
}

/** The checker finds each dependency between data that is missing. */
TEST(WorkloadCollective, CheckerFindsMissingDependencies)
{
    for (const Algorithm algorithm :
         {Algorithm::RING, Algorithm::TREE, Algorithm::DOUBLE_BINARY_TREE})
    {
        WorkloadCollective collective;
        collective.algorithm = algorithm;
        collective.bytes = 12;
        const std::vector<uint32_t> members = harness::FirstRanks(5);
        const Made made = Make(members, collective);
        uint32_t removed = 0;
        for (uint32_t victim = 0; victim < 5; ++victim)
        {
            const WorkloadRank& rank = made.schedule.ranks[victim];
            for (uint32_t before = 1; before < rank.operations.size(); ++before)
            {
                for (uint32_t i = rank.firstWaiter[before]; i < rank.firstWaiter[before + 1]; ++i)
                {
                    const uint32_t after = rank.waiters[i].Operation();
                    if (rank.operations[after].kind != WorkloadKind::SEND)
                    {
                        continue;
                    }
                    WorkloadSchedule broken = made.schedule;
                    WorkloadRank& mutant = broken.ranks[victim];
                    mutant.waiters.erase(mutant.waiters.begin() + i);
                    --mutant.operations[after].dependencies;
                    for (uint32_t j = before + 1; j < mutant.firstWaiter.size(); ++j)
                    {
                        --mutant.firstWaiter[j];
                    }
                    ++removed;
                    bool found = false;
                    for (uint64_t seed = 0; seed < 20 && !found; ++seed)
                    {
                        found = !CheckDelivery(broken,
                                               members,
                                               collective,
                                               made.trace,
                                               DataTaken::AT_SEND,
                                               RunOrder::SENDS_FIRST,
                                               seed)
                                     .empty();
                    }
                    EXPECT_TRUE(found) << WorkloadName(algorithm) << " rank " << victim << ": "
                                       << after << " requires " << before;
                }
            }
        }
        EXPECT_GT(removed, 5U);
    }
}

/** Overlapping collectives of the same ranks never share a tag. */
TEST(WorkloadCollective, TagsAreUnique)
{
    WorkloadScheduleBuilder builder(6);
    for (const auto& [kind, algorithm] : COMBINATIONS)
    {
        WorkloadCollective collective;
        collective.kind = kind;
        collective.algorithm = algorithm;
        collective.bytes = 100;
        collective.channels = 2;
        collective.chunkBytes = 10;
        AddWorkloadCollective(builder, harness::FirstRanks(6), collective);
        AddWorkloadCollective(builder, {5, 3, 1, 0}, collective);
    }
    std::vector<std::vector<uint64_t>> keys(2); // of sends and receives
    const WorkloadSchedule schedule = builder.Build();
    for (uint64_t rank = 0; rank < 6; ++rank)
    {
        for (const WorkloadOperation& operation : schedule.ranks[rank].operations)
        {
            if (operation.kind != WorkloadKind::CALC)
            {
                const bool sends = operation.kind == WorkloadKind::SEND;
                const uint64_t pair =
                    sends ? rank * 8ULL + operation.peer : operation.peer * 8ULL + rank;
                keys[sends].push_back(pair << 32 | operation.tag);
            }
        }
    }
    std::sort(keys[0].begin(), keys[0].end());
    std::sort(keys[1].begin(), keys[1].end());
    EXPECT_EQ(keys[0], keys[1]);
    EXPECT_EQ(std::adjacent_find(keys[0].begin(), keys[0].end()), keys[0].end());
}

TEST(WorkloadCollective, BeginsAfterAndEndsLast)
{
    WorkloadCollective collective;
    collective.bytes = 64;
    WorkloadScheduleBuilder builder(4);
    const uint32_t calc = builder.Calc(2, 50);
    const WorkloadCollectiveEnds ends =
        AddWorkloadCollective(builder, {1, 2}, collective, {WORKLOAD_NONE, calc});
    const WorkloadSchedule schedule = builder.Build();
    EXPECT_EQ(ends.begin, (std::vector<uint32_t>{0, 1}));
    EXPECT_EQ(schedule.ranks[1].operations[0].dependencies, 0U);
    EXPECT_EQ(schedule.ranks[2].operations[1].dependencies, 1U);
    for (uint32_t member = 0; member < 2; ++member)
    {
        const WorkloadRank& rank = schedule.ranks[member + 1];
        EXPECT_EQ(ends.end[member], rank.operations.size() - 1);
        EXPECT_EQ(rank.operations.back().kind, WorkloadKind::CALC);
    }
    EXPECT_TRUE(schedule.ranks[0].operations.empty());
}

TEST(WorkloadCollective, RejectsWhatIsImpossible)
{
    const auto error = [](const std::vector<uint32_t>& members, auto change) -> std::string {
        WorkloadCollective collective;
        collective.bytes = 100;
        change(collective);
        WorkloadScheduleBuilder builder(4);
        try
        {
            AddWorkloadCollective(builder, members, collective);
        }
        catch (const InputError& e)
        {
            return e.what();
        }
        return "";
    };
    const auto nothing = [](WorkloadCollective&) {};
    EXPECT_EQ(error({0, 1}, nothing), "");
    EXPECT_EQ(error({}, nothing), "all-reduce: has no members; name one rank at least");
    EXPECT_EQ(error({1, 0, 1}, nothing), "all-reduce: rank 1 is a member twice; name it once");
    EXPECT_EQ(error({1, 4}, nothing),
              "all-reduce: rank 4 is a member, but the schedule has only 4 ranks");
    const auto broadcast = [](WorkloadCollective& c) {
        c.kind = Kind::BROADCAST;
        c.root = 2;
    };
    EXPECT_EQ(error({0, 1}, broadcast),
              "broadcast: the root is member 2, but there are only 2, counted from 0");
    EXPECT_EQ(error({0, 1},
                    [](WorkloadCollective& c) {
                        c.kind = Kind::ALL_GATHER;
                        c.algorithm = Algorithm::TREE;
                    }),
              "all-gather: algorithm tree is none of its own; use one of auto, ring");
    const std::vector<void (*)(WorkloadCollective&)> wrong{
        [](WorkloadCollective& c) { c.elementBytes = 0; },
        [](WorkloadCollective& c) { c.ranksPerServer = 0; },
        [](WorkloadCollective& c) { c.channels = 65; },
        [](WorkloadCollective& c) { c.bytes = UINT64_MAX; },
        [](WorkloadCollective& c) { c.reduceNsPerByte = -1; },
        [](WorkloadCollective& c) { c.copyNsPerByte = std::stod("nan"); },
        [](WorkloadCollective& c) {
            c.nvlinkOnNetwork = false;
            c.nvlinkBytesPerNs = 0;
        },
        [](WorkloadCollective& c) {
            c.bytes = uint64_t{1} << 40;
            c.chunkBytes = 1;
        },
        [](WorkloadCollective& c) {
            c.chunkBytes = 3;
            c.elementBytes = 4;
        }};
    for (size_t i = 0; i < wrong.size(); ++i)
    {
        EXPECT_NE(error({0, 1}, wrong[i]), "") << i;
    }
}
