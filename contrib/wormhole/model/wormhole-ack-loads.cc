/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wormhole-ack-loads.h"

#include <algorithm>

namespace ns3
{

using wormhole::PortId;

WormholeAckLoads::WormholeAckLoads(std::size_t ports)
{
    m_bySender.total.resize(ports);
    m_byReceiver.total.resize(ports);
}

void
WormholeAckLoads::Change(ByEnd& loads, PortId port, PortId end, int64_t load, int64_t flows)
{
    const uint64_t key = (uint64_t{port.Value()} << 32) | end.Value();
    Common& common = loads.common[key];
    const int64_t before = common.GetMean();
    common.sum += load;
    common.flows += flows;
    loads.total[port.Value()] += common.GetMean() - before;
    if (common.flows == 0)
    {
        loads.common.erase(key);
    }
}

void
WormholeAckLoads::Add(PortId port, const WormholeAckLoad& load)
{
    Change(m_bySender, port, load.sender, load.most, 1);
    Change(m_byReceiver, port, load.receiver, load.most, 1);
}

void
WormholeAckLoads::Remove(PortId port, const WormholeAckLoad& load)
{
    Change(m_bySender, port, load.sender, -load.most, -1);
    Change(m_byReceiver, port, load.receiver, -load.most, -1);
}

int64_t
WormholeAckLoads::Get(PortId port) const
{
    return std::min(m_bySender.total[port.Value()], m_byReceiver.total[port.Value()]);
}

} // namespace ns3
