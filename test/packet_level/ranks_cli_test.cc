/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// `mpirun -np N wormhole run`: the bytes of one process, what it refuses, and a rank that dies.

#include "harness/run_cli.h"

#include <csignal>

using namespace harness;
using nlohmann::json;

namespace
{

/** A run that ranks share. */
struct SharedRun
{
    const char* name;
    Words words;
};

Words
Generated(const std::string& topology, const std::string& traffic, const Words& more)
{
    return With({"--links", "--topology", topology, "--traffic", traffic}, more);
}

const std::string LEAF_SPINE = "leaf-spine:leaves=3,spines=2,hosts-per-leaf=4";

Words
Workload(const std::string& goal, const std::string& topology, const Words& more)
{
    const std::string file = WORMHOLE_SOURCE_DIR "/test/data/goal/" + goal + ".goal";
    return With({"--links", "--workload", file, "--topology", topology}, more);
}

std::vector<SharedRun>
SharedRuns()
{
    return {
        {"PausedIncast", PAUSED_INCAST},
        {"LeafSpineHpcc", Generated(LEAF_SPINE, "permutation:bytes=200KB", {"--cc", "hpcc"})},
        {"FatTreeDcqcn",
         Generated("fat-tree:k=4", "permutation:bytes=100KB", {"--cc", "dcqcn", "--seed", "3"})},
        {"PoissonTimely",
         Generated(LEAF_SPINE,
                   "poisson:load=0.6,cdf=" WORMHOLE_SOURCE_DIR
                   "/workloads/cdf/websearch.txt,duration=300us",
                   {"--cc", "timely"})},
        {"PintOnStar", Generated("star:hosts=6", "ring:bytes=300KB", {"--cc", "hpcc-pint"})},
        {"Losses",
         Generated("star:hosts=6,error=1e-3",
                   "incast:fan-in=4,bytes=100KB",
                   {"--cc", "dctcp", "--set", "ns3::RdmaHost::RetransmissionTimeout=200us"})},
        {"LossesWithoutPfc",
         Generated("star:hosts=6",
                   "incast:fan-in=5,bytes=200KB",
                   {"--cc",
                    "dcqcn",
                    "--set",
                    "ns3::RdmaSwitch::Pfc=false",
                    "--set",
                    "ns3::RdmaSwitch::BufferSize=200000",
                    "--set",
                    "ns3::RdmaHost::RetransmissionTimeout=500us"})},
        {"LinkFails",
         Generated(LEAF_SPINE,
                   "permutation:bytes=300KB",
                   {"--cc",
                    "swift",
                    "--link-down",
                    "15us:12-15",
                    "--link-up",
                    "60us:12-15",
                    "--set",
                    "ns3::RdmaHost::RetransmissionTimeout=300us"})},
        {"Spray",
         {"--topology",
          LEAF_SPINE,
          "--traffic",
          "permutation:bytes=20KB",
          "--cc",
          "dcqcn",
          "--routing",
          "spray"}},
        {"RingOfGoal", Workload("ring_allreduce_8_1MiB", LEAF_SPINE, {"--cc", "hpcc"})},
        {"AllToAllOfGoal", Workload("alltoall_16_64KiB", "fat-tree:k=4", {"--cc", "dctcp"})},
        {"RendezvousOfGoal",
         Workload("rendezvous_early_recv_2", LEAF_SPINE, {"--eager-limit", "10"})},
        {"Stopped", Generated(LEAF_SPINE, "permutation:bytes=1MB", {"--stop", "40us"})},
    };
}

/** \return what of a summary does not depend on who ran it, and when */
json
Results(json summary)
{
    for (const char* part : {"command", "outputs"})
    {
        summary.erase(part);
    }
    summary["cost"] = {{"events", summary["cost"]["events"]}};
    return summary;
}

class Ranks : public RunCli
{
};

#ifdef WORMHOLE_MPIEXEC

class SharedRanks : public RunCli, public testing::WithParamInterface<SharedRun>
{
};

#endif

} // namespace

TEST_F(Ranks, OneMayRunAlone)
{
    // as mpirun -np 1 starts it
    setenv("OMPI_COMM_WORLD_SIZE", "1", 1);
    EXPECT_EQ(Summary({"--topology",
                       "star:hosts=3",
                       "--traffic",
                       "incast:fan-in=2,bytes=1KB"})["flows"]["completed"],
              2);
    unsetenv("OMPI_COMM_WORLD_SIZE");
}

