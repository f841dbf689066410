/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_GROUPS_APART_H
#define WORMHOLE_GROUPS_APART_H

#include "tracking/partition-table.h"

namespace wormhole
{

/** Finds the groups that \p record would fall apart into, if its flows were allowed to
 * (Simulator::SetApart). */
void FindGroupsApart(const Simulator& simulator, const PartitionMap& map, PartitionRecord& record);

/** Those groups of \p record that are steady could have been left out since the last sample.
 * Sets them apart if that is worth it. */
void MissGroupsApart(Simulator& simulator, Account& account, PartitionRecord& record);

} // namespace wormhole

#endif // WORMHOLE_GROUPS_APART_H
