/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"

#include "ns3/rdma-cut.h"
#include "ns3/rdma-helper.h"
#include "ns3/rdma-network.h"
#include "ns3/rdma-ranks.h"
#include "ns3/rdma-simulator-impl.h"
#include "ns3/rdma-topology-generator.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/** One of some ranks, which nobody asks for an exchange. */
class SilentRanks final : public RdmaRanks
{
  public:
    SilentRanks(uint32_t rank, uint32_t count)
        : m_rank(rank),
          m_count(count)
    {
    }

    uint32_t GetRank() const override
    {
        return m_rank;
    }

    uint32_t GetCount() const override
    {
        return m_count;
    }

    std::string Exchange(const std::vector<Bytes>&,
                         std::vector<Bytes>&,
                         const std::function<bool()>&) override
    {
        return "nobody is there";
    }

  private:
    uint32_t m_rank;
    uint32_t m_count;
};

/** What a rank has built. */
struct Built
{
    std::vector<bool> here; //!< of each node, whether it is an ns-3 node with devices
    uint32_t devices{0};
    std::vector<uint64_t> ports; //!< of all nodes: rates and delays of their ports, by node
    uint64_t nextPlace{0};       //!< in the order of scheduling
    uint32_t largestFrame{0};
};

Built
Build(const RdmaTopology& topology, RdmaRanks* ranks)
{
    Simulator::Destroy();
    const auto simulator = DynamicCast<RdmaSimulatorImpl>(Simulator::GetImplementation());
    if (ranks)
    {
        simulator->SetRanks(*ranks);
    }
    const Ptr<RdmaNetwork> network = RdmaHelper().Install(topology);
    Built built;
    built.largestFrame = network->GetContext().largestFrame;
    built.nextPlace = network->GetContext().eventQueue->NewestPlace();
    for (uint32_t node = 0; node < network->GetNodeCount(); ++node)
    {
        const Ptr<Node> ns3Node = network->GetNode(node);
        const RdmaNode& rdma = network->GetRdmaNode(node);
        built.here.push_back(ns3Node != nullptr);
        built.devices += ns3Node ? ns3Node->GetNDevices() : 0;
        built.ports.push_back(node);
        for (const RdmaPort* port : rdma.GetPorts())
        {
            built.ports.push_back(port->GetRate());
            built.ports.push_back(static_cast<uint64_t>(port->GetDelay()));
            built.ports.push_back(port->GetPeer().GetPortId());
        }
    }
    network->Dispose();
    Simulator::Destroy();
    return built;
}

RDMA_TEST(RdmaCutLength, "a window is as long as the links that are worth cutting")
{
    // two servers, each two GPUs at an NVSwitch by 25 steps, joined by a switch 1,000 steps away
    const std::vector<bool> hosts{true, true, true, true, false, false, false};
    std::vector<RdmaCutLink> links;
    for (uint32_t gpu = 0; gpu < 4; ++gpu)
    {
        links.push_back({gpu, 4 + gpu / 2, 25});
        links.push_back({gpu, 6, 1000});
    }
    const RdmaCut cut(hosts, links);
    // 7 nodes in windows of 25 are worth 175; 3 processes in windows of 1,000 are worth 3,000
    NS_TEST_EXPECT_MSG_EQ(cut.GetLength(), 1000, "");
    NS_TEST_EXPECT_MSG_EQ(cut.GetCount(), 3, "two servers and the switch");
    const std::vector<uint32_t> expected{1, 1, 2, 2, 1, 2, 3};
    NS_TEST_EXPECT_MSG_EQ((cut.GetProcesses() == expected), true, "numbered by their first nodes");
    const std::vector<uint32_t> nodes{3, 3, 1};
    NS_TEST_EXPECT_MSG_EQ((cut.CountNodes() == nodes), true, "");
    const std::vector<uint32_t> near = cut.ListNear();
    NS_TEST_EXPECT_MSG_EQ(std::set<uint32_t>(near.begin(), near.end()).size(), 3, "each once");
}

RDMA_TEST(RdmaCutPieces, "pieces have about as many ports, and hosts are with their switch")
{
    // 4 switches in a line, 4 hosts at each: 16 + 4 nodes, and 2 * (16 + 3) ends of links
    std::vector<RdmaCutLink> links;
    for (uint32_t host = 0; host < 16; ++host)
    {
        links.push_back({host, 16 + host / 4, 1000});
    }
    for (uint32_t sw = 16; sw < 19; ++sw)
    {
        links.push_back({sw, sw + 1, 1000});
    }
    std::vector<bool> hosts(16, true);
    hosts.resize(20, false);
    const RdmaCut cut(hosts, links);
    NS_TEST_EXPECT_MSG_EQ(cut.GetCount(), 20, "every node is a process");
    const std::vector<uint32_t> piece = cut.AssignTo(2);
    // the line is cut in the middle
    for (uint32_t host = 0; host < 16; ++host)
    {
        NS_TEST_EXPECT_MSG_EQ(piece[host], host / 8, "host " << host);
        NS_TEST_EXPECT_MSG_EQ(piece[16 + host / 4], host / 8, "its switch");
    }
}

RDMA_TEST(RdmaRanksBuild, "each rank builds its own nodes, and of others what routes need")
{
    UseSimulator("ns3::RdmaSimulatorImpl");
    // 16 hosts with a port, 4 leaves with 4 + 2, 2 spines with 4; of the second network, where one
    // of 4 ranks has no link between two nodes of its own: 12, 3 with 4 + 2, 2 with 3
    const std::pair<const char*, uint32_t> networks[]{
        {"leaf-spine:leaves=4,hosts-per-leaf=4,spines=2", 16 + 4 * 6 + 2 * 4},
        {"leaf-spine:leaves=3,hosts-per-leaf=4,spines=2", 12 + 3 * 6 + 2 * 3}};
    for (const auto& [name, ports] : networks)
    {
        const RdmaTopology topology = GenerateRdmaTopology(name);
        const Built alone = Build(topology, nullptr);
        NS_TEST_EXPECT_MSG_EQ(alone.devices, ports, name);
        for (uint32_t count = 2; count <= 4; ++count)
        {
            std::vector<uint32_t> owners(topology.nodes.size(), 0);
            uint32_t devices = 0;
            for (uint32_t rank = 0; rank < count; ++rank)
            {
                SilentRanks ranks(rank, count);
                const Built built = Build(topology, &ranks);
                for (size_t node = 0; node < owners.size(); ++node)
                {
                    owners[node] += built.here[node];
                }
                devices += built.devices;
                NS_TEST_EXPECT_MSG_LT(built.devices, ports, "a part of them");
                NS_TEST_EXPECT_MSG_EQ((built.ports == alone.ports), true, "all ports are known");
                NS_TEST_EXPECT_MSG_EQ(built.nextPlace, alone.nextPlace, "what follows is in order");
                NS_TEST_EXPECT_MSG_EQ(built.largestFrame, alone.largestFrame, name);
            }
            NS_TEST_EXPECT_MSG_EQ(devices, ports, "each at one rank");
            const bool once = std::all_of(owners.begin(), owners.end(), [](uint32_t owner) {
                return owner == 1;
            });
            NS_TEST_EXPECT_MSG_EQ(once, true, "each node has one rank of " << count);
        }
    }
}

RdmaTestSuite<RdmaCutLength, RdmaCutPieces, RdmaRanksBuild> g_cutSuite("rdma-cut");

} // namespace
