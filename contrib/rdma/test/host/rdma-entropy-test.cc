/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"
#include "rdma-test-network.h"

#include "ns3/data-rate.h"
#include "ns3/rdma-entropy.h"
#include "ns3/rdma-topology-generator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

using namespace ns3;

/*
 * Two leaves, spines between them, 100 Gb/s and 1000 ns everywhere: 83 ns per data frame, 4 ns per
 * acknowledgement.
 */

namespace
{

constexpr uint64_t KEY = 7;

RDMA_TEST(RdmaEntropyReps, "REPS by hand")
{
    // explores for two packets, freezes for 100 steps; there are 65536 values, so that two draws
    // are rarely the same, and these are not
    RdmaEntropy reps(RdmaEntropyRule::REPS, 65536, 2, 100);
    const uint16_t a = reps.Next(KEY, 0);
    const uint16_t b = reps.Next(KEY, 1);
    NS_TEST_EXPECT_MSG_NE(a, b, "draws");
    NS_TEST_EXPECT_MSG_EQ(a,
                          RdmaEntropy(RdmaEntropyRule::RANDOM, 65536, 2, 0).Next(KEY, 0),
                          "of it");
    reps.OnReply(a, false, 10);
    reps.OnReply(b, true, 11); // marked: not used again
    reps.OnReply(1234, false, 12);
    NS_TEST_EXPECT_MSG_EQ(reps.Next(KEY, 2), a, "the oldest first");
    NS_TEST_EXPECT_MSG_EQ(reps.Next(KEY, 3), 1234, "then the next");
    const uint16_t fresh = reps.Next(KEY, 4);
    NS_TEST_EXPECT_MSG_EQ((std::set<uint16_t>{a, b, 1234}.count(fresh)), 0, "none left: a draw");
    // ten unmarked ones: the ring keeps the last eight
    for (uint16_t value = 0; value < 10; ++value)
    {
        reps.OnReply(value, false, 20);
    }
    NS_TEST_EXPECT_MSG_EQ(reps.Next(KEY, 5), 2, "the oldest of eight");
}

RDMA_TEST(RdmaEntropyFreeze, "after a time-out REPS goes round among the values that were good")
{
    RdmaEntropy reps(RdmaEntropyRule::REPS, 65536, 1, 100);
    reps.OnTimeout(0);
    NS_TEST_EXPECT_MSG_EQ(reps.IsFrozen(), false, "it explores still");
    reps.Next(KEY, 0);
    for (const uint16_t value : {10, 20, 30})
    {
        reps.OnReply(value, false, 1);
    }
    reps.OnTimeout(5);
    NS_TEST_EXPECT_MSG_EQ(reps.IsFrozen(), true, "until 105");
    uint32_t serial = 1;
    for (const uint16_t value : {10, 20, 30, 10, 20, 30, 10})
    {
        NS_TEST_EXPECT_MSG_EQ(reps.Next(KEY, serial++), value, "round and round");
    }
    reps.OnReply(40, false, 105);
    NS_TEST_EXPECT_MSG_EQ(reps.IsFrozen(), true, "not after 105");
    NS_TEST_EXPECT_MSG_EQ(reps.Next(KEY, 8), 40, "the only valid one");
    reps.OnReply(50, false, 106);
    NS_TEST_EXPECT_MSG_EQ(reps.IsFrozen(), false, "after 105");
    NS_TEST_EXPECT_MSG_NE(reps.Next(KEY, 9), 50, "explores for a packet again");
    NS_TEST_EXPECT_MSG_EQ(reps.Next(KEY, 10), 50, "and goes on");
}

/** A leaf-spine network whose switches hash values of the senders'. */
class Entropic : public RdmaTestNetwork
{
  public:
    Entropic(const RdmaTopology& topology, const std::string& rule, const Setup& more = {})
        : RdmaTestNetwork(topology, [&](RdmaHelper& helper) {
              helper.SetSwitchAttribute("Routing", StringValue("entropy"));
              helper.SetHostAttribute("Entropy", StringValue(rule));
              helper.SetHostAttribute("Recovery", StringValue("irn"));
              helper.SetHostAttribute("NackThreshold", UintegerValue(1000));
              if (more)
              {
                  more(helper);
              }
          })
    {
    }

