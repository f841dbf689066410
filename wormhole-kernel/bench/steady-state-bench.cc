/*
 * SPDX-License-Identifier: MIT
 */
#include "bench.h"
#include "wormhole/steady-state.h"

#include <cmath>
#include <cstdint>

namespace wormhole::bench
{
namespace
{

/** One kind of series: eight detectors in turn, so that not all is in the nearest cache. */
struct Kind
{
    const char* name;
    double (*at)(std::uint32_t sample);
};

const Kind KINDS[] = {
    {"constant", [](std::uint32_t) { return 1e9; }},
    {"noisy1Percent",
     [](std::uint32_t i) {
         return 1e9 * (1 + 0.01 * ((i * 2654435761U >> 16) % 1000 / 1000.0 - 0.5));
     }},
    {"sawtooth20Samples", [](std::uint32_t i) { return 1e9 * (1 + i % 20 / 20.0); }},
    {"sine200Samples", [](std::uint32_t i) { return 1e9 * (1 + 0.3 * std::sin(i * M_PI / 100)); }},
};

constexpr std::uint32_t TABLE = 4000; //!< samples; a multiple of the periods

nlohmann::ordered_json
Run(bool quick)
{
    const std::uint32_t rounds = quick ? 20 : 200;
    nlohmann::ordered_json report;
    std::vector<double> table(TABLE);
    for (const Kind& kind : KINDS)
    {
        for (std::uint32_t i = 0; i < TABLE; ++i)
        {
            table[i] = kind.at(i);
        }
        std::vector<SteadyStateDetector> detectors(8);
        const std::size_t fresh = detectors[0].MemoryBytes();
        std::vector<double> add;
        std::vector<double> both;
        std::uint64_t steady = 0;
        for (std::uint32_t round = 0; round < rounds; ++round)
        {
            SteadyStateDetector& detector = detectors[round % 8];
            add.push_back(Seconds([&] {
                for (const double rate : table)
                {
                    detector.Add(Rate::BytesPerSecond(rate), 10000);
                }
            }));
            both.push_back(Seconds([&] {
                for (const double rate : table)
                {
                    detector.Add(Rate::BytesPerSecond(rate), 10000);
                    steady += detector.Judge().IsSteady() ? 1 : 0;
                }
            }));
        }
        const double addNs = Median(add) / TABLE * 1e9;
        report[kind.name] = {{"addNs", addNs},
                             {"judgeNs", Median(both) / TABLE * 1e9 - addNs},
                             {"steadyShare", static_cast<double>(steady) / TABLE / rounds},
                             {"bytesFresh", fresh},
                             {"bytesAfter", detectors[0].MemoryBytes()}};
    }
    return report;
}

const Section SECTION{"steadyState", Run};

} // namespace
} // namespace wormhole::bench
