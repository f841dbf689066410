/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "command/command-options.h"
#include "command/command-run.h"
#include "command/commands.h"
#include "command/front-end.h"
#include "command/options.h"
#include "live/live-server.h"
#include "plugin/own-library.h"
#include "run/exit-codes.h"
#include "workload/workload-source.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"
#include "ns3/nstime.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <optional>

namespace po = boost::program_options;

namespace wormhole
{

namespace
{

const char* const LIVE_INTRO = R"(usage:
  wormhole live --topology SPEC|FILE [OPTIONS] -- mpirun -np N PROGRAM [WORDS...]

Runs an MPI program on the simulated network. Its ranks are real processes and their data really
move; their clocks (MPI_Wtime) are simulated: time passes by their computing, and by their messages
on the network. Rank r is host r. docs/how-to/live.md shows it.

)";

const char* const LIVE_OUTRO = R"(
Example:
  wormhole live --topology star:hosts=16 --compute none --output live -- mpirun -np 16 ./program

Programs in C and C++ with Open MPI, called from one thread, on this machine.
Exit codes: 0 all ranks finished, 1 a file could not be written, 2 wrong options or input, or a function
that is not simulated, 3 ranks have not finished, each named with what it waits for, 130 interrupted;
else that of the program.
)";

constexpr uint64_t EAGER_BYTES = 65536;

/** What live's own options say. */
struct LiveChoices
{
    LiveLaunch launch;
    LiveOptions options;
};

po::options_description
OwnLiveOptions()
{
    constexpr unsigned COLUMNS = 100;
    po::options_description group("Live programs", COLUMNS, COLUMNS / 2);
    const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
    group.add_options()(
        "compute",
        text("HOW"),
        "simulated time that computing takes: measured (the processor time of the thread that "
        "calls MPI; default), scaled=F (F times that), none (only what the program says by "
        "wormhole_live_compute())")(
        "eager-limit",
        text("BYTES"),
        "largest message whose send does not wait for its receive (default 65536)")(
        "poll",
        text("TIME"),
        "simulated time of a look that finds nothing, such as MPI_Test without success, and with "
        "--compute none of an MPI_Wtime right behind another one (default 1us)")(
        "disorder",
        text("TIME"),
        "time may pass ranks that really take long by so much; messages that they then say late "
        "are "
        "simulated from their own time on where the network can go back, and else count as so much "
        "earlier (default 0ns: time waits for each rank, and nothing is late)")("help",
                                                                                "this text");
    return group;
}

/** \return how many times as long as it is measured computing takes */
double
ComputeScale(const po::variables_map& values)
{
    const std::string text = values.count("compute") ? TextOption(values, "compute") : "measured";
    const std::string scaled = "scaled=";
    double scale = 1;
    if (text == "none")
    {
        scale = 0;
    }
    else if (text != "measured" &&
             (text.compare(0, scaled.size(), scaled) != 0 ||
              !ns3::ParseNumber(text.substr(scaled.size()), scale) || scale <= 0 || scale > 1e6))
    {
        throw ns3::InputError("--compute " + ns3::ShownText(text) +
                              ": must be measured, scaled=F with a number F above 0, at most "
                              "1000000, or none");
    }
    return scale;
}

LiveChoices
ReadLiveChoices(const po::variables_map& values)
{
    LiveChoices choices;
    choices.launch.scale = ComputeScale(values);
    choices.options.eagerBytes = values.count("eager-limit")
                                     ? IntegerOption(values, "eager-limit", 0, UINT64_MAX)
                                     : EAGER_BYTES;
    choices.launch.eagerBytes = choices.options.eagerBytes;
    if (values.count("poll"))
    {
        choices.launch.pollNs = TimeOption(values, "poll", ns3::Seconds(1)).GetNanoSeconds();
        if (choices.launch.pollNs < 1)
        {
            throw ns3::InputError("--poll " + ns3::ShownText(TextOption(values, "poll")) +
                                  ": must be at least 1ns, or a program that looks again and again "
                                  "would never come to its end");
        }
    }
    choices.options.pollNs = choices.launch.pollNs;
    if (values.count("disorder"))
    {
        choices.options.disorderNs =
            TimeOption(values, "disorder", ns3::Seconds(1)).GetNanoSeconds();
    }
    return choices;
}

/** \return the name of a command's program: behind mpirun and its options that is hard to tell, so
 * what is a file */
std::string
ProgramName(const Words& words)
{
    for (size_t i = 1; i < words.size(); ++i)
    {
        std::error_code error;
        if (std::filesystem::is_regular_file(words[i], error))
        {
            return std::filesystem::path(words[i]).filename().string();
        }
    }
    return "live";
}

/** Runs the program as a workload. \return the exit code */
int
RunLive(const RunOptions& options, const LiveChoices& choices, const FrontEndProgram& program)
{
    std::optional<LiveProgram> running;
    AddWorkloadSourceKind(program.kind, [&](WorkloadSource& source) {
        running.emplace(choices.launch);
        running->Connect();
        ns3::WorkloadFrontEndOptions network;
        network.ranks = running->GetRankCount();
        source.replay = MakeFrontEndReplay(network, false, [&](ns3::WorkloadFrontEnd& frontEnd) {
            return std::make_unique<LiveServer>(*running, choices.options, frontEnd);
        });
    });
    const int code = RunWith(options);
    if (code != EXIT_DONE)
    {
        return code;
    }
    const int ended = running->Wait();
    if (ended != 0)
    {
        std::cerr << "wormhole: the program ended with exit code " << ended << std::endl;
    }
    return ended;
}

} // namespace

CommandOptions
LiveCommandOptions()
{
    return {"live", "-- PROGRAM [WORDS...]", {OwnLiveOptions()}};
}

int
LiveCommand(const Words& words)
{
    const FrontEndProgram program{"the program", "live", LIVE_INTRO, OwnLiveOptions(), LIVE_OUTRO};
    const auto end = std::find(words.begin(), words.end(), "--");
    Words rest;
    const po::variables_map values =
        TakeOptions(Words(words.begin(), end), program.options, "(see wormhole live --help)", rest);
    if (values.count("help"))
    {
        PrintText(FrontEndHelp(program));
        return EXIT_DONE;
    }
    if (end == words.end() || end + 1 == words.end())
    {
        throw ns3::InputError("live needs a program behind -- (see wormhole live --help)");
    }
    LiveChoices choices = ReadLiveChoices(values);
    const RunOptions options =
        ParseFrontEndRun(program, words, rest, ProgramName(Words(end + 1, words.end())));
    choices.launch.words = Words(end + 1, words.end());
    choices.options.stops = options.stopSeconds.has_value();
    choices.launch.library = FindOwnLibrary("libwormhole-live.so");
    choices.launch.toErrors = options.json;
    return RunLive(options, choices, program);
}

} // namespace wormhole
