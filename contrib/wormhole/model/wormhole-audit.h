/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_AUDIT_H
#define WORMHOLE_AUDIT_H

#include "wormhole/controller-statistics.h"

#include <cstdint>

namespace ns3
{

/** \ingroup wormhole What the self-audit of fast-forward has found. */
struct WormholeAudit
{
    uint64_t leftOut{0};   ///< replays and skips that came to their ends
    uint64_t audited{0};   ///< of these: simulated after all, and compared
    uint64_t thrownOut{0}; ///< episodes that were wrong
    double bytes{0};       ///< that these were to credit
    double wrong{0};       ///< bytes by which packets differ
    double largest{0};     ///< error of one of them, a share

    /** Adds what one controller has counted. */
    void Add(const wormhole::ControllerStatistics& statistics);

    /** \return the mean error, a share */
    double GetMean() const
    {
        return bytes > 0 ? wrong / bytes : 0;
    }
};

} // namespace ns3

#endif // WORMHOLE_AUDIT_H
