/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_DRAIN_H
#define RDMA_DRAIN_H

#include "ns3/rdma-event-queue.h"

#include <cstdint>
#include <functional>

namespace ns3
{

struct RdmaContext;

/**
 * \ingroup rdma
 * \brief After the last flow, waits until no frame is in the network any more.
 *
 * It looks every microsecond of simulated time, and gives up after 10,000 looks: whatever is left
 * then never moves. As an event of the network it must go before the simulator does.
 */
class RdmaDrain
{
  public:
    /**
     * \param context of the network; must outlive the drain
     * \param quiet called once per Begin(), when nothing is in the network or never moves
     */
    RdmaDrain(RdmaContext& context, std::function<void()> quiet);

    /** Begins to wait, anew if it does already; \c quiet may be called at once. */
    void Begin();

    /** There is something to do again: \c quiet is not called. */
    void Cancel();

  private:
    void LookNow();

    RdmaContext& m_context;
    std::function<void()> m_quiet;
    RdmaMemberEvent<RdmaDrain, &RdmaDrain::LookNow> m_look;
    uint32_t m_looks{0};
};

} // namespace ns3

#endif // RDMA_DRAIN_H
