/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_POOL_H
#define WORKLOAD_POOL_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup workload No element of a WorkloadPool. */
constexpr uint32_t WORKLOAD_POOL_NONE = UINT32_MAX;

/**
 * \ingroup workload
 * \brief Elements known by 32-bit numbers, which are used again. Elements never move: they lie in
 * blocks, so growing costs no copy and no second half.
 * \tparam T a small plain value with a member \c next, of which freed elements make use
 */
template <typename T>
class WorkloadPool
{
  public:
    T& operator[](uint32_t index)
    {
        return m_blocks[index >> BLOCK_LOG][index & (BLOCK - 1)];
    }

    const T& operator[](uint32_t index) const
    {
        return m_blocks[index >> BLOCK_LOG][index & (BLOCK - 1)];
    }

    /** \return number of a new element with that value */
    uint32_t Add(const T& value)
    {
        uint32_t index = m_free;
        if (index != WORKLOAD_POOL_NONE)
        {
            m_free = (*this)[index].next;
        }
        else
        {
            index = m_used++;
            if ((index & (BLOCK - 1)) == 0)
            {
                m_blocks.emplace_back(BLOCK);
            }
        }
        (*this)[index] = value;
        return index;
    }

    /** Gives an element back. */
    void Free(uint32_t index)
    {
        (*this)[index].next = m_free;
        m_free = index;
    }

  private:
    static constexpr uint32_t BLOCK_LOG = 12;
    static constexpr uint32_t BLOCK = 1U << BLOCK_LOG;

    std::vector<std::vector<T>> m_blocks;
    uint32_t m_free{WORKLOAD_POOL_NONE};
    uint32_t m_used{0};
};

} // namespace ns3

#endif // WORKLOAD_POOL_H
