/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_CONFLICT_GRAPH_H
#define WORMHOLE_CONFLICT_GRAPH_H

#include "wormhole/id.h"
#include "wormhole/signature.h"
#include "wormhole/units.h"

#include <cstdint>
#include <optional>
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
    std::uint64_t extra{0};         //!< whatever else the simulator knows to matter
    std::optional<Bytes> bytesLeft; //!< where the outcome depends on it
};

/** What decides how a port behaves in contention. */
struct PortAttributes
{
    std::uint64_t rate{0};           //!< of the link; bit/s
    std::int32_t delayClass{0};      //!< QuantiseLog of the propagation delay
    std::int32_t queueClass{0};      //!< QuantiseLog of the bytes queued when the transient starts
    std::int32_t backgroundClass{0}; //!< QuantiseLog of the load from outside the partition
    std::uint64_t extra{0};          //!< whatever else the simulator knows to matter
};

/** How much of the network a graph tells apart. */
enum class GraphDetail
{
    Flows, //!< vertices are flows; an edge says how many ports two flows share (the paper's graph)
    Ports, //!< ports are vertices too; an edge says at which hop a flow crosses a port
};

/**
 * The class of \p value on a logarithmic scale: values whose quotient is below \p step fall into
 * the same class or neighbouring ones. Zero and negative values have a class of their own. The same
 * on every machine.
 * \param step > 1, e.g. 1.05
 */
std::int32_t QuantiseLog(double value, double step);

class ConflictGraph
{
  public:
    class Builder
    {
      public:
        explicit Builder(GraphDetail detail);
        /** Flows are numbered 0, 1, ... in the order of the calls.
         *  \param ports in the order of the path */
        void AddFlow(const FlowAttributes& attributes, const std::vector<PortId>& ports);
        /** Needed, with GraphDetail::Ports, for each port of a flow; ports not crossed are left
         * out. */
        void AddPort(PortId port, const PortAttributes& attributes);
        ConflictGraph Build();
    };

    GraphDetail Detail() const;
    std::uint32_t FlowCount() const;
    std::uint32_t VertexCount() const; // flows first, then ports
    const FlowAttributes& Flow(std::uint32_t vertex) const;
    const PortAttributes& Port(std::uint32_t vertex) const;
    // adjacency in CSR form: neighbour and label (number of shared ports; or hop)
    /** Canonical: the same for isomorphic graphs whatever the numbering; computed once. */
    const Signature& GetSignature() const;
};

} // namespace wormhole

#endif // WORMHOLE_CONFLICT_GRAPH_H
