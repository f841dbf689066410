/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_THREADS_H
#define RDMA_THREADS_H

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief Threads that do the parts of one short job after the other.
 *
 * Who waits spins for some microseconds, since the next job mostly comes at once, and then sleeps,
 * so that a machine with fewer free processors than threads is not kept busy by waiting. The
 * threads take no signals.
 */
class RdmaThreads
{
  public:
    /**
     * \param count of parts, from 1: the caller does part 0 itself, and a thread each other
     * \param work does the part with this number
     * \throws std::system_error if there are no more threads to be had
     */
    RdmaThreads(uint32_t count, std::function<void(uint32_t)> work);
    ~RdmaThreads();
    RdmaThreads(const RdmaThreads&) = delete;
    RdmaThreads& operator=(const RdmaThreads&) = delete;

    /** Does the first \p parts parts, and returns when all are done. Throws what one of them threw.
     */
    void Run(uint32_t parts);

    uint32_t GetCount() const
    {
        return static_cast<uint32_t>(m_workers.size()) + 1;
    }

  private:
    /** A thread, on cache lines of its own. */
    struct alignas(128) Worker
    {
        std::thread thread;
        std::exception_ptr error; //!< that the last job threw
        std::mutex mutex;
        std::condition_variable changed;
        std::atomic<uint64_t> asked{0};        //!< jobs, or LEAVE
        std::atomic<uint64_t> done{0};         //!< jobs
        std::atomic<bool> sleeps{false};       //!< the thread waits for changed
        std::atomic<bool> callerSleeps{false}; //!< the caller does
    };

    void End();
    std::exception_ptr Do(uint32_t part) const;
    void Loop(uint32_t part, Worker& worker);
    static void Set(Worker& worker,
                    std::atomic<uint64_t>& value,
                    uint64_t to,
                    const std::atomic<bool>& sleeps);
    uint64_t Wait(Worker& worker,
                  const std::atomic<uint64_t>& value,
                  uint64_t before,
                  std::atomic<bool>& sleeps) const;

    std::function<void(uint32_t)> m_work;
    uint32_t m_spins; //!< before who waits sleeps
    std::vector<std::unique_ptr<Worker>> m_workers;
};

} // namespace ns3

#endif // RDMA_THREADS_H
