/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "summary-parts.h"

#include "command/build-info.h"

namespace wormhole
{

using Json = nlohmann::ordered_json;

Json
ProgramPart(const std::string& simulator)
{
    const BuildInfo info = GetBuildInfo();
    Json part{{"name", "wormhole"},
              {"version", info.version},
              {"build_type", info.buildType},
              {"compiler", info.compiler},
              {"simulator", TextOrNull(simulator)}};
    part["commit"] = info.commit.empty() ? Json() : Json(info.commit);
    part["ns3"] = info.ns3.empty() ? Json() : Json(info.ns3);
    part["ns3_profile"] = TextOrNull(info.ns3Profile);
    part["optimised"] = info.optimised;
    part["assertions"] = info.assertions;
    part["cxx_standard"] = info.standard;
    part["warnings"] = BuildWarnings();
    return part;
}

Json
TextOrNull(const std::string& text)
{
    return text.empty() ? Json() : Json(text);
}

void
AddDisturbed(const RunOptions& options, const std::vector<std::string>& moved, Json& summary)
{
    if (options.disturbance == 0)
    {
        return;
    }
    std::string text;
    for (const std::string& what : moved)
    {
        text += (text.empty() || what.empty() ? "" : "; ") + what;
    }
    summary["disturbed"] = {{"number", options.disturbance}, {"moved", text}};
}

std::vector<std::string>
AllWarnings(const RunResult& result)
{
    std::vector<std::string> all = result.warnings;
    all.insert(all.end(), result.losses.begin(), result.losses.end());
    return all;
}

Json
InputsPart(const std::vector<InputDigest>& digests)
{
    Json inputs = Json::array();
    for (const InputDigest& input : digests)
    {
        inputs.push_back({{"named_by", input.file.role},
                          {"path", input.file.path},
                          {"bytes", input.digest.bytes},
                          {"fnv1a_64", input.digest.HashText()}});
    }
    return inputs;
}

Json
TopologyPart(const ns3::RdmaTopology& topology)
{
    return {{"hosts", topology.Count(ns3::RdmaNodeKind::HOST)},
            {"switches", topology.Count(ns3::RdmaNodeKind::SWITCH)},
            {"nvswitches", topology.Count(ns3::RdmaNodeKind::NVSWITCH)},
            {"links", topology.links.size()}};
}

Json
CountersPart(const ns3::RdmaCounters& c)
{
    return {{"packet_hops", c.packetHops},
            {"ack_hops", c.ackHops},
            {"buffer_drops", c.bufferDrops},
            {"link_errors", c.linkErrors},
            {"link_down_drops", c.linkDownDrops},
            {"route_drops", c.routeDrops},
            {"marks", c.marks},
            {"pauses", c.pauses},
            {"resumes", c.resumes},
            {"nacks", c.nacks},
            {"timeouts", c.timeouts},
            {"credit_updates", c.creditUpdates},
            {"credit_stops", c.creditStops}};
}

Json
CutPart(const std::vector<CutFile>& cut)
{
    Json list = Json::array();
    for (const CutFile& file : cut)
    {
        list.push_back({{"path", file.path}, {"bytes", file.leftOut}});
    }
    return list;
}

Json
CostPart(const RunResult& result)
{
    const double hops = static_cast<double>(result.counters.packetHops);
    const double run = result.runSeconds;
    Json part{{"setup_s", result.setupSeconds},
              {"run_s", run},
              {"events", result.events},
              {"events_per_s", run > 0 ? static_cast<double>(result.events) / run : 0},
              {"ns_per_packet_hop", hops > 0 ? run * 1e9 / hops : 0},
              {"peak_memory_kib", result.peakMemoryKib}};
    if (!result.oneQueueBecause.empty())
    {
        part["one_queue_because"] = result.oneQueueBecause;
    }
    if (result.twinEvents > 0)
    {
        part["twin_events"] = result.twinEvents;
    }
    if (!result.threads.is_null())
    {
        part["threads"] = result.threads;
    }
    if (!result.ranks.is_null())
    {
        part["ranks"] = result.ranks;
    }
    return part;
}

Json
OutputsPart(const std::vector<NamedFile>& files)
{
    Json outputs = Json::array();
    for (const NamedFile& file : files)
    {
        outputs.push_back({{"named_by", file.role}, {"path", file.path}});
    }
    return outputs;
}

} // namespace wormhole
