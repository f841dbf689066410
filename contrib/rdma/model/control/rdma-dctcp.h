/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_DCTCP_H
#define RDMA_DCTCP_H

#include "rdma-congestion-control.h"
#include "rdma-round.h"

#include "ns3/data-rate.h"

namespace ns3
{

/**
 * \ingroup rdma
 * \brief DCTCP (Alizadeh et al., SIGCOMM 2010) made rate-based with a line-rate start, as HPCC's
 * public simulator has it.
 */
class RdmaDctcp : public RdmaCongestionControl
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    RdmaDctcp();
    ~RdmaDctcp() override;

    // RdmaCongestionControl
    Ptr<RdmaCongestionControl> Fork() const override;
    void OnStart(RdmaQueuePair& qp) override;
    void OnAck(RdmaQueuePair& qp, const RdmaAck& ack) override;

    /** \return true, unless a class derived from this one does more */
    bool ActsAlone() const override
    {
        return GetInstanceTypeId() == GetTypeId();
    }

    bool MeasuresDelay() const override;
    uint64_t GetAdditiveIncrease() const override;
    double GetCongestionAverage() const override;
    bool SaveState(const RdmaQueuePair& qp, std::vector<uint8_t>& state) const override;
    bool LoadState(RdmaQueuePair& qp, const std::vector<uint8_t>& state) override;

    /** \return smoothed fraction of marked frames */
    double GetAlpha() const
    {
        return m_state.alpha;
    }

  private:
    struct State
    {
        RdmaRound round;
        double alpha{1};
        uint64_t marks{0};       //!< echoes in this round
        uint64_t roundSize{0};   //!< frames in this round
        bool reduced{false};     //!< the rate was cut less than a round ago
        int64_t reducedUntil{0}; //!< the byte beyond which another cut may follow; if reduced
    };

    template <typename Stream, typename T>
    static void Fields(Stream& stream, T& state);

    State m_state;

    // attributes
    double m_g;
    DataRate m_increase;
    DataRate m_minRate;
};

} // namespace ns3

#endif // RDMA_DCTCP_H
