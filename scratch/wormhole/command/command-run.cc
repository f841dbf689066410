/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "command-run.h"

#include "commands.h"
#include "estimate/estimate.h"
#include "options.h"
#include "plan/output-folder.h"
#include "plan/run-plan.h"
#include "plugin/plugins.h"
#include "run/exit-codes.h"
#include "run/ranks.h"
#include "run/run-ending.h"
#include "run/run-options.h"
#include "run/run.h"
#include "run/twin-process.h"
#include "run/warnings.h"
#include "terminal/set-up-signals.h"
#include "workload/workload-source.h"

#include "ns3/input-line-file.h"
#include "ns3/rdma-hpcc-config.h"

#include <optional>

namespace wormhole
{

namespace
{

int
PrintHelp(const RunOptions& options)
{
    PrintText(options.help           ? RunHelp()
              : options.workloadHelp ? WorkloadSourceHelp()
                                     : ns3::RdmaHpccConfigHelp());
    return EXIT_DONE;
}

/** Runs beside another run of the same, in one queue, and compares the two. */
int
RunWithTwin(const RunOptions& options)
{
    LoadPlugins(options.plugins); // once, for both
    TwinProcess other(options, RunWith);
    RunOptions ours = options;
    ours.eventTwin = other.GetPath();
    const int code = RunWith(ours);
    if (code != EXIT_INTERRUPTED)
    {
        other.Finish();
    }
    return code;
}

/** Runs as one of several ranks that mpirun has started. */
int
RunAmongRanks(const RunOptions& options)
{
    const bool first = GetRank() == 0;
    RunOptions ours = options;
    if (!first)
    {
        ours.progress = ours.json = false;
        ours.quiet = true;
        ours.stallSeconds = 0;
        ours.yes = true;
    }
    CheckForRanks(ours);
    RunPlan plan = MakeRunPlan(ours);
    CheckForRanks(plan);
    RanksOfMpi ranks;
    ranks.CheckThatAllAgree(options, plan);
    std::optional<OutputFolder> folder;
    if (first)
    {
        WarnOfCost(ours, plan);
        folder.emplace(ours, plan);
    }
    else
    {
        DiscardOutputs(plan);
    }
    ns3::LineFile summaryFile(plan.outputs.summary);
    ours.ranks = &ranks.Get();
    Run run(plan, ours);
    if (first)
    {
        ShowWarnings(run.GetResult().warnings);
    }
    run.Execute();
    if (first)
    {
        EndRun(ours, plan, run, summaryFile);
    }
    if (run.GetResult().lostRank.empty())
    {
        ranks.Leave();
    }
    return ExitCodeOf(run.GetResult());
}

} // namespace

int
RunCommand(const Words& words)
{
    RunOptions options = ParseRunOptions(words);
    if (options.help || options.configHelp || options.workloadHelp)
    {
        return PrintHelp(options);
    }
    if (CountRanks() > 1)
    {
        return RunAmongRanks(options);
    }
    if (options.estimate)
    {
        return EstimateCommand(options);
    }
    if (options.mode == RunMode::PACKET) // fast-forward mostly leaves too little to run
    {
        options.threadsUnlessGiven = ThreadsOfMachine();
    }
    return options.twin ? RunWithTwin(options) : RunWith(options);
}

int
RunWith(const RunOptions& options)
{
    RunPlan plan = MakeRunPlan(options);
    WarnOfCost(options, plan);
    SetUpSignals signals;
    const OutputFolder folder(options, plan);
    ns3::LineFile summaryFile(plan.outputs.summary); // now, not after hours
    Run run(plan, options);
    ShowWarnings(run.GetResult().warnings);
    signals.HandOver();
    run.Execute();
    EndRun(options, plan, run, summaryFile);
    return ExitCodeOf(run.GetResult());
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
