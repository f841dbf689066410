/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_LEAPING_H
#define WORMHOLE_LEAPING_H

#include "tracking/account.h"
#include "tracking/packet-state.h"
#include "tracking/partition-table.h"

namespace wormhole
{

class Auditing;
class Wandering;

/** What a skip does to flows: their packets stop, and bytes are credited when it is over. */
class Leaping
{
  public:
    Leaping(const ControllerContext& context,
            PartitionTable& table,
            PacketState& packets,
            Account& account,
            Wandering& wandering,
            Auditing& auditing);

    /** \p record is skipped with its rates for \p span; up to a tail if \p toTail.
     * \return for how long: \p span, or less if a flow is at its tail by then */
    Duration Begin(PartitionRecord& record, Duration span, bool toTail);

    /** The skip of \p record is over, as far as it has come: its packets may run.
     * \param changes as Simulator::Changing */
    void End(PartitionRecord& record, bool changes);

    /** The skip of \p record was over at \p until; what has happened since takes the place of its
     * packets. */
    void EndAt(PartitionRecord& record, Time until);

    /** \return whether an audit says that the skip of \p record, at its end, has gone otherwise */
    bool IsRefuted(PartitionRecord& record);

    /** \return what flow \p index of \p record has delivered of its skip by \p now */
    Bytes DeliveredBy(const PartitionRecord& record, std::size_t index, Time now) const;

  private:
    void Credit(PartitionRecord& record, Duration elapsed);

    /** \p record has been skipped: rates that were on their way have moved. */
    void Carry(PartitionRecord& record);

    /** The same of controls that do not limit their flows. */
    void CarryControls(const PartitionRecord& record, Duration elapsed);

    const ControllerContext& m_context;
    PartitionTable& m_table;
    PacketState& m_packets;
    Account& m_account;
    Wandering& m_wandering;
    Auditing& m_auditing;
};

} // namespace wormhole

#endif // WORMHOLE_LEAPING_H
