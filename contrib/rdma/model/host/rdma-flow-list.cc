/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-flow-list.h"

#include "ns3/assert.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{
constexpr size_t FEW = 64; //!< places that may be gaps whatever the count
} // namespace

RdmaQueuePair&
RdmaFlowList::Add(std::unique_ptr<RdmaQueuePair> qp)
{
    NS_ASSERT_MSG(m_places.empty() || m_places.back().id < qp->GetId(), "numbers ascend");
    ++m_count;
    m_places.push_back({qp->GetId(), std::move(qp)});
    return *m_places.back().qp;
}

std::unique_ptr<RdmaQueuePair>
RdmaFlowList::Remove(const RdmaQueuePair& qp)
{
    const uint64_t id = qp.GetId();
    // as numbers ascend, it is no further behind the first place than its number is behind that's
    const auto most = std::min<uint64_t>(id - m_places.front().id, m_places.size() - 1);
    auto at = m_places.begin() + static_cast<std::ptrdiff_t>(most);
    if (at->id != id)
    {
        at = std::lower_bound(m_places.begin(), at, id, [](const Place& place, uint64_t number) {
            return place.id < number;
        });
    }
    NS_ASSERT_MSG(at->qp.get() == &qp, "it is here");
    std::unique_ptr<RdmaQueuePair> removed = std::move(at->qp);
    --m_count;
    if (m_places.size() > FEW + 4 * m_count)
    {
        CloseGaps();
    }
    while (m_first < m_places.size() && !m_places[m_first].qp)
    {
        ++m_first;
    }
    return removed;
}

void
RdmaFlowList::Clear()
{
    m_places.clear();
    m_first = 0;
    m_count = 0;
}

/** Takes as long as most of the flows took that have left since it was last done. */
void
RdmaFlowList::CloseGaps()
{
    m_places.erase(std::remove_if(m_places.begin(),
                                  m_places.end(),
                                  [](const Place& place) { return !place.qp; }),
                   m_places.end());
    m_first = 0;
}

} // namespace ns3
