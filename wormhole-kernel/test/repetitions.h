/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_TEST_REPETITIONS_H
#define WORMHOLE_TEST_REPETITIONS_H

#include <cstdint>

namespace wormhole::test
{

/** \return how many of \p all repetitions a test has time for: with sanitizers each takes ten times
 * as long */
constexpr std::uint64_t
Repetitions(std::uint64_t all)
{
#ifdef WORMHOLE_SANITIZED
    return all / 8;
#else
    return all;
#endif
}

} // namespace wormhole::test

#endif // WORMHOLE_TEST_REPETITIONS_H
