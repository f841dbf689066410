/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "huge-pages.h"

#include "ns3/rdma-memory.h"

#if defined(__linux__) && __has_include(<mimalloc.h>)
#include <cstdint>
#include <cstdlib>
#include <mimalloc.h>
#include <sys/mman.h>

extern "C" decltype(mi_option_set) mi_option_set __attribute__((weak)); // null: not linked
#endif

namespace wormhole
{

#if defined(__linux__) && __has_include(<mimalloc.h>)

void
UseHugePages()
{
    constexpr std::uintptr_t SEGMENT = 1UL << 25; // of mimalloc 2, which takes memory by these
    constexpr int COLLAPSE = 25;                  // MADV_COLLAPSE, which glibc 2.36 does not name
    constexpr long NEVER_MS = 1000L * 3600 * 24 * 365;
    if (!mi_option_set)
    {
        return; // sanitizers have an allocator of their own
    }
    // What is free is touched again before long, and giving a part of a huge page back makes small
    // ones of it.
    mi_option_set(mi_option_decommit_delay, NEVER_MS);
    void* const any = std::malloc(1);
    const auto begin = reinterpret_cast<std::uintptr_t>(any) / SEGMENT * SEGMENT;
    std::free(any);
    // Advice: refused, it costs time only.
    madvise(reinterpret_cast<void*>(begin), SEGMENT, MADV_HUGEPAGE);
    // What is in use already becomes a huge page, too.
    madvise(reinterpret_cast<void*>(begin), ns3::RDMA_HUGE_PAGE, COLLAPSE);
}

#else

void
UseHugePages()
{
}

#endif

} // namespace wormhole
