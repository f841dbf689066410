/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-deadlock-warnings.h"

#include <algorithm>
#include <map>

namespace ns3
{

namespace
{

constexpr uint64_t MAX_VISITS = uint64_t(1) << 22; //!< of ports, on the ways to all destinations
constexpr size_t MAX_SHOWN = 8;                    //!< nodes that a line names

/** Which egress ports wait for which: those that frames take next (the channel dependency graph of
 * Dally and Seitz). Ports are known by the network's numbers. */
class DependencyGraph
{
  public:
    explicit DependencyGraph(RdmaNetwork& network)
        : m_network(network),
          m_ways(network.GetNodeCount())
    {
        for (uint32_t node = 0; node < network.GetNodeCount(); ++node)
        {
            for (RdmaPort* port : network.GetRdmaNode(node).GetPorts())
            {
                m_ports.resize(std::max<size_t>(m_ports.size(), port->GetPortId() + 1));
                m_ports[port->GetPortId()].port = port;
            }
        }
    }

    /** Adds what the ways from all hosts to all hosts make ports wait for. */
    void AddRoutes()
    {
        const std::vector<uint32_t> hosts = HostsByNeighbours();
        if (hosts.size() * m_ports.size() > MAX_VISITS)
        {
            return;
        }
        for (const uint32_t to : hosts)
        {
            AddRoutesTo(to, hosts);
        }
    }

    /** \return nodes whose ports wait for one another in a circle */
    std::vector<uint32_t> FindCircle()
    {
        for (uint32_t start = 0; start < m_ports.size(); ++start)
        {
            std::vector<uint32_t> circle = CircleFrom(start);
            if (!circle.empty())
            {
                return circle;
            }
        }
        return {};
    }

  private:
    struct Port
    {
        RdmaPort* port{nullptr};
        std::vector<uint32_t> next;      //!< ports that frames of this one may wait for
        uint32_t reachedFor{UINT32_MAX}; //!< the destination whose ways have come here
        size_t looked{0};                //!< how many of the next ones the search has followed
        bool isOpen{false};              //!< on the way of the search
    };

    /** What was last asked for at a node. */
    struct Ways
    {
        uint32_t to{UINT32_MAX};
        std::vector<uint32_t> next;
    };

    /** \return a host of each set that hangs on the same nodes: ways to the others are the same */
    std::vector<uint32_t> HostsByNeighbours() const
    {
        std::map<std::vector<uint32_t>, uint32_t> hosts;
        for (uint32_t node = 0; node < m_network.GetNodeCount(); ++node)
        {
            if (!m_network.GetHost(node))
            {
                continue;
            }
            std::vector<uint32_t> neighbours;
            for (const RdmaPort* port : m_network.GetRdmaNode(node).GetPorts())
            {
                neighbours.push_back(port->GetPeer().GetOwner().GetRdmaId());
            }
            hosts.emplace(neighbours, node);
        }
        std::vector<uint32_t> first;
        first.reserve(hosts.size());
        for (const auto& [neighbours, host] : hosts)
        {
            first.push_back(host);
        }
        return first;
    }

    /** \return numbers of the ports that lead from \p node towards \p to; valid until the next
     * destination */
    const std::vector<uint32_t>& NextPorts(uint32_t node, uint32_t to)
    {
        Ways& ways = m_ways[node];
        if (ways.to != to)
        {
            ways.to = to;
            ways.next.clear();
            for (const RdmaPort* port : m_network.GetRouting().NextPorts(node, to))
            {
                ways.next.push_back(port->GetPortId());
            }
        }
        return ways.next;
    }

    /** \p hosts is of each set one: no port waits for what leads from a host. */
    void AddRoutesTo(uint32_t to, const std::vector<uint32_t>& hosts)
    {
        std::vector<uint32_t> reached;
        const auto reach = [&](uint32_t port) {
            if (m_ports[port].reachedFor != to)
            {
                m_ports[port].reachedFor = to;
                reached.push_back(port);
            }
        };
        for (const uint32_t from : hosts)
        {
            if (from != to)
            {
                const std::vector<uint32_t>& next = NextPorts(from, to);
                std::for_each(next.begin(), next.end(), reach);
            }
        }
        for (size_t i = 0; i < reached.size(); ++i)
        {
            Port& here = m_ports[reached[i]];
            const uint32_t node = here.port->GetPeer().GetOwner().GetRdmaId();
            if (node == to)
            {
                continue;
            }
            for (const uint32_t port : NextPorts(node, to))
            {
                if (std::find(here.next.begin(), here.next.end(), port) == here.next.end())
                {
                    here.next.push_back(port);
                }
                reach(port);
            }
        }
    }

