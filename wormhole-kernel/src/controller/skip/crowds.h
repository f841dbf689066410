/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_CROWDS_H
#define WORMHOLE_CROWDS_H

#include "steady/wander-pool.h"
#include "tracking/partition-table.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace wormhole
{

/**
 * \brief What partitions teach others that are like them: how shares of one full port wander.
 *
 * One partition alone is seldom seen for long enough: shares of a few flows lock into patterns that
 * last for milliseconds, or for ever.
 */
class Crowds
{
  public:
    Crowds(const ControllerContext& context, const PartitionTable& table);

    /** \return what others have in common with \p members whose shares wander alike; nullopt if
     * these are too few, or differ */
    static std::optional<Signature> Of(const Simulator& simulator, const PartitionMembers& members);

    /** The latest look at \p record, in packets, had the mean rates \p rates. */
    void Look(const PartitionRecord& record, const std::vector<Rate>& rates);

    /** \return how the shares of \p record are expected to wander, or to become fair, without
     * chance, if they are few; nullopt if that is not known of others, or if it does not look as
     * they do */
    std::optional<Wander> Expect(const PartitionRecord& record) const;

    /** \return by how much the share of each flow of \p record, which has been looked at, differs
     * from the fair one for good: as much as those of all that cross as many links, on average; 0
     * in sum. A shorter round trip is a larger share */
    std::vector<double> Lasting(const PartitionRecord& record) const;

  private:
    const ControllerContext& m_context;
    const PartitionTable& m_table;
    std::unordered_map<Signature, WanderPool> m_pools; //!< by WanderState::crowd
};

} // namespace wormhole

#endif // WORMHOLE_CROWDS_H
