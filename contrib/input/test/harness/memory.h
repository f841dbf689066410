/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_MEMORY_H
#define HARNESS_MEMORY_H

#include <cstdint>

namespace harness
{

/** \return the most memory (resident set, KiB) that this process has had so far; 0 if unknown */
uint64_t PeakMemoryKib();

/** \return the memory (resident set, KiB) that this process has now; 0 if unknown */
uint64_t MemoryKib();

} // namespace harness

#endif // HARNESS_MEMORY_H
