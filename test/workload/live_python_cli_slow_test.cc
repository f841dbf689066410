/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Programs in Python under `wormhole live`: the client of its protocol, and the back end of
// torch.distributed where PyTorch is installed.

#include "harness/run_cli.h"

#include <regex>

using namespace harness;

#ifdef WORMHOLE_RUNS_LIVE

namespace
{

const std::string SCRIPTS = std::string(WORMHOLE_SOURCE_DIR) + "/scripts/live/";
const std::string PYTHON = "/usr/bin/python3"; // the system's, which has Debian's packages

class LivePython : public RunCli
{
  protected:
    /** \return what a program printed; it must succeed */
    std::string Said(const Words& network, const Words& program)
    {
        const ProgramResult r = box.Run(
            With(With(With({"live", "--compute", "none", "--quiet", "--output", "out"}, network),
                      {"--", PYTHON}),
                 program));
        EXPECT_EQ(r.exit, 0) << r.out << r.err;
        return r.out;
    }
};

} // namespace

TEST_F(LivePython, AMessageTakesTheNetworksTime)
{
    box.Write("ranks.py",
              "import os, sys\n"
              "sys.path.insert(0, '" +
                  SCRIPTS +
                  "')\n"
                  "import wormhole_live\n"
                  "wormhole_live.without_mpi()\n"
                  "rank = 0 if os.fork() else 1\n"
                  "client = wormhole_live.Client.from_environment(rank, 2)\n"
                  "client.compute(5e-6)\n"
                  "if rank == 0:\n"
                  "    client.wait([client.send(1, 7, 1000000)])\n"
                  "else:\n"
                  "    got = client.wait([client.receive(None, 7)])\n"
                  "    print(list(got.values()), client.ps, flush=True)\n"
                  "client.wait([client.collective('Iallreduce', 8, 8)])\n"
                  "client.finish()\n"
                  "if rank == 0:\n"
                  "    os.wait()\n");
    const std::string said = Said({"--topology", "star:hosts=2"}, {"ranks.py"});
    box.Write("one.goal",
              "num_ranks 2\nrank 0 {\nl1: send 1000000b to 1 tag 0\n}\n"
              "rank 1 {\nl1: recv 1000000b from 0 tag 0\n}\n");
    const double alone =
        Summary({"--workload", "one.goal", "--topology", "star:hosts=2"})["results"]["finish_ns"];
    std::smatch found;
    ASSERT_TRUE(std::regex_search(said, found, std::regex("\\[\\(0, 7, 1000000\\)\\] (\\d+)")))
        << said;
    // both compute for 5 us before
    EXPECT_NEAR(std::stod(found[1]) / 1000, 5000 + alone, 2);
}

TEST_F(LivePython, SaysWhenThereIsNoSimulation)
{
    const ProgramResult r = Sandbox(PYTHON).Run({SCRIPTS + "train-ddp.py"});
    EXPECT_EQ(r.exit, 1);
    EXPECT_NE(r.err.find("start it by `wormhole live"), std::string::npos) << r.err;
}

TEST_F(LivePython, DistributedDataParallelSeesTheNetwork)
{
    if (Sandbox(PYTHON).Run({"-c", "import torch.distributed"}).exit != 0)
    {
        GTEST_SKIP() << "no PyTorch (Debian: python3-torch)";
    }
    const auto train = [this](const std::string& rate) {
        return Said({"--topology", "star:hosts=2,rate=" + rate},
                    {SCRIPTS + "train-ddp.py", "--ranks", "2"});
    };
    const auto usOf = [](const std::string& said) {
        std::smatch found;
        EXPECT_TRUE(std::regex_search(said, found, std::regex("iteration 2: ([0-9.]+) us")))
            << said;
        return found.empty() ? 0.0 : std::stod(found[1]);
    };
    const auto lossesOf = [](const std::string& said) {
        return std::regex_replace(said, std::regex("[0-9.]+ us"), "");
    };
    const std::string fast = train("100Gbps");
    const std::string slow = train("1Gbps");
    // Four layers compute for 100 us forward, and 200 us backward.
    EXPECT_GT(usOf(fast), 4 * 300);
    // All gradients, 4 * (256 * 256 + 256) of 4 B, are all-reduced: each of two ranks sends as many
    // bytes, of which most go beside the backward pass. At 1 Gb/s, 8 ns a byte, they do not fit
    // there; buckets that share the link wait for each other's steps.
    const double bytes = 4 * (256 * 256 + 256) * 4;
    EXPECT_LT(usOf(fast), 4 * 300 + bytes * 0.08 / 1000 + 100);
    EXPECT_GT(usOf(slow), bytes * 8 / 1000);
    EXPECT_LT(usOf(slow), 4 * 300 + 2 * bytes * 8 / 1000);
    EXPECT_EQ(lossesOf(fast), lossesOf(slow)) << "the network changes nothing else";
    EXPECT_EQ(train("1Gbps"), slow);
}

#endif
