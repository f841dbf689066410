/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/data.h"
#include "harness/errors.h"

#include "ns3/input-error.h"
#include "ns3/rdma-hpcc-config.h"

#include <gtest/gtest.h>
#include <sstream>

using namespace ns3;

namespace
{

/** The one key that every config.txt has to hold. */
const std::string ACK = "L2_ACK_INTERVAL 1\n";

RdmaHpccConfig
Parse(const std::string& text)
{
    std::istringstream in(text);
    return ReadRdmaHpccConfig(in, "config.txt");
}

std::string
ErrorOf(const std::string& text)
{
    return harness::InputErrorOf([&] { Parse(text); });
}

std::string
Written(const RdmaHpccConfig& config)
{
    std::ostringstream out;
    WriteRdmaHpccConfig(out, config);
    return out.str();
}

} // namespace

TEST(HpccConfig, HasTheDriversValuesWhereTheFileIsSilent)
{
    const RdmaHpccConfig config = Parse(ACK);
    EXPECT_EQ(config.ccMode, 1U);
    EXPECT_TRUE(config.hasWin);
    EXPECT_TRUE(config.globalT);
    EXPECT_EQ(config.miThresh, 5U);
    EXPECT_FALSE(config.varWin);
    EXPECT_TRUE(config.fastReact);
    EXPECT_TRUE(config.multiRate);
    EXPECT_FALSE(config.sampleFeedback);
    EXPECT_EQ(config.uTarget, 0.95);
    EXPECT_EQ(config.intMulti, 1U);
    EXPECT_TRUE(config.rateBound);
    EXPECT_EQ(config.l2ChunkSize, 0U);
    EXPECT_FALSE(config.ackHighPrio);
    EXPECT_EQ(config.bufferSize, 16U);
    EXPECT_EQ(config.simulatorStopTime, 3.01);
    EXPECT_EQ(config.minRate, 100000000U);
    EXPECT_EQ(config.dctcpRateAi, 1000000000U);
    EXPECT_EQ(config.alphaResumeInterval, 55);
    EXPECT_EQ(config.rateDecreaseInterval, 4);
    EXPECT_EQ(config.rpTimer, 1500);
    EXPECT_EQ(config.fastRecoveryTimes, 5U);
    EXPECT_EQ(config.rateAi, 5000000U);
    EXPECT_EQ(config.rateHai, 50000000U);
    EXPECT_EQ(config.packetPayloadSize, 1000U);
    EXPECT_EQ(config.ewmaGain,
              1.0 / 16); // what the driver means; it computes 1 / 16 = 0 in integers
    EXPECT_EQ(config.fctOutputFile, "fct.txt");
    EXPECT_EQ(config.pfcOutputFile, "pfc.txt");
    EXPECT_FALSE(config.linkDown);
    EXPECT_FALSE(config.enableTrace);
    EXPECT_EQ(config.Flavour(), RdmaHpccFlavour::HPCC);
}

TEST(HpccConfig, ReadsValuesOfEveryKind)
{
    const RdmaHpccConfig config = Parse(ACK + "RATE_AI 40Mb/s MIN_RATE 1Gbps\r\n"
                                              "ERROR_RATE_PER_LINK 0.0010\n"
                                              "FLOW_FILE\n  flow.txt\n"
                                              "LINK_DOWN 30 2 5\n"
                                              "KMIN_MAP 2 25000000000 100 100000000000 400\n"
                                              "KMAX_MAP 2 100000000000 1600 25000000000 400\n"
                                              "PMAX_MAP 1 100000000000 0.2\n");
    EXPECT_EQ(config.rateAi, 40000000U);
    EXPECT_EQ(config.minRate, 1000000000U);
    EXPECT_EQ(config.errorRatePerLink, 0.001);
    EXPECT_EQ(config.flowFile, "flow.txt");
    ASSERT_TRUE(config.linkDown);
    EXPECT_EQ(config.linkDown->microseconds, 30U);
    EXPECT_EQ(config.linkDown->a, 2U);
    EXPECT_EQ(config.linkDown->b, 5U);
    EXPECT_EQ(config.LineOf("FLOW_FILE"), 4U);
    EXPECT_EQ(config.LineOf("CC_MODE"), 0U);
    const RdmaHpccEcn ecn = config.EcnAt(100000000000);
    EXPECT_EQ(ecn.kminBytes, 400000U); // KB are 1000 bytes
    EXPECT_EQ(ecn.kmaxBytes, 1600000U);
    EXPECT_EQ(ecn.pmax, 0.2);
    try
    {
        config.EcnAt(25000000000);
        FAIL() << "PMAX_MAP has no 25 Gb/s";
    }
    catch (const InputError& error)
    {
        EXPECT_STREQ(error.what(),
                     "config.txt:9: PMAX_MAP: no value for links of 25000000000 bit/s, which the "
                     "topology has; add a pair for that rate");
    }
}

