/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Hosts that stand for NVSwitches: end points on the packet level.

#include "harness/on_packets.h"
#include "harness/transfers.h"

#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace harness;
using namespace transport_test;
using nlohmann::json;

TEST(WorkloadTransports, HiddenHostsChangeNothingElse)
{
    const RdmaTopology topology = Servers(2, 4, 2880 * GBPS, 400 * GBPS);
    const Work work = [](WorkloadRdmaTransport& transport, RdmaNetwork& network) {
        TransferLog log(transport);
        for (uint32_t id = 0; id < 64; ++id)
        {
            if (id / 8 != id % 8)
            {
                transport.Start({id / 8, id % 8, 30000, 0}, id);
            }
        }
        json ports = json::array();
        for (const RdmaQueuePair* qp : network.GetUnfinishedFlows())
        {
            for (const RdmaPort* port : qp->GetDataRoute())
            {
                ports.push_back(port->GetPortId());
            }
        }
        transport.Run();
        return json{log.delivered,
                    ports,
                    transport.GetLargestRttNs(),
                    transport.GetLargestBdp(),
                    transport.GetHostCount()};
    };
    const json without = OnPackets(topology, work);
    EXPECT_EQ(OnPackets(topology, work, NATIVE, {}, true), without);
    // GPUs of one rail: 2 links of 500 ns and 1,000 bytes at 400 Gb/s each; GPUs of one server: 2
    // links of 25 ns and 2 ns (cut) each
    EXPECT_EQ(without[2], 2 * 1000 + 2 * 20);
    EXPECT_EQ(without[3], 2040 * 400 / 8);
    EXPECT_EQ(without[4], 8);
}

TEST(WorkloadTransports, LargestDoesNotCountNvSwitches)
{
    // one GPU per NVSwitch, and NVSwitches with a fast way between them: the pair of NVSwitches
    // would have the largest product
    RdmaTopology topology;
    topology.nodes = {RdmaNodeKind::HOST,
                      RdmaNodeKind::HOST,
                      RdmaNodeKind::NVSWITCH,
                      RdmaNodeKind::NVSWITCH};
    topology.links = {{0, 2, DataRate("10Gbps"), NanoSeconds(100)},
                      {1, 3, DataRate("10Gbps"), NanoSeconds(100)},
                      {2, 3, DataRate("1000Gbps"), NanoSeconds(100)}};
    const json got = OnPackets(
        topology,
        [](WorkloadRdmaTransport& transport, RdmaNetwork&) {
            return json{transport.GetLargestRttNs(), transport.GetLargestBdp()};
        },
        NATIVE,
        {},
        true);
    // 2 * 300 ns, and 800 + 8 + 800 ns for payloads: 2,208 ns at 10 Gb/s: 2,760 bytes
    EXPECT_EQ(got, json({2208, 2760}));
}

namespace
{

/** 1 MB between each of 4 GPUs and their NVSwitch, at SimAI's timing. \return end points; times of
 * delivery by GPU, 10 more on the way down; drops and time-outs */
json
UpAndDown(bool up, bool down, WorkloadWindow window)
{
    WorkloadRdmaOptions options;
    options.window = window;
    return OnPackets(
        Servers(2, 4, 2880 * GBPS, 400 * GBPS),
        [up, down](WorkloadRdmaTransport& transport, RdmaNetwork& network) {
            TransferLog log(transport);
            for (uint32_t gpu = 4; gpu < 8; ++gpu)
            {
                if (up)
                {
                    transport.Start({gpu, 9, 1000000, 0}, gpu);
                }
                if (down)
                {
                    transport.Start({9, gpu, 1000000, 0}, 10 + gpu);
                }
            }
            transport.Run();
            const RdmaCounters& counters = network.GetContext().counters;
            return json{transport.GetEndpointCount(),
                        log.delivered,
                        counters.bufferDrops,
                        counters.timeouts};
        },
        NATIVE,
        options,
        true,
        [](RdmaHelper& helper) {
            helper.SetNetworkAttribute("Timing", StringValue("truncate"));
            helper.SetNetworkAttribute("SequenceBytes", UintegerValue(8));
            helper.SetHostAttribute("PayloadSize", UintegerValue(9000));
        });
}

// SimAI's timing: 9,052 bytes take 25 ns (cut) at 2,880 Gb/s; a transfer is 111 full packets and
// one of 1,000 bytes, 2 ns. The link to the hidden host takes 0 ns and has no delay, so that there
// is one link only: 25 + 111 * 25 + 2 ns.
constexpr int64_t ALONE = 25000 + 111 * 25000 + 2000;

} // namespace

TEST(WorkloadTransports, NvSwitchesAreEndPoints)
{
    for (const WorkloadWindow window : {WorkloadWindow::LARGEST, WorkloadWindow::NONE})
    {
        EXPECT_EQ(UpAndDown(true, false, window),
                  json({10, {{4, ALONE}, {5, ALONE}, {6, ALONE}, {7, ALONE}}, 0, 0}));
        EXPECT_EQ(UpAndDown(false, true, window),
                  json({10, {{14, ALONE}, {15, ALONE}, {16, ALONE}, {17, ALONE}}, 0, 0}));
    }
}

TEST(WorkloadTransports, NvSwitchesSendAndReceiveAtOnce)
{
    // The window is that of GPUs of a rail: 2 * 1,000 + 2 * 180 ns at 400 Gb/s are 118,000 bytes,
    // so 14 packets go before the first acknowledgement. The hidden host's are in the NVSwitch's
    // queues at once, and take 14 * 25 ns. The first acknowledgement of what goes up waits behind
    // them, and then for the link: 25 ns longer than the GPU's own 14 packets take, once; from then
    // on, what is queued is what the window allows less what is on the links.
    const int64_t held = ALONE + 25000;
    EXPECT_EQ(UpAndDown(true, true, WorkloadWindow::LARGEST),
              json({10,
                    {{4, held},
                     {5, held},
                     {6, held},
                     {7, held},
                     {14, ALONE},
                     {15, ALONE},
                     {16, ALONE},
                     {17, ALONE}},
                    0,
                    0}));
    EXPECT_EQ(UpAndDown(true, true, WorkloadWindow::NONE),
              json({10,
                    {{4, ALONE},
                     {5, ALONE},
                     {6, ALONE},
                     {7, ALONE},
                     {14, ALONE},
                     {15, ALONE},
                     {16, ALONE},
                     {17, ALONE}},
                    0,
                    0}));
}
