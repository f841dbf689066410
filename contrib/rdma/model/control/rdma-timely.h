/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_TIMELY_H
#define RDMA_TIMELY_H

#include "rdma-congestion-control.h"
#include "rdma-round.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

namespace ns3
{

/**
 * \ingroup rdma
 * \brief TIMELY (Mittal et al., SIGCOMM 2015, algorithm 1), as HPCC's public simulator has it: one
 * update per round trip.
 */
class RdmaTimely : public RdmaCongestionControl
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    RdmaTimely();
    ~RdmaTimely() override;

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

    bool HeedsMarks() const override
    {
        return false;
    }

    bool SaveState(const RdmaQueuePair& qp, std::vector<uint8_t>& state) const override;
    bool LoadState(RdmaQueuePair& qp, const std::vector<uint8_t>& state) override;

  private:
    struct State
    {
        RdmaRound round;
        uint64_t rate{0};   //!< bit/s
        uint32_t stage{0};  //!< increases in a row
        int64_t lastRtt{0}; //!< ns
        double rttDiff{0};  //!< smoothed difference of successive round-trip times, ns
    };

    template <typename Stream, typename T>
    static void Fields(Stream& stream, T& state);

    void Update(RdmaQueuePair& qp, int64_t rtt);

    State m_state;

    // attributes
    double m_alpha;
    double m_beta;
    Time m_tLow;
    Time m_tHigh;
    Time m_minRtt;
    uint32_t m_hyperStage;
    DataRate m_increase;
    DataRate m_hyperIncrease;
    DataRate m_minRate;
};

} // namespace ns3

#endif // RDMA_TIMELY_H
