/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_CONTROL_STATE_H
#define RDMA_CONTROL_STATE_H

#include "ns3/rdma-queue-pair.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief Writes what a congestion control remembers of its flow, for
 * RdmaCongestionControl::SaveState.
 *
 * Numbers become bytes, least significant first, so that the same memory is the same bytes on every
 * machine; use types of fixed width. Times and sequence numbers are written relative to the flow's,
 * so that the bytes mean the same at another time and for another flow. RdmaStateReader has the
 * same functions: one template can serve both directions.
 */
class RdmaStateWriter
{
  public:
    /**
     * \param qp the flow
     * \param state emptied; the writer appends to it, so it must live as long
     */
    RdmaStateWriter(const RdmaQueuePair& qp, std::vector<uint8_t>& state)
        : m_qp(qp),
          m_state(state)
    {
        m_state.clear();
    }

    /** \param value as it is */
    template <typename T>
    void Value(T value)
    {
        static_assert(std::is_integral_v<T> || std::is_same_v<T, double>, "a plain number");
        uint64_t bits = 0;
        if constexpr (std::is_integral_v<T>)
        {
            bits = static_cast<uint64_t>(value);
        }
        else
        {
            std::memcpy(&bits, &value, sizeof(bits));
        }
        for (size_t i = 0; i < sizeof(T); ++i)
        {
            m_state.push_back(static_cast<uint8_t>(bits >> (8 * i)));
        }
    }

    /** \param ns a point in time, ns */
    void Time(int64_t ns)
    {
        Value(ns - m_qp.GetNowNs());
    }

    /** \param ps a point in time, ps: when a timer fires */
    void TimerTime(int64_t ps)
    {
        Value(ps - m_qp.GetNowPs());
    }

    /** \param seq a byte in the flow */
    void Sequence(int64_t seq)
    {
        Value(seq - static_cast<int64_t>(m_qp.GetSndNxt()));
    }

    /** \param part something with a member function Save(RdmaStateWriter&) */
    template <typename T>
    void Part(const T& part)
    {
        part.Save(*this);
    }

    /** \return the flow */
    const RdmaQueuePair& GetQueuePair() const
    {
        return m_qp;
    }

  private:
    const RdmaQueuePair& m_qp;
    std::vector<uint8_t>& m_state;
};

/**
 * \ingroup rdma
 * \brief Reads what RdmaStateWriter wrote, by the same calls in the same order, for
 * RdmaCongestionControl::LoadState.
 *
 * States come from files, too: numbers that are none, times more than 1000 s away and sequence
 * numbers beyond any flow are read, but IsComplete says that the state does not fit.
 *
 * Sequence numbers are signed because a flow that has hardly started may load the state of one that
 * looked further back.
 */
class RdmaStateReader
{
  public:
    /**
     * \param qp the flow that goes on with the state
     * \param state from an RdmaStateWriter; it must live as long as the reader
     */
    RdmaStateReader(const RdmaQueuePair& qp, const std::vector<uint8_t>& state)
        : m_qp(qp),
          m_state(state)
    {
    }

    /** \param value set to what was written; zero if the state has ended */
    template <typename T>
    void Value(T& value)
    {
        static_assert(std::is_integral_v<T> || std::is_same_v<T, double>, "a plain number");
        uint64_t bits = 0;
        if (m_state.size() - m_offset < sizeof(T))
        {
            m_missing = true;
        }
        else
        {
            for (size_t i = 0; i < sizeof(T); ++i)
            {
                bits |= static_cast<uint64_t>(m_state[m_offset++]) << (8 * i);
            }
        }
        if constexpr (std::is_integral_v<T>)
        {
            value = static_cast<T>(bits);
        }
        else
        {
            std::memcpy(&value, &bits, sizeof(bits));
            m_missing = m_missing || !std::isfinite(value);
        }
    }

    /** \param ns set to the point in time for this flow, ns */
    void Time(int64_t& ns)
    {
        Relative(ns, m_qp.GetNowNs(), FARTHEST_NS);
    }

    /** \param ps set to the point in time for this flow, ps */
    void TimerTime(int64_t& ps)
    {
        Relative(ps, m_qp.GetNowPs(), 1000 * FARTHEST_NS);
    }

    /** \param seq set to the byte in this flow */
    void Sequence(int64_t& seq)
    {
        Relative(seq, static_cast<int64_t>(m_qp.GetSndNxt()), INT64_MAX / 2);
    }

    /** \param part something with a member function Load(RdmaStateReader&) */
    template <typename T>
    void Part(T& part)
    {
        part.Load(*this);
    }

    /** \return whether all has been read, was there, and can be */
    bool IsComplete() const
    {
        return !m_missing && m_offset == m_state.size();
    }

    /** \return the flow */
    const RdmaQueuePair& GetQueuePair() const
    {
        return m_qp;
    }

  private:
    static constexpr int64_t FARTHEST_NS = 1'000'000'000'000;

    void Relative(int64_t& value, int64_t origin, int64_t farthest)
    {
        int64_t difference;
        Value(difference);
        m_missing = m_missing || difference > farthest || difference < -farthest;
        value = m_missing ? origin : origin + difference;
    }

    const RdmaQueuePair& m_qp;
    const std::vector<uint8_t>& m_state;
    size_t m_offset{0};
    bool m_missing{false}; //!< something is, or cannot be
};

/**
 * \ingroup rdma
 * LoadState for a control whose memory is one struct.
 * \param qp the flow
 * \param bytes from SaveState
 * \param state set to what they say; left as it is if they do not fit
 * \param fields called with an RdmaStateReader and a State: names its fields, as for the writer
 * \param isValid called with the State: whether its values are in their ranges
 * \return whether they fit
 */
template <typename State, typename Function, typename Predicate>
bool
LoadRdmaState(const RdmaQueuePair& qp,
              const std::vector<uint8_t>& bytes,
              State& state,
              Function&& fields,
              Predicate&& isValid)
{
    RdmaStateReader reader(qp, bytes);
    State loaded;
    fields(reader, loaded);
    if (!reader.IsComplete() || !isValid(loaded))
    {
        return false;
    }
    state = loaded;
    return true;
}

} // namespace ns3

#endif // RDMA_CONTROL_STATE_H
