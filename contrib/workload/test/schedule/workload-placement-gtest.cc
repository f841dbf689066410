/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Where ranks run.

#include "harness/errors.h"

#include "ns3/input-error.h"
#include "ns3/rdma-traffic-random.h"
#include "ns3/workload-placement.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

namespace
{

using Nodes = std::vector<uint32_t>;
using Places = std::vector<Nodes>;
using ns3::WorkloadPlacementPolicy;

ns3::WorkloadPlacement
Policy(WorkloadPlacementPolicy policy, uint64_t seed = 1, uint32_t perNode = 1)
{
    return {policy, seed, perNode};
}

} // namespace

TEST(WorkloadPlacement, PackedPutsJobAfterJob)
{
    EXPECT_EQ(ns3::PlaceWorkloadJobs({{"a", 2, {}}, {"b", 3, {}}},
                                     6,
                                     Policy(WorkloadPlacementPolicy::PACKED)),
              (Places{{0, 1}, {2, 3, 4}}));
}

TEST(WorkloadPlacement, RoundRobinTakesARankOfEachJobInTurn)
{
    // a0 b0 c0 a1 c1 c2: b has one rank only
    EXPECT_EQ(ns3::PlaceWorkloadJobs({{"a", 2, {}}, {"b", 1, {}}, {"c", 3, {}}},
                                     6,
                                     Policy(WorkloadPlacementPolicy::ROUND_ROBIN)),
              (Places{{0, 3}, {1}, {2, 4, 5}}));
}

TEST(WorkloadPlacement, SeveralRanksPerNode)
{
    EXPECT_EQ(ns3::PlaceWorkloadJobs({{"a", 3, {}}, {"b", 1, {}}},
                                     2,
                                     Policy(WorkloadPlacementPolicy::PACKED, 1, 2)),
              (Places{{0, 0, 1}, {1}}));
    EXPECT_EQ(ns3::PlaceWorkloadJobs({{"a", 2, {}}, {"b", 2, {}}},
                                     2,
                                     Policy(WorkloadPlacementPolicy::ROUND_ROBIN, 1, 2)),
              (Places{{0, 1}, {0, 1}}))
        << "each node has a rank of either job";
}

TEST(WorkloadPlacement, ListedNodesAreTakenAndMayBeShared)
{
    EXPECT_EQ(ns3::PlaceWorkloadJobs({{"a", 2, {}}, {"b", 2, {1, 0}}, {"c", 2, {1, 3}}},
                                     5,
                                     Policy(WorkloadPlacementPolicy::PACKED)),
              (Places{{2, 4}, {1, 0}, {1, 3}}));
}

TEST(WorkloadPlacement, RandomIsTheSameOnEveryMachine)
{
    // computed apart from this code: SplitMix64 as in rdma-traffic-random.h, Fisher and Yates from
    // the last place down
    ns3::RdmaTrafficRandom random(7, 0);
    Nodes expected{0, 1, 2, 3, 4, 5, 6, 7};
    for (size_t i = 7; i > 0; --i)
    {
        std::swap(expected[i], expected[random.Below(i + 1)]);
    }
    const auto places = ns3::PlaceWorkloadJobs({{"a", 5, {}}, {"b", 3, {}}},
                                               8,
                                               Policy(WorkloadPlacementPolicy::RANDOM, 7));
    EXPECT_EQ(places[0], Nodes(expected.begin(), expected.begin() + 5));
    EXPECT_EQ(places[1], Nodes(expected.begin() + 5, expected.end()));
    EXPECT_NE(places,
              ns3::PlaceWorkloadJobs({{"a", 5, {}}, {"b", 3, {}}},
                                     8,
                                     Policy(WorkloadPlacementPolicy::RANDOM, 8)));
}

TEST(WorkloadPlacement, RandomUsesEveryNodeAboutEquallyOften)
{
    // one rank among 4 nodes, 4,000 seeds: 1,000 each; six standard deviations are
    // 6 * sqrt(4000 * 1/4 * 3/4) = 164
    std::map<uint32_t, int> counts;
    for (uint64_t seed = 0; seed < 4000; ++seed)
    {
        ++counts[ns3::PlaceWorkloadJobs({{"a", 1, {}}},
                                        4,
                                        Policy(WorkloadPlacementPolicy::RANDOM, seed))[0][0]];
    }
    ASSERT_EQ(counts.size(), 4U);
    for (const auto& [node, count] : counts)
    {
        EXPECT_NEAR(count, 1000, 164) << node;
    }
}

