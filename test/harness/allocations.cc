/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "allocations.h"

#include <cstdlib>
#include <new>

namespace
{
bool g_counting = false;
uint64_t g_count = 0;
} // namespace

namespace harness
{

void
StartCountingAllocations()
{
    g_count = 0;
    g_counting = true;
}

void
StopCountingAllocations()
{
    g_counting = false;
}

uint64_t
CountedAllocations()
{
    return g_count;
}

} // namespace harness

void*
operator new(size_t size)
{
    g_count += g_counting;
    if (void* memory = std::malloc(size ? size : 1))
    {
        return memory;
    }
    throw std::bad_alloc();
}

void*
operator new(size_t size, const std::nothrow_t&) noexcept
{
    g_count += g_counting;
    return std::malloc(size ? size : 1);
}

void*
operator new[](size_t size)
{
    return operator new(size);
}

void
operator delete(void* memory) noexcept
{
    std::free(memory);
}

void
operator delete[](void* memory) noexcept
{
    std::free(memory);
}

void
operator delete(void* memory, size_t) noexcept
{
    std::free(memory);
}

void
operator delete[](void* memory, size_t) noexcept
{
    std::free(memory);
}
