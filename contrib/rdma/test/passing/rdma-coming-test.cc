/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/sanitized.h"
#include "rdma-test-case.h"

#include "ns3/rdma-coming.h"

#include <algorithm>
#include <random>
#include <vector>

using namespace ns3;

namespace
{

/** What RdmaComing keeps, in the plainest way. */
using Twin = std::vector<RdmaComing::Frame>;

void
Add(Twin& twin, const RdmaComing::Frame& frame)
{
    const auto later = [](const RdmaComing::Frame& other, int64_t time) {
        return other.time <= time;
    };
    twin.insert(std::lower_bound(twin.begin(), twin.end(), frame.time, later), frame);
}

/** \return whether all that is in \p coming, which is taken out, is in \p twin, in that order */
bool
Agree(RdmaComing coming, const Twin& twin)
{
    return std::all_of(twin.begin(),
                       twin.end(),
                       [&coming](const RdmaComing::Frame& frame) {
                           if (coming.IsEmpty() || coming.Front().time != frame.time)
                           {
                               return false;
                           }
                           const RdmaComing::Frame first = coming.Pop();
                           return first.bytes == frame.bytes &&
                                  first.background == frame.background;
                       }) &&
           coming.IsEmpty();
}

RDMA_TEST(RdmaComingOrder, "frames pass in the order of their times, however these change")
{
    std::mt19937_64 random(1);
    for (uint32_t round = 0; round < harness::Repetitions(20); ++round)
    {
        RdmaComing coming;
        Twin twin;
        uint32_t serial = 0; // tells frames apart
        bool agree = true;
        for (int step = 0; step < 1000 && agree; ++step)
        {
            const int64_t now = twin.empty() ? 0 : twin.front().time;
            const uint64_t what = random() % 100;
            if (twin.empty() || what < 52)
            {
                const int64_t time = now + static_cast<int64_t>(random() % 50);
                const RdmaComing::Frame frame{time, serial++, random() % 3 != 0};
                coming.Add(frame);
                Add(twin, frame);
            }
            else if (what < 98)
            {
                coming.Pop();
                twin.erase(twin.begin());
            }
            else if (what < 99)
            {
                coming.Shift(7);
                for (RdmaComing::Frame& frame : twin)
                {
                    frame.time += 7;
                }
            }
            else if (random() % 4 == 0)
            {
                const auto isBackground = [](const auto& frame) { return frame.background; };
                coming.Forget(isBackground);
                twin.erase(std::remove_if(twin.begin(), twin.end(), isBackground), twin.end());
            }
            agree = agree && Agree(coming, twin);
        }
        NS_TEST_EXPECT_MSG_EQ(agree, true, "round " << round);
    }
}

RdmaTestSuite<RdmaComingOrder> g_rdmaComingSuite("rdma-coming");

} // namespace
