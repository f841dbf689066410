/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The bus bandwidths and totals that SimAI publishes, by the command line.

#include "harness/sandbox.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <string>

namespace
{

/** Prints tables of \p gpus GPUs by scripts/simai-tables.sh, which says by its exit code whether
 * they are the published ones. \param lines so many in all */
void
ExpectTables(const std::string& gpus, const std::string& tables, size_t lines)
{
    const harness::Sandbox box;
    const std::string command = WORMHOLE_SOURCE_DIR "/scripts/simai-tables.sh '" WORMHOLE_BINARY
                                                    "' " +
                                gpus + " " + tables + " > " + box.PathOf("tables");
    EXPECT_EQ(std::system(command.c_str()), 0) << box.Read("tables");
    EXPECT_EQ(box.Lines("tables").size(), lines);
}

} // namespace

TEST(SimAiTables, WithinServersAreThePublished)
{
    // groups never leave their server, so that one server gives what the tutorial's four give
    ExpectTables("8", "ring nvls latency", 2 + 12 + 4);
}

TEST(SimAiTables, BetweenServersAreThePublished)
{
    ExpectTables("32", "spectrum dcn", 1 + 3 + 3); // Spectrum-X and DCN+ of 256 GPUs
}
