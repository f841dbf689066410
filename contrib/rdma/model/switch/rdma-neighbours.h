/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_NEIGHBOURS_H
#define RDMA_NEIGHBOURS_H

#include <cstdint>
#include <vector>

namespace ns3
{

class RdmaNode;
class RdmaPort;

/**
 * \ingroup rdma
 * \brief The links that are up, from each node to each of its neighbours.
 *
 * All stand one after the other in memory: a search for routes crosses each, and there is one
 * search for each class of hosts.
 */
class RdmaNeighbours
{
  public:
    /** From a node to one neighbour. */
    struct Adjacency
    {
        uint32_t neighbour; //!< node
        uint32_t place;     //!< of that in a search: from 1 for a switch, 0 for a host
    };

    /** The links of an adjacency. */
    struct Links
    {
        uint32_t node;      //!< where they begin
        uint32_t firstPort; //!< in the ports of all
        uint32_t endPort;
        int64_t delayNs;   //!< of the last of them, ns
        int64_t txDelayNs; //!< transmission of a payload by that, ns
        uint64_t rate;     //!< of that, bit/s
    };

    /** Some that follow each other. */
    template <typename T>
    struct Range
    {
        T first;
        T last; //!< behind the last

        T begin() const
        {
            return first;
        }

        T end() const
        {
            return last;
        }
    };

    using Adjacencies = Range<const Adjacency*>;
    using Ports = Range<RdmaPort* const*>;

    /**
     * Takes all links that are up. O(nodes + links).
     * \param nodes by number
     * \param places of each
     * \param collapseParallel of parallel links only the last counts, even if it is down
     * \param payload bytes
     */
    void Build(const std::vector<RdmaNode*>& nodes,
               const std::vector<uint32_t>& places,
               bool collapseParallel,
               uint32_t payload);

    void Clear();

    /** \return all of \p node: to switches, then to hosts, each by descending number */
    Adjacencies Of(uint32_t node) const
    {
        const Adjacency* const all = m_adjacencies.data();
        return {all + m_spans[node].begin, all + m_spans[node].end};
    }

    /** \return those of \p node to switches */
    Adjacencies ToSwitches(uint32_t node) const
    {
        const Adjacency* const all = m_adjacencies.data();
        return {all + m_spans[node].begin, all + m_spans[node].hosts};
    }

    /** \return that from \p node to \p neighbour, a switch; there must be one */
    const Adjacency& Find(uint32_t node, uint32_t neighbour) const;

    /** \return the number of \p adjacency */
    uint32_t NumberOf(const Adjacency& adjacency) const
    {
        return static_cast<uint32_t>(&adjacency - m_adjacencies.data());
    }

    /** \return the links of an adjacency, by number */
    const Links& GetLinks(uint32_t adjacency) const
    {
        return m_links[adjacency];
    }

    /** \return the ports of \p adjacency, in the order in which its node has them */
    Ports PortsOf(const Adjacency& adjacency) const
    {
        const Links& links = m_links[NumberOf(adjacency)];
        return {m_ports.data() + links.firstPort, m_ports.data() + links.endPort};
    }

  private:
    /** Numbers of the adjacencies of a node. */
    struct Span
    {
        uint32_t begin;
        uint32_t hosts; //!< the first to a host
        uint32_t end;
    };

    std::vector<Span> m_spans;            //!< of each node
    std::vector<Adjacency> m_adjacencies; //!< what a search reads of them
    std::vector<Links> m_links;           //!< the rest, by the same numbers
    std::vector<RdmaPort*> m_ports;
};

} // namespace ns3

#endif // RDMA_NEIGHBOURS_H
