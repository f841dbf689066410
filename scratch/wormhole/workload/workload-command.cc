/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-command.h"

#include "command/options.h"
#include "estimate/estimate.h"
#include "result/summary.h"
#include "result/table-parts.h"
#include "run/exit-codes.h"
#include "run/run-ending.h"
#include "run/warnings.h"
#include "workload-plan.h"
#include "workload-run.h"
#include "workload-summary.h"

#include "ns3/input-line-file.h"

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
    ns3::LineFile summaryFile(plan.run.outputs.summary); // now, not after hours
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
