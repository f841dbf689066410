/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_CONTROLLER_STATISTICS_H
#define WORMHOLE_CONTROLLER_STATISTICS_H

#include "wormhole/decision.h"
#include "wormhole/units.h"

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>

namespace wormhole
{

/** What a Controller has done so far. Plain numbers: copy at will. */
struct ControllerStatistics
{
    /** Changes of state, [from][to]. */
    std::array<std::array<std::uint64_t, PARTITION_STATES>, PARTITION_STATES> transitions{};

    std::array<std::uint64_t, REASONS> reasons{};      //!< of these changes
    std::array<Duration, PARTITION_STATES> flowTime{}; //!< spent in each state, summed over flows

    std::uint64_t decisions{0};        //!< about partitions of which nothing was known
    std::uint64_t flowsDecided{0};     //!< sum of the flows in these
    std::uint64_t largestPartition{0}; //!< most flows in one of these

    Bytes bytesSkipped{0};  //!< delivered at steady rates
    Bytes bytesDrawn{0};    //!< of these, by flows that are alike and whose shares wander
    Bytes bytesReplayed{0}; //!< delivered by episodes

    /** Events that replayed episodes stand for, as counted when they were recorded; 0 if the
     * simulator does not count. */
    std::uint64_t eventsReplayed{0};

    /** Events that skips stand for: for each flow, its bytes skipped times its events per byte
     * (FlowProgress::eventsPerByte). */
    double eventsSkipped{0};

    std::uint64_t recordingsStored{0};    //!< episodes that were new to the store
    std::uint64_t recordingsDisturbed{0}; //!< cut short, so not stored
    std::uint64_t recordingsUnforeseen{
        0}; //!< ended by a flow whose remaining bytes the key does not hold
    std::uint64_t recordingsWithoutState{
        0};                              //!< a congestion control or port could not save its state
    std::uint64_t recordingsByChance{0}; //!< decided by random draws, so not stored
    std::uint64_t replaysInterrupted{0}; //!< so that their packets had to catch up
    std::uint64_t followers{0};          //!< partitions that began to follow another one
    std::uint64_t followersReplayed{0};  //!< of these, went on by its episode, or from its state
    std::uint64_t followersCaughtUp{0};  //!< of these, had packets that caught up after all
    std::uint64_t skipsInterrupted{0};   //!< so that skipped partitions woke early (skip-back)
    std::uint64_t samples{0};            //!< taken of partitions
    std::uint64_t suspensions{0};        //!< of the Controller
    std::uint64_t eventsSuspended{0}; //!< that were run up to now, or up to the end of the last one
    double eventsMissed{0};      //!< that might have been skipped or replayed, but too few to do so
    std::uint64_t auditable{0};  //!< replays and skips that came to their ends
    std::uint64_t audited{0};    //!< of these: simulated aside, and compared
    double bytesAudited{0};      //!< that these were to credit
    double bytesWrong{0};        //!< by which packets differ
    double largestAuditError{0}; //!< of these, a share
    std::uint64_t episodesThrownOut{0}; //!< that were audited, and too wrong to be replayed again
    double eventsAudited{0};            //!< that audits stand for
    double work{0};                     //!< that the Controller has cost, in events' worth, roughly
};

/** \return the counters by name; changes of state that did not occur are left out */
nlohmann::ordered_json ToJson(const ControllerStatistics& statistics);

} // namespace wormhole

#endif // WORMHOLE_CONTROLLER_STATISTICS_H
