/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/data.h"
#include "harness/errors.h"
#include "harness/picoseconds.h"
#include "harness/topology_probe.h"

#include "ns3/input-error.h"
#include "ns3/rdma-topology.h"

#include <array>
#include <filesystem>
#include <gtest/gtest.h>
#include <locale>
#include <sstream>

using namespace ns3;
using namespace harness;

namespace
{

using TopologyFile = harness::InPicoseconds;

RdmaTopology
Read(const std::string& text)
{
    std::istringstream in(text);
    return ReadRdmaTopology(in, "t.txt");
}

/** \return the message that the text leads to */
std::string
ErrorOf(const std::string& text)
{
    return harness::InputErrorOf([&] { Read(text); });
}

void
ExpectSame(const RdmaTopology& a, const RdmaTopology& b)
{
    EXPECT_EQ(a.nodes, b.nodes);
    EXPECT_EQ(a.gpusPerServer, b.gpusPerServer);
    EXPECT_EQ(a.gpuType, b.gpuType);
    ASSERT_EQ(a.links.size(), b.links.size());
    for (size_t i = 0; i < a.links.size(); ++i)
    {
        EXPECT_EQ(a.links[i].a, b.links[i].a);
        EXPECT_EQ(a.links[i].b, b.links[i].b);
        EXPECT_EQ(a.links[i].rate, b.links[i].rate);
        EXPECT_EQ(a.links[i].delay, b.links[i].delay);
        EXPECT_EQ(a.links[i].errorRate, b.links[i].errorRate);
    }
}

} // namespace

TEST_F(TopologyFile, IsReadInHpccsFormat)
{
    const RdmaTopology topology =
        Read("3 1 2\n2\n0 2 100Gbps 0.001ms 0.000000\n1 2 25Gbps 1us 0.25\n");
    EXPECT_EQ(
        topology.nodes,
        (std::vector<RdmaNodeKind>{RdmaNodeKind::HOST, RdmaNodeKind::HOST, RdmaNodeKind::SWITCH}));
    EXPECT_EQ(topology.Count(RdmaNodeKind::HOST), 2u);
    ASSERT_EQ(topology.links.size(), 2u);
    EXPECT_EQ(topology.links[0].rate, DataRate("100Gbps"));
    EXPECT_EQ(topology.links[0].delay, MicroSeconds(1));
    EXPECT_EQ(topology.links[1].a, 1u);
    EXPECT_EQ(topology.links[1].b, 2u);
    EXPECT_EQ(topology.links[1].errorRate, 0.25);
    EXPECT_EQ(topology.gpusPerServer, 0u);
    EXPECT_EQ(topology.gpuType, "");
    EXPECT_EQ(topology.origin, "t.txt");
}

TEST_F(TopologyFile, IsReadInSimaisFormat)
{
    const RdmaTopology topology = Read("4 2 1 1 2 H100\n3 2 \n"
                                       "0 3 2880Gbps 0.000025ms 0\n1 2 400Gbps 0.0005ms 0\n");
    // The first id of line 2 is the NVSwitch, the second the switch, whatever their order.
    EXPECT_EQ(topology.nodes[3], RdmaNodeKind::NVSWITCH);
    EXPECT_EQ(topology.nodes[2], RdmaNodeKind::SWITCH);
    EXPECT_EQ(topology.Count(RdmaNodeKind::HOST), 2u);
    EXPECT_EQ(topology.gpusPerServer, 2u);
    EXPECT_EQ(topology.gpuType, "H100");
    EXPECT_EQ(topology.links[0].delay, NanoSeconds(25));
}

TEST_F(TopologyFile, MayHaveOtherLineEndsAndRemarksAfterTheLastLink)
{
    const std::string text = "3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n";
    std::string windows = "\xEF\xBB\xBF"; // as some editors begin a file
    for (char c : text)
    {
        windows += c == '\n' ? "\r\n" : std::string(1, c);
    }
    ExpectSame(Read(windows), Read(text));
    ExpectSame(Read(text + "\nfirst line: nodes, switches, links\n0 9 x y z"), Read(text));
    ExpectSame(Read("\n\n3 1 2\n\n2\n0\n2\n100Gbps 1us 0 1 2 100Gbps 1us 0"), Read(text));
}

