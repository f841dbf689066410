/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_RATE_SAMPLER_H
#define WORMHOLE_RATE_SAMPLER_H

#include "tracking/flow-record.h"
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

/**
 * \brief Samples the rates of one partition's flows, all at the same times.
 *
 * Both that at which a flow's bytes arrive and that which its congestion control allows: where
 * something else limits the flow, what arrives stays the same while its control is on its way, and
 * changes when that has come far enough.
 */
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

    /** \return the rates if all flows are steady, and their controls at rest */
    std::optional<SteadyRates> Judge() const;

    /** \return whether a window is at least \p period long; otherwise, begins anew with samples
     * that are long enough for that */
    bool Spans(Duration period, const Simulator& simulator, const PartitionMembers& members);

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
        SteadyStateDetector arriving;
        SteadyStateDetector allowed; //!< by the congestion control, as a queue; ...
        Rate unit;                   //!< ... of this
        Rate latest;                 //!< the last sample of what arrives
        Bytes delivered;             //!< at the last sample
        std::optional<Time> at;      //!< when the last of these came, if that is known
    };

    void Begin(const Simulator& simulator, const PartitionMembers& members);

    std::uint32_t m_window{0}; //!< samples
    Duration m_interval{0};
    std::uint32_t m_count{0};
    std::vector<Series> m_series; //!< of the flows, ascending
};

} // namespace wormhole

#endif // WORMHOLE_RATE_SAMPLER_H
