/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_RDMA_TRANSPORT_H
#define WORKLOAD_RDMA_TRANSPORT_H

#include "workload-connections.h"

#include "ns3/rdma-drain.h"
#include "ns3/rdma-late-flow.h"
#include "ns3/rdma-network.h"
#include "ns3/rdma-windows.h"
#include "ns3/workload-endpoints.h"
#include "ns3/workload-repeater.h"
#include "ns3/workload-transport.h"

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** \ingroup workload How bytes in flight are limited. */
enum class WorkloadWindow : uint8_t
{
    NONE,   ///< not
    PAIR,   ///< to the bandwidth-delay product of the pair of hosts
    LARGEST ///< to the largest of all pairs of hosts, with their largest round-trip time (HPCC,
            ///< SimAI)
};

/** \ingroup workload What every queue pair of a workload gets. */
struct WorkloadRdmaOptions
{
    WorkloadWindow window{WorkloadWindow::LARGEST};
    uint8_t priority{3};      ///< priority group, 1 to 7
    uint16_t dport{100};      ///< UDP destination port
    bool waitForRoute{false}; ///< whether a transfer without a route waits for one, instead of
                              ///< failing; for link failures that are repaired
    WorkloadConnections connections{WorkloadConnections::FRESH};
};

/**
 * \ingroup workload
 * \brief Packet level: every transfer is a flow on a queue pair of its own in an RdmaNetwork, under
 * any ns-3 simulator implementation.
 *
 * What the client is told comes as an event of its own at the same time, after what was scheduled
 * for that time already: an acknowledgement leaves before what the receiver sends in answer. A
 * transfer whose last acknowledgements are lost for good may fail after it was delivered. Run()
 * ends the simulation when the workload has nothing under way and no frame is left in the network,
 * whatever else is scheduled. Memory does not grow with the transfers that have ended, but for a
 * counter per pair of hosts.
 */
class WorkloadRdmaTransport : public WorkloadTransport
{
  public:
    /**
     * \param network made of \p ends.topology and started; while flows are under way
     * the transport must live as long as the simulation runs
     * \param ends end points; not kept
     * \param options of all flows
     * \throws InputError if an option is impossible
     */
    WorkloadRdmaTransport(Ptr<RdmaNetwork> network,
                          const WorkloadEndpoints& ends,
                          const WorkloadRdmaOptions& options = {});
    ~WorkloadRdmaTransport() override;

    // WorkloadTransport
    void Start(const WorkloadTransfer& transfer, uint64_t id) override;
    bool StartLate(const std::vector<WorkloadLateTransfer>& transfers) override;
    int64_t GetToldPs() const override;
    void Schedule(int64_t delayPs, uint64_t timer) override;
    int64_t Now() const override;
    void Run() override;
    void Stop() override;
    uint64_t GetEventCount() const override;
    std::string Explain(uint64_t id) const override;

    /** \return whether anything is due that does not hang on transfers under way */
    bool AwaitsMore() const;

    /** \param onEnd called for every transfer that ends as a flow, completed or not, before its
     * client is told; empty for none */
    void SetEndCallback(std::function<void(const WorkloadTransfer&, const RdmaQueuePair&)> onEnd);

    /** Starts flows that were to start at times which are past; returns none, with nothing changed,
     * if it cannot be as if they had. */
    using LateStart =
        std::function<std::vector<RdmaQueuePair*>(const std::vector<RdmaLateFlow>& flows)>;

    /** \param start for StartLate(); empty: nothing starts so */
    void SetLateStart(LateStart start)
    {
        m_lateStart = std::move(start);
    }

    /** \param repeater of transfers of this; empty for none */
    void SetRepeater(std::unique_ptr<WorkloadRepeater> repeater)
    {
        m_repeater = std::move(repeater);
    }

    WorkloadRepeater* GetRepeater() override
    {
        return m_repeater.get();
    }

    RdmaNetwork& GetNetwork() const
    {
        return *m_network;
    }

