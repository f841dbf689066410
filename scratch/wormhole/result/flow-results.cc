/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flow-results.h"

#include "statistics.h"
#include "table-parts.h"
#include "terminal/units-text.h"

#include <algorithm>

namespace wormhole
{

using Json = nlohmann::ordered_json;

namespace
{

Json
FlowsPart(const FlowResults& results)
{
    Json list = Json::array();
    uint64_t failed = 0;
    for (const UnfinishedFlow& flow : results.unfinished)
    {
        failed += flow.failed;
        list.push_back({{"src", flow.src},
                        {"dst", flow.dst},
                        {"bytes", flow.bytes},
                        {"start_s", flow.startSeconds},
                        {"state", flow.failed ? "failed" : "unfinished"},
                        {"reason", flow.reason}});
    }
    return {{"count", results.count},
            {"completed", results.fctNs.size()},
            {"failed", failed},
            {"unfinished", results.unfinished.size() - failed},
            {"not_completed", list}};
}

template <typename T>
Json
StatisticsPart(const std::vector<T>& values)
{
    if (values.empty())
    {
        return {{"mean", {}}, {"p50", {}}, {"p99", {}}, {"max", {}}};
    }
    const Statistics s = Describe(values);
    return {{"mean", s.mean}, {"p50", s.p50}, {"p99", s.p99}, {"max", s.max}};
}

std::string
CountsText(const FlowResults& results, bool interrupted)
{
    std::string text =
        CountText(results.fctNs.size()) + " of " + CountText(results.count) + " completed";
    text += results.lastEndNs > 0
                ? ", the last ended at " + TimeText(static_cast<double>(results.lastEndNs))
                : "";
    return text + (interrupted ? "; interrupted" : "");
}

/** \param text of a value */
template <typename Text>
std::string
StatisticsText(const Statistics& s, Text text)
{
    return "mean " + text(s.mean) + ", p50 " + text(s.p50) + ", p99 " + text(s.p99) + ", max " +
           text(s.max);
}

} // namespace

Json
FlowsSummary(const FlowResults& results)
{
    return {{"last_end_ns", results.lastEndNs},
            {"flows", FlowsPart(results)},
            {"fct_ns", StatisticsPart(results.fctNs)},
            {"slowdown", StatisticsPart(results.slowdowns)}};
}

std::string
FlowsTable(const FlowResults& results, bool interrupted)
{
    std::string table = TableRow("flows", CountsText(results, interrupted));
    if (!results.fctNs.empty())
    {
        table += TableRow("FCT", StatisticsText(Describe(results.fctNs), TimeText));
    }
    if (!results.slowdowns.empty())
    {
        table += TableRow("slowdown", StatisticsText(Describe(results.slowdowns), [](double value) {
                              return FixedText(value, 2);
                          }));
    }
    return table;
}

std::vector<std::string>
UnfinishedLines(const FlowResults& results)
{
    constexpr size_t MOST = 20;
    std::vector<std::string> lines;
    for (size_t i = 0; i < std::min(results.unfinished.size(), MOST); ++i)
    {
        const UnfinishedFlow& flow = results.unfinished[i];
        lines.push_back("flow from " + std::to_string(flow.src) + " to " +
                        std::to_string(flow.dst) + ", " + std::to_string(flow.bytes) +
                        " bytes, start " + TimeText(flow.startSeconds * 1e9) + ": " + flow.reason);
    }
    if (results.unfinished.size() > MOST)
    {
        lines.push_back("and " + std::to_string(results.unfinished.size() - MOST) +
                        " more; the summary lists all");
    }
    return lines;
}

} // namespace wormhole
