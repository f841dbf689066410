/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-router.h"

#include "ns3/abort.h"
#include "ns3/rdma-extension-failed.h"
#include "ns3/rdma-node.h"
#include "ns3/rdma-port.h"

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
    RdmaPort* port = nullptr;
    try
    {
        port = DoChoose(context, ways, frame);
    }
    catch (...)
    {
        RdmaExtensionFailed(GetInstanceTypeId().GetName() + ", router of node " +
                                std::to_string(ways.front()->GetOwner().GetRdmaId()),
                            context.NowNs());
    }
    NS_ABORT_MSG_IF(std::find(ways.begin(), ways.end(), port) == ways.end(),
                    GetInstanceTypeId().GetName() << " chose a port that is none of the ways");
    return port;
}

} // namespace ns3
