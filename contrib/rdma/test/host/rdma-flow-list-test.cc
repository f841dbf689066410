/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"

#include "ns3/rdma-flow-list.h"

#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <vector>

using namespace ns3;

namespace
{

/** A list, and what it stands for. */
struct FlowListTwin
{
    RdmaFlowList list;
    std::map<uint64_t, RdmaQueuePair*> expected;

    void Add(uint64_t id)
    {
        RdmaFlow flow;
        flow.bytes = 1;
        expected[id] = &list.Add(std::make_unique<RdmaQueuePair>(id, flow));
    }

    /** Removes the flow at \p index of those that are here. \return whether it is the right one */
    bool Remove(size_t index)
    {
        const auto it = std::next(expected.begin(), static_cast<std::ptrdiff_t>(index));
        const std::unique_ptr<RdmaQueuePair> removed = list.Remove(*it->second);
        const bool right = removed.get() == it->second && removed->GetId() == it->first;
        expected.erase(it);
        return right;
    }

    bool IsEqual() const
    {
        std::vector<const RdmaQueuePair*> flows;
        for (const RdmaQueuePair& qp : list)
        {
            flows.push_back(&qp);
        }
        std::vector<const RdmaQueuePair*> others;
        for (const auto& [id, qp] : expected)
        {
            others.push_back(qp);
        }
        return flows == others && list.IsEmpty() == expected.empty();
    }
};

RDMA_TEST(RdmaFlowListOrder, "flows stay in the order of their numbers, whichever leave")
{
    std::mt19937_64 random(7);
    for (uint32_t round = 0; round < 60; ++round)
    {
        FlowListTwin twin;
        uint64_t id = random() % 1000;
        // more come than leave, then the other way round; the first stays long in half of them
        const bool first = round % 2;
        for (uint32_t step = 0; step < 900; ++step)
        {
            const bool grows = random() % 10 < (step < 400 ? 7 : 3);
            const size_t from = first && twin.expected.size() > 1 ? 1 : 0;
            if (grows || twin.expected.empty())
            {
                twin.Add(id);
                id += 1 + random() % 3 * (random() % 5 == 0); // some numbers are of other flows
            }
            else
            {
                const size_t index = from + random() % (twin.expected.size() - from);
                RDMA_TEST_REQUIRE(EQ, twin.Remove(index), true, "round " << round);
            }
            RDMA_TEST_REQUIRE(EQ, twin.IsEqual(), true, "round " << round << ", step " << step);
        }
        while (!twin.expected.empty())
        {
            RDMA_TEST_REQUIRE(EQ, twin.Remove(twin.expected.size() - 1), true, "the last");
            RDMA_TEST_REQUIRE(EQ, twin.IsEqual(), true, "round " << round << ", to the end");
        }
        twin.Add(id);
        twin.list.Clear();
        twin.expected.clear();
        RDMA_TEST_REQUIRE(EQ, twin.IsEqual(), true, "cleared");
    }
}

RdmaTestSuite<RdmaFlowListOrder> g_flowListSuite("rdma-flow-list");

} // namespace
