/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Fast-forward where links fail and come back.

#include "harness/sandbox.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace
{

using harness::ProgramResult;
using harness::Sandbox;

} // namespace

// When the link comes back, acknowledgements are on their way by the routes before. Flows that
// waited for what is recorded of others meanwhile had these arrive, and crashed as they caught up.
TEST(FailingLinksCli, WhoFollowsOthersHasNoFramesOnEarlierRoutes)
{
    const Sandbox box;
    const ProgramResult fast = box.Run({"run",
                                        "--quiet",
                                        "--threads",
                                        "1",
                                        "--mode",
                                        "fast",
                                        "--topology",
                                        "leaf-spine:leaves=8,spines=8,hosts-per-leaf=8",
                                        "--traffic",
                                        "permutation:bytes=10MB",
                                        "--link-down",
                                        "300us:64-72",
                                        "--link-up",
                                        "900us:64-72",
                                        "--stop",
                                        "1.2ms",
                                        "--output",
                                        "fast"});
    EXPECT_EQ(fast.exit, 3) << fast.err; // stopped before all flows ended
    const auto summary = nlohmann::json::parse(box.Read("fast/summary.json"));
    EXPECT_GT(summary.at("fast").at("events").at("skippedShare").get<double>(), 0);
}
