/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"

#include "ns3/rdma-memory.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

using namespace ns3;

namespace
{

bool
IsAligned(const void* memory, size_t to)
{
    return reinterpret_cast<uintptr_t>(memory) % to == 0;
}

RDMA_TEST(RdmaMemoryBlocks, "blocks begin with a cache line, large ones with a huge page")
{
    for (const size_t bytes : {size_t{1}, size_t{64}, size_t{1000}, RDMA_HUGE_PAGE - 1})
    {
        const std::unique_ptr<void, void (*)(void*)> block(RdmaTakeBlock(bytes), &std::free);
        NS_TEST_EXPECT_MSG_EQ(IsAligned(block.get(), RDMA_CACHE_LINE), true, bytes);
        static_cast<char*>(block.get())[bytes - 1] = 1;
    }
    for (const size_t bytes : {RDMA_HUGE_PAGE, 2 * RDMA_HUGE_PAGE + 1})
    {
        const std::unique_ptr<void, void (*)(void*)> block(RdmaTakeBlock(bytes), &std::free);
        NS_TEST_EXPECT_MSG_EQ(IsAligned(block.get(), RDMA_HUGE_PAGE), true, bytes);
        static_cast<char*>(block.get())[bytes - 1] = 1;
    }
}

template <size_t BYTES>
struct Filled : public RdmaPooled
{
    explicit Filled(uint8_t with)
    {
        bytes.fill(with);
    }

    bool Holds(uint8_t what) const
    {
        return IsAligned(this, RDMA_CACHE_LINE) &&
               std::all_of(bytes.begin(), bytes.end(), [&](uint8_t b) { return b == what; });
    }

    std::array<uint8_t, BYTES> bytes;
};

RDMA_TEST(RdmaMemoryPooled, "no two objects share memory, whatever went before")
{
    // 10,000 of 100 and of 700 bytes, 8 MB: blocks of all sizes, up to huge pages
    constexpr uint32_t COUNT = 10000;
    std::vector<std::unique_ptr<Filled<100>>> small(COUNT);
    std::vector<std::unique_ptr<Filled<700>>> large(COUNT);
    const auto value = [](uint32_t i, uint32_t round) { return static_cast<uint8_t>(i + round); };
    for (uint32_t round = 0; round < 3; ++round)
    {
        for (uint32_t i = round ? round : 0; i < COUNT; i += round + 1)
        {
            small[i].reset(); // before the next is made, which takes its memory
            large[i].reset();
            small[i] = std::make_unique<Filled<100>>(value(i, 0));
            large[i] = std::make_unique<Filled<700>>(value(i, 1));
        }
        bool whole = true;
        for (uint32_t i = 0; i < COUNT; ++i)
        {
            whole = whole && small[i]->Holds(value(i, 0)) && large[i]->Holds(value(i, 1));
        }
        NS_TEST_EXPECT_MSG_EQ(whole, true, "round " << round);
    }
}

RdmaTestSuite<RdmaMemoryBlocks, RdmaMemoryPooled> g_rdmaMemorySuite("rdma-memory");

} // namespace
