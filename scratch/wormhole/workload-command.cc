/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-command.h"

#include "exit-codes.h"
#include "options.h"
#include "summary.h"
#include "workload-plan.h"
#include "workload-run.h"
#include "workload-summary.h"

#include "ns3/rdma-line-file.h"

#include <iostream>
#include <optional>

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
    for (const std::string& line : outcome.stall)
    {
        std::cerr << "wormhole: " << line << "\n";
    }
    std::cerr << "wormhole: " << (outcome.network.interrupted ? "interrupted; " : "")
              << outcome.total - outcome.completed << " of " << outcome.total
              << " operations did not complete" << std::endl;
}

/** Writes the files and tells the user; a file that is incomplete does not keep the rest from being
 * told. */
void
Report(const RunOptions& options,
       const WorkloadPlan& plan,
       WorkloadRun& run,
       ns3::RdmaLineFile& summaryFile)
{
    std::optional<ns3::RdmaOutputError> failure;
    const std::string summary = SummaryText(MakeWorkloadSummary(options, plan, run));
    try
    {
        run.FinishFiles();
    }
    catch (const ns3::RdmaOutputError& error)
    {
        failure = error;
    }
    summaryFile.Write(summary);
    if (options.json)
    {
        PrintText(summary);
    }
    else if (!options.quiet)
    {
        PrintText(WorkloadTable(options, plan, run));
    }
    if (!run.GetOutcome().complete)
    {
        ReportUnfinished(run.GetOutcome());
    }
    summaryFile.Close();
    if (failure)
    {
        throw *failure;
    }
}

} // namespace

int
RunWorkloads(const RunOptions& options)
{
    WorkloadPlan plan = MakeWorkloadPlan(options);
    PrepareFolder(options, plan.run);
    ns3::RdmaLineFile summaryFile(plan.run.outputs.summary); // now, not after hours
    WorkloadRun run(plan, options);
    for (const std::string& warning : run.GetOutcome().network.warnings)
    {
        std::cerr << "wormhole: warning: " << warning << std::endl;
    }
    run.Run();
    Report(options, plan, run, summaryFile);
    return ExitCodeOf(run.GetOutcome());
}

} // namespace wormhole
