/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_PASSED_OVER_H
#define WORMHOLE_PASSED_OVER_H

#include "wormhole/id.h"

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace ns3
{

class RdmaQueuePair;

/**
 * \ingroup wormhole
 * \brief Flows under way that the controller is not told of, for they are short and share no port
 * with any that it knows; and where they are, for as long as that is so.
 */
class WormholePassedOver
{
  public:
    using PortIds = std::vector<wormhole::PortId>;
    using Flows = std::map<uint64_t, RdmaQueuePair*>; //!< by number

    bool IsEmpty() const
    {
        return m_places.empty();
    }

    /** \param flow number of a flow that is not here
     *  \param qp the same
     *  \param ports that its frames and acknowledgements cross, each once */
    void Add(uint64_t flow, RdmaQueuePair* qp, PortIds ports);

    /** Forgets \p flow, if it is here. O(flows at its ports) */
    void Remove(uint64_t flow);

    void Clear();

    /** \return all ports at which there is a flow, in order */
    PortIds GetPorts() const;

    /** \return flows that have some of \p ports, and those that share ports with these, directly or
     * through others; they are here no more */
    Flows Take(const PortIds& ports);

  private:
    struct Place
    {
        RdmaQueuePair* qp;
        PortIds ports;
    };

    std::unordered_map<uint64_t, Place> m_places;                //!< by flow
    std::unordered_map<uint64_t, std::vector<uint64_t>> m_flows; //!< by port; none is empty
};

} // namespace ns3

#endif // WORMHOLE_PASSED_OVER_H
