/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_EGRESS_QUEUES_H
#define RDMA_EGRESS_QUEUES_H

#include "rdma-frame.h"

#include "ns3/rdma-memory.h"

#include <array>
#include <memory>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief The eight egress queues of a port. Queue 0 has strict priority and ignores pauses; the
 * others take turns, frame by frame.
 */
class RdmaEgressQueues
{
  public:
    static constexpr uint32_t COUNT = 8;
    static constexpr uint32_t CONTROL = 0; ///< queue of control frames, which no buffer counts

    /** \return whether all queues are empty */
    bool IsEmpty() const
    {
        return !m_filled;
    }

    /** \return bytes in all queues */
    uint64_t GetBytes() const
    {
        return m_totalBytes;
    }

    /** \return bytes in one queue */
    uint64_t GetBytes(uint32_t queue) const
    {
        const Queue* const q = Find(queue);
        return q ? q->bytes : 0;
    }

    /** \return bytes that were in \p queue before */
    uint64_t Push(uint32_t queue, RdmaFrame* frame)
    {
        Queue& q = Of(queue);
        q.fifo.Push(frame);
        return Count(q, queue, *frame);
    }

    /** As Push, but before frames of other kinds. */
    void PushAhead(uint32_t queue, RdmaFrame* frame)
    {
        Queue& q = Of(queue);
        q.fifo.PushAhead(frame);
        Count(q, queue, *frame);
    }

    /**
     * \param paused bit q: queue q must not send
     * \param queue set to where the frame was
     * \return the next frame to send, removed; null if none may
     */
    RdmaFrame* Pop(uint32_t paused, uint32_t& queue)
    {
        const uint32_t ready = m_filled & ~(paused & ~1U);
        if (!ready)
        {
            return nullptr;
        }
        queue = ready & 1 ? 0 : NextInTurn(ready);
        return PopFrom(queue);
    }

    /** As Push and Pop of a frame where nothing else waits. */
    void PassThrough(uint32_t queue)
    {
        m_last = queue == CONTROL ? m_last : queue;
    }

    /** \return the first frame of one queue, removed; only if that is not empty */
    RdmaFrame* PopFrom(uint32_t queue)
    {
        Queue& q = Of(queue);
        RdmaFrame* frame = q.fifo.Pop();
        RdmaFetch(q.fifo.Front(), 1); // the next to go may have waited for long
        if (q.fifo.IsEmpty())
        {
            m_filled &= ~(1U << queue);
        }
        q.bytes -= frame->wireBytes;
        m_totalBytes -= frame->wireBytes;
        return frame;
    }

    /** \return bit q: queue q holds frames */
    uint32_t GetFilled() const
    {
        return m_filled;
    }

    /** \return the first frame of one queue; null if it is empty */
    RdmaFrame* Front(uint32_t queue) const
    {
        return m_filled >> queue & 1 ? Find(queue)->fifo.Front() : nullptr;
    }

    /** Lets those frames be fetched that the next to come and to go touch. */
    void FetchEnds() const
    {
        for (uint32_t filled = m_filled; filled; filled &= filled - 1)
        {
            const RdmaFrameFifo& fifo = Find(static_cast<uint32_t>(__builtin_ctz(filled)))->fifo;
            RdmaFetch(fifo.Front(), 1);
            RdmaFetch(fifo.Back());
        }
    }

  private:
    static constexpr uint32_t USUAL = 3; //!< that of flows unless they ask for another

    struct Queue
    {
        RdmaFrameFifo fifo;
        uint64_t bytes{0};
    };

    using Queues = std::array<Queue, COUNT>;

    Queue& Of(uint32_t queue)
    {
        if (queue == USUAL || queue == CONTROL)
        {
            return m_usual[queue == CONTROL];
        }
        if (!m_others)
        {
            m_others = std::make_unique<Queues>();
        }
        return (*m_others)[queue];
    }

    /** \return the queue; null if nothing has ever been in it */
    const Queue* Find(uint32_t queue) const
    {
        if (queue == USUAL || queue == CONTROL)
        {
            return &m_usual[queue == CONTROL];
        }
        return m_others ? &(*m_others)[queue] : nullptr;
    }

    /** Takes note that \p frame is in \p q, number \p queue. \return bytes before */
    uint64_t Count(Queue& q, uint32_t queue, const RdmaFrame& frame)
    {
        m_filled |= 1U << queue;
        m_totalBytes += frame.wireBytes;
        q.bytes += frame.wireBytes;
        return q.bytes - frame.wireBytes;
    }

    /** \return the first of \p ready after the queue last served */
    uint32_t NextInTurn(uint32_t ready)
    {
        const uint32_t later = ready & ~((2U << m_last) - 1);
        m_last = __builtin_ctz(later ? later : ready);
        return m_last;
    }

    uint32_t m_filled{0}; //!< bit q: queue q is not empty
    uint32_t m_last{0};   //!< of 1 to 7, the one last served
    uint64_t m_totalBytes{0};
    std::array<Queue, 2> m_usual;     //!< USUAL, CONTROL
    std::unique_ptr<Queues> m_others; //!< null until another one is used
};

} // namespace ns3

#endif // RDMA_EGRESS_QUEUES_H
