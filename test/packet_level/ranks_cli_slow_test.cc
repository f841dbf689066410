/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// `mpirun -np N wormhole run`: the bytes of one process, what it refuses, and a rank that dies.

#include "harness/run_cli.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

using namespace harness;
using nlohmann::json;

namespace
{

class Ranks : public RunCli
{
};

#ifdef WORMHOLE_MPIEXEC

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
                   "incast:fan-in=5,bytes=80KB",
                   {"--cc",
                    "dcqcn",
                    "--set",
                    "ns3::RdmaSwitch::Pfc=false",
                    "--set",
                    "ns3::RdmaSwitch::BufferSize=200000",
                    "--set",
                    "ns3::RdmaHost::RetransmissionTimeout=100us"})},
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
        {"LinkStaysDown",
         Generated("star:hosts=8", "ring:bytes=100KB", {"--link-down", "5us:0-8"})},
        {"OneOfTwoNicsFails",
         Generated(WORMHOLE_SOURCE_DIR "/test/data/topologies/two-nics.txt",
                   "all-to-all:bytes=100KB",
                   {"--link-down", "5us:1-5"})},
        {"SentAgainInAWorkload",
         {"--topology", "star:hosts=9,error=0.01", "--workload", "all-gather:ranks=9,bytes=100KB"}},
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
    ExpectError(With(flows, {"--record"}), "--record is not done");
    ExpectError(With(flows, {"--pcap", "x"}), "--pcap is not done");
    ExpectError(With(flows, {"--flow-control", "credits"}), "--flow-control credits is not done");
    ExpectError(With(flows, {"--rtts"}), "--rtts is not done");
    ExpectError(With(flows, {"--twin"}), "--twin is not done");
    ExpectError(With(flows, {"--estimate"}), "--estimate is not done");
    ExpectError(With(flows, {"--simulator", "default"}), "--simulator default is not done");
    for (const auto& [command, remedy] :
         {std::pair("compare", "run it without mpirun"), std::pair("sweep", "--shard K/N")})
    {
        const ProgramResult r = box.Run(With({command}, flows));
        EXPECT_EQ(r.exit, 2) << r.err;
        EXPECT_NE(r.err.find(remedy), std::string::npos) << r.err;
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
    // ranks that mpirun asks to end have 4 s, on a machine that is busy with other tests
    return With(With({"--allow-run-as-root",
                      "--oversubscribe",
                      "--mca",
                      "odls_base_sigkill_timeout",
                      "4",
                      "-np",
                      std::to_string(ranks),
                      Sandbox::GetWormhole(),
                      "run"},
                     words),
                {"--output", folder, "--no-progress"});
}

std::string
ReadAll(const std::filesystem::path& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/** Sends \p signal to the rank with that number that writes to \p folder. \return whether it is
 * there */
bool
KillRank(uint32_t rank, const std::string& folder, int signal = SIGKILL)
{
    const std::string number = "OMPI_COMM_WORLD_RANK=" + std::to_string(rank) + '\0';
    for (const auto& process : std::filesystem::directory_iterator("/proc"))
    {
        if (ReadAll(process.path() / "cmdline").find(folder) != std::string::npos &&
            ReadAll(process.path() / "environ").find(number) != std::string::npos)
        {
            return kill(std::stoi(process.path().filename()), signal) == 0;
        }
    }
    return false;
}

} // namespace

TEST_P(SharedRanks, WriteTheBytesOfOneProcess)
{
    const Words& words = GetParam().words;
    const ProgramResult alone = box.Run(With(With({"run"}, words), {"--output", "one"}));
    ASSERT_TRUE(alone.exit == 0 || alone.exit == 3) << alone.err;
    ASSERT_FALSE(box.Read("one/fct.txt").empty() && alone.exit == 0);
    const Sandbox mpirun(WORMHOLE_MPIEXEC);
    for (const auto& [ranks, threads] : {std::pair(2, 1), {3, 1}, {4, 1}, {2, 2}, {3, 3}})
    {
        SCOPED_TRACE(testing::Message() << ranks << " ranks of " << threads << " threads");
        const Words shares = With(words,
                                  {"--threads",
                                   std::to_string(threads),
                                   "--set",
                                   "ns3::RdmaSimulatorImpl::EventsPerThread=1"});
        const ProgramResult r = mpirun.Run(Mpirun(ranks, shares, box.PathOf("several")));
        EXPECT_EQ(r.exit, alone.exit) << r.out << r.err;
        for (const char* file : {"fct.txt", "pfc.txt", "links.csv", "ranks.csv"})
        {
            EXPECT_EQ(box.Read(std::string("several/") + file),
                      box.Read(std::string("one/") + file))
                << file;
        }
        const json shared = box.ReadJson("several/summary.json");
        EXPECT_EQ(Results(shared), Results(box.ReadJson("one/summary.json")));
        EXPECT_EQ(shared["cost"]["ranks"]["count"], ranks);
        EXPECT_EQ(shared["cost"]["ranks"]["peak_memory_kib"].size(), ranks);
        // a star has few nodes for the threads of a rank
        EXPECT_GE(shared["cost"]["threads"]["ran"], std::min(threads, 2));
    }
}

