/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Wrong use of the command line `wormhole`: one line that says what to do, and an exit code.

#include "harness/sandbox.h"

#include <filesystem>
#include <gtest/gtest.h>

using namespace harness;

namespace
{

using Words = std::vector<std::string>;

const char* const CONFIG = "TOPOLOGY_FILE topology.txt\nFLOW_FILE flow.txt\nL2_ACK_INTERVAL 1\n"
                           "KMAX_MAP 1 100000000000 1600\nKMIN_MAP 1 100000000000 400\n"
                           "PMAX_MAP 1 100000000000 0.2\n";

/** A folder with inputs that are right. */
class CliErrors : public testing::Test
{
  protected:
    CliErrors()
    {
        box.Write("config.txt", CONFIG);
        box.Write("topology.txt", "3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n");
        box.Write("flow.txt", "1\n0 1 3 100 1000 0\n");
    }

    /** Expects one line on standard error that holds the text. */
    void Expect(int exit, const Words& words, const std::string& text)
    {
        const ProgramResult r = box.Run(words);
        EXPECT_EQ(r.exit, exit) << text;
        EXPECT_EQ(r.err.rfind("wormhole: ", 0), 0U) << r.err;
        EXPECT_NE(r.err.find(text), std::string::npos) << r.err << "  lacks: " << text;
        EXPECT_EQ(r.err.find('\n'), r.err.size() - 1) << r.err;
    }

    /** The same for `run` with a config.txt that has another line. */
    void ExpectConfig(const std::string& line, const std::string& text)
    {
        box.Write("changed.txt", CONFIG + line + "\n");
        Expect(2, {"run", "--config", "changed.txt"}, text);
    }

    /** The same for `run` with a generated network and more options. */
    void ExpectOptions(const Words& options, const std::string& text)
    {
        Words words{"run",
                    "--topology",
                    "star:hosts=4",
                    "--traffic",
                    "ring:bytes=1KB",
                    "--output",
                    "out"};
        words.insert(words.end(), options.begin(), options.end());
        Expect(2, words, text);
        EXPECT_FALSE(std::filesystem::exists(box.PathOf("out"))) << text;
    }

    /** The same with one option. */
    void ExpectOption(const std::string& option, const std::string& value, const std::string& text)
    {
        ExpectOptions({option, value}, text);
    }

    Sandbox box;
};

} // namespace

TEST_F(CliErrors, Commands)
{
    Expect(2, {}, "wormhole --help lists the commands");
    Expect(2, {"frobnicate"}, "no command \"frobnicate\" (wormhole --help lists");
    Expect(2, {"runn"}, "no command \"runn\"; did you mean run?");
    Expect(2, {"--version", "x"}, "--version stands alone, without \"x\"");
    Expect(2, {"run"}, "run needs --config FILE, or --topology");
    Expect(2,
           {"run", "--topology", "star:hosts=2"},
           "needs --traffic SPEC, --flows FILE or --workload SPEC");
    Expect(2,
           {"run", "--confg", "config.txt"},
           "unrecognised option '--confg'; did you mean --config?");
    Expect(2,
           {"run", "--conf", "config.txt"},
           "unrecognised option '--conf'; did you mean --config?");
    Expect(2, {"report", "x", "--out", "y"}, "unrecognised option '--out'; did you mean --output?");
    Expect(2, {"compare", "--out", "x"}, "unrecognised option '--out'; did you mean --output?");
    Expect(2, {"help", "runn"}, "no command \"runn\"; did you mean run?");
    Expect(2, {"run", "config.txt"}, "unexpected argument \"config.txt\"");
    Expect(2, {"run", "--config"}, "--config");
    Expect(2, {"run", "--config", ""}, "");
    Expect(2, {"run", "--config", "config.txt", "--seed", "1", "--seed", "2"}, "more than once");
    Expect(2, {"topology"}, "topology needs a SPEC");
    Expect(2, {"topology", "torus:n=4"}, "torus");
    Expect(2, {"traffic", "ring:bytes=1KB"}, "traffic needs --topology");
    Expect(2, {"traffic", "ring:byts=1KB", "--topology", "star:hosts=4"}, "byts");
}

