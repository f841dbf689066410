/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/sanitized.h"
#include "rdma-test-case.h"

#include "ns3/rdma-event-heap.h"

#include <algorithm>
#include <random>
#include <set>
#include <tuple>
#include <vector>

using namespace ns3;

namespace
{

using HeapEntries = std::set<std::pair<int64_t, uint64_t>>; // time, place

/** \return whether all that \p heap holds is in \p twin, and the first is the first there */
bool
Agree(const RdmaEventHeap& heap, const HeapEntries& twin)
{
    HeapEntries all;
    for (const RdmaEventEntry& entry : heap)
    {
        all.emplace(entry.time, entry.place);
    }
    return heap.GetSize() == twin.size() && heap.IsEmpty() == twin.empty() && all == twin &&
           (twin.empty() || *twin.begin() == std::make_pair(heap.Front().time, heap.Front().place));
}

RDMA_TEST(RdmaEventHeapOrder, "few entries or many, the first is at the front, and none is lost")
{
    std::mt19937_64 random(1);
    for (uint32_t round = 0; round < harness::Repetitions(20); ++round)
    {
        RdmaEventHeap heap;
        HeapEntries twin;
        uint64_t place = 0;
        bool agree = true;
        // some rounds stay below the entries that are kept in order, others go far beyond and back
        const size_t most = 1 + random() % 200;
        for (int step = 0; step < 1000 && agree; ++step)
        {
            const int64_t now = twin.empty() ? 0 : twin.begin()->first;
            const RdmaEventEntry entry{place++, now + static_cast<int64_t>(random() % 50), nullptr};
            const bool grow = step / 250 % 2 == 0;
            if (twin.empty() || (twin.size() < most && random() % 4 < (grow ? 3 : 1)))
            {
                const bool last = twin.empty() || twin.rbegin()->first <= entry.time;
                if (last && random() % 2)
                {
                    heap.Append(entry);
                }
                else
                {
                    heap.Push(entry);
                }
                twin.emplace(entry.time, entry.place);
            }
            else if (random() % 2)
            {
                heap.ReplaceFront(entry);
                twin.erase(twin.begin());
                twin.emplace(entry.time, entry.place);
            }
            else
            {
                heap.PopFront();
                twin.erase(twin.begin());
            }
            if (random() % 500 == 0)
            {
                std::vector<RdmaEventEntry> entries = heap.TakeAll();
                agree = heap.IsEmpty();
                std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
                    return a.GetKey() < b.GetKey();
                });
                heap.AddSorted(entries);
            }
            agree = agree && Agree(heap, twin);
        }
        NS_TEST_EXPECT_MSG_EQ(agree, true, "round " << round);
    }
}

RdmaTestSuite<RdmaEventHeapOrder> g_eventHeapSuite("rdma-event-heap");

} // namespace
