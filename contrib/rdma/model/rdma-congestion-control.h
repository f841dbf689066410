/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_CONGESTION_CONTROL_H
#define RDMA_CONGESTION_CONTROL_H

#include "rdma-frame.h"

#include "ns3/object.h"

#include <cstdint>
#include <type_traits>
#include <vector>

namespace ns3
{

class RdmaQueuePair;

/** \ingroup rdma What a control wants its frames to bring back. */
enum class RdmaTelemetry : uint8_t
{
    NONE,
    TIMESTAMP, ///< when the frame left the host: 8 B on the wire
    INT        ///< records of the switches crossed: 42 B on the wire
};

/** \return bytes that telemetry takes in a data frame and in its acknowledgement */
uint32_t RdmaTelemetryBytes(RdmaTelemetry telemetry);

/** \ingroup rdma An acknowledgement as a control sees it. The queue pair's snd_una and snd_nxt are
 * up to date. */
struct RdmaAck
{
    uint64_t seq;                   ///< next byte the receiver expects
    bool nack;                      ///< out-of-order data arrived; sending goes back to seq
    bool echo;                      ///< the data frame had been marked congestion experienced
    int64_t nowNs;                  ///< current time, ns
    int64_t rttNs;                  ///< since the data frame began to leave the host, ns
    const RdmaIntHeader* telemetry; ///< null unless the control asked for INT
};

/**
 * \ingroup rdma
 * \brief A congestion control of one queue pair.
 *
 * To add one: derive, give it a TypeId with attributes, implement Fork and OnAck, and select it by
 * the TypeId's name (RdmaHost's attribute CongestionControl, or `wormhole run --cc
 * ns3::MyControl`). Everything that it changes goes through the queue pair: SetRate, SetRateNow,
 * SetWindow. A queue pair starts at the NIC's rate.
 */
class RdmaCongestionControl : public Object
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    /** \return a copy with the same parameters, for a new queue pair (`return
     * CopyObject<MyControl>(this);`) */
    virtual Ptr<RdmaCongestionControl> Fork() const = 0;

    /** \return what the frames of a flow under this control carry */
    virtual RdmaTelemetry GetTelemetry() const;

    /** The flow starts; its rate is the NIC's and its window is set. */
    virtual void OnStart(RdmaQueuePair& qp);

    /** An ACK or NACK came. Also called for the one that completes the flow. */
    virtual void OnAck(RdmaQueuePair& qp, const RdmaAck& ack) = 0;

    /** Notice of congestion: an echo on an ACK or NACK (called before OnAck), or a CNP frame. */
    virtual void OnCongestionNotification(RdmaQueuePair& qp);

    /** Nothing was acknowledged for the retransmission time-out; sending goes back to snd_una. */
    virtual void OnTimeout(RdmaQueuePair& qp);

    /** The flow has ended: stop timers. */
    virtual void OnEnd(RdmaQueuePair& qp);

    /**
     * \param state set to all that the control remembers of its flow, as bytes; times relative to \p nowNs
     * \param nowNs current time, ns
     * \return false if the control cannot save its state
     */
    virtual bool SaveState(std::vector<uint8_t>& state, int64_t nowNs) const;

    /**
     * \param state from SaveState of the same class and parameters
     * \param nowNs current time, ns
     * \return false if the state does not fit
     */
    virtual bool LoadState(const std::vector<uint8_t>& state, int64_t nowNs);

  protected:
    /** SaveState for a control whose memory is one plain struct. */
    template <typename T>
    static void SavePlain(std::vector<uint8_t>& state, const T& value);

    /** LoadState for a control whose memory is one plain struct. */
    template <typename T>
    static bool LoadPlain(const std::vector<uint8_t>& state, T& value);
};

template <typename T>
void
RdmaCongestionControl::SavePlain(std::vector<uint8_t>& state, const T& value)
{
    static_assert(std::is_trivially_copyable_v<T>, "a plain struct");
    const auto* bytes = reinterpret_cast<const uint8_t*>(&value);
    state.assign(bytes, bytes + sizeof(T));
}

template <typename T>
bool
RdmaCongestionControl::LoadPlain(const std::vector<uint8_t>& state, T& value)
{
    static_assert(std::is_trivially_copyable_v<T>, "a plain struct");
    if (state.size() != sizeof(T))
    {
        return false;
    }
    std::copy(state.begin(), state.end(), reinterpret_cast<uint8_t*>(&value));
    return true;
}

} // namespace ns3

#endif // RDMA_CONGESTION_CONTROL_H
