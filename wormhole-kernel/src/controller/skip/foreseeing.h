/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_FORESEEING_H
#define WORMHOLE_FORESEEING_H

#include "tracking/account.h"
#include "tracking/packet-state.h"
#include "tracking/partition-table.h"

#include <optional>

namespace wormhole
{

class Auditing;
class Settling;

/** Skips by what the simulator foresees (Simulator::Foresee) instead of steady rates. */
class Foreseeing
{
  public:
    Foreseeing(const ControllerContext& context,
               PartitionTable& table,
               PacketState& packets,
               Account& account,
               Settling& settling,
               Auditing& auditing);

    /** \return what \p record, whose packets are simulated, comes to, if that is worth a skip */
    std::optional<Foresight> Look(const PartitionRecord& record) const;

    /** \return the mean rates that \p foresight stands for */
    static std::vector<Rate> RatesOf(const Foresight& foresight);

    /** \p record is skipped by \p foresight. */
    void Begin(PartitionRecord& record, Foresight foresight);

    /** The skip of \p record is at its end. \return whether its packets go on, and nothing else
     * has been decided */
    bool End(PartitionRecord& record);

    /** The skip of \p record is over before: its packets may run. */
    void Interrupt(PartitionRecord& record);

  private:
    /** \return whether the skip of \p record goes on: more is foreseen */
    bool Prolong(PartitionRecord& record);
    bool IsRefuted(PartitionRecord& record);
    void Apply(PartitionRecord& record, bool ends);
    void Complete(PartitionRecord& record);
    void AssumeRates(const PartitionRecord& record);

    const ControllerContext& m_context;
    PartitionTable& m_table;
    PacketState& m_packets;
    Account& m_account;
    Settling& m_settling;
    Auditing& m_auditing;
};

} // namespace wormhole

#endif // WORMHOLE_FORESEEING_H