TEST_F(CliErrors, SubcommandsAndValuesLikeTheOnesThereAre)
{
    Expect(2, {"memo", "lst"}, "; did you mean list?");
    Expect(2, {"goal", "validat", "x"}, "; did you mean validate?");
    Expect(2, {"reference", "attribute"}, "; did you mean attributes?");
    ExpectOption("--mode", "fats", "flow and message; did you mean fast?");
    const ProgramResult r = box.Run(
        {"run", "--config", "config.txt", "--mode", "Flow", "--quiet", "--output", "flow-out"});
    EXPECT_EQ(r.exit, 0) << r.err;
    EXPECT_EQ(box.ReadJson("flow-out/summary.json")["configuration"]["mode"], "flow");
}

TEST_F(CliErrors, RequiredKeysThatAreMisspelt)
{
    const auto expect = [&](const std::string& spec, const std::string& text) {
        Expect(2, {"run", "--topology", "star:hosts=4", "--workload", spec}, text);
    };
    expect("all-reduce:rank=4,bytes=1MB",
           "all-reduce: ranks is missing, but rank is given; did you mean ranks? Write it as in "
           "ranks=64");
    expect("training:fil=x", "training: file is missing, but fil is given; did you mean file?");
    expect("simai:File=x", "simai: file is missing, but File is given; did you mean file?");
    expect("all-reduce:bytes=1MB", "all-reduce: ranks is missing; give it, as in ranks=64");
}

TEST_F(CliErrors, SizesBeyondTheLargest)
{
    const std::string most = "to 9223372036854775807, such as"; // 2^63 - 1
    Expect(2,
           {"traffic", "permutation:bytes=9223372036854775808", "--topology", "star:hosts=4"},
           "from 1 " + most);
    Expect(2,
           {"run",
            "--topology",
            "star:hosts=4",
            "--workload",
            "all-reduce:ranks=4,bytes=9223372036854775808"},
           "from 0 " + most);
}

TEST_F(CliErrors, NoTimeNeedsNoUnit)
{
    const ProgramResult zero = box.Run({"topology", "star:hosts=4,delay=0"});
    EXPECT_EQ(zero.exit, 0) << zero.err;
    EXPECT_EQ(zero.out, box.Run({"topology", "star:hosts=4,delay=0ns"}).out);
    Expect(2, {"topology", "star:hosts=4,delay=1fs"}, "delay=1fs, but must be 0 or at least 1ps");
    Expect(2, {"topology", "fat-tree:failed=3"}, "did you mean failed-links?");
    Expect(2, {"topology", "star:hosts=4,delay=1"}, "with its unit");
}

TEST_F(CliErrors, HelpIsWhereOneLooksForIt)
{
    const std::vector<std::pair<Words, std::string>> asked{
        {{"run", "-h"}, "--topology SPEC|FILE"},
        {{"config-help", "--help"}, "CC_MODE"},
        {{"memo", "list", "--help"}, "prune"},
        {{"goal", "-h"}, "validate"},
        {{"help"}, "First try"},
        {{"help", "run"}, "--topology SPEC|FILE"},
        {{"help", "memo", "list"}, "prune"}};
    for (const auto& [words, text] : asked)
    {
        const ProgramResult r = box.Run(words);
        EXPECT_EQ(r.exit, 0) << text;
        EXPECT_EQ(r.err, "");
        EXPECT_NE(r.out.find(text), std::string::npos) << r.out;
    }
}

TEST_F(CliErrors, Files)
{
    Expect(2, {"run", "--config", "none.txt"}, "none.txt: cannot be read");
    Expect(2, {"run", "--config", "config.txt", "--flows", "none.txt"}, "none.txt: cannot be read");
    Expect(2, {"run", "--config", "config.txt", "--topology", "none.txt"}, "none.txt");
    std::filesystem::remove(box.PathOf("flow.txt"));
    Expect(2, {"run", "--config", "config.txt"}, "config.txt:2: FLOW_FILE flow.txt: there is no");
    box.Write("changed.txt", "L2_ACK_INTERVAL 1\n");
    Expect(2, {"run", "--config", "changed.txt"}, "TOPOLOGY_FILE is missing");
}

TEST_F(CliErrors, NamesThatNoFileCanHave)
{
    ExpectOptions({"--mode", "fast", "--memo", std::string(300, 'm')},
                  "--memo " + std::string(37, 'm') + "... of 300 characters: File name too long");
    ExpectOptions({"--mode", "fast", "--memo", std::string(250, 'm')}, // with "-journal" 258
                  "File name too long; give a shorter one");
}

