/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// `--fast Foresee`: flows under DCQCN without packets.

#include "harness/sandbox.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

namespace
{

using harness::Sandbox;
using Words = std::vector<std::string>;

const std::string SIMAI_CONF = WORMHOLE_SOURCE_DIR "/workloads/simai/simai.conf";

/** An incast of 10 MB flows. \param out its folder \param more options */
void
Incast(const Sandbox& box, const std::string& out, const Words& more)
{
    Words words{"run",
                "--quiet",
                "--topology",
                "star:hosts=5,rate=25Gbps",
                "--traffic",
                "incast:fan-in=4,bytes=10MB",
                "--cc",
                "dcqcn",
                "--output",
                out};
    words.insert(words.end(), more.begin(), more.end());
    const harness::ProgramResult r = box.Run(words);
    ASSERT_EQ(r.exit, 0) << r.err;
}

/** \return how many stretches of the run in folder \p out went without packets */
int
CountForeseen(const Sandbox& box, const std::string& out)
{
    const auto summary = nlohmann::json::parse(box.Read(out + "/summary.json"));
    return summary.at("fast").at("kernel").at(0).at("reasons").at("Foreseen");
}

TEST(ForeseeCli, ActsOnRequestAlone)
{
    const Sandbox box;
    Incast(box, "packet", {});
    Incast(box, "default", {"--mode", "fast"});
    Incast(box, "off", {"--mode", "fast", "--fast", "Foresee=false"});
    Incast(box, "on", {"--mode", "fast", "--fast", "Foresee=true"});
    const std::string packet = box.Read("packet/fct.txt");
    // Rates are steady nowhere, so that nothing else is skipped.
    EXPECT_EQ(box.Read("default/fct.txt"), packet);
    EXPECT_EQ(box.Read("off/fct.txt"), packet);
    EXPECT_NE(box.Read("on/fct.txt"), packet);
    EXPECT_EQ(CountForeseen(box, "off"), 0);
    EXPECT_GT(CountForeseen(box, "on"), 0);
}

TEST(ForeseeCli, AnAuditSimulatesWhatIsForeseen)
{
    const Sandbox box;
    Incast(box, "on", {"--mode", "fast", "--fast", "Foresee=true", "--fast", "Audit=1"});
    const auto summary = nlohmann::json::parse(box.Read("on/summary.json"));
    const auto& audit = summary.at("fast").at("audit");
    EXPECT_GT(audit.at("audited").get<int>(), 0);
    EXPECT_EQ(audit.at("audited"), audit.at("leftOut"));
    EXPECT_GT(audit.at("largestError").get<double>(), 0) << "draws are not the same";
    EXPECT_LT(audit.at("meanError").get<double>(), 0.02);
}

/** \param more options of a run that is to foresee, \param mistake and what it says
 * \param topology of the run */
void
ExpectMistake(const Words& more,
              const std::string& mistake,
              const std::string& topology = "star:hosts=2")
{
    const Sandbox box;
    Words words{"run", "--topology", topology, "--traffic", "ring"};
    words.insert(words.end(), {"--mode", "fast", "--fast", "Foresee=true"});
    words.insert(words.end(), more.begin(), more.end());
    const harness::ProgramResult r = box.Run(words);
    EXPECT_EQ(r.exit, 2) << mistake;
    EXPECT_NE(r.err.find("--fast Foresee=true: no effect" + mistake), std::string::npos) << r.err;
}

TEST(ForeseeCli, WhatTakesItsEffectIsAMistake)
{
    for (const std::string other : {"Enabled=false", "Skip=false", "Guard=false", "Strict=true"})
    {
        ExpectMistake({"--cc", "dcqcn", "--fast", other}, " with --fast " + other);
    }
}

TEST(ForeseeCli, AnotherControlIsAMistake)
{
    const std::string mistake = ", since no flow is under a control that can be carried on";
    ExpectMistake({}, mistake);
    ExpectMistake({"--cc", "timely"}, mistake);
    ExpectMistake({"--cc", "none"}, mistake);
}

TEST(ForeseeCli, WindowsAreAMistake)
{
    const std::string mistake = ", since flows under such a control have windows";
    ExpectMistake({"--cc", "dcqcn", "--window", "pair"}, mistake);
    ExpectMistake({"--class", "3:cc=dcqcn", "--window", "global"}, mistake);
    ExpectMistake({"--config", SIMAI_CONF}, mistake);
}

TEST(ForeseeCli, LinksThatLoseFramesAreAMistake)
{
    const std::string mistake = ", since links lose frames";
    ExpectMistake({"--cc", "dcqcn"}, mistake, "star:hosts=2,error=0.001");
    const Sandbox box;
    std::stringstream conf;
    conf << std::ifstream(SIMAI_CONF).rdbuf() << "\nERROR_RATE_PER_LINK 0.001\n";
    box.Write("lossy.conf", conf.str());
    ExpectMistake({"--config", box.PathOf("lossy.conf"), "--window", "none"}, mistake);
}

} // namespace
