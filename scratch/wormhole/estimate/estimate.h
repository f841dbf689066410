/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_ESTIMATE_H
#define WORMHOLE_CLI_ESTIMATE_H

#include "estimate-trial.h"
#include "estimate-volume.h"
#include "plan/run-plan.h"
#include "run/run-options.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace wormhole
{

/** What a run would cost at packet level, and what fast-forward adds to that where it is of no use.
 */
struct Estimate
{
    TrafficVolume volume;
    double memoryBytes{0};      ///< of the whole process, at most at once
    uint64_t availableBytes{0}; ///< that it could have; UINT64_MAX if not known
    std::optional<Trial> trial; ///< that the time rests on; none if it would not fit in memory
    double nsPerPacketHop{0};   ///< processor time for a link crossed by a data packet
    double packetSeconds{0};    ///< processor time of the whole run
    std::optional<double> watchingSeconds; ///< that fast-forward may cost on top; none without it

    /** \return whether there is too little memory for it */
    bool IsTooLarge() const
    {
        return memoryBytes > static_cast<double>(availableBytes);
    }
};

/** Processor time that packet level takes for a link crossed by a data packet, with what belongs
 * to it, where nothing is measured, ns. */
constexpr double USUAL_NS_PER_PACKET_HOP = 400;

/**
 * \param topology of the network
 * \param volume of its traffic
 * \return memory that packet level takes for both, bytes, besides what the process has now
 */
double PacketLevelMemory(const ns3::RdmaTopology& topology, const TrafficVolume& volume);

/** `wormhole run --estimate`: prints what the run would cost. \return the exit code */
int EstimateCommand(const RunOptions& options);

/** Before anything is built: warns on standard error if the run would take more than an hour at
 * packet level. \param options as given \param plan of the run \throws InputError if it would take
 * more memory than there is, unless --yes accepts that */
void WarnOfCost(const RunOptions& options, const RunPlan& plan);

/** The same of the packet level of a scenario, whatever the mode that \p options say; it shows what
 * the inputs are warned of, too. \throws InputError also for any mistake in options and inputs
 */
void WarnOfPacketLevel(const RunOptions& options);

} // namespace wormhole

#endif // WORMHOLE_CLI_ESTIMATE_H
