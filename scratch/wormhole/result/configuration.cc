/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "summary-parts.h"

namespace wormhole
{

using Json = nlohmann::ordered_json;

namespace
{

/** \return how fast-forward was set up; null without it */
Json
FastPart(const RunOptions& options)
{
    if (options.mode != RunMode::FAST)
    {
        return {};
    }
    Json part{{"memo", TextOrNull(options.fast.memo)}, {"attributes", Json::object()}};
    for (const auto& [name, value] : options.fast.attributes)
    {
        part["attributes"][name] = value;
    }
    return part;
}

Json
LinkEvents(const RunPlan& plan)
{
    Json events = Json::array();
    for (const ns3::RdmaLinkEvent& event : plan.events)
    {
        events.push_back({{"time_ns", ns3::RdmaTimeIn(event.time, ns3::Time::NS)},
                          {"a", event.a},
                          {"b", event.b},
                          {"up", event.up}});
    }
    return events;
}

/** \return the specification of traffic, or a list of several; null if there is none */
Json
TrafficPart(const RunOptions& options)
{
    return options.traffic.size() > 1    ? Json(options.traffic)
           : options.traffic.size() == 1 ? Json(options.traffic.front())
                                         : Json();
}

/** \return the control of each class that has its own; null if none has */
Json
ClassControls(const RunPlan& plan)
{
    Json controls;
    for (const auto& [priority, control] : plan.classControls)
    {
        controls[std::to_string(priority)] = TextOrNull(control);
    }
    return controls;
}

/** \return how the packet level was set up */
Json
PacketLevelPart(const RunOptions& options, const RunPlan& plan, const RunResult& result)
{
    Json part;
    part["mode"] = RunModeName(options.mode);
    part["config"] = TextOrNull(options.config);
    part["topology"] = plan.topology.origin;
    part["traffic"] = TrafficPart(options);
    part["congestion_control"] = TextOrNull(plan.control);
    part["class_controls"] = ClassControls(plan);
    part["timing"] = plan.timing;
    part["seed"] = plan.seed;
    part["network_seed"] = plan.networkSeed;
    part["fast"] = FastPart(options);
    part["stop_s"] = plan.stopNs > 0 ? Json(plan.stopNs / 1e9) : Json();
    part["window"] = !plan.flowOptions.window   ? "none"
                     : plan.flowOptions.largest ? "global"
                                                : "pair";
    part["largest_rtt_ns"] = result.largestRttNs > 0 ? Json(result.largestRttNs) : Json();
    part["largest_bdp_bytes"] = result.largestBdp > 0 ? Json(result.largestBdp) : Json();
    part["link_events"] = LinkEvents(plan);
    if (plan.config)
    {
        for (const auto& [key, value] : ns3::RdmaHpccConfigItems(*plan.config))
        {
            part["config_txt"][key] = value;
        }
    }
    for (const auto& [type, list] : result.attributes)
    {
        part["attributes"][type] = Json::object();
        for (const auto& [name, value] : list)
        {
            part["attributes"][type][name] = value;
        }
    }
    return part;
}

template <typename T>
Json
NumberOrNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json();
}

std::string
PlacementName(const WorkloadOptions& options)
{
    using Policy = ns3::WorkloadPlacementPolicy;
    const Policy policy = options.placement.policy;
    return !options.lists.empty()          ? "list"
           : policy == Policy::ROUND_ROBIN ? "round-robin"
           : policy == Policy::RANDOM      ? "random"
                                           : "packed";
}

Json
WorkloadPart(const RunOptions& options, const RunPlan& plan)
{
    const WorkloadOptions& workload = options.workload;
    Json part{{"mode", RunModeName(options.mode)}};
    part["jobs"] = Json::array();
    for (size_t job = 0; job < plan.sources.size(); ++job)
    {
        const WorkloadSource& source = plan.sources[job];
        part["jobs"].push_back(
            {{"job", source.name}, {"kind", source.kind}, {"workload", workload.specs[job]}});
    }
    if (!plan.sources.front().replay)
    {
        part["placement"] = {{"policy", PlacementName(workload)},
                             {"ranks_per_node", workload.placement.ranksPerNode},
                             {"seed", workload.placement.seed}};
    }
    if (options.mode == RunMode::MESSAGE)
    {
        const ns3::WorkloadLogGops& p = workload.logGops;
        part["loggops"] = p.rows.empty() ? Json{{"L", p.L},
                                                {"o", p.o},
                                                {"g", p.g},
                                                {"G", p.G},
                                                {"O", p.O},
                                                {"S", p.S},
                                                {"exact", p.exact}}
                                         : Json{{"file", workload.logGopsFile}};
    }
    else
    {
        part["eager_limit"] = NumberOrNull(workload.eagerLimit);
        part["handshake_bytes"] = NumberOrNull(workload.handshakeBytes);
        part["overhead_ns"] = NumberOrNull(workload.overheadNs);
        part["connections"] = ConnectionsOf(plan, options) == ns3::WorkloadConnections::PERSISTENT
                                  ? "persistent"
                                  : "fresh";
    }
    return part;
}

/** \return how a list of flows was set up at flow level */
Json
FlowListPart(const RunOptions& options, const RunPlan& plan)
{
    return {{"mode", RunModeName(options.mode)},
            {"config", TextOrNull(options.config)},
            {"traffic", TrafficPart(options)},
            {"seed", plan.seed}};
}

/** \return how flow level was set up */
Json
FlowLevelPart(const RunPlan& plan)
{
    const ns3::RdmaPacketCosts packets = plan.helper.GetPacketCosts();
    return {{"topology", plan.topology.origin},
            {"congestion_control", TextOrNull(plan.control)},
            {"timing", plan.timing},
            {"payload", packets.payloadBytes},
            {"header_bytes", packets.headerBytes},
            {"ack_bytes", packets.ackBytes},
            {"link_use", packets.use.share},
            {"link_use_per_flow_bps", packets.use.increase}};
}

} // namespace

Json
ConfigurationPart(const RunOptions& options, const RunPlan& plan, const RunResult& result)
{
    Json part = plan.IsFlowList() ? FlowListPart(options, plan) : WorkloadPart(options, plan);
    if (HasPackets(options.mode))
    {
        part.update(PacketLevelPart(options, plan, result));
    }
    else if (options.mode == RunMode::FLOW)
    {
        part.update(FlowLevelPart(plan));
    }
    else
    {
        part["topology"] = TextOrNull(plan.topology.origin);
        part["payload"] = NumberOrNull(options.payload);
    }
    return part;
}

} // namespace wormhole
