/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "run-options.h"

#include "command/command-options.h"
#include "command/options.h"
#include "estimate/machine-groups.h"
#include "run-option-values.h"

#include "ns3/input-bytes.h"
#include "ns3/input-error.h"
#include "ns3/input-number.h"
#include "ns3/input-spec.h"
#include "ns3/input-units.h"
#include "ns3/rdma-rocev2.h"

#include <algorithm>

namespace po = boost::program_options;

namespace wormhole
{

using ns3::InputError;

namespace
{

constexpr uint64_t MOST_THREADS = 256;

constexpr int MOST_STALL_S = 1000000;
constexpr uint64_t MOST_DISTURBANCE = 10000;

po::options_description
AllOptions()
{
    po::options_description all;
    for (const po::options_description& group : RunCommandOptions().groups)
    {
        all.add(group);
    }
    return all;
}

double
ParseStop(const po::variables_map& values)
{
    const ns3::Time stop = TimeOption(values, "stop", MostTime());
    if (stop.IsZero())
    {
        throw InputError("--stop " + ns3::ShownText(TextOption(values, "stop")) +
                         ": nothing happens before; give more than 0");
    }
    return ns3::RdmaTimeIn(stop, ns3::Time::S);
}

uint32_t
ParseThreads(const po::variables_map& values)
{
    const uint64_t threads = IntegerOption(values, "threads", 0, MOST_THREADS);
    return threads ? static_cast<uint32_t>(threads) : ThreadsOfMachine();
}

uint64_t
ParseOutputLimit(const std::string& text)
{
    constexpr uint64_t LEAST = 4096;
    uint64_t bytes = 0;
    if (!ns3::ParseBytes(text, bytes) || bytes < LEAST)
    {
        throw InputError("--output-limit " + ns3::ShownText(text) +
                         ": must be a size of at least 4KiB, such as 500MB or 4GiB");
    }
    return bytes;
}

/** What a run cannot do without. */
void
CheckInputs(const RunOptions& options)
{
    const bool network = !options.config.empty() || !options.topology.empty();
    if (!options.workload.specs.empty())
    {
        if (!network && options.mode != RunMode::MESSAGE)
        {
            throw InputError("run --workload needs --topology SPEC|FILE (or --config FILE), or "
                             "--mode message");
        }
        return;
    }
    if (!network)
    {
        throw InputError("run needs --config FILE, or --topology SPEC|FILE with --traffic "
                         "SPEC, --flows FILE or --workload SPEC (see wormhole run --help)");
    }
    if (options.config.empty() && options.traffic.empty() && options.flows.empty())
    {
        throw InputError("run --topology needs --traffic SPEC, --flows FILE or --workload SPEC");
    }
}

/** Options that contradict each other, or do nothing together. */
void
CheckTogether(const RunOptions& options)
{
    if (!options.traffic.empty() && !options.flows.empty())
    {
        throw InputError("--traffic and --flows both say what flows there are; give one");
    }
    CheckInputs(options);
    if (options.threads && !options.native)
    {
        throw InputError("--threads: no effect with --simulator default; leave one of them out");
    }
    if (options.twin && !options.native)
    {
        throw InputError("--twin: no effect with --simulator default, which has no windows; leave "
                         "one of them out");
    }
    if (options.twin && !options.fast.memo.empty())
    {
        throw InputError("--twin: two runs would write --memo " + options.fast.memo +
                         "; leave one of them out");
    }
    for (const ns3::RdmaLinkEvent& event : options.linkEvents)
    {
        if (options.stopSeconds &&
            ns3::RdmaTimeIn(event.time, ns3::Time::S) >= *options.stopSeconds)
        {
            throw InputError(event.text + ": no effect, since --stop ends the simulation before");
        }
    }
}

} // namespace

uint32_t
ThreadsOfMachine()
{
    return static_cast<uint32_t>(std::min<uint64_t>(MachineProcessors(), MOST_THREADS));
}

RunOptions
ParseRunOptions(const Words& words)
{
    const po::variables_map values = ParseOptions("run", words, AllOptions());
    RunOptions options;
    options.words = words;
    options.help = values.count("help");
    options.configHelp = values.count("help-config");
    options.workloadHelp = values.count("help-workload");
    if (options.help || options.configHelp || options.workloadHelp)
    {
        return options;
    }
    options.config = TextOption(values, "config");
    options.topology = TextOption(values, "topology");
    options.traffic = values.count("traffic") ? values["traffic"].as<Words>() : Words();
    options.flows = TextOption(values, "flows");
    options.control = TextOption(values, "cc");
    options.plugins = values.count("load") ? values["load"].as<Words>() : Words();
    options.timing = Choice(values, "timing", {"exact", "hpcc", "round", "truncate"});
    options.mode = ParseRunMode(values);
    options.window = Choice(values, "window", {"global", "pair", "none"});
    options.routing = TextOption(values, "routing");
    options.flowControl = Choice(values, "flow-control", {"pfc", "credits"});
    options.scheduler = TextOption(values, "scheduler");
    options.classes = values.count("class") ? values["class"].as<Words>() : Words();
    options.recovery = Choice(values, "recovery", {"go-back-n", "irn"});
    options.native = Choice(values, "simulator", {"native", "default"}) != "default";
    options.output = TextOption(values, "output");
    options.progress = !values.count("no-progress") && !values.count("quiet");
    options.quiet = values.count("quiet");
    options.json = values.count("json");
    options.record = ParseRecordOptions(values);
    const bool oneWay = options.routing.empty() || options.routing == "ecmp";
    options.links =
        values.count("links") || (options.record.on && options.mode != RunMode::MESSAGE && oneWay);
    options.rtts = values.count("rtts");
    options.twin = values.count("twin");
    options.estimate = values.count("estimate");
    options.yes = values.count("yes");
    if (values.count("output-limit"))
    {
        options.outputLimit = ParseOutputLimit(TextOption(values, "output-limit"));
    }
    if (values.count("stall"))
    {
        options.stallSeconds =
            ns3::RdmaTimeIn(TimeOption(values, "stall", ns3::Seconds(MOST_STALL_S)), ns3::Time::S);
    }
    if (values.count("threads"))
    {
        options.threads = ParseThreads(values);
    }
    if (values.count("seed"))
    {
        options.seed = IntegerOption(values, "seed", 0, UINT64_MAX);
    }
    if (values.count("network-seed"))
    {
        options.networkSeed = IntegerOption(values, "network-seed", 0, UINT64_MAX);
    }
    if (values.count("disturb"))
    {
        options.disturbance = IntegerOption(values, "disturb", 0, MOST_DISTURBANCE);
    }
    options.disturbAllLinks = AllLinksDisturbed(values);
    if (values.count("payload"))
    {
        options.payload =
            static_cast<uint32_t>(IntegerOption(values, "payload", 1, ns3::RDMA_MAX_PAYLOAD));
    }
    if (values.count("stop"))
    {
        options.stopSeconds = ParseStop(values);
    }
    if (values.count("pcap"))
    {
        options.capture = ParseCapture(TextOption(values, "pcap"));
    }
    RejectTwice(values, "set");
    if (values.count("set"))
    {
        options.settings = values["set"].as<Words>();
    }
    for (const char* option : {"link-down", "link-up"})
    {
        for (const std::string& text : values.count(option) ? values[option].as<Words>() : Words())
        {
            options.linkEvents.push_back(ParseLinkEvent(option, text));
        }
    }
    options.workload = ParseWorkloadOptions(values, options.mode);
    options.fast = ParseFastOptions(values, options.mode);
    CheckTogether(options);
    return options;
}

} // namespace wormhole
