/*
 * SPDX-License-Identifier: MIT
 */
#include "wormhole/controller-statistics.h"

#include <nlohmann/json.hpp>
#include <string>

namespace wormhole
{

nlohmann::ordered_json
ToJson(const ControllerStatistics& statistics)
{
    using Json = nlohmann::ordered_json;
    Json transitions = Json::object();
    Json flowSeconds = Json::object();
    for (std::size_t from = 0; from < PARTITION_STATES; ++from)
    {
        const std::string name = ToString(static_cast<PartitionState>(from));
        flowSeconds[name] = static_cast<double>(statistics.flowTime[from].count()) * 1e-12;
        for (std::size_t to = 0; to < PARTITION_STATES; ++to)
        {
            if (const std::uint64_t count = statistics.transitions[from][to])
            {
                transitions[name + "-" + ToString(static_cast<PartitionState>(to))] = count;
            }
        }
    }
    Json reasons = Json::object();
    for (std::size_t reason = 0; reason < REASONS; ++reason)
    {
        reasons[ToString(static_cast<Reason>(reason))] = statistics.reasons[reason];
    }
    return {
        {"transitions", transitions},
        {"reasons", reasons},
        {"flowSeconds", flowSeconds},
        {"decisions", statistics.decisions},
        {"flowsDecided", statistics.flowsDecided},
        {"largestPartition", statistics.largestPartition},
        {"bytesSkipped", statistics.bytesSkipped},
        {"bytesDrawn", statistics.bytesDrawn},
        {"bytesReplayed", statistics.bytesReplayed},
        {"eventsReplayed", statistics.eventsReplayed},
        {"eventsSkipped", statistics.eventsSkipped},
        {"recordingsStored", statistics.recordingsStored},
        {"recordingsDisturbed", statistics.recordingsDisturbed},
        {"recordingsUnforeseen", statistics.recordingsUnforeseen},
        {"recordingsWithoutState", statistics.recordingsWithoutState},
        {"recordingsByChance", statistics.recordingsByChance},
        {"replaysInterrupted", statistics.replaysInterrupted},
        {"followers", statistics.followers},
        {"followersReplayed", statistics.followersReplayed},
        {"followersCaughtUp", statistics.followersCaughtUp},
        {"skipsInterrupted", statistics.skipsInterrupted},
        {"samples", statistics.samples},
        {"suspensions", statistics.suspensions},
        {"eventsSuspended", statistics.eventsSuspended},
        {"eventsMissed", statistics.eventsMissed},
        {"auditable", statistics.auditable},
        {"audited", statistics.audited},
        {"bytesAudited", statistics.bytesAudited},
        {"bytesWrong", statistics.bytesWrong},
        {"largestAuditError", statistics.largestAuditError},
        {"episodesThrownOut", statistics.episodesThrownOut},
        {"eventsAudited", statistics.eventsAudited},
        {"work", statistics.work},
    };
}

} // namespace wormhole
