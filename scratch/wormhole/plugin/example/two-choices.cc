/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The router that `wormhole new router` writes.

#include "ns3/boolean.h"
#include "ns3/rdma-module.h"

#include <cstdint>

namespace ns3
{

/** Looks at two of the ways, and takes the one with fewer bytes queued (Mitzenmacher's two random
 * choices). */
class TwoChoices : public RdmaRouter
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::TwoChoices")
                                .SetParent<RdmaRouter>()
                                .AddConstructor<TwoChoices>()
                                .AddAttribute("OneChoice",
                                              "Look at one of the ways only.",
                                              BooleanValue(false),
                                              MakeBooleanAccessor(&TwoChoices::m_oneChoice),
                                              MakeBooleanChecker());
        return tid;
    }

    // Every switch gets a copy.
    Ptr<RdmaRouter> Fork() const override
    {
        return CopyObject<TwoChoices>(this);
    }

  private:
    RdmaPort* DoChoose(const RdmaContext& context, const Ways& ways, const RdmaFrame&) override
    {
        RdmaPort* const one = ways[Draw(context) % ways.size()];
        RdmaPort* const other = m_oneChoice ? one : ways[Draw(context) % ways.size()];
        return other->queues.GetBytes() < one->queues.GetBytes() ? other : one;
    }

    // A switch sees its frames in the same order in each run, so a state of its own is enough.
    uint64_t Draw(const RdmaContext& context)
    {
        m_state = (m_state ^ context.seed) * 6364136223846793005 + 1442695040888963407;
        return m_state >> 33;
    }

    bool m_oneChoice{false};
    uint64_t m_state{0};
};

NS_OBJECT_ENSURE_REGISTERED(TwoChoices);

} // namespace ns3
