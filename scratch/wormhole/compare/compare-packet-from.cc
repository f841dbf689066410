/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "compare-packet-from.h"

#include "compare-errors.h"
#include "result/files.h"
#include "result/result-file.h"
#include "result/result-shape.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"

#include <algorithm>
#include <filesystem>

namespace wormhole
{

using Json = nlohmann::ordered_json;
using ns3::InputError;

namespace
{

namespace fs = std::filesystem;

/** \return the packet level's part of compare.json in the folder; null if there is none */
Json
EarlierTimes(const fs::path& folder)
{
    const std::string path = (folder / "compare.json").string();
    if (!FileExists(path))
    {
        return {};
    }
    const Json report = ReadResultJson(path);
    CheckComparisonShape(report, path);
    return report.value("modes", Json::object()).value("packet", Json());
}

/** \return \p text from shortly before it differs from \p other, for messages */
std::string
DifferenceText(const std::string& text, const std::string& other)
{
    constexpr size_t BEFORE = 16;
    const auto [differs, unused] =
        std::mismatch(text.begin(), text.end(), other.begin(), other.end());
    const auto place = static_cast<size_t>(differs - text.begin());
    return place > BEFORE ? ns3::ShownText("..." + text.substr(place - BEFORE))
                          : ns3::ShownText(text);
}

} // namespace

EarlierPacketLevel
ReadEarlierPacketLevel(const std::string& folder)
{
    const fs::path base(folder);
    const fs::path packet = fs::exists(base / "packet" / "summary.json") ? base / "packet" : base;
    EarlierPacketLevel earlier;
    earlier.outcome = ReadCompareOutcome(packet.string());
    const std::string mode = earlier.outcome.summary["configuration"].value("mode", "");
    if (mode != "packet")
    {
        throw InputError("--packet-from " + ns3::ShownText(folder) + ": its run has --mode " +
                         ns3::ShownText(mode) + "; give one of packet level");
    }
    const Json times = EarlierTimes(base);
    if (times.is_object())
    {
        earlier.wallSeconds = times.value("walls_s", std::vector<double>());
        earlier.cpuSeconds = times.value("cpus_s", std::vector<double>());
        earlier.peakMemoryKib = times.value("peak_memory_kib", uint64_t{0});
        earlier.notes.push_back("packet level from " + folder);
        return earlier;
    }
    const Json cost = earlier.outcome.summary.value("cost", Json::object());
    earlier.wallSeconds = {cost.value("setup_s", 0.0) + cost.value("run_s", 0.0)};
    earlier.peakMemoryKib = cost.value("peak_memory_kib", uint64_t{0});
    earlier.notes.push_back("packet level from " + folder +
                            "; its time leaves out reading the inputs and writing the results");
    return earlier;
}

void
CheckSameScenario(const CompareOutcome& earlier,
                  const CompareOutcome& now,
                  const std::string& folder)
{
    const Json there = ScenarioOf(earlier.summary);
    const Json here = ScenarioOf(now.summary);
    for (const auto& [key, value] : here.items())
    {
        const Json other = there.value(key, Json());
        if (other != value)
        {
            throw InputError("--packet-from " + ns3::ShownText(folder) + ": another scenario: " +
                             key + " is " + DifferenceText(other.dump(), value.dump()) +
                             " there, and " + DifferenceText(value.dump(), other.dump()) + " here");
        }
    }
}

void
CheckSamePacketLevel(const CompareOutcome& now, const std::string& folder)
{
    const CompareOutcome earlier = ReadEarlierPacketLevel(folder).outcome;
    CheckSameScenario(earlier, now, folder);
    const CompareErrors errors = FindErrors(earlier, now);
    if (errors.unmatched > 0 || errors.fct.max > 0)
    {
        throw InputError("--packet-from " + ns3::ShownText(folder) +
                         ": its flows complete at other times than those of this program's packet "
                         "level; leave the option out");
    }
}

} // namespace wormhole
