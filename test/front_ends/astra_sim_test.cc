/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The program wormhole-astra-sim, on a stand-in of ASTRA-sim's interface whose traces are texts
// (scratch/front-ends/astra-sim/stand-in).

#include "harness/sandbox.h"

#include <gtest/gtest.h>
#include <sstream>

namespace
{

using harness::ProgramResult;
using harness::Sandbox;
using harness::With;
using harness::Words;
using nlohmann::json;

/** 2 NPUs at a switch by links of 400 Gb/s and 500 ns. */
class AstraSim : public testing::Test
{
  protected:
    AstraSim()
    {
        box.Write("system.json", "{}");
        box.Write("memory.json", "{}");
        box.Write("logical.json", R"({"logical-dims": ["2"]})");
        box.Write("topology.txt", "3 1 2\n2\n0 2 400Gbps 0.0005ms 0\n1 2 400Gbps 0.0005ms 0\n");
        box.Write("config.txt",
                  "TOPOLOGY_FILE topology.txt\nPACKET_PAYLOAD_SIZE 1000\nL2_ACK_INTERVAL 1\n"
                  "CC_MODE 12\nHAS_WIN 1\nGLOBAL_T 0\nNIC_TOTAL_PAUSE_TIME 0\n"
                  "FCT_OUTPUT_FILE fct.txt\nPFC_OUTPUT_FILE pfc.txt\n"
                  "KMAX_MAP 1 400000000000 3200\nKMIN_MAP 1 400000000000 800\n"
                  "PMAX_MAP 1 400000000000 0.2\n");
        Trace(0, "");
        Trace(1, "");
    }

    void Trace(int npu, const std::string& steps)
    {
        box.Write("trace." + std::to_string(npu) + ".et", steps);
    }

    /** \return how the program ends with these words beside those that it always needs */
    ProgramResult Run(const Words& words) const
    {
        return box.Run(With({"--workload-configuration=trace",
                             "--system-configuration=system.json",
                             "--network-configuration=config.txt",
                             "--remote-memory-configuration=memory.json",
                             "--logical-topology-configuration=logical.json"},
                            words));
    }

    /** \return cycles of each NPU, as ASTRA-sim prints them; the run must succeed */
    std::vector<uint64_t> Cycles(const Words& words) const
    {
        const ProgramResult r = Run(With(words, {"--quiet"}));
        EXPECT_EQ(r.exit, 0) << r.err;
        std::vector<uint64_t> cycles(2);
        std::istringstream in(r.out);
        for (std::string line; std::getline(in, line);)
        {
            uint64_t npu = 0;
            uint64_t ns = 0;
            if (std::sscanf(line.c_str(), "sys[%lu] finished, %lu cycles", &npu, &ns) == 2)
            {
                cycles[npu] = ns;
            }
        }
        return cycles;
    }

    Sandbox box{ASTRA_SIM_STAND_IN};
};

/** 1000 bytes and ASTRA-sim's 36 of headers take 20.72 ns, rounded to 21, on each of two links, and
 * 500 ns; an acknowledgement of 48 bytes 0.96 ns. */
constexpr uint64_t LINK = 500;
constexpr uint64_t ONE_WAY = 2 * (21 + LINK);
constexpr uint64_t BACK = 2 * (1 + LINK);

} // namespace

TEST_F(AstraSim, TellsReceiversWhenSendersAreTold)
{
    Trace(0, "compute 50\ndeliver 1 7 1000\n");
    Trace(1, "receive 0 7 1000\ncompute 5\n");
    const std::vector<uint64_t> acknowledged{50 + ONE_WAY + BACK, 50 + ONE_WAY + BACK + 5};
    EXPECT_EQ(Cycles({}), acknowledged);
    EXPECT_EQ(Cycles({"--receive-at", "acknowledgement"}), acknowledged);
    EXPECT_EQ(Cycles({"--receive-at=delivery"}),
              (std::vector<uint64_t>{50 + ONE_WAY + BACK, 50 + ONE_WAY + 5}));
}

TEST_F(AstraSim, RunsInAllModesOnAnyTopology)
{
    Trace(0, "deliver 1 7 10000000\n");
    Trace(1, "receive 0 7 10000000\n");
    const uint64_t packets = Cycles({})[1];
    EXPECT_EQ(Cycles({"--threads", "2"})[1], packets);
    for (const char* mode : {"fast", "flow"})
    {
        // 10,000 packets of 21 ns each; flow level knows nothing of rounding, 20.72
        EXPECT_NEAR(static_cast<double>(Cycles({"--mode", mode})[1]),
                    static_cast<double>(packets),
                    0.015 * static_cast<double>(packets))
            << mode;
    }
    // there and back over two links, each 49.5 us longer
    EXPECT_EQ(Cycles({"--topology", "star:hosts=2,rate=400Gbps,delay=50us", "--window", "none"})[1],
              packets + 4 * uint64_t{49500});
}

