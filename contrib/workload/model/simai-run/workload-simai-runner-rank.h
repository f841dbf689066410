/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_SIMAI_RUNNER_RANK_H
#define WORKLOAD_SIMAI_RUNNER_RANK_H

#include "workload-simai-queue.h"
#include "workload-simai-runner.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3
{

/** \ingroup workload How far a rank is in the program. */
struct WorkloadSimAiRunner::Rank
{
    static constexpr uint32_t NOTHING = UINT32_MAX;
    static constexpr uint8_t QUEUES = 2;

    size_t step{0};            //!< in the program
    uint32_t awaited{NOTHING}; //!< operation
    int64_t since{0};          //!< when the step began
    bool ended{false};         //!< the program is done; collectives may go on
    uint32_t outstanding{0};   //!< issued and not finished
    std::vector<bool> done;    //!< by operation
    WorkloadSimAiQueue queues[QUEUES];
    std::map<uint32_t, std::pair<int64_t, int64_t>> times; //!< operation: issued, begun
};

/** \ingroup workload What a timer is for, and of whom: three, 29 and 32 bits of its number. */
struct WorkloadSimAiRunner::Timer
{
    enum Kind : uint8_t
    {
        RANK,    //!< a computation is over
        READY,   //!< a flow's memory delay is over
        FLOW,    //!< a flow's send latency is over
        PROCESS, //!< a collective's process time is over
        MEMORY,  //!< something happens to what is not simulated
    };

    static uint64_t Id(Kind kind, uint32_t high, uint32_t low)
    {
        return uint64_t(kind) << 61 | uint64_t(high) << 32 | low;
    }

    static Kind KindOf(uint64_t id)
    {
        return static_cast<Kind>(id >> 61);
    }

    /** \return of a timer's number, or of a flow's, which is its collective */
    static uint32_t High(uint64_t id)
    {
        return uint32_t(id >> 32) & 0x1FFFFFFF;
    }

    /** \return number of a flow of a collective */
    static uint64_t FlowId(uint32_t slot, uint32_t flow)
    {
        return uint64_t(slot) << 32 | flow;
    }
};

} // namespace ns3

#endif // WORKLOAD_SIMAI_RUNNER_RANK_H
