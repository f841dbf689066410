/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_HPCC_H
#define RDMA_HPCC_H

#include "rdma-congestion-control.h"
#include "rdma-hpcc-reference.h"
#include "rdma-int-record.h"
#include "rdma-round.h"

#include "ns3/data-rate.h"

#include <algorithm>
#include <array>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief HPCC (Li et al., SIGCOMM 2019, algorithm 1), as its authors' public simulator has it.
 *
 * Telemetry of every switch gives the utilisation of its link; the rate follows the busiest one
 * towards UtilizationTarget. Once per round trip the reference rate moves, and with FastReact every
 * acknowledgement in between computes a rate from it.
 */
class RdmaHpcc : public RdmaCongestionControl
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    RdmaHpcc();
    ~RdmaHpcc() override;

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

    bool MeasuresDelay() const override;

    /** A round takes a rate R to R * eta / u + W_AI (algorithm 1, line 12 of ComputeWind), which is
     * R again at u = eta + n * W_AI / C where n flows of rate u * C / n share a link of rate C. */
    RdmaLinkUse GetLinkUse() const override;
    uint64_t GetAdditiveIncrease() const override;
    bool CanScale() const override;
    void Scale(RdmaQueuePair& qp, double factor) override;
    bool SaveState(const RdmaQueuePair& qp, std::vector<uint8_t>& state) const override;
    bool LoadState(RdmaQueuePair& qp, const std::vector<uint8_t>& state) override;

    /** \return smoothed utilisation of the busiest link (U in the paper) */
    double GetUtilization() const
    {
        return m_state.path.u;
    }

  private:
    /** What telemetry says of a link since it was last looked at. */
    struct Load
    {
        double u{0};     //!< utilisation
        uint64_t tau{0}; //!< over so many ns; 0: it says nothing
    };

    using Loads = std::array<Load, RdmaIntHeader::MAX_HOPS>;

    /** What follows one link, or the busiest one. */
    struct Follower : public RdmaHpccReference
    {
        double u{1}; //!< smoothed utilisation

        /** \p load becomes a part of the utilisation, as large as its time is of \p baseRtt, ns. */
        void Average(const Load& load, uint64_t baseRtt)
        {
            const uint64_t dt = std::min(load.tau, baseRtt);
            u = (u * static_cast<double>(baseRtt - dt) + load.u * static_cast<double>(dt)) /
                static_cast<double>(baseRtt);
        }
    };

    struct State
    {
        RdmaRound round;
        Follower path; //!< of the busiest link
        std::array<RdmaIntRecord, RdmaIntHeader::MAX_HOPS> last;
        uint8_t hops{0};                                      //!< links with a record
        std::array<Follower, RdmaIntHeader::MAX_HOPS> perHop; //!< with MultiRate
    };

    template <typename Stream, typename T>
    static void Fields(Stream& stream, T& follower);

    template <typename Stream, typename T>
    void StateFields(Stream& stream, T& state) const;

    static State StateAtStart(const RdmaQueuePair& qp);

    void React(RdmaQueuePair& qp, const RdmaIntHeader& header, bool full);

    /** \return the rate by the busiest of \p loads, bit/s; \p full: it is the new reference */
    uint64_t FollowBusiest(const RdmaQueuePair& qp, const Loads& loads, bool full);

    /** \return the least of the rates by the first \p hops of \p loads, as the above */
    uint64_t FollowEach(const RdmaQueuePair& qp, const Loads& loads, uint32_t hops, bool full);
    Follower Step(const Follower& follower, uint64_t maxRate) const;

    // attributes; rates as numbers, for every acknowledgement reads them
    void SetIncrease(DataRate rate);
    DataRate GetIncrease() const;
    void SetMinRate(DataRate rate);
    DataRate GetMinRate() const;

    double m_target;
    uint32_t m_maxStage;
    uint64_t m_increase; //!< bit/s
    uint64_t m_minRate;  //!< bit/s
    bool m_fastReact;
    bool m_sampleFeedback;
    bool m_multiRate;

    State m_state; // its end is rarely touched
};

} // namespace ns3

#endif // RDMA_HPCC_H
