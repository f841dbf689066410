/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * `wormhole sweep`: many runs, their results in one table.
 */

#include "command-options.h"
#include "commands.h"
#include "estimate/child-process.h"
#include "options.h"
#include "result/files.h"
#include "run/exit-codes.h"
#include "run/ranks.h"
#include "sweep/sweep-plan.h"
#include "sweep/sweep-results.h"
#include "sweep/sweep-statistics.h"
#include "terminal/units-text.h"

#include "ns3/input-bytes.h"
#include "ns3/input-error.h"
#include "ns3/input-number.h"
#include "ns3/input-units.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <thread>

namespace po = boost::program_options;

namespace wormhole
{

namespace fs = std::filesystem;
using ns3::InputError;

CommandOptions
SweepCommandOptions()
{
    po::options_description description("Options");
    description.add_options()("output",
                              po::value<std::string>()->value_name("DIR"),
                              "folder for all results, made if need be (default: wormhole-sweep)")(
        "jobs",
        po::value<std::string>()->value_name("N"),
        "runs at a time (default: one for each processor)")(
        "memo",
        po::value<std::string>()->value_name("FILE"),
        "file of episodes for all runs with --mode fast: what one has met, the others know")(
        "sizes",
        po::value<std::string>()->value_name("BYTES,..."),
        "flow sizes up to which statistics count flows together, ascending (default "
        "1KB,10KB,100KB,1MB,10MB); for runs with --record")(
        "bin",
        po::value<std::string>()->value_name("TIME"),
        "width of the bins of time of over_time.csv, such as 20us (default: 1, 2 or 5 of a power "
        "of "
        "ten, at most 50 in the longest run); for runs with --record")(
        "shard",
        po::value<std::string>()->value_name("K/N"),
        "only each Nth run, from the Kth (1 to N): for job arrays and several machines that share "
        "the folder")(
        "commands",
        "print a command for each run that is missing, for GNU parallel or a batch "
        "system, and run nothing")("quiet", "no progress on standard error")("help", "this text");
    return {"sweep", "[FILE]", {description}};
}

namespace
{

constexpr uint64_t MOST_SWEEP_JOBS = 4096;
constexpr uint64_t MOST_SWEEP_SHARDS = 1000000;

const char* const SWEEP_ABOUT =
    R"(usage: wormhole sweep [FILE] [OPTIONS] [OPTIONS OF run, with lists of values]

Runs wormhole run with every combination of the values given, several at a time. What has been run
is kept: a sweep that was stopped, and is started again, runs what is missing.

Values: A,B,C for --cc, --mode, --seed, --network-seed, --payload, --timing, --window, --stop and
--disturb (also 1-10 for seeds); other options are given once for each value, but --traffic, --fast,
--set, --workload, --link-down and --link-up, which count together as for wormhole run. A name that
is no option is a parameter: {NAME} in a value stands for each of its values.

FILE is JSON: {"cc": ["hpcc", "dcqcn"], "seed": "1-10", "load": [0.3, 0.5],
"traffic": "poisson:load={load},cdf=web.txt"}; options given beside it replace those of the same name.
Of those that count together, a list of lists varies them: [["poisson:..."], ["poisson:...", "incast:..."]].

)";

const char* const SWEEP_EXAMPLES = R"(
Results: DIR/results.csv and DIR/results.db (SQLite), a line per run with the hash of its options;
DIR/runs/HASH/ has all that the run has written, and log.txt. Statistics over seeds: statistics.csv,
pairs.csv (paired tests between controls) and, with --record, distributions.csv, over_time.csv
(fairness, utilisation and queues in bins of time) and pauses.csv (PFC pauses of each port).

Examples:
  wormhole sweep --topology leaf-spine:leaves=4,spines=4,hosts-per-leaf=8 --traffic permutation:bytes=1MB
      --cc hpcc,dcqcn --seeds 1-10
  wormhole sweep --topology star:hosts=17 --traffic incast:fan-in={senders},bytes=100KB
      --senders 2,4,8,16 --cc hpcc,dcqcn,timely
  sbatch --array=1-8 --wrap 'wormhole sweep study.json --shard $SLURM_ARRAY_TASK_ID/8'
  wormhole sweep study.json --commands | parallel
Exit codes: 0 all runs completed, 1 a run failed or a file could not be written, 2 wrong options,
3 a run ended with flows unfinished, 130 interrupted; what was computed is kept.
)";