TEST(HpccConfig, SelectsTheControl)
{
    const std::pair<const char*, RdmaHpccControl> cases[] = {{"0", RdmaHpccControl::NONE},
                                                             {"1", RdmaHpccControl::DCQCN},
                                                             {"3", RdmaHpccControl::HPCC},
                                                             {"7", RdmaHpccControl::TIMELY},
                                                             {"8", RdmaHpccControl::DCTCP},
                                                             {"10", RdmaHpccControl::HPCC_PINT},
                                                             {"12", RdmaHpccControl::NONE}};
    for (const auto& [mode, control] : cases)
    {
        EXPECT_EQ(Parse(ACK + "CC_MODE " + mode).Control(), control) << mode;
    }
}

TEST(HpccConfig, SaysWhatIsWrongAndWhere)
{
    const std::pair<std::string, std::string> cases[] = {
        {"",
         "config.txt: L2_ACK_INTERVAL is missing, which means 0: no receiver would acknowledge, "
         "so no flow could complete; add L2_ACK_INTERVAL 1"},
        {"L2_ACK_INTERVAL 0",
         "config.txt:1: L2_ACK_INTERVAL 0: no receiver would acknowledge, so no "
         "flow could complete; use 1 (acknowledge every packet)"},
        {ACK + "CC_MOD 3",
         "config.txt:2: unknown key CC_MOD (after L2_ACK_INTERVAL and its value); "
         "did you mean CC_MODE?"},
        {"kmax-map 1 2 3", "config.txt:1: unknown key kmax-map; did you mean KMAX_MAP?"},
        {"# remark", "config.txt:1: unknown key #; config.txt has no comments: remove it"},
        {ACK + "PAUSE_TIME 0",
         "config.txt:2: PAUSE_TIME 0: must be a whole number from 1 to 4294967295"},
        {ACK + "HAS_WIN 1 2",
         "config.txt:2: unknown key 2 (after HAS_WIN and its value); remove it "
         "(docs/reference/config-keys.md lists the keys)"},
        {ACK + "CC_MODE 3\nHAS_WIN 1\nCC_MODE 3",
         "config.txt:4: CC_MODE is set a second time, after line 2; keep one of the two"},
        {ACK + "CC_MODE",
         "config.txt:2: CC_MODE: a value is missing (the file ends); write it after "
         "the key, or remove the key"},
        {ACK + "CC_MODE\nHAS_WIN 1",
         "config.txt:2: CC_MODE: a value is missing (the key HAS_WIN "
         "follows); write it after the key, or remove the key"},
        {ACK + "FLOW_FILE\nTRACE_FILE t",
         "config.txt:2: FLOW_FILE: a value is missing (the key "
         "TRACE_FILE follows); write it after the key, or remove the key"},
        {ACK + "HAS_WIN yes", "config.txt:2: HAS_WIN yes: must be 0 (no) or 1 (yes)"},
        {ACK + "CC_MODE -1",
         "config.txt:2: CC_MODE -1: must be a whole number from 0 to 4294967295"},
        {ACK + "PINT_LOG_BASE 1.0001",
         "config.txt:2: PINT_LOG_BASE 1.0001: must be a number from 1.0002 to 1000"},
        {ACK + "EWMA_GAIN 1.5", "config.txt:2: EWMA_GAIN 1.5: must be a number from 0 to 1"},
        {ACK + "EWMA_GAIN nan", "config.txt:2: EWMA_GAIN nan: must be a number from 0 to 1"},
        {ACK + "MIN_RATE 0Mb/s",
         "config.txt:2: MIN_RATE 0Mb/s: must be a rate with its unit, "
         "more than 0, such as 40Mb/s or 100Gbps"},
        {ACK + "RATE_AI 40",
         "config.txt:2: RATE_AI 40: must be a rate with its unit, such as "
         "40Mb/s or 100Gbps"},
        {ACK + "DATA_RATE 100Gbps",
         "config.txt:2: DATA_RATE 100Gbps: not accepted: each link's rate "
         "stands in the topology file; remove the key"},
        {ACK + "LINK_DELAY 1us",
         "config.txt:2: LINK_DELAY 1us: not accepted: each link's delay "
         "stands in the topology file; remove the key"},
        {ACK + "USE_DYNAMIC_PFC_THRESHOLD 0",
         "config.txt:2: USE_DYNAMIC_PFC_THRESHOLD 0: fixed PFC thresholds are not supported (the "
         "public simulator's switch uses dynamic ones whatever stands here); set it to 1, or "
         "remove "
         "the key"},
        {ACK + "NIC_TOTAL_PAUSE_TIME 3",
         "config.txt:2: NIC_TOTAL_PAUSE_TIME 3: pauses that a NIC makes up, as if its PCIe bus "
         "were "
         "slow, are not supported; set it to 0, or remove the key"},
        {ACK + "KMAX_MAP 2 100 5",
         "config.txt:2: KMAX_MAP: a value is missing (the file ends); write "
         "it after the key, or remove the key"},
        {ACK + "KMAX_MAP 1 100Gbps 5",
         "config.txt:2: KMAX_MAP 100Gbps: the rate of a pair, in bit/s, "
         "must be a whole number from 1 to 9223372036854775807"},
        {ACK + "KMAX_MAP 2 100 5 100 6",
         "config.txt:2: KMAX_MAP 100: this rate stands in the list "
         "already; keep one pair of the two"},
        {ACK + "PMAX_MAP 1 100 1.1",
         "config.txt:2: PMAX_MAP 1.1: the probability of a pair must be a "
         "number from 0 to 1"},
        {ACK + "KMIN_MAP 1 100 9\nKMAX_MAP 1 100 5",
         "config.txt:2: KMIN_MAP: 9 at rate 100 is more than 5 in KMAX_MAP (line 3); lower it"},
        {ACK + "LINK_DOWN 0 2 5",
         "config.txt:2: LINK_DOWN 5: time 0 would mean that no link fails; "
         "write a time from 1 us after t = 2 s, or 0 0 0 for none"},
        {ACK + "LINK_DOWN 7 2 2",
         "config.txt:2: LINK_DOWN 2: a link joins two different nodes; write "
         "the nodes at its two ends"},
        {ACK + "L2_BACK_TO_ZERO 1",
         "config.txt:2: L2_BACK_TO_ZERO: there is no chunk to go back to, since L2_CHUNK_SIZE is "
         "0; "
         "set L2_CHUNK_SIZE (4000 is usual), or L2_BACK_TO_ZERO to 0"},
        {ACK + "ENABLE_TRACE 1",
         "config.txt:2: ENABLE_TRACE: a packet trace needs TRACE_FILE and "
         "TRACE_OUTPUT_FILE; add them, or set ENABLE_TRACE to 0"},
        {ACK + "QLEN_MON_END 5",
         "config.txt:2: QLEN_MON_END: no effect without QLEN_MON_FILE; add "
         "that, or remove this"},
        {ACK + "QLEN_MON_FILE q\nQLEN_MON_END 5",
         "config.txt:3: QLEN_MON_END: 5 is before QLEN_MON_START 2000000000; set both "
         "so that the end comes last"},
        {ACK + "BW_MON_INTERVAL 5",
         "config.txt:2: BW_MON_INTERVAL: no effect without BW_MON_FILE; "
         "add that, or remove this"},
        {ACK + "BW_MON_FILE b\nQLEN_MON_FILE q\nQLEN_MON_START 5",
         "config.txt:4: QLEN_MON_START: HPCC's queue monitor, while other keys ask for SimAI's; "
         "use "
         "MON_START, MON_END and QLEN_MON_INTERVAL, or remove SimAI's keys"},
        {ACK + "BW_MON_FILE b\nMON_START 6\nMON_END 5",
         "config.txt:4: MON_END: 5 is before MON_START 6; set both so that the end comes "
         "last"},
    };
    for (const auto& [text, message] : cases)
    {
        EXPECT_EQ(ErrorOf(text), message) << text;
    }
}

