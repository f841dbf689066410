/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A control that does what HPCC does.

#include "ns3/rdma-hpcc.h"

namespace ns3
{

class OwnHpcc : public RdmaHpcc
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::OwnHpcc").SetParent<RdmaHpcc>().AddConstructor<OwnHpcc>();
        return tid;
    }

    Ptr<RdmaCongestionControl> Fork() const override
    {
        return CopyObject<OwnHpcc>(this);
    }
};

NS_OBJECT_ENSURE_REGISTERED(OwnHpcc);

} // namespace ns3
