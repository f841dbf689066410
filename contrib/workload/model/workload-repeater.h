/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_REPEATER_H
#define WORKLOAD_REPEATER_H

#include "workload-transport.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup workload A port that a transfer, or its acknowledgements, may cross. */
struct WorkloadHop
{
    uint32_t port{0}; ///< number in the network
    uint64_t kind{0}; ///< ports of one kind are alike in all that matters
};

/** \ingroup workload A transfer that goes as one did before. */
struct WorkloadRepeatedTransfer
{
    WorkloadTransfer transfer;
    uint32_t order{0}; ///< in which it started, from 0, among those it is repeated with
    int64_t startPs{0};
    int64_t deliveredPs{0};
    int64_t endPs{0}; ///< when the sender knew
};

/** \ingroup workload What came of collectives that a runner could repeat. */
struct WorkloadRepeats
{
    uint64_t recorded{0};    ///< simulated, and remembered
    uint64_t repeated{0};    ///< not simulated, as they were known
    uint64_t followed{0};    ///< of these, known only when an equal one was over
    uint64_t steps{0};       ///< not simulated, of those that were recorded
    uint64_t transfers{0};   ///< of what was repeated
    uint64_t hops{0};        ///< crossings of links that this saved
    uint64_t audited{0};     ///< known, but simulated all the same
    uint64_t auditedHops{0}; ///< crossings of links that this took
    double errors{0};        ///< of these: sum of shares, by which members were done too late
    double largestError{0};
    uint64_t thrownOut{0}; ///< that were not right
    uint64_t disturbed{0}; ///< recorded in vain
    uint64_t met{0};       ///< begun as known ones, then met by something else and simulated
    uint64_t delayed{0};   ///< of these, transfers that began anew then, not when they should have
    int64_t largestDelayPs{0}; ///< of those
};

/**
 * \ingroup workload
 * \brief Lets a runner leave out what it knows: transfers that meet nothing but each other, in a
 * network at rest, go as equal ones did before.
 *
 * It is for the runner to see that this is so, and for the repeater to say where transfers go.
 */
class WorkloadRepeater
{
  public:
    /** What the user chose. */
    struct Options
    {
        bool follow{true}; ///< wait for an equal collective that is being simulated
        double audit{
            0.01};       ///< share of what could be left out that is simulated, as fast-forward's
        bool late{true}; ///< what meets something after all may start late (AreIdle)
    };

    explicit WorkloadRepeater(const Options& options)
        : m_options(options)
    {
    }

    virtual ~WorkloadRepeater() = default;

    const Options& GetOptions() const
    {
        return m_options;
    }

    /**
     * \param src, dst end points
     * \param hops added to: all ports that a transfer or its acknowledgements may cross
     * \return whether each transfer from \p src to \p dst crosses them in this order, and no link
     * loses any of it
     */
    virtual bool FindHops(uint32_t src, uint32_t dst, std::vector<WorkloadHop>& hops) = 0;

    /** \return whether nothing is about at these ports, and no buffer behind them was nearly full
     * lately: transfers that cross no others could start late, as long as nothing else comes there
     * (WorkloadTransport::StartLate)
     * \param ports that FindHops has named */
    virtual bool AreIdle(const std::vector<uint32_t>& ports) = 0;

    /** Counts and records transfers that were repeated, in this order. Those of a pair take their
     * source ports in the order of their starts. */
    virtual void Repeat(const std::vector<WorkloadRepeatedTransfer>& transfers) = 0;

    /** \return frames of a transfer, without losses */
    virtual uint64_t CountFrames(const WorkloadTransfer& transfer) = 0;

    /** \return crossings of links by these and their acknowledgements */
    virtual uint64_t CountHops(const WorkloadTransfer& transfer) = 0;

    /** \return crossings of links that were simulated so far */
    virtual uint64_t GetHops() const = 0;

    /** \return pauses, losses, time-outs and drawn marks so far: what does not happen again */
    virtual uint64_t CountTroubles() const = 0;

    WorkloadRepeats& GetStatistics()
    {
        return m_statistics;
    }

    /** \return whether a transfer is not steady for long enough to be worth a skip */
    bool IsShort(const WorkloadTransfer& transfer);

    /** \param hops crossings of links by what is known \param uses of it before this one \return
     * whether it is to be simulated all the same, which is counted then: at the first use, and
     * whenever their number has doubled, if there is enough to spend */
    bool BeginsAudit(uint64_t hops, uint64_t uses);

    /** Counts what an audit found. \param difference by which it was done at another time, ps
     * \param length of what was audited, ps \return whether what is known may be used again */
    bool IsRight(int64_t difference, int64_t length);

  private:
    Options m_options;
    WorkloadRepeats m_statistics;
};

} // namespace ns3

#endif // WORKLOAD_REPEATER_H