    /** Counts data frames by uplink of switch \p leaf, whose first \p hosts ports lead to hosts. */
    void Watch(uint32_t leaf, uint32_t hosts)
    {
        for (uint32_t port = hosts; port < network->GetRdmaNode(leaf).GetPorts().size(); ++port)
        {
            RdmaTestListen(Port(leaf, port).txBeginTrace, [this, port](const RdmaFrame& frame) {
                sent[port] += frame.kind == RdmaFrameKind::DATA;
            });
        }
    }

    std::map<uint32_t, uint64_t> sent;
};

RDMA_TEST(RdmaEntropyRandom, "random values spread a flow evenly; one value keeps it on one way")
{
    // 4000 frames over 4 spines: 1000 each, with a standard deviation of sqrt(4000 / 4 * 3 / 4) =
    // 27; 120 are more than four of these. Alone on ways of equal length, they stay in order.
    const RdmaTopology topology =
        GenerateRdmaTopology("leaf-spine:leaves=2,hosts-per-leaf=1,spines=4");
    for (const uint32_t values : {65536U, 1U})
    {
        Entropic net(topology, "random", [values](RdmaHelper& helper) {
            helper.SetHostAttribute("EntropyValues", UintegerValue(values));
        });
        net.Watch(2, 1);
        net.Flow(0, 1, 4000000);
        net.Run();
        RDMA_TEST_REQUIRE(EQ, net.ends.size(), 1, "completed");
        NS_TEST_EXPECT_MSG_EQ(net.ends[0].delivered, 4000 * 83 + 3 * 83 + 4000, "as by ECMP");
        uint64_t used = 0;
        for (const auto& [port, frames] : net.sent)
        {
            used += frames > 0;
            NS_TEST_EXPECT_MSG_EQ((values == 1 || std::abs(double(frames) - 1000) < 120),
                                  true,
                                  frames << " by uplink " << port);
        }
        NS_TEST_EXPECT_MSG_EQ(used, (values == 1 ? 1U : 4U), "spines");
    }
}

/** \return the completion time of a flow of 4 MB over two spines, one of which is slow, and the
 * share of its data that took that one */
std::pair<int64_t, double>
OverSlowSpine(const std::string& rule)
{
    RdmaTopology topology = GenerateRdmaTopology("leaf-spine:leaves=2,hosts-per-leaf=1,spines=2");
    const uint32_t slow = 4; // hosts 0 and 1, leaves 2 and 3, spines 4 and 5
    for (RdmaLinkSpec& link : topology.links)
    {
        if (link.a == slow || link.b == slow)
        {
            link.rate = DataRate("10Gbps");
        }
    }
    Entropic net(topology, rule, [](RdmaHelper& helper) {
        helper.SetEcnThresholds(10000000000, {10000, 10000, 1});
        helper.SetEcnThresholds(100000000000, {100000, 100000, 1});
    });
    net.Watch(2, 1);
    net.Flow(0, 1, 4000000);
    net.Run();
    const uint64_t all = net.sent[1] + net.sent[2];
    const uint32_t port = net.Port(2, 1).GetPeer().GetOwner().GetRdmaId() == slow ? 1 : 2;
    return {net.ends.size() == 1 ? net.ends[0].fct : -1,
            static_cast<double>(net.sent[port]) / static_cast<double>(all)};
}

RDMA_TEST(RdmaEntropyAvoids, "REPS leaves a slow way, since what takes it comes back marked")
{
    // Random values give the slow way half of the packets: 2 MB at 10 Gb/s are 2000 * 838 ns =
    // 1.68 ms. At the most that both can carry, 110 Gb/s, 4 MB would be over in 0.3 ms; at the fast
    // one's rate in 0.33 ms.
    const auto [random, half] = OverSlowSpine("random");
    const auto [reps, few] = OverSlowSpine("reps");
    NS_TEST_EXPECT_MSG_EQ_TOL(half, 0.5, 0.05, "random");
    NS_TEST_EXPECT_MSG_GT(random, 1600000, "as the slow way has it");
    NS_TEST_EXPECT_MSG_LT(few, 0.15, "REPS");
    NS_TEST_EXPECT_MSG_GT(reps, 300000, "completed");
    NS_TEST_EXPECT_MSG_LT(reps, random / 2, "REPS");
}

RdmaTestSuite<RdmaEntropyReps, RdmaEntropyFreeze, RdmaEntropyRandom, RdmaEntropyAvoids>
    g_rdmaEntropySuite("rdma-entropy");

} // namespace
