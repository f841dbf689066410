/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_SAMPLING_H
#define WORMHOLE_SAMPLING_H

#include "tracking/partition-table.h"

namespace wormhole
{

class Following;
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
             Skipping& skipping);

    void Start(PartitionRecord& record);

    /** Takes a sample, and skips \p record if it is steady. */
    void Sample(PartitionRecord& record);

    /** \p record has become steady at \p rates, for the first time. */
    void StartTrend(PartitionRecord& record, const std::vector<Rate>& rates);

    /** No packet of \p record was simulated for \p elapsed. */
    void SkipTrend(PartitionRecord& record, Duration elapsed);

    /** For \p elapsed, which was skipped, \p record was taken to follow its approaches. */
    static void Carry(PartitionRecord& record, Duration elapsed);

    /** Something has happened to \p record. */
    void ForgetTrend(PartitionRecord& record);

  private:
    /** The next sample of \p record is due. */
    void Await(PartitionRecord& record);

    /** \return what \p record seems to do, if it has been given the time to show more */
    std::optional<SteadyRates> Expect(PartitionRecord& record) const;

    /** Finds what unequal shares that \p record has of ports at \p rates are on their way to.
     * \return whether that is known of all of them */
    bool FindApproaches(const PartitionRecord& record, SteadyRates& rates) const;

    /** \return whether what \p record seems to do counts */
    bool Expects(const PartitionRecord& record) const;

    /** Looks whether the rates of \p record, which is waking or known, have held, if it was sampled
     * for long enough. \return whether it is skipped again */
    bool Look(PartitionRecord& record);

    /** The same of one whose rates are strictly judged: a short look is enough where no flow shares
     * a port with another one. */
    bool LookStrictly(PartitionRecord& record);

    /** Looks whether \p record, which wanders, still does, and skips it if so. */
    void LookAtSum(PartitionRecord& record);

    /** \p record is steady, for as long as its trend allows. */
    void LookAtTrend(PartitionRecord& record, SteadyRates& steady);

    /** Finds what \p record would fall apart into. */
    void FindGroups(PartitionRecord& record) const;

    /** Those groups of \p record that are steady could have been left out since the last sample.
     * Sets them apart if that is worth it. */
    void MissGroups(PartitionRecord& record);

    /** \return the slowest period of the controls of the flows of \p record */
    Duration SlowestPeriod(const PartitionRecord& record) const;

    const ControllerContext& m_context;
    PartitionTable& m_table;
    Account& m_account;
    Following& m_following;
    Wandering& m_wandering;
    Skipping& m_skipping;
    std::uint64_t m_strictly{0};  //!< partitions found steady by all that their samples say
    std::uint64_t m_seemingly{0}; //!< ... by what they seem to do
};

} // namespace wormhole

#endif // WORMHOLE_SAMPLING_H
