/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_SIMAI_PORT_MONITORS_H
#define RDMA_SIMAI_PORT_MONITORS_H

#include "rdma-simai-monitor.h"

#include "ns3/rdma-in-order.h"
#include "ns3/rdma-network.h"

#include <array>
#include <deque>
#include <limits>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief What SimAI's two monitors of ports have in common: what they keep of each port.
 *
 * A port keeps what samples see of it, for its node may be ahead of others (RdmaInOrder). Only the
 * first change after a sample is put into the order of all: per frame, a monitor costs a comparison
 * and an addition.
 */
class RdmaPortMonitor : public RdmaSimAiMonitor
{
  protected:
    /** Bytes of a port, by queue where that matters. */
    using Bytes = std::array<uint64_t, RdmaEgressQueues::COUNT>;

    /** A port. What each frame touches is in one line of the cache. */
    struct alignas(RDMA_CACHE_LINE) Port
    {
        void Queue(uint32_t queue, uint64_t before, uint64_t after);
        void Transmit(const RdmaFrame& frame);

        RdmaPortMonitor& monitor;
        RdmaPort& port;
        int64_t nextNs{BEFORE}; //!< the first sample that sees \c bytes, if they stay until then
        Bytes bytes{};          //!< now
        Bytes written{};        //!< in the last line of each
        std::vector<std::pair<int64_t, Bytes>> seen{}; //!< by samples from a time on, to nextNs
        bool changed{false};                           //!< is in m_changed
    };

    /** As of RdmaSimAiMonitor. \param counts whether bytes count from sample to sample: a sample
     * sees those since the one before */
    RdmaPortMonitor(const std::string& file,
                    const std::string& header,
                    const RdmaSamplingTimes& times,
                    bool counts);

    /** Sorts what has changed by node and interface. */
    void SortChanged();

    /** \return what a sample sees; no earlier one is asked for any more */
    Bytes SeenAt(Port& port, int64_t timeNs) const;

    std::deque<Port> m_ports;     //!< never moved
    std::vector<Port*> m_changed; //!< those that may differ from their last line

  private:
    static constexpr int64_t BEFORE = std::numeric_limits<int64_t>::min();

    /** Bytes of a port are about to change: keeps what samples see that have not seen it yet. */
    void WillChange(Port& port)
    {
        const int64_t now = port.port.GetContext().NowNs();
        if (now >= port.nextNs)
        {
            Keep(port, now);
        }
    }

    void Keep(Port& port, int64_t nowNs);
    void Note(Port& port);

    const bool m_counts;
    RdmaInOrder<Port*> m_firstChanges;
};

/**
 * \ingroup rdma
 * \brief SimAI's QLEN_MON_FILE: length of each queue of each switch port.
 *
 * Lines `time, sw_id, port_id, q_id, q_len, port_len`: ns, numbers, bytes. All eight queues count.
 */
class RdmaQueueLengthMonitor : public RdmaPortMonitor
{
  public:
    /** \param network whose switches are watched; further parameters as of RdmaSimAiMonitor */
    RdmaQueueLengthMonitor(RdmaNetwork& network,
                           const std::string& file,
                           const RdmaSamplingTimes& times);

  protected:
    bool Sample(int64_t timeNs) override;
    void StopListening() override;
};

/**
 * \ingroup rdma
 * \brief SimAI's BW_MON_FILE: what each port sent, on average over the interval before each sample.
 *
 * Lines `time, node_id, port_id, bandwidth`: ns, numbers, Gb/s. A frame counts where its
 * transmission begins, with all its bytes on the wire.
 */
class RdmaBandwidthMonitor : public RdmaPortMonitor
{
  public:
    /** \param network whose hosts and switches are watched; further parameters as of
     * RdmaSimAiMonitor */
    RdmaBandwidthMonitor(RdmaNetwork& network,
                         const std::string& file,
                         const RdmaSamplingTimes& times);

  protected:
    bool Sample(int64_t timeNs) override;
    void StopListening() override;
};

} // namespace ns3

#endif // RDMA_SIMAI_PORT_MONITORS_H
