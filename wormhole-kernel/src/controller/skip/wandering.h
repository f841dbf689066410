/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_WANDERING_H
#define WORMHOLE_WANDERING_H

#include "controller/skip/crowds.h"
#include "tracking/partition-table.h"

#include <optional>
#include <vector>

namespace wormhole
{

/**
 * \brief Partitions of many flows that are alike and held back by one port, where the shares of
 * single flows never settle, but their sum does.
 *
 * They are skipped with shares that wander as those of their packets did: about the fair one, or
 * about another one if a flow that crosses other ports, too, had it all along. What one flow
 * delivers is drawn then: right on average, and off by as much as packet level is from itself when
 * it is disturbed.
 */
class Wandering
{
  public:
    Wandering(const ControllerContext& context, PartitionTable& table, Account& account);

    /** \p record is sampled from now on. */
    void Start(PartitionRecord& record) const;

    /** In a window of samples, \p time long, the flows of \p record had \p rates. */
    void Look(PartitionRecord& record, Duration time, const std::vector<Rate>& rates);

    /** \return the mean shares of \p record, if what it was seen to do is known to wander about
     * these; it does from now on */
    std::optional<SteadyRates> Expect(PartitionRecord& record) const;

    /** Something has happened to \p record: if it wandered, it still does if all of its flows did.
     */
    static void Keep(PartitionRecord& record);

    /** \return the mean shares of \p record, which wanders, if the sum of \p rates, in \p time of
     * packets, says that it still does */
    std::optional<SteadyRates> LookAgain(PartitionRecord& record,
                                         Duration time,
                                         const std::vector<Rate>& rates) const;

    /** \return \p record, which wanders, does so for \p span: the mean rates of its flows */
    std::vector<Rate> Go(PartitionRecord& record, Duration span) const;

  private:
    bool AreSame(const PartitionMembers& members) const;
    bool MeetOnce(const PartitionMembers& members) const;
    static SteadyRates MeanShares(const PartitionRecord& record);

    const ControllerContext& m_context;
    PartitionTable& m_table;
    Account& m_account;
    Crowds m_crowds;
};

} // namespace wormhole

#endif // WORMHOLE_WANDERING_H
