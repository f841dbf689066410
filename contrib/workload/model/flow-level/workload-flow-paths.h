/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_FLOW_PATHS_H
#define WORKLOAD_FLOW_PATHS_H

#include "workload-max-min.h"
#include "workload-routes.h"

#include "ns3/rdma-congestion-control.h"
#include "ns3/rdma-helper.h"
#include "ns3/rdma-timing.h"
#include "ns3/workload-connections.h"
#include "ns3/workload-transport.h"

#include <vector>

namespace ns3
{

/** \ingroup workload What a flow level takes over from the packet level. */
struct WorkloadFlowOptions
{
    uint32_t payloadBytes{1000};          ///< payload of a full packet, at least 1
    uint32_t headerBytes{48};             ///< of each packet on the wire
    uint32_t ackBytes{60};                ///< of an acknowledgement
    uint32_t ackInterval{1};              ///< as RdmaHost::AckInterval
    uint32_t chunkBytes{0};               ///< as RdmaHost::ChunkSize
    RdmaLinkUse use;                      ///< what the congestion control fills of a switch's link
    RdmaTiming timing{RdmaTiming::EXACT}; ///< as RdmaNetwork::Timing
    uint16_t dport{100};                  ///< UDP destination port: ECMP hashes it
    bool collapseParallel{false};         ///< as RdmaNetwork::CollapseParallelLinks
    bool nvSwitches{false};               ///< whether NVSwitches are end points
    WorkloadConnections connections{WorkloadConnections::FRESH};
};

/** \ingroup workload \return the options that give flow level packets such as \p helper gives a
 * network's */
WorkloadFlowOptions WorkloadFlowOptionsFrom(const RdmaHelper& helper);

/** \ingroup workload What a transfer's way costs if no other is on it, ps. */
struct WorkloadFlowTimes
{
    int64_t pathPs{0};    ///< from leaving to delivery
    int64_t packetsPs{0}; ///< of that, a packet at every link but the slowest
    int64_t ackPs{0};     ///< from delivery to acknowledgement
    int64_t rttPs{0};     ///< of a packet
};

/**
 * \ingroup workload
 * \brief The links of a network as a flow level sees them: the way of each transfer, and what its
 * packets, their headers and acknowledgements take there.
 */
class WorkloadFlowPaths
{
  public:
    /**
     * \param topology plain data; not kept
     * \param options sizes and paths
     * \throws InputError if a size is impossible
     */
    WorkloadFlowPaths(const RdmaTopology& topology, const WorkloadFlowOptions& options);

    /** \return what flows may take of each directed link, numbered as WorkloadRoutes does */
    std::vector<WorkloadLinkCapacity> GetCapacities() const;

    /** \return directed links */
    size_t CountLinks() const
    {
        return m_links.size();
    }

    /** \return the UDP destination port of a transfer */
    uint16_t DportOf(const WorkloadTransfer& transfer) const;

    /** \return bytes of a transfer with the headers of its packets */
    double WireBytes(const WorkloadTransfer& transfer) const;

    /** \return how long its last packet takes at a directed link, ps */
    int64_t LastPacketPs(const WorkloadTransfer& transfer, uint32_t link) const;

    /**
     * Finds the way of the packet level's queue pair; all below is of the way found last.
     * \param from, to nodes of the topology
     * \return its UDP source port
     */
    uint16_t Find(uint32_t from, uint32_t to, const WorkloadTransfer& transfer);

    /** \return directed links; none if there is no way */
    const std::vector<uint32_t>& Links() const
    {
        return m_path;
    }

    /** \return what does not depend on others */
    WorkloadFlowTimes TimesOf(const WorkloadTransfer& transfer) const;

    /** \return what acknowledgements take of the links of the way back. They begin when the first
     * packet is delivered: what comes after the last byte, until that is, does not count */
    const std::vector<WorkloadAckShare>& AckShares(const WorkloadTransfer& transfer,
                                                   const WorkloadFlowTimes& times);

    /** \return bytes per ps of the slowest link */
    double Slowest() const;

    /** \return bytes, of \p left, by which a control that leaves a part of the links free is late:
     * until the first acknowledgement is back, a flow sends at its NIC's rate, and what queues up
     * meanwhile fills the slowest link */
    double FirstWindow(double left, const WorkloadFlowTimes& times) const;

  private:
    /** A directed link as packets see it. */
    struct DirectedLink
    {
        uint64_t rate; //!< bit/s
        WorkloadLinkCapacity capacity;
        double inUse; //!< bytes per ps that one flow fills in the long run
        int64_t delayPs;
        int64_t ackPs;   //!< transmission of an acknowledgement
        double ackShare; //!< what that takes beside the transmission of a full frame
    };

    int64_t TimeOf(uint64_t bytes, uint64_t rate) const;
    DirectedLink MakeLink(const RdmaLinkSpec& spec, bool fromHost) const;
    uint64_t Packets(const WorkloadTransfer& transfer) const;
    uint64_t Acks(const WorkloadTransfer& transfer) const;

    WorkloadFlowOptions m_options;
    RdmaClock m_clock;
    std::vector<DirectedLink> m_links;
    WorkloadRoutes m_routes;
    std::vector<uint32_t> m_path;
    std::vector<uint32_t> m_ackPath;
    std::vector<WorkloadAckShare> m_ackShares;
};

} // namespace ns3

#endif // WORKLOAD_FLOW_PATHS_H