TEST_F(TopologyFile, TellsOfANumberAfterTheLastLink)
{
    const std::string text = "3 1 1\n2\n0 2 100Gbps 1us 0\n"; // three lines
    EXPECT_EQ(Read(text).surplusLine, 0U);
    EXPECT_EQ(Read(text + "\nsrc0 dst0 rate\n1 2\n").surplusLine, 0U);
    EXPECT_EQ(Read(text + "\n1 2 100Gbps 1us 0\n").surplusLine, 5U);
}

TEST_F(TopologyFile, MayHaveNoSwitchesAndParallelLinks)
{
    const RdmaTopology topology = Read("2 0 2\n\n0 1 1Gbps 1us 0\n1 0 2Gbps 1us 0\n");
    EXPECT_EQ(topology.Count(RdmaNodeKind::SWITCH), 0u);
    ASSERT_EQ(topology.links.size(), 2u);
    EXPECT_EQ(topology.links[1].a, 1u); // kept in order and direction
}

TEST_F(TopologyFile, NamesLineValueAndRemedy)
{
    EXPECT_EQ(ErrorOf("3 1 2\n2\n0 2 100Gbps 1us 0\n65 2 100Gbps 1us 0\n"),
              "t.txt:4: node 65, but only 3 are declared (nodes are 0 to 2); correct the id or the "
              "node count in line 1");
    EXPECT_EQ(ErrorOf("\n3 1 2\n3\n"),
              "t.txt:3: switch 3, but only 3 nodes are declared (nodes are 0 to 2); correct the id "
              "or the node count in line 2");
    EXPECT_EQ(ErrorOf("4 2 2\n2 2\n"),
              "t.txt:2: switch 2 stands in the list already; give each switch once, or correct the "
              "numbers in line 1");
    EXPECT_EQ(ErrorOf("3 1 2\n2\n1 1 100Gbps 1us 0\n"),
              "t.txt:3: node 1 is linked to itself; correct one of its ends");
    EXPECT_EQ(ErrorOf("3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps\n"),
              "t.txt:4: the file ends at link 2 of 2, where its delay is expected; complete the "
              "file, or correct the counts in line 1");
    EXPECT_EQ(ErrorOf("3 2 2\n2"),
              "t.txt:2: the file ends at switch 2 of 2, where its switch id is expected; complete "
              "the file, or correct the counts in line 1");
    EXPECT_EQ(ErrorOf("3 1 2\n2\n0 2 100 1us 0\n"),
              "t.txt:3: rate 100, but must be a rate above 0 with its unit, such as 100Gbps");
    EXPECT_EQ(ErrorOf("3 1 2\n2\n0 2 100Gbps 1 0\n"),
              "t.txt:3: delay 1, but must be a time from 0 to 1000 s with its unit, such as "
              "1000ns");
    EXPECT_NE(
        ErrorOf("3 1 2\n2\n0 2 100Gbps 0.1fs 0\n").find("t.txt:3: delay 0.1fs, but must be 0 or"),
        std::string::npos);
    EXPECT_EQ(ErrorOf("3 1 2\n2\n0 2 100Gbps 1us 1.5\n"),
              "t.txt:3: error rate 1.5, but must be a number from 0 to 1");
    EXPECT_EQ(ErrorOf("3 1 2\n2\n0 x 100Gbps 1us 0\n"),
              "t.txt:3: node x, but must be a node's id, a whole number from 0 to 2; correct "
              "it, or the counts in line 1");
}

