/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"
#include "rdma-test-network.h"

#include "ns3/boolean.h"
#include "ns3/hash.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <vector>

using namespace ns3;

namespace
{

/** Section 4 and 5 of the behaviour facts, with a search per host and no classes. */
class LiteralRouting
{
  public:
    LiteralRouting(const RdmaNetwork& network,
                   const RdmaTopology& topology,
                   bool collapses,
                   uint32_t root)
        : m_network(network),
          m_collapses(collapses)
    {
        std::set<uint32_t> viaNvSwitch;
        m_distance[root] = 0;
        m_properties[root] = {true, 0, 0, UINT64_MAX};
        std::deque<uint32_t> queue{root};
        while (!queue.empty())
        {
            const uint32_t now = queue.front();
            queue.pop_front();
            for (const auto& [next, ports] : Neighbours(now)) // descending
            {
                if (!m_distance.count(next))
                {
                    m_distance[next] = m_distance[now] + 1;
                    const RdmaPort& link = *ports.back();
                    m_properties[next] = {true,
                                          m_properties[now].delayNs +
                                              link.GetDelay() /
                                                  link.GetContext().clock.StepsPerNs(),
                                          m_properties[now].txDelayNs +
                                              static_cast<int64_t>(8000000000000 / link.GetRate()),
                                          std::min(m_properties[now].rate, link.GetRate())};
                    if (network.GetRdmaNode(next).IsTransit())
                    {
                        queue.push_back(next); // hosts are never transit
                    }
                }
                const bool nv = topology.nodes[now] == RdmaNodeKind::NVSWITCH;
                if (m_distance[next] == m_distance[now] + 1 && (nv || !viaNvSwitch.count(next)))
                {
                    if (nv && viaNvSwitch.insert(next).second)
                    {
                        m_candidates[next].clear(); // they are preferred
                    }
                    for (RdmaPort* port : ports)
                    {
                        m_candidates[next].push_back(&port->GetPeer());
                    }
                }
            }
        }
    }

    /** \return ports on the way from \p host; empty if there is none */
    std::vector<RdmaPort*> Route(uint32_t host, uint32_t root, const RdmaTuple& tuple) const
    {
        std::vector<RdmaPort*> route;
        for (uint32_t node = host; node != root;)
        {
            const auto candidates = m_candidates.find(node);
            if (candidates == m_candidates.end())
            {
                return {};
            }
            const uint32_t words[3] = {tuple.source, tuple.destination, tuple.ports};
            char bytes[12];
            std::copy_n(reinterpret_cast<const char*>(words), 12, bytes);
            const uint32_t hash = m_network.GetRdmaNode(node).IsTransit()
                                      ? RdmaRouting::EcmpHash(tuple, node)
                                      : Hash32(bytes, 12);
            route.push_back(candidates->second[hash % candidates->second.size()]);
            node = route.back()->GetPeer().GetOwner().GetRdmaId();
        }
        return route;
    }

    RdmaPathProperties PropertiesFrom(uint32_t host) const
    {
        const auto facts = m_properties.find(host);
        return facts == m_properties.end() ? RdmaPathProperties() : facts->second;
    }

  private:
    std::map<uint32_t, std::vector<RdmaPort*>, std::greater<>> Neighbours(uint32_t node) const
    {
        std::map<uint32_t, std::vector<RdmaPort*>, std::greater<>> result;
        for (RdmaPort* port : m_network.GetRdmaNode(node).GetPorts())
        {
            std::vector<RdmaPort*>& ports = result[port->GetPeer().GetOwner().GetRdmaId()];
            if (m_collapses)
            {
                ports.clear(); // the last stands for all, even if it is down
            }
            ports.push_back(port);
        }
        for (auto it = result.begin(); it != result.end();)
        {
            std::vector<RdmaPort*>& ports = it->second;
            ports.erase(std::remove_if(ports.begin(),
                                       ports.end(),
                                       [](const RdmaPort* port) { return !port->IsLinkUp(); }),
                        ports.end());
            it = ports.empty() ? result.erase(it) : std::next(it);
        }
        return result;
    }

