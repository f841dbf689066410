/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_LANE_PUMP_H
#define RDMA_LANE_PUMP_H

#include "rdma-lane-queue.h"

#include "ns3/event-impl.h"
#include "ns3/ptr.h"

#include <atomic>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief Runs a lane queue under any ns-3 simulator implementation: one ns-3 event per instant at
 * which something happens.
 *
 * Events of the network keep their exact order among themselves; at equal times they run together
 * where the first of them was asked for.
 *
 * A multithreaded implementation (MultithreadedSimulatorImpl of UNISON) cuts the simulation into
 * partitions that run at the same time. A pump belongs to one of them, and to what runs alone (0).
 */
class RdmaLanePump : public RdmaLaneDriver
{
  public:
    RdmaLanePump();
    ~RdmaLanePump() override;
    RdmaLanePump(const RdmaLanePump&) = delete;
    RdmaLanePump& operator=(const RdmaLanePump&) = delete;

    /** \return the queue */
    RdmaLaneQueue& GetLaneQueue();

    // RdmaLaneDriver
    void Arm(int64_t time) override;
    void Sync() override;

  private:
    class PumpEvent;

    void Pump();
    void StayInPartition();

    RdmaLaneQueue m_lanes;
    Ptr<PumpEvent> m_event; //!< scheduled again and again
    int64_t m_armed;        //!< earliest time it is scheduled for
    bool m_pumping{false};
    std::atomic<uint32_t> m_partition{0}; //!< from which it was called; 0 if from none
};

} // namespace ns3

#endif // RDMA_LANE_PUMP_H
