/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_RUN_OPTIONS_H
#define WORMHOLE_CLI_RUN_OPTIONS_H

#include "command/commands.h"
#include "fast-options.h"
#include "record/record-options.h"
#include "run-mode.h"
#include "workload/workload-options.h"

#include "ns3/rdma-link-schedule.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
class RdmaRanks;
} // namespace ns3

namespace wormhole
{

/** What `--pcap` asks for. */
struct CaptureRequest
{
    std::string prefix;          ///< of the files; empty for no capture
    std::vector<uint32_t> nodes; ///< empty for all
};

/** The options of `wormhole run`, each checked as far as it can be by itself. */
struct RunOptions
{
    bool help{false};
    bool configHelp{false};
    bool workloadHelp{false};

    // what to simulate; empty if not given
    std::string config;
    std::string topology; ///< file or specification
    Words traffic;        ///< specifications
    std::string flows;    ///< file
    std::string control;  ///< short name or TypeId
    Words plugins;        ///< shared objects to load

    // how
    RunMode mode{RunMode::PACKET};
    FastOptions fast;
    std::string timing;      ///< empty: what suits the input
    std::string window;      ///< "global", "pair", "none"; empty: what suits the control
    std::string routing;     ///< "ecmp", "spray" and so on, or a TypeId; empty: the first
    std::string recovery;    ///< "go-back-n", "irn"; empty: the first
    std::string flowControl; ///< "pfc", "credits"; empty: the first
    std::string scheduler;   ///< TypeId; empty for none of the user's
    Words classes;           ///< specifications
    std::optional<uint64_t> seed;
    std::optional<uint64_t> networkSeed;
    std::optional<uint32_t> payload;   ///< bytes
    std::optional<double> stopSeconds; ///< simulated time
    std::vector<std::string> settings; ///< TYPE::ATTRIBUTE=VALUE
    std::vector<ns3::RdmaLinkEvent> linkEvents;
    uint64_t disturbance{0};         ///< number of what is moved by 1 ns; 0: nothing is
    bool disturbAllLinks{false};     ///< all links by so many ns, in place of one by 1 ns
    bool native{true};               ///< ns3::RdmaSimulatorImpl, not ns-3's default
    std::optional<uint32_t> threads; ///< at most, from 1
    uint32_t threadsUnlessGiven{1};  ///< instead of that

    uint32_t GetThreads() const
    {
        return threads.value_or(threadsUnlessGiven);
    }

    bool twin{false};               ///< whether to compare with a run in one queue
    ns3::RdmaRanks* ranks{nullptr}; ///< that run it together; null if there is one only
    std::string eventLog;           ///< of that run: where it writes its events
    std::string eventTwin;          ///< of the other: where they are read

    // results
    std::string output; ///< folder; empty if not given
    CaptureRequest capture;
    bool links{false}; ///< whether to write links.csv
    bool rtts{false};  ///< whether to write rtts.csv
    RecordOptions record;
    bool progress{true};
    bool quiet{false};
    bool json{false};
    double stallSeconds{10}; ///< of wall clock after which a stall is told; 0: never
    double limitSeconds{0};  ///< of processor time after which the run ends, for trials; 0: none
    bool estimate{false};    ///< only say what the run would cost
    bool yes{false};         ///< run even if it takes more memory than there is
    uint64_t outputLimit{uint64_t{4} << 30}; ///< bytes that a recording may have

    WorkloadOptions workload; ///< without specs: a run of flows

    Words words; ///< as given
};

/** \throws InputError for options that are wrong, or have no effect together */
RunOptions ParseRunOptions(const Words& words);

/** \return one for each processor, as far as \c --threads goes */
uint32_t ThreadsOfMachine();

/** \return what `wormhole run --help` prints */
std::string RunHelp();

} // namespace wormhole

#endif // WORMHOLE_CLI_RUN_OPTIONS_H
