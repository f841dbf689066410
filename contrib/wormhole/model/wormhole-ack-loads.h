/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_ACK_LOADS_H
#define WORMHOLE_ACK_LOADS_H

#include "wormhole/id.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3
{

/** \ingroup wormhole Acknowledgements that a flow may cause. */
struct WormholeAckLoad
{
    wormhole::PortId sender{};   ///< the port that the flow's data leaves its sender by
    wormhole::PortId receiver{}; ///< the same of its acknowledgements
    int64_t most{0};             ///< bit/s, if the flow has its sender's port to itself
};

/**
 * \ingroup wormhole
 * \brief How many acknowledgements may come to each port.
 *
 * Flows that leave by one sender's port share its rate, and so do those that come to one receiver:
 * they cause as many acknowledgements as one of them alone. So a flow that takes the place of
 * another one on the same link changes nothing.
 */
class WormholeAckLoads
{
  public:
    /** \param ports their number */
    explicit WormholeAckLoads(std::size_t ports);

    /** Acknowledgements of a flow come to \p port; O(1). */
    void Add(wormhole::PortId port, const WormholeAckLoad& load);

    /** They do not come any more; O(1). */
    void Remove(wormhole::PortId port, const WormholeAckLoad& load);

    /** \return the lesser of what senders and what receivers let come to \p port, bit/s */
    int64_t Get(wormhole::PortId port) const;

  private:
    /** What flows that have an end in common cause at a port. */
    struct Common
    {
        int64_t sum{0}; //!< bit/s
        int64_t flows{0};

        int64_t GetMean() const
        {
            return flows > 0 ? sum / flows : 0;
        }
    };

    /** The same by one of the ends of flows. */
    struct ByEnd
    {
        std::unordered_map<uint64_t, Common> common; //!< by port and end
        std::vector<int64_t> total;                  //!< of their means, by port; bit/s
    };

    static void Change(ByEnd& loads,
                       wormhole::PortId port,
                       wormhole::PortId end,
                       int64_t load,
                       int64_t flows);

    ByEnd m_bySender;
    ByEnd m_byReceiver;
};

} // namespace ns3

#endif // WORMHOLE_ACK_LOADS_H
