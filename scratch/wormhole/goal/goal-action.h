/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_GOAL_ACTION_H
#define WORMHOLE_CLI_GOAL_ACTION_H

#include "command/commands.h"

#include <boost/program_options.hpp>
#include <cstdint>
#include <string>

namespace wormhole
{

/** \return the options of an action of `wormhole goal`, and its \p arguments at most */
boost::program_options::variables_map ParseGoalAction(const std::string& action,
                                                      const Words& words,
                                                      size_t arguments = 1);

/** \return whether to write the binary form, from --to, else from the ending of \p out, else what
 * the input is not. \throws InputError if --to is neither */
bool WantsBinaryGoal(const std::string& to, const std::string& out, bool fromBinary);

/** Tells the user what was written to \p file, on standard error if that may be standard output. */
void TellGoalWritten(const std::string& file, const std::string& text);

/** \return what the user is told of a schedule that has been written */
std::string WrittenGoalText(const std::string& file,
                            bool binary,
                            uint64_t ranks,
                            uint64_t operations,
                            uint64_t dependencies);

} // namespace wormhole

#endif // WORMHOLE_CLI_GOAL_ACTION_H