    const RdmaNetwork& m_network;
    const bool m_collapses;
    std::map<uint32_t, uint32_t> m_distance;
    std::map<uint32_t, RdmaPathProperties> m_properties;
    std::map<uint32_t, std::vector<RdmaPort*>> m_candidates;
};

/** Hosts with one to three links, some of them direct, switches in any mesh, some of them
 * NVSwitches, parallel links. */
RdmaTopology
RandomTopology(std::mt19937& random)
{
    RdmaTopology topology;
    const uint32_t hosts = 2 + random() % 10;
    const uint32_t switches = 1 + random() % 7;
    topology.nodes.assign(hosts, RdmaNodeKind::HOST);
    for (uint32_t n = 0; n < switches; ++n)
    {
        topology.nodes.push_back(random() % 4 ? RdmaNodeKind::SWITCH : RdmaNodeKind::NVSWITCH);
    }
    auto link = [&](uint32_t a, uint32_t b) {
        RdmaLinkSpec spec = RdmaTestLink(a, b);
        spec.rate = DataRate(random() % 3 ? "100Gbps" : "25Gbps");
        spec.delay = NanoSeconds(random() % 3 ? 1000 : 2500);
        topology.links.push_back(spec);
    };
    for (uint32_t host = 0; host < hosts; ++host)
    {
        for (uint32_t n = 1 + (random() % 3) * (random() % 2); n > 0; --n)
        {
            const uint32_t other = random() % 8 ? hosts + random() % switches : random() % hosts;
            if (other != host)
            {
                link(host, other);
            }
        }
    }
    for (uint32_t n = random() % (3 * switches); n > 0; --n)
    {
        const uint32_t a = hosts + random() % switches;
        const uint32_t b = hosts + random() % switches;
        if (a != b)
        {
            link(a, b);
        }
    }
    return topology;
}

RDMA_TEST(RdmaRoutingClasses, "routes of random networks are those of one search per host")
{
    std::mt19937 random(11);
    uint32_t reachable = 0;
    uint32_t unreachable = 0;
    for (uint32_t trial = 0; trial < 150; ++trial)
    {
        const RdmaTopology topology = RandomTopology(random);
        const bool collapses = random() % 2;
        RdmaTestNetwork net(topology, [collapses](RdmaHelper& helper) {
            helper.SetNetworkAttribute("CollapseParallelLinks", BooleanValue(collapses));
        });
        RdmaNetwork& network = *net.network;
        for (const bool failed : {false, true})
        {
            if (failed && network.GetLinkCount())
            {
                network.SetLinkUp(random() % network.GetLinkCount(), false);
            }
            int64_t rtt = 0;
            uint64_t bdp = 0;
            for (uint32_t dst = 0; network.GetHost(dst); ++dst)
            {
                const LiteralRouting twin(network, topology, collapses, dst);
                for (uint32_t src = 0; network.GetHost(src); ++src)
                {
                    if (src == dst)
                    {
                        continue;
                    }
                    const RdmaTuple tuple{RdmaRouting::AddressOf(src),
                                          RdmaRouting::AddressOf(dst),
                                          static_cast<uint32_t>(random())};
                    const auto expected = twin.Route(src, dst, tuple);
                    const bool same = network.GetRouting().FindRoute(src, dst, tuple) == expected;
                    RDMA_TEST_REQUIRE(EQ, same, true, trial << ": " << src << " to " << dst);
                    const RdmaPathProperties facts =
                        network.GetRouting().GetPathProperties(src, dst);
                    const RdmaPathProperties known = twin.PropertiesFrom(src);
                    RDMA_TEST_REQUIRE(EQ, facts.reachable, known.reachable, "trial " << trial);
                    ++(known.reachable ? reachable : unreachable);
                    if (known.reachable)
                    {
                        RDMA_TEST_REQUIRE(EQ,
                                          facts.GetRttNs(),
                                          known.GetRttNs(),
                                          "trial " << trial);
                        RDMA_TEST_REQUIRE(EQ, facts.rate, known.rate, "trial " << trial);
                        rtt = std::max(rtt, known.GetRttNs());
                        bdp = std::max(bdp, known.GetBdp());
                    }
                }
            }
            int64_t largestRtt;
            uint64_t largestBdp;
            network.GetRouting().GetLargest(largestRtt, largestBdp);
            RDMA_TEST_REQUIRE(EQ, largestRtt, rtt, "trial " << trial);
            RDMA_TEST_REQUIRE(EQ, largestBdp, bdp, "trial " << trial);
        }
        Simulator::Destroy();
    }
    NS_TEST_EXPECT_MSG_GT(reachable, 2000, "pairs with a route");
    NS_TEST_EXPECT_MSG_GT(unreachable, 500, "pairs without one");
}

RdmaTestSuite<RdmaRoutingClasses> g_rdmaRoutingRandomSuite("rdma-routing-random");

} // namespace
