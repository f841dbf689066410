/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "command/command-options.h"
#include "command/commands.h"
#include "command/generate.h"
#include "command/options.h"
#include "goal-statistics.h"
#include "goal/goal-action.h"
#include "goal/goal-from-traces.h"
#include "result/files.h"
#include "result/new-file.h"
#include "run/exit-codes.h"
#include "run/warnings.h"
#include "terminal/units-text.h"
#include "workload/workload-source.h"

#include "ns3/input-error.h"
#include "ns3/input-nearest-name.h"
#include "ns3/input-number.h"
#include "ns3/workload-dot.h"
#include "ns3/workload-goal.h"
#include "ns3/workload-validation.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace fs = std::filesystem;
namespace po = boost::program_options;

namespace wormhole
{

namespace
{

const char* const GOAL_HELP = R"(usage:
  wormhole goal convert IN OUT [--to text|binary]
  wormhole goal make SPEC OUT [--to text|binary]
  wormhole goal from-mpi DIR OUT [--to text|binary] [--scale X] [--clocks trust|ignore]
                         [--eager-limit BYTES] [--mpi openmpi|openmpi-4.0|mpich]
  wormhole goal from-nsys FILE|DIR... OUT [--to text|binary] [--scale X] [--nccl KEYS]
  wormhole goal from-kineto FILE|DIR... OUT [--to text|binary] [--scale X] [--nccl KEYS]
  wormhole goal validate FILE [--eager BYTES] [--most N]
  wormhole goal stats FILE [--json]
  wormhole goal draw FILE [--output FILE.dot] [--most N]

Schedules in the GOAL language of ATLAHS and LogGOPSim, as text or in LogGOPSim's binary form; the
content of a file says which it is. contrib/workload/doc/goal.md describes both.

convert   writes the other form, byte for byte as txt2bin does if it is the binary one. --to, or else
          the ending of OUT (.goal and .txt, or .bin), names the form outright.
make      writes the schedule that a specification stands for, as text unless --to or the ending of OUT
          says otherwise: a collective, a training job or a storage trace, in the words of
          wormhole run --workload (wormhole run --help-workload lists them).
from-mpi  writes the schedule of an MPI program whose traces wormhole trace wrote into DIR, and lists
          calls, messages and bytes by MPI function. What was computed between calls takes --scale
          times as long (default 1). --clocks ignore starts all ranks at once, whatever their clocks
          say. --eager-limit: MPI_Send of at most so many bytes does not wait for its receive (default
          65536, as of wormhole live), whatever the run's limit is; 0 leaves it to the run. --mpi says
          whose algorithms collectives have (default openmpi).
          docs/how-to/mpi-traces.md shows it.
from-nsys, from-kineto
          write the schedule of a program that communicates by NCCL, a rank per GPU: from SQLite exports
          of Nsight Systems, or from traces of PyTorch's profiler, of all processes; of a folder, all
          .sqlite or .json. --nccl KEY=VALUE,... says how collectives are carried out where the traces
          do not, in the words of a collective's specification, such as ranks-per-server=8,chunk=nccl.
          docs/how-to/nccl-traces.md shows it.
validate  reports what is wrong, with line and rank: messages without receive and receives without
          message, circles of dependencies, operations of several ranks that wait for each other.
          Exit code 2 if there is an error, 0 if there are at most warnings.
          --eager BYTES: sends of at most so many bytes complete before their receive is there;
          without it, what stalls only if no send does so is a warning.
          --most N: findings of each kind that are shown (default 20).
stats     counts; --json prints them for programs.
draw      writes a picture for Graphviz (dot -Tsvg) of at most N operations (default 500).
)";

constexpr uint64_t MOST_FINDINGS = 20;
constexpr uint64_t MOST_DRAWN = 500;

std::string
GivenFile(const po::variables_map& values, const std::string& command)
{
    return ArgumentOf(values, "goal " + command, "FILE");
}

std::ifstream
OpenInput(const std::string& file)
{
    std::ifstream in(file, std::ios::binary);
    if (!in)
    {
        throw ns3::InputError(file, 0, "cannot be read; check the name and the permissions");
    }
    return in;
}

int
Convert(const Words& words)
{
    const po::variables_map values = ParseGoalAction("convert", words, 2);
    const Words files = values.count("argument") ? values["argument"].as<Words>() : Words();
    if (files.size() != 2)
    {
        throw ns3::InputError("goal convert needs two files, IN and OUT (see wormhole goal "
                              "--help)");
    }
    const std::string to = TextOption(values, "to");
    std::ifstream in = OpenInput(files[0]);
    CheckOverwrite({{"IN", files[0]}}, {{"OUT", files[1]}});
    const bool fromBinary = ns3::IsWorkloadGoalBinary(in);
    const bool binary = WantsBinaryGoal(to, files[1], fromBinary);
    NewFile out(files[1]);
    const auto done = ns3::ConvertGoal(in, files[0], out.Stream(), binary);
    out.Close();
    TellWarnings(done.warnings);
    TellGoalWritten(
        files[1],
        WrittenGoalText(files[1], binary, done.ranks, done.operations, done.dependencies));
    return EXIT_DONE;
}

int
Make(const Words& words)
{
    const po::variables_map values = ParseGoalAction("make", words, 2);
    const Words given = values.count("argument") ? values["argument"].as<Words>() : Words();
    if (given.size() != 2)
    {
        throw ns3::InputError("goal make needs a specification and a file, SPEC and OUT (see "
                              "wormhole goal --help)");
    }
    const bool binary = WantsBinaryGoal(TextOption(values, "to"), given[1], true);
    const WorkloadSource source = ReadWorkloadSource(given[0], 0);
    if (source.replay)
    {
        throw ns3::InputError(source.kind + " is no schedule: what it sends is decided as it "
                                            "runs, by wormhole run --workload");
    }
    if (source.schedule.HasSlowdowns())
    {
        throw ns3::InputError(given[0],
                              0,
                              "GOAL has no computations that are slower beside communication; "
                              "leave compute.overlap out");
    }
    CheckOverwrite(source.inputs, {{"OUT", given[1]}});
    TellWarnings(source.notes);
    NewFile out(given[1]);
    const ns3::WorkloadSchedule& schedule = source.schedule;
    binary ? ns3::WriteGoalBinary(out.Stream(), schedule)
           : ns3::WriteGoalText(out.Stream(), schedule);
    out.Close();
    TellGoalWritten(given[1],
                    WrittenGoalText(given[1],
                                    binary,
                                    schedule.ranks.size(),
                                    schedule.CountOperations(),
                                    schedule.CountDependencies()));
    return EXIT_DONE;
}

/** \return the last line of a check */
std::string
Verdict(const ns3::WorkloadSchedule& schedule, const ns3::WorkloadValidation& result)
{
    const uint64_t warnings = schedule.warnings.size() + result.warnings;
    std::ostringstream text;
    text << schedule.origin << ": " << CountText(schedule.ranks.size()) << " ranks, "
         << CountText(schedule.CountOperations()) << " operations: " << CountText(result.errors)
         << (result.errors == 1 ? " error, " : " errors, ") << CountText(warnings)
         << (warnings == 1 ? " warning" : " warnings");
    if (result.stalled)
    {
        text << "; " << CountText(result.stalled) << " operations never complete";
    }
    else if (result.stalledRendezvous)
    {
        text << "; " << CountText(result.stalledRendezvous)
             << " operations never complete if every send waits for its receive";
    }
    text << "\n";
    return text.str();
}

int
Validate(const Words& words)
{
    const po::variables_map values = ParseGoalAction("validate", words);
    const std::string file = GivenFile(values, "validate");
    ns3::WorkloadGoalNotes notes;
    ns3::WorkloadValidationOptions options;
    options.notes = &notes;
    options.max =
        values.count("most") ? IntegerOption(values, "most", 1, UINT32_MAX) : MOST_FINDINGS;
    if (values.count("eager"))
    {
        options.eagerBytes = IntegerOption(values, "eager", 0, UINT64_MAX);
    }
    const ns3::WorkloadSchedule schedule = ns3::ReadGoal(file, &notes);
    TellWarnings(schedule.warnings);
    const ns3::WorkloadValidation result = ns3::ValidateWorkload(schedule, options);
    std::string text;
    for (const ns3::WorkloadFinding& finding : result.findings)
    {
        text += ns3::WorkloadFindingText(schedule, finding) + "\n";
    }
    const uint64_t hidden = result.errors + result.warnings - result.findings.size();
    if (hidden)
    {
        text += "... and " + CountText(hidden) + " more; --most N shows more of each kind\n";
    }
    PrintText(text + Verdict(schedule, result));
    return result.errors ? EXIT_USAGE : EXIT_DONE;
}

int
Stats(const Words& words)
{
    const po::variables_map values = ParseGoalAction("stats", words);
    const std::string file = GivenFile(values, "stats");
    std::ifstream in = OpenInput(file);
    const auto reader = ns3::MakeWorkloadGoalReader(in, file);
    ns3::WorkloadStatistics statistics;
    ns3::WorkloadRank rank;
    while (reader->Next(rank))
    {
        statistics.Add(rank);
    }
    TellWarnings(reader->GetWarnings());
    const auto json = GoalStatisticsJson(file, statistics);
    PrintText(values.count("json")
                  ? json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n"
                  : GoalStatisticsText(json));
    return EXIT_DONE;
}

int
Draw(const Words& words)
{
    const po::variables_map values = ParseGoalAction("draw", words);
    const std::string file = GivenFile(values, "draw");
    const uint64_t most =
        values.count("most") ? IntegerOption(values, "most", 1, UINT32_MAX) : MOST_DRAWN;
    const ns3::WorkloadSchedule schedule = ns3::ReadGoal(file);
    TellWarnings(schedule.warnings);
    const uint64_t count = schedule.CountOperations();
    if (count > most)
    {
        throw ns3::InputError(file,
                              0,
                              "has " + std::to_string(count) +
                                  " operations, too many for a "
                                  "picture; --most " +
                                  std::to_string(count) +
                                  " draws them all "
                                  "the same");
    }
    WriteGenerated(TextOption(values, "output"), {{"FILE", file}}, [&](std::ostream& out) {
        ns3::WriteWorkloadDot(out, schedule);
    });
    return EXIT_DONE;
}

} // namespace

