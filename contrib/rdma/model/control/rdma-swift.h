/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_SWIFT_H
#define RDMA_SWIFT_H

#include "rdma-congestion-control.h"

#include "ns3/nstime.h"

namespace ns3
{

/**
 * \ingroup rdma
 * \brief Swift (Kumar et al., SIGCOMM 2020, algorithm 1): a congestion window that keeps the
 * round-trip time at a target.
 *
 * The target grows with hops (topology scaling) and with small windows (flow scaling, section 3.5).
 * All delay is fabric delay here: hosts of this model take no time. It starts with the flow's
 * window, a bandwidth-delay product, instead of one packet, as a transport for RDMA does. Below one
 * frame the window becomes a pace: one frame per (round-trip time / window).
 */
class RdmaSwift : public RdmaCongestionControl
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    RdmaSwift();
    ~RdmaSwift() override;

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

    void OnTimeout(RdmaQueuePair& qp) override;
    void OnSkipped(RdmaQueuePair& qp, uint64_t bytes, uint64_t inFlight) override;

    bool GoesOnUnseen() const override
    {
        return true;
    }

    bool SaveState(const RdmaQueuePair& qp, std::vector<uint8_t>& state) const override;
    bool LoadState(RdmaQueuePair& qp, const std::vector<uint8_t>& state) override;

    /** \return congestion window, frames */
    double GetWindow() const
    {
        return m_state.cwnd;
    }

    /** \return target of the round-trip time at the current window, ns */
    double GetTargetNs(const RdmaQueuePair& qp) const;

  private:
    struct State
    {
        double cwnd{0};          //!< frames
        bool decreased{false};   //!< ever
        int64_t lastDecrease{0}; //!< ns; if decreased
        int64_t lastAcked{0};    //!< the first byte that is not acknowledged
        int64_t rtt{0};          //!< latest, ns
        uint32_t timeouts{0};    //!< in a row
    };

    template <typename Stream, typename T>
    static void Fields(Stream& stream, T& state);

    void Cut(double factor, int64_t nowNs);
    void Apply(RdmaQueuePair& qp);

    State m_state;
    double m_maxWindowNow{0}; //!< frames; of the flow as asked for, not of its course

    // attributes
    Time m_baseTarget;
    Time m_hopScale;
    Time m_flowScaleRange;
    double m_flowScaleMin;
    double m_flowScaleMax;
    double m_increase;
    double m_beta;
    double m_maxDecrease;
    double m_minWindow;
    double m_maxWindow;
    uint32_t m_resetTimeouts;
};

} // namespace ns3

#endif // RDMA_SWIFT_H
