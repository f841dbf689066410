/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_TIMING_H
#define RDMA_TIMING_H

#include "ns3/nstime.h"

#include <cstdint>
#include <string>

namespace ns3
{

constexpr int64_t RDMA_NS_PER_SECOND = 1'000'000'000;

/**
 * \ingroup rdma
 * \brief How a transmission time becomes a whole number of time steps.
 *
 * EXACT is right at any speed (with picosecond resolution); the others agree with a public
 * simulator to the nanosecond, for whoever wants to compare completion times.
 */
enum class RdmaTiming : uint8_t
{
    EXACT,       ///< nearest time step of ns-3's resolution
    HPCC_NS,     ///< as HPCC's ns-3.17: seconds as a double, as a 64-bit binary fraction, whole ns
                 ///< below
    ROUND_NS,    ///< as ASTRA-sim's ns-3, all revisions up to f764bed (2026-03): nearest ns
    TRUNCATE_NS, ///< as SimAI's ns-3: whole ns below
};

/** \return the name used on the command line: "exact", "hpcc", "round", "truncate" */
std::string RdmaTimingName(RdmaTiming timing);

/**
 * \ingroup rdma
 * \brief Turns bytes and seconds into ns-3 time steps by one RdmaTiming rule.
 *
 * A value type; it reads ns-3's time resolution when it is made, so make it after
 * Time::SetResolution. Times are in time steps, rates in bit/s.
 */
class RdmaClock
{
  public:
    /** \param timing the rule; aborts where ns-3's time resolution is coarser than nanoseconds */
    explicit RdmaClock(RdmaTiming timing = RdmaTiming::EXACT);

    RdmaTiming GetTiming() const;

    /** \return time steps in a nanosecond, at least 1 */
    int64_t StepsPerNs() const
    {
        return m_stepsPerNs;
    }

    /** \return \p time (time steps) in whole nanoseconds, cut off */
    int64_t WholeNs(int64_t time) const
    {
        // divisions by a number that is not known take long
        return m_stepsPerNs == 1000 ? time / 1000 : m_stepsPerNs == 1 ? time : time / m_stepsPerNs;
    }

    /**
     * \param bytes size on the wire
     * \param rate bit/s, more than 0
     * \return how long the transmission takes, in time steps
     */
    int64_t TransmissionTime(uint32_t bytes, uint64_t rate) const
    {
        return m_timing == RdmaTiming::EXACT ? ExactTime(bytes, rate)
                                             : NsTime(bytes, rate) * m_stepsPerNs;
    }

    /**
     * A duration that those simulators read from a file ("0.001ms", a flow's start in seconds).
     * \param time not negative
     * \param unit that the file has it in; nanoseconds for finer ones
     * \return time steps: HPCC_NS and TRUNCATE_NS truncate as those simulators do, ROUND_NS rounds,
     * EXACT has it as it is. HPCC's 0.0001 s is 99,999 ns, which is why
     * people write 0.0001000004. With nanosecond resolution, which cannot tell the two apart, all
     * times are as they are.
     */
    int64_t Duration(const Time& time, Time::Unit unit = Time::NS) const;

  private:
    int64_t ExactTime(uint32_t bytes, uint64_t rate) const;
    int64_t NsTime(uint32_t bytes, uint64_t rate) const;

    RdmaTiming m_timing;
    int64_t m_stepsPerNs;
    double m_stepsPerSecond;
};

/** \ingroup rdma How long frames of the last sizes take at a port. Data and acknowledgements of a
 * run have one size each, so two are enough. */
class RdmaTransmissionTimes
{
  public:
    /** \return the transmission time of \p bytes at \p rate (bit/s), the same in all calls; time
     * steps */
    int64_t Get(uint32_t bytes, const RdmaClock& clock, uint64_t rate)
    {
        const uint32_t which = bytes == m_bytes[0] ? 0 : 1;
        return bytes == m_bytes[which] ? m_times[which] : Keep(bytes, clock, rate);
    }

  private:
    int64_t Keep(uint32_t bytes, const RdmaClock& clock, uint64_t rate);

    uint32_t m_bytes[2]{};
    int64_t m_times[2]{};
};

} // namespace ns3

#endif // RDMA_TIMING_H
