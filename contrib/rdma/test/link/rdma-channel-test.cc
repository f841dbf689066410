/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"
#include "rdma-test-network.h"

#include "ns3/default-simulator-impl.h"
#include "ns3/nstime.h"

#include <tuple>

using namespace ns3;

namespace
{

/** As multithreaded implementations: links of at least this delay are cut. */
class CuttingSimulatorImpl : public DefaultSimulatorImpl
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::RdmaTestCuttingSimulatorImpl")
                                .SetParent<DefaultSimulatorImpl>()
                                .AddConstructor<CuttingSimulatorImpl>()
                                .AddAttribute("MinLookahead",
                                              "Links of at least this delay are cut.",
                                              TimeValue(Time(0)),
                                              MakeTimeAccessor(&CuttingSimulatorImpl::m_least),
                                              MakeTimeChecker(Time(0)));
        return tid;
    }

  private:
    Time m_least;
};

NS_OBJECT_ENSURE_REGISTERED(CuttingSimulatorImpl);

/** Hosts 0 and 1 on switch 2, whose links have different delays. */
RdmaTopology
Uneven()
{
    RdmaTopology topology = RdmaTestStar(2);
    topology.links[0].delay = NanoSeconds(250);
    topology.links[1].delay = NanoSeconds(3000);
    return topology;
}

RDMA_TEST(RdmaChannelDelay, "a channel has its link's delay as an attribute, at both ends")
{
    RdmaTestNetwork net(Uneven());
    for (const auto& [node, device, ns] : {std::make_tuple(0, 0, 250),
                                           std::make_tuple(1, 0, 3000),
                                           std::make_tuple(2, 0, 250),
                                           std::make_tuple(2, 1, 3000)})
    {
        const Ptr<Channel> channel = net.network->GetNode(node)->GetDevice(device)->GetChannel();
        TimeValue delay;
        NS_TEST_EXPECT_MSG_EQ(channel->GetAttributeFailSafe("Delay", delay), true, node);
        NS_TEST_EXPECT_MSG_EQ(delay.Get(), NanoSeconds(ns), "of node " << node);
        NS_TEST_EXPECT_MSG_EQ(channel->SetAttributeFailSafe("Delay", TimeValue(Seconds(1))),
                              false,
                              "it is chosen where nodes are connected");
    }
}

RDMA_TEST(RdmaChannelPartition, "a simulator that cuts links leaves a network in one piece")
{
    for (const int64_t before : {0, 3000, 9000})
    {
        UseSimulator("ns3::RdmaTestCuttingSimulatorImpl");
        Simulator::GetImplementation()->SetAttribute("MinLookahead",
                                                     TimeValue(NanoSeconds(before)));
        RdmaTestNetwork net(Uneven());
        TimeValue least;
        Simulator::GetImplementation()->GetAttribute("MinLookahead", least);
        if (before == 9000)
        {
            NS_TEST_EXPECT_MSG_EQ(least.Get(), NanoSeconds(9000), "what is more is kept");
        }
        else
        {
            NS_TEST_EXPECT_MSG_EQ(least.Get(), NanoSeconds(3000) + TimeStep(1), "past the longest");
        }
    }
}

RdmaTestSuite<RdmaChannelDelay, RdmaChannelPartition> g_rdmaChannelSuite("rdma-channel");

} // namespace