    /** Searches in depth; what was left without a circle is not entered again. */
    std::vector<uint32_t> CircleFrom(uint32_t start)
    {
        std::vector<uint32_t> way{start};
        m_ports[start].isOpen = true;
        while (!way.empty())
        {
            Port& here = m_ports[way.back()];
            if (here.looked == here.next.size())
            {
                here.isOpen = false;
                way.pop_back();
                continue;
            }
            const uint32_t next = here.next[here.looked++];
            if (m_ports[next].isOpen)
            {
                way.erase(way.begin(), std::find(way.begin(), way.end(), next));
                return OwnersOf(way);
            }
            if (m_ports[next].looked == 0)
            {
                m_ports[next].isOpen = true;
                way.push_back(next);
            }
        }
        return {};
    }

    std::vector<uint32_t> OwnersOf(const std::vector<uint32_t>& ports) const
    {
        std::vector<uint32_t> nodes;
        nodes.reserve(ports.size());
        for (const uint32_t port : ports)
        {
            nodes.push_back(m_ports[port].port->GetOwner().GetRdmaId());
        }
        return nodes;
    }

    RdmaNetwork& m_network;
    std::vector<Port> m_ports;
    std::vector<Ways> m_ways; //!< of each node
};

/** \return whether frames wait for room at the next switch */
bool
AnySwitchPauses(const RdmaNetwork& network)
{
    for (uint32_t node = 0; node < network.GetNodeCount(); ++node)
    {
        const auto* sw = dynamic_cast<const RdmaSwitch*>(&network.GetRdmaNode(node));
        if (sw && (sw->HasPfc() || network.GetContext().credits))
        {
            return true;
        }
    }
    return false;
}

/** \return whether switches send frames over longer ways than the shortest */
bool
AnySwitchDetours(const RdmaNetwork& network)
{
    for (uint32_t node = 0; node < network.GetNodeCount(); ++node)
    {
        const auto* sw = dynamic_cast<const RdmaSwitch*>(&network.GetRdmaNode(node));
        if (sw && (sw->GetBalancing() == RdmaBalancing::VALIANT ||
                   sw->GetBalancing() == RdmaBalancing::UGAL))
        {
            return true;
        }
    }
    return false;
}

/** \return what can wait in a circle; empty if nothing can, or if that was not sought */
std::string
WhyDeadlock(RdmaNetwork& network)
{
    if (AnySwitchDetours(network))
    {
        return "detours (valiant, ugal) join two shortest routes each, which may wait for one "
               "another "
               "in a circle";
    }
    const std::vector<uint32_t> circle = FindRdmaDeadlock(network);
    if (circle.empty())
    {
        return "";
    }
    std::string nodes;
    for (size_t i = 0; i < std::min(circle.size(), MAX_SHOWN); ++i)
    {
        nodes += std::to_string(circle[i]) + ", ";
    }
    nodes += circle.size() > MAX_SHOWN ? "..., " : "";
    return "shortest routes of this network can wait for one another in a circle (nodes " + nodes +
           "back to " + std::to_string(circle.front()) + ")";
}

} // namespace

std::vector<uint32_t>
FindRdmaDeadlock(RdmaNetwork& network)
{
    DependencyGraph graph(network);
    graph.AddRoutes();
    return graph.FindCircle();
}

std::vector<std::string>
RdmaDeadlockWarnings(RdmaNetwork& network)
{
    const std::string reason = AnySwitchPauses(network) ? WhyDeadlock(network) : "";
    if (reason.empty())
    {
        return {};
    }
    return {
        reason + ", so " +
        (network.GetContext().credits
             ? "credits may run out for good (deadlock); ns3::RdmaNetwork::FlowControl=pfc with "
               "ns3::RdmaSwitch::Pfc=false"
             : "PFC may stop it for good (deadlock); ns3::RdmaSwitch::Pfc=false") +
        " rules that out, and loses frames instead"};
}

} // namespace ns3