    /** \return the node that an end point is */
    uint32_t GetNode(uint32_t endpoint) const
    {
        return m_nodes[endpoint];
    }

    /** \return the source port that a transfer which starts now takes */
    uint16_t TakeSourcePort(const WorkloadTransfer& transfer);

    /** What a transfer did that was not simulated is recorded; its client knows.
     *  \param route of its data
     *  \param sourcePort that it took */
    void Repeat(const WorkloadRepeatedTransfer& repeated,
                const std::vector<RdmaPort*>& route,
                uint16_t sourcePort);

    /** \return largest round-trip time without queues of all pairs of hosts, ns; 0 unless windows
     * ask for it */
    int64_t GetLargestRttNs() const
    {
        return m_windows.GetLargestRttNs();
    }

    /** \return largest bandwidth-delay product of all pairs of hosts, bytes; 0 unless windows ask
     * for it */
    uint64_t GetLargestBdp() const
    {
        return m_windows.GetLargestBdp();
    }

  private:
    struct Transfer
    {
        uint64_t id{0};
        WorkloadTransfer transfer;
        int64_t startPs{0};
        const RdmaQueuePair* qp{nullptr}; //!< null if not under way
        bool failed{false};
        bool late{false}; //!< what has happened to it may be past
    };

    /** What the client is to be told. */
    struct Notice
    {
        uint32_t transfer; //!< index in m_transfers
        bool delivered;    //!< otherwise it has ended
        int64_t ps{0};     //!< when that was
    };

    /** Lets the client know that a timer is due; used again and again. */
    struct Timer final : public RdmaEvent
    {
        explicit Timer(WorkloadRdmaTransport& t)
            : transport(t)
        {
        }

        void Fire() override;
        WorkloadRdmaTransport& transport;
        uint64_t timer{0}; //!< the client's number
    };

    /** \return a transfer as a flow, without a window */
    RdmaFlow FlowOf(const WorkloadTransfer& transfer) const;
    RdmaWindows FindWindows(const WorkloadEndpoints& ends) const;
    uint32_t TakeTransfer(const WorkloadTransfer& transfer, uint64_t id, int64_t ps);
    RdmaFlow FlowOfTransfer(uint32_t index);
    bool HasRoute(uint32_t from, uint32_t to);
    void Tell(const Notice& notice);
    void RunNotices();
    void RunNotice(const Notice& notice);
    bool IsIdle() const;
    void StopIfIdle();
    [[noreturn]] void FailLate() const;
    RdmaEventQueue& EventQueue() const;
    int64_t ToPs(int64_t steps) const;
    int64_t ToSteps(int64_t ps) const;

    Ptr<RdmaNetwork> m_network;
    std::vector<uint32_t> m_nodes; //!< of each end point
    WorkloadRdmaOptions m_options;
    RdmaWindows m_windows;
    int64_t m_psPerStep;  //!< 0 if a time step is shorter than a ps
    int64_t m_stepsPerPs; //!< 0 if a time step is longer than a ps
    bool m_ownClock;      //!< the network's queue has the time (RdmaSimulatorImpl)

    std::vector<Transfer> m_transfers;
    std::vector<uint32_t> m_free; //!< indices in m_transfers
    uint64_t m_underWay{0};
    std::deque<Notice> m_notices;
    std::deque<Timer> m_timers;       //!< never moved
    std::vector<Timer*> m_freeTimers; //!< those that are not pending
    RdmaMemberEvent<WorkloadRdmaTransport, &WorkloadRdmaTransport::RunNotices> m_noticeEvent;
    RdmaDrain m_drain;
    std::function<void(const WorkloadTransfer&, const RdmaQueuePair&)> m_onEnd;
    LateStart m_lateStart;
    int64_t m_toldPs{-1};                         //!< negative: now
    std::unique_ptr<WorkloadRepeater> m_repeater; //!< null for none
};

} // namespace ns3

#endif // WORKLOAD_RDMA_TRANSPORT_H
