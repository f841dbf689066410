/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-match-table.h"

namespace ns3
{

WorkloadMatchTable::List&
WorkloadMatchTable::FindOrAdd(uint32_t source, uint32_t tag)
{
    if (m_used + 1 > m_lists.size() / 4 * 3)
    {
        Grow();
    }
    List& list = m_lists[Index(source, tag)];
    if (list.IsEmpty())
    {
        list.source = source;
        list.tag = tag;
        ++m_used;
    }
    return list;
}

void
WorkloadMatchTable::Remove(List& list)
{
    const size_t mask = m_lists.size() - 1;
    size_t hole = &list - m_lists.data();
    for (size_t i = (hole + 1) & mask; !m_lists[i].IsEmpty(); i = (i + 1) & mask)
    {
        const size_t home = Hash(m_lists[i].source, m_lists[i].tag);
        if (((i - home) & mask) >= ((i - hole) & mask))
        {
            m_lists[hole] = m_lists[i];
            hole = i;
        }
    }
    m_lists[hole] = List();
    --m_used;
}

void
WorkloadMatchTable::Grow()
{
    m_log = m_lists.empty() ? 2 : m_log + 1;
    std::vector<List> old(size_t{1} << m_log);
    old.swap(m_lists);
    for (const List& list : old)
    {
        if (!list.IsEmpty())
        {
            m_lists[Index(list.source, list.tag)] = list;
        }
    }
}

} // namespace ns3