TEST(WorkloadPlacement, NoPolicyOverfillsANodeOrTouchesAListedOne)
{
    ns3::RdmaTrafficRandom random(1, 0);
    for (int round = 0; round < 2000; ++round)
    {
        std::vector<ns3::WorkloadPlacementRequest> jobs;
        uint64_t wanted = 0;
        Nodes listed;
        const auto perNode = static_cast<uint32_t>(random.Below(3) + 1);
        for (uint64_t job = 0; job <= random.Below(4); ++job)
        {
            jobs.push_back({"j", static_cast<uint32_t>(random.Below(6) + 1), {}});
            if (random.Below(4) == 0)
            {
                for (uint32_t rank = 0; rank < jobs.back().ranks; ++rank)
                {
                    jobs.back().nodes.push_back(static_cast<uint32_t>(random.Below(10)));
                    listed.push_back(jobs.back().nodes.back());
                }
            }
            wanted += jobs.back().nodes.empty() ? jobs.back().ranks : 0;
        }
        const auto places = ns3::PlaceWorkloadJobs(
            jobs,
            static_cast<uint32_t>(10 + (wanted + perNode - 1) / perNode),
            Policy(static_cast<WorkloadPlacementPolicy>(random.Below(3)), round, perNode));
        std::map<uint32_t, uint32_t> ranks;
        for (size_t job = 0; job < jobs.size(); ++job)
        {
            ASSERT_EQ(places[job].size(), jobs[job].ranks);
            for (uint32_t node : jobs[job].nodes.empty() ? places[job] : Nodes())
            {
                EXPECT_LE(++ranks[node], perNode);
                EXPECT_EQ(std::count(listed.begin(), listed.end(), node), 0);
            }
        }
    }
}

TEST(WorkloadPlacement, Mistakes)
{
    const auto place = [](std::vector<ns3::WorkloadPlacementRequest> jobs, uint32_t nodes) {
        return harness::InputErrorOf([&]() { ns3::PlaceWorkloadJobs(jobs, nodes, {}); });
    };
    EXPECT_NE(place({{"a", 5, {}}}, 4).find("places for 5 ranks, but there are 4"),
              std::string::npos)
        << place({{"a", 5, {}}}, 4);
    EXPECT_NE(place({{"a", 2, {0}}}, 4).find("job a has 2 ranks, but its list names 1"),
              std::string::npos);
    EXPECT_NE(place({{"a", 2, {0, 4}}}, 4).find("node 4 is listed, but there are 4"),
              std::string::npos);
    EXPECT_NE(place({{"a", 2, {0, 1}}, {"b", 3, {}}}, 4).find("less those that other jobs list"),
              std::string::npos);
}

TEST(WorkloadPlacement, ListsAreRead)
{
    EXPECT_EQ(ns3::ParseWorkloadNodes("0-3+16+5-5"), (Nodes{0, 1, 2, 3, 16, 5}));
    EXPECT_EQ(ns3::ParseWorkloadNodes("7"), Nodes{7});
    for (const char* wrong : {"",
                              "+",
                              "1+",
                              "-",
                              "3-1",
                              "a",
                              "1,2",
                              "0-4294967295",
                              "99999999999999999999",
                              "0-1048576",
                              "0-1048575+1",
                              "1--2",
                              " 1"})
    {
        EXPECT_NE(
            harness::InputErrorOf([&]() { ns3::ParseWorkloadNodes(wrong); }).find("must be nodes"),
            std::string::npos)
            << wrong;
    }
    EXPECT_EQ(ns3::ParseWorkloadNodes("0-1048575").size(), 1048576U);
}

TEST(WorkloadPlacement, PoliciesHaveNames)
{
    WorkloadPlacementPolicy policy{};
    EXPECT_TRUE(ns3::ParseWorkloadPlacementPolicy("round-robin", policy));
    EXPECT_EQ(policy, WorkloadPlacementPolicy::ROUND_ROBIN);
    EXPECT_FALSE(ns3::ParseWorkloadPlacementPolicy("Packed", policy));
    EXPECT_FALSE(ns3::ParseWorkloadPlacementPolicy("", policy));
}
