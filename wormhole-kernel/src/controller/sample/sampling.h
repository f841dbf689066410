/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_SAMPLING_H
#define WORMHOLE_SAMPLING_H

#include "controller/sample/looking.h"
#include "tracking/partition-table.h"

namespace wormhole
{

class Following;
class Recalling;
class Skipping;
class Wandering;

/** Partitions whose packets are simulated, until they are steady. */
class Sampling
{
  public:
    Sampling(const ControllerContext& context,
             PartitionTable& table,
             Account& account,
             Following& following,
             Wandering& wandering,
             Recalling& recalling,
             Skipping& skipping);

    void Start(PartitionRecord& record);

    /** Takes a sample, and skips \p record if it is steady. */
    void Sample(PartitionRecord& record);

  private:
    /** The next sample of \p record is due. */
    void Await(PartitionRecord& record);

    /** \return how \p record is to be judged now: what has been skipped for long may be looked at
     * for longer */
    SteadyStateOptions OptionsFor(const PartitionRecord& record) const;

    /** \return what \p record seems to do, if it has been given the time to show more */
    std::optional<SteadyRates> Expect(PartitionRecord& record) const;

    bool AreOnWay(const PartitionRecord& record, const std::vector<double>& noise) const;

    bool MayBeOfTransient(PartitionRecord& record, const SteadyRates& steady) const;

    /** \return whether samples of \p record say what its rates are; otherwise, it begins anew with
     * longer ones */
    bool AreLongEnough(PartitionRecord& record) const;

    /** \return whether flows of \p record, at \p rates, are raised by timers, and have been for a
     * window: by steps that seem to be noise */
    bool IsRising(const PartitionRecord& record, const std::vector<Rate>& rates) const;

    /** \return whether flows of \p record that share ports leave these idler than their controls do
     * in the end: frames that keep their places among others hold a flow back for some tenths of a
     * millisecond. So that is believed after so many windows only. */
    bool MayBeForAWhile(const PartitionRecord& record, const std::vector<Rate>& rates) const;

    /** \return whether what \p record seems to do counts */
    bool Expects(const PartitionRecord& record) const;

    const ControllerContext& m_context;
    PartitionTable& m_table;
    Account& m_account;
    Following& m_following;
    Wandering& m_wandering;
    Recalling& m_recalling;
    Skipping& m_skipping;
    Looking m_looking;
    std::uint64_t m_strictly{0};  //!< partitions found steady by all that their samples say
    std::uint64_t m_seemingly{0}; //!< ... by what they seem to do
};

} // namespace wormhole

#endif // WORMHOLE_SAMPLING_H
