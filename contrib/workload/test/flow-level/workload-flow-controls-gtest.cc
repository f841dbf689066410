/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Flow level: what headers, acknowledgements and congestion controls leave of links, by hand and
// against the packet level.

#include "harness/apart.h"
#include "harness/transfers.h"

#include "ns3/double.h"
#include "ns3/global-value.h"
#include "ns3/nstime.h"
#include "ns3/rdma-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/workload-flow-transport.h"
#include "ns3/workload-rdma-transport.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace harness;
using nlohmann::json;

namespace
{

constexpr uint64_t CONTROL_GBPS = 1000000000;

using NetworkSetUp = std::function<void(RdmaHelper&)>;

/** Transfers that start together. \return deliveries, ps */
std::vector<int64_t>
DeliverTogether(WorkloadTransport& transport, const std::vector<WorkloadTransfer>& transfers)
{
    TransferLog log(transport);
    log.onTimer = [&](uint64_t i) { transport.Start(transfers[i], i); };
    for (size_t i = 0; i < transfers.size(); ++i)
    {
        transport.Schedule(0, i);
    }
    transport.Run();
    std::vector<int64_t> times;
    for (size_t i = 0; i < transfers.size(); ++i)
    {
        times.push_back(log.delivered.at(i));
    }
    return times;
}

std::vector<int64_t>
OnFlows(const RdmaTopology& topology,
        const std::vector<WorkloadTransfer>& transfers,
        const NetworkSetUp& setUp)
{
    RdmaHelper helper;
    setUp(helper);
    WorkloadFlowTransport transport(topology, WorkloadFlowOptionsFrom(helper));
    return DeliverTogether(transport, transfers);
}

std::vector<int64_t>
OnPackets(const RdmaTopology& topology,
          const std::vector<WorkloadTransfer>& transfers,
          const NetworkSetUp& setUp)
{
    const json times = RunApart([&]() {
        Time::SetResolution(Time::PS);
        GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::RdmaSimulatorImpl"));
        RdmaHelper helper;
        setUp(helper);
        WorkloadRdmaTransport transport(helper.Install(topology), MakeWorkloadEndpoints(topology));
        return json(DeliverTogether(transport, transfers));
    });
    return times.get<std::vector<int64_t>>();
}

/** Each host sends to the next, so that all links carry data, and acknowledgements of others. */
std::vector<WorkloadTransfer>
RingOf(uint32_t hosts, uint64_t bytes)
{
    std::vector<WorkloadTransfer> ring;
    for (uint32_t host = 0; host < hosts; ++host)
    {
        ring.push_back({host, (host + 1) % hosts, bytes});
    }
    return ring;
}

NetworkSetUp
Control(const std::string& name)
{
    return [name](RdmaHelper& helper) { helper.SetCongestionControl(name); };
}

/** What is compared: a control, and an attribute of another value than by default. */
struct ControlCase
{
    const char* control;
    uint32_t payload;
    double target; ///< of HPCC
};

class WorkloadFlowControls : public testing::TestWithParam<ControlCase>
{
};

} // namespace

