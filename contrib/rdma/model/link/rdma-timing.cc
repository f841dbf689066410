/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-timing.h"

#include "ns3/abort.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3
{

namespace
{

constexpr double TWO_POW_64 = 18446744073709551616.0;

/**
 * ns-3.17's conversion of seconds: a 64-bit binary fraction, times 1e9, fraction dropped.
 * \param seconds not negative
 */
int64_t
TruncatedNs(double seconds, uint64_t nsPerUnit)
{
    const double whole = seconds < 1 ? 0 : std::floor(seconds);
    const auto fraction = static_cast<uint64_t>((seconds - whole) * TWO_POW_64);
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(fraction) * nsPerUnit;
    return static_cast<int64_t>(whole) * static_cast<int64_t>(nsPerUnit) +
           static_cast<int64_t>(product >> 64);
}

/** Newer ns-3's: seconds as a 64-bit binary fraction, cut off, times 1e9, and the nearest. Halves
 * that are no binary fractions go down. */
int64_t
NearestNs(uint64_t bits, uint64_t rate)
{
    __extension__ using Wide = unsigned __int128;
    const Wide seconds = (static_cast<Wide>(bits) << 64) / rate;
    return static_cast<int64_t>((seconds * RDMA_NS_PER_SECOND + (static_cast<Wide>(1) << 63)) >>
                                64);
}

} // namespace

std::string
RdmaTimingName(RdmaTiming timing)
{
    switch (timing)
    {
    case RdmaTiming::EXACT:
        return "exact";
    case RdmaTiming::HPCC_NS:
        return "hpcc";
    case RdmaTiming::ROUND_NS:
        return "round";
    case RdmaTiming::TRUNCATE_NS:
        return "truncate";
    }
    return "exact";
}

RdmaClock::RdmaClock(RdmaTiming timing)
    : m_timing(timing),
      m_stepsPerNs(NanoSeconds(1).GetTimeStep()),
      m_stepsPerSecond(static_cast<double>(Seconds(1).GetTimeStep()))
{
    NS_ABORT_MSG_IF(m_stepsPerNs < 1,
                    "RdmaClock: frames take nanoseconds, but ns-3's time resolution is coarser; "
                    "call Time::SetResolution(Time::NS) or finer first");
}

RdmaTiming
RdmaClock::GetTiming() const
{
    return m_timing;
}

int64_t
RdmaClock::ExactTime(uint32_t bytes, uint64_t rate) const
{
    return std::llround(static_cast<double>(bytes) * 8 * m_stepsPerSecond /
                        static_cast<double>(rate));
}

int64_t
RdmaClock::NsTime(uint32_t bytes, uint64_t rate) const
{
    switch (m_timing)
    {
    case RdmaTiming::HPCC_NS:
        return TruncatedNs(static_cast<double>(bytes) * 8 / static_cast<double>(rate),
                           RDMA_NS_PER_SECOND);
    case RdmaTiming::ROUND_NS:
        return NearestNs(uint64_t(bytes) * 8, rate);
    default:
        return static_cast<int64_t>(static_cast<uint64_t>(bytes) * 8 * RDMA_NS_PER_SECOND / rate);
    }
}

int64_t
RdmaClock::Duration(const Time& time, Time::Unit unit) const
{
    const int64_t steps = time.GetTimeStep();
    if (m_timing == RdmaTiming::EXACT || m_stepsPerNs <= 1)
    {
        return steps; // whole nanoseconds hold nothing to cut
    }
    if (m_timing == RdmaTiming::ROUND_NS)
    {
        return (steps + m_stepsPerNs / 2) / m_stepsPerNs * m_stepsPerNs;
    }
    const int64_t unitSteps = std::max(Time::FromInteger(1, unit).GetTimeStep(), m_stepsPerNs);
    // the double nearest to the number in the file
    const double value = static_cast<double>(steps) / static_cast<double>(unitSteps);
    return TruncatedNs(value, static_cast<uint64_t>(unitSteps / m_stepsPerNs)) * m_stepsPerNs;
}

int64_t
RdmaTransmissionTimes::Keep(uint32_t bytes, const RdmaClock& clock, uint64_t rate)
{
    std::swap(m_bytes[0], m_bytes[1]);
    std::swap(m_times[0], m_times[1]);
    m_bytes[0] = bytes;
    m_times[0] = clock.TransmissionTime(bytes, rate);
    return m_times[0];
}

} // namespace ns3
