/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_BENCH_H
#define WORMHOLE_BENCH_H

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <vector>

namespace wormhole::bench
{

/**
 * \brief One part of the program. A file NAME-bench.cc holds one, as an object of namespace scope.
 */
struct Section
{
    /** \param quick a tenth of the work, to try the program */
    using Run = nlohmann::ordered_json (*)(bool quick);

    /** \param name key in the JSON object that the program prints */
    Section(const char* name, Run run);

    const char* name;
    Run run;
};

/** \return seconds of wall time that \p work takes */
template <class Work>
double
Seconds(Work&& work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/** \return the median of \p values, which must not be empty */
inline double
Median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

} // namespace wormhole::bench

#endif // WORMHOLE_BENCH_H