TEST(HpccConfig, MissingFileIsAnError)
{
    EXPECT_THROW(ReadRdmaHpccConfig("/nonexistent/config.txt"), InputError);
}

TEST(HpccConfig, TellsTheFlavourByItsKeys)
{
    EXPECT_EQ(Parse(ACK + "NIC_TOTAL_PAUSE_TIME 0").Flavour(), RdmaHpccFlavour::ASTRA);
    const RdmaHpccConfig simai = Parse(ACK + "CNP_MON_FILE c\nNIC_TOTAL_PAUSE_TIME 0");
    EXPECT_EQ(simai.Flavour(), RdmaHpccFlavour::SIMAI);
    EXPECT_EQ(simai.qpMonInterval, 100U); // the effective value, since the monitor is on
    EXPECT_FALSE(simai.bwMonInterval);
}

TEST(HpccConfig, ReadsBackWhatItWrites)
{
    const std::string text = ACK + "QLEN_MON_FILE q.txt\nTRACE_FILE t.txt\nTRACE_OUTPUT_FILE t.tr\n"
                                   "SIMULATOR_STOP_TIME 40000000000000.00\nRATE_HAI 12345bps\n"
                                   "LINK_DOWN 7 1 2\nU_TARGET 0.1\nPMAX_MAP 1 25000000000 0.30\n";
    const RdmaHpccConfig config = Parse(text);
    const RdmaHpccConfig again = Parse(Written(config));
    EXPECT_EQ(Written(again), Written(config));
    EXPECT_EQ(again.simulatorStopTime, 4e13);
    EXPECT_EQ(again.rateHai, 12345U);
    EXPECT_EQ(again.uTarget, 0.1);
    EXPECT_TRUE(again.enableTrace);
    EXPECT_EQ(again.qlenMonEnd, 2100000000U);
    EXPECT_EQ(again.pmaxMap, config.pmaxMap);
    EXPECT_EQ(RdmaHpccConfigItems(again), RdmaHpccConfigItems(config));
}

