/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_FAST_RANDOM_H
#define HARNESS_FAST_RANDOM_H

#include <cstdint>

namespace harness
{

/**
 * Expects fast-forward to do as packet level does in the scenarios drawn from \p first and the
 * \p count - 1 seeds after it: the same flows complete, with all their bytes, in as much time,
 * within the bound of Theorem 2 of the paper for theta = 5 %.
 *
 * Some scenarios are chaotic: packet level itself is farther off if starts move by some
 * nanoseconds. Then that is the bound. Where it fails, the smallest scenario that does so too is
 * told.
 */
void ExpectAsPacketLevel(uint64_t first, uint64_t count);

} // namespace harness

#endif // HARNESS_FAST_RANDOM_H