TEST_F(TopologyFile, RejectsEveryFieldOutOfRange)
{
    const std::string start = "3 1 2\n2\n0 2 ";
    for (const char* link : {"0Gbps 1us 0",
                             "-1Gbps 1us 0",
                             "99999999999Gbps 1us 0",
                             "1Gbps -1us 0",
                             "1Gbps 1001s 0",
                             "1Gbps 1e300s 0",
                             "1Gbps nan 0",
                             "1Gbps 1us -0.1",
                             "1Gbps 1us nan",
                             "1Gbps 1us 0x0",
                             "1Gbps 1us 1e999"})
    {
        EXPECT_EQ(ErrorOf(start + link).substr(0, 8), "t.txt:3:") << link;
    }
    for (const char* node : {"-1", "3", "4294967296", "18446744073709551616", "1.0", "0x1", "+1"})
    {
        const std::string link = std::string("3 1 1\n2\n") + node + " 2 1Gbps 1us 0\n";
        EXPECT_EQ(ErrorOf(link).substr(0, 8), "t.txt:3:") << node;
    }
}

TEST_F(TopologyFile, RejectsHeadersThatCannotBe)
{
    for (const char* header : {"0 0 0",
                               "-3 1 2",
                               "3 4 2",
                               "3 1 -2",
                               "3 1 x",
                               "3.5 1 2",
                               "4294967296 0 0",
                               "16777217 0 0",
                               "3 1 4000000000000",
                               "18446744073709551616 1 2",
                               "4 8 3 2 1 H100",
                               "x 8 1 1 1 H100",
                               "4 8 1 1 H100 1",
                               "4 -8 1 1 1 H100"})
    {
        EXPECT_EQ(ErrorOf(header).substr(0, 8), "t.txt:1:") << header << ErrorOf(header);
    }
    EXPECT_NE(ErrorOf("3 1").find("has 2 fields, but must have 3"), std::string::npos);
    EXPECT_NE(ErrorOf("3 1 2 4 5 6 7 8").find("has more than 6 fields"), std::string::npos);
    EXPECT_EQ(ErrorOf(""),
              "t.txt:1: the file ends where the number of nodes is expected; complete the file");
    EXPECT_EQ(ErrorOf(" \r\n\t"),
              "t.txt:1: the file ends where the number of nodes is expected; complete the file");
}

/** \return two servers of two GPUs (0 to 3), their NVSwitches (4, 5), and two leaves (6, 7) with a
 * spine (8); with another first line */
std::string
TwoServers(const std::string& header)
{
    std::string text = header + "\n4 5 6 7 8\n";
    for (const char* link : {"0 4", "1 4", "2 5", "3 5", "0 6", "2 6", "1 7", "3 7", "6 8", "7 8"})
    {
        text += std::string(link) + " 400Gbps 0.0005ms 0\n";
    }
    return text;
}

TEST_F(TopologyFile, RejectsServersThatDoNotFitTheLinks)
{
    EXPECT_EQ(ErrorOf(TwoServers("9 2 2 3 10 H100")), "no error");
    EXPECT_EQ(ErrorOf(TwoServers("9 2 2 3 10 NONE")), "no error");
    EXPECT_EQ(ErrorOf(TwoServers("9 4 2 3 10 H100")), "no error"); // a server with two NVSwitches
    for (const auto& [header, place, words] : std::vector<std::array<const char*, 3>>{
             {"9 0 2 3 10 H100", "t.txt:1:", "GPUs per server 0"},
             {"9 3 2 3 10 H100", "t.txt:1:", "GPUs per server 3, but it must divide the 4 GPUs"},
             {"9 2 2 3 10 FOO", "t.txt:1:", "GPU type FOO, but must be A100"},
             {"9 2 1 4 10 H100", "t.txt:1:", "1 NVSwitches, but each of the 2 servers"},
             {"9 2 3 2 10 H100", "t.txt:1:", "3 NVSwitches, but each of the 2 servers"},
             {"9 2 4 1 10 H100", "t.txt:8:", "NVSwitch 6 is linked to GPUs of two servers"},
             {"9 4 5 0 10 H100", "t.txt:11:", "NVSwitch 6 is linked to another switch"},
             {"9 2 0 5 10 H100", "t.txt:1:", "switch 4 is linked to the GPUs of one server"},
         })
    {
        const std::string error = ErrorOf(TwoServers(header));
        EXPECT_EQ(error.compare(0, std::string(place).size(), place), 0) << error;
        EXPECT_NE(error.find(words), std::string::npos) << header << ": " << error;
    }
}