TEST(HpccConfig, HelpFitsTheTerminal)
{
    std::istringstream help(RdmaHpccConfigHelp());
    size_t lines = 0;
    for (std::string line; std::getline(help, line); ++lines)
    {
        EXPECT_LE(line.size(), 100U) << line;
    }
    EXPECT_GE(lines, RdmaHpccConfigItems(RdmaHpccConfig()).size())
        << "a line for each key, or more";
}

TEST(HpccConfig, ReadsFilesAsTheSimulatorsHaveThem)
{
    const auto own = harness::Data("formats/hpcc/config.txt");
    std::vector<std::filesystem::path> files{own};
    for (const auto& file : harness::FilesBelow(harness::Data("hpcc")))
    {
        if (file.filename().string().rfind("config_", 0) == 0)
        {
            files.push_back(file);
        }
    }
    ASSERT_EQ(files.size(), 1U + 6 * 4) << "six cases under four controls";
    const std::filesystem::path simAi = WORMHOLE_SOURCE_DIR "/workloads/simai/simai.conf";
    files.push_back(simAi);
    for (const auto& file : files)
    {
        SCOPED_TRACE(file.string());
        const RdmaHpccConfig config = ReadRdmaHpccConfig(file.string());
        EXPECT_EQ(Written(Parse(Written(config))), Written(config));
        EXPECT_EQ(config.Flavour(),
                  file.extension() == ".conf" ? RdmaHpccFlavour::SIMAI : RdmaHpccFlavour::HPCC);
    }

    const RdmaHpccConfig config = ReadRdmaHpccConfig(own.string());
    EXPECT_EQ(config.ccMode, 3U);
    EXPECT_EQ(config.packetPayloadSize, 1024U);
    EXPECT_EQ(config.flowFile, "in/flow.txt");
    EXPECT_EQ(config.uTarget, 0.9);
    EXPECT_EQ(config.miThresh, 3U);
    EXPECT_EQ(config.l2AckInterval, 2U);
    EXPECT_TRUE(config.ackHighPrio);
    EXPECT_FALSE(config.enableTrace);
}
