/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_SIMAI_CHOICE_H
#define WORKLOAD_SIMAI_CHOICE_H

#include "workload-simai-shape.h"
#include "workload-simai.h"

#include <cstdint>
#include <string>

namespace ns3
{

/** \ingroup workload SimAI's numbers of algorithms. */
enum class WorkloadSimAiAlgorithm : uint8_t
{
    RING = 1, ///< also direct all-to-all, as SimAI labels it
    NVLS = 4,
    PAT = 6
};

/** \ingroup workload How a collective is done. */
struct WorkloadSimAiChoice
{
    WorkloadSimAiAlgorithm algorithm{WorkloadSimAiAlgorithm::RING};
    WorkloadSimAiProtocol protocol{WorkloadSimAiProtocol::UNDEFINED};
};

/**
 * \ingroup workload
 * \brief Algorithm and protocol of a collective.
 *
 * NVLS where SimAI's rules pick it and it is possible: a tensor group of at least 8 on one server
 * that has NVSwitches. SimAI picks it for groups across servers too, and then sends nothing.
 * \param gpuType "H100"; only H100, H800 (and H20 in 1.7) have NVLS
 * \param bytes of the collective
 */
WorkloadSimAiChoice ChooseWorkloadSimAi(const WorkloadSimAiOptions& options,
                                        const std::string& gpuType,
                                        WorkloadSimAiKind kind,
                                        WorkloadSimAiGroup group,
                                        uint64_t bytes,
                                        const WorkloadSimAiShape& shape);

/**
 * \ingroup workload
 * \param sameServer whether both ends are in one
 * \return time before a flow's first packet, ns
 */
uint64_t WorkloadSimAiSendLatencyNs(const WorkloadSimAiOptions& options,
                                    const WorkloadSimAiChoice& choice,
                                    bool sameServer);

/** \ingroup workload \return the least of these of all choices and places, ns */
uint64_t LeastWorkloadSimAiSendLatencyNs(const WorkloadSimAiOptions& options);

} // namespace ns3

#endif // WORKLOAD_SIMAI_CHOICE_H
