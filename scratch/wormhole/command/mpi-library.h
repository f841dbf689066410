/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_MPI_LIBRARY_H
#define WORMHOLE_CLI_MPI_LIBRARY_H

#include <string>

namespace wormhole
{

/** \param name of a library that is loaded into programs of MPI \return its path, beside this
 * program \throws InputError if it was not built */
std::string FindMpiLibrary(const std::string& name);

} // namespace wormhole

#endif // WORMHOLE_CLI_MPI_LIBRARY_H
