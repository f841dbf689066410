/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_HPCC_PINT_H
#define RDMA_HPCC_PINT_H

#include "rdma-congestion-control.h"
#include "rdma-hpcc-reference.h"
#include "rdma-round.h"

#include "ns3/data-rate.h"

namespace ns3
{

/**
 * \ingroup rdma
 * \brief HPCC by probabilistic telemetry (Ben Basat et al., PINT, SIGCOMM 2020, section 4.3), as in
 * HPCC's public simulator.
 *
 * Switches average the utilisation of their links, and frames bring a code of the busiest one
 * (RdmaPint). The steps are HPCC's; what is left out is HPCC's own average at the sender. Switches
 * draw for each frame, so fast-forward records nothing of it; it may skip.
 */
class RdmaHpccPint : public RdmaCongestionControl
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    RdmaHpccPint();
    ~RdmaHpccPint() override;

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

    /** \return false, as for HPCC */
    bool MeasuresDelay() const override
    {
        return false;
    }

    /** As RdmaHpcc's: codes are right on average. */
    RdmaLinkUse GetLinkUse() const override;
    bool SaveState(const RdmaQueuePair& qp, std::vector<uint8_t>& state) const override;
    bool LoadState(RdmaQueuePair& qp, const std::vector<uint8_t>& state) override;

  private:
    struct State
    {
        RdmaRound round;
        RdmaHpccReference reference;
        uint64_t acks{0}; //!< for which was drawn
    };

    template <typename Stream, typename T>
    static void Fields(Stream& stream, T& state);

    bool Takes(const RdmaQueuePair& qp);

    State m_state;

    // attributes
    double m_target;
    uint32_t m_maxStage;
    DataRate m_increase;
    DataRate m_minRate;
    double m_probability;
};

} // namespace ns3

#endif // RDMA_HPCC_PINT_H
