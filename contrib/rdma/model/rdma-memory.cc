/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-memory.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace ns3
{

void*
RdmaTakeBlock(size_t bytes)
{
    const size_t alignment = bytes < RDMA_HUGE_PAGE ? RDMA_CACHE_LINE : RDMA_HUGE_PAGE;
    const size_t size = (bytes + alignment - 1) / alignment * alignment;
    void* block = std::aligned_alloc(alignment, size);
    if (!block)
    {
        throw std::bad_alloc();
    }
#ifdef MADV_HUGEPAGE
    if (alignment == RDMA_HUGE_PAGE)
    {
        madvise(block, size, MADV_HUGEPAGE); // advice: refused, it costs time only
    }
#endif
    return block;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define RDMA_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define RDMA_SANITIZED
#endif
#endif

#ifdef RDMA_SANITIZED

void*
RdmaPooled::operator new(size_t bytes)
{
    return RdmaTakeBlock(bytes);
}

void
RdmaPooled::operator delete(void* memory, size_t) noexcept
{
    std::free(memory);
}

#else

namespace
{

/** The memory of all RdmaPooled. */
struct ObjectMemory
{
    /** What is free; stands in the memory itself. */
    struct Free
    {
        Free* next;
    };

    static size_t Round(size_t bytes)
    {
        return (bytes + RDMA_CACHE_LINE - 1) / RDMA_CACHE_LINE * RDMA_CACHE_LINE;
    }

    void* Take(size_t size)
    {
        Free*& free = freeOf[size];
        if (free)
        {
            Free* const taken = free;
            free = taken->next;
            return taken;
        }
        if (static_cast<size_t>(end - at) < size)
        {
            block = std::max(std::min(2 * block, RDMA_HUGE_PAGE), size);
            at = static_cast<char*>(RdmaTakeBlock(block));
            end = at + block;
        }
        at += size;
        return at - size;
    }

    void Give(void* memory, size_t size)
    {
        Free*& free = freeOf[size];
        free = new (memory) Free{free};
    }

    std::mutex mutex;
    std::map<size_t, Free*> freeOf; //!< by size: there are some ten
    size_t block{size_t{32} << 10}; //!< bytes of the last one; small networks need no large ones
    char* at{nullptr};              //!< from here to the end, the last block is unused
    char* end{nullptr};
};

ObjectMemory&
Objects()
{
    static auto* const memory = new ObjectMemory; // outlives all objects
    return *memory;
}

} // namespace

void*
RdmaPooled::operator new(size_t bytes)
{
    ObjectMemory& objects = Objects();
    const std::lock_guard<std::mutex> lock(objects.mutex);
    return objects.Take(ObjectMemory::Round(bytes));
}

void
RdmaPooled::operator delete(void* memory, size_t bytes) noexcept
{
    ObjectMemory& objects = Objects();
    const std::lock_guard<std::mutex> lock(objects.mutex);
    objects.Give(memory, ObjectMemory::Round(bytes));
}

#endif

} // namespace ns3
