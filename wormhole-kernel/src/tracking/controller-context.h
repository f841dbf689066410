/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_CONTROLLER_CONTEXT_H
#define WORMHOLE_CONTROLLER_CONTEXT_H

#include "wormhole/controller.h"

namespace wormhole
{

/** What a Controller was made with, and where its parts count what they do. */
struct ControllerContext
{
    Simulator& simulator;
    EpisodeStore* store; //!< nullptr: nothing is memoized
    const ControllerOptions& options;
    ControllerStatistics& statistics;
};

} // namespace wormhole

#endif // WORMHOLE_CONTROLLER_CONTEXT_H
