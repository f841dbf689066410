/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_RUN_CLI_H
#define HARNESS_RUN_CLI_H

#include "harness/sandbox.h"

#include <gtest/gtest.h>

namespace harness
{

/** What `wormhole run` simulates: four hosts send to one at once, so fast that PFC pauses them. */
const Words PAUSED_INCAST{"--topology",
                          "star:hosts=5",
                          "--traffic",
                          "incast:fan-in=4,bytes=200KB",
                          "--cc",
                          "none",
                          "--set",
                          "ns3::RdmaSwitch::BufferSize=400000"};

/** For tests of `wormhole run`, in a folder of its own. */
class RunCli : public testing::Test
{
  protected:
    /** \return the summary of a run with \p words, which must succeed */
    nlohmann::json Summary(const Words& words)
    {
        const ProgramResult r = box.Run(With(With({"run"}, words), {"--output", "out"}));
        EXPECT_EQ(r.exit, 0) << r.err;
        return r.exit == 0 ? box.ReadJson("out/summary.json") : nlohmann::json();
    }

    /** A run with \p words must be refused, with a message that holds \p text. */
    void ExpectError(const Words& words, const std::string& text)
    {
        const ProgramResult r = box.Run(With({"run"}, words));
        EXPECT_EQ(r.exit, 2) << r.out << r.err;
        EXPECT_NE(r.err.find(text), std::string::npos) << r.err;
    }

    Sandbox box;
};

} // namespace harness

#endif // HARNESS_RUN_CLI_H
