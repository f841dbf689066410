/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_KINETO_GROUP_H
#define WORKLOAD_KINETO_GROUP_H

#include "workload-kineto-events.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup workload What to do where a trace says too little. */
constexpr const char* WORKLOAD_KINETO_REMEDY = ": record with PyTorch 2.5 or newer";

/** \ingroup workload A process group, as a trace describes it. */
struct WorkloadKinetoGroup
{
    std::string name;
    std::vector<uint32_t> ranks; ///< of the program; empty if the trace leaves some out
    uint64_t size{0};            ///< 0 if it does not say

    /** \return how many members it has, for sizes */
    uint64_t Members() const
    {
        return ranks.empty() ? size : ranks.size();
    }
};

/**
 * \ingroup workload
 * \param file for messages
 * \param event that has "Collective name"
 * \param info of the trace
 * \return its group
 * \throws InputError if the event does not say
 */
WorkloadKinetoGroup WorkloadKinetoGroupOf(const std::string& file,
                                          const WorkloadKinetoEvent& event,
                                          const WorkloadKinetoInfo& info);

/**
 * \ingroup workload
 * \param text a list of whole numbers such as [0, 1]
 * \return the numbers; nothing if it is none, or leaves some out
 */
std::optional<std::vector<uint64_t>> ParseWorkloadKinetoList(const std::string& text);

/** \ingroup workload Throws InputError about an event. */
[[noreturn]] void FailWorkloadKineto(const std::string& file,
                                     const WorkloadKinetoEvent& event,
                                     const std::string& message);

} // namespace ns3

#endif // WORKLOAD_KINETO_GROUP_H
