/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/simai_case.h"

#include <gtest/gtest.h>

using namespace ns3;

// The tutorial's runs in full: 32 GPUs, 16 to 512 MiB.

TEST(SimAiPacketsSlow, RingBusBandwidthIsTheTutorials)
{
    WorkloadSimAiOptions options;
    options.sendLatency = 2000;
    harness::ExpectSimAiTutorial("simai:gpus=32,rail=1,nvlink-rate=1440Gbps",
                                 512,
                                 options,
                                 harness::SIMAI_RING_BANDWIDTHS);
}

TEST(SimAiPacketsSlow, NvlsBusBandwidthIsTheTutorials)
{
    WorkloadSimAiOptions options;
    options.sendLatency = 12000;
    options.nvls = true;
    harness::ExpectSimAiTutorial("simai:gpus=32,rail=1,nvlink-rate=1360Gbps",
                                 512,
                                 options,
                                 harness::SIMAI_NVLS_BANDWIDTHS);
}
