/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_MEMORY_H
#define RDMA_MEMORY_H

#include <cstddef>
#include <cstdint>

namespace ns3
{

constexpr size_t RDMA_CACHE_LINE = 64;             ///< bytes
constexpr size_t RDMA_HUGE_PAGE = size_t{2} << 20; ///< bytes

/** \ingroup rdma Lets the cache line of \p memory, if any, and the \p more behind it, be fetched.
 */
inline void
RdmaFetch(const void* memory, uint32_t more = 0)
{
    for (uint32_t line = 0; memory && line <= more; ++line)
    {
        __builtin_prefetch(static_cast<const char*>(memory) + line * RDMA_CACHE_LINE);
    }
}

/**
 * \ingroup rdma
 * \param bytes more than 0
 * \return memory that begins with a cache line, on huge pages if it fills any and the platform has
 * them: a network of thousands of hosts spreads over more small pages than a processor keeps
 * addresses of. For std::free
 */
void* RdmaTakeBlock(size_t bytes);

/**
 * \ingroup rdma
 * \brief Base of objects of which a large network has many: ports, queue pairs, controls.
 *
 * They are cut from large blocks, in the order of their making, each from a cache line on; the
 * memory of one that went is for the next of its size, and is never given back. Sanitizers see
 * ordinary allocations. Any thread may make and destroy them.
 */
struct RdmaPooled
{
    static void* operator new(size_t bytes);
    static void operator delete(void* memory, size_t bytes) noexcept;
};

/** \ingroup rdma Memory of containers, as that of RdmaPooled. */
template <typename T>
struct RdmaPooledAllocator
{
    using value_type = T;

    RdmaPooledAllocator() = default;

    template <typename U>
    RdmaPooledAllocator(const RdmaPooledAllocator<U>&) // NOLINT(google-explicit-constructor)
    {
    }

    T* allocate(size_t count)
    {
        return static_cast<T*>(RdmaPooled::operator new(count * sizeof(T)));
    }

    void deallocate(T* memory, size_t count)
    {
        RdmaPooled::operator delete(memory, count * sizeof(T));
    }

    friend bool operator==(RdmaPooledAllocator, RdmaPooledAllocator)
    {
        return true;
    }

    friend bool operator!=(RdmaPooledAllocator, RdmaPooledAllocator)
    {
        return false;
    }
};

} // namespace ns3

#endif // RDMA_MEMORY_H
