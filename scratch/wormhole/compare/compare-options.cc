/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "compare-options.h"

#include "command/command-options.h"
#include "command/options.h"
#include "run/run-option-values.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace po = boost::program_options;

namespace wormhole
{

using ns3::InputError;

namespace
{

constexpr uint64_t MOST_SEEDS = 100;
constexpr uint64_t MOST_RUNS = 1000;
constexpr uint64_t LEAST_DISTURBANCES = 2; // one has no variance
constexpr uint64_t MOST_DISTURBANCES = 100;

const char* const COMPARE_EXAMPLES = R"(
All other options are those of wormhole run; --memo and --fast go to fast-forward, what only packets
have a use for does not go to the flow level. With --memo, fast-forward runs a second time, with the
episodes of the first.

Examples:
  wormhole compare --topology leaf-spine:leaves=4,spines=4,hosts-per-leaf=8 --traffic permutation:bytes=10MB
  wormhole compare --topology fat-tree:k=4 --traffic permutation:bytes=10MB --disturb 5
  wormhole compare --workload training:file=workloads/training/gpt-7b-64.json,scale=100
      --topology rail-optimized:gpus=64,rate=100Gbps --memo episodes.db --runs 3
Exit codes: as wormhole run; results of the runs that were completed are kept whatever happens.
)";

po::options_description
OwnOptions()
{
    po::options_description group("What to compare");
    group.add_options()("seeds",
                        po::value<std::string>()->value_name("N"),
                        "seeds of the packet level; the error between them is the scale for the "
                        "others (default 2; with --disturb 1; 1: none)")(
        "disturb",
        po::value<std::string>()->value_name("N"),
        "run packet level and fast-forward N times more each, every time with another start or "
        "rank, "
        "and a link, 1 ns later, and judge the errors of fast-forward, also of the runs of which "
        "nothing is moved, by what that does to packet "
        "level (2 to 100; 5 or more tell more)")(
        "disturb-links",
        po::value<std::string>()->value_name("one|all"),
        "each link of a host longer in place of one, the Nth time by N ns: what one moves may go "
        "the same way for long, and fast-forward another one (default one)")(
        "runs",
        po::value<std::string>()->value_name("N"),
        "of each mode, in turn; times are medians (default 1)")(
        "output",
        po::value<std::string>()->value_name("DIR"),
        "folder for the results of all runs, made if need be (default: wormhole-compare)")(
        "json",
        po::value<std::string>()->value_name("FILE"),
        "all figures (default: compare.json in that folder)")(
        "packet-from",
        po::value<std::string>()->value_name("DIR"),
        "take the packet level from the results of an earlier compare, or of a run with --links")(
        "in-turn",
        "with --packet-from: run the packet level again, in turn with the others, and take from "
        "there only that of further seeds and disturbances")(
        "rtts",
        "compare the round-trip times of the first flow's packets, too")(
        "no-progress",
        "no progress on standard error")("quiet", "neither progress nor table")("help",
                                                                                "this text");
    return group;
}

bool
IsFlag(const Words& words, const std::string& name)
{
    return std::find(words.begin(), words.end(), "--" + name) != words.end();
}

void
RejectOutputs(const Words& words)
{
    for (const std::string& word : words)
    {
        if (IsOptionWord(word, {"mode", "links", "pcap", "chrome-trace", "twin"}))
        {
            throw InputError(word.substr(0, word.find('=')) +
                             ": compare runs all modes, with outputs of its own below --output");
        }
    }
}

} // namespace

CommandOptions
CompareCommandOptions()
{
    return {"compare", "[OPTIONS OF run]", {OwnOptions()}};
}

