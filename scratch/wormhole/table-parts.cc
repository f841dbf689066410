/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "table-parts.h"

#include "units-text.h"

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
           " ECN marks, " + CountText(c.timeouts) + " time-outs";
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
WrittenRows(const std::vector<NamedFile>& files)
{
    std::string rows;
    constexpr size_t MOST = 10; // captures may be many
    for (size_t i = 0; i < files.size() && i < MOST; ++i)
    {
        rows += TableRow(i ? "" : "written", files[i].path);
    }
    if (files.size() > MOST)
    {
        rows += TableRow("", "and " + CountText(files.size() - MOST) + " more");
    }
    return rows;
}

} // namespace wormhole
