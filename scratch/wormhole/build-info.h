/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_BUILD_INFO_H
#define WORMHOLE_CLI_BUILD_INFO_H

#include <string>

namespace wormhole
{

/** What this program was made from. */
struct BuildInfo
{
    std::string version;
    std::string buildType; ///< "Release", "Debug"...
    std::string compiler;  ///< name and version
    std::string ns3;       ///< version; empty if unknown
    std::string commit;    ///< of git when last configured; empty if unknown
};

/** \return what this program was made from */
BuildInfo GetBuildInfo();

/** \return the same as lines for people */
std::string VersionText();

} // namespace wormhole

#endif // WORMHOLE_CLI_BUILD_INFO_H
