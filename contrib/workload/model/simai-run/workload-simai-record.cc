/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-simai-record.h"

namespace ns3
{

std::vector<std::string>
WorkloadSimAiCategories()
{
    std::vector<std::string> names{"forward computation",
                                   "input gradient computation",
                                   "weight gradient computation"};
    for (uint32_t group = 0; group <= static_cast<uint32_t>(WorkloadSimAiGroup::ALL); ++group)
    {
        for (uint32_t kind = 1; kind <= static_cast<uint32_t>(WorkloadSimAiKind::ALL_TO_ALL);
             ++kind)
        {
            names.push_back(WorkloadSimAiGroupName(static_cast<WorkloadSimAiGroup>(group)) + " " +
                            WorkloadSimAiKindName(static_cast<WorkloadSimAiKind>(kind)));
        }
    }
    return names;
}

uint32_t
WorkloadSimAiCategory(const WorkloadSimAiOperation& operation)
{
    return WORKLOAD_SIMAI_PASSES + 4 * static_cast<uint32_t>(operation.group) +
           static_cast<uint32_t>(operation.kind) - 1;
}

WorkloadSimAiRecord::WorkloadSimAiRecord(size_t layers, uint32_t ranks, WorkloadObserver* observer)
    : m_observer(observer),
      m_layers(layers),
      m_ranks(ranks)
{
}

void
WorkloadSimAiRecord::Computed(uint32_t rank,
                              const WorkloadSimAiStep& step,
                              int64_t beginPs,
                              int64_t endPs)
{
    const auto pass = static_cast<uint32_t>(step.pass);
    if (m_observer)
    {
        m_observer->Done({rank, pass, 0, false, beginPs, endPs, step.ns});
    }
    if (rank == 0)
    {
        m_layers[step.layer].parts[pass].computeNs += step.ns;
    }
}

void
WorkloadSimAiRecord::Communicated(uint32_t rank,
                                  const WorkloadSimAiOperation& operation,
                                  int64_t issuedPs,
                                  int64_t beginPs,
                                  int64_t endPs,
                                  int64_t exposedPs)
{
    if (m_observer)
    {
        m_observer->Done({rank,
                          WorkloadSimAiCategory(operation),
                          uint8_t(1 + operation.queue),
                          true,
                          beginPs,
                          endPs,
                          operation.bytes});
    }
    if (rank == 0)
    {
        WorkloadSimAiPartTotals& part =
            m_layers[operation.layer].parts[static_cast<uint32_t>(operation.pass)];
        part.totalPs += endPs - issuedPs;
        part.exposedPs += exposedPs;
        part.bytes = operation.bytes;
    }
}

} // namespace ns3
