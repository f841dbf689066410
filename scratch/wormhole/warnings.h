/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_WARNINGS_H
#define WORMHOLE_CLI_WARNINGS_H

#include "ns3/rdma-network.h"

#include <string>
#include <vector>

namespace wormhole
{

/** \return what the user should know about a network before the results are believed, a line each
 */
std::vector<std::string> WarningsAbout(const ns3::RdmaNetwork& network);

/** Writes warnings to standard error, a line each. */
void TellWarnings(const std::vector<std::string>& warnings);

/** Writes to standard error what is to be said of this build (BuildWarnings), and \p warnings. */
void ShowWarnings(const std::vector<std::string>& warnings);

} // namespace wormhole

#endif // WORMHOLE_CLI_WARNINGS_H
