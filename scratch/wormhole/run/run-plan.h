/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_RUN_PLAN_H
#define WORMHOLE_CLI_RUN_PLAN_H

#include "record/record-plan.h"
#include "result/files.h"
#include "run-options.h"

#include "ns3/rdma-flow-source.h"
#include "ns3/rdma-helper.h"
#include "ns3/rdma-hpcc-config.h"
#include "ns3/rdma-link-schedule.h"
#include "ns3/rdma-topology.h"

#include <cstdint>
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
    std::vector<ns3::RdmaFlowSpec> flows;   ///< by start
    std::string flowOrigin;                 ///< their file or specification
    std::string disturbed;                  ///< what --disturb moved, for people
    std::vector<ns3::RdmaLinkEvent> events; ///< of links
    std::vector<uint32_t> traceNodes;       ///< of the packet trace

    std::vector<uint32_t> captureNodes; ///< whose ports are captured

    /** What config.txt says, changed by the options; its outputs are where they will be written. */
    std::optional<ns3::RdmaHpccConfig> config;

    std::string control; ///< TypeId; empty for none
    std::string timing;
    uint64_t seed{1};        ///< of inputs that are drawn
    uint64_t networkSeed{1}; ///< of what happens to packets
    double stopNs{0};        ///< simulated time; 0 for no limit
    ns3::RdmaFlowOptions flowOptions;
    ns3::RdmaHelper helper; ///< set up, ready to install

    std::vector<std::string> warnings; ///< about the inputs, a line each
    std::vector<NamedFile> inputs;
    std::vector<InputDigest> digests;   ///< of the inputs
    std::vector<NamedFile> outputFiles; ///< all that will be written
    OutputPaths outputs;
    RecordPlan record;
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

// The parts of MakeRunPlan that runs of workloads share.

/** Reads config.txt and topology. */
void PlanNetwork(const RunOptions& options, RunPlan& plan);

/** Works out how the packet level is set up. */
void PlanPacketLevel(const RunOptions& options, RunPlan& plan);

/** Checks that a run without packets can do what options and config.txt ask for. */
void PlanFlowLevel(const RunOptions& options, RunPlan& plan);

/**
 * Names the outputs.
 * \param options as given
 * \param plan inputs are known; completed
 * \param further files that a workload writes, by role and name; they go where all outputs go, and
 * their paths are set
 * \throws InputError if one of them would overwrite an input or another output
 */
void PlanOutputs(const RunOptions& options, RunPlan& plan, std::vector<NamedFile>& further);

/** Makes the folder that the outputs go into. \throws OutputError if that is impossible */
void PrepareFolder(const RunOptions& options, const RunPlan& plan);

/** Hashes the inputs. */
void DigestInputs(RunPlan& plan);

} // namespace wormhole

#endif // WORMHOLE_CLI_RUN_PLAN_H
