/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * `wormhole compare`: packet level, fast-forward and flow level of the same scenario, in turn.
 */

#include "commands.h"
#include "compare/compare-options.h"
#include "compare/compare-packet-from.h"
#include "compare/compare-paths.h"
#include "compare/compare-report.h"
#include "estimate/estimate.h"
#include "options.h"
#include "result/files.h"
#include "result/folder-lock.h"
#include "result/new-file.h"
#include "result/summary.h"
#include "run/exit-codes.h"
#include "run/ranks.h"
#include "run/warnings.h"
#include "terminal/units-text.h"

#include "ns3/input-error.h"

#include <filesystem>
#include <fstream>
#include <iostream>

namespace wormhole
{

namespace
{

namespace fs = std::filesystem;

/** One comparison, from options to results. */
class Comparison
{
  public:
    explicit Comparison(const CompareOptions& options)
        : m_options(options),
          m_paths(options)
    {
        m_state.sides.resize(1);
        m_state.sides[PACKET].name = "packet";
        AddSide("fast");
        if (!options.run.fast.memo.empty())
        {
            AddSide("fast_again");
        }
        const std::string why = NoFlowLevel(options);
        if (why.empty())
        {
            AddSide("flow");
        }
        else
        {
            m_state.notes.push_back("no flow level: " + why);
        }
    }

    int Run();

  private:
    static constexpr size_t PACKET = 0;
    static constexpr size_t FAST = 1;

    void AddSide(const std::string& name)
    {
        m_state.sides.emplace_back().name = name;
    }

    Words WordsOf(const CompareSide& side, uint32_t run) const;
    bool RunSides();
    bool RunSide(CompareSide& side, uint32_t run);
    bool RunSeeds();
    std::optional<CompareOutcome> RunPacketLevel(const std::string& name, Words words);
    Words DisturbedWords(RunMode mode, uint32_t number) const;
    std::optional<CompareOutcome> RunDisturbedFast(uint32_t number);
    bool RunDisturbed();
    std::optional<ChildResult> RunChild(Words words, const std::string& folder, bool timed);
    void Fail(const ChildResult& child, const std::string& folder);
    void TakePacketLevel();
    void Find(CompareSide& side, const std::string& folder);
    void Write() const;

    bool TakesPacketLevel() const
    {
        return !m_options.packetFrom.empty() && !m_options.inTurn;
    }

