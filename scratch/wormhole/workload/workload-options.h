/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_WORKLOAD_OPTIONS_H
#define WORMHOLE_CLI_WORKLOAD_OPTIONS_H

#include "command/commands.h"
#include "run/run-mode.h"

#include "ns3/workload-connections.h"
#include "ns3/workload-loggops-network.h"
#include "ns3/workload-placement.h"

#include <boost/program_options.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wormhole
{

/** The options of `wormhole run --workload`, each checked as far as it can be by itself. */
struct WorkloadOptions
{
    Words specs; ///< files or specifications; empty for a run of flows

    std::vector<std::vector<uint32_t>> lists; ///< nodes by job, if --placement lists them
    ns3::WorkloadPlacement placement;         ///< for jobs without a list
    bool policyGiven{false};                  ///< whether an option chose the policy

    ns3::WorkloadLogGops logGops; ///< for messages
    std::string logGopsFile;      ///< that has them by size; empty for none
    std::optional<uint64_t> eagerLimit;
    std::optional<uint64_t> handshakeBytes;
    std::optional<double> overheadNs;
    std::optional<ns3::WorkloadConnections> connections; ///< else what suits the workload

    std::string chromeTrace; ///< file; empty for none
    uint64_t chromeSpans{0}; ///< most spans in it
};

/** \return descriptions of the options */
boost::program_options::options_description WorkloadOptionGroup();

/** \return options for which only packets have a use */
const Words& PacketOnlyOptions();

/** \return the modes with which an option of `wormhole run` may be given, such as "packet, fast";
 * for the reference */
std::string ModesOfOption(const std::string& name);

/** \throws InputError for options that are wrong, or have no effect together */
WorkloadOptions ParseWorkloadOptions(const boost::program_options::variables_map& values,
                                     RunMode mode);

} // namespace wormhole

#endif // WORMHOLE_CLI_WORKLOAD_OPTIONS_H
