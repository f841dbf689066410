/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_POWER_TCP_H
#define RDMA_POWER_TCP_H

#include "rdma-congestion-control.h"
#include "rdma-int-record.h"
#include "rdma-round.h"

#include "ns3/data-rate.h"

#include <array>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief PowerTCP (Addanki et al., NSDI 2022, algorithm 1).
 *
 * Telemetry of every switch gives the power of its link: current (bytes sent and queued per time)
 * times voltage (queue and bandwidth-delay product), 1 where the link is full and has no queue. The
 * window follows the link with most of it. Windows are rates here, times the round-trip time
 * without queues, as in HPCC: the flow's window scales with its rate. The window that a segment was
 * sent under is that of the round trip before. When acknowledgements come matters to the nanosecond
 * (MeasuresDelay): left out hop by hop, they moved completion times of a permutation by 3 %.
 */
class RdmaPowerTcp : public RdmaCongestionControl
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    RdmaPowerTcp();
    ~RdmaPowerTcp() override;

    // RdmaCongestionControl
    Ptr<RdmaCongestionControl> Fork() const override;
    RdmaTelemetry GetTelemetry() const override;
    void OnStart(RdmaQueuePair& qp) override;
    void OnAck(RdmaQueuePair& qp, const RdmaAck& ack) override;

    /** \return true, unless a class derived from this one does more */
    bool ActsAlone() const override
    {
        return GetInstanceTypeId() == GetTypeId();
    }

    /** \return false: telemetry says all that it looks at */
    bool HeedsMarks() const override
    {
        return false;
    }

    bool SaveState(const RdmaQueuePair& qp, std::vector<uint8_t>& state) const override;
    bool LoadState(RdmaQueuePair& qp, const std::vector<uint8_t>& state) override;

    /** \return smoothed power of the link with most, normalised */
    double GetPower() const
    {
        return m_state.power;
    }

  private:
    /** What telemetry says of a link since it was last looked at. */
    struct Sample
    {
        double power{0}; //!< normalised
        uint64_t ns{0};  //!< over so long; 0: it says nothing
    };

    struct State
    {
        RdmaRound round;
        double power{1};    //!< smoothed
        uint64_t before{0}; //!< rate of the round trip before, bit/s
        std::array<RdmaIntRecord, RdmaIntHeader::MAX_HOPS> last;
        uint8_t hops{0}; //!< links with a record
    };

    template <typename Stream, typename T>
    static void Fields(Stream& stream, T& state);

    Sample FindMost(const RdmaQueuePair& qp, const RdmaIntHeader& header);
    uint64_t NextRate(const RdmaQueuePair& qp) const;

    State m_state;

    // attributes
    double m_gamma;
    uint32_t m_flows;
    DataRate m_minRate;
};

} // namespace ns3

#endif // RDMA_POWER_TCP_H
