/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Classes of the user's: `wormhole run --load`, `wormhole new`.

#include "harness/run_cli.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

namespace
{

using namespace harness;
namespace fs = std::filesystem;

const Words RING{"--topology", "star:hosts=4", "--traffic", "ring:bytes=100KB"};

std::string
Plugin(const std::string& name)
{
    return TEST_PLUGINS "/" + name + ".so";
}

class PluginCli : public RunCli
{
  protected:
    /** \return what completed, and when */
    std::string Flows(const Words& words)
    {
        Summary(With(RING, words));
        return box.Read("out/fct.txt");
    }

    /** `wormhole new` with \p words must be refused. */
    void ExpectNotMade(const Words& words, const std::string& text)
    {
        const ProgramResult r = box.Run(With({"new"}, words));
        EXPECT_EQ(r.exit, 2) << r.out << r.err;
        EXPECT_NE(r.err.find(text), std::string::npos) << r.err;
    }

    size_t Episodes(const std::string& store)
    {
        return nlohmann::json::parse(box.Run({"memo", "list", store, "--json"}).out)[0]["episodes"]
            .size();
    }
};

} // namespace

TEST_F(PluginCli, RunsControlsOfOnesOwn)
{
    const std::string hpcc = Flows({"--cc", "hpcc"});
    // A file that is named twice is loaded once.
    const Words own{"--load",
                    Plugin("own-hpcc"),
                    "--load",
                    Plugin("own-hpcc"),
                    "--cc",
                    "ns3::OwnHpcc"};
    EXPECT_EQ(Flows(own), hpcc);
    const nlohmann::json summary = box.ReadJson("out/summary.json");
    EXPECT_EQ(summary["configuration"]["congestion_control"], "ns3::OwnHpcc");
    EXPECT_EQ(summary["inputs"][0]["named_by"], "--load");
    ExpectError(With(RING, {"--cc", "ns3::OwnHpcc"}), "no such congestion control");
    ExpectError(With(With(RING, own), {"--set", "ns3::OwnHpcc::Colour=1"}), "Colour");
}

TEST_F(PluginCli, RunsSchedulersOfOnesOwn)
{
    // Three MB of class 3, whose bytes count half, and 1.5 MB of class 5 share the link to node 2
    // as 2 to 1, and so end together: after 4500 packets of 1048 B, 83.84 ns each, of 100 Gb/s. By
    // turns, class 5 would be over after 3000.
    box.Write("flows.txt", "2\n0 2 3 100 3000000 0\n1 2 5 100 1500000 0\n");
    const Words words{"--topology", "star:hosts=3", "--flows", "flows.txt", "--cc", "none"};
    const Words own{"--load", Plugin("least-served"), "--scheduler", "ns3::LeastServed"};
    const auto ends = [this](const Words& all) {
        Summary(all);
        std::map<std::string, double> fcts; // ns, by source
        for (const std::string& line : box.Lines("out/fct.txt"))
        {
            std::istringstream in(line);
            std::vector<std::string> fields;
            for (std::string field; in >> field;)
            {
                fields.push_back(field);
            }
            fcts[fields.at(0)] = std::stod(fields.at(6));
        }
        return fcts;
    };
    constexpr double FRAME = 83.84;
    auto shared = ends(With(words, own));
    ASSERT_EQ(shared.size(), 2U);
    for (const auto& [source, fct] : shared)
    {
        EXPECT_NEAR(fct, 4500 * FRAME + 4000, 20 * FRAME) << source;
    }
    const nlohmann::json summary = box.ReadJson("out/summary.json");
    EXPECT_EQ(summary["configuration"]["attributes"]["ns3::LeastServed"]["Favoured"], "3");
    auto other = ends(With(With(words, own), {"--set", "ns3::LeastServed::Favoured=5"}));
    EXPECT_NEAR(other["0b000101"], 1.5 * 1500 * FRAME + 4000, 20 * FRAME) << "2 to 1 the other way";
    ExpectError(With(words, {"--scheduler", "ns3::LeastServed"}), "no such scheduler");
    ExpectError(With(With(words, own), {"--class", "3:weight=2"}), "leave one of them out");
}

