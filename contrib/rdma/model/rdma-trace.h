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
#include <type_traits>

namespace ns3
{

/** \ingroup rdma How many trace sources other than those of pauses somebody is connected to. */
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
 */
template <typename... Args>
class RdmaTrace
{
  public:
    RdmaTrace() = default;
    RdmaTrace(const RdmaTrace&) = delete;
    RdmaTrace& operator=(const RdmaTrace&) = delete;

    ~RdmaTrace()
    {
        RdmaTraceUse::s_count -= Counts();
    }

    void ConnectWithoutContext(const CallbackBase& callback)
    {
        Change([&](Sinks& sinks) { sinks.ConnectWithoutContext(callback); });
    }

    void Connect(const CallbackBase& callback, std::string path)
    {
        Change([&](Sinks& sinks) { sinks.Connect(callback, path); });
    }

    void DisconnectWithoutContext(const CallbackBase& callback)
    {
        Change([&](Sinks& sinks) { sinks.DisconnectWithoutContext(callback); });
    }

    void Disconnect(const CallbackBase& callback, std::string path)
    {
        Change([&](Sinks& sinks) { sinks.Disconnect(callback, path); });
    }

    /** Tells whoever is connected. */
    void operator()(Args... args) const
    {
        if (s_everMade.load(std::memory_order_relaxed) && m_sinks)
        {
            (*m_sinks)(args...);
        }
    }

  private:
    using Sinks = TracedCallback<Args...>;

    /** Pauses can be told later (RdmaNotice). */
    static constexpr bool COUNTS = !std::is_same_v<RdmaTrace, RdmaTrace<uint32_t, bool>>;

    bool Counts() const
    {
        return COUNTS && m_sinks && !m_sinks->IsEmpty();
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

} // namespace ns3

#endif // RDMA_TRACE_H
