/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Skips of flows whose last packet is not a full one.

#include "harness/sandbox.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>

namespace
{

using harness::ProgramResult;
using harness::Sandbox;
using harness::With;
using harness::Words;

} // namespace

// Of 8 flows at one port, each sends a frame in turn. A skip of whole turns leaves all as it is:
// one of 8680 bytes less than a packet more (50759680 is 5639 packets of 9000 bytes, and 8680) had
// flows end up to 181 ns early.
TEST(WholePacketsCli, FlowsThatTakeTurnsEndAsAtPacketLevel)
{
    const Sandbox box;
    const Words words{"run",
                      "--quiet",
                      "--topology",
                      "star:hosts=9,rate=100Gbps",
                      "--traffic",
                      "incast:fan-in=8,bytes=50759680",
                      "--cc",
                      "none",
                      "--window",
                      "pair",
                      "--payload",
                      "9000",
                      "--timing",
                      "truncate"};
    const ProgramResult packets = box.Run(With(words, {"--output", "packets"}));
    ASSERT_EQ(packets.exit, 0) << packets.err;
    const ProgramResult fast = box.Run(With(words, {"--mode", "fast", "--output", "fast"}));
    ASSERT_EQ(fast.exit, 0) << fast.err;
    const auto summary = nlohmann::json::parse(box.Read("fast/summary.json"));
    EXPECT_GT(summary.at("fast").at("events").at("skippedShare").get<double>(), 0.5);
    EXPECT_EQ(box.Read("fast/fct.txt"), box.Read("packets/fct.txt"));
}
