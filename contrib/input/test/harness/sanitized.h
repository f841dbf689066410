/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_SANITIZED_H
#define HARNESS_SANITIZED_H

#include <cstdint>

namespace harness
{

/** \return whether sanitizers are on, which need terabytes of address space and ten times as long
 */
constexpr bool
IsSanitized()
{
#ifdef WORMHOLE_SANITIZED
    return true;
#else
    return false;
#endif
}

/** \return how many of \p all repetitions a test has time for */
constexpr uint32_t
Repetitions(uint32_t all)
{
    return IsSanitized() ? all / 8 : all;
}

} // namespace harness

#endif // HARNESS_SANITIZED_H
