/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_CONTROLLER_IMPL_H
#define WORMHOLE_CONTROLLER_IMPL_H

#include "controller/auditing.h"
#include "controller/deciding.h"
#include "controller/following.h"
#include "controller/replaying.h"
#include "controller/sample/sampling.h"
#include "controller/settling.h"
#include "controller/skip/recalling.h"
#include "controller/skip/skipping.h"
#include "controller/skip/wandering.h"
#include "controller/suspending.h"
#include "tracking/account.h"
#include "tracking/packet-state.h"
#include "tracking/partition-table.h"
#include "tracking/recorder.h"

#include <optional>
#include <vector>

namespace wormhole
{

/** \return \p options
 *  \throws UsageError if one is out of range */
const ControllerOptions& Validated(const ControllerOptions& options);

/**
 * \brief The state machine of the partitions, whose parts do the work.
 *
 *     fresh --Deciding--> Replaying, Following, Recording, or Running (nothing to record)
 *     Following --Following::EndFollowing--> Replaying or Recording
 *     Recording, Running, Waking --Sampling--> Skipping, once steady
 *     Skipping --Skipping::End--> Waking, or at a tail: Replaying, Following, Recording, Running
 *     Replaying --Replaying::End--> Skipping (converged), or fresh (completed)
 *     any --Settling--> fresh, when something happens to the partition
 */
class Controller::Impl
{
  public:
    Impl(Simulator& simulator, EpisodeStore* store, const ControllerOptions& options);

    void SetDecisionHandler(DecisionHandler handler);
    void SetWarningHandler(WarningHandler handler);

    void FlowStarted(FlowId flow, const std::vector<PortId>& path, Time now);
    bool MayGoBack(PartitionId partition, Time at) const;
    void FlowStartedLate(FlowId flow, const std::vector<PortId>& path, Time at);
    void FlowEnded(FlowId flow, Time at);
    void FlowRerouted(FlowId flow, const std::vector<PortId>& path, Time now);
    void PortChanged(PortId port, Time now);
    void LimitNear(PortId port, Time now);
    bool IsFollowed(PortId port) const;
    void LoadChanged(PortId port, Time now);
    void Disturbed(FlowId flow, Time now);
    std::optional<Time> NextAlarm() const;
    void RunAlarms(Time now);
    void Finish(Time now);

    bool IsSuspended() const;
    double LeastEvents() const;
    bool PaysOff() const;
    bool SavesLittle() const;
    void AddReplayed(std::uint64_t events);
    const PartitionMap& Map() const;
    PartitionState StateOf(PartitionId partition) const;
    StateCounts CountStates() const;
    Bytes DeliveredBy(FlowId flow, Time now) const;
    const ControllerStatistics& Statistics();

  private:
    void RunAlarm(PartitionRecord& record);

    /** Suspends if more is spent than may be, by \p debt (events' worth). */
    void SuspendIfSpent(double debt);

    ControllerStatistics m_statistics;
    const ControllerOptions m_options;
    const ControllerContext m_context;
    Account m_account;
    PartitionTable m_table;
    Wandering m_wandering;
    Recalling m_recalling;
    PacketState m_packets;
    Recorder m_recorder;

    // Each knows those that it hands partitions to.
    Replaying m_replaying;
    Following m_following;
    Sampling m_sampling;
    Skipping m_skipping;
    Deciding m_deciding;
    Settling m_settling;
    Auditing m_auditing;
    Suspending m_suspending;
};

} // namespace wormhole

#endif // WORMHOLE_CONTROLLER_IMPL_H
