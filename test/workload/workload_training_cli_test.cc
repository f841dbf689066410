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
    EXPECT_NE(text.out.find("nvlink; the first is ranks 0, 1, 2, 3, 4, 5, 6, 7; an expert is on "
                            "1 GPU\n"),
              std::string::npos)
        << text.out;
    EXPECT_NE(text.out.find("expert-parallel         30.1 GB through NVLink"), std::string::npos);
    EXPECT_EQ(sandbox.Run({"training", preset, "--json", "--output", "out.json"}).exit, 0);
    const json described = sandbox.ReadJson("out.json");
    EXPECT_EQ(described.at("gpus"), 64);
    EXPECT_EQ(described.at("traffic").size(), 3U);
    const json& experts = described.at("experts");
    EXPECT_EQ(experts.at("placement"), "nvlink");
    EXPECT_EQ(experts.at("firstGroup"), (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
    // 2 directions x 2 all-to-alls x 2 micro-batches x 32 layers x 32 GPUs x 7/8 of 4 MiB
    EXPECT_EQ(experts.at("nvlink").at(0).at("bytes"), 4ULL * 2 * 32 * 32 * 7 * (4 << 20) / 8);
    EXPECT_EQ(sandbox.Run({"training", preset, "--json", "--markdown"}).exit, 2);
    EXPECT_EQ(sandbox.Run({"training"}).exit, 2);
    sandbox.Write("bad.json", "{\"modle\": {}}");
    const auto bad = sandbox.Run({"training", "bad.json"});
    EXPECT_EQ(bad.exit, 2);
    EXPECT_EQ(bad.err, "wormhole: bad.json:1: model: missing; give an object { ... }\n");
    std::filesystem::copy_file(preset, sandbox.PathOf("job.json"));
    EXPECT_EQ(sandbox.Run({"training", "job.json", "--output", "job.json"}).exit, 2);
}

/** The specification places experts in place of the file. */
TEST(TrainingSpecification, PlacesExperts)
{
    const std::string preset =
        "training:file=" WORMHOLE_SOURCE_DIR "/workloads/training/moe-8x7b-64.json,scale=100000";
    harness::Sandbox sandbox;
    const auto stats = [&](const std::string& keys) {
        const auto made = sandbox.Run({"goal", "make", preset + keys, "job.bin"});
        EXPECT_EQ(made.exit, 0) << made.err;
        return json::parse(sandbox.Run({"goal", "stats", "job.bin", "--json"}).out)
            .at("operations");
    };
    // Sends of the data-parallel, expert-data-parallel and pipeline traffic: 384 + 384 + 128.
    EXPECT_EQ(stats("").at("send"), 896);
    EXPECT_EQ(stats(",experts=nvlink").at("send"), 896);
    // 256 all-to-alls in 4 groups of 8, each of them 8 x 7 messages.
    EXPECT_EQ(stats(",experts=rails").at("send"), 896 + 256 * 4 * 8 * 7);
    // The same in 8 groups of 4 on rails; a stage has all its experts once: none are reduced.
    const int onRails = 384 + 128 + 256 * 8 * 4 * 3;
    EXPECT_EQ(stats(",experts=rail,expert=4").at("send"), onRails);
    // In 4 groups of 8, 2 x 4 of each on two rails: the same messages.
    EXPECT_EQ(stats(",experts=pxn").at("send"), onRails);
    const auto refused = [&](const std::string& keys) {
        const auto run = sandbox.Run({"goal", "make", preset + keys, "job.bin"});
        EXPECT_EQ(run.exit, 2);
        return run.err;
    };
    EXPECT_NE(refused(",experts=rail").find("make it a divisor of 4"), std::string::npos);
    EXPECT_NE(
        refused(",experts=nvswitch").find("experts=nvswitch, but must be one of auto, nvlink"),
        std::string::npos);
    EXPECT_NE(refused(",expert=3").find("parallelism.expert: 3 does not divide the 8 experts"),
              std::string::npos);
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
