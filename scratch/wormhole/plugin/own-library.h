/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_OWN_LIBRARY_H
#define WORMHOLE_CLI_OWN_LIBRARY_H

#include <string>

namespace wormhole
{

/** \return the path of a library that is built and installed beside this program, where there is
 * MPI.
 * \throws InputError if there is none */
std::string FindOwnLibrary(const std::string& name);

} // namespace wormhole

#endif // WORMHOLE_CLI_OWN_LIBRARY_H
