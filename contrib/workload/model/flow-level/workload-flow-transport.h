/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_FLOW_TRANSPORT_H
#define WORKLOAD_FLOW_TRANSPORT_H

#include "workload-flow-paths.h"
#include "workload-max-min.h"

#include "ns3/workload-endpoints.h"
#include "ns3/workload-transport.h"

#include <functional>
#include <queue>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

/** \ingroup workload A transfer that has ended, with what the flow level knows of it. */
struct WorkloadFlowEnd
{
    const WorkloadTransfer& transfer;
    const std::vector<uint32_t>& links; ///< directed links on its way, as of WorkloadRoutes
    uint32_t from{0};                   ///< node of the topology
    uint32_t to{0};                     ///< node of the topology
    uint16_t sport{0};                  ///< UDP source port
    uint16_t dport{0};                  ///< UDP destination port
    int64_t startPs{0};
    int64_t endPs{0};   ///< when the sender knew
    int64_t alonePs{0}; ///< that it would have taken alone
};

/** \ingroup workload How far a transfer is that has not ended. */
struct WorkloadFlowProgress
{
    uint32_t from{0}; ///< node of the topology
    uint32_t to{0};   ///< node of the topology
    double bytes{0};  ///< of payload that have left the sender now
    double rate{0};   ///< at which further ones do, bytes per ps
};

/**
 * \ingroup workload
 * \brief Flow level: every transfer is a fluid that takes the path of the packet level's queue
 * pair, at its max-min fair rate.
 *
 * A transfer of B bytes has been delivered when its bytes with the headers of its packets have left
 * at that rate, plus the propagation along the path, plus the transmission of one packet at every
 * link but the slowest. Acknowledgements take bandwidth on their own way back, and of a switch's
 * link the congestion control may leave a part free. All starts and ends of one instant change the
 * rates together. Of flows that one link holds back until they end together, the last packets
 * follow each other, so that each has been delivered half of those of the others earlier. Times are
 * rounded to picoseconds. No ns-3 simulator is involved.
 */
class WorkloadFlowTransport : public WorkloadTransport
{
  public:
    /**
     * \param topology plain data; not kept
     * \param options sizes and paths
     * \throws InputError if a size is impossible
     */
    explicit WorkloadFlowTransport(const RdmaTopology& topology,
                                   const WorkloadFlowOptions& options = {});

    /** As the above. \param ends end points and topology; whether NVSwitches are among them is
     * settled there */
    WorkloadFlowTransport(const WorkloadEndpoints& ends, const WorkloadFlowOptions& options);
    ~WorkloadFlowTransport() override;

    // WorkloadTransport
    void Start(const WorkloadTransfer& transfer, uint64_t id) override;
    void Schedule(int64_t delayPs, uint64_t timer) override;
    int64_t Now() const override;
    void Run() override;
    void Stop() override;
    uint64_t GetEventCount() const override;
    std::string Explain(uint64_t id) const override;

    /** \param onEnd called for every transfer that ends, before its client is told; set before the
     * first transfer starts */
    void SetEndCallback(std::function<void(const WorkloadFlowEnd&)> onEnd);

    /**
     * \param watch called before time comes to when it asked to be, first before any event, with the
     * time (ps) of what happens next: until then all rates are as they are now. Returns when to be
     * called next, ps, later than that. Empty for none
     */
    void SetWatch(std::function<int64_t(int64_t)> watch);

    /** \return transfers started so far */
    uint64_t GetStarted() const
    {
        return m_numbers;
    }

    /** \return all transfers under way, in no order that means anything but always the same one */
    std::vector<WorkloadFlowProgress> GetProgress() const;

    /** \return transfers whose rates have been worked out, repetitions counted: a measure of work
     */
    uint64_t GetRateUpdates() const
    {
        return m_rates.GetWork();
    }

  private:
    enum class EventKind : uint8_t
    {
        TIMER,
        DELIVERED,
        ACKNOWLEDGED,
        FAILED
    };

    struct Event
    {
        int64_t time;
        uint64_t place; //!< order at equal times
        uint64_t item;  //!< timer, or index in m_flows
        EventKind kind;

        bool operator>(const Event& o) const
        {
            return time > o.time || (time == o.time && place > o.place);
        }
    };

    enum class State : uint8_t
    {
        FREE,
        SENDING,
        ON_ITS_WAY,
        DELIVERED,
        FAILED
    };

    struct Flow
    {
        uint64_t id{0};
        uint64_t number{0}; //!< counts flows
        WorkloadTransfer transfer;
        int64_t startPs{0};
        WorkloadFlowTimes times;
        int64_t alonePs{0};   //!< from start to acknowledgement, if alone
        int64_t settledPs{0}; //!< when \c left was right
        int64_t finishPs{0};  //!< when its last byte leaves, at this rate
        double whole{0};      //!< bytes on the wire at the start, as \c left counts them
        double left{0};       //!< bytes on the wire
        double rate{0};       //!< bytes per ps
        uint32_t fluid{0};    //!< number in m_rates; only if SENDING
        uint16_t sport{0};
        State state{State::FREE};
        std::vector<uint32_t> links; //!< only if there is an end callback
    };

    /** When a flow's last byte leaves, unless its rate has changed since. */
    struct Finish
    {
        int64_t time;
        uint64_t number; //!< of the flow: order at equal times
        uint32_t index;  //!< in m_flows

        bool operator>(const Finish& o) const
        {
            return time > o.time || (time == o.time && number > o.number);
        }
    };

    bool IsStale(const Finish& finish) const
    {
        const Flow& flow = m_flows[finish.index];
        return flow.state != State::SENDING || flow.number != finish.number ||
               flow.finishPs != finish.time;
    }

    uint32_t TakeFlow();
    void TellEnd(const Flow& flow) const;
    void Push(int64_t time, EventKind kind, uint64_t item);
    void UpdateRates();
    void FinishDue();
    void TakeTurns();
    void RunEvent(const Event& event);
    [[noreturn]] void FailLate(bool event) const;

    std::vector<uint32_t> m_nodes; //!< of each end point
    WorkloadFlowPaths m_paths;
    WorkloadMaxMin m_rates;
    std::vector<Flow> m_flows;
    std::vector<uint32_t> m_free;   //!< indices in m_flows
    std::vector<uint32_t> m_flowOf; //!< by number in m_rates
    std::vector<uint32_t> m_due;    //!< scratch: flows whose last bytes leave now
    std::vector<int64_t> m_turnsPs; //!< scratch: of each link, 0 in between
    std::priority_queue<Finish, std::vector<Finish>, std::greater<>> m_finishes;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> m_events;
    std::function<void(const WorkloadFlowEnd&)> m_onEnd;
    std::function<int64_t(int64_t)> m_watch;
    int64_t m_watchPs{INT64_MAX}; //!< when it is to be called
    int64_t m_now{0};
    uint64_t m_places{0};
    uint64_t m_numbers{0};
    uint64_t m_eventCount{0};
    mutable std::unordered_map<uint64_t, uint32_t> m_indices; //!< of transfers among m_flows...
    mutable uint64_t m_indicesAt{UINT64_MAX};                 //!< ...after so many events
    bool m_stop{false};
};

} // namespace ns3

#endif // WORKLOAD_FLOW_TRANSPORT_H
