/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_FRAME_H
#define RDMA_FRAME_H

#include <array>
#include <cstdint>

namespace ns3
{

class Packet;
class RdmaPort;
class RdmaQueuePair;

/** \ingroup rdma No version of routes: switches choose the way of the frame. */
constexpr uint32_t RDMA_NO_ROUTE = UINT32_MAX;

/** \ingroup rdma What a frame is. */
enum class RdmaFrameKind : uint8_t
{
    DATA,
    ACK,
    NACK,
    CNP,
    PFC,
    PACKET, ///< an ordinary ns-3 packet that passes through
    CREDIT  ///< says how much of a class may be sent again (RdmaCredits)
};

/**
 * \ingroup rdma
 * \brief In-band telemetry: one record per switch crossed (HPCC, SIGCOMM 2019, section 4.1).
 *
 * The fields are as wide as in HPCC's public simulator, so differences are taken modulo 2^width.
 * The line rate is an index into the network's table of rates instead of that simulator's 3-bit
 * code, so any rate works.
 */
struct RdmaIntHeader
{
    static constexpr uint32_t MAX_HOPS = 5;
    static constexpr uint32_t WIRE_BYTES = MAX_HOPS * 8 + 2;
    static constexpr uint32_t TX_UNIT = 128; ///< bytes, times the network's IntMultiplier
    static constexpr uint32_t TIME_BITS = 24;
    static constexpr uint32_t TX_BITS = 20;
    static constexpr uint32_t QLEN_BITS = 17;
    static constexpr uint8_t NO_RECORDS = UINT8_MAX; ///< hopCount of a frame with a code instead

    /** What one switch port wrote when the frame left it. */
    struct Hop
    {
        uint64_t time : TIME_BITS; ///< ns
        uint64_t tx : TX_BITS;     ///< bytes the port has sent, in units of 128 * INT multiplier
        uint64_t qlen : QLEN_BITS; ///< bytes queued at the port, in units of 80 * INT multiplier
    };

    std::array<Hop, MAX_HOPS> hops;
    std::array<uint8_t, MAX_HOPS> rateIndex; ///< of each hop, in the network's table of link rates
    uint8_t hopCount; ///< records written; switches after the fifth write none
    uint16_t code;    ///< PINT (RdmaPint): of the most used link so far

