/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_SHARED_BUFFER_H
#define RDMA_SHARED_BUFFER_H

#include "ns3/rdma-egress-queues.h"
#include "ns3/rdma-memory.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief A switch's memory: who may use how much of it, and when an ingress must pause its sender.
 *
 * Bytes are accounted to the (ingress port, queue) they came by. Each has a reserve of its own;
 * beyond that it shares what the others leave, up to a dynamic threshold that is a power-of-two
 * fraction of what is free; beyond that it has the port's headroom, meant for what arrives while a
 * pause takes effect. All sizes are bytes.
 */
class RdmaSharedBuffer
{
  public:
    /**
     * \param ports of the switch
     * \param bytes all memory
     * \param reserve of each (port, queue); counted once per port in the total
     * \param resumeOffset by how much usage must fall below the threshold before a resume
     */
    void Configure(uint32_t ports, uint64_t bytes, uint32_t reserve, uint32_t resumeOffset);

    /**
     * \param port ingress
     * \param headroom its headroom
     * \param shift the threshold is what is free, divided by 2^shift
     */
    void ConfigurePort(uint32_t port, uint64_t headroom, uint32_t shift);

    /** \return headroom of a port, all of it */
    uint64_t GetPortHeadroom(uint32_t port) const
    {
        return m_ports[port].headroom;
    }

    /** Lets what is known of \p port be fetched. */
    void Fetch(uint32_t port) const
    {
        RdmaFetch(m_ports.data() + port);
    }

    /** \return bytes missing for the headrooms and reserves; 0 if the memory is large enough */
    uint64_t GetShortage() const;

    /** \name What came of a frame that asked to enter: bits. @{ */
    static constexpr uint32_t ENTERS = 1;
    static constexpr uint32_t PAUSES = 2; ///< the sender should be paused now; it has not been
    static constexpr uint32_t TIGHT = 4;  ///< as IsTight
    /** @} */

    /** Accounts for a frame that enters if it may, or \p always. \return ENTERS and others; 0 if it
     * does not */
    uint32_t TryEnter(uint32_t port, uint32_t queue, uint32_t size, bool always);

    /** \return whether a frame may enter, and if it left at once, nothing would have changed, and
     * no pause or resume would be due */
    bool LetsPass(uint32_t port, uint32_t queue, uint32_t size) const
    {
        const Usage& u = Of(port, queue);
        return !u.paused && u.headroom == 0 && u.ingress + size <= m_reserve &&
               size <= GetThreshold(m_ports[port]);
    }

    /** \return whether a frame may enter */
    bool Admits(uint32_t port, uint32_t queue, uint32_t size) const
    {
        return Admits(m_ports[port], Of(port, queue), size);
    }

    /** Accounts for a frame that entered. */
    void Enter(uint32_t port, uint32_t queue, uint32_t size)
    {
        Enter(m_ports[port], Of(port, queue), size);
    }

    /** Accounts for a frame that leaves. \return ShouldResume */
    bool Leave(uint32_t port, uint32_t queue, uint32_t size);

    /** \return whether the sender at \p port should be paused now; it has not been */
    bool ShouldPause(uint32_t port, uint32_t queue) const
    {
        return ShouldPause(m_ports[port], Of(port, queue));
    }

    /** \return whether a queue of \p port is so full that half as much free memory would have its
     * sender paused, or frames lost */
    bool IsTight(uint32_t port, uint32_t queue) const
    {
        return IsTight(m_ports[port], Of(port, queue));
    }

    /** \return whether the sender at \p port should be let go on now; it has been paused */
    bool ShouldResume(uint32_t port, uint32_t queue) const
    {
        return ShouldResume(m_ports[port], Of(port, queue));
    }

    void SetPaused(uint32_t port, uint32_t queue, bool paused)
    {
        if (paused != IsPaused(port, queue))
        {
            Of(port, queue).paused = paused;
        }
    }

    bool IsPaused(uint32_t port, uint32_t queue) const
    {
        return Of(port, queue).paused;
    }

    /** \return bytes of (port, queue) beyond its reserve, headroom not counted */
    uint64_t GetShared(uint32_t port, uint32_t queue) const
    {
        return GetShared(Of(port, queue));
    }

    /** \return how much of the shared memory one queue of \p port may use now */
    uint64_t GetThreshold(uint32_t port) const
    {
        return GetThreshold(m_ports[port]);
    }

    /** \return bytes of (port, queue) in the port's headroom */
    uint64_t GetHeadroom(uint32_t port, uint32_t queue) const
    {
        return Of(port, queue).headroom;
    }

    /** \return bytes of the shared memory in use */
    uint64_t GetSharedUsed() const
    {
        return m_sharedUsed;
    }

  private:
    struct Usage
    {
        uint64_t ingress{0}; //!< without what is in the headroom
        uint64_t headroom : 63;
        uint64_t paused : 1; //!< a pause has been sent

        constexpr Usage()
            : headroom(0),
              paused(0)
        {
        }
    };

