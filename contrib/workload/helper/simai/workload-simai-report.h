/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_SIMAI_REPORT_H
#define WORKLOAD_SIMAI_REPORT_H

#include "ns3/rdma-topology.h"
#include "ns3/workload-simai-runner.h"

#include <iosfwd>
#include <string>

namespace ns3
{

/**
 * \ingroup workload
 * \param options as the user gave them
 * \param topology gives NVSwitches, and GPUs per server and their type where the options do not
 * \return options for a WorkloadSimAiRunner on that topology
 */
WorkloadSimAiOptions ResolveWorkloadSimAiOptions(const WorkloadSimAiOptions& options,
                                                 const RdmaTopology& topology);

/** \ingroup workload A workload in all; times in ns, of rank 0 where not said otherwise. */
struct WorkloadSimAiSummary
{
    double dpNs{0};     ///< exposed weight gradient communication, DP
    double dpEpNs{0};   ///< the same, DP_EP
    double tpNs{0};     ///< exposed forward and input gradient communication, TP
    double epNs{0};     ///< the same, EP
    double bubbleNs{0}; ///< of the pipeline, by SimAI's formula; not part of totalNs
    double computeNs{0};
    double exposedNs{0};  ///< totalNs - computeNs; if rank 0 did not end, the sum of the four above
    double totalNs{0};    ///< when rank 0 ended: SimAI's "Total time"; 0 if it did not
    double lastNs{0};     ///< when the last rank ended: not in SimAI's report
    uint32_t lastRank{0}; ///< that rank
};

/**
 * \ingroup workload
 *
 * SimAI's totals of a run that has ended, and when the last rank ended. As in SimAI, only layer 0's
 * weight gradient can be exposed, and a layer's input gradient counts for the group of its forward
 * pass. The bubble is (pp - 1) / (ga vpp) times all but weight gradient communication of all layers
 * not named embedding_layer; 0 where the file has no parallelisation.
 */
WorkloadSimAiSummary SummarizeWorkloadSimAi(const WorkloadSimAiFile& file,
                                            const WorkloadSimAiRunner& runner);

/**
 * \ingroup workload
 *
 * Writes ncclFlowModel_EndToEnd.csv as SimAI lays it out: a summary, a line per layer, sums. Times
 * in us; algbw and busbw in GiB/s, 0 where there is no collective; group sizes of busbw by the
 * header's all_gpus.
 * \param runName stands for the run, SimAI's is "test1"
 */
void WriteWorkloadSimAiEndToEnd(std::ostream& out,
                                const WorkloadSimAiFile& file,
                                const WorkloadSimAiRunner& runner,
                                const std::string& runName = "test1");

/**
 * \ingroup workload
 * \brief Lists the flows of every collective with SimCCL's columns (SIMAI_DUMP_DETAILED_FLOWS).
 *
 * Parents and previous ranks are separated by blanks. Lists grow with the flows: for small runs.
 */
class WorkloadSimAiFlowWriter : public WorkloadSimAiListener
{
  public:
    /** Writes the line of column names. \param out must outlive the writer */
    explicit WorkloadSimAiFlowWriter(std::ostream& out);

    void Began(const WorkloadSimAiCollective& collective) override;

  private:
    std::ostream& m_out;
};

} // namespace ns3

#endif // WORKLOAD_SIMAI_REPORT_H
