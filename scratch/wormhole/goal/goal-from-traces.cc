/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "goal-from-traces.h"

#include "command/options.h"
#include "goal-action.h"
#include "result/files.h"
#include "result/new-file.h"
#include "run/exit-codes.h"
#include "run/warnings.h"
#include "terminal/units-text.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"
#include "ns3/workload-kineto-reader.h"
#include "ns3/workload-mpi-goal.h"
#include "ns3/workload-nccl-files.h"
#include "ns3/workload-nccl-goal.h"
#include "ns3/workload-nsys-reader.h"

#include <iomanip>
#include <sstream>

namespace po = boost::program_options;

namespace wormhole
{

namespace
{

constexpr double MOST_FACTOR = 1000;
constexpr size_t MOST_FILES = 65536;

/** \return --scale */
double
ScaleOption(const po::variables_map& values)
{
    const std::string text = TextOption(values, "scale");
    double scale = 1;
    if (!text.empty() && (!ns3::ParseNumber(text, scale) || scale < 0 || scale > MOST_FACTOR))
    {
        throw ns3::InputError("--scale " + ns3::ShownText(text) +
                              ": must be a number from 0 to 1000");
    }
    return scale;
}

/** \return calls, messages and bytes by function, a line each */
std::string
MpiCallsText(const ns3::WorkloadMpiConversion& done)
{
    std::ostringstream text;
    text << std::left << std::setw(30) << "function" << std::right << std::setw(12) << "calls"
         << std::setw(12) << "messages" << std::setw(18) << "bytes"
         << "\n";
    for (const auto& [call, count] : done.calls)
    {
        text << std::left << std::setw(30) << std::string("MPI_") + ns3::WorkloadMpiCallName(call)
             << std::right << std::setw(12) << count.calls << std::setw(12) << count.messages
             << std::setw(18) << count.bytes << "\n";
    }
    return text.str();
}

/** \return what is to be made of traces */
ns3::WorkloadMpiOptions
ParseMpiOptions(const po::variables_map& values)
{
    ns3::WorkloadMpiOptions options;
    options.scale = ScaleOption(values);
    options.ignoreClocks = Choice(values, "clocks", {"trust", "ignore"}) == "ignore";
    if (values.count("eager-limit"))
    {
        options.eagerBytes = IntegerOption(values, "eager-limit", 0, UINT64_MAX);
    }
    const std::string library = Choice(values, "mpi", {"openmpi", "openmpi-4.0", "mpich"});
    options.library = library == "mpich"         ? ns3::WorkloadMpiLibrary::MPICH
                      : library == "openmpi-4.0" ? ns3::WorkloadMpiLibrary::OPEN_MPI_4_0
                                                 : ns3::WorkloadMpiLibrary::OPEN_MPI;
    return options;
}

/** \return files as what they are for CheckOverwrite() */
std::vector<NamedFile>
TracesOf(const std::vector<std::string>& files)
{
    std::vector<NamedFile> inputs;
    inputs.reserve(files.size());
    for (const std::string& file : files)
    {
        inputs.push_back({"trace", file});
    }
    return inputs;
}

/** \return calls, messages and bytes by operation, a line each */
std::string
NcclCallsText(const ns3::WorkloadNcclConversion& done)
{
    std::ostringstream text;
    text << std::left << std::setw(15) << "operation" << std::right << std::setw(12) << "calls"
         << std::setw(18) << "bytes" << std::setw(12) << "messages" << std::setw(18) << "sent"
         << "\n";
    for (size_t index = 0; index < done.counts.size(); ++index)
    {
        const ns3::WorkloadNcclCount& count = done.counts[index];
        if (count.calls > 0)
        {
            text << std::left << std::setw(15)
                 << WorkloadNcclOperationName(static_cast<ns3::WorkloadNcclOperation>(index))
                 << std::right << std::setw(12) << count.calls << std::setw(18) << count.bytes
                 << std::setw(12) << count.messages << std::setw(18) << count.sent << "\n";
        }
    }
    return text.str();
}

} // namespace

int
GoalFromMpi(const Words& words)
{
    const po::variables_map values = ParseGoalAction("from-mpi", words, 2);
    const Words given = values.count("argument") ? values["argument"].as<Words>() : Words();
    if (given.size() != 2)
    {
        throw ns3::InputError("goal from-mpi needs a folder and a file, DIR and OUT (see wormhole "
                              "goal --help)");
    }
    const bool binary = WantsBinaryGoal(TextOption(values, "to"), given[1], true);
    const ns3::WorkloadMpiOptions options = ParseMpiOptions(values);
    const std::vector<std::string> files = ns3::FindWorkloadMpiTraces(given[0], options);
    CheckOverwrite(TracesOf(files), {{"OUT", given[1]}});
    NewFile out(given[1]);
    const ns3::WorkloadMpiConversion done =
        ns3::ConvertWorkloadMpi(files, options, out.Stream(), binary);
    out.Close();
    TellWarnings(done.warnings);
    TellGoalWritten(
        given[1],
        WrittenGoalText(given[1], binary, done.ranks, done.operations, done.dependencies) +
            MpiCallsText(done) + "the program took " + TimeText(static_cast<double>(done.tookNs)) +
            " from MPI_Init to MPI_Finalize\n");
    return EXIT_DONE;
}

int
GoalFromNccl(const std::string& action, const Words& words)
{
    const bool nsys = action == "from-nsys";
    const po::variables_map values = ParseGoalAction(action, words, MOST_FILES);
    Words given = values.count("argument") ? values["argument"].as<Words>() : Words();
    if (given.size() < 2)
    {
        throw ns3::InputError("goal " + action +
                              " needs traces and a file, FILE|DIR... and OUT (see wormhole goal "
                              "--help)");
    }
    const std::string file = given.back();
    given.pop_back();
    const bool binary = WantsBinaryGoal(TextOption(values, "to"), file, true);
    ns3::WorkloadNcclOptions options;
    options.scale = ScaleOption(values);
    options.how = ns3::ParseWorkloadNcclKeys(TextOption(values, "nccl"));
    const std::vector<std::string> files =
        ns3::FindWorkloadNcclFiles(given, nsys ? ".sqlite" : ".json");
    CheckOverwrite(TracesOf(files), {{"OUT", file}});
    const ns3::WorkloadNcclTrace trace =
        nsys ? ns3::ReadWorkloadNsys(files) : ns3::ReadWorkloadKineto(files);
    TellWarnings(trace.warnings);
    NewFile out(file);
    const ns3::WorkloadNcclConversion done =
        ns3::ConvertWorkloadNccl(trace, options, out.Stream(), binary);
    out.Close();
    TellGoalWritten(file,
                    WrittenGoalText(file, binary, done.ranks, done.operations, done.dependencies) +
                        NcclCallsText(done));
    return EXIT_DONE;
}

} // namespace wormhole
