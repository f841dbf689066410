/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "command-options.h"
#include "commands.h"
#include "exec-arguments.h"
#include "options.h"
#include "plugin/own-library.h"
#include "result/files.h"
#include "run/exit-codes.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"
#include "ns3/output-error.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace fs = std::filesystem;
namespace po = boost::program_options;

namespace wormhole
{

namespace
{

const char* const TRACE_HELP = R"(usage:
  mpirun -np N wormhole trace [--output DIR] -- PROGRAM [WORDS...]

Runs an MPI program as it is, and records what it calls: DIR/rank-R.mpitrace of each rank R.
wormhole goal from-mpi makes a schedule of them. docs/how-to/mpi-traces.md shows both.

--output DIR   folder to write to, made if it is not there (default mpi-trace)

Programs in C and C++ with Open MPI, called from one thread. The program's exit code is ours.
)";

const char* const DEFAULT_FOLDER = "mpi-trace";

/** Becomes the program. \throws InputError if that is impossible */
[[noreturn]] void
BecomeProgram(Words words)
{
    const std::vector<char*> arguments = ExecArguments(words);
    execvp(arguments.front(), arguments.data());
    throw ns3::InputError(ns3::ShownText(words.front()) + ": cannot be run: " +
                          ns3::ErrorText(errno) + "; give a program's name or path after --");
}

} // namespace

CommandOptions
TraceCommandOptions()
{
    po::options_description description("Options");
    description.add_options()(
        "output",
        po::value<std::string>()->value_name("DIR"),
        "folder to write to, made if it is not there (default mpi-trace)")("help", "this text");
    return {"trace", "-- PROGRAM [WORDS...]", {description}};
}

int
TraceCommand(const Words& words)
{
    const auto end = std::find(words.begin(), words.end(), "--");
    const po::variables_map values =
        ParseOptions("trace", Words(words.begin(), end), TraceCommandOptions().groups.front());
    if (values.count("help"))
    {
        PrintText(TRACE_HELP);
        return EXIT_DONE;
    }
    if (end == words.end() || end + 1 == words.end())
    {
        throw ns3::InputError("trace needs a program behind -- (see wormhole trace --help)");
    }
    const std::string library = FindOwnLibrary("libwormhole-trace.so");
    const std::string given = TextOption(values, "output");
    const std::string folder = fs::absolute(given.empty() ? DEFAULT_FOLDER : given).string();
    MakeFolder(folder);
    const char* before = getenv("LD_PRELOAD");
    setenv("LD_PRELOAD", before ? (library + ":" + before).c_str() : library.c_str(), 1);
    setenv("WORMHOLE_TRACE_FOLDER", folder.c_str(), 1);
    setenv("WORMHOLE_TRACE_PROCESS", std::to_string(getpid()).c_str(), 1); // as the program's
    BecomeProgram(Words(end + 1, words.end()));
}

} // namespace wormhole
