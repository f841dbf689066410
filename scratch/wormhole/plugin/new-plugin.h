/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_NEW_PLUGIN_H
#define WORMHOLE_CLI_NEW_PLUGIN_H

#include "command/commands.h"

#include <string>

namespace wormhole
{

/** The classes of scratch/custom-congestion-control.cc, without its program. */
extern const char* const EXAMPLE_CONTROL;

/** The class of plugin/example/least-served.cc. */
extern const char* const EXAMPLE_SCHEDULER;

/** The class of plugin/example/two-choices.cc. */
extern const char* const EXAMPLE_ROUTER;

/** \return the kinds of classes that WriteNewPlugin takes */
Words NewPluginKinds();

/**
 * Writes a class to start from, with what builds it against the installed package.
 * \param kind of class
 * \param name of the class, in namespace ns3
 * \param folder made with its parents; must be empty if it is there
 * \return the commands that build and run it
 * \throws InputError if there is no such kind, the name is none for a class, or the folder has
 * something in it
 * \throws OutputError if a file cannot be written
 */
std::string WriteNewPlugin(const std::string& kind,
                           const std::string& name,
                           const std::string& folder);

} // namespace wormhole

#endif // WORMHOLE_CLI_NEW_PLUGIN_H
