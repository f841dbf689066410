/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// `wormhole goal from-nsys` and `from-kineto`, run for real on traces of the same program, which
// test/data/formats/nccl/make_traces.py made.

#include "harness/run_cli.h"

#include <sstream>

using namespace harness;
using nlohmann::json;

namespace
{

const std::string DATA = WORMHOLE_SOURCE_DIR "/test/data/formats/nccl";

class NcclCli : public RunCli
{
  protected:
    /** \return what an action prints that makes a schedule of the data; it must succeed */
    std::string Make(const std::string& action, const std::string& goal, const Words& words = {})
    {
        const ProgramResult r = box.Run(With({"goal", action, DATA, goal}, words));
        EXPECT_EQ(r.exit, 0) << r.err;
        EXPECT_EQ(r.err, "");
        return r.out;
    }

    /** \return the numbers in the line of an operation: calls, bytes, messages, sent */
    static std::vector<uint64_t> NumbersOf(const std::string& table, const std::string& operation)
    {
        std::istringstream line(table.substr(table.find("\n" + operation + " ") + 1));
        std::string name;
        std::vector<uint64_t> numbers(4);
        line >> name >> numbers[0] >> numbers[1] >> numbers[2] >> numbers[3];
        return numbers;
    }

    void ExpectMistake(const Words& words, const std::string& text)
    {
        const ProgramResult r = box.Run(words);
        EXPECT_EQ(r.exit, 2) << r.out << r.err;
        EXPECT_NE(r.err.find(text), std::string::npos) << r.err;
    }
};

} // namespace

TEST_F(NcclCli, BothKindsOfTracesBecomeTheSameSchedule)
{
    const std::string nsys = Make("from-nsys", "n.goal");
    const std::string kineto = Make("from-kineto", "k.goal");
    EXPECT_EQ(box.Read("n.goal"), box.Read("k.goal"));
    EXPECT_EQ(nsys.substr(nsys.find('\n')), kineto.substr(kineto.find('\n')));
    Make("from-nsys", "n.bin");
    box.Run({"goal", "convert", "n.goal", "again.bin"});
    EXPECT_EQ(box.Read("n.bin"), box.Read("again.bin"));
}

TEST_F(NcclCli, TheTableHasWhatTheProgramSent)
{
    // 4 ranks, 2 iterations. All-gather: each of 4 gives 2^20 elements of 2 bytes, and in a ring
    // sends 3 of 4 parts, each in 8 channels: 3 * 8 messages per rank and iteration.
    const std::string table = Make("from-nsys", "n.goal");
    const uint64_t result = 4 * 2 * (1 << 20);
    EXPECT_EQ(NumbersOf(table, "all-gather"),
              (std::vector<uint64_t>{4 * 2, 4 * 2 * result, 4 * 2 * 3 * 8, 2 * 3 * result}));
    // each rank sends one message of 2^18 elements in each iteration, and gets one
    EXPECT_EQ(NumbersOf(table, "send"), (std::vector<uint64_t>{8, 8 << 19, 8, 8 << 19}));
    EXPECT_EQ(NumbersOf(table, "recv"), (std::vector<uint64_t>{8, 8 << 19, 0, 0}));
}

TEST_F(NcclCli, AllLevelsRunIt)
{
    Make("from-nsys", "n.goal", {"--nccl", "ranks-per-server=2"});
    EXPECT_EQ(box.Run({"goal", "validate", "n.goal"}).out.find("0 errors, 0 warnings") ==
                  std::string::npos,
              false);
    const Words run{"--workload", "n.goal", "--topology", "star:hosts=4,rate=400Gbps"};
    std::vector<int64_t> ends;
    for (const char* mode : {"packet", "fast", "flow"})
    {
        ends.push_back(Summary(With(run, {"--mode", mode}))["results"]["finish_ns"]);
    }
    // each rank computes 50 us, then in each of two iterations 300 us, then 25 us; the world's
    // collectives add at least 3/4 of 8 MiB at 400 Gb/s to that, since nothing is computed while
    // parameters are reduced
    const int64_t computing = 50000 + 2 * 300000 + 25000;
    const int64_t reducing = 2 * int64_t{3} * (8 << 20) / 4 * 8 / 400;
    for (const int64_t end : ends)
    {
        EXPECT_GT(end, computing + reducing);
        EXPECT_LT(end, 2 * (computing + reducing));
    }
    const int64_t message =
        Summary({"--workload", "n.goal", "--mode", "message"})["results"]["finish_ns"];
    EXPECT_GT(message, computing);
}

