/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "build-info.h"

// Given by cmake/ScratchPrograms.cmake.
#ifndef WORMHOLE_VERSION
#define WORMHOLE_VERSION "unknown"
#endif
#ifndef WORMHOLE_BUILD_TYPE
#define WORMHOLE_BUILD_TYPE "unknown"
#endif
#ifndef WORMHOLE_NS3_VERSION
#define WORMHOLE_NS3_VERSION ""
#endif
#ifndef WORMHOLE_NS3_PROFILE
#define WORMHOLE_NS3_PROFILE ""
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

#ifdef __OPTIMIZE__
constexpr bool OPTIMISED = true;
#else
constexpr bool OPTIMISED = false;
#endif

#ifdef NS3_ASSERT_ENABLE
constexpr bool ASSERTIONS = true;
#else
constexpr bool ASSERTIONS = false;
#endif

#ifdef WORMHOLE_SANITIZED
constexpr bool SANITIZED = true;
#else
constexpr bool SANITIZED = false;
#endif

/** Compilers that are not done with C++23 say something between. */
constexpr int STANDARD = __cplusplus > 202002L ? 23 : __cplusplus > 201703L ? 20 : 17;

bool
HasAssertions(const std::string& ns3Profile)
{
    return ns3Profile == "debug" || ns3Profile == "default";
}

} // namespace

BuildInfo
GetBuildInfo()
{
    return {WORMHOLE_VERSION,
            WORMHOLE_BUILD_TYPE,
            OPTIMISED,
            ASSERTIONS,
            Compiler(),
            STANDARD,
            WORMHOLE_NS3_VERSION,
            WORMHOLE_NS3_PROFILE,
            COMMIT};
}

std::string
VersionText()
{
    const BuildInfo info = GetBuildInfo();
    std::string text = "wormhole " + info.version + "\n";
    text += info.commit.empty() ? "" : "commit " + info.commit + "\n";
    if (!info.ns3.empty())
    {
        text += "ns-3 " + info.ns3;
        text += info.ns3Profile.empty() ? "" : ", profile " + info.ns3Profile;
        text += HasAssertions(info.ns3Profile) ? " (with assertions)\n" : "\n";
    }
    text += "build " + info.buildType + (info.optimised ? ", optimised" : ", not optimised");
    text += info.assertions ? ", with assertions" : "";
    text += SANITIZED ? ", with sanitizers" : "";
    return text + ", by " + info.compiler + " as C++" + std::to_string(info.standard) + "\n";
}

std::vector<std::string>
BuildWarnings()
{
    const BuildInfo info = GetBuildInfo();
    std::vector<std::string> warnings;
    if (SANITIZED)
    {
        return warnings;
    }
    const bool slowNs3 = HasAssertions(info.ns3Profile); // hands its assertions on to its users
    const std::string built = "this program was built with build type " + info.buildType;
    if (!info.optimised)
    {
        warnings.push_back(built + ", not optimised, and takes ten times as long or more; for "
                                   "experiments, build it with cmake --preset release");
    }
    else if (info.assertions && !slowNs3)
    {
        warnings.push_back(built + ", with assertions, which cost time; for experiments, build it "
                                   "with cmake --preset release");
    }
    if (slowNs3)
    {
        warnings.push_back("ns-3 was built with assertions (profile " + info.ns3Profile +
                           "), which cost time; for experiments, configure it with "
                           "--build-profile=optimized");
    }
    return warnings;
}

} // namespace wormhole