TEST_F(Ranks, RefuseWhatTheyCannotShare)
{
    setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
    const Words flows{"--topology", "star:hosts=3", "--traffic", "incast:fan-in=2,bytes=1KB"};
    ExpectError(With(flows, {"--mode", "fast"}), "--mode fast is not done by several ranks");
    ExpectError(With(flows, {"--mode", "flow"}), "--mode flow is not done by several ranks");
    ExpectError(With(flows, {"--threads", "2"}), "--threads is not done");
    ExpectError(With(flows, {"--record"}), "--record is not done");
    ExpectError(With(flows, {"--pcap", "x"}), "--pcap is not done");
    ExpectError(With(flows, {"--rtts"}), "--rtts is not done");
    ExpectError(With(flows, {"--twin"}), "--twin is not done");
    ExpectError(With(flows, {"--estimate"}), "--estimate is not done");
    ExpectError(With(flows, {"--simulator", "default"}), "--simulator default is not done");
    for (const char* command : {"compare", "sweep"})
    {
        const ProgramResult r = box.Run(With({command}, flows));
        EXPECT_EQ(r.exit, 2) << r.err;
        EXPECT_NE(r.err.find("run it without mpirun"), std::string::npos) << r.err;
    }
    unsetenv("OMPI_COMM_WORLD_SIZE");
}

#ifndef WORMHOLE_MPIEXEC

TEST_F(Ranks, SayThatMpiIsMissing)
{
    setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
    ExpectError({"--topology", "star:hosts=3", "--traffic", "incast:fan-in=2,bytes=1KB"},
                "Wormhole was built without MPI");
    unsetenv("OMPI_COMM_WORLD_SIZE");
}

#else

namespace
{

/** \return the words of an mpirun of \p ranks of us, in \p folder */
Words
Mpirun(uint32_t ranks, const Words& words, const std::string& folder)
{
    return With(With({"--allow-run-as-root",
                      "--oversubscribe",
                      "-np",
                      std::to_string(ranks),
                      Sandbox::GetWormhole(),
                      "run"},
                     words),
                {"--output", folder, "--no-progress"});
}

} // namespace

TEST_P(SharedRanks, WriteTheBytesOfOneProcess)
{
    const Words& words = GetParam().words;
    const ProgramResult alone = box.Run(With(With({"run"}, words), {"--output", "one"}));
    ASSERT_TRUE(alone.exit == 0 || alone.exit == 3) << alone.err;
    ASSERT_FALSE(box.Read("one/fct.txt").empty() && alone.exit == 0);
    const Sandbox mpirun(WORMHOLE_MPIEXEC);
    for (const uint32_t ranks : {2, 3, 4})
    {
        const ProgramResult r = mpirun.Run(Mpirun(ranks, words, box.PathOf("several")));
        EXPECT_EQ(r.exit, alone.exit) << r.out << r.err;
        for (const char* file : {"fct.txt", "pfc.txt", "links.csv", "ranks.csv"})
        {
            EXPECT_EQ(box.Read(std::string("several/") + file),
                      box.Read(std::string("one/") + file))
                << file << " of " << ranks << " ranks";
        }
        const json shared = box.ReadJson("several/summary.json");
        EXPECT_EQ(Results(shared), Results(box.ReadJson("one/summary.json")));
        EXPECT_EQ(shared["cost"]["ranks"]["count"], ranks);
        EXPECT_EQ(shared["cost"]["ranks"]["peak_memory_kib"].size(), ranks);
    }
}

INSTANTIATE_TEST_SUITE_P(All, SharedRanks, testing::ValuesIn(SharedRuns()), [](const auto& info) {
    return std::string(info.param.name);
});

TEST_F(Ranks, RefuseNetworksWithTooFewParts)
{
    // three nodes: four ranks cannot have one each
    const Sandbox mpirun(WORMHOLE_MPIEXEC);
    const ProgramResult r =
        mpirun.Run(Mpirun(4,
                          {"--topology", "star:hosts=2", "--traffic", "ring:bytes=1KB"},
                          box.PathOf("out")));
    EXPECT_EQ(r.exit, 2) << r.err;
    EXPECT_NE(r.err.find("4 ranks, but the network has 3 parts"), std::string::npos) << r.err;
}

#endif
