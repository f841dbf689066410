/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wormhole-audit.h"

#include <algorithm>

namespace ns3
{

void
WormholeAudit::Add(const wormhole::ControllerStatistics& statistics)
{
    leftOut += statistics.auditable;
    audited += statistics.audited;
    thrownOut += statistics.episodesThrownOut;
    bytes += statistics.bytesAudited;
    wrong += statistics.bytesWrong;
    largest = std::max(largest, statistics.largestAuditError);
}

} // namespace ns3
