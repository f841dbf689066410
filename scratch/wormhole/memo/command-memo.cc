/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * `wormhole memo`: looks at the stores of episodes that --memo makes, and tidies them up.
 */

#include "command/command-options.h"
#include "command/commands.h"
#include "command/options.h"
#include "memo-text.h"
#include "result/files.h"
#include "run/exit-codes.h"
#include "terminal/units-text.h"
#include "wormhole/sqlite-episode-store.h"

#include "ns3/input-error.h"
#include "ns3/input-line-file.h"
#include "ns3/input-nearest-name.h"
#include "ns3/input-number.h"
#include "ns3/input-spec.h"

#include <chrono>
#include <filesystem>
#include <iostream>
#include <utility>
#include <vector>

namespace po = boost::program_options;

namespace wormhole
{

using Json = nlohmann::ordered_json;
using ns3::InputError;

namespace
{

const char* const MEMO_HELP = R"(usage:
  wormhole memo list FILE... [--json]
  wormhole memo explain FILE NUMBER|SIGNATURE [--dot|--json]
  wormhole memo prune FILE [--unused-for TIME] [--keep N] [--keep-bytes BYTES] [--fingerprint HEX]
  wormhole memo merge FILE FROM...

Episodes are what wormhole run --mode fast --memo FILE has learnt of traffic that meets again: how a
group of flows that share links came to a steady state, or to the end of one of them.

list      shows the episodes of each file, a line each, with a number from 1.
          A fingerprint stands for a configuration: only runs with the same one use an episode.
explain   shows one: what meets where, and what became of it. It is chosen by its number or by the
          first digits of its signature. --dot writes the graph for Graphviz (dot -Tsvg).
prune     deletes the episodes that meet all conditions: not used for TIME (such as 90min, 12h or 30d);
          not among the N that were used last; not among those used last that take up BYTES together;
          of the configuration whose fingerprint begins with HEX.
merge     adds the episodes of other files to FILE, which is made if need be. Where both know the same
          traffic, FILE's stays.

Exit codes: 0 done, 1 a file could not be written, 2 wrong options or input.
)";

constexpr double LONGEST_MS = 1e15; // 30,000 years

/** An open store, and what it complains of. */
class Store
{
  public:
    /** \throws InputError if there is no store of episodes */
    Store(const std::string& path, bool mayMake)
    {
        if (!mayMake && !FileExists(path))
        {
            throw InputError(ns3::ShownText(path) +
                             ": there is no such file; wormhole run --mode fast --memo FILE "
                             "makes one");
        }
        std::error_code ignored; // SQLite takes an empty file for a new one
        if (!mayMake && std::filesystem::file_size(path, ignored) == 0)
        {
            throw InputError(ns3::ShownText(path) +
                             ": the file is empty, and has no episodes; if it had some, it has "
                             "been cut off, and can be removed");
        }
        // members that work on the whole file take all fingerprints
        m_store = std::make_unique<SqliteEpisodeStore>(
            path,
            Signature{},
            [this](const std::string& text) { m_warnings.push_back(text); });
        if (m_store->Access() == EpisodeFileAccess::None)
        {
            throw InputError(m_warnings.empty() ? path + " is no store of episodes"
                                                : m_warnings.front());
        }
    }

    ~Store()
    {
        m_store.reset(); // may warn
        for (const std::string& warning : m_warnings)
        {
            std::cerr << "wormhole: warning: " << warning << std::endl;
        }
    }

    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    SqliteEpisodeStore& operator*() const
    {
        return *m_store;
    }

    SqliteEpisodeStore* operator->() const
    {
        return m_store.get();
    }

    /** \throws OutputError if nothing can be written to it */
    void NeedWriting(const std::string& path) const
    {
        if (m_store->Access() != EpisodeFileAccess::ReadWrite)
        {
            throw ns3::OutputError(m_warnings.empty() ? path + " cannot be written"
                                                      : m_warnings.front());
        }
    }

