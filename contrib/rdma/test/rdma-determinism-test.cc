/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/sanitized.h"
#include "rdma-test-case.h"
#include "rdma-test-network.h"

#include "ns3/nstime.h"
#include "ns3/rdma-flow-source.h"
#include "ns3/rdma-random.h"
#include "ns3/rdma-topology-generator.h"
#include "ns3/uinteger.h"

#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t LINE_RATE = 100000000000;
constexpr double ERROR_RATE = 0.0005;
constexpr uint64_t SEED = 5; // of the runs whose draws are looked at
constexpr double RATE = 0.01;
constexpr size_t FLOWS = harness::IsSanitized() ? 100 : 200; // of a run

/** What is left of a run for comparison. */
struct Outcome
{
    std::vector<RdmaTestEnd> ends;
    uint64_t marks;
    uint64_t errors;
    uint64_t pauses;
    uint64_t events;
};

constexpr size_t SPREAD = 2048; // as RdmaEventQueue has it

/** A leaf-spine with random flows, marks between Kmin and Kmax, pauses and link errors.
 * \p spread as RdmaEventQueue::SetSpread. */
Outcome
RunOnce(const std::string& control, uint64_t seed, bool errors, size_t spread = SPREAD)
{
    RdmaTestNetwork net(GenerateRdmaTopology("leaf-spine:leaves=3,hosts-per-leaf=4,spines=2"),
                        [&](RdmaHelper& helper) {
                            helper.SetCongestionControl(control);
                            helper.SetNetworkAttribute("Seed", UintegerValue(seed));
                            helper.SetHostAttribute("RetransmissionTimeout",
                                                    TimeValue(MicroSeconds(200)));
                            helper.SetSwitchAttribute("BufferSize", UintegerValue(1500000));
                            helper.SetEcnThresholds(LINE_RATE, {20000, 200000, 0.2});
                            helper.SetDefaultErrorRate(errors ? ERROR_RATE : 0);
                        });
    std::mt19937 random(17);
    std::vector<RdmaFlowSpec> flows(FLOWS);
    Time start;
    for (RdmaFlowSpec& flow : flows)
    {
        flow.src = static_cast<uint32_t>(random() % 12);
        flow.dst = static_cast<uint32_t>((flow.src + 1 + random() % 11) % 12);
        flow.bytes = random() % 200000;
        flow.start = start;
        start += MicroSeconds(random() % 4); // many start together
    }
    RdmaFlowSource source(net.network, flows, {true, true});
    source.SetEndCallback([&net](const RdmaQueuePair& qp) {
        net.ends.push_back({qp.GetId(),
                            qp.GetStartTime(),
                            qp.GetEndTime() - qp.GetStartTime(),
                            qp.GetDeliveryTime(),
                            qp.GetRetransmittedBytes(),
                            qp.GetState()});
    });
    net.network->GetContext().eventQueue->SetSpread(spread);
    source.Start();
    net.Run();
    const RdmaCounters& c = net.Counters();
    Outcome outcome{net.ends,
                    c.marks,
                    c.linkErrors,
                    c.pauses,
                    net.network->GetContext().eventQueue->GetEventCount()};
    Simulator::Destroy();
    return outcome;
}

RDMA_TEST(RdmaDeterminismSeeds, "the same seed gives the same, another seed something else")
{
    for (const char* control : {"ns3::RdmaHpcc",
                                "ns3::RdmaDcqcn",
                                "ns3::RdmaTimely",
                                "ns3::RdmaDctcp",
                                "ns3::RdmaSwift",
                                "ns3::RdmaPowerTcp",
                                "ns3::RdmaHpccPint",
                                "ns3::RdmaNscc"})
    {
        const Outcome first = RunOnce(control, 1, true);
        NS_TEST_EXPECT_MSG_EQ(first.ends.size(), FLOWS, "all ended under " << control);
        NS_TEST_EXPECT_MSG_GT(first.errors, 10, "links lost frames under " << control);
        const Outcome again = RunOnce(control, 1, true);
        NS_TEST_EXPECT_MSG_EQ((first.ends == again.ends), true, control);
        NS_TEST_EXPECT_MSG_EQ(first.events, again.events, control);
        if (!harness::IsSanitized()) // which would find the same again
        {
            NS_TEST_EXPECT_MSG_EQ((first.ends == RunOnce(control, 2, true).ends), false, control);
        }
    }
}

