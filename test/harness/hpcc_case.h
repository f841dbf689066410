/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_HPCC_CASE_H
#define HARNESS_HPCC_CASE_H

#include "ns3/nstime.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace harness
{

/** One flow as it went; times in ns. */
struct FlowResult
{
    uint32_t src;
    uint32_t dst;
    uint64_t bytes;
    int64_t start;
    int64_t fct; ///< from the start to the last acknowledgement

    bool operator==(const FlowResult& o) const
    {
        return src == o.src && dst == o.dst && bytes == o.bytes && start == o.start && fct == o.fct;
    }
};

/** How to run a case. */
struct RunOptions
{
    std::string simulator{"ns3::RdmaSimulatorImpl"}; ///< TypeId of the simulator implementation
    ns3::Time::Unit resolution{ns3::Time::PS};       ///< ns-3's time resolution
    std::string timing{"hpcc"};                      ///< RdmaNetwork::Timing
    uint64_t seed{1};                                ///< RdmaNetwork::Seed
    bool windows{false};                             ///< RdmaSimulatorImpl::Windows
    uint32_t threads{1};                             ///< RdmaSimulatorImpl::Threads
    int64_t warmUpNs{0};                             ///< when onWarm is called
    void (*onWarm)(){nullptr};                       ///< called once at warmUpNs; may be null
    void (*onEnd)(){nullptr}; ///< called when the simulation has ended; may be null
};

/** What came of a run. */
struct RunResult
{
    std::vector<FlowResult> flows; ///< in the order of completion
    uint64_t unfinished{0};
    uint64_t packetHops{0};     ///< data frames that crossed a link
    uint64_t warmPacketHops{0}; ///< of these, after the warm-up
    uint64_t events{0};
    uint64_t pauses{0};      ///< PFC pause frames received
    uint64_t bufferDrops{0}; ///< frames that a switch had no room for
    uint64_t timeouts{0};
    double setUpSeconds{0};
    double runSeconds{0};
    double runProcessorSeconds{0}; ///< of this process, all its threads

    /** \return mean completion time, ns; 0 without flows */
    double GetMeanFct() const;

    /** \return when the last flow completed, ns; 0 without flows */
    int64_t GetLastCompletion() const;
};

void to_json(nlohmann::json& json, const FlowResult& flow);
void from_json(const nlohmann::json& json, FlowResult& flow);
void to_json(nlohmann::json& json, const RunResult& result);
void from_json(const nlohmann::json& json, RunResult& result);

/** \return the cases of test/data/hpcc */
const std::vector<std::string>& HpccCases();

/** \return the congestion controls each case has a config.txt for: hp, timely, dctcp, dcqcn */
const std::vector<std::string>& HpccControls();

/**
 * Runs a case in this process, which must not have used ns-3's simulator or times before.
 * \param name the case
 * \param control as in config_CONTROL.txt
 * \param options how
 * \throws ns3::InputError
 */
RunResult RunHpccCaseHere(const std::string& name,
                          const std::string& control,
                          const RunOptions& options = {});

/** As RunHpccCaseHere, in a process of its own. */
RunResult RunHpccCase(const std::string& name,
                      const std::string& control,
                      const RunOptions& options = {});

/** \return flows in the order of source, destination and start, for comparing */
std::vector<FlowResult> Sorted(std::vector<FlowResult> flows);

/** \return what expected.json says, sorted */
std::vector<FlowResult> ExpectedFlows(const std::string& name, const std::string& control);

/** \return mean completion times (ns) of DCQCN runs with different seeds; empty if not known */
std::vector<double> DcqcnSeedMeans(const std::string& name);

} // namespace harness

#endif // HARNESS_HPCC_CASE_H
