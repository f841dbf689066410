/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_PLUGINS_H
#define WORMHOLE_CLI_PLUGINS_H

#include "command/commands.h"

#include <string>

namespace wormhole
{

/**
 * Loads shared objects with classes of the user's, such as a congestion control, that register
 * TypeIds. One that is loaded already stays.
 * \param files made by wormhole_add_plugin() of the CMake package
 * \throws InputError if there is no such file, if it was built for another Wormhole, or registers
 * nothing
 */
void LoadPlugins(const Words& files);

/** \return what tells the contents of these files from others; empty if there are none */
std::string CodeOfPlugins(const Words& files);

} // namespace wormhole

#endif // WORMHOLE_CLI_PLUGINS_H
