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

/** \ingroup rdma How many trace sources other than those of pauses somebody has connected to. */
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
        RdmaTraceUse::s_count -= m_sinks && COUNTS;
    }

    void ConnectWithoutContext(const CallbackBase& callback)
    {
        Make().ConnectWithoutContext(callback);
    }

    void Connect(const CallbackBase& callback, std::string path)
    {
        Make().Connect(callback, path);
    }

    void DisconnectWithoutContext(const CallbackBase& callback)
    {
        Make().DisconnectWithoutContext(callback);
    }

    void Disconnect(const CallbackBase& callback, std::string path)
    {
        Make().Disconnect(callback, path);
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
    /** Pauses can be told later (RdmaNotice). */
    static constexpr bool COUNTS = !std::is_same_v<RdmaTrace, RdmaTrace<uint32_t, bool>>;

    TracedCallback<Args...>& Make()
    {
        if (!m_sinks)
        {
            m_sinks = std::make_unique<TracedCallback<Args...>>();
            s_everMade.store(true, std::memory_order_relaxed);
            RdmaTraceUse::s_count += COUNTS;
        }
        return *m_sinks;
    }

    /** Somebody connected to one of these; until then none need be fetched from memory. */
    static inline std::atomic<bool> s_everMade{false};

    std::unique_ptr<TracedCallback<Args...>> m_sinks;
};

} // namespace ns3

#endif // RDMA_TRACE_H