INSTANTIATE_TEST_SUITE_P(All, SharedRanks, testing::ValuesIn(SharedRuns()), [](const auto& info) {
    return std::string(info.param.name);
});

TEST_F(Ranks, KeepWhatWasComputedWhenOneDies)
{
    const Words words{"--topology",
                      LEAF_SPINE,
                      "--traffic",
                      "poisson:load=0.5,cdf=" WORMHOLE_SOURCE_DIR
                      "/workloads/cdf/websearch.txt,duration=20ms"};
    const Sandbox mpirun(WORMHOLE_MPIEXEC);
    const std::string folder = box.PathOf("several");
    const ProgramResult r = mpirun.RunAndSignal(Mpirun(3, words, folder), 0, [&]() {
        return box.Lines("several/fct.txt").size() > 10 && KillRank(1, folder);
    });
    EXPECT_NE(r.exit, 0);
    EXPECT_NE(r.err.find("rank 1 does not answer, so the run has ended; what had been computed is "
                         "written"),
              std::string::npos)
        << r.err;
    EXPECT_EQ(box.ReadJson("several/summary.json")["interrupted"], true);
    ASSERT_EQ(box.Run(With(With({"run"}, words), {"--output", "one"})).exit, 0);
    const std::string whole = box.Read("one/fct.txt");
    const std::string part = box.Read("several/fct.txt");
    EXPECT_GT(part.size(), 0U);
    EXPECT_LT(part.size(), whole.size());
    EXPECT_EQ(part, whole.substr(0, part.size()));
}

TEST_F(Ranks, StopTogether)
{
    const Words words{"--topology",
                      LEAF_SPINE,
                      "--traffic",
                      "poisson:load=0.5,cdf=" WORMHOLE_SOURCE_DIR
                      "/workloads/cdf/websearch.txt,duration=20ms"};
    const Sandbox mpirun(WORMHOLE_MPIEXEC);
    const std::string folder = box.PathOf("several");
    const ProgramResult r = mpirun.RunAndSignal(Mpirun(2, words, folder), 0, [&]() {
        return box.Lines("several/fct.txt").size() > 10 && KillRank(1, folder, SIGTERM);
    });
    EXPECT_NE(r.exit, 0);
    EXPECT_NE(r.err.find("wormhole: interrupted; "), std::string::npos) << r.err;
    EXPECT_EQ(r.err.find("does not answer"), std::string::npos) << r.err;
    EXPECT_EQ(box.ReadJson("several/summary.json")["interrupted"], true);
}

TEST_F(Ranks, NeedTheSameOptionsAndInputs)
{
    const Sandbox mpirun(WORMHOLE_MPIEXEC);
    for (const char* folder : {"a", "b"})
    {
        box.Write(std::string(folder) + "/flows.txt",
                  std::string("1\n0 1 3 100 1000 0.") + (*folder == 'a' ? "0" : "1") + "\n");
    }
    const auto run = [&](const Words& first, const Words& second) {
        const auto ofRank = [&](const char* folder, const Words& words) {
            return With({"-np", "1", "--wdir", box.PathOf(folder), Sandbox::GetWormhole(), "run"},
                        With({"--topology", "star:hosts=3", "--output", box.PathOf("out")}, words));
        };
        const Words both = With(With(ofRank("a", first), {":"}), ofRank("b", second));
        return mpirun.Run(With({"--allow-run-as-root", "--oversubscribe"}, both));
    };
    const ProgramResult files = run({"--flows", "flows.txt"}, {"--flows", "flows.txt"});
    EXPECT_EQ(files.exit, 2) << files.err;
    EXPECT_NE(files.err.find("has another flows.txt than rank"), std::string::npos) << files.err;
    const Words ring{"--traffic", "ring:bytes=1KB"};
    const ProgramResult options =
        run(With(ring, {"--cc", "dcqcn"}), With(ring, {"--cc", "timely"}));
    EXPECT_EQ(options.exit, 2) << options.err;
    EXPECT_NE(options.err.find("has other options than rank"), std::string::npos) << options.err;
    EXPECT_FALSE(std::filesystem::exists(box.PathOf("out/summary.json")));
}

TEST_F(Ranks, RefuseMoreThreadsThanPlacesTell)
{
    const Sandbox mpirun(WORMHOLE_MPIEXEC);
    const ProgramResult r = mpirun.Run(
        Mpirun(2,
               {"--topology", "star:hosts=300", "--traffic", "ring:bytes=1KB", "--threads", "128"},
               box.PathOf("out")));
    EXPECT_EQ(r.exit, 2) << r.err;
    EXPECT_NE(r.err.find("2 ranks of 128 threads each, but at most 255"), std::string::npos)
        << r.err;
}

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
