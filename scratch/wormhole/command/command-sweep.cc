/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * `wormhole sweep`: many runs, their results in one table.
 */

#include "command-options.h"
#include "commands.h"
#include "estimate/machine-groups.h"
#include "options.h"
#include "run/exit-codes.h"
#include "run/ranks.h"
#include "sweep/sweep-plan.h"
#include "sweep/sweep.h"

#include "ns3/input-bytes.h"
#include "ns3/input-error.h"
#include "ns3/input-number.h"
#include "ns3/input-units.h"

#include <algorithm>
#include <sstream>

namespace po = boost::program_options;

namespace wormhole
{

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
MakeSweepOptions(const po::variables_map& values)
{
    SweepOptions options;
    options.memo = TextOption(values, "memo");
    options.commands = values.count("commands");
    options.quiet = values.count("quiet");
    if (values.count("output"))
    {
        options.output = TextOption(values, "output");
    }
    options.jobs = values.count("jobs") ? IntegerOption(values, "jobs", 1, MOST_SWEEP_JOBS)
                                        : MachineProcessors();
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

/** \throws InputError for options of the sweep that none of its runs has a use for */
void
RejectIdle(const po::variables_map& values, const std::vector<SweepRun>& runs)
{
    const auto anyHas = [&](const Words& words) {
        return std::any_of(runs.begin(), runs.end(), [&](const SweepRun& run) {
            const auto& all = run.words;
            return std::search(all.begin(), all.end(), words.begin(), words.end()) != all.end();
        });
    };
    if (values.count("memo") && !anyHas({"--mode", "fast"}))
    {
        throw InputError("--memo: no effect, since no run has --mode fast");
    }
    for (const char* option : {"sizes", "bin"})
    {
        if (values.count(option) && !anyHas({"--record"}))
        {
            throw InputError(std::string("--") + option + ": no effect without --record");
        }
    }
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
    const SweepOptions options = MakeSweepOptions(values);
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
    RejectIdle(values, plan.runs);
    Sweep sweep(options, plan);
    if (options.commands)
    {
        sweep.PrintCommands();
        return EXIT_DONE;
    }
    return sweep.Run();
}

} // namespace wormhole
