/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_SIMAI_QUEUE_H
#define WORKLOAD_SIMAI_QUEUE_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup workload The order in which ranks that share collectives run them, operation by
 * operation: whoever chooses first decides for all. */
using WorkloadSimAiOrder = std::vector<uint32_t>;

/**
 * \ingroup workload
 * \brief A rank's queue of one dimension: one collective runs, the last one issued is next.
 *
 * Last in, first out, and not agreed between ranks, it would let one rank run A while the other
 * runs B, for ever; so the ranks follow a common order.
 */
class WorkloadSimAiQueue
{
  public:
    static constexpr uint32_t NONE = UINT32_MAX;

    /** \param operation is ready to run */
    void Push(uint32_t operation)
    {
        m_pending.push_back(operation);
    }

    /** \return the operation to run now, which runs from then on; NONE if one is running, or the
     * one that is next has not been issued here */
    uint32_t Take(WorkloadSimAiOrder& order)
    {
        if (m_busy || m_pending.empty())
        {
            return NONE;
        }
        if (m_position == order.size())
        {
            order.push_back(m_pending.back());
        }
        const uint32_t next = order[m_position];
        for (size_t i = m_pending.size(); i-- > 0;)
        {
            if (m_pending[i] == next)
            {
                m_pending.erase(m_pending.begin() + ptrdiff_t(i));
                m_busy = true;
                ++m_position;
                return next;
            }
        }
        return NONE;
    }

    /** \return whether \p operation is to run yet */
    bool Has(uint32_t operation) const
    {
        return std::find(m_pending.begin(), m_pending.end(), operation) != m_pending.end();
    }

    /** What runs is done. */
    void Release()
    {
        m_busy = false;
    }

  private:
    std::vector<uint32_t> m_pending; //!< in the order of issue
    size_t m_position{0};            //!< in the common order
    bool m_busy{false};
};

} // namespace ns3

#endif // WORKLOAD_SIMAI_QUEUE_H
