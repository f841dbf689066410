/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_NEW_CONTROL_H
#define WORMHOLE_CLI_NEW_CONTROL_H

#include <string>

namespace wormhole
{

/** The classes of scratch/custom-congestion-control.cc, without its program. */
extern const char* const EXAMPLE_CONTROL;

/**
 * Writes a congestion control to start from, with what builds it against the installed package.
 * \param name of its class, in namespace ns3
 * \param folder made with its parents; must be empty if it is there
 * \return the commands that build and run it
 * \throws InputError if the name is none for a class, or the folder has something in it
 * \throws OutputError if a file cannot be written
 */
std::string WriteNewControl(const std::string& name, const std::string& folder);

} // namespace wormhole

#endif // WORMHOLE_CLI_NEW_CONTROL_H