std::vector<CommandOptions>
GoalCommandOptions()
{
    const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
    po::options_description to;
    to.add_options()("to",
                     text("text|binary"),
                     "form of OUT (default: by its ending: .goal and .txt are text, .bin binary; "
                     "else the other form than IN's, of make text)");
    po::options_description fromTrace;
    fromTrace.add_options()("to",
                            text("text|binary"),
                            "form of OUT (default: by its ending: .bin is binary, else text)")(
        "scale",
        text("X"),
        "what was computed takes X times as long, 0 to 1000 (default 1)");
    po::options_description fromMpi = fromTrace;
    fromMpi.add_options()(
        "clocks",
        text("trust|ignore"),
        "whether ranks start when their clocks say, or all at once (default trust)")(
        "eager-limit",
        text("BYTES"),
        "largest message whose send does not wait for its receive, whatever the run's limit "
        "(default 65536; MPI_Bsend never waits, MPI_Ssend always does)")(
        "mpi",
        text("openmpi|openmpi-4.0|mpich"),
        "whose choice of algorithms collectives have (default openmpi: that of 4.1 and 5.0)");
    po::options_description fromNccl = fromTrace;
    fromNccl.add_options()("nccl",
                           text("KEYS"),
                           "KEY=VALUE,...: how collectives are carried out, in the words of "
                           "wormhole run --help-workload; what is not given is as the trace says, "
                           "or else as NCCL would choose");
    po::options_description validate;
    validate.add_options()("eager",
                           text("BYTES"),
                           "sends of at most so many bytes complete before their receive is there "
                           "(default: what stalls only if none does so is a warning)")(
        "most",
        text("N"),
        "findings of each kind that are shown (default 20)");
    po::options_description stats;
    stats.add_options()("json", "as JSON");
    po::options_description draw;
    draw.add_options()("output", text("FILE.dot"), "file to write (default: standard output)")(
        "most",
        text("N"),
        "operations that a picture may have (default 500)");
    return {{"goal convert", "IN OUT", {to}},
            {"goal make", "SPEC OUT", {to}},
            {"goal from-mpi", "DIR OUT", {fromMpi}},
            {"goal from-nsys", "FILE|DIR... OUT", {fromNccl}},
            {"goal from-kineto", "FILE|DIR... OUT", {fromNccl}},
            {"goal validate", "FILE", {validate}},
            {"goal stats", "FILE", {stats}},
            {"goal draw", "FILE", {draw}}};
}

