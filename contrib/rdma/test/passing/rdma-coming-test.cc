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
    uint64_t bytes = 0;
    for (const RdmaComing::Frame& frame : twin)
    {
        bytes += frame.qp ? frame.bytes : 0;
    }
    bool agree = coming.GetBytes() == bytes;
    for (const RdmaComing::Frame& frame : twin)
    {
        agree = agree && !coming.IsEmpty() && coming.Front().time == frame.time &&
                coming.Front().start == frame.start && coming.Front().serial == frame.serial &&
                coming.Front().qp == frame.qp;
        if (agree)
        {
            coming.Pop();
        }
    }
    return agree && coming.IsEmpty();
}

RDMA_TEST(RdmaComingOrder, "frames pass in the order of their times, however these change")
{
    std::mt19937_64 random(1);
    // Who they are of is compared, never looked at.
    char memory[3]{};
    const auto flow = [&memory](uint64_t i) {
        return i == 0 ? nullptr : reinterpret_cast<const RdmaQueuePair*>(&memory[i % 3]);
    };
    for (uint32_t round = 0; round < harness::Repetitions(20); ++round)
    {
        RdmaComing coming;
        Twin twin;
        uint32_t serial = 0;
        bool agree = true;
        for (int step = 0; step < 1000 && agree; ++step)
        {
            const int64_t now = twin.empty() ? 0 : twin.front().time;
            const uint64_t what = random() % 100;
            if (twin.empty() || what < 48)
            {
                const int64_t time = now + static_cast<int64_t>(random() % 50);
                const RdmaComing::Frame
                    frame{time, nullptr, nullptr, time + 1, flow(random() % 3), serial++, 60};
                coming.Add(time) = frame;
                Add(twin, frame);
            }
            else if (what < 90)
            {
                coming.Pop();
                twin.erase(twin.begin());
            }
            else if (what < 98)
            {
                // One that has passed, or is of another flow, is not there to be delayed.
                RdmaComing::Frame frame = twin[random() % twin.size()];
                frame.serial += what % 2 ? 0 : serial;
                const auto delay = static_cast<int64_t>(random() % 50);
                coming.Delay(frame, delay);
                if (what % 2)
                {
                    const auto isIt = [&frame](const auto& other) {
                        return other.serial == frame.serial;
                    };
                    twin.erase(std::find_if(twin.begin(), twin.end(), isIt));
                    frame.time += delay;
                    Add(twin, frame);
                }
            }
            else if (what < 99)
            {
                coming.Shift(7);
                for (RdmaComing::Frame& frame : twin)
                {
                    frame.time += 7;
                    frame.start += 7;
                }
            }
            else if (random() % 4 == 0)
            {
                const auto isBackground = [](const auto& frame) { return frame.IsBackground(); };
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
