/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_HOST_H
#define RDMA_HOST_H

#include "rdma-host-settings.h"
#include "rdma-nic-scheduler.h"
#include "rdma-queue-pair.h"

#include "ns3/rdma-congestion-control.h"
#include "ns3/rdma-egress-scheduler.h"
#include "ns3/rdma-port.h"

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

class RdmaNetwork;
class RdmaPacketState;

/**
 * \ingroup rdma
 * \brief A host with RDMA NICs: sends and receives messages on queue pairs.
 *
 * One NIC per port: a FIFO of acknowledgements, which go first, one of ordinary packets, and the
 * queue pairs assigned to the port, served in turn with pacing and windows. Reliability is
 * go-back-N with ACK per frame (or per interval), NACK on a gap, and a retransmission time-out; or
 * IRN's selective repeat (RdmaLossRecovery).
 * Behaviour is that of HPCC's public simulator, which has no time-out.
 */
class RdmaHost : public RdmaHostSettings
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    RdmaHost();
    /** One with the same attributes, for CopyObject: ns-3 takes 127,000 instructions to give each
     * its own. \param like installed nowhere yet, without congestion control */
    RdmaHost(const RdmaHost& like);
    ~RdmaHost() override;

    /** Starts a flow from here to \p receiver; its routes are set. Called by RdmaNetwork. */
    void StartFlow(RdmaQueuePair& qp, RdmaHost& receiver);

    /** \param network told when flows that start here end */
    void SetNetwork(RdmaNetwork& network);

    /** Moves every queue pair that sends from here to the NIC of its route, and lets it send.
     * Called after routes changed. */
    void RedistributeQueuePairs();

    /** Sends an ordinary packet from \p device, or the NIC that leads to its destination; the frame
     * is taken over. \return false if the queue is full */
    bool SendNonRdma(RdmaPort& device, RdmaFrame* frame);

    /** \param prototype forked for every flow that starts here from now on; null for no control */
    void SetCongestionControl(Ptr<RdmaCongestionControl> prototype);

    /** \return what is forked for every flow that starts here; null for no control */
    Ptr<const RdmaCongestionControl> GetCongestionControl() const
    {
        return m_prototype;
    }

    /**
     * Gives the flows of one class a congestion control of their own.
     * \param priority of the class, 1 to 7
     * \param prototype as in SetCongestionControl
     * \param varWindow as the attribute VarWindow, for that class
     */
    void SetClassControl(uint8_t priority, Ptr<RdmaCongestionControl> prototype, bool varWindow);

    /** \return what is forked for flows, of all classes; null ones stand for no control */
    std::vector<Ptr<const RdmaCongestionControl>> GetCongestionControls() const;

    /** \return whether a class of flows has a control of its own */
    bool HasClassControls() const
    {
        return !m_classControls.empty();
    }

    /** \param prototype forked for every NIC, before the network starts; null: classes are not told
     * apart, and flows take turns */
    void SetScheduler(Ptr<RdmaEgressScheduler> prototype);

    /** Lets \p frame, which comes to \p port of a switch, which is frozen, pass by, if it is an
     * acknowledgement that does so where nothing happens. \return whether it was */
    static bool PassByFrozen(RdmaPort& port, RdmaFrame* frame);

    /** \return whether it has a scheduler of classes */
    bool HasScheduler() const
    {
        return m_schedulerPrototype != nullptr;
    }

    /** \return payload of a full data frame, bytes */
    uint32_t GetPayloadSize() const
    {
        return m_payloadSize;
    }

    /** \return bytes of a flow from which on its frames are acknowledged, each */
    uint32_t GetAckInterval() const
    {
        return m_ackInterval;
    }

    /** \return receivers also acknowledge at multiples of so many bytes; 0 for none */
    uint32_t GetChunkSize() const
    {
        return m_chunkSize;
    }

    /** \return fires when a flow that sends from here changes its rate; with the rate before */
    RdmaTrace<const RdmaQueuePair&, uint64_t>& GetRateTrace()
    {
        return m_rateTrace;
    }

    /** \return fires when a flow that sends from here is notified of congestion */
    RdmaTrace<const RdmaQueuePair&>& GetCnpTrace()
    {
        return m_cnpTrace;
    }

    /** \return the queue pairs at a port */
    const RdmaNicScheduler& GetScheduler(uint32_t port) const;

    // RdmaNode
    void Start() override;
    void PortFree(RdmaPort& port) override;
    void Receive(RdmaPort& port, RdmaFrame* frame) override;
    void FetchReceipt(const RdmaPort& port, const RdmaFrame& frame, uint32_t stage) const override;
    void FetchSending(const RdmaPort& port, uint32_t stage) const override;
    void LinkChanged(RdmaPort& port) override;
    bool IsTransit() const override;
    void CancelEvents() override;
    void SetProcess(uint32_t process, bool alone) override;
    void SetContext(RdmaContext& context) override;

    /** \return the timers of flows that send from here */
    RdmaTimers& GetTimers()
    {
        return m_context->eventQueue->IsSplit() ? *m_timers : m_context->timers;
    }

    /** Forgets the timers of its own, if it has any. */
    void ClearTimers()
    {
        if (m_timers)
        {
            m_timers->Clear();
        }
    }

    /** Lets \p timer, of a flow that sends from here, fire at \p time (time steps). */
    void ScheduleTimer(RdmaTimer& timer, int64_t time)
    {
        timer.SetHome(m_timers.get());
        GetTimers().Schedule(timer, time);
    }

    /** Signature of FlowStart, FlowDelivered, FlowEnd and Cnp. */
    typedef void (*FlowTracedCallback)(const RdmaQueuePair& qp);
    /** Signature of Rate: the queue pair and its rate before, bit/s. */
    typedef void (*RateTracedCallback)(const RdmaQueuePair& qp, uint64_t before);

    /** Queue in which ordinary packets wait, and class of priority flow control that they belong
     * to. */
    static constexpr uint32_t NON_RDMA_QUEUE = 1;

    /** Queue in which acknowledgements wait. */
    static constexpr uint32_t ACK_QUEUE = 0;

  private:
    friend class RdmaNetwork;
    friend class RdmaPacketState;
    friend class RdmaQueuePair;

    /** What a host keeps per port. */
    struct alignas(RDMA_CACHE_LINE) Nic : public RdmaPooled
    {
        explicit Nic(RdmaPort* port)
            : wake(port)
        {
        }

        RdmaNicScheduler scheduler;
        Ptr<RdmaEgressScheduler> classes;                   //!< null if classes are not told apart
        RdmaMemberEvent<RdmaPort, &RdmaPort::Trigger> wake; //!< when pacing allows
        bool nonRdmaLast{
            false}; //!< an ordinary packet was served last, so it is the queue pairs' turn
    };

    void ReceiveData(RdmaFrame* frame);
    void ReceiveAck(RdmaFrame* frame);
    void ReceiveNonRdma(RdmaPort& port, RdmaFrame* frame);
    void SendCnp(RdmaQueuePair& qp);
    void Reply(RdmaQueuePair& qp, RdmaFrame* frame);
    /** \p frame of \p qp, which is received here, comes to port \p first of its way back at \p
     * time: it passes that one and all others by the pipe. */
    void PassByPipe(RdmaQueuePair& qp, RdmaFrame* frame, size_t first, int64_t time);
    void PostponeReply(RdmaQueuePair& qp);
    bool IsOvertaken(RdmaQueuePair& qp, const RdmaFrame& frame);
    void SendData(RdmaPort& port, Nic& nic, RdmaQueuePair& qp);
    void SendWaiting(RdmaPort& port, uint32_t queue);
    bool SendInTurn(RdmaPort& port, Nic& nic);
    bool SendByClass(RdmaPort& port, Nic& nic);
    uint32_t CreditClassOf(const RdmaFrame& frame) const;
    void BeforeStart(RdmaPort& port, RdmaFrame& frame);
    void BeforeReceipt(RdmaPort& port, const RdmaFrame& frame);
    void NotifyCongestion(RdmaQueuePair& qp);
    bool IsStopped(const RdmaFrame& reply, uint32_t paused) const;
    bool SendsCnps(const RdmaQueuePair& qp) const;
    void Launch(RdmaQueuePair& qp);

    /** Launch at the end of the instant at which \p qp started: what comes of it is at the places
     * that it would have if it had been launched at once. Later, just Launch. */
    void LaunchLater(RdmaQueuePair& qp);
    void Finish(RdmaQueuePair& qp);
    void End(RdmaQueuePair& qp, RdmaFlowState state);
    void CheckProgress(RdmaQueuePair& qp);
    /** \return whether frames arrived in order, or make a gap smaller; if so, \p qp expects more */
    bool TakeInOrder(RdmaQueuePair& qp, const RdmaFrame& frame);
    /** \return of a flow with as much in flight: no progress for so long is a time-out; time
     * steps, 0 for never */
    int64_t TimeoutOf(const RdmaQueuePair& qp) const;
    static std::pair<uint64_t, uint8_t> TakeNext(RdmaQueuePair& qp);
    bool LearnOfLosses(RdmaQueuePair& qp, const RdmaFrame& reply, bool progress);
    void SetRecovery(const std::string& name);
    std::string GetRecovery() const;
    void SetEntropy(const std::string& name);
    std::string GetEntropy() const;

    /** Lets \p ask call the control of \p qp. What that throws says where. */
    template <typename Ask>
    void AskControl(const RdmaQueuePair& qp, const Ask& ask) const
    {
        try
        {
            ask();
        }
        catch (...)
        {
            ControlFailed(qp);
        }
    }

    /** Throws what is being caught again, with the control, the flow and the time. */
    [[noreturn]] void ControlFailed(const RdmaQueuePair& qp) const;

    /** All that is not acknowledged is to be sent again. */
    void GoBack(RdmaQueuePair& qp, const char* reason);
    void SetCloseFrom(RdmaQueuePair& qp) const;
    void BeginClosing(RdmaQueuePair& qp) const;
    void Repace(RdmaQueuePair& qp, int64_t difference);
    void ScheduleWake(const RdmaPort& port, Nic& nic);
    void TraceRate(const RdmaQueuePair& qp, uint64_t before) const;
    bool IsNackDue(RdmaQueuePair& qp);
    bool IsAckDue(const RdmaQueuePair& qp) const;

    /** \return the key of HPCC's simulator for a queue pair: address, source port, priority */
    static uint64_t SendingKey(const RdmaQueuePair& qp);

    Nic& GetNic(const RdmaPort& port)
    {
        return *m_nics[port.GetIndex()];
    }

    std::vector<std::unique_ptr<Nic>> m_nics; //!< one per port
    std::unique_ptr<RdmaTimers> m_timers;     //!< while the network is split into processes
    RdmaNetwork* m_network{nullptr};
    Ptr<RdmaCongestionControl> m_prototype; //!< null for no control

    /** Of the flows of one class. */
    struct ClassControl
    {
        Ptr<RdmaCongestionControl> prototype;
        bool varWindow;
    };

    std::map<uint8_t, ClassControl> m_classControls; //!< of classes that have their own
    Ptr<RdmaEgressScheduler> m_schedulerPrototype;   //!< null if classes are not told apart

    std::unordered_map<uint64_t, RdmaQueuePair*>
        m_sending; //!< what sends from here; redistributed in the order that this map has in
                   //!< HPCC's simulator

    RdmaLateTrace<const RdmaQueuePair&> m_startTrace;
    RdmaLateTrace<const RdmaQueuePair&> m_deliveredTrace;
    RdmaLateTrace<const RdmaQueuePair&> m_endTrace;
    RdmaTrace<const RdmaQueuePair&, uint64_t> m_rateTrace;
    RdmaTrace<const RdmaQueuePair&> m_cnpTrace;

    uint32_t m_process{0}; //!< RdmaProcesses
    bool m_alone{false};   //!< in its process
};

} // namespace ns3

#endif // RDMA_HOST_H
