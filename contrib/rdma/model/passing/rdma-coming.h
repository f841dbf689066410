/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_COMING_H
#define RDMA_COMING_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief Frames that will pass at a port, in the order in which they come there; frames of one time
 * in the order in which they were added.
 *
 * A ring, for of what is acknowledged unseen, each frame passes through some: adding at the end and
 * taking from the front are O(1), and memory is that of the frames on their way.
 */
class RdmaComing
{
  public:
    struct Frame
    {
        int64_t time; //!< time steps
        uint32_t bytes;
        bool background; //!< it comes from another port, and goes on; else it goes nowhere else
    };

    bool IsEmpty() const
    {
        return m_first == m_end;
    }

    /** \return the first frame; only if there is one */
    const Frame& Front() const
    {
        return At(m_first);
    }

    /** \return the last frame; only if there is one */
    const Frame& Back() const
    {
        return At(m_end - 1);
    }

    /** \return the first frame, taken out; only if there is one */
    Frame Pop()
    {
        return At(m_first++);
    }

    void Add(const Frame& frame)
    {
        if (m_end - m_first == m_frames.size())
        {
            Grow();
        }
        uint32_t place = m_end++;
        for (; place != m_first && At(place - 1).time > frame.time; --place)
        {
            At(place) = At(place - 1);
        }
        At(place) = frame;
    }

    /** All frames come \p shift time steps later. */
    void Shift(int64_t shift)
    {
        for (uint32_t place = m_first; place != m_end; ++place)
        {
            At(place).time += shift;
        }
    }

    /** \return bytes of frames that come alone, until \p time */
    uint32_t AloneUntil(int64_t time) const
    {
        uint32_t bytes = 0;
        for (uint32_t place = m_first; place != m_end && At(place).time <= time; ++place)
        {
            bytes += At(place).background ? 0 : At(place).bytes;
        }
        return bytes;
    }

    /** \return whether a frame comes alone from \p from to \p to */
    bool HasAlone(int64_t from, int64_t to) const
    {
        for (uint32_t place = m_first; place != m_end && At(place).time <= to; ++place)
        {
            if (!At(place).background && At(place).time >= from)
            {
                return true;
            }
        }
        return false;
    }

    /** Frames that \p goes (frame) is true of do not come any more. */
    template <typename P>
    void Forget(P&& goes)
    {
        uint32_t kept = m_first;
        for (uint32_t place = m_first; place != m_end; ++place)
        {
            if (!goes(At(place)))
            {
                At(kept++) = At(place);
            }
        }
        m_end = kept;
    }

  private:
    Frame& At(uint32_t place)
    {
        return m_frames[place & (m_frames.size() - 1)];
    }

    const Frame& At(uint32_t place) const
    {
        return m_frames[place & (m_frames.size() - 1)];
    }

    void Grow();

    std::vector<Frame> m_frames; //!< as many as a power of two, or none
    uint32_t m_first{0};         //!< counted on for ever, as is m_end
    uint32_t m_end{0};
};

} // namespace ns3

#endif // RDMA_COMING_H