/** The sweep's own options. */
struct SweepOptions
{
    std::string file;
    std::string output{"wormhole-sweep"};
    std::string memo;
    std::vector<uint64_t> sizes{SWEEP_SIZES};
    double binNs{0}; ///< 0: not given
    uint64_t jobs{1};
    uint64_t shard{1}; ///< from 1 to shards
    uint64_t shards{1};
    bool commands{false};
    bool quiet{false};
};

/** Takes the sweep's own options out of \p words. */
po::variables_map
TakeSweepOptions(Words& words, std::string& file)
{
    const CommandOptions own = SweepCommandOptions();
    Words mine;
    Words rest;
    for (size_t i = 0; i < words.size(); ++i)
    {
        const std::string& word = words[i];
        const bool isOption = word.rfind("--", 0) == 0;
        if (!isOption && i == 0)
        {
            file = word;
            continue;
        }
        const size_t equals = word.find('=');
        const auto* option =
            isOption ? own.groups.front().find_nothrow(word.substr(2, equals - 2), false) : nullptr;
        (option ? mine : rest).push_back(word);
        const bool hasValue = option && option->semantic()->max_tokens() > 0;
        if (hasValue && equals == std::string::npos && i + 1 < words.size())
        {
            mine.push_back(words[++i]);
        }
    }
    words = rest;
    return ParseOptions("sweep", mine, own.groups.front());
}

std::vector<uint64_t>
ParseSizes(const std::string& text)
{
    std::vector<uint64_t> sizes;
    std::istringstream list(text);
    for (std::string word; std::getline(list, word, ',');)
    {
        uint64_t bytes = 0;
        if (!ns3::ParseBytes(word, bytes) || (!sizes.empty() && bytes <= sizes.back()))
        {
            throw InputError("--sizes " + ns3::ShownText(text) +
                             ": must be sizes, each more than the one before, such as "
                             "1KB,10KB,1MB");
        }
        sizes.push_back(bytes);
    }
    return sizes;
}

SweepOptions
MakeSweepOptions(const po::variables_map& values, const std::string& file)
{
    SweepOptions options;
    options.file = file;
    options.memo = TextOption(values, "memo");
    options.commands = values.count("commands");
    options.quiet = values.count("quiet");
    if (values.count("output"))
    {
        options.output = TextOption(values, "output");
    }
    options.jobs = values.count("jobs") ? IntegerOption(values, "jobs", 1, MOST_SWEEP_JOBS)
                                        : std::max(1U, std::thread::hardware_concurrency());
    if (values.count("sizes"))
    {
        options.sizes = ParseSizes(TextOption(values, "sizes"));
    }
    if (values.count("bin"))
    {
        const std::string text = TextOption(values, "bin");
        if (!ns3::ParseTime(text, options.binNs) || options.binNs < 1)
        {
            throw InputError("--bin " + ns3::ShownText(text) +
                             ": must be a time of 1ns at least, such as 20us");
        }
    }
    if (values.count("shard"))
    {
        const std::string text = TextOption(values, "shard");
        const size_t slash = std::min(text.find('/'), text.size());
        if (!ns3::ParseInteger(text.substr(0, slash), options.shard) || slash == text.size() ||
            !ns3::ParseInteger(text.substr(slash + 1), options.shards) || options.shard < 1 ||
            options.shard > options.shards || options.shards > MOST_SWEEP_SHARDS)
        {
            throw InputError("--shard " + ns3::ShownText(text) +
                             ": must be K/N with K from 1 to N, such as 1/8");
        }
    }
    return options;
}

