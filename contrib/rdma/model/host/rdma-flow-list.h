/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_FLOW_LIST_H
#define RDMA_FLOW_LIST_H

#include "rdma-queue-pair.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief Flows in the order of their numbers, of which any may leave.
 *
 * One that leaves stays as a gap, until most are gaps: so nothing is allocated for a flow, and no
 * other one is touched.
 */
class RdmaFlowList
{
    /** A flow, or, where it was, nothing. */
    struct Place
    {
        uint64_t id;
        std::unique_ptr<RdmaQueuePair> qp;
    };

    using Places = std::vector<Place>;

  public:
    /** Over the flows that are here; none may come or leave meanwhile. */
    class Iterator
    {
      public:
        /** \param at a place, or \p end, where the places end */
        Iterator(Places::const_iterator at, Places::const_iterator end)
            : m_at(at),
              m_end(end)
        {
            SkipGaps();
        }

        RdmaQueuePair& operator*() const
        {
            return *m_at->qp;
        }

        Iterator& operator++()
        {
            ++m_at;
            SkipGaps();
            return *this;
        }

        bool operator!=(const Iterator& other) const
        {
            return m_at != other.m_at;
        }

      private:
        void SkipGaps()
        {
            while (m_at != m_end && !m_at->qp)
            {
                ++m_at;
            }
        }

        Places::const_iterator m_at;
        Places::const_iterator m_end;
    };

    /** Adds \p qp, whose number is greater than all before. */
    RdmaQueuePair& Add(std::unique_ptr<RdmaQueuePair> qp);

    /** \return \p qp, which is here, and from now on is not */
    std::unique_ptr<RdmaQueuePair> Remove(const RdmaQueuePair& qp);

    void Clear();

    bool IsEmpty() const
    {
        return m_count == 0;
    }

    Iterator begin() const
    {
        return {m_places.begin() + static_cast<std::ptrdiff_t>(m_first), m_places.end()};
    }

    Iterator end() const
    {
        return {m_places.end(), m_places.end()};
    }

  private:
    void CloseGaps();

    Places m_places;   //!< by number
    size_t m_first{0}; //!< before are gaps only
    size_t m_count{0}; //!< places that are no gaps
};

} // namespace ns3

#endif // RDMA_FLOW_LIST_H
