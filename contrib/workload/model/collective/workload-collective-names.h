/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_COLLECTIVE_NAMES_H
#define WORKLOAD_COLLECTIVE_NAMES_H

#include "workload-collective.h"

#include <string>
#include <vector>

namespace ns3
{

/** \ingroup workload \return "all-reduce", "all-gather"...: also the name of its category */
std::string WorkloadName(WorkloadCollectiveKind kind);

/** \ingroup workload \return "auto", "ring", "tree", "double-tree" or "direct" */
std::string WorkloadName(WorkloadCollectiveAlgorithm algorithm);

/** \ingroup workload \return "auto", "simple", "ll" or "ll128" */
std::string WorkloadName(WorkloadProtocol protocol);

/** \ingroup workload \return "volta", "ampere" or "hopper" */
std::string WorkloadName(WorkloadGpuGeneration gpu);

/** \ingroup workload \return all values of an enumeration above, in its order */
template <typename T>
std::vector<T> WorkloadValues();

} // namespace ns3

#endif // WORKLOAD_COLLECTIVE_NAMES_H