/** \return the word as a shell reads it */
std::string
ShellWord(const std::string& word)
{
    const auto isPlain = [](char letter) {
        return std::isalnum(static_cast<unsigned char>(letter)) ||
               std::string_view("-_./:=,+@%").find(letter) != std::string_view::npos;
    };
    if (!word.empty() && std::all_of(word.begin(), word.end(), isPlain))
    {
        return word;
    }
    std::string text = "'";
    for (const char letter : word)
    {
        text += letter == '\'' ? "'\\''" : std::string(1, letter);
    }
    return text + "'";
}

/** A sweep, from its plan to its tables. */
class Sweep
{
  public:
    Sweep(const SweepOptions& options, const SweepPlan& plan)
        : m_options(options),
          m_plan(plan)
    {
        SweepSummaryReader summaries;
        for (size_t i = options.shard - 1; i < plan.runs.size(); i += options.shards)
        {
            (summaries.Read(FolderOf(plan.runs[i])) ? m_before : m_missing)
                .push_back(&plan.runs[i]);
        }
    }

    void PrintCommands() const;
    int Run();

  private:
    std::string FolderOf(const SweepRun& run) const
    {
        return (fs::path(m_options.output) / "runs" / run.hash).string();
    }

    Words CommandOf(const SweepRun& run) const;
    void Start(const SweepRun& run);
    void Ended(const SweepRun& run, const ChildResult& child);
    void Say(const std::string& text) const;
    std::string TimeLeft() const;
    int Finish();

    const SweepOptions& m_options;
    const SweepPlan& m_plan;
    std::vector<const SweepRun*> m_before;  //!< done by an earlier sweep
    std::vector<const SweepRun*> m_missing; //!< in the order in which they run
    ChildProcesses m_children;
    std::map<pid_t, const SweepRun*> m_running;
    size_t m_done{0}; //!< of those that were missing
    size_t m_failed{0};
    size_t m_unfinished{0};
    double m_seconds{0}; //!< wall time of all that ended
    bool m_interrupted{false};
};

Words
Sweep::CommandOf(const SweepRun& run) const
{
    Words words{"run", "--quiet", "--output", FolderOf(run)};
    words.insert(words.end(), run.words.begin(), run.words.end());
    return words;
}

void
Sweep::PrintCommands() const
{
    std::string text;
    for (const SweepRun* run : m_missing)
    {
        text += "wormhole";
        for (const std::string& word : CommandOf(*run))
        {
            text += " " + ShellWord(word);
        }
        text += "\n";
    }
    PrintText(text);
}

void
Sweep::Say(const std::string& text) const
{
    if (!m_options.quiet)
    {
        std::cerr << text << std::endl;
    }
}

void
Sweep::Start(const SweepRun& run)
{
    const std::string folder = FolderOf(run);
    MakeFolder(folder);
    std::error_code error;
    fs::remove(InFolder(folder, "summary.json"), error); // of other inputs
    m_running[m_children.Start(CommandOf(run), InFolder(folder, "log.txt"))] = &run;
}

/** \return how long the rest will take, if it is like what has run */
std::string
Sweep::TimeLeft() const
{
    const size_t left = m_missing.size() - m_done;
    if (left == 0)
    {
        return "";
    }
    const double each = m_seconds / static_cast<double>(m_done);
    const auto rounds =
        std::max(static_cast<double>(left) / static_cast<double>(m_options.jobs), 1.0);
    return ", about " + TimeText(1e9 * each * rounds) + " left";
}