CompareOptions
ParseCompareOptions(const Words& words)
{
    CompareOptions options;
    const po::variables_map values =
        TakeOptions(words, OwnOptions(), "(see wormhole compare --help)", options.rest);
    options.words = words;
    options.help = values.count("help");
    if (options.help)
    {
        return options;
    }
    RejectOutputs(options.rest);
    if (values.count("disturb"))
    {
        options.disturbances = static_cast<uint32_t>(
            IntegerOption(values, "disturb", LEAST_DISTURBANCES, MOST_DISTURBANCES));
        options.seeds = 1;
    }
    options.disturbAllLinks = AllLinksDisturbed(values);
    if (values.count("seeds"))
    {
        options.seeds = static_cast<uint32_t>(IntegerOption(values, "seeds", 1, MOST_SEEDS));
    }
    if (values.count("runs"))
    {
        options.runs = static_cast<uint32_t>(IntegerOption(values, "runs", 1, MOST_RUNS));
    }
    options.output = values.count("output") ? TextOption(values, "output") : options.output;
    options.json = values.count("json")
                       ? TextOption(values, "json")
                       : (std::filesystem::path(options.output) / "compare.json").string();
    options.packetFrom = TextOption(values, "packet-from");
    options.inTurn = values.count("in-turn");
    if (options.inTurn && options.packetFrom.empty())
    {
        throw InputError("--in-turn: no effect without --packet-from; leave it out");
    }
    options.rtts = values.count("rtts");
    options.progress = !values.count("no-progress") && !values.count("quiet");
    options.quiet = values.count("quiet");
    Words fast = options.rest;
    if (IsFlag(fast, "estimate") && values.count("json"))
    {
        throw InputError("--json: no effect with --estimate, which compare prints as a table; "
                         "wormhole run --estimate --json gives the figures");
    }
    fast.insert(fast.end(), {"--mode", "fast"});
    options.run = ParseRunOptions(fast);
    const std::string& routing = options.run.routing;
    if (!routing.empty() && routing != "ecmp")
    {
        throw InputError("--routing " + routing +
                         ": compare counts what each link carries, by the one way of each flow; "
                         "leave it out, or give it to wormhole run");
    }
    return options;
}

std::string
CompareHelp()
{
    constexpr unsigned COLUMNS = 100;
    po::options_description wide("", COLUMNS, COLUMNS / 2);
    const po::options_description own = OwnOptions();
    wide.add(own);
    std::ostringstream out;
    out << "usage: wormhole compare [OPTIONS] [OPTIONS OF wormhole run]\n\n"
        << "Runs packet level, fast-forward and flow level in turn, each as a process of its own, "
           "and says how\nmuch faster the latter are, and how far off.\n\n"
        << wide << COMPARE_EXAMPLES;
    return out.str();
}

Words
RunWords(const CompareOptions& options, RunMode mode)
{
    Words words = options.rest;
    if (mode != RunMode::FAST)
    {
        words = WithoutOptions(words, {"memo", "fast"});
    }
    if (mode == RunMode::FLOW)
    {
        words = WithoutOptions(words, PacketOnlyOptions());
        const bool random =
            options.run.workload.specs.empty()
                ? !options.run.traffic.empty()
                : options.run.workload.placement.policy == ns3::WorkloadPlacementPolicy::RANDOM;
        words = random ? words : WithoutOptions(words, {"seed"});
    }
    else if (options.run.native && !options.run.threads)
    {
        words.insert(words.end(), {"--threads", "1"}); // more would only take processor time
    }
    words.insert(words.begin(), "run");
    words.insert(words.end(), {"--mode", RunModeName(mode), "--links"});
    if (options.rtts && HasPackets(mode))
    {
        words.push_back("--rtts");
    }
    return words;
}

Words
WithOption(const Words& words, const std::string& name, const std::string& value)
{
    Words changed = WithoutOptions(words, {name});
    changed.insert(changed.end(), {"--" + name, value});
    return changed;
}

std::string
NoFlowLevel(const CompareOptions& options)
{
    return !options.run.linkEvents.empty() ? "links do not fail at flow level"
           : options.run.stopSeconds       ? "--stop does not end the flow level"
                                           : "";
}

} // namespace wormhole
