/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-egress-scheduler.h"

#include "rdma-port.h"

#include "ns3/abort.h"
#include "ns3/rdma-extension-failed.h"
#include "ns3/rdma-node.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaEgressScheduler);

TypeId
RdmaEgressScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RdmaEgressScheduler").SetParent<Object>().SetGroupName("Rdma");
    return tid;
}

uint32_t
RdmaEgressScheduler::Choose(const RdmaPort& port, uint32_t ready)
{
    uint32_t queue = 0;
    try
    {
        queue = DoChoose(port, ready);
    }
    catch (...)
    {
        RdmaExtensionFailed(GetInstanceTypeId().GetName() + ", scheduler of node " +
                                std::to_string(port.GetOwner().GetRdmaId()) + ", interface " +
                                std::to_string(port.GetIndex() + 1),
                            port.GetContext().NowNs());
    }
    NS_ABORT_MSG_IF(queue > 7 || !(ready >> queue & 1),
                    GetInstanceTypeId().GetName()
                        << " chose queue " << queue << ", which has nothing that may be sent");
    return queue;
}

void
RdmaEgressScheduler::OnSent(uint32_t, uint32_t)
{
}

} // namespace ns3
