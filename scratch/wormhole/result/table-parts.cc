/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "table-parts.h"

#include "terminal/units-text.h"

#include <filesystem>

namespace wormhole
{

std::string
TableRow(const std::string& name, const std::string& text)
{
    constexpr size_t WIDTH = 14;
    return name + std::string(name.size() < WIDTH ? WIDTH - name.size() : 1, ' ') + text + "\n";
}

std::string
NetworkText(const ns3::RdmaCounters& c)
{
    const uint64_t drops = c.bufferDrops + c.linkErrors + c.linkDownDrops + c.routeDrops;
    return CountText(drops) + " drops, " + CountText(c.pauses) + " pauses, " + CountText(c.marks) +
           " ECN marks, " + CountText(c.timeouts) + " time-outs" +
           (c.creditUpdates ? ", " + CountText(c.creditStops) + " stops for credits" : "");
}

std::string
SpeedText(const RunResult& result)
{
    const auto hops = static_cast<double>(result.counters.packetHops);
    const double run = result.runSeconds;
    std::string text =
        TimeText(run * 1e9) + " for " + CountText(result.counters.packetHops) + " packet-hops";
    text += hops > 0 ? ", " + FixedText(run * 1e9 / hops, 0) + " ns each" : "";
    return text + "; set-up " + TimeText(result.setupSeconds * 1e9) + "; " +
           CountText(result.peakMemoryKib / 1024) + " MiB";
}

std::string
OneQueueRow(const RunResult& result)
{
    return result.oneQueueBecause.empty() ? "" : TableRow("one queue", result.oneQueueBecause);
}

std::string
ThreadsRow(const nlohmann::ordered_json& threads)
{
    if (threads.is_null())
    {
        return "";
    }
    const std::string ran = std::to_string(threads["ran"].get<uint32_t>()) + " of " +
                            std::to_string(threads["asked"].get<uint32_t>()) + " ran";
    const auto& why = threads["one_because"];
    return TableRow("threads", ran + (why.is_null() ? "" : ": " + why.get<std::string>()));
}

std::string
TwinRow(const RunResult& result)
{
    return result.twinEvents > 0 && result.twinDifference.empty()
               ? TableRow("twin", CountText(result.twinEvents) + " events as in one queue")
               : "";
}

std::string
EventCostText(const RunResult& result)
{
    return TimeText(result.runSeconds * 1e9) + " for " + CountText(result.events) +
           " events; set-up " + TimeText(result.setupSeconds * 1e9) + "; " +
           CountText(result.peakMemoryKib / 1024) + " MiB";
}

std::string
FastRows(const nlohmann::ordered_json& fast)
{
    if (fast.is_null())
    {
        return "";
    }
    const auto count = [&](const char* part, const char* name) {
        return fast.value(part, nlohmann::ordered_json::object()).value(name, uint64_t{0});
    };
    const uint64_t suspended = count("events", "suspended");
    std::string rows = TableRow(
        "events",
        CountText(count("events", "run")) + " run, " + CountText(count("events", "skipped")) +
            " skipped, " + CountText(count("events", "replayed")) + " replayed" +
            (suspended ? "; " + CountText(suspended) + " run while suspended" : ""));
    rows += TableRow("episodes",
                     CountText(count("episodes", "found")) + " found, " +
                         CountText(count("episodes", "stored")) + " stored, " +
                         CountText(count("episodes", "inStore")) + " in the store");
    const auto audit = fast.value("audit", nlohmann::ordered_json::object());
    const uint64_t audited = count("audit", "audited");
    const std::string of = " of " + CountText(count("audit", "leftOut")) + " replays and skips";
    rows += TableRow("audited",
                     audited == 0
                         ? "none" + of
                         : CountText(audited) + of + ", mean error " +
                               FixedText(100 * audit.value("meanError", 0.0), 2) + " %, largest " +
                               FixedText(100 * audit.value("largestError", 0.0), 2) + " %, " +
                               CountText(count("audit", "thrownOut")) + " episodes thrown out");
    if (const auto drawn = fast.value("drawn", uint64_t{0}))
    {
        rows += TableRow("drawn",
                         BytesText(static_cast<double>(drawn)) +
                             " of flows that are alike: which of them got how much is by chance");
    }
    double whole = 0;
    const auto times = fast.value("flowTime", nlohmann::ordered_json::object());
    for (const auto& [state, seconds] : times.items())
    {
        whole += seconds.get<double>();
    }
    std::string shares;
    for (const auto& [state, seconds] : times.items())
    {
        shares += (shares.empty() ? "" : ", ") + state + " " +
                  FixedText(whole > 0 ? seconds.get<double>() / whole * 100 : 0, 1) + " %";
    }
    return rows + (shares.empty() ? "" : TableRow("flow time", shares));
}

std::string
BytesText(double bytes)
{
    constexpr double STEP = 1024;
    const char* unit = " B";
    for (const char* next : {" KiB", " MiB", " GiB", " TiB"})
    {
        if (bytes < STEP)
        {
            break;
        }
        bytes /= STEP;
        unit = next;
    }
    return FixedText(bytes, *(unit + 1) == 'B' ? 0 : bytes < 10 ? 2 : bytes < 100 ? 1 : 0) + unit;
}

std::string
CutText(const std::vector<CutFile>& cut)
{
    constexpr size_t MOST = 3; // captures may be many
    std::string text;
    for (size_t i = 0; i < cut.size() && i < MOST; ++i)
    {
        text += (i ? ", " : "") + cut[i].path + " lacks " +
                BytesText(static_cast<double>(cut[i].leftOut));
    }
    if (cut.size() > MOST)
    {
        text += " and " + CountText(cut.size() - MOST) + " more files something";
    }
    return text + " from where --output-limit was reached on; give a larger one to keep all";
}

std::string
WrittenRows(const std::vector<NamedFile>& files)
{
    std::string rows;
    constexpr size_t MOST = 10; // captures may be many
    std::vector<std::string> names;
    for (const NamedFile& file : files)
    {
        // of a record, the folder will do
        const std::string name =
            file.role == "--record" ? (std::filesystem::path(file.path).parent_path() / "").string()
                                    : file.path;
        if (names.empty() || names.back() != name)
        {
            names.push_back(name);
        }
    }
    for (size_t i = 0; i < names.size() && i < MOST; ++i)
    {
        rows += TableRow(i ? "" : "written", names[i]);
    }
    if (names.size() > MOST)
    {
        rows += TableRow("", "and " + CountText(names.size() - MOST) + " more");
    }
    return rows;
}

} // namespace wormhole
