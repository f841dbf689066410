/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_TEST_STEADY_OUTCOME_H
#define WORMHOLE_TEST_STEADY_OUTCOME_H

#include "steady/rate-series.h"
#include "wormhole/steady-state.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

namespace wormhole::test
{

inline constexpr std::size_t NEVER = std::numeric_limits<std::size_t>::max();

/** What came of a series when it was judged after each sample. */
struct Outcome
{
    std::size_t firstSteady{NEVER}; //!< samples added by then
    std::size_t steady{0};          //!< verdicts
    std::size_t skips{0};           //!< that were checked
    std::size_t violations{0};      //!< of Theorem 2 among them
    double worst{0};                //!< relative error among them
    std::string where;              //!< of the worst

    void Add(const Outcome& other)
    {
        steady += other.steady;
        skips += other.skips;
        violations += other.violations;
        if (other.worst > worst)
        {
            worst = other.worst;
            where = other.where;
        }
    }
};

/** Judges \p series after each sample from the \p from th on, and compares the rate of each verdict
 *  with the mean of what follows. */
Outcome Examine(const RateSeries& series,
                const SteadyStateOptions& options = {},
                std::size_t from = 0,
                const std::vector<Bytes>& queues = {});

/** Examines \p runs series that \p draw makes, and expects no violation. It draws one number a
 * statement: compilers evaluate arguments in different orders. */
template <class Draw>
Outcome
ExpectBound(int runs, Draw&& draw)
{
    Draws draws(3);
    Outcome all;
    for (int run = 0; run < runs; ++run)
    {
        all.Add(Examine(draw(draws)));
    }
    EXPECT_EQ(all.violations, 0U) << "worst error " << all.worst << ": " << all.where;
    EXPECT_GT(all.skips, 0U);
    return all;
}

/** \return the verdict after all of \p series, with the queue always \p queue */
SteadyVerdict VerdictOf(const RateSeries& series,
                        const SteadyStateOptions& options = {},
                        Bytes queue = 0);

/** \return a times b, sample by sample */
RateSeries Product(RateSeries a, const RateSeries& b);

} // namespace wormhole::test

#endif // WORMHOLE_TEST_STEADY_OUTCOME_H
