/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_ALLOCATIONS_H
#define HARNESS_ALLOCATIONS_H

#include <cstdint>

namespace harness
{

// A program that uses these counts every operator new in it and in the libraries that it loads.

/** Begins to count, from 0. */
void StartCountingAllocations();

/** Stops to count. */
void StopCountingAllocations();

/** \return allocations between start and stop */
uint64_t CountedAllocations();

} // namespace harness

#endif // HARNESS_ALLOCATIONS_H
