/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep-queues.h"

#include "report/csv-reader.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

namespace wormhole
{

std::vector<SweepQueueStretch>
ReadSweepQueues(const std::string& path, double endNs)
{
    CsvReader csv(path, {"time_ns", "node", "port", "peer", "bytes"});
    std::vector<SweepQueueStretch> stretches;
    const auto endAt = [&stretches](double ns) {
        if (!stretches.empty())
        {
            stretches.back().endNs = ns;
        }
    };
    std::pair<uint64_t, uint64_t> port;
    while (csv.Next())
    {
        const std::pair<uint64_t, uint64_t> next{csv.Integer(1), csv.Integer(2)};
        endAt(next == port ? csv.Number(0) : endNs);
        port = next;
        stretches.push_back({csv.Number(0), endNs, csv.Number(4)});
    }
    stretches.erase(std::remove_if(stretches.begin(),
                                   stretches.end(),
                                   [](const auto& s) { return s.endNs <= s.beginNs; }),
                    stretches.end());
    return stretches;
}

std::map<std::string, double>
SweepQueuePercentiles(std::vector<SweepQueueStretch> stretches)
{
    std::sort(stretches.begin(), stretches.end(), [](const auto& a, const auto& b) {
        return a.bytes < b.bytes;
    });
    const auto addLength = [](double sum, const SweepQueueStretch& s) {
        return sum + s.endNs - s.beginNs;
    };
    const double total = std::accumulate(stretches.begin(), stretches.end(), 0.0, addLength);
    std::map<std::string, double> percentiles;
    for (const int percent : {50, 95, 99})
    {
        double before = 0;
        const auto at = std::find_if(stretches.begin(), stretches.end(), [&](const auto& s) {
            before = addLength(before, s);
            return before >= total * percent / 100;
        });
        if (!stretches.empty())
        {
            percentiles["queue_bytes_p" + std::to_string(percent)] =
                at == stretches.end() ? stretches.back().bytes : at->bytes;
        }
    }
    return percentiles;
}

} // namespace wormhole
