/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_WARNINGS_H
#define WORMHOLE_CLI_WARNINGS_H

#include <string>
#include <vector>

namespace wormhole
{

/** Writes warnings to standard error, a line each. */
void TellWarnings(const std::vector<std::string>& warnings);

/** Writes to standard error what is to be said of this build (BuildWarnings), and \p warnings. */
void ShowWarnings(const std::vector<std::string>& warnings);

} // namespace wormhole

#endif // WORMHOLE_CLI_WARNINGS_H
