/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_SKIP_PLAN_H
#define WORMHOLE_SKIP_PLAN_H

#include "tracking/controller-context.h"
#include "tracking/flow-record.h"

#include <vector>

namespace wormhole
{

/** \return what \p flow may be credited at most while it is skipped at \p rate: all but its tail */
Bytes SkipBudget(const Simulator& simulator, FlowId flow, Rate rate);

/** \return the bytes that a flow with \p budget is credited after \p elapsed at \p rate; exactly
 * the budget once TimeFor says that it is reached, so that flows that are alike come to the same
 * tail */
Bytes SkipCredit(Bytes budget, Rate rate, Duration elapsed);

/** \return how long all flows can be skipped at \p rates until the first one is at its tail */
Duration TimeToTail(const Simulator& simulator,
                    const PartitionMembers& members,
                    const std::vector<Rate>& rates);

/** \return how much of \p bytes \p flow can be credited for a skip at \p rate: what comes to it is
 * known (Simulator::UndisturbedBytes), and is to happen in packets. As much as its tail is left
 * before that, so that packets do not come to it that are a little faster (self-audit) */
Bytes UndisturbedCredit(const Simulator& simulator, FlowId flow, Rate rate, Bytes bytes);

/** \return how long all flows can be skipped at \p rates until that comes to the first one;
 * \p atMost at most */
Duration TimeToDisturbance(const Simulator& simulator,
                           const PartitionMembers& members,
                           const std::vector<Rate>& rates,
                           Duration atMost);

/** \return events that \p bytes of \p flow stand for; 0 if neither the simulator nor its packets
 * so far tell */
double EventsFor(const FlowRecord& flow, const FlowProgress& progress, Bytes bytes);

/** \return events that \p members would need for \p time at \p rates */
double EventsIn(const Simulator& simulator,
                const PartitionMembers& members,
                const std::vector<Rate>& rates,
                Duration time);

/** \return samples of a window of \p members: half as many as the options say for flows that come
 * from one sender each, where links tell controls how much they carry, and many packets are under
 * way; contention changes there before whole windows have shown what it is */
std::uint32_t WindowOf(const ControllerContext& context,
                       const PartitionMap& map,
                       const PartitionMembers& members);

/** \return how long \p count such windows last */
Duration WindowsOf(const ControllerContext& context,
                   const PartitionMap& map,
                   const PartitionMembers& members,
                   double count);

} // namespace wormhole

#endif // WORMHOLE_SKIP_PLAN_H
