/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "build-info.h"

// Given by scratch/CMakeLists.txt; an ns-3 tree that builds this folder does not know them.
#ifndef WORMHOLE_VERSION
#define WORMHOLE_VERSION "unknown"
#endif
#ifndef WORMHOLE_BUILD_TYPE
#define WORMHOLE_BUILD_TYPE "unknown"
#endif
#ifndef WORMHOLE_NS3_VERSION
#define WORMHOLE_NS3_VERSION ""
#endif
#ifndef WORMHOLE_COMMIT
#define WORMHOLE_COMMIT ""
#endif

namespace wormhole
{

namespace
{

std::string
Compiler()
{
#if defined(__clang__)
    return std::string("clang ") + __clang_version__;
#elif defined(__GNUC__)
    return std::string("gcc ") + __VERSION__;
#else
    return "unknown";
#endif
}

} // namespace

BuildInfo
GetBuildInfo()
{
    return {WORMHOLE_VERSION,
            WORMHOLE_BUILD_TYPE,
            Compiler(),
            WORMHOLE_NS3_VERSION,
            WORMHOLE_COMMIT};
}

std::string
VersionText()
{
    const BuildInfo info = GetBuildInfo();
    std::string text = "wormhole " + info.version + "\n";
    text += info.commit.empty() ? "" : "commit " + info.commit + "\n";
    text += info.ns3.empty() ? "" : "ns-3 " + info.ns3 + "\n";
    return text + "build " + info.buildType + ", " + info.compiler + "\n";
}

} // namespace wormhole
