/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_SWITCH_H
#define RDMA_SWITCH_H

#include "rdma-balancer.h"
#include "rdma-by-rate.h"
#include "rdma-shared-buffer.h"

#include "ns3/nstime.h"
#include "ns3/rdma-egress-scheduler.h"
#include "ns3/rdma-node.h"
#include "ns3/rdma-pint.h"
#include "ns3/rdma-port.h"

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** \ingroup rdma When an egress queue marks (RED on the instantaneous length; DCQCN, SIGCOMM 2015,
 * figure 5). Lengths in bytes. */
struct RdmaEcnThresholds
{
    uint64_t kmin{0}; ///< no mark up to here
    uint64_t kmax{0}; ///< always a mark beyond
    double pmax{0};   ///< probability of a mark at kmax
};

/**
 * \ingroup rdma
 * \brief A switch: ECMP or another choice among equal ways, eight egress queues per port, a shared
 * buffer with PFC, RED-style ECN, and telemetry.
 *
 * Store and forward, no processing delay. Behaviour is that of HPCC's public simulator: admission,
 * accounting and the decision to pause happen on arrival; accounting, marking, the decision to
 * resume, and telemetry when a frame begins to leave.
 */
class RdmaSwitch : public RdmaNode
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    RdmaSwitch();
    ~RdmaSwitch() override;

    /**
     * Sets when ports of one link rate mark, where the attributes Kmin, Kmax and Pmax do not. Ports
     * of other rates mark by DCQCN's usual thresholds, scaled with the rate: from 100 KB per 25
     * Gb/s on, always from 400 KB per 25 Gb/s on, 20 % at most in between.
     * \param rate bit/s
     * \param thresholds in bytes
     */
    void SetEcnThresholds(uint64_t rate, const RdmaEcnThresholds& thresholds);

    /** The same for one queue of these ports. \param queue 1 to 7 */
    void SetClassEcnThresholds(uint32_t queue, uint64_t rate, const RdmaEcnThresholds& thresholds);

    /** \return the thresholds for ports of this rate, for queues without their own */
    RdmaEcnThresholds GetEcnThresholds(uint64_t rate) const;

    /** \return the thresholds for one queue of ports of this rate */
    RdmaEcnThresholds GetEcnThresholds(uint64_t rate, uint32_t queue) const;

    /** \param prototype forked for every port, before the network starts; null: queues take turns
     * frame by frame */
    void SetScheduler(Ptr<RdmaEgressScheduler> prototype);

    /** \param prototype forked before the network starts: it chooses among ports of equal distance
     * (Routing=router); null: what Routing says */
    void SetRouter(Ptr<RdmaRouter> prototype);

    /** \return whether its ports have schedulers */
    bool HasScheduler() const
    {
        return m_schedulerPrototype != nullptr;
    }

    /**
     * \param rate of the hosts' NICs, bit/s: faster ports get a larger share of the buffer. 0 for none
     */
    void SetNicRate(uint64_t rate);

    /**
     * \param port connected, of this switch
     * \return bytes that can still come in by \p port from the frame on that makes this switch pause
     * the other end, so that with as much headroom none is lost (IEEE 802.1Qbb's annex on buffer
     * requirements): the frame itself; what the other end sends in a round trip, while the pause
     * frame waits for the largest frame and for pauses of all other classes, and while it is sent;
     * and the largest frame, begun just before it is there. Nodes react at once. Once the network
     * has started.
     */
    uint64_t GetHeadroomNeed(const RdmaPort& port) const;

    /** \return whether senders are paused before the buffer is full */
    bool HasPfc() const
    {
        return m_pfc && !m_context->credits;
    }

    /** \return how it chooses among egress ports of equal distance */
    RdmaBalancing GetBalancing() const
    {
        return m_balancing;
    }

    /** Its ports average their utilisation from now on, for RdmaContext::pint. */
    void StartPint();

    const RdmaSharedBuffer& GetBuffer() const
    {
        return m_buffer;
    }

    // RdmaNode
    void Start() override;
    void PortFree(RdmaPort& port) override;
    void Receive(RdmaPort& port, RdmaFrame* frame) override;
    void FetchReceipt(const RdmaPort& port, const RdmaFrame& frame, uint32_t stage) const override;
    void FetchSending(const RdmaPort& port, uint32_t stage) const override;
    void LinkChanged(RdmaPort& port) override;
    bool IsTransit() const override;

  private:
    friend class RdmaPacketState;

    uint64_t HeadroomOf(const RdmaPort& port) const;
    void StartEcn();
    void SendByRules(RdmaPort& port);
    RdmaFrame* NextFrame(RdmaPort& port, uint32_t& queue);
    void Send(RdmaPort& port, RdmaFrame* frame, uint32_t queue);
    RdmaPort* NextPort(const RdmaPort& in, RdmaFrame& frame);
    RdmaPort* FindPort(const RdmaPort& in, RdmaFrame& frame);
    void SetRouting(const std::string& name);
    std::string GetRouting() const;
    uint32_t QueueOf(const RdmaFrame& frame) const;
    void Leave(RdmaPort& port, RdmaFrame* frame, uint32_t queue);
    void Leave(RdmaPort& port, RdmaFrame* frame);
    void MaybeMark(RdmaPort& port, RdmaFrame* frame, uint32_t queue, uint64_t queueBytes);
    void WriteTelemetry(RdmaPort& port, RdmaFrame* frame);
    void WriteCode(RdmaPort& port, RdmaFrame& frame);
    void SendPfc(RdmaPort& port, uint32_t queue, bool pause);
    void TellTight(RdmaPort& in) const;
    void TellUneven(RdmaPort& port) const;

    /** \p frame, taken from \p queue (not the one of control frames), is not going to be sent. */
    void LeaveBuffer(const RdmaFrame& frame, uint32_t queue);

    RdmaSharedBuffer m_buffer;
    /** Of each queue, by RdmaPort::GetRateIndex: a part of m_ecnByRateIndex. */
    std::array<const RdmaEcnThresholds*, RdmaEgressQueues::COUNT> m_ecnOfQueue{};
    std::vector<RdmaEcnThresholds>
        m_ecnByRateIndex; //!< of queues without their own, then of others
    std::map<uint64_t, RdmaEcnThresholds> m_ecnByRate;
    std::map<std::pair<uint32_t, uint64_t>, RdmaEcnThresholds> m_classEcn; //!< by queue and rate
    std::vector<Ptr<RdmaEgressScheduler>> m_schedulers; //!< of each port; empty: turns
    Ptr<RdmaEgressScheduler> m_schedulerPrototype;      //!< null: turns
    Ptr<RdmaRouter> m_routerPrototype;                  //!< null unless m_balancing is ROUTER
    uint64_t m_nicRate{0};
    RdmaBalancer m_balancer;
    std::vector<RdmaPintLink> m_pint; //!< of each port; empty unless frames carry codes of PINT

    // attributes
    uint64_t m_bufferBytes;
    uint32_t m_reserve;
    uint32_t m_resumeOffset;
    uint32_t m_shift;
    double m_headroomFactor;
    bool m_pfc;
    bool m_ecn;
    RdmaByRate m_kmin;
    RdmaByRate m_kmax;
    RdmaByRate m_pmax;
    bool m_ackHighPriority;
    uint32_t m_pauseTime;
    RdmaBalancing m_balancing;
    Time m_flowletGap;
    uint32_t m_flowletEntries;
};

} // namespace ns3

#endif // RDMA_SWITCH_H
