/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "estimate.h"

#include "command/options.h"
#include "machine-memory.h"
#include "result/table-parts.h"
#include "run/exit-codes.h"
#include "run/warnings.h"
#include "terminal/units-text.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"

#include <algorithm>

namespace wormhole
{

using Json = nlohmann::ordered_json;

namespace
{

constexpr double TRIAL_SECONDS = 1;        // of processor time
constexpr double LONGER_TRIAL_SECONDS = 3; // of processor time
constexpr double WARN_SECONDS = 3600;
constexpr double MOST_SHOWN = 1e18;             // of what is counted
constexpr double SLOW_NS_PER_PACKET_HOP = 2000; // of large networks, that no cache holds

// What packet level takes, bytes: contrib/rdma/doc/performance.md says how they were found.
constexpr double PER_PROCESS = 3e6; // what every run adds to a program that has read its inputs
constexpr double PER_HOST = 1400;
constexpr double PER_SWITCH = 11700;
constexpr double PER_LINK = 2400;
constexpr double PER_ROUTE = 90;      // at a switch, towards the hosts of another one
constexpr double PER_NEXT_HOP = 4;    // ... times links between switches, per switch
constexpr double PER_TRANSFER = 2500; // under way: queue pair, control, timers
constexpr double PER_PACKET = 130;    // under way
constexpr double PER_WATCHED = 3600;  // transfer under way that fast-forward watches, and remembers
constexpr double WATCHING_HOPS = 8;   // packet-hops' time for it, where nothing comes of it, ...
constexpr uint64_t MAX_WATCHED = 1000; // ... of so many at most: then fast-forward is suspended
constexpr double PER_FLOW_ENDED = 24;  // its completion time, slowdown
constexpr double PER_OPERATION = 40;   // of a workload: state, message, result

// What flow level takes, bytes: measured on stars and fat-trees of 8,000 to 400,000 hosts.
constexpr double FLOW_LEVEL_PER_NODE = 400;
constexpr double FLOW_LEVEL_PER_LINK = 1600;

/** \return payload of a full packet at packet level, bytes */
uint64_t
PacketPayload(const RunOptions& options, const RunPlan& plan)
{
    const std::string setting = "ns3::RdmaHost::PayloadSize=";
    uint64_t payload = PayloadOf(plan, options);
    for (const std::string& text : options.settings)
    {
        if (text.rfind(setting, 0) == 0)
        {
            ns3::ParseInteger(text.substr(setting.size()), payload);
        }
    }
    return payload;
}

/** \return transfers that fast-forward watches at one time, at most */
uint64_t
WatchedOf(const TrafficVolume& volume)
{
    return std::min<uint64_t>(volume.concurrent, MAX_WATCHED);
}

/** Notes what the process will take. \param further beside what it has */
void
SetMemory(Estimate& estimate, double further)
{
    const auto resident = static_cast<double>(ResidentMemory());
    estimate.memoryBytes = resident + further;
    const uint64_t available = AvailableMemory();
    estimate.availableBytes =
        available == UINT64_MAX ? available : available + static_cast<uint64_t>(resident);
}

/** Notes what the process will take with the traffic of \p estimate. */
void
SetTraffic(const RunOptions& options, const ns3::RdmaTopology& topology, Estimate& estimate)
{
    double further = PacketLevelMemory(topology, estimate.volume);
    if (options.mode == RunMode::FAST)
    {
        further += static_cast<double>(WatchedOf(estimate.volume)) * PER_WATCHED;
    }
    SetMemory(estimate, further);
}

/** Works out all but the time. \param always whether the traffic counts even where the network
 * alone is too large: to go through it takes memory, too */
Estimate
EstimateMemory(const RunOptions& options, const RunPlan& plan, bool always)
{
    const ns3::RdmaTopology& topology = plan.topology;
    Estimate estimate;
    SetMemory(estimate, PacketLevelMemory(topology, {}));
    if (always || !estimate.IsTooLarge())
    {
        estimate.volume = VolumeOf(plan, PacketPayload(options, plan));
        SetTraffic(options, topology, estimate);
    }
    return estimate;
}

/** \return whether there is memory for whatever traffic of the run may be under way, as far as that
 * is known without going through it */
bool
HasPlenty(const RunOptions& options, const RunPlan& plan)
{
    Estimate estimate;
    SetMemory(estimate, PacketLevelMemory(plan.topology, {}));
    if (estimate.IsTooLarge())
    {
        return false;
    }
    const auto most = MostVolumeOf(plan, PacketPayload(options, plan));
    if (!most)
    {
        return false;
    }
    estimate.volume = *most;
    SetTraffic(options, plan.topology, estimate);
    return !estimate.IsTooLarge();
}

/**
 * Tries a run twice, the second time for longer: what is between the two goes on as the rest will,
 * while the beginning finds routes and touches memory for the first time.
 */
void
TryTwice(const RunOptions& options, const RunPlan& plan, Estimate& estimate)
{
    estimate.trial = TryRun(options, plan, TRIAL_SECONDS);
    if (!estimate.trial || estimate.trial->finished)
    {
        return;
    }
    const Trial first = *estimate.trial;
    const std::optional<Trial> second = TryRun(options, plan, LONGER_TRIAL_SECONDS);
    if (second && second->crossings > first.crossings)
    {
        estimate.trial = second;
        estimate.nsPerPacketHop =
            (second->runSeconds - first.runSeconds) * 1e9 / (second->crossings - first.crossings);
    }
}

/** Works out the time, by trials if there is memory for them. */
void
EstimateTime(const RunOptions& options, const RunPlan& plan, Estimate& estimate)
{
    estimate.nsPerPacketHop = USUAL_NS_PER_PACKET_HOP;
    if (!estimate.IsTooLarge())
    {
        TryTwice(options, plan, estimate);
    }
    const Trial tried = estimate.trial.value_or(Trial());
    if (tried.finished)
    {
        estimate.nsPerPacketHop =
            tried.crossings > 0 ? tried.runSeconds * 1e9 / tried.crossings : 0;
        estimate.packetSeconds = tried.setupSeconds + tried.runSeconds;
        return;
    }
    double rest =
        std::max(estimate.volume.crossings - tried.crossings, 0.0) * estimate.nsPerPacketHop * 1e-9;
    const double stopSeconds = plan.stopNs * 1e-9;
    if (stopSeconds > 0 && tried.simulatedSeconds > 0)
    {
        const double parts = stopSeconds / tried.simulatedSeconds - 1;
        rest = std::min(rest, tried.runSeconds * std::max(parts, 0.0));
    }
    estimate.packetSeconds = tried.setupSeconds + tried.runSeconds + rest;
}

/** \return the same run at packet level */
RunOptions
AtPacketLevel(RunOptions options)
{
    options.mode = RunMode::PACKET;
    options.fast = FastOptions();
    return options;
}

std::string
TrialText(const Estimate& estimate)
{
    if (!estimate.trial)
    {
        return estimate.IsTooLarge() ? "assumed, since there is too little memory to try"
                                     : "assumed, since trying failed";
    }
    return estimate.trial->finished ? "measured: the run is that short"
                                    : "measured at the beginning of the run";
}

std::string
EstimateTable(const Estimate& e)
{
    const TrafficVolume& v = e.volume;
    const auto counted = [](double count) {
        return CountText(static_cast<uint64_t>(std::min(count, MOST_SHOWN)));
    };
    const double hops = v.packets > 0 ? v.crossings / v.packets : 0;
    std::string text = TableRow("traffic",
                                CountText(v.transfers) + " transfers, " + BytesText(v.bytes) +
                                    " in " + counted(v.packets) + " packets");
    text += TableRow("crossings",
                     counted(v.crossings) + " of links, " + FixedText(hops, 2) + " per packet");
    text += TableRow("memory",
                     "about " + BytesText(e.memoryBytes) + "; " +
                         (e.availableBytes == UINT64_MAX
                              ? "how much is available is not known"
                              : BytesText(static_cast<double>(e.availableBytes)) + " available"));
    text +=
        TableRow("packet level",
                 "about " + TimeText(e.packetSeconds * 1e9) + " of processor time, " +
                     FixedText(e.nsPerPacketHop, 0) + " ns per crossing (" + TrialText(e) + ")");
    if (e.watchingSeconds)
    {
        text += TableRow("fast-forward",
                         "up to about " + TimeText(*e.watchingSeconds * 1e9) +
                             " more, where nothing repeats or becomes steady");
    }
    return text;
}

Json
EstimateJson(const Estimate& e)
{
    const TrafficVolume& v = e.volume;
    Json json{{"transfers", v.transfers},
              {"operations", v.operations},
              {"bytes", v.bytes},
              {"packets", v.packets},
              {"crossings", v.crossings},
              {"memory_bytes", e.memoryBytes},
              {"memory_available_bytes",
               e.availableBytes == UINT64_MAX ? Json() : Json(e.availableBytes)},
              {"packet_level_s", e.packetSeconds},
              {"ns_per_packet_hop", e.nsPerPacketHop},
              {"watching_s", e.watchingSeconds ? Json(*e.watchingSeconds) : Json()}};
    json["trial"] = Json();
    if (e.trial)
    {
        json["trial"] = {{"crossings", e.trial->crossings},
                         {"setup_s", e.trial->setupSeconds},
                         {"run_s", e.trial->runSeconds},
                         {"simulated_s", e.trial->simulatedSeconds},
                         {"finished", e.trial->finished}};
    }
    return json;
}

std::string
MemoryText(const Estimate& e)
{
    return "this needs about " + BytesText(e.memoryBytes) + " of memory, but only " +
           BytesText(static_cast<double>(e.availableBytes)) + " are available";
}

/** \param remedy instead of what the user has asked for
 * \throws InputError if there is too little memory for a run, unless it is wanted all the same */
void
CheckMemory(const RunOptions& options, const Estimate& estimate, const std::string& remedy)
{
    if (!estimate.IsTooLarge())
    {
        return;
    }
    if (!options.yes)
    {
        throw ns3::InputError(MemoryText(estimate) + "; " + remedy +
                              ", or give --yes to run it all the same");
    }
    TellWarnings({MemoryText(estimate)});
}

std::vector<std::string>
EstimateWarnings(const Estimate& e, bool time)
{
    std::vector<std::string> warnings;
    if (time && e.packetSeconds > WARN_SECONDS)
    {
        warnings.push_back(
            "packet level takes about " + TimeText(e.packetSeconds * 1e9) + " for this (" +
            FixedText(e.volume.crossings / 1e9, 1) + " G crossings of links, " +
            FixedText(e.nsPerPacketHop, 0) +
            " ns each); --mode fast may take a small part of that, --mode flow a fraction of it");
    }
    return warnings;
}

/** Goes through the traffic only if that may matter, and tries the run only if it may well take
 * long. \param time whether that matters */
void
Warn(const RunOptions& options, const RunPlan& plan, bool time)
{
    if (!time && HasPlenty(options, plan))
    {
        return;
    }
    Estimate estimate = EstimateMemory(options, plan, false);
    CheckMemory(
        options,
        estimate,
        "take a smaller network or fewer flows at once, a larger --payload, or --mode flow");
    if (time && estimate.volume.crossings * SLOW_NS_PER_PACKET_HOP * 1e-9 > WARN_SECONDS)
    {
        EstimateTime(options, plan, estimate);
    }
    TellWarnings(EstimateWarnings(estimate, time));
}

} // namespace

double
PacketLevelMemory(const ns3::RdmaTopology& topology, const TrafficVolume& volume)
{
    double switchLinks = 0;
    double switches = 0;
    for (const ns3::RdmaNodeKind kind : topology.nodes)
    {
        switches += kind != ns3::RdmaNodeKind::HOST;
    }
    for (const ns3::RdmaLinkSpec& link : topology.links)
    {
        switchLinks += topology.nodes[link.a] != ns3::RdmaNodeKind::HOST &&
                       topology.nodes[link.b] != ns3::RdmaNodeKind::HOST;
    }
    const double degree = switches > 0 ? 2 * switchLinks / switches : 0;
    const double hosts = static_cast<double>(topology.nodes.size()) - switches;
    return PER_PROCESS + PER_HOST * hosts + PER_SWITCH * switches +
           PER_LINK * static_cast<double>(topology.links.size()) +
           static_cast<double>(volume.ends) * switches * (PER_ROUTE + PER_NEXT_HOP * degree) +
           static_cast<double>(volume.concurrent) * PER_TRANSFER + volume.inFlight * PER_PACKET +
           (volume.operations > 0 ? static_cast<double>(volume.operations) * PER_OPERATION
                                  : static_cast<double>(volume.transfers) * PER_FLOW_ENDED);
}

int
EstimateCommand(const RunOptions& options)
{
    const RunPlan plan = MakeRunPlan(AtPacketLevel(options));
    TellWarnings(plan.warnings);
    Estimate estimate = EstimateMemory(options, plan, true);
    EstimateTime(AtPacketLevel(options), plan, estimate);
    if (options.mode == RunMode::FAST)
    {
        estimate.watchingSeconds = static_cast<double>(WatchedOf(estimate.volume)) * WATCHING_HOPS *
                                   estimate.nsPerPacketHop * 1e-9;
    }
    PrintText(options.json ? EstimateJson(estimate).dump(2) + "\n" : EstimateTable(estimate));
    if (estimate.IsTooLarge())
    {
        TellWarnings({MemoryText(estimate)});
    }
    TellWarnings(EstimateWarnings(estimate, true));
    const bool measured = estimate.trial && estimate.trial->finished &&
                          estimate.trial->crossings >= estimate.volume.crossings;
    if (options.stopSeconds && !measured)
    {
        TellWarnings({std::string("--stop: traffic, crossings and memory are those of ") +
                      (plan.IsFlowList() ? "the flows that begin before it, as if they ended"
                                         : "the whole workload, as if it ended") +
                      "; the time is that until it"});
    }
    return EXIT_DONE;
}

void
WarnOfCost(const RunOptions& options, const RunPlan& plan)
{
    if (HasPackets(options.mode))
    {
        Warn(options, plan, options.mode == RunMode::PACKET);
    }
    else
    {
        const ns3::RdmaTopology& topology = plan.topology; // empty at message level
        Estimate estimate;
        SetMemory(estimate,
                  FLOW_LEVEL_PER_NODE * static_cast<double>(topology.nodes.size()) +
                      FLOW_LEVEL_PER_LINK * static_cast<double>(topology.links.size()));
        CheckMemory(options, estimate, "take a smaller network");
    }
}

void
WarnOfPacketLevel(const RunOptions& options)
{
    const RunOptions packet = AtPacketLevel(options);
    const RunPlan plan = MakeRunPlan(packet);
    TellWarnings(plan.warnings);
    Warn(packet, plan, true);
}

} // namespace wormhole
