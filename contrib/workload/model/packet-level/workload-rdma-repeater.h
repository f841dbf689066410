/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_RDMA_REPEATER_H
#define WORKLOAD_RDMA_REPEATER_H

#include "workload-rdma-transport.h"

#include "ns3/workload-repeater.h"

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

namespace ns3
{

/** \ingroup workload Repeats transfers of a WorkloadRdmaTransport: at packet level. */
class WorkloadRdmaRepeater final : public WorkloadRepeater
{
  public:
    /** \return what a port is, with all of its node that matters; see WorkloadHop */
    using KindOf = std::function<uint64_t(const RdmaPort& port)>;

    /** Told of crossings of links that were left out. */
    using OnSaved = std::function<void(uint64_t hops)>;

    /**
     * \param transport outlives it
     * \param kindOf asked once for each port
     * \param onSaved told of what is repeated
     * \param options what the user chose
     */
    WorkloadRdmaRepeater(WorkloadRdmaTransport& transport,
                         KindOf kindOf,
                         OnSaved onSaved,
                         const Options& options);

    // WorkloadRepeater
    bool FindHops(uint32_t src, uint32_t dst, std::vector<WorkloadHop>& hops) override;
    bool AreIdle(const std::vector<uint32_t>& ports) override;
    void Repeat(const std::vector<WorkloadRepeatedTransfer>& transfers) override;
    uint64_t CountFrames(const WorkloadTransfer& transfer) override;
    uint64_t CountHops(const WorkloadTransfer& transfer) override;
    uint64_t GetHops() const override;
    uint64_t CountTroubles() const override;

  private:
    /** Where data and acknowledgements from one host to another may go. */
    struct Way
    {
        std::vector<RdmaPort*> data;
        std::vector<RdmaPort*> acks;
        bool only{false}; //!< whether they go there in this order, without losses
    };

    const Way& Find(uint32_t src, uint32_t dst);

    WorkloadRdmaTransport& m_transport;
    KindOf m_kindOf;
    OnSaved m_onSaved;
    std::unordered_map<uint64_t, Way> m_ways;              //!< by end points
    std::unordered_map<const RdmaPort*, uint64_t> m_kinds; //!< that were asked for
    std::vector<const RdmaPort*> m_ports;                  //!< the same, by number
};

} // namespace ns3

#endif // WORKLOAD_RDMA_REPEATER_H
