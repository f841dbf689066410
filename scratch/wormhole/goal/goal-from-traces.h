/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_GOAL_FROM_TRACES_H
#define WORMHOLE_CLI_GOAL_FROM_TRACES_H

#include "command/commands.h"

#include <string>

namespace wormhole
{

/** Does `wormhole goal from-mpi`. \return the exit code */
int GoalFromMpi(const Words& words);

/** Does `wormhole goal from-nsys` or `from-kineto`. \param action which. \return the exit code */
int GoalFromNccl(const std::string& action, const Words& words);

} // namespace wormhole

#endif // WORMHOLE_CLI_GOAL_FROM_TRACES_H
