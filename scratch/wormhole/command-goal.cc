/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "commands.h"
#include "exit-codes.h"
#include "files.h"
#include "generate.h"
#include "goal-statistics.h"
#include "options.h"
#include "units-text.h"

#include "ns3/rdma-input-error.h"
#include "ns3/rdma-line-file.h"
#include "ns3/rdma-number.h"
#include "ns3/workload-dot.h"
#include "ns3/workload-goal.h"
#include "ns3/workload-validation.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace fs = std::filesystem;
namespace po = boost::program_options;

namespace wormhole
{

namespace
{

const char* const HELP = R"(usage:
  wormhole goal convert IN OUT [--to text|binary]
  wormhole goal validate FILE [--eager BYTES] [--most N]
  wormhole goal stats FILE [--json]
  wormhole goal draw FILE [--output FILE.dot] [--most N]

Schedules in the GOAL language of ATLAHS and LogGOPSim, as text or in LogGOPSim's binary form; the
content of a file says which it is. contrib/workload/doc/goal.md describes both.

convert   writes the other form, byte for byte as txt2bin does if it is the binary one. --to, or else
          the ending of OUT (.goal and .txt, or .bin), names the form outright.
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

/** \return the words of an action; \p names are of its options, with ! behind those without value
 */
po::variables_map
ParseAction(const std::string& action,
            const Words& words,
            const std::vector<std::string>& names,
            size_t arguments = 1)
{
    po::options_description description;
    for (const std::string& name : names)
    {
        if (name.back() == '!')
        {
            description.add_options()(name.substr(0, name.size() - 1).c_str(), "");
        }
        else
        {
            description.add_options()(name.c_str(), po::value<std::string>());
        }
    }
    return ParseOptions("goal " + action, words, description, "FILE", arguments);
}

std::ifstream
OpenInput(const std::string& file)
{
    std::ifstream in(file, std::ios::binary);
    if (!in)
    {
        throw ns3::RdmaInputError(file, 0, "cannot be read; check the name and the permissions");
    }
    return in;
}

/** \return whether to write the binary form */
bool
WantsBinary(const std::string& to, const std::string& out, bool fromBinary)
{
    if (!to.empty() && to != "text" && to != "binary")
    {
        throw ns3::RdmaInputError("--to " + ns3::RdmaShownText(to) +
                                  ": expected is text or binary");
    }
    if (!to.empty())
    {
        return to == "binary";
    }
    const std::string ending = fs::path(out).extension().string();
    if (ending == ".goal" || ending == ".txt" || ending == ".bin")
    {
        return ending == ".bin";
    }
    return !fromBinary;
}

/** A file that takes its name when it is complete. */
class NewFile
{
  public:
    explicit NewFile(const std::string& path)
        : m_path(path),
          m_written(path)
    {
        std::error_code error;
        if (!fs::exists(path, error) || fs::is_regular_file(path, error))
        {
            m_path = fs::weakly_canonical(path, error).string(); // a link stays one
            m_path = error ? path : m_path;
            m_written = m_path + ".partial-" + std::to_string(getpid());
        }
        m_out.open(m_written, std::ios::binary | std::ios::trunc);
        if (!m_out)
        {
            throw ns3::RdmaOutputError(path + ": cannot be written; check the folder and the "
                                              "permissions");
        }
    }

    ~NewFile()
    {
        if (m_out.is_open() && m_written != m_path)
        {
            m_out.close();
            std::error_code error;
            fs::remove(m_written, error);
        }
    }

    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    std::ostream& Stream()
    {
        return m_out;
    }

    /** Ends the file. \throws RdmaOutputError if not all of it could be written */
    void Close()
    {
        std::error_code error;
        m_out.flush();
        const bool good = m_out.good();
        if (good)
        {
            m_out.close();
            if (m_out && m_written != m_path)
            {
                fs::rename(m_written, m_path, error);
            }
        }
        if (!good || !m_out || error)
        {
            throw ns3::RdmaOutputError(m_path + ": could not be written completely; is the disk "
                                                "full?");
        }
    }