TEST_F(NcclCli, ComputingIsScaled)
{
    Make("from-nsys", "n.goal");
    Make("from-nsys", "half.goal", {"--scale", "0.5"});
    Make("from-nsys", "none.goal", {"--scale", "0"});
    const auto computing = [this](const std::string& goal) {
        return json::parse(box.Run({"goal", "stats", goal, "--json"}).out);
    };
    EXPECT_EQ(box.Read("none.goal").find("calc 5"), std::string::npos);
    EXPECT_NE(box.Read("n.goal").find("calc 50000\n"), std::string::npos);
    EXPECT_NE(box.Read("half.goal").find("calc 25000\n"), std::string::npos);
    EXPECT_FALSE(computing("n.goal").empty());
}

TEST_F(NcclCli, MistakesNameWhatIsWrong)
{
    const Words two{"goal", "from-nsys", DATA, "x.goal"};
    ExpectMistake({"goal", "from-nsys", DATA}, "goal from-nsys needs traces and a file");
    ExpectMistake({"goal", "from-kineto", "nowhere.json", "x.goal"},
                  "nowhere.json: cannot be read");
    ExpectMistake({"goal", "from-nsys", DATA + "/server-0.sqlite", "x.goal"},
                  "has 4 ranks, but no export has rank 2, 3 of it: give the exports of all");
    ExpectMistake({"goal", "from-kineto", DATA + "/rank-0.json", "x.goal"},
                  "process group 0 has 4 ranks, but there is no trace of rank 1");
    ExpectMistake({"goal", "from-kineto", DATA + "/server-0.sqlite", "x.goal"}, "is not JSON");
    ExpectMistake({"goal", "from-nsys", DATA + "/rank-0.json", "x.goal"}, "is no SQLite database");
    ExpectMistake(With(two, {"--scale", "-1"}), "--scale -1: must be a number from 0 to 1000");
    ExpectMistake(With(two, {"--nccl", "ranks-per-server=0"}), "ranks-per-server");
    ExpectMistake(With(two, {"--nccl", "bytes=7"}), "bytes");
    ExpectMistake(With(two, {"--clocks", "ignore"}), "clocks");
    ExpectMistake({"goal", "from-nsys", DATA, DATA + "/rank-0.json", DATA + "/rank-0.json", "x"},
                  "rank-0.json: is given twice");
    box.Write("empty/readme", "");
    ExpectMistake({"goal", "from-nsys", "empty", "x.goal"}, "holds no files whose names end in");
    box.Write("own.json", "{}");
    ExpectMistake({"goal", "from-kineto", "own.json", "own.json"}, "own.json");
    EXPECT_EQ(box.Read("x.goal"), "");
}

TEST_F(NcclCli, FilesOfAFolderAreInTheOrderOfTheirNumbers)
{
    // without a rank of their own, traces are ranked by their places: 2 before 10
    const std::string text = box.Run({"goal", "--help"}).out;
    EXPECT_NE(text.find("from-nsys"), std::string::npos);
    for (const char* name : {"t/rank-10.json", "t/rank-2.json"})
    {
        box.Write(name,
                  json{{"traceEvents",
                        {{{"ph", "X"},
                          {"cat", "kernel"},
                          {"name", "ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)"},
                          {"ts", 5},
                          {"dur", 1},
                          {"args",
                           {{"Collective name", "allreduce"},
                            {"dtype", "Float"},
                            {"In msg nelems", 1},
                            {"Group size", 2},
                            {"Process Group Name", "0"},
                            {"Process Group Ranks", "[0, 1]"}}}}}}}
                      .dump());
    }
    const ProgramResult r = box.Run({"goal", "from-kineto", "t", "t.goal"});
    EXPECT_EQ(r.exit, 0) << r.err;
    EXPECT_LT(r.err.find("t/rank-2.json: does not say its rank"),
              r.err.find("t/rank-10.json: does not say its rank"));
}
