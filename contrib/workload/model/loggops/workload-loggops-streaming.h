/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_LOGGOPS_STREAMING_H
#define WORKLOAD_LOGGOPS_STREAMING_H

#include "workload-loggops-engine.h"
#include "workload-loggops-wildcards.h"

#include "ns3/workload-event-queue.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief The default rules of WorkloadLogGopsNetwork, whose documentation states them.
 *
 * What waits lies in queues: of a stream (computations, and receives whose message is there), and
 * of a stream and an interface (sends). Whoever waits first among those who can go, goes. A stream
 * or an interface wakes up at the time at which it becomes free, if somebody waits.
 */
class WorkloadLogGopsStreaming : public WorkloadLogGopsEngine
{
  public:
    using WorkloadLogGopsEngine::WorkloadLogGopsEngine;

    void HandOver(WorkloadStep step, int64_t ns) override;
    int64_t GetFinish(uint32_t process) const override;

  private:
    /** What an event is: one of the kinds, or else the receive of a message that is there. */
    struct Event
    {
        uint32_t process;   ///< or the stream or interface that wakes up
        uint32_t operation; ///< the send, for messages
        uint32_t kind;      ///< or the number of the receive
    };

    static constexpr uint32_t READY = UINT32_MAX;          ///< an operation can start
    static constexpr uint32_t FIRST_BYTE = UINT32_MAX - 1; ///< of a message has come
    static constexpr uint32_t WAKE_STREAM = UINT32_MAX - 2;
    static constexpr uint32_t WAKE_INTERFACE = UINT32_MAX - 3;

    /** Something that waits for a stream. */
    struct Waiter
    {
        uint64_t number; ///< order in which waiting began
        Event event;
        uint32_t next;
    };

    struct Queue
    {
        uint32_t first{WORKLOAD_POOL_NONE};
        uint32_t last{WORKLOAD_POOL_NONE};

        bool IsEmpty() const
        {
            return first == WORKLOAD_POOL_NONE;
        }
    };

    /** Sends that wait for a stream and an interface. */
    struct Lane
    {
        Queue queue;
        uint32_t stream;
        uint32_t interface;
        bool listed;   ///< in Interface::lanes
        uint32_t next; ///< of the same stream
    };

    struct Stream
    {
        int64_t free{0};
        Queue queue; ///< computations and receives
        uint32_t lanes{WORKLOAD_POOL_NONE};
        uint32_t waiting{0}; ///< in queue and lanes
        bool waking{false};  ///< an event is due
    };

    struct Interface
    {
        int64_t out{0}; ///< when it can send next
        int64_t in{0};  ///< when it can receive next
        bool waking{false};
        /** Number of the first waiter, and lane. */
        std::priority_queue<std::pair<uint64_t, uint32_t>,
                            std::vector<std::pair<uint64_t, uint32_t>>,
                            std::greater<>>
            lanes;
    };

    void DoBegin() override;

    /** Takes the next events of one time, and what they will need into the cache. */
    void FillBatch();
    bool RunFirst() override;
    void RunReady(WorkloadStep step);
    void RunFirstByte(WorkloadStep send);
    int64_t TakeIn(WorkloadStep send, uint32_t process, uint32_t recv);
    void Post(WorkloadStep recv);

    /** \return the receive that a message gets, taken out; WORKLOAD_POOL_NONE if there is none */
    uint32_t TakePosted(uint32_t process, WorkloadStep send);

    /** \return whether a message was there, taken out */
    bool TakeArrived(WorkloadStep recv, WorkloadStep& send, int64_t& time);

    int64_t FirstByteTime(WorkloadStep send, int64_t end);

    /** Starts what occupies a stream. */
    void Start(const Event& event, Stream& stream);

    /** Runs a computation or a message's receive, or lets it wait for its stream. */
    void StartOrWait(const Event& event, uint32_t stream);
    void SendOrWait(WorkloadStep step);
    void Append(Queue& queue, const Event& event);

    /** \return the first of a queue, taken out */
    Event TakeFirst(Queue& queue);
    uint32_t FindLane(uint32_t stream, uint32_t interface);

    /** Starts what waits for a stream, as long as that is free. */
    void ServeStream(uint32_t number);

    /** \return the lane among a stream's whose first send could start now and has waited longest;
     * those of busy interfaces are listed there. WORKLOAD_POOL_NONE if there is none */
    uint32_t FirstLane(const Stream& stream);

    /** Starts sends that wait for an interface, as long as that is free. */
    void ServeInterface(uint32_t number);
    void ListLane(uint32_t lane);
    void WakeStream(uint32_t number);
    void WakeInterface(uint32_t number);

    uint32_t StreamOf(uint32_t process, uint8_t cpu) const
    {
        return m_firstStream[process] + cpu;
    }

    uint32_t InterfaceOf(uint32_t process, uint8_t nic) const
    {
        return m_jobs->GetNode(process) * m_nics + nic;
    }

    void Busy(uint32_t process, int64_t until)
    {
        m_finish[process] = until > m_finish[process] ? until : m_finish[process];
    }

    WorkloadEventQueue<Event> m_queue;
    std::vector<uint32_t> m_firstStream; //!< by process
    std::vector<Stream> m_streams;
    std::vector<Interface> m_interfaces;                           //!< by node and interface
    std::vector<int64_t> m_finish;                                 //!< by process
    std::vector<std::unique_ptr<WorkloadLogGopsWildcards>> m_wild; //!< by process; null for most
    WorkloadPool<Waiter> m_waiters;
    WorkloadPool<Lane> m_lanes;
    /** Time at which one came last, by sender and receiver: a long message's latency must not let a
     * short one pass it. Only with several rows. */
    std::unordered_map<uint64_t, int64_t> m_lastFirstByte;
    uint32_t m_nics{1};
    uint64_t m_waited{0}; //!< how many have begun to wait
    bool m_running{false};

    static constexpr uint32_t BATCH = 16;
    Event m_batch[BATCH]{}; //!< events of m_now that come next
    uint32_t m_batchSize{0};
    uint32_t m_batchNext{0}; //!< first that has not been run
};

} // namespace ns3

#endif // WORKLOAD_LOGGOPS_STREAMING_H