TEST(WorkloadFlowPackets, HaveTheHeadersOfTheirControl)
{
    // Ethernet 14, IPv4 20, UDP 8, sequence number 4, group 2: 48 B; time stamps are 8 B, telemetry
    // is 42 B. Acknowledgements: 14 + 20 + 12 and telemetry, 60 B at least.
    const auto costs = [](const NetworkSetUp& setUp) {
        RdmaHelper helper;
        setUp(helper);
        return helper.GetPacketCosts();
    };
    for (const char* name : {"", "ns3::RdmaDcqcn", "ns3::RdmaDctcp"})
    {
        EXPECT_EQ(costs(Control(name)).headerBytes, 48) << name;
        EXPECT_EQ(costs(Control(name)).ackBytes, 60) << name;
    }
    for (const char* name : {"ns3::RdmaTimely", "ns3::RdmaSwift"})
    {
        EXPECT_EQ(costs(Control(name)).headerBytes, 56) << name;
        EXPECT_EQ(costs(Control(name)).ackBytes, 60) << name;
        EXPECT_EQ(costs(Control(name)).use.share, 1) << name;
    }
    EXPECT_EQ(costs(Control("ns3::RdmaHpcc")).headerBytes, 90);
    EXPECT_EQ(costs(Control("ns3::RdmaHpcc")).ackBytes, 88);
    EXPECT_EQ(costs(Control("ns3::RdmaHpcc")).use.share, 0.95);
    EXPECT_EQ(costs(Control("ns3::RdmaHpcc")).use.increase, 40000000);
    const RdmaPacketCosts changed = costs([](RdmaHelper& helper) {
        helper.SetCongestionControl("ns3::RdmaHpcc");
        helper.SetCongestionControlAttribute("UtilizationTarget", DoubleValue(0.8));
        helper.SetHostAttribute("PayloadSize", UintegerValue(4096));
        helper.SetHostAttribute("AckInterval", UintegerValue(8000));
        helper.SetNetworkAttribute("L2HeaderBytes", UintegerValue(2));
        helper.SetNetworkAttribute("SequenceBytes", UintegerValue(8));
        helper.SetNetworkAttribute("Timing", StringValue("truncate"));
    });
    EXPECT_EQ(changed.use.share, 0.8);
    EXPECT_EQ(changed.payloadBytes, 4096);
    EXPECT_EQ(changed.headerBytes, 90 - 12 + 4);
    EXPECT_EQ(changed.ackBytes, 88 - 12);
    EXPECT_EQ(changed.ackInterval, 8000);
    EXPECT_EQ(changed.timing, RdmaTiming::TRUNCATE_NS);
}

TEST(WorkloadFlowPackets, AcknowledgementsShareTheLinksOfTheWayBack)
{
    // both ways 1,000 packets of 1,048 B, and 1,000 acknowledgements of 60 B, at 80 ps a byte; then
    // two links of 1,000 ns, and a packet more at the second one. The first acknowledgement is sent
    // when the first packet is there; those of the last ones find no data any more.
    const RdmaTopology topology = Star(2, 100 * CONTROL_GBPS, 1000);
    const double late = (2000000 + 2 * 83840) / (1048000. * 80);
    const double end = (1048000 + 60000 * (1 - late)) * 80 + 2000000 + 83840;
    for (const int64_t time : OnFlows(topology, RingOf(2, 1000000), Control("")))
    {
        EXPECT_NEAR(static_cast<double>(time), end, 1);
    }
}

TEST(WorkloadFlowPackets, AreAcknowledgedFromTheIntervalOn)
{
    // 10 packets: the first 4 are not, unless one ends a chunk; the last 2 times of a packet bring
    // none while there are data
    const RdmaTopology topology = Star(2, 100 * CONTROL_GBPS, 0);
    for (const uint32_t chunk : {0, 4000})
    {
        const auto setUp = [chunk](RdmaHelper& helper) {
            helper.SetHostAttribute("AckInterval", UintegerValue(5000));
            helper.SetHostAttribute("ChunkSize", UintegerValue(chunk));
        };
        const int acks = chunk ? 7 : 6;
        EXPECT_NEAR(static_cast<double>(OnFlows(topology, RingOf(2, 10000), setUp)[0]),
                    (10480 + 0.8 * acks * 60) * 80 + 83840,
                    1);
    }
}

