/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-packet-state.h"
#include "rdma-saved-flow.h"

#include "ns3/rdma-network.h"

#include <algorithm>
#include <cstdlib>

// What RdmaPacketState makes sure of before it restores what it saved.

namespace ns3
{

namespace
{

/** Of times that are saved, seconds: nothing takes longer that is not stuck. */
constexpr int64_t FARTHEST_SECONDS = 1000;

/** Of positions in a flow that are saved, which are relative. */
constexpr int64_t FARTHEST_BYTE = int64_t{1} << 61;

constexpr RdmaFrameKind LAST_KIND = RdmaFrameKind::PACKET;

bool
IsNear(int64_t time, const RdmaContext& context)
{
    const int64_t farthest = FARTHEST_SECONDS * 1'000'000'000 * context.clock.StepsPerNs();
    return time >= -farthest && time <= farthest;
}

bool
IsDue(const RdmaSavedDue& due, const RdmaContext& context)
{
    return !due.pending || (due.time >= 0 && IsNear(due.time, context));
}

} // namespace

bool
RdmaPacketState::CanRestore(RdmaQueuePair& qp, const std::string& text) const
{
    const RdmaSavedFlow saved = DecodeRdmaFlow(text);
    const RdmaContext& context = m_network.m_context;
    const auto isFrame = [&](const RdmaSavedFrame& frame) {
        return IsNear(frame.time, context) && frame.time >= 0 && IsNear(frame.timestamp, context) &&
               frame.kind != RdmaFrameKind::PFC && frame.kind != RdmaFrameKind::PACKET &&
               frame.kind <= LAST_KIND && frame.payloadBytes <= qp.m_payloadSize &&
               frame.wireBytes >= frame.payloadBytes && frame.wireBytes > 0 &&
               frame.wireBytes <= context.largestFrame && std::abs(frame.seq / 2) < FARTHEST_BYTE;
    };
    const bool fits = saved.rate > 0 && saved.rate <= qp.m_maxRate &&
                      IsNear(saved.pacing, context) && saved.pacing >= 0 &&
                      IsNear(saved.nextAvailable, context) && IsNear(saved.lastProgress, context) &&
                      IsNear(saved.sinceArrival, context) && IsNear(saved.sinceCnp, context) &&
                      IsDue(saved.retransmission, context) && saved.nextSeq >= 0 &&
                      saved.nextSeq < FARTHEST_BYTE && saved.unacknowledged >= 0 &&
                      saved.unacknowledged < FARTHEST_BYTE &&
                      saved.inChunk < static_cast<uint64_t>(FARTHEST_BYTE) &&
                      saved.lastWireBytes <= context.largestFrame &&
                      std::all_of(saved.frames.begin(), saved.frames.end(), isFrame);
    return fits && (!qp.m_control || qp.m_control->Fork()->LoadState(qp, saved.control));
}

bool
RdmaPacketState::CanRestore(const RdmaPort& port, const std::string& text)
{
    const RdmaSavedPort saved = DecodeRdmaPort(text);
    const RdmaContext& context = port.GetContext();
    const auto mayPass = [&context](const RdmaSavedPassing& frame) {
        return frame.time >= 0 && IsNear(frame.time, context) &&
               frame.bytes <= context.largestFrame;
    };
    return IsDue(saved.txEnd, context) && IsDue(saved.wake, context) &&
           std::all_of(saved.passing.begin(), saved.passing.end(), mayPass);
}

bool
RdmaPacketState::CanComplete(const std::string& end)
{
    return end.empty() || DecodeRdmaLatency(end) < INT64_MAX / 4;
}

} // namespace ns3
