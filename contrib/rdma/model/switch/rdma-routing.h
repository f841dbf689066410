/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_ROUTING_H
#define RDMA_ROUTING_H

#include "rdma-neighbours.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ns3
{

class RdmaNode;
class RdmaPort;
class RdmaQueuePair;

/** \ingroup rdma What a flow's header says to whoever hashes it. Addresses in host order. */
struct RdmaTuple
{
    uint32_t source;
    uint32_t destination;
    uint32_t ports; ///< source port + destination port * 65536
};

/** \ingroup rdma A pair of hosts on the shortest route between them. */
struct RdmaPathProperties
{
    bool reachable{false};
    int64_t delayNs{0};   ///< one-way propagation, ns
    int64_t txDelayNs{0}; ///< one-way transmission of a payload at every link, ns
    uint64_t rate{0};     ///< of the slowest link, bit/s

    /** \return round-trip time without queues as HPCC's simulator has it (acknowledgements take no
     * transmission time), ns */
    int64_t GetRttNs() const
    {
        return 2 * delayNs + txDelayNs;
    }

    /** \return bandwidth-delay product, bytes */
    uint64_t GetBdp() const;
};

/**
 * \ingroup rdma
 * \brief Shortest paths by hops, and the choice among equal ones by hash (ECMP).
 *
 * Hosts are never transit. A breadth-first search from the destination finds all next hops; their
 * order, which the hash refers to, is that of HPCC's public simulator: the order in which the
 * search visits them, neighbours in descending node number. Hosts that hang on the same links are
 * one class and share a search, and a search is made when a class is first a destination, so that
 * set-up costs O(hosts + links).
 */
class RdmaRouting
{
  public:
    RdmaRouting();
    ~RdmaRouting();

    /**
     * \param nodes all nodes by number; ports connected. They must outlive the routing
     * \param nvSwitches of each node, whether it is an NVSwitch: preferred over other next hops at the same distance (SimAI)
     * \param collapseParallel of parallel links between two nodes only the last carries traffic, as in HPCC's simulator
     * \param payload bytes of a full frame, for transmission times of routes
     */
    void Build(const std::vector<RdmaNode*>& nodes,
               const std::vector<bool>& nvSwitches,
               bool collapseParallel,
               uint32_t payload);

    /** A link went down or up. */
    void Invalidate();

    /** \return the IPv4 address (host order) of a node: 11.x.y.1 */
    static uint32_t AddressOf(uint32_t node);

    /** \return the node that has an IPv4 address (host order); UINT32_MAX if no host does */
    uint32_t NodeOf(uint32_t address) const;

    /** \return what a flow's data frames, or its acknowledgements, look like to a hash */
    static RdmaTuple TupleOf(const RdmaQueuePair& qp, bool reverse);

    /**
     * \param from host
     * \param to host
     * \param tuple hashed at every choice
     * \return the egress ports on the way; empty if there is none
     */
    std::vector<RdmaPort*> FindRoute(uint32_t from, uint32_t to, const RdmaTuple& tuple);

    /** \return whether frames from host \p from to host \p to have one way only
     *  \param ports added to: that way in order, or each port that one of several ways crosses */
    bool FindPorts(uint32_t from, uint32_t to, std::vector<RdmaPort*>& ports);

    /** \return the egress port at \p node towards host \p to; null if there is none. Several
     * threads may ask at once */
    RdmaPort* NextPort(uint32_t node, uint32_t to, const RdmaTuple& tuple);

    /** \return all egress ports at \p node that NextPort chooses from. Several threads may ask at
     * once */
    std::vector<RdmaPort*> NextPorts(uint32_t node, uint32_t to);

    /** \return all hosts, by number */
    const std::vector<uint32_t>& GetHosts() const
    {
        return m_hosts;
    }

    /** \return links on a shortest way from node \p from to host \p to; 0 if there is none. Several
     * threads may ask at once */
    uint32_t GetHops(uint32_t from, uint32_t to);

    /** As NextPort for a frame of a flow. */
    RdmaPort* NextPort(uint32_t node, const RdmaQueuePair& qp, bool reverse);

    /** As the above for an ordinary packet; null as well if no host has the destination address. */
    RdmaPort* NextPort(uint32_t node, uint32_t source, uint32_t destination, uint32_t ports);

    /** \return facts of the route from one host to another */
    RdmaPathProperties GetPathProperties(uint32_t from, uint32_t to);

    /**
     * \param rttNs set to the largest round-trip time of all ordered pairs of hosts, ns
     * \param bdp set to the largest bandwidth-delay product of them, bytes
     */
    void GetLargest(int64_t& rttNs, uint64_t& bdp);

    /** \return the hash that a switch chooses by: MurmurHash3 x86_32 over the tuple, seeded with
     * its number */
    static uint32_t EcmpHash(const RdmaTuple& tuple, uint32_t seed);

  private:
    struct Tree;

    using Ports = std::vector<RdmaPort*>;

    struct PortsHash
    {
        size_t operator()(const Ports& ports) const
        {
            return std::hash<RdmaPort*>()(ports.front()) + ports.size();
        }
    };

    void MakeClasses();
    uint32_t ClassOf(uint32_t host);
    Tree Search(uint32_t host);
    Tree& TreeOf(uint32_t host);
    /** \return valid until the next call */
    const std::vector<RdmaPort*>& Candidates(uint32_t node, uint32_t to);
    const std::vector<RdmaPort*>& CandidatesNear(const Tree& tree, uint32_t node, uint32_t to);
    Ports FindWays(const Tree& tree, uint32_t node);
    void SortNearest();
    RdmaPathProperties Extend(const RdmaPathProperties& way, uint32_t adjacency) const;
    const RdmaNeighbours::Adjacency* FindVia(const Tree& tree, uint32_t root, uint32_t host) const;

    std::vector<RdmaNode*> m_nodes;
    std::vector<bool> m_nvSwitches;
    bool m_collapse{false};
    uint32_t m_payload{1}; //!< bytes
    std::vector<uint32_t> m_hosts;
    uint32_t m_switches{0};                 //!< how many
    std::vector<uint32_t> m_compact;        //!< of each node, its place in a Tree: 0 for a host
    RdmaNeighbours m_neighbours;            //!< when asked for
    std::vector<uint32_t> m_class;          //!< of each host
    std::vector<uint32_t> m_representative; //!< a host of each class
    std::vector<uint32_t> m_classSize;
    std::vector<std::unique_ptr<Tree>> m_trees;   //!< towards each class, when asked for
    std::unordered_set<Ports, PortsHash> m_lists; //!< of ports, each that a tree has, once
    std::vector<uint32_t> m_found;                //!< scratch: nodes in the order of a search
    /** Scratch: rank in the search, and what leads there. */
    std::vector<std::pair<uint32_t, const RdmaNeighbours::Adjacency*>> m_nearest;
    Ports m_candidates; //!< scratch
    const Ports m_noPorts{};
    std::mutex m_mutex; //!< of what NextPort looks up
};

} // namespace ns3

#endif // RDMA_ROUTING_H
