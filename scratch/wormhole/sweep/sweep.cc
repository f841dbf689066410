/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sweep.h"

#include "command/options.h"
#include "result/files.h"
#include "result/folder-lock.h"
#include "run/exit-codes.h"
#include "run/run-options.h"
#include "sweep-results.h"
#include "terminal/units-text.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <cctype>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string_view>

namespace wormhole
{

namespace fs = std::filesystem;

namespace
{

/** \return the word as a shell reads it */
std::string
ShellWord(const std::string& word)
{
    const auto isPlain = [](char letter) {
        return std::isalnum(static_cast<unsigned char>(letter)) ||
               std::string_view("-_./:=,+@%").find(letter) != std::string_view::npos;
    };
    if (!word.empty() && std::all_of(word.begin(), word.end(), isPlain))
    {
        return word;
    }
    std::string text = "'";
    for (const char letter : word)
    {
        text += letter == '\'' ? "'\\''" : std::string(1, letter);
    }
    return text + "'";
}

} // namespace

Sweep::Sweep(const SweepOptions& options, const SweepPlan& plan)
    : m_options(options),
      m_plan(plan)
{
    SweepSummaryReader summaries;
    for (size_t i = options.shard - 1; i < plan.runs.size(); i += options.shards)
    {
        (summaries.Read(FolderOf(plan.runs[i])) ? m_before : m_missing).push_back(&plan.runs[i]);
    }
}

std::string
Sweep::FolderOf(const SweepRun& run) const
{
    return (fs::path(m_options.output) / "runs" / run.hash).string();
}

Words
Sweep::CommandOf(const SweepRun& run) const
{
    Words words{"run", "--quiet", "--output", FolderOf(run)};
    const RunOptions options = ParseRunOptions(run.words);
    if (HasPackets(options.mode) && options.native && !options.threads)
    {
        words.insert(words.end(), {"--threads", "1"}); // the runs share the processors
    }
    words.insert(words.end(), run.words.begin(), run.words.end());
    return words;
}

void
Sweep::PrintCommands() const
{
    std::string text;
    for (const SweepRun* run : m_missing)
    {
        text += "wormhole";
        for (const std::string& word : CommandOf(*run))
        {
            text += " " + ShellWord(word);
        }
        text += "\n";
    }
    PrintText(text);
}

void
Sweep::Say(const std::string& text) const
{
    if (!m_options.quiet)
    {
        std::cerr << text << std::endl;
    }
}

void
Sweep::Start(const SweepRun& run)
{
    const std::string folder = FolderOf(run);
    MakeFolder(folder);
    std::error_code error;
    fs::remove(InFolder(folder, "summary.json"), error); // of other inputs
    m_running[m_children.Start(CommandOf(run), InFolder(folder, "log.txt"))] = &run;
}

/** \return how long the rest will take, if it is like what has run */
std::string
Sweep::TimeLeft() const
{
    const size_t left = m_missing.size() - m_done;
    if (left == 0)
    {
        return "";
    }
    const double each = m_seconds / static_cast<double>(m_done);
    const auto rounds =
        std::max(static_cast<double>(left) / static_cast<double>(m_options.jobs), 1.0);
    return ", about " + TimeText(1e9 * each * rounds) + " left";
}

void
Sweep::Ended(const SweepRun& run, const ChildResult& child)
{
    ++m_done;
    m_seconds += child.wallSeconds;
    const std::string count = std::to_string(m_done) + " of " + std::to_string(m_missing.size());
    const std::string title = run.title.empty() ? run.hash : run.title;
    const std::string log = InFolder(FolderOf(run), "log.txt");
    m_children.TellStoreWarnings(log);
    if (child.exit == EXIT_DONE || child.exit == EXIT_UNFINISHED)
    {
        m_unfinished += child.exit == EXIT_UNFINISHED;
        Say(count + TimeLeft() + ": " + title + ", " + TimeText(1e9 * child.wallSeconds) +
            (child.exit == EXIT_UNFINISHED ? ", with flows unfinished" : ""));
        return;
    }
    // A run holds signals back from where it begins files: before, they kill it.
    const bool killed = child.exit == 128 + SIGTERM || child.exit == 128 + SIGHUP;
    if (child.exit == EXIT_INTERRUPTED || (m_interrupted && killed))
    {
        m_interrupted = true;
        return;
    }
    ++m_failed;
    std::ifstream in(log);
    std::string reason;
    do
    {
        reason.clear();
    } while (std::getline(in, reason) && reason.rfind("wormhole: warning: ", 0) == 0);
    const std::string program = "wormhole: ";
    reason.erase(0, reason.rfind(program, 0) == 0 ? program.size() : 0);
    std::cerr << "wormhole: " << title << " failed with exit code " << child.exit << " (" << log
              << ")" << (reason.empty() ? "" : ": " + reason) << std::endl;
}

int
Sweep::Finish()
{
    std::vector<SweepResult> results;
    SweepSummaryReader summaries;
    for (const SweepRun& run : m_plan.runs) // also what other shards have done
    {
        const std::string folder = FolderOf(run);
        if (auto summary = summaries.Read(folder))
        {
            results.push_back({&run, folder, std::move(*summary)});
        }
    }
    bool damaged = false;
    std::vector<SweepStatisticsTable> statistics;
    try
    {
        statistics = SweepStatistics(m_plan.parameters, results, m_options.sizes, m_options.binNs);
    }
    catch (const ns3::InputError& error)
    {
        damaged = true;
        std::cerr << "wormhole: no statistics: " << error.what() << std::endl;
    }
    WriteSweepResults(m_options.output, m_plan.parameters, results, statistics);
    std::ostringstream text;
    text << results.size() << " of " << m_plan.runs.size() << " runs are done";
    if (!m_before.empty())
    {
        text << ", " << m_before.size() << " of them before";
    }
    if (m_failed)
    {
        text << "; " << m_failed << " failed";
    }
    if (m_unfinished)
    {
        text << "; " << m_unfinished << " ended with flows unfinished";
    }
    text << ": " << InFolder(m_options.output, "results.csv") << "\n";
    PrintText(text.str());
    return m_interrupted         ? EXIT_INTERRUPTED
           : m_failed || damaged ? EXIT_IO
           : m_unfinished        ? EXIT_UNFINISHED
                                 : EXIT_DONE;
}

int
Sweep::Run()
{
    const FolderLock lock(m_options.output, "sweep", m_options.shards > 1);
    auto next = m_missing.begin();
    while (!m_running.empty() || (next != m_missing.end() && !m_interrupted))
    {
        if (next != m_missing.end() && !m_interrupted && m_running.size() < m_options.jobs)
        {
            Start(**next++);
            continue;
        }
        const auto [process, child] = m_children.Wait();
        const SweepRun& run = *m_running.at(process);
        m_running.erase(process);
        m_interrupted |= child.interrupted;
        Ended(run, child);
    }
    return Finish();
}

} // namespace wormhole
