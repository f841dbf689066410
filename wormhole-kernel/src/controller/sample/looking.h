/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_LOOKING_H
#define WORMHOLE_LOOKING_H

#include "tracking/partition-table.h"

namespace wormhole
{

class Recalling;
class Skipping;
class Wandering;

/** Partitions whose rates are known, and whose packets tell whether these hold: for that, less time
 * is enough than for finding them. */
class Looking
{
  public:
    Looking(const ControllerContext& context,
            PartitionTable& table,
            Wandering& wandering,
            Recalling& recalling,
            Skipping& skipping);

    /** Looks whether the rates of \p record, which is waking or known, have held, if it was sampled
     * for long enough. \return whether it is skipped again */
    bool Look(PartitionRecord& record);

    /** Looks whether \p record, which wanders, still does, and skips it if so. */
    void LookAtSum(PartitionRecord& record);

  private:
    /** Look for one whose rates are strictly judged: a short look is enough where no flow shares a
     * port with another one. */
    bool LookStrictly(PartitionRecord& record);

    const ControllerContext& m_context;
    PartitionTable& m_table;
    Wandering& m_wandering;
    Recalling& m_recalling;
    Skipping& m_skipping;
};

} // namespace wormhole

#endif // WORMHOLE_LOOKING_H
