/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "commands.h"
#include "estimate/estimate.h"
#include "options.h"
#include "result/summary.h"
#include "result/table-parts.h"
#include "run/exit-codes.h"
#include "run/flow-level-run.h"
#include "run/run-ending.h"
#include "run/run-options.h"
#include "run/run-plan.h"
#include "run/simulation.h"
#include "run/warnings.h"
#include "terminal/units-text.h"
#include "workload/workload-command.h"
#include "workload/workload-source.h"

#include "ns3/input-line-file.h"
#include "ns3/rdma-hpcc-config.h"

#include <iostream>

namespace wormhole
{

namespace
{

void
ReportUnfinished(const RunResult& result)
{
    TellWarnings(result.losses);
    if (!result.cut.empty())
    {
        std::cerr << "wormhole: warning: " << CutText(result.cut) << std::endl;
    }
    if (result.unfinished.empty() && !result.interrupted)
    {
        return;
    }
    // who interrupts a run knows why flows are left
    const size_t most = result.interrupted ? 0 : 20;
    for (size_t i = 0; i < result.unfinished.size() && i < most; ++i)
    {
        const UnfinishedFlow& flow = result.unfinished[i];
        std::cerr << "wormhole: flow from " << flow.src << " to " << flow.dst << ", " << flow.bytes
                  << " bytes, start " << TimeText(flow.startSeconds * 1e9) << ": " << flow.reason
                  << "\n";
    }
    if (most > 0 && result.unfinished.size() > most)
    {
        std::cerr << "wormhole: and " << result.unfinished.size() - most
                  << " more; the summary lists all\n";
    }
    std::cerr << "wormhole: " << (result.interrupted ? "interrupted; " : "")
              << result.unfinished.size() << " of " << result.flows << " flows did not complete"
              << std::endl;
}

int
ExitCodeOf(const RunResult& result)
{
    if (result.interrupted)
    {
        return EXIT_INTERRUPTED;
    }
    return result.unfinished.empty() ? EXIT_DONE : EXIT_UNFINISHED;
}

/** Simulates flows, and tells the user. \tparam Level Simulation or FlowLevelRun */
template <typename Level>
int
SimulateFlows(const RunOptions& options, const RunPlan& plan)
{
    WarnOfCost(options, plan);
    PrepareFolder(options, plan);
    ns3::LineFile summaryFile(plan.outputs.summary); // now, not after hours
    Level simulation(plan, options);
    ShowWarnings(simulation.GetWarnings());
    simulation.Run();
    const RunResult result = simulation.GetResult();
    EndRun(options,
           {SummaryText(MakeSummary(options, plan, result)),
            [&] { simulation.FinishFiles(); },
            [&] { return ResultTable(options, plan, result); },
            [&] { ReportUnfinished(result); }},
           summaryFile);
    return ExitCodeOf(result);
}

} // namespace

int
RunCommand(const Words& words)
{
    const RunOptions options = ParseRunOptions(words);
    if (options.help || options.configHelp || options.workloadHelp)
    {
        PrintText(options.help           ? RunHelp()
                  : options.workloadHelp ? WorkloadSourceHelp()
                                         : ns3::RdmaHpccConfigHelp());
        return EXIT_DONE;
    }
    if (options.estimate)
    {
        return EstimateCommand(options);
    }
    if (!options.workload.specs.empty())
    {
        return RunWorkloads(options);
    }
    const RunPlan plan = MakeRunPlan(options);
    return options.mode == RunMode::FLOW ? SimulateFlows<FlowLevelRun>(options, plan)
                                         : SimulateFlows<Simulation>(options, plan);
}

int
ConfigHelpCommand(const Words& words)
{
    if (words != Words{"--help"})
    {
        ParseOptions("config-help", words, boost::program_options::options_description());
    }
    PrintText(ns3::RdmaHpccConfigHelp());
    return EXIT_DONE;
}

} // namespace wormhole
