/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-repeater.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** Frames of flows that are not steady for long enough to be worth a skip. */
constexpr uint64_t SHORT_FLOW = 1000;

/** Audits may simulate this many crossings of links on top of their share, ... */
constexpr double FREE_AUDIT = 200000;

/** ... and so many times their share of what is simulated anyway. */
constexpr double AUDIT_OF_RUN = 5;

/** Part of its length by which what is known may be wrong. */
constexpr double MAX_ERROR = 0.02;

} // namespace

bool
WorkloadRepeater::IsShort(const WorkloadTransfer& transfer)
{
    return CountFrames(transfer) < SHORT_FLOW;
}

bool
WorkloadRepeater::BeginsAudit(uint64_t hops, uint64_t uses)
{
    const double share = m_options.audit;
    const double most =
        FREE_AUDIT + share * std::min(static_cast<double>(m_statistics.hops),
                                      AUDIT_OF_RUN * static_cast<double>(GetHops()));
    const bool begins =
        share >= 1 || (share > 0 && (uses & (uses + 1)) == 0 &&
                       static_cast<double>(m_statistics.auditedHops + hops) <= most);
    if (begins)
    {
        ++m_statistics.audited;
        m_statistics.auditedHops += hops;
    }
    return begins;
}

bool
WorkloadRepeater::IsRight(int64_t difference, int64_t length)
{
    const double error = static_cast<double>(difference) / static_cast<double>(length);
    m_statistics.errors += error;
    m_statistics.largestError = std::max(m_statistics.largestError, error);
    m_statistics.thrownOut += error > MAX_ERROR;
    return error <= MAX_ERROR;
}

} // namespace ns3