TEST_F(TopologyFile, AcceptsNoOtherNumbersInTheFirstLine)
{
    // All of 0 to 12 for each number alone, and for NVSwitches and switches together.
    for (uint64_t a = 0; a <= 12; ++a)
    {
        const std::string n = std::to_string(a);
        EXPECT_EQ(ErrorOf(TwoServers(n + " 2 2 3 10 H100")) == "no error", a == 9) << a;
        // 4: one server, 2: two servers
        EXPECT_EQ(ErrorOf(TwoServers("9 " + n + " 2 3 10 H100")) == "no error", a == 2 || a == 4)
            << a;
        const std::string links = TwoServers("9 2 2 3 " + n + " H100");
        if (a > 10)
        {
            EXPECT_NE(ErrorOf(links), "no error") << a;
        }
        else
        {
            EXPECT_EQ(Read(links).surplusLine, a == 10 ? 0 : a + 3)
                << a; // of which the user is told
        }
        for (uint64_t b = 0; b <= 12; ++b)
        {
            const std::string header = "9 2 " + n + " " + std::to_string(b) + " 10 H100";
            EXPECT_EQ(ErrorOf(TwoServers(header)) == "no error", a == 2 && b == 3) << header;
        }
    }
}

TEST_F(TopologyFile, SaysThatAFileHasTheOtherFormatsHeader)
{
    // HPCC's first line declares 3 of the 5 ids of the second one.
    EXPECT_EQ(ErrorOf(TwoServers("9 3 10")),
              "t.txt:2: switch 7 is one more than the 3 that line 1 declares; is this SimAI's "
              "format? Its first line has 6 fields: nodes, GPUs per server, NVSwitches, switches, "
              "links, GPU type; correct the first line");
    EXPECT_EQ(ErrorOf(TwoServers("9 4 10")).compare(0, 8, "t.txt:2:"), 0);
}

TEST_F(TopologyFile, CostsMemoryByWhatItHoldsOnly)
{
    // 2^28 links would be 10 GB.
    EXPECT_EQ(ErrorOf("2 0 268435456\n0 1 1Gbps 1us 0\n").substr(0, 44),
              "t.txt:2: the file ends at link 2 of 26843545");
}

TEST_F(TopologyFile, CannotBeAFolderOrMissing)
{
    EXPECT_THROW(ReadRdmaTopology(std::string(WORMHOLE_SOURCE_DIR)), InputError);
    try
    {
        ReadRdmaTopology(std::string("/no/such/file"));
        FAIL();
    }
    catch (const InputError& error)
    {
        EXPECT_STREQ(error.what(),
                     "/no/such/file: cannot be read; check the name and the permissions");
    }
}

TEST_F(TopologyFile, EveryTruncationIsAnErrorWithALine)
{
    const std::string text = "4 2 3\n2 3\n0 2 100Gbps 1us 0\n1 3 100Gbps 1us 0\n2 3 100Gbps 1us 0";
    for (size_t length = 0; length < text.size(); ++length)
    {
        const std::string error = ErrorOf(text.substr(0, length));
        EXPECT_EQ(error.substr(0, 6), "t.txt:") << length << " " << error;
    }
    EXPECT_EQ(ErrorOf(text), "no error");
}

