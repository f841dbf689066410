/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_SIMAI_RECORD_H
#define WORKLOAD_SIMAI_RECORD_H

#include "ns3/workload-observer.h"
#include "ns3/workload-simai-program.h"
#include "ns3/workload-simai.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup workload One part of one layer as rank 0 saw it. */
struct WorkloadSimAiPartTotals
{
    uint64_t computeNs{0};
    int64_t exposedPs{0}; ///< waited for it
    int64_t totalPs{0};   ///< from issue to the end of the process time
    uint64_t bytes{0};    ///< as simulated; 0 without a collective
};

/** \ingroup workload A layer as rank 0 saw it. */
struct WorkloadSimAiLayerTotals
{
    WorkloadSimAiPartTotals parts[WORKLOAD_SIMAI_PASSES];
};

/** \ingroup workload A rank in all. */
struct WorkloadSimAiRankTotals
{
    int64_t finishPs{0};
    int64_t waitPs[5]{}; ///< stood still for a collective, by WorkloadSimAiGroup
};

/** \ingroup workload \return names of the categories of spans and of labels of transfers */
std::vector<std::string> WorkloadSimAiCategories();

/** \ingroup workload \return category of a collective's span, and label of its transfers */
uint32_t WorkloadSimAiCategory(const WorkloadSimAiOperation& operation);

/** \ingroup workload \brief What a run of a SimAI workload has come to: totals, and spans for an
 * observer. */
class WorkloadSimAiRecord
{
  public:
    /** \param observer told of every computation and collective; null for none */
    WorkloadSimAiRecord(size_t layers, uint32_t ranks, WorkloadObserver* observer);

    /** A rank has computed. */
    void Computed(uint32_t rank, const WorkloadSimAiStep& step, int64_t beginPs, int64_t endPs);

    /**
     * A collective and its process time are over for a rank.
     * \param exposedPs time that the rank has stood still for it
     */
    void Communicated(uint32_t rank,
                      const WorkloadSimAiOperation& operation,
                      int64_t issuedPs,
                      int64_t beginPs,
                      int64_t endPs,
                      int64_t exposedPs);

    /** A rank has stood still for a collective of that group. */
    void Waited(uint32_t rank, WorkloadSimAiGroup group, int64_t ps)
    {
        m_ranks[rank].waitPs[static_cast<uint32_t>(group)] += ps;
    }

    /** A rank is done with its program, or with a collective after that. */
    void Ended(uint32_t rank, int64_t ps)
    {
        m_ranks[rank].finishPs = ps;
    }

    /** \return totals of rank 0, a layer each */
    const std::vector<WorkloadSimAiLayerTotals>& GetLayers() const
    {
        return m_layers;
    }

    /** \return totals of all ranks */
    const std::vector<WorkloadSimAiRankTotals>& GetRanks() const
    {
        return m_ranks;
    }

  private:
    WorkloadObserver* m_observer;
    std::vector<WorkloadSimAiLayerTotals> m_layers;
    std::vector<WorkloadSimAiRankTotals> m_ranks;
};

} // namespace ns3

#endif // WORKLOAD_SIMAI_RECORD_H
