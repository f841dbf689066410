/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Packet spraying, REPS and NSCC against the Ultra Ethernet Consortium's simulator: means over
// seeds, since both draw. The figures of theirs are in test/data/htsim, which says how they were
// measured.

#include "harness/sandbox.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

using namespace harness;

namespace
{

constexpr uint64_t SEEDS = 5;

// Ours have 16 B less of headers in 4160 (0.4 %), and draw values of entropy that go round there,
// which was seen to make up to 1.1 % of the mean (agreement.md). The standard error of our five
// seeds is up to 0.4 % of the mean and 1.5 % of the last, of their twenty 0.4 % and 0.9 %.
constexpr double TOLERANCE_OF_MEAN = 0.015;
constexpr double TOLERANCE_OF_LAST = 0.03;

/** \return the words that set these attributes */
Words
Settings(const Words& attributes)
{
    Words words;
    for (const std::string& attribute : attributes)
    {
        words.insert(words.end(), {"--set", "ns3::" + attribute});
    }
    return words;
}

/** What all cases share: htsim's marks and 64 paths; acknowledgements go first; no packet that
 * overtakes another counts as a loss. */
Words
Same()
{
    const Words words{"--topology",
                      "leaf-spine:leaves=4,hosts-per-leaf=4,spines=4",
                      "--cc",
                      "nscc"};
    return With(With(words, {"--payload", "4096", "--recovery", "irn"}),
                Settings({"RdmaHost::NackThreshold=1000000",
                          "RdmaHost::EntropyValues=64",
                          "RdmaHost::AckHighPriority=true",
                          "RdmaSwitch::AckHighPriority=true",
                          "RdmaSwitch::Kmin=24960",
                          "RdmaSwitch::Kmax=99840"}));
}

/** NSCC that never changes its window, of 29 packets: 1.03 of the 117 kB that 9.35 us take. */
Words
FixedWindow()
{
    return Settings({"RdmaNscc::MaxWindow=1.03",
                     "RdmaNscc::FastIncrease=0",
                     "RdmaNscc::ProportionalIncrease=0",
                     "RdmaNscc::FairIncrease=0",
                     "RdmaNscc::Eta=0",
                     "RdmaNscc::Gamma=0",
                     "RdmaNscc::QuickAdapt=false"});
}

const Words SHIFT{"--traffic", "ring:stride=4,bytes=4096000"};
const Words INCAST{"--traffic", "incast:fan-in=12,receiver=15,bytes=1024000"};
const Words OBLIVIOUS{"--routing", "entropy"};
const Words REPS{"--routing", "reps"};

struct Case
{
    std::string name; //!< in completion-us.csv
    Words words;
};

/** Completion times of a run, or their averages over seeds, us. */
struct Times
{
    double mean{0};
    double last{0};
};

/** \return the averages of htsim's runs */
Times
Theirs(const std::string& name)
{
    std::ifstream in(WORMHOLE_SOURCE_DIR "/test/data/htsim/completion-us.csv");
    Times sum;
    int runs = 0;
    for (std::string line; std::getline(in, line);)
    {
        if (line.rfind(name + ",", 0) != 0)
        {
            continue;
        }
        std::replace(line.begin(), line.end(), ',', ' ');
        std::istringstream words(line);
        std::string word;
        double first = 0;
        Times run;
        words >> word >> word >> first >> run.mean >> run.last;
        sum.mean += run.mean;
        sum.last += run.last;
        ++runs;
    }
    EXPECT_EQ(runs, 20) << name;
    return {sum.mean / runs, sum.last / runs};
}

/** \return the completion times in an fct.txt, whose seventh column has them in ns */
Times
TimesIn(const std::vector<std::string>& lines)
{
    Times times;
    for (const std::string& line : lines)
    {
        std::istringstream words(line);
        std::string word;
        for (int i = 0; i < 7; ++i)
        {
            words >> word;
        }
        const double fct = std::stod(word) / 1000;
        times.mean += fct / static_cast<double>(lines.size());
        times.last = std::max(times.last, fct);
    }
    return times;
}

class Htsim : public testing::TestWithParam<Case>
{
};

} // namespace

TEST_P(Htsim, CompletionTimesAgree)
{
    const Sandbox box;
    Times ours;
    for (uint64_t seed = 1; seed <= SEEDS; ++seed)
    {
        const Words more{"--network-seed", std::to_string(seed), "--output", "out", "--quiet"};
        const ProgramResult r = box.Run(With(With({"run"}, With(Same(), GetParam().words)), more));
        ASSERT_EQ(r.exit, 0) << r.err;
        const Times run = TimesIn(box.Lines("out/fct.txt"));
        ours.mean += run.mean / SEEDS;
        ours.last += run.last / SEEDS;
    }
    const Times theirs = Theirs(GetParam().name);
    EXPECT_NEAR(ours.mean / theirs.mean, 1, TOLERANCE_OF_MEAN) << theirs.mean << " us";
    EXPECT_NEAR(ours.last / theirs.last, 1, TOLERANCE_OF_LAST) << theirs.last << " us";
}

INSTANTIATE_TEST_SUITE_P(
    Uec,
    Htsim,
    testing::Values(Case{"window-oblivious", With(With(SHIFT, OBLIVIOUS), FixedWindow())},
                    Case{"window-reps", With(With(SHIFT, REPS), FixedWindow())},
                    Case{"nscc-oblivious", With(SHIFT, OBLIVIOUS)},
                    Case{"nscc-reps", With(SHIFT, REPS)},
                    Case{"incast-nscc-oblivious", With(INCAST, OBLIVIOUS)}),
    [](const auto& info) {
        std::string name = info.param.name;
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    });
