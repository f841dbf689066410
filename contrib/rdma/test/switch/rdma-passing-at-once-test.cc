/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/sanitized.h"
#include "rdma-test-case.h"
#include "rdma-test-twin.h"

#include "ns3/rdma-trace.h"

#include <vector>

using namespace ns3;

namespace
{

void
IgnoreEnqueued(const RdmaFrame& /*frame*/, uint32_t /*queue*/)
{
}

// In a suite of its own, thus a process: once anybody listens to queues, no frame skips them.
RDMA_TEST(RdmaPassingAtOnce, "frames that skip an empty queue change nothing")
{
    constexpr uint32_t NETWORKS = harness::IsSanitized() ? 50 : 200;
    UseSimulator("ns3::RdmaSimulatorImpl");
    const auto draw = [](uint32_t seed) {
        RdmaTwinScenario scenario = DrawRdmaTwinScenario(seed);
        scenario.logs = false;
        return scenario;
    };
    std::vector<RdmaTwinOutcome> skipping;
    uint32_t withPauses = 0;
    RdmaTrace<const RdmaFrame&, uint32_t> trace;
    NS_TEST_ASSERT_MSG_EQ(trace.WasUsed(), false, "nobody has listened");
    for (uint32_t seed = 1; seed <= NETWORKS; ++seed)
    {
        const RdmaTwinScenario scenario = draw(seed);
        skipping.push_back(RunRdmaTwin(scenario, true));
        withPauses += skipping.back().told.size() > scenario.flows.size();
    }
    trace.LookOn(MakeCallback(&IgnoreEnqueued));
    NS_TEST_ASSERT_MSG_EQ(trace.WasUsed(), true, "somebody listens");
    for (uint32_t seed = 1; seed <= NETWORKS; ++seed)
    {
        const RdmaTwinOutcome queueing = RunRdmaTwin(draw(seed), true);
        NS_TEST_EXPECT_MSG_EQ((queueing == skipping[seed - 1]), true, "network " << seed);
    }
    NS_TEST_EXPECT_MSG_GT(withPauses, NETWORKS / 100, "some have pauses");
}

RdmaTestSuite<RdmaPassingAtOnce> g_rdmaPassingAtOnceSuite("rdma-passing-at-once");

} // namespace
