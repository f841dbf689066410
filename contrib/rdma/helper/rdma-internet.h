/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_INTERNET_H
#define RDMA_INTERNET_H

#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/rdma-host.h"
#include "ns3/rdma-net-device.h"
#include "ns3/rdma-network.h"
#include "ns3/rdma-routing.h"

namespace ns3
{

/**
 * \ingroup rdma
 * Gives every host ns-3's Internet stack, with its address 11.x.y.1/8, so that ordinary sockets
 * work over the same devices. It is here, not in the library, so that only programs that have
 * sockets load the Internet stack, which takes 4 ms.
 * \param network built by RdmaHelper::Install
 */
inline void
InstallRdmaInternet(const Ptr<RdmaNetwork>& network)
{
    InternetStackHelper internet;
    internet.SetIpv6StackInstall(false);
    Ipv4StaticRoutingHelper routing;
    internet.SetRoutingHelper(routing);
    const Ipv4Mask mask("255.0.0.0");
    for (uint32_t i = 0; i < network->GetNodeCount(); ++i)
    {
        const RdmaHost* host = network->GetHost(i);
        if (!host || host->GetPorts().empty())
        {
            continue;
        }
        Ptr<Node> node = network->GetNode(i);
        internet.Install(node);
        Ptr<Ipv4> ipv4 = node->GetObject<Ipv4>();
        // one address per host; what leaves by the first device is sent on by the NIC that leads to
        // its destination
        for (RdmaPort* port : host->GetPorts())
        {
            const uint32_t interface = ipv4->AddInterface(static_cast<RdmaNetDevice*>(port));
            if (port == host->GetPorts().front())
            {
                ipv4->AddAddress(
                    interface,
                    Ipv4InterfaceAddress(Ipv4Address(RdmaRouting::AddressOf(i)), mask));
            }
            ipv4->SetUp(interface);
        }
    }
}

} // namespace ns3

#endif // RDMA_INTERNET_H