TEST_F(TopologyFile, IsWrittenAsHpccAndSimaiPrintIt)
{
    RdmaTopology topology;
    topology.nodes = {RdmaNodeKind::HOST, RdmaNodeKind::HOST, RdmaNodeKind::SWITCH};
    topology.links = {{0, 2, DataRate("100Gbps"), MicroSeconds(1)},
                      {1, 2, DataRate("2500Mbps"), PicoSeconds(500), 0.001}};
    EXPECT_EQ(Written(topology), "3 1 2\n2\n0 2 100Gbps 1000ns 0\n1 2 2500Mbps 0.5ns 0.001\n");

    topology.nodes.insert(topology.nodes.begin() + 2, RdmaNodeKind::NVSWITCH);
    topology.gpusPerServer = 2;
    topology.gpuType = "A100";
    EXPECT_EQ(Written(topology),
              "4 2 1 1 2 A100\n2 3 \n0 2 100Gbps 0.001ms 0\n1 2 2500Mbps 0.0000005ms 0.001\n");

    topology.gpuType = "";
    EXPECT_EQ(Written(topology).substr(0, 15), "4 2 1 1 2 NONE\n");
    ExpectSame(Read(Written(topology)), topology);
}

TEST_F(TopologyFile, DoesNotDependOnTheLocale)
{
    // 1,234.5 as "1.234,5", whatever locales the machine has.
    struct German : std::numpunct<char>
    {
        char do_decimal_point() const override
        {
            return ',';
        }

        char do_thousands_sep() const override
        {
            return '.';
        }

        std::string do_grouping() const override
        {
            return "\3";
        }
    };

    const std::string text = "1025 1 1\n1024\n0 1024 2500Mbps 0.5ns 0.001\n";
    const std::locale before = std::locale::global(std::locale(std::locale(), new German));
    std::string again;
    EXPECT_NO_THROW(again = Written(Read(text)));
    std::locale::global(before);
    EXPECT_EQ(again, text);
}

TEST_F(TopologyFile, IsTheSameWhenReadAgain)
{
    std::vector<std::filesystem::path> files{Data("formats/hpcc/star.txt"),
                                             Data("formats/hpcc/fat-tree.txt"),
                                             Data("formats/simai/two-servers")};
    const auto add = [&](const std::vector<std::filesystem::path>& more) {
        files.insert(files.end(), more.begin(), more.end());
    };
    add(FilesBelow(Data("hpcc"), "topology.txt"));
    add(FilesBelow(Data("hpcc-further"), "topology.txt"));
    EXPECT_EQ(files.size(), 3u + 6u + 8u);
    for (const std::filesystem::path& file : files)
    {
        SCOPED_TRACE(file);
        const RdmaTopology topology = ReadRdmaTopology(file.string());
        ExpectSame(Read(Written(topology)), topology);
    }
}

TEST_F(TopologyFile, HasWhatTheFileHas)
{
    // One switch, node 0; CR LF; more links than declared, then remarks.
    const RdmaTopology star = ReadRdmaTopology(Data("formats/hpcc/star.txt").string());
    EXPECT_EQ(star.nodes[0], RdmaNodeKind::SWITCH);
    EXPECT_EQ(star.Count(RdmaNodeKind::HOST), 8U);
    EXPECT_EQ(star.links[0].delay, MicroSeconds(1));
    EXPECT_EQ(star.surplusLine, 2 + 8 + 1U);
    // 4 pods of 4 hosts, 2 edge and 2 aggregation switches, and 4 cores: 16 links of hosts, 4 in
    // each pod, 2 of each aggregation switch.
    const RdmaTopology fat = ReadRdmaTopology(Data("formats/hpcc/fat-tree.txt").string());
    EXPECT_EQ(fat.Count(RdmaNodeKind::HOST), 16U);
    EXPECT_EQ(fat.Count(RdmaNodeKind::SWITCH), 20U);
    EXPECT_EQ(fat.links.size(), 16 + 4 * 4 + 8 * 2U);
    EXPECT_EQ(fat.links.back().rate, DataRate("400Gbps"));
}
