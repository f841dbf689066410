/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "goal-statistics.h"

#include "terminal/units-text.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace wormhole
{

using json = nlohmann::ordered_json;

namespace
{

json
SpreadJson(const ns3::WorkloadSpread& spread, uint32_t ranks)
{
    return {{"min", ranks ? spread.min : 0},
            {"mean", ranks ? static_cast<double>(spread.sum) / ranks : 0.0},
            {"max", spread.max},
            {"rank_of_max", spread.maxRank},
            {"sum", spread.sum}};
}

/** \return the messages by powers of two: 0, 1, 2 to 3, 4 to 7, ... */
json
HistogramJson(const ns3::WorkloadStatistics& s)
{
    json rows = json::array();
    uint64_t to = 0;
    for (auto size = s.sizes.begin(); size != s.sizes.end();)
    {
        while (size->first > to)
        {
            to = 2 * to + 1;
        }
        uint64_t messages = 0;
        double bytes = 0;
        for (; size != s.sizes.end() && size->first <= to; ++size)
        {
            messages += size->second;
            bytes += static_cast<double>(size->first) * static_cast<double>(size->second);
        }
        rows.push_back({{"from", to == 0 ? 0 : to / 2 + 1},
                        {"to", to},
                        {"messages", messages},
                        {"bytes", bytes}});
    }
    return rows;
}

json
MessagesJson(const ns3::WorkloadStatistics& s)
{
    json messages{{"distinct", s.sizes.size()}};
    messages["mean"] =
        s.sends ? static_cast<double>(s.bytesSent.sum) / static_cast<double>(s.sends) : 0.0;
    messages["min"] = s.GetSizePercentile(0);
    messages["p50"] = s.GetSizePercentile(0.5);
    messages["p90"] = s.GetSizePercentile(0.9);
    messages["p99"] = s.GetSizePercentile(0.99);
    messages["max"] = s.GetSizePercentile(1);
    messages["histogram"] = HistogramJson(s);
    return messages;
}

std::string
SpreadText(const json& spread)
{
    std::ostringstream text;
    text << CountText(spread["min"]) << " to " << CountText(spread["max"]) << " (rank "
         << spread["rank_of_max"] << "), mean " << FixedText(spread["mean"], 1);
    return text.str();
}

} // namespace

json
GoalStatisticsJson(const std::string& file, const ns3::WorkloadStatistics& s)
{
    const uint64_t operations = s.sends + s.receives + s.calcs;
    json result{{"file", file}, {"ranks", s.ranks}};
    result["operations"] = {{"total", operations},
                            {"send", s.sends},
                            {"recv", s.receives},
                            {"calc", s.calcs}};
    result["dependencies"] = {{"total", s.onCompletion + s.onStart},
                              {"requires", s.onCompletion},
                              {"irequires", s.onStart}};
    result["message_bytes"] = MessagesJson(s);
    result["tags"] = {{"distinct", s.tags.size()},
                      {"min", s.tags.empty() ? 0 : s.lowestTag},
                      {"max", s.highestTag},
                      {"any_tag", s.anyTag},
                      {"any_source", s.anySource}};
    result["cpus"] = std::count(s.cpus.begin(), s.cpus.end(), true);
    result["nics"] = std::count(s.nics.begin(), s.nics.end(), true);
    result["per_rank"] = {{"operations", SpreadJson(s.operations, s.ranks)},
                          {"bytes_sent", SpreadJson(s.bytesSent, s.ranks)},
                          {"bytes_received", SpreadJson(s.bytesReceived, s.ranks)},
                          {"calc_ns", SpreadJson(s.calcNs, s.ranks)}};
    result["finish_ns_at_least"] = s.leastNs.max;
    result["memory_bytes"] = s.memory;
    result["memory_bytes_per_operation"] =
        operations ? static_cast<double>(s.memory) / static_cast<double>(operations) : 0.0;
    return result;
}

std::string
GoalStatisticsText(const json& s)
{
    std::ostringstream text;
    const auto row = [&text](const std::string& name) -> std::ostream& {
        return text << std::left << std::setw(20) << name;
    };
    const json& operations = s["operations"];
    const json& messages = s["message_bytes"];
    const json& ranks = s["per_rank"];
    const json& tags = s["tags"];
    row("ranks") << CountText(s["ranks"]) << "\n";
    row("operations") << CountText(operations["total"]) << ": " << CountText(operations["send"])
                      << " send, " << CountText(operations["recv"]) << " recv, "
                      << CountText(operations["calc"]) << " calc\n";
    row("dependencies") << CountText(s["dependencies"]["requires"]) << " requires, "
                        << CountText(s["dependencies"]["irequires"]) << " irequires\n";
    row("bytes sent") << CountText(ranks["bytes_sent"]["sum"]) << "\n";
    row("tags") << CountText(tags["distinct"]) << ", " << tags["min"] << " to " << tags["max"]
                << "; any tag " << CountText(tags["any_tag"]) << ", any source "
                << CountText(tags["any_source"]) << "\n";
    row("streams (cpu)") << s["cpus"] << "\n";
    row("interfaces (nic)") << s["nics"] << "\n";
    row("per rank") << "operations     " << SpreadText(ranks["operations"]) << "\n";
    row("") << "bytes sent     " << SpreadText(ranks["bytes_sent"]) << "\n";
    row("") << "bytes received " << SpreadText(ranks["bytes_received"]) << "\n";
    row("") << "calc, ns       " << SpreadText(ranks["calc_ns"]) << "\n";
    row("finish") << "no earlier than " << TimeText(s["finish_ns_at_least"])
                  << ", computations alone\n";
    row("in memory") << CountText(s["memory_bytes"]) << " bytes, "
                     << FixedText(s["memory_bytes_per_operation"], 1) << " per operation\n";
    row("message, bytes") << CountText(messages["min"]) << " to " << CountText(messages["max"])
                          << ", mean " << FixedText(messages["mean"], 1) << ", median "
                          << CountText(messages["p50"]) << ", p90 " << CountText(messages["p90"])
                          << ", p99 " << CountText(messages["p99"]) << "\n";
    for (const json& bin : messages["histogram"])
    {
        const std::string range = CountText(bin["from"]) + " to " + CountText(bin["to"]);
        row("") << std::left << std::setw(40) << range << CountText(bin["messages"]) << "\n";
    }
    return text.str();
}

} // namespace wormhole
