/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/input-error.h"
#include "ns3/workload-simai-flows.h"
#include "ns3/workload-simai-groups.h"
#include "ns3/workload-simai-instance.h"

#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace ns3;

namespace
{

using Kind = WorkloadSimAiKind;
using Group = WorkloadSimAiGroup;
using Algorithm = WorkloadSimAiAlgorithm;
using Ranks = std::vector<uint32_t>;

/** n ranks, g per server, from rank 0. */
WorkloadSimAiShape
Shape(uint32_t n, uint32_t g, uint32_t switches = 0)
{
    Ranks ranks(n);
    for (uint32_t i = 0; i < n; ++i)
    {
        ranks[i] = i;
    }
    return MakeWorkloadSimAiShape(ranks, g, switches);
}

WorkloadSimAiFlowSet
Rings(Kind kind, uint32_t n, uint32_t g, bool pxn = false)
{
    return MakeWorkloadSimAiFlows(kind, Algorithm::RING, pxn, Shape(n, g));
}

Ranks
Parents(const WorkloadSimAiFlowSet& set, uint32_t flow)
{
    return {set.parents.begin() + set.parentBegin[flow],
            set.parents.begin() + set.parentBegin[flow + 1]};
}

} // namespace

TEST(SimAiGroups, AreThoseOfTheExampleWith64Gpus)
{
    const WorkloadSimAiGroups groups(64, 8, 4);
    const auto of = [&](Group kind, uint32_t rank) {
        return groups.GetRanks(kind, groups.GetGroup(kind, rank));
    };
    EXPECT_EQ(of(Group::TP, 0), (Ranks{0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(of(Group::DP, 0), (Ranks{0, 8, 16, 24, 32, 40, 48, 56}));
    EXPECT_EQ(of(Group::EP, 0), (Ranks{0, 8, 16, 24}));
    EXPECT_EQ(of(Group::DP_EP, 0), (Ranks{0, 32}));
    EXPECT_EQ(of(Group::EP, 43), (Ranks{35, 43, 51, 59})); // second block of 4 tensor groups, k = 3
    EXPECT_EQ(of(Group::DP_EP, 43), (Ranks{11, 43}));
}

TEST(SimAiGroups, PutEveryRankInOneGroupOfEachKindAtItsPlace)
{
    for (const auto& [ranks, tp, ep] : {std::tuple<uint32_t, uint32_t, uint32_t>{64, 8, 4},
                                        {48, 2, 6},
                                        {16, 1, 4},
                                        {12, 12, 1},
                                        {1, 1, 1},
                                        {30, 5, 3}})
    {
        const WorkloadSimAiGroups groups(ranks, tp, ep);
        for (Group kind : {Group::TP, Group::DP, Group::EP, Group::DP_EP, Group::ALL})
        {
            std::set<uint32_t> numbers;
            for (uint32_t rank = 0; rank < ranks; ++rank)
            {
                const uint32_t number = groups.GetGroup(kind, rank);
                numbers.insert(number);
                const Ranks members = groups.GetRanks(kind, number);
                ASSERT_EQ(members.size(), groups.GetSize(kind));
                ASSERT_EQ(members.at(groups.GetMember(kind, rank)), rank);
            }
            EXPECT_EQ(numbers.size() * groups.GetSize(kind), ranks);
        }
    }
}

TEST(SimAiGroups, RejectWhatDoesNotDivide)
{
    EXPECT_THROW(WorkloadSimAiGroups(10, 4, 1), InputError);
    EXPECT_THROW(WorkloadSimAiGroups(16, 4, 3), InputError);
    EXPECT_THROW(WorkloadSimAiGroups(0, 1, 1), InputError);
    EXPECT_THROW(WorkloadSimAiGroups(8, 16, 1), InputError);
}

TEST(SimAiFlows, HaveThePublishedCounts)
{
    // 2(n-1)nc, (n-1)nc, n(n-1), 8n; with PXN, servers more per step and
    // channel.
    EXPECT_EQ(Rings(Kind::ALL_REDUCE, 8, 8).flows.size(), 896U);
    EXPECT_EQ(Rings(Kind::ALL_REDUCE, 16, 8).flows.size(), 3840U);
    EXPECT_EQ(Rings(Kind::ALL_REDUCE, 16, 8, true).flows.size(), 4320U);
    EXPECT_EQ(Rings(Kind::ALL_REDUCE, 32, 1).flows.size(), 1984U);
    EXPECT_EQ(Rings(Kind::ALL_GATHER, 8, 8).flows.size(), 7U * 8 * 8);
    EXPECT_EQ(Rings(Kind::REDUCE_SCATTER, 8, 4).flows.size(), 7U * 8 * 4);
    EXPECT_EQ(Rings(Kind::ALL_TO_ALL, 8, 8).flows.size(), 56U);
    const WorkloadSimAiFlowSet nvls =
        MakeWorkloadSimAiFlows(Kind::ALL_REDUCE, Algorithm::NVLS, false, Shape(8, 8, 1));
    EXPECT_EQ(nvls.flows.size(), 64U);
}

TEST(SimAiFlows, HaveThePublishedSizes)
{
    const uint64_t mebibyte = 1048576;
    EXPECT_EQ(WorkloadSimAiFlowBytes(Rings(Kind::ALL_REDUCE, 8, 8), 16 * mebibyte), 262144U);
    EXPECT_EQ(WorkloadSimAiFlowBytes(Rings(Kind::ALL_REDUCE, 16, 8), 128 * mebibyte), mebibyte);
    // 1007 / 8 = 125, / 8 = 15: both divisions cut off
    EXPECT_EQ(WorkloadSimAiFlowBytes(Rings(Kind::ALL_GATHER, 8, 8), 1007), 15U);
    EXPECT_EQ(WorkloadSimAiFlowBytes(Rings(Kind::ALL_TO_ALL, 8, 8), 1007), 125U);
    EXPECT_EQ(WorkloadSimAiFlowBytes(Rings(Kind::ALL_REDUCE, 8, 8), 63),
              1U); // SimAI: 0, and stops
    const WorkloadSimAiFlowSet nvls =
        MakeWorkloadSimAiFlows(Kind::ALL_REDUCE, Algorithm::NVLS, false, Shape(8, 8, 1));
    EXPECT_EQ(WorkloadSimAiFlowBytes(nvls, 16 * mebibyte), 4 * mebibyte);
    EXPECT_EQ(WorkloadSimAiFloatBytes(64972390), 64972392U); // as SimAI 1.6 does
    EXPECT_EQ(WorkloadSimAiFloatBytes(UINT64_MAX), UINT64_MAX);
    EXPECT_EQ(WorkloadSimAiFloatBytes(16777216), 16777216U);
}

TEST(SimAiFlows, LetEveryRingVisitAllAndChangeServersOnItsRail)
{
    const WorkloadSimAiFlowSet set = Rings(Kind::ALL_GATHER, 12, 4); // 3 servers, 4 channels
    for (uint32_t channel = 0; channel < 4; ++channel)
    {
        std::map<uint32_t, uint32_t> next;
        for (const WorkloadSimAiFlow& flow : set.flows)
        {
            if (flow.channel == channel && flow.step == 0)
            {
                EXPECT_TRUE(next.emplace(flow.src, flow.dst).second);
                if (flow.src / 4 != flow.dst / 4)
                {
                    EXPECT_EQ(flow.src % 4, (channel + 3) % 4);
                    EXPECT_EQ(flow.dst % 4, channel);
                    EXPECT_EQ(flow.dst / 4, (flow.src / 4 + 1) % 3);
                }
            }
        }
        uint32_t rank = 0;
        std::set<uint32_t> seen;
        for (uint32_t i = 0; i < 12; ++i, rank = next.at(rank))
        {
            seen.insert(rank);
        }
        EXPECT_EQ(seen.size(), 12U);
        EXPECT_EQ(rank, 0U);
    }
}

TEST(SimAiFlows, WaitForWhatTheirSourceReceivedAStepBefore)
{
    for (bool pxn : {false, true})
    {
        const WorkloadSimAiFlowSet set = Rings(Kind::ALL_REDUCE, 16, 8, pxn);
        uint32_t relayed = 0;
        for (uint32_t i = 0; i < set.flows.size(); ++i)
        {
            const WorkloadSimAiFlow& flow = set.flows[i];
            const Ranks parents = Parents(set, i);
            relayed += flow.relayed;
            ASSERT_EQ(parents.size(), flow.step == 0 && !flow.relayed ? 0U : 1U);
            for (uint32_t parent : parents)
            {
                ASSERT_LT(parent, i);
                ASSERT_EQ(set.flows[parent].dst, flow.src);
                ASSERT_EQ(set.flows[parent].channel, flow.channel);
                ASSERT_EQ(set.flows[parent].step, flow.relayed ? flow.step : flow.step - 1);
                ASSERT_EQ(set.flows[parent].src, flow.previous);
            }
            if (pxn)
            { // servers are left on the rail on which the next is entered
                ASSERT_TRUE(flow.src / 8 == flow.dst / 8 || flow.src % 8 == flow.dst % 8);
            }
        }
        EXPECT_EQ(relayed, pxn ? 2U * 30 * 8 : 0U);
    }
}

/** A receive is posted by the flow of its destination that SimAI posts it with. */
TEST(SimAiFlows, ArePostedWithTheStepOfTheirDestination)
{
    for (bool pxn : {false, true})
    {
        const WorkloadSimAiFlowSet set = Rings(Kind::ALL_REDUCE, 16, 8, pxn);
        ASSERT_GE(set.flows.size(), 30U * 16 * 8); // 2 (16 - 1) steps, 8 channels; and relays
        for (const WorkloadSimAiFlow& flow : set.flows)
        {
            const bool toRelay =
                pxn && flow.src / 8 == flow.dst / 8 && flow.dst % 8 == flow.channel;
            if (toRelay && flow.step == 0)
            {
                EXPECT_EQ(flow.postedBy, UINT32_MAX); // as its destination joins
                continue;
            }
            const WorkloadSimAiFlow& by = set.flows.at(flow.postedBy);
            EXPECT_EQ(by.src, flow.dst);
            EXPECT_EQ(by.channel, flow.channel);
            EXPECT_EQ(by.relayed, toRelay);
            EXPECT_EQ(by.step, toRelay ? flow.step - 1 : flow.step);
        }
    }
    const WorkloadSimAiFlowSet all = Rings(Kind::ALL_TO_ALL, 5, 5);
    ASSERT_EQ(all.flows.size(), 5U * 4);
    for (const WorkloadSimAiFlow& flow : all.flows)
    {
        EXPECT_EQ(all.flows.at(flow.postedBy).src, flow.dst);
    }
    const WorkloadSimAiFlowSet nvls =
        MakeWorkloadSimAiFlows(Kind::ALL_REDUCE, Algorithm::NVLS, false, Shape(8, 8, 2));
    ASSERT_FALSE(nvls.flows.empty());
    for (const WorkloadSimAiFlow& flow : nvls.flows)
    {
        if (flow.dst >= 8 && flow.step == 0)
        {
            EXPECT_EQ(flow.postedBy, UINT32_MAX);
            continue;
        }
        const WorkloadSimAiFlow& by = nvls.flows.at(flow.postedBy);
        EXPECT_EQ(by.src, flow.dst);
        EXPECT_EQ(by.step, flow.dst >= 8 ? flow.step - 1 : flow.step);
        EXPECT_TRUE(flow.dst >= 8 || by.dst == flow.src) << "of the same NVSwitch";
    }
}

namespace
{

std::vector<uint32_t>
Take(std::vector<WorkloadSimAiReady>& ready)
{
    std::vector<uint32_t> flows;
    flows.reserve(ready.size());
    for (const WorkloadSimAiReady& flow : ready)
    {
        flows.push_back(flow.flow);
    }
    ready.clear();
    return flows;
}

} // namespace

/** 4 ranks, one channel: flows 0 to 3 are step 0 of ranks 0 to 3, 4 to 7 step 1, and so on. */
TEST(SimAiInstance, ReceivesNoStepBeforeTheOneBefore)
{
    const WorkloadSimAiFlowSet set = Rings(Kind::ALL_GATHER, 4, 1);
    WorkloadSimAiInstance instance(set, {Kind::ALL_GATHER, Algorithm::RING, 4, set.members, 1});
    std::vector<WorkloadSimAiReady> ready;
    for (uint32_t member = 0; member < 4; ++member)
    {
        instance.Begin(member, ready);
    }
    EXPECT_EQ(Take(ready), (Ranks{0, 1, 2, 3}));
    for (uint32_t flow = 0; flow < 4; ++flow)
    {
        instance.Started(flow, ready);
    }
    EXPECT_TRUE(ready.empty());
    instance.Arrived(3, ready); // rank 3's step 0 at rank 0, whose step 1 is 4
    EXPECT_EQ(Take(ready), (Ranks{4}));
    instance.Started(4, ready);
    instance.Arrived(4, ready); // overtakes 0: rank 1 has not posted its step 1
    EXPECT_TRUE(instance.IsUnderWay(0) && !instance.IsUnderWay(4));
    EXPECT_TRUE(ready.empty());
    instance.Arrived(0, ready);
    EXPECT_EQ(Take(ready), (Ranks{5})); // rank 1's step 1, which posts the receive of 4
    instance.Started(5, ready);
    EXPECT_EQ(Take(ready), (Ranks{9})); // rank 1's step 2
    EXPECT_FALSE(instance.IsOver());
}

/** What comes to a rank that has not joined waits until its first flow starts. */
TEST(SimAiInstance, ReceivesNothingBeforeItPosts)
{
    const WorkloadSimAiFlowSet set = Rings(Kind::ALL_REDUCE, 2, 1); // 0, 1; then 2, 3
    WorkloadSimAiInstance instance(set, {Kind::ALL_REDUCE, Algorithm::RING, 2, set.members, 1});
    std::vector<WorkloadSimAiReady> ready;
    instance.Begin(0, ready);
    EXPECT_EQ(Take(ready), Ranks{0});
    instance.Started(0, ready);
    EXPECT_FALSE(instance.Sent(0, ready));
    EXPECT_FALSE(instance.Arrived(0, ready));
    instance.Begin(1, ready);
    EXPECT_EQ(Take(ready), Ranks{1});
    instance.Started(1, ready);
    EXPECT_EQ(Take(ready), Ranks{3});
    EXPECT_FALSE(instance.Sent(1, ready));
    EXPECT_FALSE(instance.Arrived(1, ready));
    EXPECT_EQ(Take(ready), Ranks{2});
    for (uint32_t flow : {2U, 3U})
    {
        instance.Started(flow, ready);
        instance.Sent(flow, ready);
    }
    EXPECT_TRUE(instance.Arrived(2, ready)) << "rank 1 is done";
    EXPECT_FALSE(instance.IsOver());
    EXPECT_TRUE(instance.Arrived(3, ready));
    EXPECT_TRUE(instance.IsOver());
}

namespace
{

/** Charges of a member's flows, all channels in step: one digit a flow, channel 0 first. */
std::string
Charges(Kind kind, Algorithm algorithm, uint32_t round, uint32_t channels, uint32_t steps)
{
    WorkloadSimAiReductions reductions(kind, algorithm, round, 1, channels);
    std::string charges;
    for (uint32_t i = 0; i < steps * channels; ++i)
    {
        charges += reductions.Charge(0, i % channels) ? '1' : '0';
    }
    return charges;
}

} // namespace

/** test/data/simai: a data group of 8 of 64 GPUs with 8 NVSwitches, TP 8, counts in rounds of
 * (64 + 8) / 8 = 9, so that 8 of its 14 flows are charged; tensor groups of 2 with 2 channels,
 * none. */
TEST(SimAiReductions, AreChargedAsSimAiCounts)
{
    const Algorithm ring = Algorithm::RING;
    EXPECT_EQ(Charges(Kind::ALL_REDUCE, ring, 9, 1, 14), "01111111100000");
    EXPECT_EQ(Charges(Kind::ALL_REDUCE, ring, 2, 1, 8), "01000100"); // every second round
    EXPECT_EQ(Charges(Kind::ALL_REDUCE, ring, 2, 2, 4), "00000000");
    EXPECT_EQ(Charges(Kind::ALL_REDUCE, ring, 3, 3, 4), "000111111000");
    EXPECT_EQ(Charges(Kind::REDUCE_SCATTER, ring, 4, 1, 7), "0111011");
    EXPECT_EQ(Charges(Kind::REDUCE_SCATTER, ring, 2, 2, 2), "0011");
    EXPECT_EQ(Charges(Kind::ALL_REDUCE, ring, 1, 1, 3), "000");
    EXPECT_EQ(Charges(Kind::ALL_GATHER, ring, 2, 1, 3), "000");
    EXPECT_EQ(Charges(Kind::ALL_TO_ALL, ring, 2, 1, 3), "000");
    EXPECT_EQ(Charges(Kind::ALL_REDUCE, Algorithm::NVLS, 2, 1, 3), "000");
}

TEST(SimAiFlows, GoUpAndDownInNvls)
{
    const WorkloadSimAiFlowSet set =
        MakeWorkloadSimAiFlows(Kind::ALL_REDUCE, Algorithm::NVLS, false, Shape(8, 8, 1));
    ASSERT_EQ(set.flows.size(), 2U * 4 * 8);              // up and down, four quarters of each of 8
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> up; // member and chunk
    for (uint32_t i = 0; i < set.flows.size(); ++i)
    {
        const WorkloadSimAiFlow& flow = set.flows[i];
        if (flow.dst == 8)
        {
            up[{flow.src, flow.step}] = i;
            EXPECT_TRUE(Parents(set, i).empty());
            EXPECT_EQ(flow.afterSent,
                      flow.step == 0 ? UINT32_MAX : (up[{flow.src, flow.step - 1}]));
        }
        else
        {
            EXPECT_EQ(flow.src, 8U);
            Ranks parents;
            for (uint32_t member = 0; member < 8; ++member)
            {
                parents.push_back(up.at({member, flow.step}));
            }
            EXPECT_EQ(Parents(set, i), parents);
        }
    }
}

TEST(SimAiFlows, UseTheFewestLocalRanksAsChannelsWhereServersDiffer)
{
    const WorkloadSimAiShape shape = Shape(12, 8); // 8 and 4: SimAI takes it for 6 and 6
    EXPECT_EQ(shape.Channels(), 4U);
    EXPECT_EQ(MakeWorkloadSimAiFlows(Kind::ALL_GATHER, Algorithm::RING, true, shape).flows.size(),
              11U * 12 * 4 + 11U * 4 * 2);
}

TEST(SimAiChoice, FollowsTheRules)
{
    WorkloadSimAiOptions options;
    const uint64_t mebibyte = 1048576;
    const auto pick =
        [&](const char* gpu, Kind kind, Group group, uint64_t bytes, uint32_t n, uint32_t g) {
            return ChooseWorkloadSimAi(options, gpu, kind, group, bytes, Shape(n, g, 1));
        };
    const auto algorithm =
        [&](const char* gpu, Kind kind, Group group, uint64_t bytes, uint32_t n, uint32_t g) {
            return pick(gpu, kind, group, bytes, n, g).algorithm;
        };
    EXPECT_EQ(algorithm("H100", Kind::ALL_REDUCE, Group::TP, mebibyte, 8, 8), Algorithm::RING);
    options.nvls = true;
    EXPECT_EQ(algorithm("H100", Kind::ALL_REDUCE, Group::TP, mebibyte, 8, 8), Algorithm::NVLS);
    EXPECT_EQ(algorithm("A100", Kind::ALL_REDUCE, Group::TP, mebibyte, 8, 8), Algorithm::RING);
    EXPECT_EQ(algorithm("H20", Kind::ALL_REDUCE, Group::TP, mebibyte, 8, 8), Algorithm::RING);
    EXPECT_EQ(algorithm("H100", Kind::ALL_REDUCE, Group::DP, mebibyte, 8, 8), Algorithm::RING);
    EXPECT_EQ(algorithm("H100", Kind::ALL_GATHER, Group::TP, mebibyte, 8, 8), Algorithm::RING);
    EXPECT_EQ(algorithm("H100", Kind::ALL_REDUCE, Group::TP, mebibyte, 4, 8), Algorithm::RING);
    EXPECT_EQ(algorithm("H100", Kind::ALL_REDUCE, Group::TP, mebibyte, 16, 8), Algorithm::RING);
    options.rules = WorkloadSimAiRules::SIMAI_1_7;
    EXPECT_EQ(algorithm("H20", Kind::ALL_REDUCE, Group::TP, 2 * mebibyte, 8, 8), Algorithm::NVLS);
    EXPECT_EQ(algorithm("H20", Kind::ALL_REDUCE, Group::TP, 2 * mebibyte - 1, 8, 8),
              Algorithm::RING);
    EXPECT_EQ(algorithm("H100", Kind::ALL_GATHER, Group::DP, mebibyte, 4, 1), Algorithm::PAT);
    EXPECT_EQ(algorithm("H100", Kind::ALL_GATHER, Group::DP, mebibyte + 1, 4, 1), Algorithm::RING);
    EXPECT_EQ(algorithm("H100", Kind::ALL_GATHER, Group::DP, mebibyte, 4, 2), Algorithm::RING);
    options.pat = WorkloadSimAiPat::FORCE;
    EXPECT_EQ(algorithm("H100", Kind::REDUCE_SCATTER, Group::DP, 1, 4, 1), Algorithm::PAT);
    const auto latency = [&](uint64_t bytes, bool same) {
        return WorkloadSimAiSendLatencyNs(options,
                                          pick("A100", Kind::ALL_REDUCE, Group::TP, bytes, 8, 8),
                                          same);
    };
    EXPECT_EQ(latency(4 * mebibyte, true), 7200U);   // LL
    EXPECT_EQ(latency(16 * mebibyte, true), 15900U); // LL128
    EXPECT_EQ(latency(64 * mebibyte, true), 11800U); // Simple
    EXPECT_EQ(latency(64 * mebibyte, false), 22400U);
    options.protocolAware = false;
    EXPECT_EQ(latency(64 * mebibyte, true), 6000U);
    options.sendLatency = 0;
    EXPECT_EQ(latency(64 * mebibyte, true), 0U);
    options.sendLatency = 2;
    options.literalLatency = true;
    EXPECT_EQ(latency(64 * mebibyte, true), 2000U);
}
