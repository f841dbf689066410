/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_WINDOWS_H
#define RDMA_WINDOWS_H

#include "rdma-queue-pair.h"

#include "ns3/rdma-routing.h"

#include <cstdint>
#include <map>

namespace ns3
{

/** \ingroup rdma What flows get besides what their file says. */
struct RdmaFlowOptions
{
    bool window{true};  ///< limit bytes in flight to a bandwidth-delay product
    bool largest{true}; ///< take the largest round-trip time and product of all pairs of hosts, not
                        ///< the pair's own
    std::map<uint8_t, bool> windowOfClass{}; ///< in place of window, of classes (priorities) that
                                             ///< differ

    /** \return whether flows of the class \p priority have a window */
    bool HasWindow(uint8_t priority) const
    {
        const auto own = windowOfClass.find(priority);
        return own == windowOfClass.end() ? window : own->second;
    }
};

/**
 * \ingroup rdma
 * \brief Windows and base round-trip times of flows that are about to start.
 */
class RdmaWindows
{
  public:
    /**
     * \param options what flows get
     * \param routing of a network that has started; searched here if \p options ask for the largest
     * of all pairs of hosts, in O(hosts + links) per class of hosts
     */
    RdmaWindows(const RdmaFlowOptions& options, RdmaRouting& routing);

    /** As the above. \param rttNs largest round-trip time, ns \param bdp largest bandwidth-delay
     * product, bytes */
    RdmaWindows(const RdmaFlowOptions& options, int64_t rttNs, uint64_t bdp);

    /** \return whether Set() looks at paths */
    bool NeedPaths() const
    {
        return !m_options.largest;
    }

    /** Sets the window and the base round-trip time of \p flow. \param path of it; of no effect
     * unless NeedPaths() */
    void Set(RdmaFlow& flow, const RdmaPathProperties& path) const;

    /** \return largest round-trip time without queues of all pairs of hosts, ns; 0 unless the
     * options ask for it */
    int64_t GetLargestRttNs() const
    {
        return m_rttNs;
    }

    /** \return largest bandwidth-delay product of all pairs of hosts, bytes; 0 unless the options
     * ask for it */
    uint64_t GetLargestBdp() const
    {
        return m_bdp;
    }

  private:
    RdmaFlowOptions m_options;
    int64_t m_rttNs{0};
    uint64_t m_bdp{0};
};

} // namespace ns3

#endif // RDMA_WINDOWS_H
