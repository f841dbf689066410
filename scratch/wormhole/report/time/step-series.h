/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_REPORT_STEP_SERIES_H
#define WORMHOLE_CLI_REPORT_STEP_SERIES_H

#include <cstddef>
#include <vector>

namespace wormhole
{

/** A quantity that holds from each time until the next. */
struct StepSeries
{
    std::vector<double> times; ///< ns, ascending
    std::vector<double> values;

    /** A value from a time on; what was said of the same time before is forgotten, and a value that
     * holds already is not repeated. */
    void Set(double time, double value);

    /**
     * Keeps so many points at most. The time is divided evenly, and of each part the least, the
     * greatest and the last value stay: peaks are not lost.
     * \param most at least 3
     */
    void Thin(size_t most);
};

} // namespace wormhole

#endif // WORMHOLE_CLI_REPORT_STEP_SERIES_H
