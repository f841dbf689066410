/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_EVENT_PUMP_H
#define RDMA_EVENT_PUMP_H

#include "rdma-event-queue.h"

#include "ns3/event-impl.h"
#include "ns3/ptr.h"

#include <atomic>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief Runs a event queue under any ns-3 simulator implementation: one ns-3 event per instant at
 * which something happens.
 *
 * Events of the network keep their exact order among themselves; at equal times they run together
 * where the first of them was asked for.
 *
 * A multithreaded implementation (MultithreadedSimulatorImpl of UNISON) cuts the simulation into
 * partitions that run at the same time. A pump belongs to one of them, and to what runs alone (0).
 */
class RdmaEventPump : public RdmaEventDriver
{
  public:
    RdmaEventPump();
    ~RdmaEventPump() override;
    RdmaEventPump(const RdmaEventPump&) = delete;
    RdmaEventPump& operator=(const RdmaEventPump&) = delete;

    /** \return the queue */
    RdmaEventQueue& GetEventQueue();

    // RdmaEventDriver
    void Arm(int64_t time) override;
    void Sync() override;

  private:
    class PumpEvent;

    void Pump();
    void StayInPartition();

    RdmaEventQueue m_eventQueue;
    Ptr<PumpEvent> m_event; //!< scheduled again and again
    int64_t m_armed;        //!< earliest time it is scheduled for
    bool m_pumping{false};
    std::atomic<uint32_t> m_partition{0}; //!< from which it was called; 0 if from none
};

} // namespace ns3

#endif // RDMA_EVENT_PUMP_H
