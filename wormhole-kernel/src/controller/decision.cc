/*
 * SPDX-License-Identifier: MIT
 */
#include "wormhole/decision.h"

namespace wormhole
{

const char*
ToString(PartitionState state)
{
    static constexpr const char* NAMES[] = {
        "Running",
        "Recording",
        "Replaying",
        "Following",
        "Skipping",
        "Waking",
    };
    static_assert(sizeof(NAMES) / sizeof(*NAMES) == PARTITION_STATES);
    return NAMES[static_cast<std::size_t>(state)];
}

const char*
ToString(Reason reason)
{
    static constexpr const char* NAMES[] = {
        "FlowStarted",  "FlowEnded",       "FlowRerouted",    "PortChanged",  "LoadChanged",
        "Disturbed",    "EpisodeFound",    "EpisodeUnknown",  "EpisodeUnfit", "EpisodeAwaited",
        "EpisodeOver",  "Steady",          "TailReached",     "StretchOver",  "RatesHeld",
        "RatesChanged", "NothingToRecord", "OverBudget",      "SavesLittle",  "Suspended",
        "Resumed",      "Finished",        "DecidedByChance", "Audited",      "Foreseen",
    };
    static_assert(sizeof(NAMES) / sizeof(*NAMES) == REASONS);
    return NAMES[static_cast<std::size_t>(reason)];
}

} // namespace wormhole