TEST_F(AstraSim, WritesOurResultsBeside)
{
    Trace(0, "compute 50\nsend 1 7 1000\nsend 1 7 500\n");
    Trace(1, "receive 0 7 1500\n");
    const ProgramResult r = Run({"--output", "out", "--record"});
    EXPECT_EQ(r.exit, 0) << r.err;
    EXPECT_EQ(box.Lines("out/fct.txt").size(), 2U);
    const json s = box.ReadJson("out/summary.json");
    EXPECT_EQ(s["operations"]["completed"], 3); // two sends and a receive
    EXPECT_EQ(s["configuration"]["jobs"][0]["kind"], "astra-sim");
    EXPECT_EQ(box.Lines("out/ranks.csv").size(), 1U + 2);
}

TEST_F(AstraSim, NamesNpusThatAreStuck)
{
    Trace(0, "receive 1 500000003 64\n");
    Trace(1, "send 0 8 64\n");
    const ProgramResult r = Run({});
    EXPECT_EQ(r.exit, 3);
    EXPECT_NE(r.err.find("rank 0 waits for 64 bytes from rank 1, collective stream 3, of which 0 "
                         "have come; that rank has finished"),
              std::string::npos)
        << r.err;
    EXPECT_NE(r.err.find("rank 0 does not ask for 64 bytes that have come from rank 1, tag 8"),
              std::string::npos)
        << r.err;
}

TEST_F(AstraSim, NamesEachOfManyNpusThatAreStuck)
{
    constexpr int NPUS = 40;
    box.Write("logical.json", R"({"logical-dims": [")" + std::to_string(NPUS) + "\"]}");
    for (int npu = 0; npu < NPUS; ++npu)
    {
        Trace(npu, "receive " + std::to_string((npu + 1) % NPUS) + " 5 64\n");
    }
    const ProgramResult r = Run({"--topology", "star:rate=400Gbps,hosts=" + std::to_string(NPUS)});
    EXPECT_EQ(r.exit, 3);
    for (int npu = 0; npu < NPUS; ++npu)
    {
        EXPECT_NE(r.err.find("rank " + std::to_string(npu) + " waits for 64 bytes from rank " +
                             std::to_string((npu + 1) % NPUS) + ", tag 5"),
                  std::string::npos)
            << r.err;
    }
}

TEST_F(AstraSim, RefusesWhatIsWrong)
{
    const auto expect = [this](const Words& words, const std::string& text) {
        const ProgramResult r = Run(words);
        EXPECT_EQ(r.exit, 2) << r.out << r.err;
        EXPECT_NE(r.err.find(text), std::string::npos) << r.err;
    };
    expect({"--workload-configuration=trace"}, "specified more than once");
    expect({"--comm-scale=0"}, "--comm-scale 0: must be a number above 0");
    expect({"--rendezvous-protocol=maybe"}, "must be true or false");
    expect({"--comm-group-configuration=none.json"}, "there is no such file");
    expect({"--traffic", "ring:bytes=1"}, "--traffic");
    expect({"--mode", "message"}, "--mode message");
    expect({"--estimate"}, "--estimate: no effect here");
    expect({"--disturb", "1"}, "--disturb");
    expect({"--colour", "1"}, "colour");
    Trace(0, "send 2 5 64\n");
    expect({}, "rank 0 sends to rank 2, tag 5, 64 bytes, but there are only 2 ranks");
    Trace(0, "compute 5\nfail\n");
    expect({}, "ASTRA-sim, NPU 0: no such attribute");
    Trace(1, "endless\n");
    expect({}, "trace.1.et, system.json: ASTRA-sim says: no end");
    box.Write("logical.json", R"({"logical-dims": ["3"]})");
    expect({},
           "trace.2.et: there is no such file, but --logical-topology-configuration has 3 NPUs");
    box.Write("system.json", "{");
    expect({}, "system.json:1: ");
    EXPECT_EQ(box.Run({}).exit, 2);
}

TEST_F(AstraSim, SaysWhatItTakes)
{
    const ProgramResult r = box.Run({"--help"});
    EXPECT_EQ(r.exit, 0);
    for (const char* text : {"--workload-configuration",
                             "--rendezvous-protocol",
                             "--mode",
                             "--threads",
                             "--record",
                             "Exit codes"})
    {
        EXPECT_NE(r.out.find(text), std::string::npos) << text;
    }
    EXPECT_EQ(box.Run({"--version"}).exit, 0);
}