RDMA_TEST(RdmaDeterminismMarks,
          "without errors the seed decides about marks and codes, and about nothing else")
{
    const Outcome dcqcn = RunOnce("ns3::RdmaDcqcn", 1, false);
    NS_TEST_EXPECT_MSG_GT(dcqcn.marks, 100, "frames were marked");
    NS_TEST_EXPECT_MSG_EQ((dcqcn.ends == RunOnce("ns3::RdmaDcqcn", 2, false).ends), false, "DCQCN");
    const Outcome pint = RunOnce("ns3::RdmaHpccPint", 1, false);
    NS_TEST_EXPECT_MSG_EQ((pint.ends == RunOnce("ns3::RdmaHpccPint", 2, false).ends),
                          false,
                          "HPCC-PINT is told by draws, too");
    const Outcome timely = RunOnce("ns3::RdmaTimely", 1, false);
    NS_TEST_EXPECT_MSG_GT(timely.marks, 100, "frames were marked");
    NS_TEST_EXPECT_MSG_GT(timely.pauses, 0, "senders were paused");
    NS_TEST_EXPECT_MSG_EQ((timely.ends == RunOnce("ns3::RdmaTimely", 2, false).ends),
                          true,
                          "TIMELY does not look at marks");
}

RDMA_TEST(RdmaDeterminismImplementations, "the pump gives the same results as our own simulator")
{
    for (const char* control : {"ns3::RdmaHpcc", "ns3::RdmaDcqcn"})
    {
        UseSimulator("ns3::DefaultSimulatorImpl");
        const Outcome pumped = RunOnce(control, 1, true);
        UseSimulator("ns3::RdmaSimulatorImpl");
        const Outcome native = RunOnce(control, 1, true);
        NS_TEST_EXPECT_MSG_EQ((pumped.ends == native.ends), true, control);
        NS_TEST_EXPECT_MSG_EQ(pumped.events, native.events, control);
        NS_TEST_EXPECT_MSG_EQ(pumped.marks, native.marks, control);
    }
}

RDMA_TEST(RdmaDeterminismSpread, "how many events the heap holds decides nothing")
{
    for (const char* simulator : {"ns3::RdmaSimulatorImpl", "ns3::DefaultSimulatorImpl"})
    {
        UseSimulator(simulator);
        std::vector<const char*> controls{"ns3::RdmaHpcc", "ns3::RdmaDcqcn", "ns3::RdmaTimely"};
        controls.resize(harness::IsSanitized() ? 1 : controls.size());
        for (const char* control : controls)
        {
            // from two entries on, all but the next go through the wheel and let memory be fetched
            const Outcome spread = RunOnce(control, 1, true, 2);
            const Outcome heap = RunOnce(control, 1, true, SIZE_MAX);
            NS_TEST_EXPECT_MSG_EQ((spread.ends == heap.ends), true, control);
            NS_TEST_EXPECT_MSG_EQ(spread.events, heap.events, control);
            NS_TEST_EXPECT_MSG_EQ(spread.marks, heap.marks, control);
        }
    }
    UseSimulator("ns3::RdmaSimulatorImpl");
}

/** What the second host's flow does. */
enum class Second
{
    NEVER_STARTS,
    STARTS_AFTER, //!< the first one's
    STARTS_BEFORE
};

/** Two hosts send to a third; \return where the first one's flow went back as its link lost frames,
 * and whether every draw was the one that its key says. */
std::pair<std::set<uint64_t>, bool>
Draws(Second second)
{
    RdmaTestNetwork net(RdmaTestStar(3), [](RdmaHelper& helper) {
        helper.SetNetworkAttribute("Seed", UintegerValue(SEED));
        helper.SetEcnThresholds(LINE_RATE, {5000, 100000, 0.5});
        helper.SetHostAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(100)));
    });
    RdmaPort& nic = net.Port(0);
    nic.SetErrorRate(RATE);
    std::set<uint64_t> wentBack;
    uint64_t next = 0;
    bool asKeyed = true;
    RdmaTestListen(nic.dequeueTrace, [&](const RdmaFrame& frame, uint32_t) {
        if (frame.seq < next)
        {
            wentBack.insert(frame.seq);
        }
        next = frame.seq + frame.payloadBytes;
    });
    RdmaTestListen(nic.GetPeer().rxTrace, [&](const RdmaFrame& frame) {
        const double draw = RdmaUniform(SEED,
                                        RdmaDraw::LINK_ERROR,
                                        nic.GetPortId(),
                                        frame.qp->GetDrawId(),
                                        RdmaLossNumber(frame.kind, frame.again, frame.seq / 1000));
        asKeyed = asKeyed && draw >= RATE;
    });
    RdmaPort& bottleneck = net.Port(3, 2);
    RdmaTestListen(bottleneck.dequeueTrace, [&](const RdmaFrame& frame, uint32_t queue) {
        const auto bytes = static_cast<double>(bottleneck.queues.GetBytes(queue));
        const double p = bytes > 100000 ? 1 : bytes <= 5000 ? 0 : 0.5 * (bytes - 5000) / 95000;
        const double draw = RdmaUniform(SEED,
                                        RdmaDraw::ECN_MARK,
                                        bottleneck.GetPortId(),
                                        frame.qp->GetId() + 1,
                                        frame.serial);
        asKeyed = asKeyed && frame.ce == (draw < p);
    });
    if (second == Second::STARTS_BEFORE)
    {
        net.Flow(1, 2, 300000);
    }
    net.Flow(0, 2, 2000000);
    if (second == Second::STARTS_AFTER)
    {
        net.Flow(1, 2, 300000);
    }
    net.Run();
    Simulator::Destroy();
    return {wentBack, asKeyed};
}

