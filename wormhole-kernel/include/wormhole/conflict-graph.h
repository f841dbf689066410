/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_CONFLICT_GRAPH_H
#define WORMHOLE_CONFLICT_GRAPH_H

#include "wormhole/id.h"
#include "wormhole/signature.h"
#include "wormhole/units.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace wormhole
{

/** What decides how a flow behaves in contention. Two flows that agree in all of it are alike. */
struct FlowAttributes
{
    std::uint64_t control{0};  //!< class of congestion control and its parameters, as a fingerprint
    std::uint64_t lineRate{0}; //!< of its network interface; bit/s
    std::int32_t baseRttClass{0};   //!< QuantiseLog of the round-trip time without queues
    std::int32_t startRateClass{0}; //!< QuantiseLog of the rate that the transient starts with
    std::int32_t inFlightClass{0};  //!< of the bytes in flight when it starts; any number
    std::uint64_t extra{0};         //!< whatever else the simulator knows to matter
    std::optional<Bytes> bytesLeft; //!< where the outcome depends on it

    friend bool operator==(const FlowAttributes& a, const FlowAttributes& b)
    {
        return a.control == b.control && a.lineRate == b.lineRate &&
               a.baseRttClass == b.baseRttClass && a.startRateClass == b.startRateClass &&
               a.inFlightClass == b.inFlightClass && a.extra == b.extra &&
               a.bytesLeft == b.bytesLeft;
    }

    friend bool operator!=(const FlowAttributes& a, const FlowAttributes& b)
    {
        return !(a == b);
    }
};

/** What decides how a port behaves in contention. */
struct PortAttributes
{
    std::uint64_t rate{0};           //!< of the link; bit/s
    std::int32_t delayClass{0};      //!< QuantiseLog of the propagation delay
    std::int32_t queueClass{0};      //!< QuantiseLog of the bytes queued when the transient starts
    std::int32_t backgroundClass{0}; //!< QuantiseLog of the load from outside the partition
    std::uint64_t extra{0};          //!< whatever else the simulator knows to matter

    friend bool operator==(const PortAttributes& a, const PortAttributes& b)
    {
        return a.rate == b.rate && a.delayClass == b.delayClass && a.queueClass == b.queueClass &&
               a.backgroundClass == b.backgroundClass && a.extra == b.extra;
    }

    friend bool operator!=(const PortAttributes& a, const PortAttributes& b)
    {
        return !(a == b);
    }
};

/** How much of the network a graph tells apart. */
enum class GraphDetail
{
    Flows, //!< vertices are flows; an edge says how many ports two flows share (the paper's graph)
    Ports, //!< ports are vertices too; an edge says at which hop a flow crosses a port
};

/**
 * \brief The class of \p value on a logarithmic scale, the same on every machine.
 *
 * Class k holds the values from step^k up to, but without, step^(k+1): values whose quotient is
 * below \p step fall into the same class or into neighbouring ones, and a larger value never has a
 * smaller class. The powers are made by squaring, without the logarithm of the C library, which
 * may differ in the last bit between machines; this moves the bounds of a class by less than a
 * part in 10^9 where \p step is 1.0001 or more.
 *
 * \param value any; zero, negative values and NaN have the class INT32_MIN, infinity INT32_MAX
 * \param step at least 1.000001 and finite, e.g. 1.05
 * \return the class, between -800,000,000 and 800,000,000 for positive finite values
 * \throws UsageError if \p step is out of range
 *
 * Cost: O(log |class|), tens of nanoseconds. Thread safety: pure.
 */
std::int32_t QuantiseLog(double value, double step);

/**
 * \brief Who contends with whom in a partition: the key that episodes are found by.
 *
 * (The flow conflict graph of Wormhole, NSDI 2026, section 5.) A simple undirected graph with
 * labels on its edges; vertices are numbered 0, 1, ..., flows first, in the order in which they
 * were added, then ports, in the order in which the paths of the flows name them first.
 *
 * Immutable but for assignment. Memory: 48 bytes per flow, 32 per port, 16 per edge and 8 per
 * vertex. Thread safety: an object may be read by several threads at once.
 */
class ConflictGraph
{
  public:
    class Builder;

    /** One end of an edge, as its other end sees it. */
    struct Edge
    {
        std::uint32_t neighbour{0};
        std::uint32_t label{0}; //!< number of shared ports (from 1), or hop (from 0)

        friend bool operator==(const Edge& a, const Edge& b)
        {
            return a.neighbour == b.neighbour && a.label == b.label;
        }
    };

    /** The edges of a vertex, for range-based for. Valid as long as the graph. */
    class EdgeRange
    {
      public:
        EdgeRange(const Edge* begin, const Edge* end)
            : m_begin(begin),
              m_end(end)
        {
        }

        const Edge* begin() const
        {
            return m_begin;
        }

        const Edge* end() const
        {
            return m_end;
        }

        std::size_t size() const
        {
            return static_cast<std::size_t>(m_end - m_begin);
        }

      private:
        const Edge* m_begin;
        const Edge* m_end;
    };

    /** An edge with both its ends. */
    struct FullEdge
    {
        std::uint32_t first{0};
        std::uint32_t second{0};
        std::uint32_t label{0};

        friend bool operator==(const FullEdge& a, const FullEdge& b)
        {
            return a.first == b.first && a.second == b.second && a.label == b.label;
        }
    };

    /** A graph without vertices, with GraphDetail::Flows. */
    ConflictGraph();

    /**
     * \brief Makes a graph of what its accessors gave, e.g. of a stored one.
     * \param detail kind of graph
     * \param flows the first vertices
     * \param ports the other vertices; none with GraphDetail::Flows
     * \param edges each once, in any order and with its ends in any order
     * \throws UsageError if an edge names a vertex that is not there, joins a vertex to itself or
     *         two vertices for the second time, does not join a flow and a port with
     *         GraphDetail::Ports, or says that no port is shared with GraphDetail::Flows
     *
     * Cost: as Builder::Build.
     */
    static ConflictGraph FromParts(GraphDetail detail,
                                   std::vector<FlowAttributes> flows,
                                   std::vector<PortAttributes> ports,
                                   const std::vector<FullEdge>& edges);

    GraphDetail Detail() const
    {
        return m_detail;
    }

    std::uint32_t FlowCount() const
    {
        return static_cast<std::uint32_t>(m_flows.size());
    }

    /** \return 0 with GraphDetail::Flows */
    std::uint32_t PortCount() const
    {
        return static_cast<std::uint32_t>(m_ports.size());
    }

    std::uint32_t VertexCount() const
    {
        return FlowCount() + PortCount();
    }

    /** \return number of edges, each counted once */
    std::size_t EdgeCount() const
    {
        return m_edges.size() / 2;
    }

    /** \param vertex below FlowCount() */
    const FlowAttributes& Flow(std::uint32_t vertex) const
    {
        return m_flows[vertex];
    }

    /** \param vertex from FlowCount() and below VertexCount() */
    const PortAttributes& Port(std::uint32_t vertex) const
    {
        return m_ports[vertex - FlowCount()];
    }

    /** \param vertex below VertexCount()
     *  \return its edges, by ascending neighbours; an edge is seen from both its ends */
    EdgeRange Edges(std::uint32_t vertex) const
    {
        return {m_edges.data() + m_offsets[vertex], m_edges.data() + m_offsets[vertex + 1]};
    }

    /**
     * \brief What colour refinement (1-dimensional Weisfeiler-Leman) can say of a vertex.
     * \param vertex below VertexCount()
     * \return number of vertices with a smaller colour. Isomorphisms map a vertex to one of the
     *         same colour; two vertices of the same colour have equal attributes, but for a
     *         collision of 128-bit hashes, and need not be equivalent.
     */
    std::uint32_t Colour(std::uint32_t vertex) const
    {
        return m_colours[vertex];
    }

    /**
     * \brief The same for isomorphic graphs, whatever their numbering, on every machine.
     *
     * Of the kind of graph, its sizes, all attributes and labels, and the stable colours: graphs
     * with different signatures are certainly not isomorphic. Cost: none, Build made it.
     */
    const Signature& GetSignature() const
    {
        return m_signature;
    }

    /** \return whether \p a and \p b are the same with the same numbers. O(vertices + edges) */
    friend bool operator==(const ConflictGraph& a, const ConflictGraph& b)
    {
        return a.m_signature == b.m_signature && a.m_detail == b.m_detail &&
               a.m_flows == b.m_flows && a.m_ports == b.m_ports && a.m_offsets == b.m_offsets &&
               a.m_edges == b.m_edges;
    }

  private:
    ConflictGraph(GraphDetail detail,
                  std::vector<FlowAttributes> flows,
                  std::vector<PortAttributes> ports,
                  const std::vector<FullEdge>& edges);
    void PlaceEdges(const std::vector<FullEdge>& edges);

    GraphDetail m_detail{GraphDetail::Flows};
    std::vector<FlowAttributes> m_flows;
    std::vector<PortAttributes> m_ports;
    std::vector<std::size_t> m_offsets; //!< into m_edges, by vertex; and the end
    std::vector<Edge> m_edges;
    std::vector<std::uint32_t> m_colours;
    Signature m_signature;
};

/**
 * \brief Makes a ConflictGraph of flows and ports.
 *
 * One builder may build any number of graphs, one after the other, which saves allocations; and
 * colours, for it knows graphs again that it built lately.
 */
class ConflictGraph::Builder
{
  public:
    explicit Builder(GraphDetail detail);

    /**
     * \brief Adds a flow. Flows are numbered 0, 1, ... in the order of the calls.
     * \param attributes of the flow
     * \param ports in the order of the path; of a port that is named again only the first counts,
     *              and the others keep their hops. May be empty.
     *
     * Cost: O(ports).
     */
    void AddFlow(const FlowAttributes& attributes, const std::vector<PortId>& ports);

    /** Needed, with GraphDetail::Ports, once for each port of a flow, before or after the flow;
     * ports not crossed are left out. No effect with GraphDetail::Flows. */
    void AddPort(PortId port, const PortAttributes& attributes);

    /**
     * \return the graph of what was added since the last Build; the builder is empty then
     * \throws UsageError with GraphDetail::Ports, if a port that is crossed was not added, or twice;
     *         nothing is changed then
     *
     * Cost: O((vertices + edges) log vertices), also for graphs on which plain colour refinement
     * needs a round per vertex, like long chains of flows; in addition, with GraphDetail::Flows,
     * the sum of the squared numbers of flows per port.
     */
    ConflictGraph Build();

  private:
    struct AddedPort
    {
        PortId port;
        PortAttributes attributes;
    };

    /** A graph, and the edges that it was made of. */
    struct Known
    {
        ConflictGraph graph;
        std::vector<FullEdge> edges;
    };

    /** \return the graph of m_flows, \p ports and m_edges */
    const ConflictGraph& Make(std::vector<PortAttributes> ports);

    void NumberPorts();
    std::vector<PortAttributes> CollectPorts();
    void JoinFlowsToPorts();
    void JoinFlowsToFlows();

    GraphDetail m_detail;
    std::vector<FlowAttributes> m_flows;
    std::vector<std::size_t> m_pathEnds; //!< into m_path, by flow
    std::vector<PortId> m_path;          //!< of all flows, one after the other
    std::vector<AddedPort> m_added;

    std::unordered_map<std::uint64_t, Known> m_known; //!< by a hash of what they are made of
    std::size_t m_knownVertices{0};                   //!< of all of them

    // What Build works with, kept for the memory.
    std::vector<std::uint32_t> m_slots; //!< hash table of places in m_crossed, by port
    std::vector<PortId> m_crossed;      //!< ports in the order of their first appearance
    std::vector<std::uint32_t>
        m_numbers; //!< by place in m_path, in m_crossed; or none, if the flow crosses it again
    std::vector<std::uint32_t> m_lastFlow; //!< by place in m_crossed: crossed it last
    std::vector<std::size_t> m_flowsBegin; //!< into m_flowsOn, by place in m_crossed; and the end
    std::vector<std::size_t> m_flowsEnd;   //!< of those in m_flowsOn so far
    std::vector<std::uint32_t> m_flowsOn;
    std::vector<std::uint32_t> m_shared;  //!< by flow: ports that it shares with the current one
    std::vector<std::uint32_t> m_sharers; //!< flows with an m_shared that is not 0
    std::vector<FullEdge> m_edges;
};

} // namespace wormhole

#endif // WORMHOLE_CONFLICT_GRAPH_H
