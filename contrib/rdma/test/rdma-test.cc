/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The module as a whole: a configuration, a topology and flows in HPCC's formats, and the
// completion times that HPCC's public simulator gives for them, to the nanosecond. The figures are
// derived below where that takes one line, and otherwise were measured with that simulator.

#include "rdma-test-case.h"

#include "ns3/rdma-flow-source.h"
#include "ns3/rdma-hpcc-setup.h"

#include <map>
#include <sstream>

namespace ns3
{

namespace
{

const std::map<std::string, std::string> CONTROLS = {
    {"dcqcn",
     "CC_MODE 1 HAS_WIN 0 VAR_WIN 0 FAST_REACT 0 RATE_AI 20Mb/s RATE_HAI 200Mb/s INT_MULTI 1 "
     "EWMA_GAIN 0.00390625 ACK_HIGH_PRIO 1 "
     "KMIN_MAP 1 100000000000 400 KMAX_MAP 1 100000000000 1600 PMAX_MAP 1 100000000000 0.2"},
    {"hpcc",
     "CC_MODE 3 HAS_WIN 1 VAR_WIN 1 FAST_REACT 1 RATE_AI 40Mb/s RATE_HAI 40Mb/s INT_MULTI 4 "
     "EWMA_GAIN 0.00390625 ACK_HIGH_PRIO 0 "
     "KMIN_MAP 1 100000000000 400 KMAX_MAP 1 100000000000 1600 PMAX_MAP 1 100000000000 0.2"},
    {"timely",
     "CC_MODE 7 HAS_WIN 0 VAR_WIN 0 FAST_REACT 0 RATE_AI 100Mb/s RATE_HAI 500Mb/s INT_MULTI 1 "
     "EWMA_GAIN 0.00390625 ACK_HIGH_PRIO 1 "
     "KMIN_MAP 1 100000000000 400 KMAX_MAP 1 100000000000 1600 PMAX_MAP 1 100000000000 0.2"},
    {"dctcp",
     "CC_MODE 8 HAS_WIN 1 VAR_WIN 1 FAST_REACT 0 RATE_AI 10Mb/s RATE_HAI 10Mb/s INT_MULTI 1 "
     "EWMA_GAIN 0.0625 ACK_HIGH_PRIO 0 DCTCP_RATE_AI 615Mb/s "
     "KMIN_MAP 1 100000000000 300 KMAX_MAP 1 100000000000 300 PMAX_MAP 1 100000000000 1"}};

const std::string COMMON = " MIN_RATE 1000Mb/s L2_CHUNK_SIZE 4000 L2_ACK_INTERVAL 1 GLOBAL_T 1 "
                           "MI_THRESH 0 MULTI_RATE 0 FAST_RECOVERY_TIMES 1 RP_TIMER 300 "
                           "ALPHA_RESUME_INTERVAL 1 RATE_DECREASE_INTERVAL 4 BUFFER_SIZE 32 "
                           "TOPOLOGY_FILE t FLOW_FILE f ";

/** \return completion times in ns, in the order of the flows in \p flowText */
std::vector<int64_t>
CompletionTimes(const std::string& control,
                const std::string& topologyText,
                const std::string& flowText)
{
    std::istringstream config(CONTROLS.at(control) + COMMON);
    std::istringstream topologyFile(topologyText);
    std::istringstream flowFile(flowText);
    const RdmaHpccConfig hpcc = ReadRdmaHpccConfig(config, "config.txt");
    const RdmaTopology topology = ReadRdmaTopology(topologyFile, "topology.txt");
    RdmaHelper helper;
    SetUpRdmaFromHpcc(hpcc, topology, "", "hpcc", 1, helper);
    Ptr<RdmaNetwork> network = helper.Install(topology);
    RdmaFlowSource flows(network,
                         ReadRdmaFlows(flowFile, "flow.txt"),
                         RdmaFlowOptionsFromHpcc(hpcc));
    std::map<uint64_t, int64_t> times;
    flows.SetEndCallback([&](const RdmaQueuePair& qp) {
        times[qp.GetId()] =
            (qp.GetEndTime() - qp.GetStartTime()) / network->GetContext().clock.StepsPerNs();
    });
    flows.Start();
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    Simulator::Destroy();
    std::vector<int64_t> result;
    for (const auto& [id, time] : times)
    {
        result.push_back(time);
    }
    return result;
}

const std::string ONE_SWITCH = "3 1 2\n2\n0 2 100Gbps 1000ns 0\n1 2 100Gbps 1000ns 0\n";
const std::string LINE_OF_THREE = "5 3 4\n2 3 4\n0 2 100Gbps 1000ns 0\n2 3 100Gbps 1000ns 0\n"
                                  "3 4 100Gbps 1000ns 0\n4 1 100Gbps 1000ns 0\n";
const std::string DUMBBELL = "6 2 5\n4 5\n0 4 100Gbps 1000ns 0\n1 4 100Gbps 1000ns 0\n"
                             "2 5 100Gbps 1000ns 0\n3 5 100Gbps 1000ns 0\n4 5 100Gbps 1000ns 0\n";

using Times = std::vector<int64_t>;

} // namespace

RDMA_TEST(RdmaOnePacket, "one packet over three switches and its acknowledgement")
{
    // 1,048 B take 83 ns, the acknowledgement's 60 B 4 ns, each link 1,000 ns more
    const int64_t expected = 4 * (83 + 1000) + 4 * (4 + 1000);
    const Times times = CompletionTimes("dctcp", LINE_OF_THREE, "1\n0 1 3 100 1000 0\n");
    NS_TEST_ASSERT_MSG_EQ(times.size(), 1, "the flow did not complete");
    NS_TEST_EXPECT_MSG_EQ(times[0], expected, "FCT in ns");
}

RDMA_TEST(RdmaSingleFlow, "20 MB on an idle path")
{
    const std::string flow = "1\n0 1 3 100 20000000 0\n";
    // 20,000 frames back to back: the last one starts after 19,999 of 83 ns (84 with a time stamp)
    const int64_t plain = 19999 * 83 + 2 * (83 + 1000) + 2 * (4 + 1000);
    const int64_t stamped = 19999 * 84 + 2 * (84 + 1000) + 2 * (4 + 1000);
    NS_TEST_EXPECT_MSG_EQ((CompletionTimes("dcqcn", ONE_SWITCH, flow) == Times{plain}),
                          true,
                          "DCQCN");
    NS_TEST_EXPECT_MSG_EQ((CompletionTimes("dctcp", ONE_SWITCH, flow) == Times{plain}),
                          true,
                          "DCTCP");
    NS_TEST_EXPECT_MSG_EQ((CompletionTimes("timely", ONE_SWITCH, flow) == Times{stamped}),
                          true,
                          "TIMELY");
    NS_TEST_EXPECT_MSG_EQ((CompletionTimes("hpcc", ONE_SWITCH, flow) == Times{1838196}),
                          true,
                          "HPCC");
}

RDMA_TEST(RdmaSharedLink, "a second flow joins on a shared link")
{
    const std::string flows = "2\n0 2 3 100 20000000 0\n1 3 3 100 30000000 0.0002000004\n";
    NS_TEST_EXPECT_MSG_EQ((CompletionTimes("dctcp", DUMBBELL, flows) == Times{3126148, 3956178}),
                          true,
                          "DCTCP");
    NS_TEST_EXPECT_MSG_EQ((CompletionTimes("hpcc", DUMBBELL, flows) == Times{3492021, 4462408}),
                          true,
                          "HPCC");
    NS_TEST_EXPECT_MSG_EQ((CompletionTimes("timely", DUMBBELL, flows) == Times{3948822, 4781062}),
                          true,
                          "TIMELY");
}

namespace
{
const RdmaTestSuite<RdmaOnePacket, RdmaSingleFlow, RdmaSharedLink> g_rdma("rdma");
} // namespace

} // namespace ns3
