/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_RATE_SAMPLER_H
#define WORMHOLE_RATE_SAMPLER_H

#include "flow-record.h"
#include "wormhole/partition-map.h"
#include "wormhole/steady-state.h"

#include <vector>

namespace wormhole
{

/** The rates at which the flows of one partition go on, and for how long these are good. */
struct SteadyRates
{
    std::vector<Rate> rates; //!< of the flows, ascending
    Duration horizon{0};  //!< longest use of them; Duration::max() if there is no sign of a trend
    Duration shortest{0}; //!< shortest use of them, for flows that oscillate
};

/** Samples the rates of one partition's flows, all at the same times. */
class RateSampler
{
  public:
    /** Begins anew. */
    void Start(const Simulator& simulator,
               const PartitionMembers& members,
               const SteadyStateOptions& options);

    /** \return the time between two samples of \p members: the longest that one of the flows asks
     * for */
    static Duration IntervalOf(const Simulator& simulator, const PartitionMembers& members);

    /** Takes a sample; one interval after the last one, or after Start. */
    void Sample(const Simulator& simulator,
                const PartitionMap& partitions,
                const PartitionMembers& members);

    /** \return the rates if all flows are steady */
    std::optional<SteadyRates> Judge() const;

    Duration Interval() const
    {
        return m_interval;
    }

    /** \return the last sample of flow \p index of the members; there is one */
    Rate Latest(std::size_t index) const
    {
        return m_series[index].latest;
    }

    /** \return samples since Start */
    std::uint32_t Count() const
    {
        return m_count;
    }

  private:
    struct Series
    {
        SteadyStateDetector detector;
        Rate latest;            //!< the last sample
        Bytes delivered;        //!< at the last sample
        std::optional<Time> at; //!< when the last of these came, if that is known
    };

    Duration m_interval{0};
    std::uint32_t m_count{0};
    std::vector<Series> m_series; //!< of the flows, ascending
};

} // namespace wormhole

#endif // WORMHOLE_RATE_SAMPLER_H