  private:
    std::vector<std::string> m_warnings;
    std::unique_ptr<SqliteEpisodeStore> m_store;
};

/** \return the options of an action; none if it has none */
po::options_description
OptionsOf(const std::string& command)
{
    for (const CommandOptions& options : MemoCommandOptions())
    {
        if (options.command == command && !options.groups.empty())
        {
            return options.groups.front();
        }
    }
    return {};
}

po::variables_map
Parse(const std::string& action, const Words& words, size_t least, size_t most)
{
    const std::string command = "memo " + action;
    po::variables_map values = ParseOptions(command, words, OptionsOf(command), "FILE", most);
    const size_t given = values.count("argument") ? values["argument"].as<Words>().size() : 0;
    if (given < least)
    {
        throw InputError("memo " + action + ": " +
                         (given == 0 ? "which file?" : "there is a word missing") +
                         " wormhole memo --help says what it needs");
    }
    return values;
}

int
List(const Words& words)
{
    const po::variables_map values = Parse("list", words, 1, SIZE_MAX);
    Json files = Json::array();
    std::string text;
    for (const std::string& path : values["argument"].as<Words>())
    {
        const Store store(path, false);
        Json episodes = Json::array();
        std::string rows;
        uint64_t bytes = 0;
        store->ForEach([&](const StoredEpisode& stored) {
            const uint64_t number = episodes.size() + 1;
            episodes.push_back(EpisodeSummaryJson(number, stored));
            rows += EpisodeRowText(number, stored);
            bytes += stored.bytes;
        });
        if (store->Access() == EpisodeFileAccess::None)
        {
            throw InputError(path + ": damaged: not all of its episodes can be read");
        }
        text += path + ": " + CountText(episodes.size()) + " episodes, " + CountText(bytes) +
                " bytes\n" + (episodes.empty() ? "" : EpisodeHeadText() + rows);
        files.push_back({{"file", path}, {"stored_bytes", bytes}, {"episodes", episodes}});
    }
    PrintText(values.count("json") ? files.dump(2) + "\n" : text);
    return EXIT_DONE;
}

/** \return whether the user means this episode */
bool
IsMeant(const std::string& word, uint64_t number, const StoredEpisode& stored)
{
    constexpr size_t LEAST_DIGITS = 4; // fewer are a number
    return word == std::to_string(number) ||
           (word.size() >= LEAST_DIGITS && stored.signature.ToString().rfind(word, 0) == 0);
}

int
Explain(const Words& words)
{
    const po::variables_map values = Parse("explain", words, 2, 2);
    const Words given = values["argument"].as<Words>();
    const bool json = values.count("json");
    if (json && values.count("dot"))
    {
        throw InputError("memo explain: --json and --dot are two forms; give one");
    }
    const Store store(given[0], false);
    uint64_t number = 0;
    uint64_t found = 0;
    std::string text;
    store->ForEach([&](const StoredEpisode& stored) {
        if (!IsMeant(given[1], ++number, stored))
        {
            return;
        }
        ++found;
        Json all = json ? EpisodeSummaryJson(number, stored) : Json();
        if (json)
        {
            all["episode"] = EpisodeDetailJson(stored);
        }
        text = json                  ? all.dump(2) + "\n"
               : values.count("dot") ? EpisodeDot(stored)
                                     : EpisodeText(number, stored);
    });
    if (found != 1)
    {
        throw InputError("memo explain: " + std::to_string(found) + " of the " +
                         std::to_string(number) + " episodes of " + ns3::ShownText(given[0]) +
                         " are called " + ns3::ShownText(given[1]) +
                         "; wormhole memo list shows numbers and signatures");
    }
    PrintText(text);
    return EXIT_DONE;
}

/** 90s, 30min, 12h, 7d */
WallTime
ParseAge(const std::string& text)
{
    const size_t unit = text.find_first_not_of("0123456789.");
    const std::string name = unit == std::string::npos ? "" : text.substr(unit);
    const double factor = name == "s"     ? 1e3
                          : name == "min" ? 60e3
                          : name == "h"   ? 3600e3
                          : name == "d"   ? 86400e3
                                          : 0;
    double number = 0;
    if (factor <= 0 || !ns3::ParseNumber(text.substr(0, unit), number) ||
        number * factor > LONGEST_MS)
    {
        throw InputError("--unused-for " + ns3::ShownText(text) +
                         ": must be a time such as 90s, 30min, 12h or 7d");
    }
    return WallTime{static_cast<int64_t>(number * factor)};
}

/** \return the one fingerprint in the store that begins with these digits */
Signature
FindFingerprint(const Store& store, const std::string& digits)
{
    std::optional<Signature> found;
    bool several = false;
    store->ForEach([&](const StoredEpisode& stored) {
        if (stored.fingerprint.ToString().rfind(digits, 0) == 0)
        {
            several |= found && *found != stored.fingerprint;
            found = stored.fingerprint;
        }
    });
    if (!found || several)
    {
        throw InputError("--fingerprint " + ns3::ShownText(digits) + ": " +
                         (several ? "several" : "no") +
                         " fingerprints begin so; wormhole memo list shows them");
    }
    return *found;
}

int
Prune(const Words& words)
{
    const po::variables_map values = Parse("prune", words, 1, 1);
    EpisodeSelection selection;
    if (values.count("unused-for"))
    {
        const auto now = std::chrono::duration_cast<WallTime>(
            std::chrono::system_clock::now().time_since_epoch());
        selection.usedBefore = now - ParseAge(TextOption(values, "unused-for"));
    }
    if (values.count("keep"))
    {
        selection.beyondEpisodes = IntegerOption(values, "keep", 0, UINT64_MAX);
    }
    if (values.count("keep-bytes"))
    {
        selection.beyondBytes = IntegerOption(values, "keep-bytes", 0, UINT64_MAX);
    }
    if (values.size() < 2) // the file alone
    {
        throw InputError("memo prune: which episodes? give --unused-for, --keep, --keep-bytes "
                         "or --fingerprint; --keep 0 means all");
    }
    const std::string path = values["argument"].as<Words>().front();
    const Store store(path, false);
    store.NeedWriting(path);
    if (values.count("fingerprint"))
    {
        selection.fingerprint = FindFingerprint(store, TextOption(values, "fingerprint"));
    }
    const uint64_t deleted = store->Prune(selection);
    store.NeedWriting(path); // it may have turned out that it cannot be
    PrintText(path + ": " + CountText(deleted) + " episodes deleted\n");
    return EXIT_DONE;
}

int
Merge(const Words& words)
{
    const po::variables_map values = Parse("merge", words, 2, SIZE_MAX);
    const Words paths = values["argument"].as<Words>();
    for (size_t i = 1; i < paths.size(); ++i)
    {
        std::error_code ignored;
        if (std::filesystem::equivalent(paths[0], paths[i], ignored))
        {
            throw InputError("memo merge: " + ns3::ShownText(paths[i]) +
                             " is the file that is added to; give others");
        }
        const Store check(paths[i], false); // before anything is changed
    }
    const Store store(paths[0], true);
    store.NeedWriting(paths[0]);
    std::string text;
    for (size_t i = 1; i < paths.size(); ++i)
    {
        const EpisodeMergeResult result = store->MergeFrom(paths[i]);
        text += paths[i] + ": " + CountText(result.added) + " added, " + CountText(result.known) +
                " known" + (result.damaged ? ", " + CountText(result.damaged) + " damaged" : "") +
                "\n";
    }
    store.NeedWriting(paths[0]);
    PrintText(text);
    return EXIT_DONE;
}

} // namespace

