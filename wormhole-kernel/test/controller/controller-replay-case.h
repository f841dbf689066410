/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_TEST_CONTROLLER_REPLAY_CASE_H
#define WORMHOLE_TEST_CONTROLLER_REPLAY_CASE_H

#include "controller/controller-rig.h"

namespace wormhole::replay
{

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
