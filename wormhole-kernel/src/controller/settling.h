/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_SETTLING_H
#define WORMHOLE_SETTLING_H

#include "tracking/packet-state.h"
#include "tracking/partition-table.h"

#include <unordered_map>
#include <vector>

namespace wormhole
{

class Following;
class Replaying;
class Skipping;

/** What happens to partitions from outside: brings them to the current time, and makes them fresh,
 * so that it is decided anew what to do with them. */
class Settling
{
  public:
    Settling(const ControllerContext& context,
             PartitionTable& table,
             PacketState& packets,
             Account& account,
             Replaying& replaying,
             Skipping& skipping,
             Following& following);

    /** Makes all partitions on \p ports fresh. */
    void SettlePorts(const std::vector<PortId>& ports, Reason reason);

    /** Makes the partition of \p flow fresh. */
    void SettleFlow(FlowId flow, Reason reason);

    /** Brings all partitions to the current time, and lets them run. */
    void SettleAll(Reason reason);

    /** Those that follow \p leader go on without it. */
    void SettleFollowers(PartitionId leader, Reason reason);

    /** Lets the packets of the partition of \p flow, which is fresh, run now: they are about to be
     * touched. */
    void RunFresh(FlowId flow);

    /** \p port may carry another load than before. */
    void LoadChanged(PortId port);

    /** The same, and there are no partitions that it could matter to. */
    void NoteLoad(PortId port);

    /** \return whether SettleReloaded has something to look at */
    bool IsReloaded() const
    {
        return !m_reloaded.empty();
    }

    /** Makes partitions fresh whose ports carry another load than when this was looked at last. */
    void SettleReloaded();

    /** \p flow is there, with all partitions on its \p path fresh. */
    void Register(FlowId flow, const std::vector<PortId>& path, Reason reason);

    /** Keeps the records in step with the map: a flow has started. */
    void Joined(const PartitionChange& change, Reason reason);

    /** The same: a flow has ended. */
    void Left(const PartitionChange& change, Reason reason);

    /** Lets the packets of \p record, which stopped \p shift before \p from, catch up: it is fresh
     * then, or flows that ended within have taken it apart. */
    void CatchUp(PartitionRecord& record, Time from, Reason reason, Duration shift = Duration{0});

  private:
    /** Brings \p record to the current time, where something is about to happen to it. It may be
     * gone or not yet fresh afterwards, if flows end on the way. */
    void Settle(PartitionRecord& record, Reason reason);

    /** The same of a partition that is being skipped. */
    void Interrupt(PartitionRecord& record, Reason reason);

    /** The same of one that is being replayed, or follows. */
    void CatchUp(PartitionRecord& record, Reason reason);

    void Refresh(PartitionRecord& record, Reason reason);

    /** \p partition, whose flows are in another one or gone, is gone. */
    void Forget(PartitionId partition);

    /** The load of \p port has changed. */
    void Reload(PortId port);

    const ControllerContext& m_context;
    PartitionTable& m_table;
    PacketState& m_packets;
    Account& m_account;
    Replaying& m_replaying;
    Skipping& m_skipping;
    Following& m_following;
    std::vector<PortId> m_reloaded; //!< LoadChanged
    std::unordered_map<PortId, std::int32_t>
        m_loads; //!< PortAttributes::backgroundClass; others: 0
};

} // namespace wormhole

#endif // WORMHOLE_SETTLING_H
