/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-command.h"

#include "estimate.h"
#include "exit-codes.h"
#include "options.h"
#include "run-ending.h"
#include "summary.h"
#include "table-parts.h"
#include "warnings.h"
#include "workload-plan.h"
#include "workload-run.h"
#include "workload-summary.h"

#include "ns3/rdma-line-file.h"

#include <iostream>

namespace wormhole
{

namespace
{

int
ExitCodeOf(const WorkloadOutcome& outcome)
{
    if (outcome.network.interrupted)
    {
        return EXIT_INTERRUPTED;
    }
    return outcome.complete ? EXIT_DONE : EXIT_UNFINISHED;
}

void
ReportUnfinished(const WorkloadOutcome& outcome)
{
    TellWarnings(outcome.network.losses);
    if (!outcome.network.cut.empty())
    {
        std::cerr << "wormhole: warning: " << CutText(outcome.network.cut) << std::endl;
    }
    if (outcome.complete)
    {
        return;
    }
    for (const std::string& line : outcome.stall)
    {
        std::cerr << "wormhole: " << line << "\n";
    }
    std::cerr << "wormhole: " << (outcome.network.interrupted ? "interrupted; " : "")
              << outcome.total - outcome.completed << " of " << outcome.total
              << " operations did not complete" << std::endl;
}

} // namespace

int
RunWorkloads(const RunOptions& options)
{
    WorkloadPlan plan = MakeWorkloadPlan(options);
    WarnOfCost(options, plan);
    PrepareFolder(options, plan.run);
    ns3::RdmaLineFile summaryFile(plan.run.outputs.summary); // now, not after hours
    WorkloadRun run(plan, options);
    ShowWarnings(run.GetOutcome().network.warnings);
    run.Run();
    EndRun(options,
           {SummaryText(MakeWorkloadSummary(options, plan, run)),
            [&] { run.FinishFiles(); },
            [&] { return WorkloadTable(options, plan, run); },
            [&] { ReportUnfinished(run.GetOutcome()); }},
           summaryFile);
    return ExitCodeOf(run.GetOutcome());
}

} // namespace wormhole
