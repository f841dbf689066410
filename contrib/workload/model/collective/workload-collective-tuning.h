/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_COLLECTIVE_TUNING_H
#define WORKLOAD_COLLECTIVE_TUNING_H

#include "workload-collective.h"

#include <cstdint>

namespace ns3
{

/** \ingroup workload \return the largest k with 2^k <= value; 0 for 0 */
uint32_t WorkloadFloorLog2(uint64_t value);

/** \ingroup workload What NCCL's model of a collective's time depends on. */
struct WorkloadNcclCase
{
    WorkloadCollectiveKind kind{WorkloadCollectiveKind::ALL_REDUCE};
    uint64_t bytes{0}; ///< as WorkloadCollective::bytes
    uint32_t members{1};
    uint32_t servers{1};
};

/**
 * \ingroup workload
 *
 * NCCL 2.20.5's estimate (its graph/tuning.cc): latency of all hops plus bytes / bandwidth, both
 * from a table by algorithm, protocol and GPU, with its corrections. Simplified: the bandwidth of
 * rings and trees is what WorkloadNcclTuning says, where NCCL searches the machine's topology, and
 * SHARP and NVLS are left out.
 * \param what the collective
 * \param algorithm RING, or a tree (both kinds count the same)
 * \param protocol not AUTO
 * \param tuning the machine
 * \return microseconds, or a negative number if NCCL has no such combination
 */
double EstimateWorkloadNcclUs(const WorkloadNcclCase& what,
                              WorkloadCollectiveAlgorithm algorithm,
                              WorkloadProtocol protocol,
                              const WorkloadNcclTuning& tuning);

/**
 * \ingroup workload
 *
 * NCCL's number of channels: as many as the machine has, but one less as long as
 * bytes < channels * threads * threshold (64 bytes with Simple, 8 with LL128, 8 with LL, and that
 * times the members in an LL ring).
 * \return channels, 1 at least; 1 for what is point to point
 */
uint32_t WorkloadNcclChannels(const WorkloadNcclCase& what,
                              WorkloadCollectiveAlgorithm algorithm,
                              WorkloadProtocol protocol,
                              const WorkloadNcclTuning& tuning);

/**
 * \ingroup workload
 *
 * NCCL's threads per channel: 512 (LL128: 640), halved while
 * bytes < channels * threads * threshold, plus the threads that only synchronise.
 */
uint32_t WorkloadNcclThreads(const WorkloadNcclCase& what,
                             WorkloadCollectiveAlgorithm algorithm,
                             WorkloadProtocol protocol,
                             uint32_t channels);

/**
 * \ingroup workload
 *
 * Replaces AUTO and 0 channels by the choice with the least estimate, among the combinations that
 * the collective leaves open. Point to point: LL up to 16 KiB per pair, else Simple.
 * \param collective what; its algorithm is possible for its kind
 * \param members how many
 * \param servers that they are in
 */
void TuneWorkloadCollective(WorkloadCollective& collective, uint32_t members, uint32_t servers);

} // namespace ns3

#endif // WORKLOAD_COLLECTIVE_TUNING_H
