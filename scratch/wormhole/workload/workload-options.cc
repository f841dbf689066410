/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-options.h"

#include "command/options.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"
#include "ns3/input-spec.h"
#include "ns3/input-units.h"
#include "ns3/input-values.h"
#include "ns3/workload-loggops-rows.h"

#include <algorithm>

namespace po = boost::program_options;

namespace wormhole
{

using ns3::InputError;

namespace
{

constexpr uint64_t DEFAULT_SPANS = 1000000;
constexpr uint64_t MOST_RANKS_PER_NODE = 1 << 20;
constexpr uint64_t MOST_LOGGOPS_NS = 1000000000000; // 1,000 s
constexpr uint64_t MOST_BYTES = uint64_t{1} << 40;

/** Options for which only packets have a use. */
const Words PACKET_ONLY{"window",
                        "link-down",
                        "link-up",
                        "stop",
                        "simulator",
                        "threads",
                        "twin",
                        "network-seed",
                        "routing",
                        "recovery",
                        "flow-control",
                        "class",
                        "scheduler",
                        "pcap",
                        "output-limit",
                        "rtts"};

const Words TRANSPORT_ONLY{"topology",
                           "estimate",
                           "config",
                           "links",
                           "record-pairs",
                           "payload",
                           "set",
                           "timing",
                           "eager-limit",
                           "handshake",
                           "overhead",
                           "connections"};

const Words MESSAGE_ONLY{"loggops", "loggopsim-exact"};

const Words WORKLOAD_ONLY{"placement",
                          "ranks-per-node",
                          "loggops",
                          "loggopsim-exact",
                          "eager-limit",
                          "handshake",
                          "overhead",
                          "connections",
                          "chrome-trace",
                          "chrome-trace-spans"};

void
RejectIfGiven(const po::variables_map& values, const Words& names, const std::string& reason)
{
    for (const std::string& name : names)
    {
        if (values.count(name))
        {
            throw InputError(std::string("--").append(name) + ": no effect " + reason);
        }
    }
}

/** A policy, or lists of nodes, one per job. */
void
ParsePlacement(const std::string& text, WorkloadOptions& options)
{
    if (ns3::ParseWorkloadPlacementPolicy(text, options.placement.policy))
    {
        options.policyGiven = true;
        return;
    }
    if (text.find_first_of("0123456789") == std::string::npos)
    {
        throw InputError("--placement " + ns3::ShownText(text) +
                         ": there are packed, round-robin and random, and lists of nodes by "
                         "job such as 0-7+16,8-15");
    }
    for (size_t begin = 0; begin <= text.size();)
    {
        const size_t end = std::min(text.find(',', begin), text.size());
        try
        {
            options.lists.push_back(ns3::ParseWorkloadNodes(text.substr(begin, end - begin)));
        }
        catch (const InputError& error)
        {
            throw InputError("--placement: " + std::string(error.what()) +
                             "; a comma stands between jobs");
        }
        begin = end + 1;
    }
}

/** L=...,o=... in any order, or a file with parameters by size. */
void
ParseLogGops(const std::string& text, WorkloadOptions& options)
{
    ns3::WorkloadLogGops& parameters = options.logGops;
    if (text.find('=') == std::string::npos)
    {
        std::ifstream in = ns3::OpenInput(
            text,
            "cannot be read; --loggops must be L=..,o=.. or a file of wormhole-loggops");
        parameters.rows = ns3::ReadWorkloadLogGopsRows(in, text);
        options.logGopsFile = text;
        return;
    }
    ns3::InputSpec spec("--loggops:" + text);
    parameters.L = spec.Integer("L", parameters.L, 0, MOST_LOGGOPS_NS);
    parameters.o = spec.Integer("o", parameters.o, 0, MOST_LOGGOPS_NS);
    parameters.g = spec.Integer("g", parameters.g, 0, MOST_LOGGOPS_NS);
    parameters.G = spec.Number("G", parameters.G, 0, 1e6);
    parameters.O = spec.Integer("O", parameters.O, 0, 1000000);
    parameters.S = spec.Integer("S", parameters.S, 0, UINT64_MAX);
    spec.Finish();
}

void
ParseTransport(const po::variables_map& values, WorkloadOptions& options)
{
    if (values.count("eager-limit"))
    {
        options.eagerLimit = IntegerOption(values, "eager-limit", 0, UINT64_MAX);
    }
    if (values.count("handshake"))
    {
        options.handshakeBytes = IntegerOption(values, "handshake", 1, MOST_BYTES);
    }
    if (values.count("overhead"))
    {
        options.overheadNs =
            ns3::RdmaTimeIn(TimeOption(values, "overhead", ns3::Seconds(1)), ns3::Time::NS);
    }
    if (values.count("connections"))
    {
        options.connections = Choice(values, "connections", {"persistent", "fresh"}) == "persistent"
                                  ? ns3::WorkloadConnections::PERSISTENT
                                  : ns3::WorkloadConnections::FRESH;
    }
}

/** Options that only packets have a use for, in a mode without. */
void
CheckPackets(const po::variables_map& values, RunMode mode)
{
    if (!HasPackets(mode))
    {
        RejectIfGiven(values,
                      PACKET_ONLY,
                      "with --mode " + RunModeName(mode) + "; it belongs to packet and fast");
    }
    if (mode == RunMode::FAST)
    {
        RejectIfGiven(values, {"simulator"}, "with --mode fast, which brings its own");
    }
}

/** Options of workloads that do nothing in this mode. */
void
CheckMode(const po::variables_map& values, RunMode mode, const WorkloadOptions& options)
{
    const std::string in = "with --mode " + RunModeName(mode);
    if (!HasPackets(mode) && options.placement.policy != ns3::WorkloadPlacementPolicy::RANDOM)
    {
        RejectIfGiven(values, {"seed"}, in + ", unless --placement is random");
    }
    if (mode != RunMode::MESSAGE)
    {
        RejectIfGiven(values, MESSAGE_ONLY, in + "; it belongs to message");
        return;
    }
    RejectIfGiven(values, TRANSPORT_ONLY, in + "; it belongs to packet, fast and flow");
    if (options.policyGiven && options.placement.ranksPerNode == 1)
    {
        RejectIfGiven(values,
                      {"placement"},
                      in + ", where distance does not matter, unless nodes are shared "
                           "(--ranks-per-node, or a list)");
    }
}

} // namespace

po::options_description
WorkloadOptionGroup()
{
    const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
    po::options_description group("Workloads");
    group.add_options()(
        "workload",
        po::value<Words>()->composing()->value_name("SPEC|FILE"),
        "a GOAL, training or SimAI file, or KIND:KEY=VALUE,...; repeatable: several jobs at once")(
        "placement",
        text("HOW"),
        "of the ranks on the hosts: packed (default), round-robin, random, or a list of nodes per "
        "job such as 0-7+16,8-15")("ranks-per-node",
                                   text("N"),
                                   "that packed, round-robin and random put on a host (default 1)")(
        "eager-limit",
        text("BYTES"),
        "largest message whose send completes without its receive (default 0)")(
        "handshake",
        text("BYTES"),
        "a larger message is announced and invited by messages of this size before its data move "
        "(default: none)")("overhead",
                           text("TIME"),
                           "of a computation stream per message sent or received (default 0ns)")(
        "connections",
        text("KIND"),
        "persistent: messages of one stream from host to host share a connection, and so a path; "
        "fresh: each has its own (default: persistent, for SimAI and Chakra fresh)")(
        "loggops",
        text("L=..,o=..|FILE"),
        "L, o, g (ns), G, O (ns per byte), S (bytes) of --mode message (default: LogGOPSim's, "
        "each), or a CSV file with such by size, as wormhole-loggops measures them")(
        "loggopsim-exact",
        "follow LogGOPSim also where it is faulty")(
        "chrome-trace",
        text("FILE"),
        "write what each rank did, for https://ui.perfetto.dev; a name is in the output folder, a "
        "path is taken as it is")("chrome-trace-spans",
                                  text("N"),
                                  "most spans in it (default 1000000)");
    return group;
}

const Words&
PacketOnlyOptions()
{
    return PACKET_ONLY;
}

std::string
ModesOfOption(const std::string& name)
{
    const auto among = [&name](const Words& names) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    return name == "simulator"           ? "packet"
           : among({"memo", "fast"})     ? "fast"
           : name == "cc"                ? "packet, fast, flow"
           : among(PACKET_ONLY)          ? "packet, fast"
           : among(MESSAGE_ONLY)         ? "message"
           : among(TRANSPORT_ONLY)       ? "packet, fast, flow"
           : among({"traffic", "flows"}) ? "packet, fast, flow"
                                         : "all";
}

WorkloadOptions
ParseWorkloadOptions(const po::variables_map& values, RunMode mode)
{
    WorkloadOptions options;
    CheckPackets(values, mode);
    if (!values.count("workload"))
    {
        if (mode == RunMode::MESSAGE)
        {
            throw InputError("--mode message: it runs workloads; give --workload");
        }
        if (mode == RunMode::FLOW && !values.count("traffic"))
        {
            RejectIfGiven(values, {"seed"}, "with --mode flow, unless --traffic draws flows");
        }
        RejectIfGiven(values, WORKLOAD_ONLY, "without --workload");
        return options;
    }
    RejectIfGiven(values, {"traffic", "flows"}, "with --workload, which says what is sent");
    options.specs = values["workload"].as<Words>();
    if (values.count("placement"))
    {
        ParsePlacement(TextOption(values, "placement"), options);
    }
    if (values.count("ranks-per-node"))
    {
        options.placement.ranksPerNode =
            static_cast<uint32_t>(IntegerOption(values, "ranks-per-node", 1, MOST_RANKS_PER_NODE));
    }
    if (values.count("seed"))
    {
        options.placement.seed = IntegerOption(values, "seed", 0, UINT64_MAX);
    }
    if (values.count("loggops"))
    {
        ParseLogGops(TextOption(values, "loggops"), options);
    }
    if (!options.logGops.rows.empty())
    {
        RejectIfGiven(values, {"loggopsim-exact"}, "with parameters by size");
    }
    options.logGops.exact = values.count("loggopsim-exact");
    ParseTransport(values, options);
    options.chromeTrace = TextOption(values, "chrome-trace");
    if (options.chromeTrace.empty())
    {
        RejectIfGiven(values, {"chrome-trace-spans"}, "without --chrome-trace");
    }
    options.chromeSpans = values.count("chrome-trace-spans")
                              ? IntegerOption(values, "chrome-trace-spans", 1, UINT64_MAX)
                              : DEFAULT_SPANS;
    CheckMode(values, mode, options);
    return options;
}

} // namespace wormhole
