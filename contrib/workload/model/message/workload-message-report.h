/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_MESSAGE_REPORT_H
#define WORKLOAD_MESSAGE_REPORT_H

#include "workload-message-table.h"

#include "ns3/workload-jobs.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup workload \return a message in words: size, tag and both ends */
std::string WorkloadMessageText(const WorkloadJobs& jobs, const WorkloadMessage& message);

/** \ingroup workload \brief Says what becomes of messages, and what operations wait for. */
class WorkloadMessageReport
{
  public:
    /** \return why the transfer of a message has not ended, for people */
    using Explainer = std::function<std::string(uint64_t id)>;

    /** All must outlive this. \param failures by number, as messages have them */
    WorkloadMessageReport(const WorkloadJobs& jobs,
                          const WorkloadMessageTable& messages,
                          Explainer explain,
                          const std::vector<std::string>& failures);

    /** \return what a send or a receive waits for in the network; empty if it is nothing there.
     * Linear in the messages */
    std::string Explain(WorkloadStep step) const;

  private:
    std::string ExplainMessage(uint32_t index) const;
    std::string ExplainReceive(WorkloadStep step) const;

    const WorkloadJobs& m_jobs;
    const WorkloadMessageTable& m_messages;
    Explainer m_explain;
    const std::vector<std::string>& m_failures;
};

} // namespace ns3

#endif // WORKLOAD_MESSAGE_REPORT_H
