/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_EVENT_DRIVER_H
#define RDMA_EVENT_DRIVER_H

#include <cstdint>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief Whoever lets a queue's events happen when simulated time reaches them.
 */
class RdmaEventDriver
{
  public:
    virtual ~RdmaEventDriver() = default;
    /** An event was scheduled for \p time; if that is earlier than all others', it is always told.
     */
    virtual void Arm(int64_t time) = 0;
    /** Sets the queue's clock to simulated time. */
    virtual void Sync() = 0;
};

/**
 * \ingroup rdma
 * \brief Whoever looks at the network at times of its own, without events of its own: so what
 * happens, in which order, and when it is over do not depend on it.
 */
class RdmaClockWatch
{
  public:
    virtual ~RdmaClockWatch() = default;

    /**
     * Simulated time is about to come to \p time (time steps), which is as late as was asked for,
     * or later; until then all is as it is now. Nothing may be changed or scheduled.
     * \return when to be told next, after \p time; \p time itself if the watch has stopped the
     *         simulation: then nothing happens any more
     */
    virtual int64_t TimePasses(int64_t time) = 0;
};

} // namespace ns3

#endif // RDMA_EVENT_DRIVER_H
