/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_PACKET_ACK_WAY_H
#define RDMA_PACKET_ACK_WAY_H

#include "rdma-packet-frames.h"
#include "rdma-packet-state.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * The ports that acknowledgements of a flow cross, by number from 0, and how long these take there
 * by the queues of now. Times are time steps.
 */
class RdmaPacketState::AckWay
{
  public:
    /** An acknowledgement that is on its way. */
    struct Ack
    {
        const FrameAt& at; //!< where at its port
        size_t hop;        //!< which port that is
        int64_t rest;      //!< what it takes from the next port to the one that was asked for; 0 if
                           //!< it is there
    };

    /** \param qp outlives it */
    explicit AckWay(const RdmaQueuePair& qp);

    /** \return how many ports there are */
    size_t GetHops() const
    {
        return m_ports.size();
    }

    /** \return which one \p port is; GetHops() if acknowledgements do not cross it */
    size_t Find(const RdmaPort& port) const;

    /** \return whether acknowledgements cross \p port */
    bool Crosses(const RdmaPort& port) const
    {
        return Find(port) < GetHops();
    }

    /** \return how long one that comes to port \p hop now takes to the next one, or to the sender
     */
    int64_t GetLatency(size_t hop) const;

    /** \return the same to port \p to, or, with GetHops(), to the sender */
    int64_t GetLatency(size_t hop, size_t to) const;

    /** \return bytes that are queued at \p port before an acknowledgement of \p priority */
    static uint64_t BytesBefore(const RdmaPort& port, uint32_t priority);

    /** \return the first port from \p hop on that loses \p frame, of the flow; null if none does */
    RdmaPort* FindLoss(const RdmaFrame& frame, size_t hop) const;

    /** \return whether the last acknowledgement of the flow waits in its pipe */
    bool IsLastInPipe() const;

    /** \return when the last acknowledgement of the flow, which is at one of the ports, comes to
     * the sender; negative if it is at none, or will be lost */
    int64_t GetLastArrival(Frames& frames) const;

    /** \return how long the last acknowledgement of the flow, which is sent now, is under way, with
     * what is on its way to each port and comes there before it; O(frames on links to its switches)
     */
    int64_t GetLastLatency() const;

    /** The last acknowledgement leaves the receiver now, without a frame: it takes its part of each
     * link on its way when it would. */
    void PassLast() const;

    /**
     * Calls \p look (Ack) for each frame but data, in the order of their ports, first those on the
     * wire.
     * \param frames finds them
     * \param often whether others will look at these ports, too, before frames move
     * \param to up to this port; GetHops(): all of them
     */
    template <typename F>
    void ForEach(Frames& frames, bool often, size_t to, F&& look) const
    {
        int64_t rest = GetLatency(0, to);
        for (size_t hop = 0; hop < GetHops() && hop <= to; ++hop)
        {
            rest -= hop < to ? GetLatency(hop) : 0;
            const auto tell = [&](const FrameAt& at) { look(Ack{at, hop, rest}); };
            often ? frames.ForEachOf(m_qp, *m_ports[hop], false, tell)
                  : frames.ForEachAmong(m_qp, *m_ports[hop], false, tell);
        }
    }

  private:
    /** Calls \p comes with each port from \p hop on, to which an acknowledgement comes at \p time,
     * and when it comes there; the rest as in FreeAt. \return when it is at the sender */
    template <typename P>
    int64_t Go(size_t hop,
               int64_t time,
               P&& comes,
               const RdmaFrame* own = nullptr,
               const Frames* frames = nullptr) const;

    /** The same of one that leaves the receiver now. */
    template <typename P>
    int64_t GoLast(P&& comes) const;

    /** \return when \p port has sent what is before an acknowledgement that comes there at \p time,
     * at \p time if nothing is. \param own the acknowledgement; null if it has not been sent
     * \param frames knows what is on its way to ports that have just been frozen; null: what frozen
     *        ports do is not known */
    int64_t FreeAt(const RdmaPort& port,
                   int64_t time,
                   const RdmaFrame* own,
                   const Frames* frames) const;

    const RdmaQueuePair& m_qp;
    const std::vector<RdmaPort*>& m_ports;
};

} // namespace ns3

#endif // RDMA_PACKET_ACK_WAY_H
