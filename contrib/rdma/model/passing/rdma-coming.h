/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_COMING_H
#define RDMA_COMING_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

class RdmaPort;
class RdmaQueuePair;

/**
 * \ingroup rdma
 * \brief Frames that will pass at a port, in the order in which they come there; frames of one time
 * in the order in which they were added.
 *
 * A ring, for each frame that is acknowledged passes through some: adding at the end and taking
 * from the front are O(1), and memory is that of the frames on their way.
 */
class RdmaComing
{
  public:
    /** A frame that passes, see RdmaPort::Forward; or, of no flow, one in the background. */
    struct Frame
    {
        static constexpr int64_t ALONE = -1; //!< start of one that goes nowhere else

        /** \return whether it comes from another port, as part of what passes in the background */
        bool IsBackground() const
        {
            return !qp && start != ALONE;
        }

        int64_t time;            //!< time steps
        RdmaPort* before;        //!< null: it starts here, or has been seen to leave there
        RdmaPort* next;          //!< null: it ends there
        int64_t start;           //!< when it starts, by what was known when it was let pass
        const RdmaQueuePair* qp; //!< null: of the background
        uint32_t serial;         //!< its number in the flow
        uint32_t bytes;
    };

    bool IsEmpty() const
    {
        return m_first == m_end;
    }

    /** \return the first frame; only if there is one */
    Frame& Front()
    {
        return At(m_first);
    }

    const Frame& Front() const
    {
        return At(m_first);
    }

    /** \return the last frame; only if there is one */
    const Frame& Back() const
    {
        return At(m_end - 1);
    }

    /** Takes the first frame out, which stays where it is until the next Add. */
    void Pop()
    {
        ++m_first;
    }

    /** \return a place for a frame that comes at \p time, which is set; the rest is to be filled */
    Frame& Add(int64_t time)
    {
        if (m_end - m_first == m_frames.size())
        {
            Grow();
        }
        uint32_t place = m_end++;
        for (; place != m_first && At(place - 1).time > time; --place)
        {
            At(place) = At(place - 1);
        }
        Frame& frame = At(place);
        frame.time = time;
        return frame;
    }

    /** \p frame, which another port let pass, comes \p delay time steps later, unless it has. */
    void Delay(const Frame& frame, int64_t delay)
    {
        uint32_t place = m_first;
        while (place != m_end && (At(place).serial != frame.serial || At(place).qp != frame.qp))
        {
            ++place;
        }
        if (place == m_end)
        {
            return;
        }
        At(place).time += delay;
        for (; place + 1 != m_end && At(place + 1).time <= At(place).time; ++place)
        {
            std::swap(At(place), At(place + 1));
        }
    }

    /** All frames come \p shift time steps later. */
    void Shift(int64_t shift)
    {
        for (uint32_t place = m_first; place != m_end; ++place)
        {
            At(place).time += shift;
            At(place).start += At(place).start == Frame::ALONE ? 0 : shift;
        }
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

    /** \return bytes of frames that are of flows */
    uint64_t GetBytes() const
    {
        uint64_t bytes = 0;
        for (uint32_t place = m_first; place != m_end; ++place)
        {
            bytes += At(place).qp ? At(place).bytes : 0;
        }
        return bytes;
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