    static constexpr uint32_t NEAR = 3; //!< queues whose usage is in the port's cache line

    using Usages = std::array<Usage, RdmaEgressQueues::COUNT>; //!< at PlaceOf

    struct alignas(RDMA_CACHE_LINE) Port
    {
        uint64_t headroom : 56;
        uint64_t shift : 8;
        std::array<Usage, NEAR> usage;  //!< at PlaceOf
        std::unique_ptr<Usages> others; //!< null until another queue is used

        Port()
            : headroom(0),
              shift(3)
        {
        }
    };

    /** \return where \p queue stands among others: 3, that of flows unless they ask for another,
     * comes first; then 2 and 1 */
    static constexpr uint32_t PlaceOf(uint32_t queue)
    {
        return queue ^ 3;
    }

    Usage& Of(uint32_t port, uint32_t queue)
    {
        Port& p = m_ports[port];
        const uint32_t place = PlaceOf(queue);
        if (place < NEAR)
        {
            return p.usage[place];
        }
        if (!p.others)
        {
            p.others = std::make_unique<Usages>();
        }
        return (*p.others)[place];
    }

    const Usage& Of(uint32_t port, uint32_t queue) const
    {
        static const Usage none;
        const Port& p = m_ports[port];
        const uint32_t place = PlaceOf(queue);
        return place < NEAR ? p.usage[place] : p.others ? (*p.others)[place] : none;
    }

    uint64_t GetShared(const Usage& u) const
    {
        return u.ingress > m_reserve ? u.ingress - m_reserve : 0;
    }

    uint64_t GetThreshold(const Port& p) const
    {
        return m_free > 0 ? static_cast<uint64_t>(m_free) >> p.shift : 0;
    }

    bool Admits(const Port& p, const Usage& u, uint32_t size) const
    {
        return size + u.headroom <= p.headroom || size + GetShared(u) <= GetThreshold(p);
    }

    bool ShouldPause(const Port& p, const Usage& u) const
    {
        return !u.paused && (u.headroom > 0 || GetShared(u) >= GetThreshold(p));
    }

    bool IsTight(const Port& p, const Usage& u) const
    {
        const uint64_t shared = GetShared(u);
        return shared > 0 && 2 * shared >= GetThreshold(p);
    }

    bool ShouldResume(const Port& p, const Usage& u) const
    {
        if (!u.paused || u.headroom > 0)
        {
            return false;
        }
        const uint64_t shared = GetShared(u);
        return shared == 0 || shared + m_resumeOffset <= GetThreshold(p);
    }

    void Enter(const Port& p, Usage& u, uint32_t size);
    void Share(int64_t bytes);

    std::vector<Port, RdmaPooledAllocator<Port>> m_ports;
    uint64_t m_bytes{0};
    uint64_t m_reserve{0};
    uint64_t m_resumeOffset{0};
    uint64_t m_sharedUsed{0};
    int64_t m_free{
        0}; //!< not reserved, not headroom, not in use; negative if memory is overcommitted
};

inline void
RdmaSharedBuffer::Share(int64_t bytes)
{
    m_sharedUsed += static_cast<uint64_t>(bytes);
    m_free -= bytes;
}

inline void
RdmaSharedBuffer::Enter(const Port& p, Usage& u, uint32_t size)
{
    const uint64_t after = u.ingress + size;
    if (after <= m_reserve)
    {
        u.ingress = after;
    }
    else if (after - m_reserve > GetThreshold(p))
    {
        u.headroom += size;
    }
    else
    {
        u.ingress = after;
        Share(static_cast<int64_t>(std::min<uint64_t>(size, after - m_reserve)));
    }
}

inline uint32_t
RdmaSharedBuffer::TryEnter(uint32_t port, uint32_t queue, uint32_t size, bool always)
{
    Usage& u = Of(port, queue);
    const Port& p = m_ports[port];
    const uint64_t threshold = GetThreshold(p);
    if (size + u.headroom > p.headroom && size + GetShared(u) > threshold && !always)
    {
        return 0;
    }
    if (const uint64_t after = u.ingress + size; after <= m_reserve) // nothing is shared
    {
        u.ingress = after;
        return !u.paused && (u.headroom > 0 || threshold == 0) ? ENTERS | PAUSES : ENTERS;
    }
    Enter(p, u, size);
    return ENTERS | (ShouldPause(p, u) ? PAUSES : 0) | (IsTight(p, u) ? TIGHT : 0);
}

inline bool
RdmaSharedBuffer::Leave(uint32_t port, uint32_t queue, uint32_t size)
{
    Usage& u = Of(port, queue);
    const uint64_t fromHeadroom = std::min<uint64_t>(u.headroom, size);
    const uint64_t rest = size - fromHeadroom;
    Share(-static_cast<int64_t>(std::min(rest, GetShared(u))));
    u.headroom -= fromHeadroom;
    u.ingress -= rest;
    return ShouldResume(m_ports[port], u);
}

} // namespace ns3

#endif // RDMA_SHARED_BUFFER_H
