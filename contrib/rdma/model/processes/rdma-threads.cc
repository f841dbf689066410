/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-threads.h"

#include <csignal>
#include <limits>
#include <memory>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint64_t LEAVE = std::numeric_limits<uint64_t>::max();

/** Lets the other half of a processor's core work, and a little time pass. */
void
PauseThread()
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

} // namespace

RdmaThreads::RdmaThreads(uint32_t count, std::function<void(uint32_t)> work)
    : m_work(std::move(work)),
      m_spins(std::thread::hardware_concurrency() >= count ? 4000 : 0)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try
    {
        for (uint32_t part = 1; part < count; ++part)
        {
            auto worker = std::make_unique<Worker>();
            worker->thread =
                std::thread([this, part, mine = worker.get()]() { Loop(part, *mine); });
            m_workers.push_back(std::move(worker));
        }
    }
    catch (...)
    {
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
        End();
        throw;
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

RdmaThreads::~RdmaThreads()
{
    End();
}

void
RdmaThreads::End()
{
    for (const auto& worker : m_workers)
    {
        Set(*worker, worker->asked, LEAVE, worker->sleeps);
    }
    for (const auto& worker : m_workers)
    {
        worker->thread.join();
    }
}

void
RdmaThreads::Run(uint32_t parts)
{
    for (uint32_t part = 1; part < parts; ++part)
    {
        Worker& worker = *m_workers[part - 1];
        Set(worker, worker.asked, worker.asked.load(std::memory_order_relaxed) + 1, worker.sleeps);
    }
    std::exception_ptr error = Do(0);
    for (uint32_t part = 1; part < parts; ++part)
    {
        Worker& worker = *m_workers[part - 1];
        Wait(worker,
             worker.done,
             worker.asked.load(std::memory_order_relaxed) - 1,
             worker.callerSleeps);
        error = error ? error : worker.error;
    }
    if (error)
    {
        std::rethrow_exception(error);
    }
}

/** Does part number \p part. \return what it threw; null if nothing */
std::exception_ptr
RdmaThreads::Do(uint32_t part) const
{
    try
    {
        m_work(part);
        return nullptr;
    }
    catch (...) // memory has run out
    {
        return std::current_exception();
    }
}

void
RdmaThreads::Loop(uint32_t part, Worker& worker)
{
    for (uint64_t job = 0;;)
    {
        job = Wait(worker, worker.asked, job, worker.sleeps);
        if (job == LEAVE)
        {
            return;
        }
        worker.error = Do(part);
        Set(worker, worker.done, job, worker.callerSleeps);
    }
}

/** Sets \p value, and wakes who waits for it if he sleeps. */
void
RdmaThreads::Set(Worker& worker,
                 std::atomic<uint64_t>& value,
                 uint64_t to,
                 const std::atomic<bool>& sleeps)
{
    // in one order of all with what Wait does: either this sees that he sleeps, or he sees the
    // value
    value.store(to, std::memory_order_seq_cst);
    if (sleeps.load(std::memory_order_seq_cst))
    {
        const std::lock_guard<std::mutex> lock(worker.mutex);
        worker.changed.notify_all();
    }
}

/** Waits until \p value is not \p before any more. \return what it is */
uint64_t
RdmaThreads::Wait(Worker& worker,
                  const std::atomic<uint64_t>& value,
                  uint64_t before,
                  std::atomic<bool>& sleeps) const
{
    for (uint32_t spin = 0; spin < m_spins; ++spin)
    {
        const uint64_t now = value.load(std::memory_order_acquire);
        if (now != before)
        {
            return now;
        }
        PauseThread();
    }
    std::unique_lock<std::mutex> lock(worker.mutex);
    sleeps.store(true, std::memory_order_seq_cst);
    uint64_t now = value.load(std::memory_order_seq_cst);
    while (now == before)
    {
        worker.changed.wait(lock);
        now = value.load(std::memory_order_seq_cst);
    }
    sleeps.store(false, std::memory_order_relaxed);
    return now;
}

} // namespace ns3
