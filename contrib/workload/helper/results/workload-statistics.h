/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_STATISTICS_H
#define WORKLOAD_STATISTICS_H

#include "ns3/workload-schedule.h"

#include <cstdint>
#include <map>
#include <unordered_set>
#include <vector>

namespace ns3
{

/** \ingroup workload A quantity over ranks. Sums stop at 2^64 - 1. */
struct WorkloadSpread
{
    uint64_t min{UINT64_MAX};
    uint64_t max{0};
    uint32_t maxRank{0}; ///< the first that has the most
    uint64_t sum{0};

    /** Adds a rank's value. */
    void Add(uint32_t rank, uint64_t value);
};

/**
 * \ingroup workload
 * \brief What a schedule consists of; ranks are added one by one, and need not be kept.
 *
 * Holds some 50 bytes per distinct size of a message and per distinct tag.
 */
class WorkloadStatistics
{
  public:
    /** Adds the next rank. O(operations log sizes + dependencies) */
    void Add(const WorkloadRank& rank);

    /** \return a size, bytes, that so large a share of the messages sent does not exceed, and no
     * smaller one; 0 without messages */
    uint64_t GetSizePercentile(double share) const;

    uint32_t ranks{0};
    uint64_t sends{0};
    uint64_t receives{0};
    uint64_t calcs{0};
    uint64_t onCompletion{0}; ///< dependencies by `requires`
    uint64_t onStart{0};      ///< dependencies by `irequires`
    uint64_t anySource{0};    ///< receives from any source
    uint64_t anyTag{0};       ///< sends and receives with any tag
    uint32_t lowestTag{UINT32_MAX};
    uint32_t highestTag{0};
    std::unordered_set<uint32_t> tags;
    std::vector<bool> cpus = std::vector<bool>(256); ///< streams that are used
    std::vector<bool> nics = std::vector<bool>(256); ///< interfaces that are used
    std::map<uint64_t, uint64_t> sizes;              ///< messages sent, by bytes
    WorkloadSpread operations;                       ///< per rank
    WorkloadSpread bytesSent;                        ///< per rank
    WorkloadSpread bytesReceived;                    ///< per rank
    WorkloadSpread calcNs;                           ///< per rank: sum of computations

    /** Per rank: the longest chain of computations that depend on each other, or the busiest
     * stream, whichever is more. No rank can finish earlier, however fast the network. */
    WorkloadSpread leastNs;
    uint64_t memory{0}; ///< bytes that the schedule takes as a WorkloadSchedule

  private:
    /** \return a lower bound of the rank's time, ns */
    uint64_t LeastTime(const WorkloadRank& rank);
    void CountMessage(const WorkloadOperation& operation);

    std::vector<uint32_t> m_missing; //!< dependencies, of each operation
    std::vector<uint64_t> m_ready;   //!< when each operation can start
    std::vector<uint32_t> m_order;
};

} // namespace ns3

#endif // WORKLOAD_STATISTICS_H
