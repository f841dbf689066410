/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_PULSE_H
#define WORKLOAD_PULSE_H

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace ns3
{

/**
 * \ingroup workload
 * \brief Calls a function from inside ns-3's simulation about ten times a second of wall time.
 *
 * A thread waits and asks the simulator for an event at the current simulated time, as ns-3 lets
 * other threads do. The order of all other events stays as it is, and a simulation without events
 * ends all the same.
 */
class WorkloadPulse
{
  public:
    /** \param pulse called inside the simulation; must not be empty */
    explicit WorkloadPulse(std::function<void()> pulse);
    ~WorkloadPulse();
    WorkloadPulse(const WorkloadPulse&) = delete;
    WorkloadPulse& operator=(const WorkloadPulse&) = delete;

  private:
    struct Shared;

    void Wait();

    std::shared_ptr<Shared> m_shared; //!< outlives an event that the simulator never ran
    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_over{false};
    std::thread m_thread; //!< last: it uses the others
};

} // namespace ns3

#endif // WORKLOAD_PULSE_H