TEST_F(CliErrors, FlowsThatDoNotFit)
{
    const std::vector<std::pair<std::string, std::string>> files{
        {"1\n0 0 3 100 1000 0\n", "flow.txt:2: a flow from node 0 to itself"},
        {"2\n0 1 3 100 1000 0\n0 2 3 100 1000 0\n", "flow.txt:3: node 2 is no host"},
        {"1\n0 7 3 100 1000 0\n", "flow.txt:2: node 7 is no host"},
        {"1\n0 1 3 100 1000 9100000\n", "flow.txt:2: a flow starts later"},
        {"2\n0 1 3 100 1000 0\n", "flow.txt:"},
        {"1\n0 1 9 100 1000 0\n", "flow.txt:2:"},
    };
    for (const auto& [text, message] : files)
    {
        box.Write("flow.txt", text);
        Expect(2, {"run", "--config", "config.txt"}, message);
    }
}

TEST_F(CliErrors, Configs)
{
    ExpectConfig("CC_MOD 3", "did you mean CC_MODE?");
    ExpectConfig("PINT_LOG_BASE 1", "changed.txt:7:");
    ExpectConfig("U_TARGET 0.001", "changed.txt:7:");
    ExpectConfig("LINK_DOWN 5 0 1", "changed.txt:7: LINK_DOWN: topology.txt has no link between");
    ExpectConfig("FCT_OUTPUT_FILE flow.txt", "would overwrite the input FLOW_FILE");
    ExpectConfig("PFC_OUTPUT_FILE ./fct.txt", "would overwrite the output FCT_OUTPUT_FILE");
    ExpectConfig("QLEN_MON_FILE changed.txt", "would overwrite the input --config");
    // nothing has been touched
    EXPECT_EQ(box.Read("flow.txt"), "1\n0 1 3 100 1000 0\n");
    EXPECT_FALSE(std::filesystem::exists(box.PathOf("fct.txt")));
}

TEST_F(CliErrors, Options)
{
    ExpectOption("--cc", "bogus", "--cc bogus: no such congestion control; there are");
    ExpectOption("--cc", "ns3::RdmaHost", "no such congestion control");
    ExpectOption("--cc", "HPCCC", "no such congestion control; did you mean hpcc? There are");
    // the next option is no value
    ExpectOption("--cc", "--quiet", "--cc: its value is missing before --quiet");
    Expect(2,
           {"compare", "--output", "--cc", "hpcc"},
           "--output: its value is missing before --cc; a value that begins so is given as "
           "--output=");
    ExpectOption("--seed", "-1", "--seed");
    ExpectOption("--seed", "x", "--seed x: must be a whole number");
    ExpectOption("--stop", "0", "--stop 0: nothing happens before; give more than 0");
    for (const char* time : {"nan", "-1", "1m", "1 ms", "9000001s"})
    {
        ExpectOption("--stop",
                     time,
                     "--stop " + std::string(time) +
                         ": must be a time from 0 to 9000000s, such as 2.5ms; a number without "
                         "a unit counts seconds");
        ExpectOption("--link-down", time + std::string(":0-4"), "must be TIME:A-B");
    }
    ExpectOption("--stall", "1m", "--stall 1m: must be a time from 0 to 1000000s");
    ExpectOption("--payload", "0", "--payload 0: must be a whole number from 1");
    ExpectOptions({"--payload", "2000", "--set", "ns3::RdmaHost::PayloadSize=4000"},
                  "--set ns3::RdmaHost::PayloadSize=4000: --payload 2000 says the same");
    ExpectOptions({"--cc", "nscc", "--set", "ns3::RdmaNscc::MaxWindow=1e300"},
                  "from 0.01 to 1e+06");
    ExpectOption("--timing", "ps", "--timing ps: there are exact, hpcc, round and truncate");
    ExpectOption("--simulator", "fast", "--simulator fast: there are native and default");
    ExpectOption("--window", "big", "--window big: there are global, pair and none");
    ExpectOption("--flows", "flow.txt", "--traffic and --flows both");
    ExpectOption("--link-down", "1ms:0,4", "--link-down 1ms:0,4: must be TIME:A-B");
    ExpectOption("--link-up", "1ms:0", "--link-up 1ms:0: must be TIME:A-B");
    ExpectOption(
        "--link-up",
        "1us:0-4",
        "--link-up 1us:0-4: the links between node 0 and node 4 are up at that time anyway");
    ExpectOption("--link-down", "1ms:0-1", "star:hosts=4 has no link between node 0 and node 1");
    ExpectOption("--pcap", "x:", "--pcap x:: must be PREFIX or PREFIX:NODES");
    ExpectOption("--pcap", "x:7", "--pcap: star:hosts=4 has no node 7");
}

