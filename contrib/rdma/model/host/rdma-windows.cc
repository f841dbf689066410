/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-windows.h"

namespace ns3
{

RdmaWindows::RdmaWindows(const RdmaFlowOptions& options, RdmaRouting& routing)
    : m_options(options)
{
    if (options.largest)
    {
        routing.GetLargest(m_rttNs, m_bdp);
    }
}

RdmaWindows::RdmaWindows(const RdmaFlowOptions& options, int64_t rttNs, uint64_t bdp)
    : m_options(options),
      m_rttNs(rttNs),
      m_bdp(bdp)
{
}

void
RdmaWindows::Set(RdmaFlow& flow, const RdmaPathProperties& path) const
{
    uint64_t bdp = m_bdp;
    flow.baseRttNs = m_rttNs;
    if (NeedPaths())
    {
        flow.baseRttNs = path.reachable ? path.GetRttNs() : 0;
        bdp = path.reachable ? path.GetBdp() : 0;
    }
    flow.window = m_options.HasWindow(flow.priority) ? bdp : 0;
}

} // namespace ns3
