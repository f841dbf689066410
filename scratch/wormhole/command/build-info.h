/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_BUILD_INFO_H
#define WORMHOLE_CLI_BUILD_INFO_H

#include <string>
#include <vector>

namespace wormhole
{

/** What this program was made from. */
struct BuildInfo
{
    std::string version;
    std::string buildType;  ///< "Release", "Debug"...
    bool optimised;         ///< by the compiler
    bool assertions;        ///< of ns-3, in what was compiled with this program
    std::string compiler;   ///< name and version
    int standard;           ///< of C++: 17, 20, 23
    std::string ns3;        ///< version; empty if unknown
    std::string ns3Profile; ///< "release", "optimized", "default", "debug"...; empty if unknown
    std::string commit; ///< of the sources, "-dirty" where they differ from it; empty if unknown
};

/** BuildInfo::commit: each build asks git for it (cmake/Commit.cmake). */
extern const char* const COMMIT;

/** \return what this program was made from */
BuildInfo GetBuildInfo();

/** \return the same as lines for people */
std::string VersionText();

/**
 * \return why this build is too slow for experiments, a line each. Nothing of builds with
 * sanitizers, which nobody takes for a fast one.
 */
std::vector<std::string> BuildWarnings();

} // namespace wormhole

#endif // WORMHOLE_CLI_BUILD_INFO_H
