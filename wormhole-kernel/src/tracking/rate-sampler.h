/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_RATE_SAMPLER_H
#define WORMHOLE_RATE_SAMPLER_H

#include "steady/share-watch.h"
#include "steady/sliding-window.h"
#include "tracking/flow-record.h"
#include "wormhole/partition-map.h"
#include "wormhole/steady-state.h"

#include <algorithm>
#include <vector>

namespace wormhole
{

/** The rates at which the flows of one partition go on, and for how long these are good. */
struct SteadyRates
{
    std::vector<Rate> rates; //!< of the flows, ascending
    Duration horizon{0};  //!< longest use of them; Duration::max() if there is no sign of a trend
    Duration shortest{0}; //!< shortest use of them, for flows that oscillate
    bool strict{true};    //!< whether all that samples show says so, not only what they seem
    std::vector<double> noise; //!< by how much the mean of one window may differ from each rate
                               //!< without being another one, relative to it; none if rates
                               //!< must not only seem steady
    std::vector<Approach> approaches; //!< what each is on its way to; none if they all stay
    std::vector<double> drifts{}; //!< of controls that do not limit their flows, relative, in 1/s;
                                  //!< none if none moves
    Duration free{Duration::max()}; //!< for how long these do not come to limit them
    std::uint32_t windows{1};       //!< whole ones, at least 1, that the rates are means of
};

/** \return \p rates, which do not move, as those of a partition whose flows have these
 * counterparts, by their indices in \p flows */
SteadyRates OfCounterparts(const SteadyRates& rates, const std::vector<std::uint32_t>& flows);

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
               const SteadyStateOptions& options,
               bool expects);

    /** \return the time between two samples of \p members: the longest that one of the flows asks
     * for */
    static Duration IntervalOf(const Simulator& simulator, const PartitionMembers& members);

    /** \return samples of a window, as Start was told */
    std::uint32_t Window() const
    {
        return m_window;
    }

    /** \return the slowest period of the controls of \p members; 0 if none has one */
    static Duration SlowestPeriodOf(const Simulator& simulator, const PartitionMembers& members);

    /** Takes a sample; one interval after the last one, or after Start.
     *  \param restarts whether the window begins anew where a flow has lost packets or recovers
     *  \return whether it went on */
    bool Sample(const Simulator& simulator,
                const PartitionMap& partitions,
                const PartitionMembers& members,
                bool restarts);

    /** \return the rates if all flows are steady, and their controls at rest */
    std::optional<SteadyRates> Judge() const;

    /** \return the rates if all flows seem steady; only if Start was told so */
    std::optional<SteadyRates> Expect() const;

    /** \return whether flow \p index of the members is steady, or seems so if that counts */
    bool IsSteady(std::size_t index) const
    {
        const Series& series = m_series[index];
        return (m_expects ? ExpectFlow(series) : JudgeFlow(series)).IsSteady();
    }

    /** Tells \p steady by how much controls that do not limit their flows move, if it is no noise;
     * only if Start was told so */
    void FindDrifts(SteadyRates& steady) const;

    /** \return whether queues take in more, or less, than they let out, by theta: so that what
     * arrives is not what is sent; or, in a window, come to where rates are different; only if
     * Start was told so, and of one sample at least */
    bool QueuesMove() const
    {
        return std::any_of(m_series.begin(), m_series.end(), [this](const Series& series) {
            return QueuesMove(series) || series.arriving.DoQueuesMove();
        });
    }

    /** \return whether samples of a window hold packets of each flow: of a sample without any, the
     * rate seems to be 0, and the mean of samples is less than that of packets. Otherwise, begins
     * anew with longer samples */
    bool HoldsPackets(const Simulator& simulator, const PartitionMembers& members);

    /** \return the mean rates since it began, or was asked for them last */
    std::vector<Rate> TakeMeans();

    /** \return whether a window shows what happens once in each \p period; otherwise, begins anew
     * with samples that are long enough for that */
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
        SlidingWindow bytes;           //!< of the samples of what arrives, ...
        SlidingWindow spans;           //!< ... and between which arrivals they came, s
        SlidingWindow delay;           //!< in the queues of its path, s
        SlidingWindow place;           //!< the same, each times the hops to it
        SteadyStateDetector allowed;   //!< by the congestion control, as a queue; ...
        SlidingWindow control;         //!< the same, bytes/s, if m_expects
        SlidingWindow controlLonger;   //!< the same, of two windows
        Rate unit{};                   //!< ... of this
        Rate allows{};                 //!< what the control allows, at the last sample
        Rate latest{};                 //!< the last sample of what arrives
        Bytes delivered{0};            //!< at the last sample
        std::uint64_t lost{0};         //!< FlowProgress::lost when the window began
        std::optional<Time> at{};      //!< when the last of these came, if that is known
        Bytes deliveredBegin{0};       //!< when it began
        Bytes deliveredFirst{0};       //!< when means were taken last
        std::optional<Time> firstAt{}; //!< when the last of these came, if that is known
        std::uint32_t emptyAt{0};      //!< number of the last sample in which none came; 0: none
    };

    void Begin(const Simulator& simulator, const PartitionMembers& members);

    SteadyVerdict JudgeFlow(const Series& series) const;
    SteadyVerdict ExpectFlow(const Series& series) const;
    bool QueuesMove(const Series& series) const;

    /** \return whether a queue goes on from one port of a path to another, by theta of a sample
     * within a window, which its sum does not show: others that pass only one of these, such as
     * acknowledgements that are watched, wait ever longer, or ever less */
    bool QueuesShift(const Series& series) const;

    double DriftOf(const Series& series) const;

    /** \return \p rate, a mean of samples, as one of bytes: where they come in bursts, samples are
     * of different lengths, and short ones have the higher rates */
    static Rate OfBytes(const Series& series, Rate rate);

    template <typename Verdict>
    std::optional<SteadyRates> Collect(const Verdict& verdict) const;

    bool m_expects{false};
    std::uint32_t m_window{0}; //!< samples
    double m_theta{0};
    Duration m_interval{0};
    std::uint32_t m_count{0};
    std::uint32_t m_meansTaken{0}; //!< when: samples
    std::vector<Series> m_series;  //!< of the flows, ascending
};

} // namespace wormhole

#endif // WORMHOLE_RATE_SAMPLER_H
