/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "huge-pages.h"

#include "ns3/rdma-memory.h"

#if defined(__linux__) && __has_include(<mimalloc.h>)
#include <cstdint>
#include <fstream>
#include <mimalloc.h>
#include <sstream>
#include <string>
#include <sys/mman.h>

extern "C" decltype(mi_option_set) mi_option_set __attribute__((weak)); // null: not linked
#endif

namespace wormhole
{

#if defined(__linux__) && __has_include(<mimalloc.h>)

namespace
{

using ns3::RDMA_HUGE_PAGE;

constexpr int COLLAPSE = 25; // MADV_COLLAPSE, which glibc 2.36 does not name

/** Advice: refused, it costs time only. */
void
Advise(std::uintptr_t begin, std::uintptr_t end)
{
    const auto advise = [](std::uintptr_t at, std::uintptr_t bytes, int advice) {
        return madvise(reinterpret_cast<void*>(at), bytes, advice) == 0;
    };
    advise(begin, end - begin, MADV_HUGEPAGE);
    // what is in use already becomes a huge page, too; behind it, there is nothing yet
    while (begin + RDMA_HUGE_PAGE <= end && advise(begin, RDMA_HUGE_PAGE, COLLAPSE))
    {
        begin += RDMA_HUGE_PAGE;
    }
}

} // namespace

void
UseHugePages()
{
    if (!mi_option_set)
    {
        return; // sanitizers have an allocator of their own
    }
    // What is free is touched again before long, and giving a part of a huge page back makes small
    // ones of it. A delay holds for memory that was taken before, too, which
    // mi_option_allow_decommit does not.
    constexpr long NEVER_MS = 1000L * 3600 * 24 * 365;
    mi_option_set(mi_option_decommit_delay, NEVER_MS);
    // What was taken before main began, as proc(5) lists it: begin-end mode offset device inode
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);)
    {
        std::istringstream words(line);
        std::uintptr_t begin = 0;
        std::uintptr_t end = 0;
        char dash = 0;
        std::string rest;
        std::getline(words >> std::hex >> begin >> dash >> end, rest);
        if (rest == " rw-p 00000000 00:00 0 " && begin % RDMA_HUGE_PAGE == 0 &&
            end - begin >= RDMA_HUGE_PAGE)
        {
            Advise(begin, end);
        }
    }
}

#else

void
UseHugePages()
{
}

#endif

} // namespace wormhole
