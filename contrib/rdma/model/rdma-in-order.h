/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_IN_ORDER_H
#define RDMA_IN_ORDER_H

#include "rdma-context.h"

#include <cstddef>
#include <cstring>
#include <functional>
#include <type_traits>
#include <utility>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief Puts what sinks of traces see at different nodes into the order of one queue.
 *
 * A sink that looks on (RdmaTraceSource::LookOn) runs node by node in a window, on several threads.
 * What it passes on here is told in order, by one thread: at once, or when the window is over, with
 * the clock at the time.
 *
 * \tparam Record holds all that is to be known, since the state of nodes has moved on by then
 */
template <typename Record>
class RdmaInOrder final : private RdmaRecordTaker
{
    static_assert(std::is_trivially_copyable_v<Record>, "its bytes are kept");

  public:
    using Tell = std::function<void(const Record&)>;

    /** \param tell is told of each record; only looks on */
    explicit RdmaInOrder(Tell tell)
        : m_tell(std::move(tell))
    {
    }

    RdmaInOrder(const RdmaInOrder&) = delete;
    RdmaInOrder& operator=(const RdmaInOrder&) = delete;

    /** \param context of the node where it happens, now */
    void Pass(RdmaContext& context, const Record& record)
    {
        if (!context.Postpone(*this, &record, BYTES))
        {
            m_tell(record);
        }
    }

  private:
    // NOLINTNEXTLINE(bugprone-sizeof-expression): of a record that is a pointer, the pointer.
    static constexpr std::size_t BYTES = sizeof(Record);

    void Take(const std::byte* bytes) override
    {
        Record record;
        std::memcpy(&record, bytes, BYTES);
        m_tell(record);
    }

    Tell m_tell;
};

} // namespace ns3

#endif // RDMA_IN_ORDER_H