TEST(WorkloadFlowPackets, HpccLeavesAPartFreeOnceItKnows)
{
    // Frames of 1,090 B take 87,200 ps, acknowledgements of 88 B 7,040 ps; the first one is back
    // after 4 us and two of each. Until then the flow has the line, 80 ps a byte; then 0.9 of it
    // and 1 Gb/s: 0.91.
    const auto setUp = [](RdmaHelper& helper) {
        helper.SetCongestionControl("ns3::RdmaHpcc");
        helper.SetCongestionControlAttribute("UtilizationTarget", DoubleValue(0.9));
        helper.SetCongestionControlAttribute("AdditiveIncrease", StringValue("1Gbps"));
    };
    const double rtt = 4000000 + 2 * 87200 + 2 * 7040;
    const double rest = (10900000 - rtt / 80) * 80 / 0.91;
    EXPECT_NEAR(static_cast<double>(
                    OnFlows(Star(2, 100 * CONTROL_GBPS, 1000), {{0, 1, 10000000}}, setUp)[0]),
                rtt + rest + 2000000 + 87200,
                1);
    // four flows of other hosts, 0.94 of the line; each has had a window of its own at the start
    std::vector<WorkloadTransfer> incast;
    for (uint32_t host = 1; host <= 4; ++host)
    {
        incast.push_back({host, 0, 10000000});
    }
    const double window = rtt / 80 * (1 - 0.91);
    EXPECT_NEAR(static_cast<double>(OnFlows(Star(5, 100 * CONTROL_GBPS, 1000), incast, setUp)[0]),
                (10900000 - window) * 4 * 80 / 0.94 + 2000000 + 87200 - 87200,
                2);
}

TEST(WorkloadFlowPackets, TimeCanBeCutToNanoseconds)
{
    // SimAI: a frame of 9,052 B at 1,440 Gb/s takes 50.3 ns, which are cut to 50
    const RdmaTopology topology = Star(2, 1440 * CONTROL_GBPS, 25);
    const auto setUp = [](RdmaHelper& helper) {
        helper.SetHostAttribute("PayloadSize", UintegerValue(9000));
        helper.SetNetworkAttribute("SequenceBytes", UintegerValue(8));
        helper.SetNetworkAttribute("Timing", StringValue("truncate"));
    };
    const std::vector<WorkloadTransfer> one{{0, 1, 9000000}};
    const int64_t end = (1000 * 50 + 50 + 2 * 25) * int64_t{1000};
    EXPECT_NEAR(static_cast<double>(OnFlows(topology, one, setUp)[0]), static_cast<double>(end), 1);
    EXPECT_EQ(OnPackets(topology, one, setUp)[0], end);
}

TEST_P(WorkloadFlowControls, RingsAgreeWithThePacketLevel)
{
    // 4 flows of 4 MB, 350 us. What is left: HPCC takes some round trips of 4 us until all have
    // their share, with 0.4 us too much or too little in each: 0.5 %.
    const RdmaTopology topology = Star(4, 100 * CONTROL_GBPS, 1000);
    const ControlCase& what = GetParam();
    const auto setUp = [&what](RdmaHelper& helper) {
        helper.SetCongestionControl(what.control);
        helper.SetHostAttribute("PayloadSize", UintegerValue(what.payload));
        if (what.target > 0)
        {
            helper.SetCongestionControlAttribute("UtilizationTarget", DoubleValue(what.target));
        }
    };
    const std::vector<WorkloadTransfer> ring = RingOf(4, 4000000);
    const std::vector<int64_t> flows = OnFlows(topology, ring, setUp);
    const std::vector<int64_t> packets = OnPackets(topology, ring, setUp);
    for (size_t i = 0; i < ring.size(); ++i)
    {
        EXPECT_NEAR(static_cast<double>(flows[i]) / static_cast<double>(packets[i]), 1, 0.005);
    }
}

INSTANTIATE_TEST_SUITE_P(All,
                         WorkloadFlowControls,
                         testing::Values(ControlCase{"", 1000, 0},
                                         ControlCase{"ns3::RdmaHpcc", 1000, 0},
                                         ControlCase{"ns3::RdmaDcqcn", 1000, 0},
                                         ControlCase{"ns3::RdmaTimely", 1000, 0},
                                         ControlCase{"ns3::RdmaDctcp", 1000, 0},
                                         ControlCase{"ns3::RdmaSwift", 1000, 0},
                                         ControlCase{"ns3::RdmaHpcc", 1000, 0.8},
                                         ControlCase{"ns3::RdmaHpcc", 500, 0},
                                         ControlCase{"ns3::RdmaDcqcn", 2000, 0}),
                         [](const testing::TestParamInfo<ControlCase>& what) {
                             const std::string name = what.param.control;
                             return (name.empty() ? "None" : name.substr(name.find("Rdma"))) +
                                    std::to_string(what.param.payload) +
                                    (what.param.target > 0 ? "Target" : "");
                         });
