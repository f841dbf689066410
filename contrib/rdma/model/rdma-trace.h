/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_TRACE_H
#define RDMA_TRACE_H

#include "ns3/callback.h"
#include "ns3/traced-callback.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace ns3
{

/** \ingroup rdma How many trace sources somebody is connected to who wants every event in order, as
 * one queue has them (RdmaNetwork::WhyInOneQueue). */
struct RdmaTraceUse
{
    static inline std::atomic<uint64_t> s_count{0};
};

/**
 * \ingroup rdma
 * \brief A trace source that takes one pointer, and one comparison to fire, until somebody
 * connects.
 *
 * There are as many of them as ports. It fits wherever ns-3 takes a TracedCallback
 * (MakeTraceSourceAccessor).
 *
 * \tparam LATE whether it fires outside of windows, or once one is over (RdmaNotice): then who is
 * connected does not keep the network in one queue
 */
template <bool LATE, typename... Args>
class RdmaTraceSource
{
  public:
    RdmaTraceSource() = default;
    RdmaTraceSource(const RdmaTraceSource&) = delete;
    RdmaTraceSource& operator=(const RdmaTraceSource&) = delete;

    ~RdmaTraceSource()
    {
        RdmaTraceUse::s_count -= Counts();
    }

    void ConnectWithoutContext(const CallbackBase& callback)
    {
        Change([&](Sinks& sinks) { sinks.inOrder.ConnectWithoutContext(callback); });
    }

    void Connect(const CallbackBase& callback, std::string path)
    {
        Change([&](Sinks& sinks) { sinks.inOrder.Connect(callback, path); });
    }

    void DisconnectWithoutContext(const CallbackBase& callback)
    {
        Change([&](Sinks& sinks) { sinks.inOrder.DisconnectWithoutContext(callback); });
    }

    void Disconnect(const CallbackBase& callback, std::string path)
    {
        Change([&](Sinks& sinks) { sinks.inOrder.Disconnect(callback, path); });
    }

    /**
     * Connects \p callback, which only looks on: windows and threads go on. In a window it runs on
     * the thread that runs the node, node by node, so it may touch only what belongs to that node,
     * and pass the rest on (RdmaInOrder).
     */
    void LookOn(const CallbackBase& callback)
    {
        Change([&](Sinks& sinks) { sinks.lookingOn.ConnectWithoutContext(callback); });
    }

    void StopLookingOn(const CallbackBase& callback)
    {
        Change([&](Sinks& sinks) { sinks.lookingOn.DisconnectWithoutContext(callback); });
    }

    /** \return whether somebody ever connected to one of these, so that it matters when they fire
     */
    static bool WasUsed()
    {
        return s_everMade.load(std::memory_order_relaxed);
    }

    /** Tells whoever is connected. */
    void operator()(Args... args) const
    {
        if (WasUsed() && m_sinks)
        {
            m_sinks->inOrder(args...);
            m_sinks->lookingOn(args...);
        }
    }

  private:
    struct Sinks
    {
        TracedCallback<Args...> inOrder;
        TracedCallback<Args...> lookingOn;
    };

    bool Counts() const
    {
        return !LATE && m_sinks && !m_sinks->inOrder.IsEmpty();
    }

    template <typename C>
    void Change(C&& change)
    {
        if (!m_sinks)
        {
            m_sinks = std::make_unique<Sinks>();
            s_everMade.store(true, std::memory_order_relaxed);
        }
        const bool before = Counts();
        change(*m_sinks);
        RdmaTraceUse::s_count += Counts();
        RdmaTraceUse::s_count -= before;
    }

    /** Somebody connected to one of these; until then none need be fetched from memory. */
    static inline std::atomic<bool> s_everMade{false};

    std::unique_ptr<Sinks> m_sinks;
};

/** \ingroup rdma A trace source that fires when something happens, whatever else waits. */
template <typename... Args>
using RdmaTrace = RdmaTraceSource<false, Args...>;

/** \ingroup rdma A trace source of what is told in order, if need be when a window is over. */
template <typename... Args>
using RdmaLateTrace = RdmaTraceSource<true, Args...>;

} // namespace ns3

#endif // RDMA_TRACE_H