    /** \return how many of hops there are */
    uint32_t GetRecords() const
    {
        return hopCount <= MAX_HOPS ? hopCount : 0;
    }
};

/** \ingroup rdma Priority flow control (IEEE 802.1Qbb), for one queue. */
struct RdmaPfc
{
    uint32_t
        pauseTime; ///< us as configured; 0 resumes. Not a timer: a pause holds until the resume
    uint32_t queueBytes; ///< length of that queue at the sender of this frame
    uint8_t queue;
};

/** \ingroup rdma What a CREDIT frame gives back, for one class. */
struct RdmaCreditUpdate
{
    uint32_t bytes;
    uint8_t queue;
};

/** \ingroup rdma What an ordinary packet needs on its way. */
struct NonRdmaPacket
{
    Packet* packet;       ///< one reference is ours
    uint32_t source;      ///< IPv4, host order; 0 if the packet is not IPv4
    uint32_t destination; ///< IPv4, host order; 0 if the packet is not IPv4
    uint32_t ports;       ///< source port + destination port * 65536
    uint16_t protocol;    ///< EtherType
};

/**
 * \ingroup rdma
 * \brief A frame on the wire: 128 bytes from a pool, no reference counts.
 *
 * The first 64 bytes are all that a switch reads on the way of an acknowledgement. A receiver turns
 * a data frame round into its acknowledgement in place, so telemetry is echoed without being
 * copied.
 */
struct alignas(64) RdmaFrame
{
    RdmaFrame* next;   ///< in whatever FIFO it is
    RdmaQueuePair* qp; ///< null for PFC and ordinary packets
    RdmaPort* const*
        route; ///< the egress port of the next hop; valid while routeVersion is the network's
    int64_t nextArrivalTime;   ///< of the frame behind it on the link it is on; time steps
    uint64_t nextArrivalPlace; ///< of that arrival in the order of events
    uint64_t seq;              ///< data: offset of the first byte. ACK, NACK: next byte expected
    uint32_t wireBytes;        ///< all of the frame
    uint32_t payloadBytes;     ///< data. NACK under selective repeat: how far behind seq the
                               ///< frame begins that has come out of order, bytes
    uint32_t routeVersion;     ///< the network's when the route was taken
    uint16_t ingress;          ///< port of the switch that it came in by; on a link with credits,
                               ///< the class that it took them of, 0 for none
    RdmaFrameKind kind;
    uint8_t priority;
    // ---- second cache line
    bool ce : 1;        ///< congestion experienced (both ECN bits)
    bool echo : 1;      ///< ACK, NACK: the data frame had ce
    bool ackNow : 1;    ///< data: acknowledge even a duplicate (sent after a time-out)
    bool telemetry : 1; ///< switches write INT records or a PINT code into it
    bool last : 1;      ///< data: its flow's last bytes. ACK, NACK: all bytes have arrived
    uint8_t again;      ///< for draws of losses. Data: RdmaSendRounds. ACK, NACK, CNP: 0, or if it
                        ///< acknowledges nothing new, how many did, modulo 256; NACKs count from 1
                        ///< where they ask for another packet
    uint16_t entropy;   ///< data: what switches hash (RdmaEntropy). ACK, NACK: echoed
    uint32_t serial;    ///< number in its flow and direction, for other random draws
    int64_t timestamp;  ///< data: start of transmission at the host; ACK, NACK: echoed; time steps

    union {
        RdmaIntHeader intHeader;
        RdmaPfc pfc;
        RdmaCreditUpdate credit;
        NonRdmaPacket nonRdma;
    };
};

static_assert(sizeof(RdmaIntHeader) == 48, "telemetry fits in the second cache line");
static_assert(sizeof(RdmaFrame) == 128, "a frame is two cache lines");

/** \ingroup rdma First in, first out, linked through the frames. */
class RdmaFrameFifo
{
  public:
    bool IsEmpty() const
    {
        return !m_head;
    }

    /** \return the first frame, or null */
    RdmaFrame* Front() const
    {
        return m_head;
    }

    /** \return the last frame; only if not IsEmpty() */
    RdmaFrame* Back() const
    {
        return m_tail;
    }

    void Push(RdmaFrame* frame)
    {
        frame->next = nullptr;
        (m_head ? m_tail->next : m_head) = frame;
        m_tail = frame;
    }

    /** Puts \p frame before all frames of other kinds, behind those of its own kind at the head. */
    void PushAhead(RdmaFrame* frame)
    {
        if (IsEmpty() || m_tail->kind == frame->kind)
        {
            Push(frame);
            return;
        }
        RdmaFrame** place = &m_head;
        while ((*place)->kind == frame->kind)
        {
            place = &(*place)->next;
        }
        frame->next = *place;
        *place = frame;
    }

    /** Puts all frames of \p other, which is empty then, behind those here. */
    void Append(RdmaFrameFifo& other)
    {
        if (!other.IsEmpty())
        {
            (m_head ? m_tail->next : m_head) = other.m_head;
            m_tail = other.m_tail;
            other.m_head = nullptr;
        }
    }

    /** \return the first frame, removed; only if not IsEmpty() */
    RdmaFrame* Pop()
    {
        RdmaFrame* frame = m_head;
        m_head = frame->next;
        return frame;
    }

  private:
    RdmaFrame* m_head{nullptr};
    RdmaFrame* m_tail{nullptr}; //!< meaningful unless empty
};

} // namespace ns3

#endif // RDMA_FRAME_H
