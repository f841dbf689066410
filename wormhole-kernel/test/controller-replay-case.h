/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_TEST_CONTROLLER_REPLAY_CASE_H
#define WORMHOLE_TEST_CONTROLLER_REPLAY_CASE_H

#include "controller-rig.h"

namespace wormhole::replay
{

inline constexpr FlowId F0{0};
inline constexpr FlowId F1{1};
inline constexpr FlowId F2{2};
inline constexpr FlowId F5{5};
inline constexpr PortId P0{0};
inline constexpr PortId P3{3};
inline constexpr PortId P4{4};

/** Fills \p store from a flow of 10,000 bytes at 100 bytes/us. */
inline void
RecordOne(EpisodeStore& store)
{
    Rig rig(&store);
    rig.simulator.queues[P0] = 500;
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    rig.simulator.RunTo(At(100));
    rig.controller.Finish(At(100));
}

/** The same flow under another name and on another port, up to \p time. */
inline void
ReplayOne(Rig& rig, Time time)
{
    rig.simulator.Start(F5, {P3}, 10'000, 100);
    rig.simulator.RunTo(time);
}

} // namespace wormhole::replay

#endif // WORMHOLE_TEST_CONTROLLER_REPLAY_CASE_H