void
Sweep::Ended(const SweepRun& run, const ChildResult& child)
{
    ++m_done;
    m_seconds += child.wallSeconds;
    const std::string count = std::to_string(m_done) + " of " + std::to_string(m_missing.size());
    const std::string title = run.title.empty() ? run.hash : run.title;
    if (child.exit == EXIT_DONE || child.exit == EXIT_UNFINISHED)
    {
        m_unfinished += child.exit == EXIT_UNFINISHED;
        Say(count + TimeLeft() + ": " + title + ", " + TimeText(1e9 * child.wallSeconds) +
            (child.exit == EXIT_UNFINISHED ? ", with flows unfinished" : ""));
        return;
    }
    if (child.exit == EXIT_INTERRUPTED)
    {
        m_interrupted = true;
        return;
    }
    ++m_failed;
    const std::string log = InFolder(FolderOf(run), "log.txt");
    std::ifstream in(log);
    std::string reason;
    std::getline(in, reason);
    const std::string program = "wormhole: ";
    reason.erase(0, reason.rfind(program, 0) == 0 ? program.size() : 0);
    std::cerr << "wormhole: " << title << " failed with exit code " << child.exit << " (" << log
              << ")" << (reason.empty() ? "" : ": " + reason) << std::endl;
}

int
Sweep::Finish()
{
    std::vector<SweepResult> results;
    SweepSummaryReader summaries;
    for (const SweepRun& run : m_plan.runs) // also what other shards have done
    {
        const std::string folder = FolderOf(run);
        if (auto summary = summaries.Read(folder))
        {
            results.push_back({&run, folder, std::move(*summary)});
        }
    }
    bool damaged = false;
    std::vector<SweepStatisticsTable> statistics;
    try
    {
        statistics = SweepStatistics(m_plan.parameters, results, m_options.sizes, m_options.binNs);
    }
    catch (const InputError& error)
    {
        damaged = true;
        std::cerr << "wormhole: no statistics: " << error.what() << std::endl;
    }
    WriteSweepResults(m_options.output, m_plan.parameters, results, statistics);
    std::ostringstream text;
    text << results.size() << " of " << m_plan.runs.size() << " runs are done";
    if (!m_before.empty())
    {
        text << ", " << m_before.size() << " of them before";
    }
    if (m_failed)
    {
        text << "; " << m_failed << " failed";
    }
    if (m_unfinished)
    {
        text << "; " << m_unfinished << " ended with flows unfinished";
    }
    text << ": " << InFolder(m_options.output, "results.csv") << "\n";
    PrintText(text.str());
    return m_interrupted         ? EXIT_INTERRUPTED
           : m_failed || damaged ? EXIT_IO
           : m_unfinished        ? EXIT_UNFINISHED
                                 : EXIT_DONE;
}

int
Sweep::Run()
{
    MakeFolder(m_options.output);
    auto next = m_missing.begin();
    while (!m_running.empty() || (next != m_missing.end() && !m_interrupted))
    {
        if (next != m_missing.end() && !m_interrupted && m_running.size() < m_options.jobs)
        {
            Start(**next++);
            continue;
        }
        const auto [process, child] = m_children.Wait();
        const SweepRun& run = *m_running.at(process);
        m_running.erase(process);
        m_interrupted |= child.interrupted;
        Ended(run, child);
    }
    return Finish();
}

} // namespace

int
SweepCommand(const Words& words)
{
    Words rest = words;
    std::string file;
    const po::variables_map values = TakeSweepOptions(rest, file);
    if (values.count("help"))
    {
        std::ostringstream help;
        help << SWEEP_ABOUT << SweepCommandOptions().groups.front() << SWEEP_EXAMPLES;
        PrintText(help.str());
        return EXIT_DONE;
    }
    const SweepOptions options = MakeSweepOptions(values, file);
    if (!values.count("shard"))
    {
        RefuseRanks("sweep", "give each rank a part of the runs by --shard K/N");
    }
    LeaveMpirun();
    if (file.empty() && rest.empty())
    {
        throw InputError("sweep: what to run? (see wormhole sweep --help)");
    }
    const SweepPlan plan = MakeSweepPlan(file, rest, options.memo);
    Sweep sweep(options, plan);
    if (options.commands)
    {
        sweep.PrintCommands();
        return EXIT_DONE;
    }
    return sweep.Run();
}

} // namespace wormhole
