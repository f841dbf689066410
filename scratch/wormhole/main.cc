/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * The command line `wormhole`. docs/reference/options.md is its reference.
 */

#include "command/build-info.h"
#include "command/commands.h"
#include "command/guarded.h"
#include "command/options.h"
#include "plugin/plugins.h"
#include "run/exit-codes.h"

#include "ns3/input-error.h"
#include "ns3/input-line-file.h"
#include "ns3/input-nearest-name.h"
#include "ns3/input-number.h"

#include <iostream>
#include <map>
#include <string>

namespace wormhole
{

namespace
{

const char* const HELP = R"(wormhole: packet-level simulation of RDMA networks

usage:
  wormhole run --config FILE [OPTIONS]        simulate what a config.txt of HPCC or SimAI describes
  wormhole run --topology SPEC --traffic SPEC [--cc NAME] [OPTIONS]
                                              simulate a generated network and generated flows
  wormhole run --workload SPEC|FILE ... [--mode packet|fast|flow|message] [--topology SPEC|FILE] [OPTIONS]
                                              simulate schedules, collectives, training, traces
  wormhole compare [OPTIONS] [OPTIONS OF run] how much faster fast-forward and flow level are, and
                                              how far off
  wormhole tenants --workload ... --workload ... [OPTIONS OF run]
                                              how much slower workloads are together than each alone
  wormhole sweep [FILE] [OPTIONS OF run, with lists of values] [--output DIR] [--jobs N]
                                              run every combination, several at a time: one table
  wormhole report RUN... [--output report.html]
                                              show what runs found: charts, in one HTML file
  wormhole new control NAME [--output DIR]    write a congestion control to start from, for run --load
  wormhole topology SPEC [--output FILE]      write a topology file
  wormhole traffic SPEC --topology SPEC|FILE [--seed N] [--output FILE]
                                              write a flow file
  wormhole training FILE.json [--json]        describe what a training job computes and sends
  wormhole goal convert IN OUT                turn a GOAL schedule into LogGOPSim's binary form, or back
  wormhole goal make SPEC OUT                 write a collective, training job or storage trace as GOAL
  wormhole goal from-mpi DIR OUT              write what an MPI program did, by its trace, as GOAL
  wormhole goal from-nsys|from-kineto FILE|DIR... OUT
                                              write what a program did with NCCL on GPUs, as GOAL
  wormhole goal validate|stats|draw FILE      check, count or draw a GOAL schedule
  mpirun -np N wormhole trace -- PROGRAM...   run an MPI program, and record its calls
  wormhole live --topology SPEC|FILE [OPTIONS] -- mpirun -np N PROGRAM...
                                              run an MPI program on the simulated network
  wormhole memo list|explain|prune|merge FILE...
                                              look at the episodes of --memo, and tidy them up
  wormhole config-help                        list the keys of config.txt
  wormhole reference PART                     print attributes, trace sources, options... as Markdown
  wormhole --version
  wormhole COMMAND --help, wormhole help COMMAND
                                              options, kinds of topology and traffic, examples

First try:
  wormhole run --topology star:hosts=9 --traffic incast:fan-in=8,bytes=1MB --cc hpcc

Exit codes: 0 all flows completed, 1 a file could not be written, 2 wrong options or input,
3 flows are left unfinished, 130 interrupted.
)";

const std::map<std::string, int (*)(const Words&)>&
Commands()
{
    static const std::map<std::string, int (*)(const Words&)> commands{
        {"run", RunCommand},
        {"compare", CompareCommand},
        {"tenants", TenantsCommand},
        {"sweep", SweepCommand},
        {"report", ReportCommand},
        {"new", NewCommand},
        {"topology", TopologyCommand},
        {"traffic", TrafficCommand},
        {"training", TrainingCommand},
        {"goal", GoalCommand},
        {"trace", TraceCommand},
        {"live", LiveCommand},
        {"memo", MemoCommand},
        {"reference", ReferenceCommand},
        {"config-help", ConfigHelpCommand},
    };
    return commands;
}

[[noreturn]] int
FailUnknownCommand(const std::string& command)
{
    Words names{"--help", "--version"};
    for (const auto& [name, function] : Commands())
    {
        names.push_back(name);
    }
    throw ns3::InputError("no command \"" + ns3::ShownText(command) + "\"" +
                          ns3::DidYouMean(command, names) +
                          " (wormhole --help lists the commands)");
}

int
Dispatch(const Words& words)
{
    if (words.empty())
    {
        throw ns3::InputError("what to do? wormhole --help lists the commands");
    }
    const std::string& command = words.front();
    Words rest(words.begin() + 1, words.end());
    if (rest == Words{"-h"})
    {
        rest = {"--help"};
    }
    if (const auto found = Commands().find(command); found != Commands().end())
    {
        return found->second(rest);
    }
    const bool help = command == "--help" || command == "-h" || command == "help";
    if (command == "help" && !rest.empty())
    {
        Words words(rest.begin() + 1, rest.end());
        words.emplace_back("--help");
        const auto about = Commands().find(rest.front());
        return about != Commands().end() ? about->second(words) : FailUnknownCommand(rest.front());
    }
    if (!help && command != "--version")
    {
        FailUnknownCommand(command);
    }
    if (!rest.empty())
    {
        throw ns3::InputError(command + " stands alone, without \"" + ns3::ShownText(rest.front()) +
                              "\"");
    }
    PrintText(help ? HELP : VersionText());
    return EXIT_DONE;
}

} // namespace

} // namespace wormhole

int
main(int argc, char** argv)
{
#ifdef WORMHOLE_PROGRAM_OF_PLUGINS // the modules are within this one
    wormhole::SetProgramOfPlugins(WORMHOLE_PROGRAM_OF_PLUGINS);
#endif
    return wormhole::RunProgram(argc, argv, wormhole::Dispatch);
}