TEST_F(PluginCli, RunsRoutersOfOnesOwn)
{
    const Words words{"--topology",
                      "leaf-spine:leaves=4,spines=4,hosts-per-leaf=4",
                      "--traffic",
                      "permutation:bytes=200KB",
                      "--cc",
                      "dcqcn"};
    const Words own{"--load", Plugin("two-choices"), "--routing", "ns3::TwoChoices"};
    const auto flows = [&](const Words& more) {
        Summary(With(With(words, own), more));
        return box.Read("out/fct.txt");
    };
    const std::string two = flows({});
    EXPECT_EQ(flows({"--threads", "2"}), two) << "what it knows is of its switch alone";
    EXPECT_NE(flows({"--set", "ns3::TwoChoices::OneChoice=true"}), two);
    Summary(words);
    EXPECT_NE(box.Read("out/fct.txt"), two) << "ECMP";
    ExpectError(With(words, {"--routing", "ns3::TwoChoices"}),
                "--routing ns3::TwoChoices: no such choice of ways");
    ExpectError(With(With(RING, own), {"--cc", "hpcc"}), "cannot tell apart");
}

TEST_F(PluginCli, TwinFindsWhatFlowsShare)
{
    // As in rdma-event-twin-test.cc, but times are exact: a frame takes 83.84 ns, and an
    // acknowledgement 4.8 ns, so host 1 gets its first at 2 x 88.64 + 4,000 = 4,177.28 ns, and
    // sends the next frame at 50 x 83.84 = 4,192 ns.
    const Words words{"run",
                      "--topology",
                      "star:hosts=4,rate=100Gbps,delay=1us",
                      "--flows",
                      "flows.txt",
                      "--load",
                      Plugin("shares-count"),
                      "--cc",
                      "ns3::SharesCount",
                      "--window",
                      "none",
                      "--twin"};
    box.Write("flows.txt", "2\n0 2 3 100 100000 0\n1 3 3 100 100000 0\n");
    const ProgramResult r = box.Run(words);
    EXPECT_EQ(r.exit, 1) << r.out << r.err;
    EXPECT_NE(r.err.find("wormhole: --twin: event "), std::string::npos) << r.err;
    const std::string event = " at +4192ns node 1 port 1 sent data of flow 1, byte 50000 (number ";
    EXPECT_NE(r.err.find("differs: here" + event), std::string::npos) << r.err;
    EXPECT_NE(r.err.find("; in the other run" + event), std::string::npos) << r.err;
    EXPECT_TRUE(box.ReadJson("wormhole-out/summary.json").contains("counters"))
        << "what was computed is written";
}

TEST_F(PluginCli, SweepsLoadThemBesideTheLoadOfNetworks)
{
    const ProgramResult r = box.Run({"sweep",
                                     "--topology",
                                     "star:hosts=4",
                                     "--traffic",
                                     "incast:fan-in={load},bytes=20KB",
                                     "--load",
                                     "2,3",
                                     "--load",
                                     Plugin("own-hpcc"),
                                     "--cc",
                                     "hpcc,ns3::OwnHpcc"});
    EXPECT_EQ(r.exit, 0) << r.err;
    const std::vector<std::string> lines = box.Lines("wormhole-sweep/results.csv");
    EXPECT_EQ(lines.size(), 1U + 2 * 2);
    EXPECT_EQ(lines.at(0).rfind("hash,load,cc,", 0), 0U) << lines[0];
}

TEST_F(PluginCli, EpisodesOfOtherCodeAreNotFound)
{
    const auto run = [this](const std::string& file) {
        Summary(With(
            RING,
            {"--load", file, "--cc", "ns3::OwnHpcc", "--mode", "fast", "--memo", "episodes.db"}));
        return Episodes("episodes.db");
    };
    const size_t once = run(Plugin("own-hpcc"));
    EXPECT_GT(once, 0U);
    EXPECT_EQ(run(Plugin("own-hpcc")), once);
    fs::copy_file(Plugin("own-hpcc"), box.PathOf("changed.so"));
    std::ofstream(box.PathOf("changed.so"), std::ios::app) << '\n';
    EXPECT_EQ(run("changed.so"), 2 * once);
}

