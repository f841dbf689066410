/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_RUN_PLAN_H
#define WORMHOLE_CLI_RUN_PLAN_H

#include "record/record-plan.h"
#include "result/files.h"
#include "run/run-options.h"
#include "workload/workload-source.h"

#include "ns3/rdma-flow-source.h"
#include "ns3/rdma-helper.h"
#include "ns3/rdma-hpcc-config.h"
#include "ns3/rdma-link-schedule.h"
#include "ns3/rdma-topology.h"
#include "ns3/workload-connections.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wormhole
{

/** Where results go. */
struct OutputPaths
{
    std::string fct;
    std::string pfc;
    std::string summary;
    std::string ranks;          ///< of workloads; empty for none
    std::string chromeTrace;    ///< empty for none
    std::string links;          ///< empty for none
    std::string rtts;           ///< empty for none
    std::string capture;        ///< prefix of captures; empty for none
    uint64_t limit{UINT64_MAX}; ///< bytes that a recording may have
};

/** All that a run needs to know, read and checked; nothing is simulated or written yet. */
struct RunPlan
{
    ns3::RdmaTopology topology;
    std::vector<ns3::RdmaFlowSpec> flows;       ///< by start; none if there are workloads
    std::string flowOrigin;                     ///< their file or specification
    std::vector<std::string> flowKinds{"flow"}; ///< names that RdmaFlowSpec::kind refers to
    std::vector<WorkloadSource> sources;        ///< of workloads; none for a list of flows
    std::string disturbed;                  ///< the flow or rank that --disturb moved, for people
    std::string disturbedLink;              ///< the link likewise
    std::vector<ns3::RdmaLinkEvent> events; ///< of links
    std::vector<uint32_t> traceNodes;       ///< of the packet trace
    std::vector<uint32_t> captureNodes;     ///< whose ports are captured

    std::vector<std::vector<uint32_t>> nodes; ///< of each workload's ranks; empty for a replay

    /** What config.txt says, changed by the options; its outputs are where they will be written. */
    std::optional<ns3::RdmaHpccConfig> config;

    std::string control;                          ///< TypeId; empty for none
    std::map<uint8_t, std::string> classControls; ///< the same of classes that have their own
    std::string timing;
    uint64_t seed{1};        ///< of inputs that are drawn
    uint64_t networkSeed{1}; ///< of what happens to packets
    double stopNs{0};        ///< simulated time; 0 for no limit
    ns3::RdmaFlowOptions flowOptions;
    ns3::RdmaHelper helper; ///< set up, ready to install

    std::vector<std::string> warnings; ///< about the inputs, a line each
    std::vector<NamedFile> inputs;
    std::vector<InputDigest> digests;     ///< of the inputs
    std::vector<NamedFile> outputFiles;   ///< all that will be written
    std::vector<NamedFile> replayOutputs; ///< those of a replay alone
    OutputPaths outputs;
    RecordPlan record;

    /** \return whether it runs the flows of a file or a generator, not workloads */
    bool IsFlowList() const
    {
        return sources.empty();
    }
};

/**
 * Reads the inputs of a run, and works out what the options mean.
 * \param options as given
 * \return the plan
 * \throws InputError for any mistake in options and inputs
 */
RunPlan MakeRunPlan(const RunOptions& options);

/** \return a flow in words, for errors, with its file and line */
std::string DescribeFlow(const RunPlan& plan, size_t flow);

/** \return whether NVSwitches are end points of flows */
bool UsesNvSwitches(const RunPlan& plan);

/** \return the option, or what suits the program: flows, and the simulators whose traces are
 * replayed, count UDP source ports up; collective libraries keep their connections */
ns3::WorkloadConnections ConnectionsOf(const RunPlan& plan, const RunOptions& options);

/** \return payload of a full packet, bytes, unless --set says otherwise */
uint32_t PayloadOf(const RunPlan& plan, const RunOptions& options);

} // namespace wormhole

#endif // WORMHOLE_CLI_RUN_PLAN_H
