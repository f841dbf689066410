/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_MATCH_TABLE_H
#define WORKLOAD_MATCH_TABLE_H

#include "ns3/workload-pool.h"

#include <cstdint>
#include <type_traits>
#include <vector>

namespace ns3
{

/** \ingroup workload A receive that has been posted. */
struct WorkloadPosted
{
    uint32_t operation;
    uint32_t next; ///< the next one with the same source and tag; of the last one, the first
};

/** \ingroup workload A message that arrived before its receive was posted. */
struct WorkloadUnexpected
{
    int64_t time;       ///< when it is there, ns
    uint32_t operation; ///< the send
    uint32_t next;      ///< as above
};

/**
 * \ingroup workload
 * \brief What waits for its counterpart at one process: posted receives, or messages that came
 * early, in a list for each source and tag, first in first out.
 *
 * Of one source and tag only one kind can wait. Finding a list costs one or two memory accesses,
 * whatever the number of tags; a list costs 12 bytes at a load of at most 3/4.
 */
class WorkloadMatchTable
{
  public:
    /** The elements of a source and tag: a ring, known by its last element. */
    struct List
    {
        uint32_t source{0};
        uint32_t tag{0};
        uint32_t last{WORKLOAD_POOL_NONE}; ///< see IsEmpty(), HoldsMessages(), Last()

        bool IsEmpty() const
        {
            return last == WORKLOAD_POOL_NONE;
        }

        bool HoldsMessages() const
        {
            return last & MESSAGES;
        }

        /** \return number of the last element in its pool */
        uint32_t Last() const
        {
            return last & ~MESSAGES;
        }
    };

    /** Marks a list of messages; so pools have at most 2^31 - 1 elements. */
    static constexpr uint32_t MESSAGES = 0x80000000;

    /** \return the list, null if nothing waits */
    List* Find(uint32_t source, uint32_t tag)
    {
        if (m_lists.empty())
        {
            return nullptr;
        }
        List& list = m_lists[Index(source, tag)];
        return list.IsEmpty() ? nullptr : &list;
    }

    /** \return the list, which may be empty: then it must be filled or removed at once */
    List& FindOrAdd(uint32_t source, uint32_t tag);

    /** \return where a list is likely to be, null if there is none: for prefetching */
    const List* Place(uint32_t source, uint32_t tag) const
    {
        return m_lists.empty() ? nullptr : &m_lists[Hash(source, tag)];
    }

    /** Removes a list whose elements are gone. */
    void Remove(List& list);

    /** \return every list, empty ones included, in no particular order: for reports */
    const std::vector<List>& GetLists() const
    {
        return m_lists;
    }

    /** Appends to a list. \tparam Node WorkloadPosted or WorkloadUnexpected */
    template <typename Node>
    static void Append(List& list, WorkloadPool<Node>& pool, Node node)
    {
        const uint32_t index = pool.Add(node);
        if (list.IsEmpty())
        {
            pool[index].next = index;
        }
        else
        {
            pool[index].next = pool[list.Last()].next;
            pool[list.Last()].next = index;
        }
        list.last = index | (std::is_same_v<Node, WorkloadUnexpected> ? MESSAGES : 0);
    }

    /** \return the first element of a list that is not empty, taken out; the list is removed with
     * its last element */
    template <typename Node>
    Node TakeFirst(List& list, WorkloadPool<Node>& pool)
    {
        const uint32_t last = list.Last();
        const uint32_t first = pool[last].next;
        const Node node = pool[first];
        pool[last].next = node.next;
        pool.Free(first);
        if (first == last)
        {
            Remove(list);
        }
        return node;
    }

  private:
    size_t Hash(uint32_t source, uint32_t tag) const
    {
        const uint64_t key = uint64_t{source} << 32 | tag;
        return (key ^ key >> 29) * 0x9e3779b97f4a7c15 >> (64 - m_log);
    }

    /** \return where the list is or would be */
    size_t Index(uint32_t source, uint32_t tag) const
    {
        size_t i = Hash(source, tag);
        while (!m_lists[i].IsEmpty() && (m_lists[i].source != source || m_lists[i].tag != tag))
        {
            i = (i + 1) & (m_lists.size() - 1);
        }
        return i;
    }

    void Grow();

    std::vector<List> m_lists; //!< open addressing with linear probing
    uint32_t m_used{0};
    int m_log{0}; //!< of the size of m_lists
};

} // namespace ns3

#endif // WORKLOAD_MATCH_TABLE_H