TEST_F(PluginCli, RejectsWhatItCannotLoad)
{
    box.Write("text.so", "int main\n");
    const auto load = [](const std::string& file) { return With(RING, {"--load", file}); };
    ExpectError(load("none.so"), "--load none.so: there is no such file");
    ExpectError(load("text.so"), "--load text.so: ");
    ExpectError(load(Plugin("no-stamp")), "does not say for which Wormhole it was built");
    ExpectError(load(Plugin("older")), "was built for Wormhole 0.0.9 0123456789ab ns-3 3.36, this");
    ExpectError(load(Plugin("no-class")), "registers no class");
    ExpectError(load(Plugin("taken-name")), "has a class ns3::RdmaHpcc, as there is already");
}

TEST_F(PluginCli, GoesOnAsTheProgramThatHasTheModulesAsLibraries)
{
    const fs::path other = fs::path(Sandbox::GetWormhole()).replace_filename("wormhole-load");
    if (!fs::exists(other))
    {
        GTEST_SKIP() << "the program of this build has them itself";
    }
    fs::copy_file(Sandbox::GetWormhole(), box.PathOf("wormhole"));
    const Sandbox alone(box.PathOf("wormhole"));
    const Words words = With(With({"run"}, RING), {"--load", Plugin("own-hpcc"), "--quiet"});
    const ProgramResult without = alone.Run(words);
    EXPECT_EQ(without.exit, 2) << without.err;
    EXPECT_NE(without.err.find("wormhole-load, which --load goes on as, cannot be run: No such"),
              std::string::npos)
        << without.err;
    fs::create_symlink(other, box.PathOf("wormhole-load"));
    const ProgramResult with = alone.Run(words);
    EXPECT_EQ(with.exit, 0) << with.err;
}

TEST_F(PluginCli, WritesAControlToStartFrom)
{
    const ProgramResult r = box.Run({"new", "control", "Halving", "--output", "own/halving"});
    EXPECT_EQ(r.exit, 0) << r.err;
    EXPECT_NE(r.out.find("--load own/halving/build/Halving.so --cc ns3::Halving"),
              std::string::npos)
        << r.out;
    const std::string source = box.Read("own/halving/Halving.cc");
    EXPECT_NE(source.find("NS_OBJECT_ENSURE_REGISTERED(Halving);"), std::string::npos);
    EXPECT_EQ(source.find("EcnHalving"), std::string::npos);
    EXPECT_NE(
        box.Read("own/halving/CMakeLists.txt").find("wormhole_add_plugin(Halving Halving.cc)"),
        std::string::npos);

    for (const auto& [kind, example, option] :
         {std::tuple{"scheduler", "LeastServed", "--scheduler ns3::Mine"},
          std::tuple{"router", "TwoChoices", "--routing ns3::Mine"}})
    {
        const ProgramResult made = box.Run({"new", kind, "Mine", "--output", kind});
        EXPECT_EQ(made.exit, 0) << made.err;
        EXPECT_NE(made.out.find(option), std::string::npos) << made.out;
        const std::string written = box.Read(std::string(kind) + "/Mine.cc");
        EXPECT_NE(written.find("NS_OBJECT_ENSURE_REGISTERED(Mine);"), std::string::npos);
        EXPECT_EQ(written.find(example), std::string::npos);
    }
    ExpectNotMade({"control", "Halving", "--output", "own/halving"}, "not an empty folder");
    ExpectNotMade({"control", "own control"}, "begins with a capital");
    ExpectNotMade({"control", "RdmaHpcc"}, "there is an ns3::RdmaHpcc already");
    ExpectNotMade({"schedule", "Mine"},
                  "new schedule: no such kind of class; did you mean scheduler? There are");
    ExpectNotMade({"control"}, "new needs control, scheduler or router, and a NAME");
    EXPECT_FALSE(fs::exists(box.PathOf("RdmaHpcc")));
}