  private:
    std::string m_path;
    std::string m_written; //!< until it is complete
    std::ofstream m_out;
};

int
Convert(const Words& words)
{
    const po::variables_map values = ParseAction("convert", words, {"to"}, 2);
    const Words files = values.count("argument") ? values["argument"].as<Words>() : Words();
    if (files.size() != 2)
    {
        throw ns3::RdmaInputError("goal convert needs two files, IN and OUT (see wormhole goal "
                                  "--help)");
    }
    const std::string to = TextOption(values, "to");
    std::ifstream in = OpenInput(files[0]);
    CheckOverwrite({{"IN", files[0]}}, {{"OUT", files[1]}});
    const bool fromBinary = ns3::IsWorkloadGoalBinary(in);
    const bool binary = WantsBinary(to, files[1], fromBinary);
    NewFile out(files[1]);
    const auto done = ns3::ConvertGoal(in, files[0], out.Stream(), binary);
    out.Close();
    PrintText(files[1] + ": " + (binary ? "binary" : "text") + ", " + CountText(done.ranks) +
              " ranks, " + CountText(done.operations) + " operations, " +
              CountText(done.dependencies) + " dependencies\n");
    return EXIT_DONE;
}

/** \return the last line of a check */
std::string
Verdict(const ns3::WorkloadSchedule& schedule, const ns3::WorkloadValidation& result)
{
    std::ostringstream text;
    text << schedule.origin << ": " << CountText(schedule.ranks.size()) << " ranks, "
         << CountText(schedule.CountOperations()) << " operations: " << CountText(result.errors)
         << (result.errors == 1 ? " error, " : " errors, ") << CountText(result.warnings)
         << (result.warnings == 1 ? " warning" : " warnings");
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
    const po::variables_map values = ParseAction("validate", words, {"eager", "most"});
    const std::string file = GivenFile(values, "validate");
    ns3::WorkloadGoalNotes notes;
    ns3::WorkloadValidationOptions options;
    options.notes = &notes;
    options.most =
        values.count("most") ? IntegerOption(values, "most", 1, UINT32_MAX) : MOST_FINDINGS;
    if (values.count("eager"))
    {
        options.eagerBytes = IntegerOption(values, "eager", 0, UINT64_MAX);
    }
    const ns3::WorkloadSchedule schedule = ns3::ReadGoal(file, &notes);
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
    const po::variables_map values = ParseAction("stats", words, {"json!"});
    const std::string file = GivenFile(values, "stats");
    std::ifstream in = OpenInput(file);
    const auto reader = ns3::MakeWorkloadGoalReader(in, file);
    ns3::WorkloadStatistics statistics;
    ns3::WorkloadRank rank;
    while (reader->Next(rank))
    {
        statistics.Add(rank);
    }
    const auto json = GoalStatisticsJson(file, statistics);
    PrintText(values.count("json")
                  ? json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n"
                  : GoalStatisticsText(json));
    return EXIT_DONE;
}

int
Draw(const Words& words)
{
    const po::variables_map values = ParseAction("draw", words, {"output", "most"});
    const std::string file = GivenFile(values, "draw");
    const uint64_t most =
        values.count("most") ? IntegerOption(values, "most", 1, UINT32_MAX) : MOST_DRAWN;
    const ns3::WorkloadSchedule schedule = ns3::ReadGoal(file);
    const uint64_t count = schedule.CountOperations();
    if (count > most)
    {
        throw ns3::RdmaInputError(file,
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

int
GoalCommand(const Words& words)
{
    const std::string action = words.empty() ? "" : words.front();
    const bool help = action == "--help" || (words.size() == 2 && words.back() == "--help");
    if (help)
    {
        PrintText(HELP);
        return EXIT_DONE;
    }
    const Words rest = words.empty() ? words : Words(words.begin() + 1, words.end());
    if (action == "convert")
    {
        return Convert(rest);
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
    throw ns3::RdmaInputError("goal" + (action.empty() ? "" : " " + ns3::RdmaShownText(action)) +
                              ": expected is convert, validate, stats or draw (see wormhole goal "
                              "--help)");
}

} // namespace wormhole
