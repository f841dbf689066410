/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"

#include "ns3/rdma-timers.h"

#include <map>
#include <memory>
#include <random>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

using Firing = std::pair<int, int64_t>; // number, time

struct NumberedTimer : public RdmaTimer
{
    NumberedTimer(int n, RdmaEventQueue& q, std::vector<Firing>& l)
        : number(n),
          queue(q),
          log(l)
    {
    }

    void Fire() override
    {
        log.emplace_back(number, queue.Now());
    }

    int number;
    RdmaEventQueue& queue;
    std::vector<Firing>& log;
};

void
FireUntil(RdmaEventQueue& queue, int64_t time)
{
    while (!queue.IsEmpty() && queue.FirstTime() <= time)
    {
        queue.FireFirst();
    }
    queue.SetNow(time, queue.ReserveSequence());
}

RDMA_TEST(RdmaTimersOrder, "timers fire by time, then in the order of scheduling")
{
    RdmaEventQueue queue;
    RdmaEventQueue* const its = &queue;
    RdmaTimers timers;
    timers.SetEventQueue(its);
    std::vector<Firing> log;
    NumberedTimer a(1, queue, log);
    NumberedTimer b(2, queue, log);
    NumberedTimer c(3, queue, log);
    auto d = std::make_unique<NumberedTimer>(4, queue, log);
    timers.Schedule(a, 30);
    timers.Schedule(b, 20);
    timers.Schedule(c, 30);
    timers.Schedule(*d, 10);
    timers.Schedule(b, 30); // moved behind a and c
    d.reset();              // destroyed while pending
    FireUntil(queue, 100);
    NS_TEST_EXPECT_MSG_EQ((log == std::vector<Firing>{{1, 30}, {3, 30}, {2, 30}}),
                          true,
                          "a, c, b at 30, and not d");
    timers.Schedule(a, 200);
    timers.Cancel(a);
    timers.Schedule(c, 210);
    timers.Clear();
    NS_TEST_EXPECT_MSG_EQ(a.IsPending() || c.IsPending(), false, "cancelled and cleared");
    FireUntil(queue, 300);
    NS_TEST_EXPECT_MSG_EQ(log.size(), 3, "nothing more fires");
}

RDMA_TEST(RdmaTimersRandom, "random operations fire what a sorted map says")
{
    constexpr int COUNT = 20;
    std::mt19937 random(7);
    RdmaEventQueue queue;
    RdmaEventQueue* const its = &queue;
    RdmaTimers timers;
    timers.SetEventQueue(its);
    std::vector<Firing> log;
    std::vector<Firing> expected;
    std::unique_ptr<NumberedTimer> all[COUNT];
    std::map<std::pair<int64_t, int>, int> twin; // by time and order of scheduling
    std::map<int, std::pair<int64_t, int>> keys;
    for (int i = 0; i < COUNT; ++i)
    {
        all[i] = std::make_unique<NumberedTimer>(i, queue, log);
    }
    auto forget = [&](int i) {
        if (keys.count(i))
        {
            twin.erase(keys[i]);
            keys.erase(i);
        }
    };
    for (int step = 0; step < 20000; ++step)
    {
        const int i = static_cast<int>(random() % COUNT);
        switch (random() % 5)
        {
        case 0:
            timers.Cancel(*all[i]);
            forget(i);
            break;
        case 1:
            all[i] = std::make_unique<NumberedTimer>(i, queue, log);
            forget(i);
            break;
        case 2: {
            const int64_t until = queue.Now() + static_cast<int64_t>(random() % 4);
            FireUntil(queue, until);
            while (!twin.empty() && twin.begin()->first.first <= until)
            {
                expected.emplace_back(twin.begin()->second, twin.begin()->first.first);
                forget(twin.begin()->second);
            }
            break;
        }
        default: {
            const int64_t time = queue.Now() + 1 + static_cast<int64_t>(random() % 10);
            timers.Schedule(*all[i], time);
            forget(i);
            keys[i] = {time, step};
            twin[keys[i]] = i;
            break;
        }
        }
        RDMA_TEST_REQUIRE(EQ, all[i]->IsPending(), (keys.count(i) > 0), "step " << step);
    }
    NS_TEST_EXPECT_MSG_GT(expected.size(), 1000, "the test exercised firing");
    NS_TEST_EXPECT_MSG_EQ((log == expected), true, "numbers and times");
}

RdmaTestSuite<RdmaTimersOrder, RdmaTimersRandom> g_rdmaTimersSuite("rdma-timers");

} // namespace
