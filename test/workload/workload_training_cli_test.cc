/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What `wormhole training` says of a training job, and that the docs say the same.

#include "harness/sandbox.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

using nlohmann::json;

TEST(TrainingCommand, DescribesAndRefuses)
{
    const std::string preset = WORMHOLE_SOURCE_DIR "/workloads/training/moe-8x7b-64.json";
    harness::Sandbox sandbox;
    const auto text = sandbox.Run({"training", preset});
    EXPECT_EQ(text.exit, 0) << text.err;
    EXPECT_NE(text.out.find("tensor 8 x data 4 x pipeline 2, expert 8"), std::string::npos);
    EXPECT_EQ(sandbox.Run({"training", preset, "--json", "--output", "out.json"}).exit, 0);
    const json described = sandbox.ReadJson("out.json");
    EXPECT_EQ(described.at("gpus"), 64);
    EXPECT_EQ(described.at("traffic").size(), 4U);
    EXPECT_EQ(sandbox.Run({"training", preset, "--json", "--markdown"}).exit, 2);
    EXPECT_EQ(sandbox.Run({"training"}).exit, 2);
    sandbox.Write("bad.json", "{\"modle\": {}}");
    const auto bad = sandbox.Run({"training", "bad.json"});
    EXPECT_EQ(bad.exit, 2);
    EXPECT_EQ(bad.err, "wormhole: bad.json:1: model: missing; give an object { ... }\n");
    std::filesystem::copy_file(preset, sandbox.PathOf("job.json"));
    EXPECT_EQ(sandbox.Run({"training", "job.json", "--output", "job.json"}).exit, 2);
}

/** The docs' table is what the command says. */
TEST(TrainingDocs, HaveTheVolumesOfEveryPreset)
{
    std::ifstream in(WORMHOLE_SOURCE_DIR "/contrib/workload/doc/training.md");
    const std::string docs((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    harness::Sandbox sandbox;
    for (const std::string name : {"gpt-7b-64",
                                   "gpt-13b-128",
                                   "gpt-22b-256",
                                   "gpt-175b-1024",
                                   "moe-8x7b-64",
                                   "moe-8x13b-128",
                                   "moe-8x22b-256",
                                   "moe-32x22b-1024",
                                   "deepseek-v3",
                                   "qwen2.5-72b",
                                   "mixtral-8x7b-64"})
    {
        const auto rows = sandbox.Run({"training",
                                       WORMHOLE_SOURCE_DIR "/workloads/training/" + name + ".json",
                                       "--markdown"});
        EXPECT_NE(rows.out, "");
        EXPECT_NE(docs.find(rows.out), std::string::npos) << rows.out;
    }
}
