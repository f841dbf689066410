/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_PARTITION_RECORD_H
#define WORMHOLE_PARTITION_RECORD_H

#include "steady/share-watch.h"
#include "steady/trend-watch.h"
#include "steady/wander.h"
#include "tracking/flow-record.h"
#include "tracking/rate-sampler.h"
#include "tracking/recorder.h"
#include "wormhole/conflict-graph.h"
#include "wormhole/decision.h"
#include "wormhole/episode-store.h"
#include "wormhole/simulator.h"

#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

namespace wormhole
{

/**
 * \brief When something is to be done about a partition.
 *
 * Skips and replays end before anything is decided, for their ends may start flows at the same
 * time; and followers whose leader is at its end go on before that, for their replays may end at
 * the same time.
 */
struct Alarm
{
    enum class Phase : std::uint8_t
    {
        Follow,
        End,
        Decide,
    };

    Time time;
    Phase phase;
    PartitionId partition;

    friend bool operator<(const Alarm& a, const Alarm& b)
    {
        return std::tie(a.time, a.phase, a.partition) < std::tie(b.time, b.phase, b.partition);
    }
};

/** An episode is known, but packets are simulated all the same. */
struct UnusedEpisode
{
    double events; //!< that it stands for
    Time by;       //!< by when it might have saved them
};

/** Of a partition that is being replayed, or might have been; used by class Replaying. */
struct ReplayState
{
    EpisodeHit hit;                      //!< Replaying
    Signature key;                       //!< Replaying: of the conflict graph that it was found by
    std::optional<UnusedEpisode> unused; //!< Running
};

/** A partition waits for what is recorded of another one, its leader. */
struct Leader
{
    std::optional<PartitionId> partition; //!< none: its recording has ended at this time
    std::vector<std::uint32_t> flows;     //!< for each flow, its counterpart in that recording
    bool again{true};                     //!< none: another leader may do
    std::unique_ptr<Recording> own;       //!< what it records itself from its start, if need be
    std::optional<EpisodeHit> soFar;      //!< what a leader that started together with this one
                                          //!< did up to some time, when something happened
    std::optional<SteadyRates> seems;     //!< that then: it seems steady, at these rates of its own
};

/** Of a partition that is being recorded, or follows one that is; used by class Following. */
struct FollowState
{
    std::unique_ptr<Recording> recording; //!< Recording
    std::set<PartitionId> followers;      //!< Recording: who wait for it
    std::optional<Leader> leader;         //!< Following
};

/** Of a partition whose packets are simulated; used by class Sampling. */
struct SampleState
{
    RateSampler sampler;
    bool keeps{false};               //!< what was sampled of it, which is running, still counts
    std::optional<TrendWatch> trend; //!< since it became steady first
    ShareWatch shares;               //!< since something happened to it
    Time next;                       //!< when the next sample is due
    Time lookedUntil;                //!< up to when its packets are in there
    std::uint32_t steadySince{0};    //!< sample at which it became steady; 0: it has not yet
    bool rough{false};               //!< its rate is, as in KnownRate
    std::vector<FlowGroup> apart;    //!< groups of its flows that would be partitions by themselves
                                     //!< (Simulator::SetApart); none if it would be one
};

/** Of a partition whose flows are many and alike; used by class Wandering. */
struct WanderState
{
    std::optional<WanderWatch> watch; //!< since something happened to it
    std::optional<Signature> crowd;   //!< what partitions have in common whose shares wander alike
    bool meets{false};                //!< its flows are many, and meet at one port alone
    std::uint32_t looks{0};           //!< by it
    std::optional<Wander> wander;     //!< if it is known to wander: so
    std::vector<FlowId> flows;        //!< those that it had then, ascending
    std::vector<double> lasting;      //!< by how much shares differ all along, relative
    std::vector<double> deviations;   //!< the same beside it, as of its skips; 0 in sum
    Rate sum{};                       //!< of its rates
    double latest{0};                 //!< the same, bytes/s, at the latest look; 0: none
    Duration looked{0};               //!< for how long it was seen to wander
    Duration summed{0};               //!< ... with as many flows as now
};

/** Of a partition that is steady; used by class Skipping. */
struct SkipState
{
    std::optional<Time> waits;           //!< Running, Waking: until then it was steady in vain
    std::vector<Rate> rates;             //!< Skipping, Waking: of the flows, ascending
    std::vector<double> noise;           //!< of these, as in SteadyRates
    std::vector<Approach> approaches;    //!< of these, as in SteadyRates
    std::vector<double> drifts;          //!< of their controls, as in SteadyRates
    std::vector<Rate> begins;            //!< Skipping, if there are approaches: rates at its start,
                                         //!< and the above are the means of it
    bool known{false};                   //!< Running, Recording: the rates were these before
                                         //!< something that may not matter
    std::optional<Signature> conditions; //!< that the rate of its only flow follows from
    bool recalled{false};                //!< known, because they were so under these conditions
    bool proven{false};                  //!< recalled: as in KnownRate
    std::uint32_t looks{1};              //!< that agreed since it became steady, some at most
    bool toTail{false};                  //!< Skipping: up to where a flow is at its tail
    Duration stretch{0};                 //!< longest next skip
    Duration held{0};                    //!< since it became steady, skipped
    std::optional<ConflictGraph> source; //!< key of the episode at whose end it became steady, or
                                         //!< which others seem steady as well
    std::vector<Rate> sourceRates;       //!< and the rates then; none: it is not stored
    Time steadySince;                    //!< when it became steady
    std::optional<Foresight> foreseen;   //!< Skipping: not by rates, but by this
};

/** What the Controller knows of a partition. */
struct PartitionRecord
{
    PartitionId id;
    PartitionState state{PartitionState::Running};
    Time since;                 //!< when the state began
    std::optional<Alarm> alarm; //!< pending

    /** It was changed or disturbed at this time; what to do with it is decided at the end of that.
     * Its flows are running or evicted, and #members is outdated. */
    bool fresh{false};

    Time undisturbedSince; //!< when it was last decided about, fresh
    Time stoppedAt;        //!< Replaying, Following: when packets stopped
    PartitionMembers members;

    ReplayState replaying;
    FollowState following;
    SampleState sampling;
    WanderState wandering;
    SkipState skipping;
};

} // namespace wormhole

#endif // WORMHOLE_PARTITION_RECORD_H
