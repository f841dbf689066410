/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Files of every format that are not as they should be: one line that names the file, and an exit
// code; neither a crash, nor a hang, nor much memory.

#include "fault-run.h"
#include "harness/memory.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace faults;
namespace fs = std::filesystem;

namespace
{

const std::string SOURCE = WORMHOLE_SOURCE_DIR;
constexpr uint64_t GIB = uint64_t{1} << 30;

std::string
ReadFile(const std::string& path)
{
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

std::string
Repeated(const std::string& text, size_t times)
{
    std::string all;
    for (size_t i = 0; i < times; ++i)
    {
        all += text;
    }
    return all;
}

/** A format: the words that read the file IN, and one that is as it should be. */
struct Format
{
    std::string name;
    Words words;
    std::string good;
    bool text{true};
};

std::vector<Format>
Formats()
{
    const Words message{"--mode", "message", "--quiet"};
    return {
        {"config",
         {"run", "--config", "IN", "--quiet"},
         "TOPOLOGY_FILE topology.txt\nFLOW_FILE flow.txt\nL2_ACK_INTERVAL 1\nENABLE_QCN 0\n"},
        {"topology",
         {"run", "--topology", "IN", "--traffic", "ring:bytes=1KB", "--quiet"},
         "3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n"},
        {"flows",
         {"run", "--topology", "topology.txt", "--flows", "IN", "--quiet"},
         "1\n0 1 3 100 1000 0\n"},
        {"cdf",
         {"traffic", "poisson:cdf=IN,load=0.3,duration=10us", "--topology", "topology.txt"},
         "0 0\n1000 50\n2000 100\n"},
        {"goal",
         harness::With({"run", "--workload", "goal:file=IN"}, message),
         ReadFile(SOURCE + "/workloads/goal/pipeline-2.goal")},
        {"validate", {"goal", "validate", "IN"}, "num_ranks 1\nrank 0 {\na: calc 1\n}\n"},
        {"training", {"training", "IN"}, ReadFile(SOURCE + "/workloads/training/gpt-7b-64.json")},
        {"simai",
         {"run",
          "--workload",
          "simai:file=IN",
          "--topology",
          "star:hosts=8",
          "--mode",
          "flow",
          "--quiet"},
         ReadFile(SOURCE + "/workloads/simai/two-layers-tp8.txt")},
        {"storage",
         harness::With({"run", "--workload", "storage:file=IN,hosts=2,ccs=2,bss=4"}, message),
         ReadFile(SOURCE + "/workloads/storage/two-hosts.spc")},
        {"system",
         {"run",
          "--workload",
          "chakra:prefix=x,system=IN",
          "--topology",
          "topology.txt",
          "--quiet"},
         "{}"},
        {"chakra",
         {"run", "--workload", "chakra:prefix=x", "--topology", "topology.txt", "--quiet"},
         "",
         false},
        {"memo", {"memo", "list", "IN"}, "", false},
    };
}

class Inputs : public testing::TestWithParam<size_t>
{
  protected:
    Inputs()
        : m_format(Formats()[GetParam()])
    {
        box.Write("topology.txt", "3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n");
        box.Write("flow.txt", "1\n0 1 3 100 1000 0\n");
        m_file = m_format.name == "chakra" ? "x.0.et" : "in";
        for (std::string& word : m_format.words)
        {
            const size_t at = word.find("IN");
            word = at == std::string::npos ? word : word.replace(at, 2, m_file);
        }
    }

    /** \return exit code of a run with the file as it is; what it says is checked */
    int Read(const std::string& what)
    {
        Circumstances circumstances;
        circumstances.longest = std::chrono::seconds(harness::Sandbox::IsSlow() ? 60 : 20);
        if (!harness::Sandbox::IsSlow())
        {
            circumstances.prepare = [] { Limit(RLIMIT_AS, GIB); };
        }
        const ProgramResult r = RunUnder(box, m_format.words, circumstances);
        // each few bytes of a trace may be a node
        const bool large = m_format.name == "chakra" && r.err.find("out of memory") < r.err.size();
        EXPECT_TRUE(r.exit == 0 || r.exit == 2 || large)
            << m_format.name << ", " << what << ": exit code " << r.exit << "\n"
            << r.err;
        EXPECT_TRUE(r.exit == 0 || r.err.rfind("wormhole: ", 0) == 0) << r.err;
        EXPECT_LT(r.err.size(), 2000U) << what;
        EXPECT_TRUE(r.exit == 0 || r.err.find('\0') == std::string::npos) << what;
        return r.exit;
    }

    int ReadText(const std::string& what, const std::string& text)
    {
        for (const char* suffix : {"", "-wal", "-shm"})
        {
            fs::remove(box.PathOf(m_file + suffix));
        }
        box.Write(m_file, text);
        return Read(what);
    }

    void TryTexts()
    {
        const std::string& good = m_format.good;
        if (!good.empty() && m_format.name != "system")
        {
            EXPECT_EQ(ReadText("as it should be", good), 0);
            EXPECT_EQ(ReadText("byte order mark", "\xEF\xBB\xBF" + good), 0) << m_format.name;
            std::string lines;
            for (const char c : good)
            {
                lines += c == '\n' ? "\r\n" : std::string(1, c);
            }
            EXPECT_EQ(ReadText("CR LF", lines), 0) << m_format.name;
            ReadText("cut off", good.substr(0, good.size() / 2));
            ReadText("a NUL", good.substr(0, good.size() / 2) + std::string(1, '\0') + good);
        }
        ReadText("empty", "");
        EXPECT_EQ(ReadText("NULs", std::string(5000, '\0')), 2);
        EXPECT_EQ(ReadText("deep", Repeated("{\"a\":[", 50000)), 2);
        EXPECT_EQ(ReadText("large numbers", Repeated("18446744073709551616 ", 100)), 2);
        EXPECT_EQ(ReadText("no numbers", Repeated("nan -inf 1e999 ", 100)), 2);
        ReadText("noise", Repeated("\x80\xff\x01\x7f{}[]\"\\\n%s%n", 500));
    }

    void TryNoFiles()
    {
        fs::remove(box.PathOf(m_file));
        Read("no file");
        fs::create_directory(box.PathOf(m_file));
        EXPECT_EQ(Read("a folder"), 2) << m_format.name;
        fs::remove(box.PathOf(m_file));
        fs::create_symlink(m_file, box.PathOf(m_file));
        EXPECT_EQ(Read("a link to itself"), 2) << m_format.name;
        for (const char* device : {"/dev/zero", "/dev/null"})
        {
            fs::remove(box.PathOf(m_file));
            fs::create_symlink(device, box.PathOf(m_file));
            Read(device);
        }
        fs::remove(box.PathOf(m_file));
    }

    Sandbox box;
    Format m_format;
    std::string m_file;
};

using SlowInputs = Inputs;

std::string
NameOf(const testing::TestParamInfo<size_t>& info)
{
    return Formats()[info.param].name;
}

} // namespace

TEST_P(Inputs, OddTexts)
{
    TryTexts();
}

TEST_P(Inputs, NoFiles)
{
    TryNoFiles();
}

/** 100 MB without an end of line. */
TEST_P(SlowInputs, Large)
{
    constexpr size_t SIZE = 100'000'000;
    for (const char c : {'x', ' ', '\0'})
    {
        ReadText(std::string("100 MB of ") + c, std::string(SIZE, c));
    }
    ReadText("50 million words", Repeated("1 ", SIZE / 2));
}

INSTANTIATE_TEST_SUITE_P(All, Inputs, testing::Range(size_t{0}, Formats().size()), NameOf);
INSTANTIATE_TEST_SUITE_P(Slow, SlowInputs, testing::Range(size_t{0}, Formats().size()), NameOf);

/** A pipe can be read once only, and what comes out of it could not be told from its hash. */
TEST(Pipes, AsInputs)
{
    const Sandbox box;
    ASSERT_EQ(mkfifo(box.PathOf("pipe").c_str(), 0600), 0);
    for (const Words& words :
         {Words{"run", "--config", "pipe"},
          Words{"run", "--topology", "pipe", "--traffic", "ring"},
          Words{"run", "--topology", "star", "--flows", "pipe"},
          Words{"run", "--topology", "star", "--traffic", "poisson:cdf=pipe,load=1,duration=1us"},
          Words{"run", "--workload", "pipe", "--mode", "message"},
          Words{"run", "--workload", "chakra:prefix=x,system=pipe", "--mode", "message"},
          Words{"traffic", "ring", "--topology", "pipe"}})
    {
        Circumstances circumstances;
        circumstances.longest = std::chrono::seconds(20);
        const ProgramResult r = RunUnder(box, words, circumstances);
        EXPECT_EQ(r.exit, 2) << words[2];
        EXPECT_NE(r.err.find("pipe: a pipe, but"), std::string::npos) << r.err;
    }
}

TEST(Options, MemoThatIsNotLookedInto)
{
    const Sandbox box;
    const ProgramResult r = RunUnder(box,
                                     {"run",
                                      "--topology",
                                      "star:hosts=2",
                                      "--traffic",
                                      "ring",
                                      "--mode",
                                      "fast",
                                      "--memo",
                                      "m.db",
                                      "--fast",
                                      "Memo=false"});
    EXPECT_EQ(r.exit, 2);
    EXPECT_NE(r.err.find("--memo: no effect with --fast Memo=false"), std::string::npos) << r.err;
}

/** Networks and flows at the edge of what there is. */
TEST(Odd, NetworksAndFlows)
{
    const Sandbox box;
    // \return the exit code, on which all modes agree
    const auto run = [&box](const std::string& topology, const std::string& flows) {
        box.Write("topology.txt", topology);
        box.Write("flow.txt", flows);
        Words words{"run", "--topology", "topology.txt", "--flows", "flow.txt", "--quiet"};
        const int exit = RunUnder(box, words).exit;
        for (const char* mode : {"fast", "flow"})
        {
            const ProgramResult r = RunUnder(box, harness::With(words, {"--mode", mode}));
            EXPECT_EQ(r.exit, exit) << mode;
            EXPECT_EQ(r.exit == 0, r.err.empty()) << r.err;
        }
        return exit;
    };
    const std::string pair = "3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n";
    EXPECT_EQ(run("1 0 0\n\n", "0\n"), 0) << "one host";
    EXPECT_EQ(run("1 0 0\n\n", "1\n0 0 3 100 1000 0\n"), 2) << "to itself";
    EXPECT_EQ(run("2 0 1\n\n0 1 100Gbps 1us 0\n", "1\n0 1 3 100 1000 0\n"), 0) << "no switch";
    EXPECT_EQ(run("2 0 0\n\n", "1\n0 1 3 100 1000 0\n"), 3) << "no way: a flow is left";
    EXPECT_EQ(run("2 0 1\n\n0 0 100Gbps 1us 0\n", "0\n"), 2) << "a link from a node to itself";
    EXPECT_EQ(run(pair, "3\n0 1 3 100 0 0\n0 1 3 100 1 0\n1 0 3 100 1000 0\n"), 0)
        << "no byte, one byte";
    EXPECT_EQ(run(pair, "1\n0 0 3 100 1000 0\n"), 2) << "to itself";
    EXPECT_EQ(run(pair, "0\n"), 0) << "no flow";
    EXPECT_EQ(run("3 3 0\n0 1 2\n", "0\n"), 0) << "switches only";
}
