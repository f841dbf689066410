/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_SIMAI_FLOWS_H
#define WORKLOAD_SIMAI_FLOWS_H

#include "workload-simai-choice.h"
#include "workload-simai-shape.h"
#include "workload-simai.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup workload One flow of a collective. Ends are members of the group by number; from the
 * number of members on, they are the NVSwitches of its server. */
struct WorkloadSimAiFlow
{
    uint32_t src{0};
    uint32_t dst{0};
    uint32_t channel{0};
    uint32_t step{0};               ///< SimAI's chunk id
    uint32_t previous{0};           ///< whom \c src hears from in its ring; an end, as above
    uint32_t afterSent{UINT32_MAX}; ///< starts only when this flow has been sent; none
    uint32_t postedBy{UINT32_MAX};  ///< flow of \c dst that posts its receive as it becomes ready;
                                    ///< none: \c dst does as it joins
    bool relayed{false};            ///< PXN's second part
};

/**
 * \ingroup workload
 * \brief The flows of a collective and what each waits for: SimAI's "flow models".
 *
 * A flow starts when all of its parents have been received. A message that comes before its receive
 * is posted is received when it is posted: no ring step overtakes the one before. All flows carry
 * the same number of bytes, so that a set serves every size and every group of the same shape.
 * Flows are in the order of SimAI's flow ids: by channel, step and rank.
 */
struct WorkloadSimAiFlowSet
{
    uint32_t members{0};
    uint32_t switches{0}; ///< NVSwitches that take part
    uint32_t channels{1};
    uint32_t steps{1};  ///< SimAI's chunk count
    uint64_t pieces{1}; ///< NVLS: parts that the bytes are divided into
    std::vector<WorkloadSimAiFlow> flows;

    std::vector<uint32_t> parentBegin; ///< per flow, and the end: into parents
    std::vector<uint32_t> parents;
    std::vector<uint32_t> childBegin; ///< per flow, and the end: into children
    std::vector<uint32_t> children;   ///< flows that wait for this one's receipt
    std::vector<uint32_t> sentNext;   ///< per flow: the one that waits for it to be sent, or none
    std::vector<uint32_t> srcBegin;   ///< per end, and the end: into bySrc
    std::vector<uint32_t> bySrc;      ///< flows of an end, in order
    std::vector<uint32_t> receives;   ///< per end: flows to it
};

/**
 * \ingroup workload
 * \brief The flows of a collective of at least 2 members.
 *
 * With n members and c channels: an all-reduce by rings has 2(n-1)nc flows, an all-gather or
 * reduce-scatter (n-1)nc, an all-to-all n(n-1), an all-reduce by NVLS 8n per NVSwitch. With PXN
 * each server that a ring leaves by another rank than it enters adds a flow per step.
 */
WorkloadSimAiFlowSet MakeWorkloadSimAiFlows(WorkloadSimAiKind kind,
                                            WorkloadSimAiAlgorithm algorithm,
                                            bool pxn,
                                            const WorkloadSimAiShape& shape);

/**
 * \ingroup workload
 * \param bytes of the collective, at least 1
 * \return bytes of each flow: floor(floor(bytes / n) / c) for rings, floor(bytes / n) for
 * all-to-all, a quarter per NVSwitch for NVLS; 1 where SimAI would get 0 and stop
 */
uint64_t WorkloadSimAiFlowBytes(const WorkloadSimAiFlowSet& set, uint64_t bytes);

/** \ingroup workload \return the size as it comes out of SimAI's 32-bit float: 64,972,390 gives
 * 64,972,392 */
uint64_t WorkloadSimAiFloatBytes(uint64_t bytes);

} // namespace ns3

#endif // WORKLOAD_SIMAI_FLOWS_H