std::vector<CommandOptions>
MemoCommandOptions()
{
    const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
    po::options_description list;
    list.add_options()("json", "as JSON");
    po::options_description explain;
    explain.add_options()("json", "as JSON")("dot", "the graph, for Graphviz");
    po::options_description prune;
    prune.add_options()("unused-for",
                        text("TIME"),
                        "delete what was not used for so long, such as 90s, 30min, 12h or 7d")(
        "keep",
        text("N"),
        "spare the N episodes that were used last")(
        "keep-bytes",
        text("BYTES"),
        "spare those used last that take up so many bytes together")(
        "fingerprint",
        text("HEX"),
        "only those of the configuration whose fingerprint begins so");
    return {{"memo list", "FILE...", {list}},
            {"memo explain", "FILE NUMBER|SIGNATURE", {explain}},
            {"memo prune", "FILE", {prune}},
            {"memo merge", "FILE FROM...", {}}};
}

int
MemoCommand(const Words& words)
{
    const std::vector<std::pair<std::string, int (*)(const Words&)>> actions{{"list", List},
                                                                             {"explain", Explain},
                                                                             {"prune", Prune},
                                                                             {"merge", Merge}};
    if (!words.empty() && words.size() <= 2 && words.back() == "--help")
    {
        PrintText(MEMO_HELP);
        return EXIT_DONE;
    }
    const Words rest(words.empty() ? words.begin() : words.begin() + 1, words.end());
    Words names;
    for (const auto& [name, action] : actions)
    {
        if (!words.empty() && words.front() == name)
        {
            return action(rest);
        }
        names.push_back(name);
    }
    throw InputError("memo: there are " + ns3::ListText(names) +
                     ns3::DidYouMean(words.empty() ? "" : words.front(), names) +
                     " (see wormhole memo --help)");
}

} // namespace wormhole
