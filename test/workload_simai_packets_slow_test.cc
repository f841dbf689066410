/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/sandbox.h"
#include "harness/simai_case.h"

#include <cstdlib>
#include <gtest/gtest.h>

using namespace ns3;

// The tutorial's runs in full: 32 GPUs, 16 to 512 MiB.

TEST(SimAiPackets, RingBusBandwidthIsTheTutorials)
{
    WorkloadSimAiOptions options;
    options.sendLatency = 2000;
    harness::ExpectSimAiTutorial("simai:gpus=32,rail=1,nvlink-rate=1440Gbps",
                                 512,
                                 options,
                                 harness::SIMAI_RING_BANDWIDTHS);
}

TEST(SimAiPackets, NvlsBusBandwidthIsTheTutorials)
{
    WorkloadSimAiOptions options;
    options.sendLatency = 12000;
    options.nvls = true;
    harness::ExpectSimAiTutorial("simai:gpus=32,rail=1,nvlink-rate=1360Gbps",
                                 512,
                                 options,
                                 harness::SIMAI_NVLS_BANDWIDTHS);
}

/** Spectrum-X and DCN+ of 256 GPUs, through the command line. */
TEST(SimAiPackets, BusBandwidthBetweenServersIsTheTutorials)
{
    const harness::Sandbox box;
    const std::string command = std::string(WORMHOLE_SOURCE_DIR) + "/scripts/simai-tables.sh '" +
                                WORMHOLE_BINARY + "' 32 spectrum dcn > " + box.PathOf("tables");
    EXPECT_EQ(std::system(command.c_str()), 0) << box.Read("tables");
    EXPECT_EQ(box.Lines("tables").size(), 1 + 3 + 3U);
}
