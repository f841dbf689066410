/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Random runs, as one might queue them for a night: none crashes or hangs, every flow or operation
// is accounted for, the same command gives the same bytes, and fast-forward agrees with packets.

#include "fault-run.h"
#include "random-command.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>

using namespace faults;
using nlohmann::json;

namespace
{

/** Completion times of single flows may differ from packet level's by this much, ... */
constexpr double RELATIVE = 0.3;
/** ... and their mean by this much: the bound of Theorem 2 for theta = 5 %, twice. */
constexpr double MEAN = 2 * 0.0527;
/** Both, by what some full queues are worth, on top. */
constexpr double ABSOLUTE_NS = 10000;

std::string
ToText(const Words& words)
{
    std::string text = "wormhole run";
    for (const std::string& word : words)
    {
        text += " " + word;
    }
    return text;
}

/** \return what holds for a run whatever the machine, and however long it took */
json
Lasting(json summary)
{
    for (const char* part : {"program", "command", "cost"})
    {
        summary.erase(part);
    }
    return summary;
}

/** A random command, run as often as needed. */
class RandomRun
{
  public:
    explicit RandomRun(uint64_t seed)
        : m_command(DrawCommand(seed))
    {
    }

    void Check()
    {
        const Words all = WordsOf(m_command.mode, m_command.ofMode);
        SCOPED_TRACE(ToText(all));
        const Sandbox box;
        const json summary = Run(box, all);
        if (summary.is_null())
        {
            return;
        }
        CheckAccounts(box, summary);
        const Sandbox second;
        ExpectSameBytes(box, second, Run(second, all));
        if (m_command.mode == "fast" && !m_command.troubled)
        {
            const Sandbox packets;
            Run(packets, WordsOf("packet", {}));
            CheckTimes(box, packets);
        }
    }

  private:
    Words WordsOf(const std::string& mode, const Words& ofMode) const
    {
        return harness::With(harness::With(m_command.words, {"--mode", mode}), ofMode);
    }

    /** \return the summary; null after a failure */
    json Run(const Sandbox& box, const Words& words) const
    {
        const ProgramResult r =
            RunUnder(box,
                     harness::With({"run"}, harness::With(words, {"--output", "out", "--quiet"})));
        // A NIC whose resume frame is lost waits for ever, and its flow looks after it for as long.
        const bool endless = r.exit == 2 && r.err.find("104 days") != std::string::npos;
        const bool good = r.exit == 0 || (m_command.troubled && (r.exit == 3 || endless));
        EXPECT_TRUE(good) << "exit code " << r.exit << (r.exit == HUNG ? " (it hung)\n" : "\n")
                          << r.err;
        return good && !endless ? box.ReadJson("out/summary.json") : json();
    }

    /** Every flow completed once, or is listed with the reason why not. */
    void CheckAccounts(const Sandbox& box, const json& summary) const
    {
        const size_t lines = box.Lines("out/fct.txt").size();
        if (!m_command.flows)
        {
            const json& operations = summary["operations"];
            const bool all = operations["completed"] == operations["count"];
            EXPECT_TRUE(all || (m_command.troubled && !operations["stalled"].empty()))
                << operations;
            return;
        }
        const json& flows = summary["flows"];
        EXPECT_EQ(flows["completed"], lines);
        const uint64_t left = flows["failed"].get<uint64_t>() + flows["unfinished"].get<uint64_t>();
        EXPECT_EQ(flows["count"], lines + left);
        EXPECT_EQ(flows["not_completed"].size(), left);
        for (const json& flow : flows["not_completed"])
        {
            EXPECT_NE(flow["reason"], "") << flow;
        }
    }

    void ExpectSameBytes(const Sandbox& a, const Sandbox& b, const json& summary) const
    {
        if (summary.is_null())
        {
            return;
        }
        EXPECT_EQ(Lasting(a.ReadJson("out/summary.json")), Lasting(summary));
        std::set<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(a.PathOf("out")))
        {
            names.insert(entry.path().filename().string());
        }
        for (const std::string& name : names)
        {
            const bool same = a.Read("out/" + name) == b.Read("out/" + name);
            EXPECT_TRUE(same || name == "summary.json") << name << " differs the second time";
        }
    }

    /** \return completion times in ns, by pair of hosts, ports and start */
    static std::map<std::string, double> Times(const Sandbox& box)
    {
        std::map<std::string, double> times;
        for (const std::string& line : box.Lines("out/fct.txt"))
        {
            std::istringstream in(line);
            std::string words[6];
            double fct = 0;
            in >> words[0] >> words[1] >> words[2] >> words[3] >> words[4] >> words[5] >> fct;
            std::string key;
            for (const std::string& word : words)
            {
                key += word + " ";
            }
            EXPECT_TRUE(times.insert({key, fct}).second) << key << " completed twice";
        }
        return times;
    }

    void CheckTimes(const Sandbox& fast, const Sandbox& packets) const
    {
        if (!m_command.flows) // whose starts depend on each other
        {
            const double packet = packets.ReadJson("out/summary.json")["results"]["finish_ns"];
            const double replay = fast.ReadJson("out/summary.json")["results"]["finish_ns"];
            EXPECT_NEAR(replay, packet, MEAN * packet + ABSOLUTE_NS);
            return;
        }
        const auto a = Times(fast);
        const auto b = Times(packets);
        double mean = 0;
        double difference = 0;
        for (const auto& [key, fct] : b)
        {
            ASSERT_TRUE(a.count(key)) << key << "does not complete with fast-forward";
            EXPECT_NEAR(a.at(key), fct, RELATIVE * fct + ABSOLUTE_NS) << key;
            mean += fct / static_cast<double>(b.size());
            difference += (a.at(key) - fct) / static_cast<double>(b.size());
        }
        EXPECT_EQ(a.size(), b.size());
        EXPECT_LE(std::abs(difference), MEAN * mean + ABSOLUTE_NS);
    }

    RandomCommand m_command;
};

class RandomRuns : public testing::TestWithParam<uint64_t>
{
};

} // namespace

TEST_P(RandomRuns, AreRight)
{
    RandomRun(GetParam()).Check();
}

INSTANTIATE_TEST_SUITE_P(Quick, RandomRuns, testing::Range(uint64_t{0}, uint64_t{10}));
INSTANTIATE_TEST_SUITE_P(Slow, RandomRuns, testing::Range(uint64_t{10}, uint64_t{100}));