int
GoalCommand(const Words& words)
{
    const std::string action = words.empty() ? "" : words.front();
    const bool help = action == "--help" || (words.size() == 2 && words.back() == "--help");
    if (help)
    {
        PrintText(GOAL_HELP);
        return EXIT_DONE;
    }
    const Words rest = words.empty() ? words : Words(words.begin() + 1, words.end());
    if (action == "convert")
    {
        return Convert(rest);
    }
    if (action == "make")
    {
        return Make(rest);
    }
    if (action == "from-mpi")
    {
        return GoalFromMpi(rest);
    }
    if (action == "from-nsys" || action == "from-kineto")
    {
        return GoalFromNccl(action, rest);
    }
    if (action == "validate")
    {
        return Validate(rest);
    }
    if (action == "stats")
    {
        return Stats(rest);
    }
    if (action == "draw")
    {
        return Draw(rest);
    }
    throw ns3::InputError(
        "goal" + (action.empty() ? "" : " " + ns3::ShownText(action)) +
        ": must be convert, make, from-mpi, from-nsys, from-kineto, validate, stats or draw" +
        ns3::DidYouMean(action,
                        {"convert",
                         "make",
                         "from-mpi",
                         "from-nsys",
                         "from-kineto",
                         "validate",
                         "stats",
                         "draw"}) +
        " (see wormhole goal --help)");
}

} // namespace wormhole
