/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_PROBES_H
#define WORMHOLE_PROBES_H

#include "tracking/partition-table.h"

#include <optional>
#include <unordered_map>

namespace wormhole
{

/** Partitions that came from the same episode and are skipped alike: one of them looks for all
 * whether rates hold. */
class Probes
{
  public:
    Probes(const ControllerContext& context, PartitionTable& table);

    /** \return until when \p record, at the end of a stretch, may leave it to another one to look
     * whether its rates hold; nullopt if it must look itself: it is then the probe for others that
     * came from the same episode, no earlier */
    std::optional<Time> NextLook(const PartitionRecord& record);

    /** All partitions are gone. */
    void Forget();

  private:
    const ControllerContext& m_context;
    PartitionTable& m_table;
    std::unordered_map<Signature, PartitionId>
        m_probes; //!< by signature of the key of their episodes: who looks for all
};

} // namespace wormhole

#endif // WORMHOLE_PROBES_H
