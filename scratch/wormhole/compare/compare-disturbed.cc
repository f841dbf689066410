/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "compare-disturbed.h"

#include "compare-errors.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace wormhole
{

namespace
{

constexpr double ALWAYS_WITHIN = 0.01; // a share that nobody needs to explain
constexpr double MOST_OF_CHAOS = 1.25; // of packet level's own error of single flows

double
MeanOf(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) /
           static_cast<double>(std::max<size_t>(values.size(), 1));
}

uint64_t
MostOf(const std::vector<uint64_t>& values)
{
    return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

/** Adds a run's statistics to those of others. A kind of flow that only some runs have is missing
 * in the others. */
void
AddStatistics(const CompareOutcome& outcome,
              CompareDisturbed& disturbed,
              std::vector<std::vector<double>>& values)
{
    for (const CompareStatistic& statistic : StatisticsOf(outcome))
    {
        std::vector<CompareStatistic>& names = disturbed.names;
        const auto found = std::find_if(names.begin(), names.end(), [&](const auto& known) {
            return known.name == statistic.name && known.of == statistic.of;
        });
        const auto index = static_cast<size_t>(found - names.begin());
        if (found == names.end())
        {
            names.push_back(statistic);
            disturbed.packet.emplace_back();
            disturbed.fast.emplace_back();
        }
        values[index].push_back(statistic.ns);
    }
}

JudgedStatistic
Judge(const CompareStatistic& name,
      size_t pairs,
      const std::vector<double>& packet,
      const std::vector<double>& fast)
{
    JudgedStatistic judged{name, MeanOf(fast), {}, packet.size() == fast.size()};
    judged.statistic.ns = MeanOf(packet);
    if (packet.size() < pairs || fast.size() < pairs)
    {
        return judged;
    }
    const double unit = std::max(judged.statistic.ns, 1.0); // shares of less than 1 ns say nothing
    MeanDifference bias = WelchDifference(packet, fast);
    bias = {bias.difference / unit, bias.low / unit, bias.high / unit};
    judged.bias = bias;
    judged.within = std::abs(bias.difference) <= ALWAYS_WITHIN || (bias.low <= 0 && bias.high >= 0);
    return judged;
}

} // namespace

void
AddDisturbed(CompareOutcome packet, const CompareOutcome& fast, CompareDisturbed& disturbed)
{
    const nlohmann::ordered_json moved =
        packet.summary.value("disturbed", nlohmann::ordered_json::object());
    disturbed.moved.push_back(moved.value("moved", "nothing"));
    const CompareErrors errors = FindErrors(packet, fast);
    disturbed.fastErrors.push_back(errors.fct.mean);
    disturbed.fastUnmatched.push_back(errors.unmatched);
    for (const CompareOutcome& other : disturbed.packets)
    {
        const CompareErrors own = FindErrors(other, packet);
        disturbed.ownErrors.push_back(own.fct.mean);
        disturbed.ownUnmatched.push_back(own.unmatched);
    }
    AddStatistics(packet, disturbed, disturbed.packet);
    AddStatistics(fast, disturbed, disturbed.fast);
    CompareOutcome flows;
    flows.flows = std::move(packet.flows);
    disturbed.packets.push_back(std::move(flows));
}

std::optional<DisturbedVerdict>
JudgeDisturbed(const CompareDisturbed& disturbed)
{
    const size_t pairs = disturbed.packets.size();
    if (pairs < 2)
    {
        return {};
    }
    DisturbedVerdict verdict;
    verdict.fastError = MeanOf(disturbed.fastErrors);
    verdict.ownError = MeanOf(disturbed.ownErrors);
    verdict.errorWithin =
        verdict.fastError <= std::max(ALWAYS_WITHIN, MOST_OF_CHAOS * verdict.ownError);
    if (!verdict.errorWithin)
    {
        verdict.beyond.emplace_back("error of single flows");
    }
    verdict.fastUnmatched = MostOf(disturbed.fastUnmatched);
    verdict.ownUnmatched = MostOf(disturbed.ownUnmatched);
    if (verdict.fastUnmatched > verdict.ownUnmatched)
    {
        verdict.beyond.emplace_back("flows that were completed");
    }
    for (size_t i = 0; i < disturbed.names.size(); ++i)
    {
        const CompareStatistic& name = disturbed.names[i];
        verdict.statistics.push_back(Judge(name, pairs, disturbed.packet[i], disturbed.fast[i]));
        if (!verdict.statistics.back().within)
        {
            verdict.beyond.push_back(name.name + " of " + name.of);
        }
    }
    return verdict;
}

} // namespace wormhole
