/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-packet-frames.h"

#include <algorithm>
#include <functional>

namespace ns3
{

RdmaPacketState::Frames::Frames(const RdmaPacketState& state)
    : m_state(state)
{
}

void
RdmaPacketState::Frames::Forget()
{
    m_sorted.clear();
}

const RdmaPacketState::FrameAt*
RdmaPacketState::Frames::FirstOf(const RdmaQueuePair& qp, const std::vector<FrameAt>& sorted)
{
    const auto isBefore = [](const FrameAt& item, const RdmaQueuePair* flow) {
        return std::less<>()(static_cast<const RdmaQueuePair*>(item.frame->qp), flow);
    };
    return std::lower_bound(sorted.data(), sorted.data() + sorted.size(), &qp, isBefore);
}

const std::vector<RdmaPacketState::FrameAt>*
RdmaPacketState::Frames::FindSorted(const RdmaPort& port)
{
    const RdmaEventQueue& eventQueue = m_state.EventQueue();
    const RdmaDue now{eventQueue.Now(), eventQueue.Place()};
    if (now.time != m_due.time || now.place != m_due.place)
    {
        Forget(); // another event: frames have moved since
        m_due = now;
    }
    const auto [it, isFirst] = m_sorted.try_emplace(&port);
    if (isFirst)
    {
        return nullptr;
    }
    std::vector<FrameAt>& frames = it->second;
    if (frames.empty())
    {
        ForEach(port, [&frames](const FrameAt& item) { frames.push_back(item); });
        std::stable_sort(frames.begin(), frames.end(), [](const auto& a, const auto& b) {
            return std::less<>()(a.frame->qp, b.frame->qp);
        });
    }
    return &frames;
}

} // namespace ns3
