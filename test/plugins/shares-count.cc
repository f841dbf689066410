/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A control that says it acts on its flow alone, but counts acknowledgements of all flows.

#include "ns3/rdma-congestion-control.h"
#include "ns3/rdma-queue-pair.h"

namespace ns3
{

class SharesCount : public RdmaCongestionControl
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::SharesCount")
                                .SetParent<RdmaCongestionControl>()
                                .AddConstructor<SharesCount>();
        return tid;
    }

    Ptr<RdmaCongestionControl> Fork() const override
    {
        return CopyObject<SharesCount>(this);
    }

    void OnAck(RdmaQueuePair& qp, const RdmaAck&) override
    {
        constexpr uint64_t STEP = 10000000; // bit/s
        qp.SetRate(qp.GetMaxRate() - STEP * ++s_acks);
    }

    bool ActsAlone() const override
    {
        return true;
    }

  private:
    static inline uint64_t s_acks{0};
};

NS_OBJECT_ENSURE_REGISTERED(SharesCount);

} // namespace ns3
