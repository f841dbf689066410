/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-loggops-literal.h"

namespace ns3
{

void
WorkloadLogGopsLiteral::Prefetch()
{
    // Large runs wait for memory most of the time. The loops are not functions: GCC would see that
    // those have no effect, and leave them out.
    constexpr uint32_t DISTANCE = 16;
    Event events[DISTANCE];
    const uint32_t count = m_new.Ahead(DISTANCE, events);
    m_ahead = count - 1;
    for (uint32_t i = 0; i < count; ++i)
    {
        const WorkloadRank& rank = m_jobs->GetRank(events[i].process);
        __builtin_prefetch(&rank.operations[events[i].operation & ~MESSAGE]);
        __builtin_prefetch(&rank.firstWaiter[events[i].operation & ~MESSAGE]);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        const uint32_t number = events[i].operation & ~MESSAGE;
        const WorkloadRank& rank = m_jobs->GetRank(events[i].process);
        __builtin_prefetch(rank.BeginWaiters(number));
        if (events[i].operation & MESSAGE)
        {
            const WorkloadOperation& operation = rank.operations[number];
            const uint32_t process = GetPeer(events[i].process, operation);
            __builtin_prefetch(m_waiting[process].Place(events[i].process, operation.tag));
        }
    }
    const WorkloadPosted* posted[DISTANCE];
    for (uint32_t i = 0; i < count; ++i)
    {
        posted[i] = events[i].operation & MESSAGE ? Posted(events[i]) : nullptr;
        if (posted[i])
        {
            __builtin_prefetch(posted[i]);
        }
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        if (posted[i])
        {
            const WorkloadStep send{events[i].process, events[i].operation & ~MESSAGE};
            const WorkloadRank& rank = m_jobs->GetRank(GetPeer(send.process, Operation(send)));
            const uint32_t recv = m_posted[posted[i]->next].operation & ~EXPECTED;
            __builtin_prefetch(&rank.operations[recv]);
            __builtin_prefetch(&rank.firstWaiter[recv]);
        }
    }
}

const WorkloadPosted*
WorkloadLogGopsLiteral::Posted(const Event& arrival)
{
    const WorkloadOperation& operation = Operation({arrival.process, arrival.operation & ~MESSAGE});
    const WorkloadMatchTable::List* list =
        m_waiting[GetPeer(arrival.process, operation)].Find(arrival.process, operation.tag);
    return list && !list->HoldsMessages() ? &m_posted[list->Last()] : nullptr;
}

} // namespace ns3
