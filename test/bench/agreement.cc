/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Compares completion times with the public HPCC simulator's, for every case of test/data/hpcc and
// every congestion control, and DCQCN over several seeds.
//
//   bench-agreement [seeds = 10]
//
// Prints one JSON object; errors are fractions of the expected completion time.

#include "harness/hpcc_case.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <numeric>

using namespace harness;
using nlohmann::json;

namespace
{

/** \return how one run compares, flow by flow */
json
Compare(const std::string& name, const std::string& control)
{
    const std::vector<FlowResult> expected = ExpectedFlows(name, control);
    const RunResult run = RunHpccCase(name, control);
    const std::vector<FlowResult> flows = Sorted(run.flows);
    uint64_t exact = 0;
    double sum = 0;
    double worst = flows.size() == expected.size() ? 0 : 1;
    double expectedSum = 0;
    for (size_t i = 0; i < std::min(flows.size(), expected.size()); ++i)
    {
        const auto fct = static_cast<double>(expected[i].fct);
        const double error = std::abs(static_cast<double>(flows[i].fct) - fct) / fct;
        exact += flows[i] == expected[i];
        sum += error;
        worst = std::max(worst, error);
        expectedSum += fct;
    }
    const auto count = static_cast<double>(expected.size());
    return {{"case", name},
            {"control", control},
            {"flows", expected.size()},
            {"exact_flows", exact},
            {"mean_error", sum / count},
            {"worst_error", worst},
            {"mean_fct_ns", run.GetMeanFct()},
            {"expected_mean_fct_ns", expectedSum / count},
            {"pauses", run.pauses},
            {"buffer_drops", run.bufferDrops}};
}

/** \return number, mean, standard deviation and range */
json
Describe(const std::vector<double>& values)
{
    const auto count = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    double squares = 0;
    for (double v : values)
    {
        squares += (v - mean) * (v - mean);
    }
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    return {{"seeds", values.size()},
            {"mean_fct_ns", mean},
            {"deviation_ns", values.size() > 1 ? std::sqrt(squares / (count - 1)) : 0},
            {"least_ns", *least},
            {"greatest_ns", *greatest}};
}

/** \return how DCQCN's mean completion times compare with those of other seeds */
json
CompareSeeds(const std::string& name, uint64_t seeds)
{
    const std::vector<double> theirs = DcqcnSeedMeans(name);
    std::vector<double> ours;
    uint64_t near = 0;
    const auto [least, greatest] = std::minmax_element(theirs.begin(), theirs.end());
    for (uint64_t seed = 1; seed <= seeds; ++seed)
    {
        RunOptions options;
        options.seed = seed;
        ours.push_back(RunHpccCase(name, "dcqcn", options).GetMeanFct());
        near += ours.back() >= *least * 0.99 && ours.back() <= *greatest * 1.01;
    }
    const json described = Describe(ours);
    const double mean = described.at("mean_fct_ns");
    return {{"case", name},
            {"ours", described},
            {"reference", Describe(theirs)},
            {"seeds_within_1_percent_of_range", near},
            {"mean_outside_range", std::max({0.0, *least / mean - 1, mean / *greatest - 1})}};
}

} // namespace

int
main(int argc, char** argv)
{
    const uint64_t seeds = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10;
    json result{{"flows", json::array()}, {"dcqcn_seeds", json::array()}};
    for (const std::string& name : HpccCases())
    {
        for (const std::string& control : HpccControls())
        {
            result["flows"].push_back(Compare(name, control));
        }
        if (!DcqcnSeedMeans(name).empty())
        {
            result["dcqcn_seeds"].push_back(CompareSeeds(name, seeds));
        }
    }
    std::cout << result.dump(1) << "\n";
    return 0;
}
