/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-router.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaRouter);

TypeId
RdmaRouter::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RdmaRouter").SetParent<Object>().SetGroupName("Rdma");
    return tid;
}

RdmaPort*
RdmaRouter::Choose(const RdmaContext& context, const Ways& ways, const RdmaFrame& frame)
{
    RdmaPort* const port = DoChoose(context, ways, frame);
    NS_ABORT_MSG_IF(std::find(ways.begin(), ways.end(), port) == ways.end(),
                    GetInstanceTypeId().GetName() << " chose a port that is none of the ways");
    return port;
}

} // namespace ns3
