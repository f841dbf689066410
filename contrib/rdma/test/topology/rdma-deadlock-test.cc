/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"
#include "rdma-test-network.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/rdma-deadlock-warnings.h"
#include "ns3/rdma-topology-generator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

using namespace ns3;

namespace
{

RDMA_TEST(RdmaDeadlockFound, "routes that can wait for one another in a circle are found")
{
    // In a ring of 4, routes of two links between switches turn each link into the next. 2x2 is a
    // ring of 4, and 4x4 of either kind has such rings of two dimensions.
    for (const char* spec :
         {"ring:switches=4", "torus:size=4", "torus:size=2x2", "full-mesh:size=4x4", "dragonfly"})
    {
        RdmaTestNetwork net(GenerateRdmaTopology(spec));
        NS_TEST_EXPECT_MSG_EQ(FindRdmaDeadlock(*net.network).empty(), false, spec);
    }
    RdmaTestNetwork ring(GenerateRdmaTopology("ring:switches=4,hosts-per-switch=2"));
    const std::vector<std::string> warnings = RdmaDeadlockWarnings(*ring.network);
    RDMA_TEST_REQUIRE(EQ, warnings.size(), 1, "a line");
    NS_TEST_EXPECT_MSG_NE(warnings[0].find("(nodes 8, 9, 10, 11, back to 8)"),
                          std::string::npos,
                          warnings[0]);
}

RDMA_TEST(RdmaDeadlockNotFound, "routes that go up and then down, or turn nowhere, are free of it")
{
    // In rings of 3 and in one dimension of a full mesh, no route has two links between switches.
    for (const char* spec : {"star",
                             "line:switches=5",
                             "ring:switches=3",
                             "torus:size=3",
                             "full-mesh:size=5",
                             "leaf-spine:leaves=3,spines=2,links-per-pair=2",
                             "fat-tree:k=4",
                             "nvl72:gpus=144"})
    {
        RdmaTestNetwork net(GenerateRdmaTopology(spec));
        NS_TEST_EXPECT_MSG_EQ(FindRdmaDeadlock(*net.network).size(), 0, spec);
    }
}

RDMA_TEST(RdmaDeadlockWithoutPfc, "nothing waits without PFC")
{
    Config::SetDefault("ns3::RdmaSwitch::Pfc", BooleanValue(false));
    RdmaTestNetwork net(GenerateRdmaTopology("torus:size=4x4"));
    Config::SetDefault("ns3::RdmaSwitch::Pfc", BooleanValue(true));
    NS_TEST_EXPECT_MSG_EQ(RdmaDeadlockWarnings(*net.network).size(), 0, "no warning");
}

/** Each of four hosts at each of four switches in a ring sends 1 MB to the other side.
 * \param setup changes what is built
 * \param window of each flow, bytes; 0 for none
 * \param unfinished set to what keeps the flows that do not end
 * \return how many flows end within 5 ms */
size_t
EndsInARing(const RdmaTestNetwork::Setup& setup,
            uint64_t window,
            std::vector<std::string>& unfinished)
{
    RdmaTestNetwork net(GenerateRdmaTopology("ring:switches=4,hosts-per-switch=4"),
                        [&setup](RdmaHelper& helper) {
                            helper.SetSwitchAttribute("BufferSize", UintegerValue(1000000));
                            setup(helper);
                        });
    for (uint32_t host = 0; host < 16; ++host)
    {
        net.Flow(host, (host + 8) % 16, 1000000, window);
    }
    net.Run(5000000);
    for (const RdmaQueuePair* qp : net.network->GetUnfinishedFlows())
    {
        unfinished.push_back(net.network->Explain(*qp));
    }
    return net.ends.size();
}

RDMA_TEST(RdmaDeadlockHappens, "a ring stops for good under PFC, and does not without")
{
    std::vector<std::string> stuck;
    NS_TEST_EXPECT_MSG_EQ(EndsInARing([](RdmaHelper&) {}, 0, stuck), 0, "none ends");
    NS_TEST_EXPECT_MSG_EQ(stuck.size(), 16, "all are listed");
    for (const std::string& flow : stuck)
    {
        NS_TEST_EXPECT_MSG_NE(flow.find("paused by PFC"), std::string::npos, flow);
    }
    // 4 links there and back, and 4 transmissions: 8332 ns at 12.5 B/ns are 104 KB (BDP-FC)
    std::vector<std::string> late;
    const auto lossy = [](RdmaHelper& helper) {
        helper.SetSwitchAttribute("Pfc", BooleanValue(false));
        helper.SetHostAttribute("Recovery", StringValue("irn"));
    };
    NS_TEST_EXPECT_MSG_EQ(EndsInARing(lossy, 104000, late), 16, "all end");
}

RdmaTestSuite<RdmaDeadlockFound, RdmaDeadlockNotFound, RdmaDeadlockWithoutPfc, RdmaDeadlockHappens>
    g_rdmaDeadlockSuite("rdma-deadlock");

} // namespace
