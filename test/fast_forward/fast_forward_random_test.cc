/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Fast-forward against packet level on random small scenarios: what always holds.

#include "harness/fast_random.h"
#include "harness/fast_scenario.h"
#include "harness/sandbox.h"

#include <filesystem>
#include <gtest/gtest.h>

using namespace harness;

namespace
{

class FastForwardRandom : public testing::TestWithParam<uint64_t>
{
};

TEST_P(FastForwardRandom, AsPacketLevel)
{
    ExpectAsPacketLevel(GetParam() * 25, 25);
}

INSTANTIATE_TEST_SUITE_P(Shard, FastForwardRandom, testing::Range(uint64_t{0}, uint64_t{3}));

/** Scenarios of which some are found in the store again. */
constexpr uint64_t SEEDS[] = {61, 90, 166, 272};

TEST(FastForwardRandomStores, TheSameTwice)
{
    for (const uint64_t seed : SEEDS)
    {
        const FastScenario scenario = DrawFastScenario(seed);
        const FastOutcome first = RunFastScenario(scenario, {{"Enabled", "true"}});
        const FastOutcome second = RunFastScenario(scenario, {{"Enabled", "true"}});
        EXPECT_GT(first.found, 0U) << "seed " << seed;
        EXPECT_TRUE(first.flows == second.flows) << "seed " << seed;
    }
}

TEST(FastForwardRandomStores, TheSameFromTheSameFile)
{
    const Sandbox sandbox;
    const std::string file = sandbox.PathOf("episodes.db");
    const std::string copy = sandbox.PathOf("copy.db");
    for (const uint64_t seed : SEEDS)
    {
        std::filesystem::remove(file);
        const FastScenario scenario = DrawFastScenario(seed);
        const FastOutcome inMemory = RunFastScenario(scenario, {{"Enabled", "true"}});
        const FastOutcome empty = RunFastScenario(scenario, {{"MemoFile", file}});
        EXPECT_TRUE(empty.flows == inMemory.flows) << "seed " << seed << ": a file, or memory";
        std::filesystem::copy_file(file, copy, std::filesystem::copy_options::overwrite_existing);
        const FastOutcome warm = RunFastScenario(scenario, {{"MemoFile", file}});
        const FastOutcome again = RunFastScenario(scenario, {{"MemoFile", copy}});
        EXPECT_TRUE(warm.flows == again.flows) << "seed " << seed << ": the same content";
        EXPECT_LE(warm.hops, empty.hops) << "seed " << seed << ": what is known costs nothing";
        EXPECT_EQ(warm.faults, "") << "seed " << seed;
    }
}

} // namespace
