/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_RECALLING_H
#define WORMHOLE_RECALLING_H

#include "tracking/controller-context.h"
#include "tracking/known-rates.h"
#include "tracking/partition-record.h"

#include <vector>

namespace wormhole
{

/** Flows that share no port, and the rates that they came to under the same conditions before: a
 * short look tells whether they are there. */
class Recalling
{
  public:
    explicit Recalling(const ControllerContext& context);

    /** \return whether \p record goes on for so long at \p rates that these should be good */
    bool IsLong(const PartitionRecord& record, const std::vector<Rate>& rates) const;

    /** \return the rate that \p record is known to come to; nullptr if none is */
    const KnownRate* Find(const PartitionRecord& record) const;

    /** The packets of \p record are simulated from now on: if its rate is known, that is what is
     * looked for. \return whether that is so */
    bool Recall(PartitionRecord& record) const;

    /** \return whether \p rates, of a look, are those that were recalled of \p record, or that it
     * was skipped with */
    bool IsThere(const PartitionRecord& record, const std::vector<Rate>& rates) const;

    /** \p record is steady at \p rates, which are to be remembered if they only depend on what is
     * known; \p proven as in KnownRate */
    void Note(const PartitionRecord& record, const SteadyRates& rates, bool proven);

    /** \return noise that is taken for granted in a look at \p record, relative to its rates */
    double LeastNoise(const PartitionRecord& record) const;

    /** \return samples after which \p record is looked at whose rates are known */
    std::uint32_t SamplesOfLook(const PartitionRecord& record) const;

  private:
    /** \return whether \p record is one flow that is looked at where no transient should be */
    static bool IsShortLook(const PartitionRecord& record);

    const ControllerContext& m_context;
    KnownRates m_known;
};

} // namespace wormhole

#endif // WORMHOLE_RECALLING_H