RDMA_TEST(RdmaDeterminismDraws, "a frame's draw depends on its key alone, not on other traffic")
{
    const auto alone = Draws(Second::NEVER_STARTS);
    const auto first = Draws(Second::STARTS_AFTER);
    const auto later = Draws(Second::STARTS_BEFORE); // so it has another number
    NS_TEST_EXPECT_MSG_EQ(alone.second, true, "each draw is the one of its key");
    NS_TEST_EXPECT_MSG_EQ(first.second, true, "each draw is the one of its key");
    NS_TEST_EXPECT_MSG_EQ(later.second, true, "each draw is the one of its key");
    NS_TEST_EXPECT_MSG_GT(alone.first.size(), 10, "frames were lost");
    NS_TEST_EXPECT_MSG_EQ((alone.first == first.first), true, "the same losses");
    NS_TEST_EXPECT_MSG_EQ((alone.first == later.first), true, "whoever starts first");
}

RDMA_TEST(RdmaDeterminismUniform,
          "the generator is uniform, and separate for every part of its key")
{
    constexpr int DRAWS = 100000;
    constexpr int BINS = 16;
    int counts[BINS] = {};
    double sum = 0;
    for (uint64_t serial = 0; serial < DRAWS; ++serial)
    {
        const double u = RdmaUniform(1, RdmaDraw::ECN_MARK, 2, 3, serial);
        RDMA_TEST_REQUIRE(EQ, (u >= 0 && u < 1), true, "in [0, 1)");
        sum += u;
        ++counts[static_cast<int>(u * BINS)];
    }
    // the mean of n draws deviates by 1 / sqrt(12 n) = 0.0009; five of those
    NS_TEST_EXPECT_MSG_EQ_TOL(sum / DRAWS, 0.5, 0.0046, "mean");
    double chiSquare = 0;
    for (int count : counts)
    {
        const double expected = static_cast<double>(DRAWS) / BINS;
        chiSquare += (count - expected) * (count - expected) / expected;
    }
    NS_TEST_EXPECT_MSG_LT(chiSquare, 44.3, "15 degrees of freedom: exceeded once in 10000 times");
    const double u = RdmaUniform(1, RdmaDraw::ECN_MARK, 2, 3, 4);
    NS_TEST_EXPECT_MSG_NE(u, RdmaUniform(2, RdmaDraw::ECN_MARK, 2, 3, 4), "seed");
    NS_TEST_EXPECT_MSG_NE(u, RdmaUniform(1, RdmaDraw::LINK_ERROR, 2, 3, 4), "what is drawn");
    NS_TEST_EXPECT_MSG_NE(u, RdmaUniform(1, RdmaDraw::ECN_MARK, 3, 3, 4), "port");
    NS_TEST_EXPECT_MSG_NE(u, RdmaUniform(1, RdmaDraw::ECN_MARK, 2, 4, 4), "flow");
    NS_TEST_EXPECT_MSG_NE(u, RdmaUniform(1, RdmaDraw::ECN_MARK, 2, 3, 5), "frame");
}

RdmaTestSuite<RdmaDeterminismSeeds,
              RdmaDeterminismMarks,
              RdmaDeterminismImplementations,
              RdmaDeterminismSpread,
              RdmaDeterminismDraws,
              RdmaDeterminismUniform>
    g_rdmaDeterminismSuite("rdma-determinism");

} // namespace
