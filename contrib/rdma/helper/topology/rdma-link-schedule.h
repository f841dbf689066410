/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_LINK_SCHEDULE_H
#define RDMA_LINK_SCHEDULE_H

#include "rdma-topology.h"

#include "ns3/rdma-network.h"

#include <string>
#include <vector>

namespace ns3
{

/** \ingroup rdma A link that fails or recovers. */
struct RdmaLinkEvent
{
    Time time;        ///< simulated time
    uint32_t a{0};    ///< node
    uint32_t b{0};    ///< node; all links between the two are meant
    bool up{false};   ///< recovers
    std::string file; ///< that asks for it; empty for an option
    uint64_t line{0}; ///< of the file, 0 if none
    std::string text; ///< "LINK_DOWN" or the option as given, for messages
};

/**
 * \ingroup rdma
 * \brief Takes links down and up at given times, one pending event for all of them.
 */
class RdmaLinkSchedule
{
  public:
    /**
     * \param network built from \p topology by RdmaHelper; must outlive the schedule
     * \param topology whose links are meant
     * \param events checked (Check), in any order; those of one instant happen in this order
     */
    RdmaLinkSchedule(Ptr<RdmaNetwork> network,
                     const RdmaTopology& topology,
                     const std::vector<RdmaLinkEvent>& events);

    /** Begins; before the simulation runs. */
    void Start();

    /** \return events that have not happened yet */
    size_t CountLeft() const
    {
        return m_entries.size() - m_next;
    }

    /**
     * \param events to check
     * \param topology that they are for
     * \throws InputError if it has no such link, or one would fail that has failed, or recover that
     * has not
     */
    static void Check(const std::vector<RdmaLinkEvent>& events, const RdmaTopology& topology);

  private:
    /** An event with what it means in the network. */
    struct Entry
    {
        int64_t time; //!< time steps
        bool up;
        std::vector<uint32_t> links;
    };

    void ApplyDue();

    Ptr<RdmaNetwork> m_network;
    std::vector<Entry> m_entries; //!< by time
    size_t m_next{0};
    RdmaMemberEvent<RdmaLinkSchedule, &RdmaLinkSchedule::ApplyDue> m_due;
};

} // namespace ns3

#endif // RDMA_LINK_SCHEDULE_H
