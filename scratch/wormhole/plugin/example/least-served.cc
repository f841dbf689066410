/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The scheduler that `wormhole new scheduler` writes.

#include "ns3/rdma-module.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>

namespace ns3
{

/** Serves the class that has sent the fewest bytes, one class counting for less than the others. */
class LeastServed : public RdmaEgressScheduler
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::LeastServed")
                                .SetParent<RdmaEgressScheduler>()
                                .AddConstructor<LeastServed>()
                                .AddAttribute("Favoured",
                                              "Class whose bytes count half.",
                                              UintegerValue(3),
                                              MakeUintegerAccessor(&LeastServed::m_favoured),
                                              MakeUintegerChecker<uint32_t>(1, 7));
        return tid;
    }

    // Every port gets a copy.
    Ptr<RdmaEgressScheduler> Fork() const override
    {
        return CopyObject<LeastServed>(this);
    }

    void OnSent(uint32_t queue, uint32_t bytes) override
    {
        m_sent[queue] += queue == m_favoured ? bytes : 2 * bytes;
    }

  private:
    uint32_t DoChoose(const RdmaPort&, uint32_t ready) override
    {
        uint32_t least = 0;
        for (uint32_t queue = 1; queue < m_sent.size(); ++queue)
        {
            if (!(ready >> queue & 1))
            {
                continue;
            }
            if (!(m_ready >> queue & 1))
            {
                m_sent[queue] = std::max(m_sent[queue], m_now); // what it left out is not made up
            }
            least = least == 0 || m_sent[queue] < m_sent[least] ? queue : least;
        }
        m_ready = ready;
        m_now = m_sent[least];
        return least;
    }

    uint32_t m_favoured{3};
    uint32_t m_ready{0};              // classes that had something when it last chose
    uint64_t m_now{0};                // what the class that was last chosen had sent
    std::array<uint64_t, 8> m_sent{}; // by class
};

NS_OBJECT_ENSURE_REGISTERED(LeastServed);

} // namespace ns3
