/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_PACKET_FRAMES_H
#define RDMA_PACKET_FRAMES_H

#include "rdma-packet-state.h"
#include "rdma-saved-flow.h"

#include "ns3/rdma-network.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3
{

/** A frame, and where at its port it is. */
struct RdmaPacketState::FrameAt
{
    const RdmaFrame* frame;
    uint32_t queue;  //!< or RdmaSavedFrame::FLYING
    uint32_t before; //!< bytes of frames before it in its queue
    int64_t number;  //!< in its queue, from 0
    RdmaDue due;     //!< flying: when it arrives
};

/** Finds frames of flows at ports. Where thousands of flows cross a port, each of which is asked
 * for, its frames are sorted by flow once, until frames move. */
class RdmaPacketState::Frames
{
  public:
    /** \param state of which it is a part */
    explicit Frames(const RdmaPacketState& state);

    /** Frames move. */
    void Forget();

    /** \return when the first frame on its wire arrives at the peer of \p port, as of when it was
     * frozen; time steps */
    int64_t ArrivalOf(const RdmaPort& port) const
    {
        return m_state.ArrivalOf(port).time;
    }

    /** Calls \p look (FrameAt) for each frame at \p port: first those on the wire, then queues. */
    template <typename F>
    void ForEach(const RdmaPort& port, F&& look) const;

    /** The same for the frames of \p qp, of \p data or of what is sent back. */
    template <typename F>
    void ForEachAmong(const RdmaQueuePair& qp, const RdmaPort& port, bool data, F&& look) const;

    /** The same, where other flows are asked for at \p port, too, before frames move. */
    template <typename F>
    void ForEachOf(const RdmaQueuePair& qp, const RdmaPort& port, bool data, F&& look);

  private:
    /** \return the first of the frames in \p sorted that is of \p qp, or where it would be */
    static const FrameAt* FirstOf(const RdmaQueuePair& qp, const std::vector<FrameAt>& sorted);

    /** \return frames at \p port sorted by flow; null if it is the first to ask for them, for whom
     * sorting does not pay off */
    const std::vector<FrameAt>* FindSorted(const RdmaPort& port);

    const RdmaPacketState& m_state;
    /** Of ports that the event at m_due looked at: frames by flow, from the second look on. */
    std::unordered_map<const RdmaPort*, std::vector<FrameAt>> m_sorted;
    RdmaDue m_due;
};

template <typename F>
void
RdmaPacketState::Frames::ForEach(const RdmaPort& port, F&& look) const
{
    const auto lookAlong = [&](const RdmaFrame* frame, RdmaDue due) {
        for (; frame; frame = frame->next)
        {
            look(FrameAt{frame, RdmaSavedFrame::FLYING, 0, 0, due});
            if (frame->next)
            {
                due = {frame->nextArrivalTime, m_state.EventQueue().Known(frame->nextArrivalPlace)};
            }
        }
    };
    lookAlong(port.m_wire.Front(), m_state.ArrivalOf(port));
    lookAlong(port.GetFirstBy(), port.GetDueBy());
    for (uint32_t queue = 0; queue < RdmaEgressQueues::COUNT; ++queue)
    {
        uint32_t before = 0;
        int64_t number = 0;
        for (const RdmaFrame* frame = port.queues.Front(queue); frame; frame = frame->next)
        {
            look(FrameAt{frame, queue, before, number++, {}});
            before += frame->wireBytes;
        }
    }
}

template <typename F>
void
RdmaPacketState::Frames::ForEachAmong(const RdmaQueuePair& qp,
                                      const RdmaPort& port,
                                      bool data,
                                      F&& look) const
{
    ForEach(port, [&](const FrameAt& item) {
        if (item.frame->qp == &qp && (item.frame->kind == RdmaFrameKind::DATA) == data)
        {
            look(item);
        }
    });
}

template <typename F>
void
RdmaPacketState::Frames::ForEachOf(const RdmaQueuePair& qp,
                                   const RdmaPort& port,
                                   bool data,
                                   F&& look)
{
    const std::vector<FrameAt>* sorted = FindSorted(port);
    if (!sorted)
    {
        ForEachAmong(qp, port, data, look);
        return;
    }
    const FrameAt* const end = sorted->data() + sorted->size();
    for (const FrameAt* item = FirstOf(qp, *sorted); item != end && item->frame->qp == &qp; ++item)
    {
        if ((item->frame->kind == RdmaFrameKind::DATA) == data)
        {
            look(*item);
        }
    }
}

} // namespace ns3

#endif // RDMA_PACKET_FRAMES_H
