/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-egress-scheduler.h"

#include "ns3/abort.h"

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
    const uint32_t queue = DoChoose(port, ready);
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
