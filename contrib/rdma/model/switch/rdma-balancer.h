/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_BALANCER_H
#define RDMA_BALANCER_H

#include "rdma-router.h"

#include "ns3/rdma-context.h"
#include "ns3/rdma-frame.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

class RdmaPort;
class RdmaRouting;

/** \ingroup rdma How a switch chooses among egress ports of equal distance, for data frames. */
enum class RdmaBalancing : uint8_t
{
    ECMP,     ///< by a hash of the flow: always the same
    SPRAY,    ///< each frame by a draw (Dixit et al., INFOCOM 2013, random packet spraying)
    FLOWLET,  ///< a draw for each burst of a flow (LetFlow: Vanini et al., NSDI 2017, section 3)
    ADAPTIVE, ///< each frame to the port with the fewest bytes in its queues; idle ones first
    ENTROPY,  ///< by a hash of the flow and of a value that the frame brings (RdmaEntropy)
    ROUTER,   ///< each frame as a class of the user's says (RdmaRouter)
    VALIANT,  ///< by way of a switch that is drawn for each frame (RdmaDetours)
    UGAL      ///< the same, unless the shortest way is less loaded (RdmaDetours)
};

/**
 * \param name ecmp, spray, flowlet, adaptive, entropy, router, valiant or ugal
 * \return what it stands for; aborts if there is no such name
 */
RdmaBalancing RdmaBalancingFromName(const std::string& name);

/** \return "ecmp" and so on */
std::string RdmaBalancingName(RdmaBalancing balancing);

/**
 * \ingroup rdma
 * \brief Chooses egress ports for the data frames of a switch, other than by ECMP.
 *
 * Draws depend on the seed, the node, the flow and the frame's number in it alone. Acknowledgements
 * keep to their flow's route.
 */
class RdmaBalancer
{
  public:
    /**
     * \param balancing not ECMP
     * \param node of the switch
     * \param gap a flow that paused for longer starts another flowlet; time steps
     * \param entries of the table of flowlets, shared by flows of the same hash, as LetFlow's
     */
    void Configure(RdmaBalancing balancing, uint32_t node, int64_t gap, uint32_t entries);

    /** \param router chooses; with RdmaBalancing::ROUTER */
    void SetRouter(Ptr<RdmaRouter> router);

    /** \return whether it was configured */
    bool IsOn() const
    {
        return m_balancing != RdmaBalancing::ECMP;
    }

    /**
     * \param context has the time, the seed and the version of routes
     * \param routing knows the shortest ways
     * \param frame data of a flow; what it knows of its detour may change
     * \param first whether this is the first switch on its way
     * \return the egress port for it; null if no route leads on
     */
    RdmaPort* Next(const RdmaContext& context, RdmaRouting& routing, RdmaFrame& frame, bool first);

  private:
    struct Flowlet
    {
        RdmaPort* port{nullptr};
        int64_t last{0}; //!< when a frame of it last came; time steps
    };

    using Ports = std::vector<RdmaPort*>;

    const Ports& WaysTo(uint32_t host, const RdmaContext& context, RdmaRouting& routing);
    RdmaPort* OnDetour(const RdmaContext& context, RdmaRouting& routing, RdmaFrame& frame);
    uint16_t ChooseDetour(const RdmaContext& context, RdmaRouting& routing, const RdmaFrame& frame);
    bool IsShortestBetter(const RdmaContext& context,
                          RdmaRouting& routing,
                          const RdmaFrame& frame,
                          uint32_t via);
    RdmaPort* Draw(const Ports& ports, const RdmaContext& context, const RdmaFrame& frame) const;
    RdmaPort* OfEntropy(const Ports& ports, const RdmaFrame& frame) const;
    RdmaPort* OfFlowlet(const Ports& ports, const RdmaContext& context, const RdmaFrame& frame);
    RdmaPort* LeastLoaded(const Ports& ports, const RdmaContext& context, const RdmaFrame& frame);

    RdmaBalancing m_balancing{RdmaBalancing::ECMP};
    uint32_t m_node{0};
    int64_t m_gap{0};
    uint32_t m_version{0};                      //!< of the routes that m_ways has
    std::unordered_map<uint32_t, Ports> m_ways; //!< towards each host, when asked for
    std::vector<Flowlet> m_flowlets;
    Ptr<RdmaRouter> m_router;
    Ports m_least; //!< scratch
};

} // namespace ns3

#endif // RDMA_BALANCER_H