TEST_F(CliErrors, Settings)
{
    ExpectOption("--set", "PayloadSize=1", "must be TYPE::ATTRIBUTE=VALUE");
    ExpectOption("--set", "ns3::Nope::X=1", "no type ns3::Nope");
    ExpectOption("--set", "ns3::RdmaHost::Nope=1", "no attribute Nope; there are PayloadSize");
    ExpectOption("--set", "ns3::RdmaSwitch::PFC=0", "no attribute PFC; did you mean Pfc? There");
    ExpectOption("--set", "ns3::RdmaHpcc::UtilizationTarget=5", "a number from 0.01 to 1");
    ExpectOptions({"--set", "ns3::RdmaSwitch::Pfc=0", "--set", "ns3::RdmaSwitch::Pfc=1"},
                  "--set ns3::RdmaSwitch::Pfc: it is set twice; remove one");
    ExpectOption("--set", "ns3::RdmaHost::PayloadSize=0", "a whole number from 1 to 65459");
    ExpectOption("--set", "ns3::RdmaHost::PayloadSize=4k", "a whole number from 1 to 65459");
    ExpectOption("--set", "ns3::RdmaSwitch::BufferSize=-1", "must be a whole number");
    ExpectOption("--set", "ns3::RdmaHost::NackInterval=5", "a time from 0 on with its unit");
    ExpectOption("--set", "ns3::RdmaHost::NackInterval=-5us", "a time from 0 on with its unit");
    ExpectOption("--set", "ns3::RdmaHpcc::MinRate=5", "a rate with its unit");
    ExpectOption("--set", "ns3::RdmaHpcc::FastReact=maybe", "true or false");
    ExpectOption("--set", "ns3::RdmaDcqcn::Gain=0.1", "no effect, since this run uses");
    ExpectOption("--set", "ns3::TcpSocket::SegmentSize=100", "no ");
    ExpectOption("--set", "ns3::RdmaNetwork::Timing=hpcc", "use --timing");
    ExpectOption("--set", "ns3::RdmaSimulatorImpl::Threads=2", "use --threads");
    ExpectOptions({"--set", "ns3::RdmaSimulatorImpl::Windows=0", "--simulator", "default"},
                  "no effect, since this run uses");
}

TEST_F(CliErrors, CountsThatForgetSomething)
{
    // one link and one flow less than there are: a run, since HPCC's files end in remarks
    box.Write("topology.txt",
              "4 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n3 2 100Gbps 1us 0\n");
    box.Write("flow.txt", "1\n0 1 3 100 1000 0\n1 0 3 100 1000 0\n");
    const ProgramResult r = box.Run({"run", "--config", "config.txt", "--quiet"});
    EXPECT_EQ(r.exit, 0);
    EXPECT_NE(
        r.err.find("topology.txt:5: this is not read, since the first line announces 2 links"),
        std::string::npos)
        << r.err;
    EXPECT_NE(r.err.find("flow.txt:3: this is not read, since the first line announces 1 flows"),
              std::string::npos)
        << r.err;
}

TEST_F(CliErrors, OutputsThatCannotBeWritten)
{
    const Words run{"run", "--config", "config.txt", "--quiet"};
    Words words = run;
    words.insert(words.end(), {"--output", "flow.txt/inside"});
    Expect(1, words, "flow.txt/inside: cannot be made");
    box.Write("changed.txt", std::string(CONFIG) + "FCT_OUTPUT_FILE nowhere/fct.txt\n");
    Expect(1, {"run", "--config", "changed.txt"}, "nowhere: there is no such folder");
    Expect(1,
           {"topology", "star:hosts=2", "--output", "nowhere/x"},
           "nowhere/x: cannot be written");
}

TEST_F(CliErrors, FullDiskIsReportedWithWhatIsLost)
{
    if (!std::filesystem::exists("/dev/full"))
    {
        GTEST_SKIP() << "no /dev/full here";
    }
    box.Write("changed.txt", std::string(CONFIG) + "FCT_OUTPUT_FILE /dev/full\n");
    Expect(1,
           {"run", "--config", "changed.txt", "--quiet"},
           "/dev/full: cannot be written: No space left on device; its last ");
    // the rest is there
    EXPECT_EQ(box.ReadJson("full.summary.json")["flows"]["completed"], 1);
}