    const CompareOptions& m_options;
    ComparePaths m_paths;
    CompareState m_state;
    ChildProcesses m_children;
    int m_exit{EXIT_DONE};
};

Words
Comparison::WordsOf(const CompareSide& side, uint32_t run) const
{
    const RunMode mode = side.name == "packet" ? RunMode::PACKET
                         : side.name == "flow" ? RunMode::FLOW
                                               : RunMode::FAST;
    Words words = RunWords(m_options, mode);
    if (mode == RunMode::FAST && !m_options.run.fast.memo.empty())
    {
        words = WithOption(words, "memo", m_paths.StoreOf(run));
    }
    return words;
}

/** Tells why a run did not end well, with what it said itself. */
void
Comparison::Fail(const ChildResult& child, const std::string& folder)
{
    std::string said;
    std::ifstream in(fs::path(folder) / "messages.txt");
    for (std::string line; std::getline(in, line);)
    {
        said = line.empty() ? said : line;
    }
    const std::string name = fs::path(folder).filename().string();
    if (child.interrupted || child.exit == EXIT_INTERRUPTED)
    {
        m_state.interrupted = true;
        m_exit = EXIT_INTERRUPTED;
        m_state.failures.push_back(name + ": interrupted");
        return;
    }
    m_exit = child.exit == EXIT_USAGE ? EXIT_USAGE : EXIT_IO;
    m_state.failures.push_back(name + ": " +
                               (child.exit > 128
                                    ? "ended by signal " + std::to_string(child.exit - 128)
                                    : "exit code " + std::to_string(child.exit)) +
                               (said.empty() ? "" : ": " + said));
}

/** \return how it went; nothing if that means the end */
std::optional<ChildResult>
Comparison::RunChild(Words words, const std::string& folder, bool timed)
{
    MakeFolder(folder);
    words.insert(words.end(), {"--output", folder, "--quiet"});
    if (m_options.progress)
    {
        std::cerr << "compare: " << fs::path(folder).filename().string() << "..." << std::flush;
    }
    const std::string messages = (fs::path(folder) / "messages.txt").string();
    const ChildResult child = m_children.Run(words, messages);
    if (m_options.progress)
    {
        std::cerr << " " << (timed ? TimeText(child.wallSeconds * 1e9) : "done") << std::endl;
    }
    m_children.TellStoreWarnings(messages);
    if (child.exit == EXIT_UNFINISHED && !child.interrupted)
    {
        m_exit = EXIT_UNFINISHED;
        m_state.notes.push_back(fs::path(folder).filename().string() +
                                ": not all completed; see summary.json there");
    }
    else if (child.exit != EXIT_DONE || child.interrupted)
    {
        Fail(child, folder);
        return {};
    }
    return child;
}

/** Reads what a run has written, and compares it. */
void
Comparison::Find(CompareSide& side, const std::string& folder)
{
    side.outcome = ReadCompareOutcome(folder);
    const CompareSide& packet = m_state.sides[PACKET];
    if (&side == &packet && m_options.inTurn)
    {
        CheckSamePacketLevel(*packet.outcome, m_options.packetFrom);
    }
    if (&side == &packet || !packet.outcome)
    {
        return;
    }
    if (TakesPacketLevel() && side.name == "fast")
    {
        CheckSameScenario(*packet.outcome, *side.outcome, m_options.packetFrom);
    }
    side.errors = FindErrors(*packet.outcome, *side.outcome);
}

bool
Comparison::RunSide(CompareSide& side, uint32_t run)
{
    const std::string folder = m_paths.FolderOfRun(side.name, run);
    const std::optional<ChildResult> child = RunChild(WordsOf(side, run), folder, true);
    if (!child)
    {
        return false;
    }
    side.wallSeconds.push_back(child->wallSeconds);
    side.cpuSeconds.push_back(child->cpuSeconds);
    if (run == 0)
    {
        side.peakMemoryKib = child->peakMemoryKib;
        side.exit = child->exit;
        Find(side, folder);
    }
    Write();
    return true;
}

/** One after the other, and again: what slows the machine down for a while hits all of them. */
bool
Comparison::RunSides()
{
    for (uint32_t run = 0; run < m_options.runs; ++run)
    {
        for (CompareSide& side : m_state.sides)
        {
            const bool known = &side == &m_state.sides[PACKET] && TakesPacketLevel();
            if (!known && !RunSide(side, run))
            {
                return false;
            }
        }
    }
    return true;
}

/** \return what the packet level does with one more option; as it was with --packet-from, if that
 * has it. Nothing if that means the end */
std::optional<CompareOutcome>
Comparison::RunPacketLevel(const std::string& name, Words words)
{
    const fs::path earlier = fs::path(m_options.packetFrom) / name;
    if (!m_options.packetFrom.empty() && fs::exists(earlier / "summary.json"))
    {
        return ReadCompareOutcome(earlier.string());
    }
    if (!RunChild(std::move(words), m_paths.FolderOf(name), false))
    {
        return {};
    }
    return ReadCompareOutcome(m_paths.FolderOf(name));
}

/** The packet level with other seeds of the network; what is drawn for the inputs stays. */
bool
Comparison::RunSeeds()
{
    const uint64_t first = m_options.run.networkSeed.value_or(m_options.run.seed.value_or(1));
    for (uint32_t i = 1; i < m_options.seeds; ++i)
    {
        const std::string seed = std::to_string(first + i);
        const std::optional<CompareOutcome> outcome =
            RunPacketLevel("packet-seed-" + seed,
                           WithOption(RunWords(m_options, RunMode::PACKET), "network-seed", seed));
        if (!outcome)
        {
            return false;
        }
        m_state.seeds.push_back({first + i, FindErrors(*m_state.sides[PACKET].outcome, *outcome)});
        Write();
    }
    return true;
}

Words
Comparison::DisturbedWords(RunMode mode, uint32_t number) const
{
    const Words words = WithOption(RunWords(m_options, mode), "disturb", std::to_string(number));
    return WithOption(words, "disturb-links", m_options.disturbAllLinks ? "all" : "one");
}

std::optional<CompareOutcome>
Comparison::RunDisturbedFast(uint32_t number)
{
    const std::string folder = m_paths.FolderOf(m_paths.DisturbedName("fast", number));
    Words words = DisturbedWords(RunMode::FAST, number);
    if (!m_options.run.fast.memo.empty())
    {
        words = WithOption(words, "memo", m_paths.DisturbedStore(number));
    }
    if (!RunChild(std::move(words), folder, false))
    {
        return {};
    }
    return ReadCompareOutcome(folder);
}

/** Pairs of packet level and fast-forward, the same thing moved in both; the first one is that of
 * which nothing is, which users run. */
bool
Comparison::RunDisturbed()
{
    if (m_options.disturbances > 0)
    {
        AddDisturbed(*m_state.sides[PACKET].outcome,
                     *m_state.sides[FAST].outcome,
                     m_state.disturbed);
    }
    for (uint32_t number = 1; number <= m_options.disturbances; ++number)
    {
        std::optional<CompareOutcome> packet =
            RunPacketLevel(m_paths.DisturbedName("packet", number),
                           DisturbedWords(RunMode::PACKET, number));
        const std::optional<CompareOutcome> fast = packet ? RunDisturbedFast(number) : std::nullopt;
        if (!fast)
        {
            return false;
        }
        AddDisturbed(std::move(*packet), *fast, m_state.disturbed);
        Write();
    }
    return true;
}

void
Comparison::TakePacketLevel()
{
    const EarlierPacketLevel earlier = ReadEarlierPacketLevel(m_options.packetFrom);
    CompareSide& packet = m_state.sides[PACKET];
    packet.wallSeconds = earlier.wallSeconds;
    packet.cpuSeconds = earlier.cpuSeconds;
    packet.peakMemoryKib = earlier.peakMemoryKib;
    packet.outcome = earlier.outcome;
    m_state.notes.insert(m_state.notes.end(), earlier.notes.begin(), earlier.notes.end());
}

void
Comparison::Write() const
{
    NewFile file(m_options.json);
    file.Stream() << SummaryText(CompareJson(m_options, m_state));
    file.Close();
}

int
Comparison::Run()
{
    if (TakesPacketLevel())
    {
        TakePacketLevel();
    }
    std::vector<std::string> sides;
    for (const CompareSide& side : m_state.sides)
    {
        sides.push_back(side.name);
    }
    m_paths.Check(sides);
    const FolderLock lock(m_options.output, "comparison");
    m_paths.PrepareStores();
    Write(); // now, not after hours
    m_state.complete = RunSides() && RunSeeds() && RunDisturbed();
    Write();
    if (!m_options.quiet && m_state.sides[PACKET].outcome)
    {
        PrintText(CompareTable(m_options, m_state));
    }
    for (const std::string& failure : m_state.failures)
    {
        std::cerr << "wormhole: compare: " << failure << std::endl;
    }
    return m_exit;
}

} // namespace

int
CompareCommand(const Words& words)
{
    const CompareOptions options = ParseCompareOptions(words);
    if (options.help)
    {
        PrintText(CompareHelp());
        return EXIT_DONE;
    }
    RefuseRanks("compare");
    if (options.run.estimate)
    {
        return EstimateCommand(options.run);
    }
    if (options.packetFrom.empty())
    {
        WarnOfPacketLevel(options.run);
    }
    ShowWarnings({});
    try
    {
        return Comparison(options).Run();
    }
    catch (const nlohmann::json::exception& error)
    {
        throw ns3::InputError(
            "compare: a summary.json or compare.json of an earlier run is not as it "
            "was written (" +
            std::string(error.what()) + "); give another --packet-from");
    }
}

} // namespace wormhole
