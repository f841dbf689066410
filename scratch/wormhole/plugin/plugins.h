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

/**
 * Sets the program that plug-ins are loaded into, for a program that has the modules within:
 * plug-ins are linked with the modules' libraries, and no class can register twice. LoadPlugins()
 * goes on as this one, with the same words, from the beginning.
 * \param name in the folder of the one that runs
 */
void SetProgramOfPlugins(const std::string& name);

/** \return what tells the contents of these files from others; empty if there are none */
std::string CodeOfPlugins(const Words& files);

} // namespace wormhole

#endif // WORMHOLE_CLI_PLUGINS_H
