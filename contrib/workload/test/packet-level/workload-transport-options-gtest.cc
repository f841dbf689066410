/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Windows and connections of transfers on the packet level.

#include "harness/on_packets.h"
#include "harness/transfers.h"

#include <gtest/gtest.h>
#include <utility>
#include <vector>

using namespace ns3;
using namespace harness;
using namespace transport_test;
using nlohmann::json;

TEST(WorkloadTransports, WindowsComeFromPathsAsAsked)
{
    // hosts 0 and 1 at one switch, host 2 behind another: RTT = 2 * delays + a payload per link
    RdmaTopology topology;
    topology.nodes = {RdmaNodeKind::HOST,
                      RdmaNodeKind::HOST,
                      RdmaNodeKind::HOST,
                      RdmaNodeKind::SWITCH,
                      RdmaNodeKind::SWITCH};
    for (const auto& [a, b] : {std::pair<uint32_t, uint32_t>{0, 3}, {1, 3}, {3, 4}, {2, 4}})
    {
        topology.links.push_back({a, b, DataRate(100 * GBPS), MicroSeconds(1)});
    }
    const auto windowOf = [&](WorkloadWindow window) {
        WorkloadRdmaOptions options;
        options.window = window;
        return OnPackets(
            topology,
            [](WorkloadRdmaTransport& transport, RdmaNetwork& network) {
                TransferLog log(transport);
                transport.Start({0, 1, 1000, 0}, 0);
                const RdmaQueuePair* qp = network.GetUnfinishedFlows().front();
                json result{qp->GetWindow(), qp->GetBaseRttNs()};
                transport.Run();
                return result;
            },
            NATIVE,
            options);
    };
    // two links: 4,000 + 160 ns, 52,000 bytes; three links: 6,000 + 240 ns, 78,000 bytes
    EXPECT_EQ(windowOf(WorkloadWindow::NONE), json({0, 4160}));
    EXPECT_EQ(windowOf(WorkloadWindow::PAIR), json({52000, 4160}));
    EXPECT_EQ(windowOf(WorkloadWindow::LARGEST), json({78000, 6240}));
}

TEST(WorkloadTransports, ConnectionsPersistAsAsked)
{
    const auto ports = [](WorkloadConnections connections) {
        WorkloadRdmaOptions options;
        options.connections = connections;
        return OnPackets(
            Star(3, 100 * GBPS, 500),
            [](WorkloadRdmaTransport& transport, RdmaNetwork& network) {
                TransferLog log(transport);
                for (uint32_t id = 0; id < 6; ++id)
                {
                    // twice each: stream 0 and 1 to host 1, stream 0 to host 2
                    const bool other = id % 3 == 2;
                    transport.Start({0, other ? 2U : 1U, 20000, 0, id % 3 == 1}, id);
                }
                json result = json::array();
                for (const RdmaQueuePair* qp : network.GetUnfinishedFlows())
                {
                    result.push_back(qp->GetSourcePort());
                }
                transport.Run();
                result.push_back(log.delivered.size());
                return result;
            },
            NATIVE,
            options);
    };
    EXPECT_EQ(ports(WorkloadConnections::FRESH),
              json({10000, 10001, 10000, 10002, 10003, 10001, 6}));
    const json kept = ports(WorkloadConnections::PERSISTENT);
    for (size_t i = 0; i < 3; ++i)
    {
        EXPECT_EQ(kept[i], kept[i + 3]) << i;
        EXPECT_GE(kept[i], 49152) << i;
    }
    EXPECT_EQ(kept[0], WorkloadConnectionPort(0, 1, 0));
    EXPECT_NE(kept[0], kept[1]) << "streams";
    EXPECT_NE(kept[0], kept[2]) << "hosts";
    EXPECT_EQ(kept[6], 6);
}

TEST(WorkloadTransports, PortsOfConnectionsAreSpread)
{
    // 4096 balls in 16 bins, 256 each: five standard deviations (15.5) are 78
    std::vector<int> bins(16);
    for (uint32_t pair = 0; pair < 4096; ++pair)
    {
        ++bins[WorkloadConnectionPort(pair / 64, pair % 64, 0) % 16];
    }
    for (const int bin : bins)
    {
        EXPECT_NEAR(bin, 256, 78);
    }
}
