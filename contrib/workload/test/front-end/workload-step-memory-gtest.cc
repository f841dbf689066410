/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Which messages of a front end are left out, in a network whose times are said here.

#include "ns3/workload-step-memory.h"

#include <gtest/gtest.h>
#include <map>

using namespace ns3;

namespace
{

constexpr int64_t LATENCY = 1000;  ///< ps
constexpr int64_t DELIVERY = 1200; ///< of a message, after its start, ps
constexpr int64_t END = 1500;      ///< ps

/** Hosts 0 to 8 have one way to each other; to host 9 there are two. */
class OneWay final : public WorkloadRepeater
{
  public:
    OneWay()
        : WorkloadRepeater({true, 0})
    {
    }

    bool FindHops(uint32_t /* src */, uint32_t dst, std::vector<WorkloadHop>& /* hops */) override
    {
        return dst < 9;
    }

    bool AreIdle(const std::vector<uint32_t>& /* ports */) override
    {
        return true;
    }

    void Repeat(const std::vector<WorkloadRepeatedTransfer>& transfers) override
    {
        repeated.insert(repeated.end(), transfers.begin(), transfers.end());
    }

    uint64_t CountFrames(const WorkloadTransfer& /* transfer */) override
    {
        return 1;
    }

    uint64_t CountHops(const WorkloadTransfer& /* transfer */) override
    {
        return 2;
    }

    uint64_t GetHops() const override
    {
        return 0;
    }

    uint64_t CountTroubles() const override
    {
        return troubles;
    }

    std::vector<WorkloadRepeatedTransfer> repeated;
    uint64_t troubles{0};
};

class StepMemory : public testing::Test
{
  protected:
    void At(int64_t time, std::function<void()> action)
    {
        events.emplace(time, std::move(action));
    }

    /** Runs all events, in time order. */
    void Run()
    {
        while (!events.empty())
        {
            const auto first = events.begin();
            now = first->first;
            const auto action = std::move(first->second);
            events.erase(first);
            action();
        }
    }

    /** A message that starts at \p time, and takes \p delivery and \p end if it is transferred. */
    void Send(int64_t time, uint32_t dst, int64_t delivery = DELIVERY, int64_t end = END)
    {
        const uint32_t number = messages++;
        At(time - LATENCY, [this, number, dst] { memory.Waits(number, {0, dst, 8, 0}, LATENCY); });
        At(time, [this, number, delivery, end] {
            if (!memory.Repeats(number))
            {
                ++transferred;
                At(now + delivery, [this, number] { memory.Delivered(number); });
                At(now + end, [this, number] { memory.Acknowledged(number); });
            }
        });
    }

    OneWay network;
    int64_t now{0};
    std::multimap<int64_t, std::function<void()>> events;
    uint32_t messages{0};
    uint32_t transferred{0};
    std::vector<std::pair<uint32_t, int64_t>> told; //!< of what was left out
    WorkloadStepMemory memory{
        network,
        LATENCY,
        {[this] { return now; },
         [this](int64_t ps, std::function<void()> action) { At(now + ps, std::move(action)); },
         [this](uint32_t message) {
             told.emplace_back(message, now);
             memory.Delivered(message);
         },
         [this](uint32_t message) {
             told.emplace_back(message, now);
             memory.Acknowledged(message);
         }}};
};

} // namespace

TEST_F(StepMemory, AnEqualStepGoesAsTheFirst)
{
    for (const int64_t start : {10000, 20000})
    {
        Send(start, 1);
        Send(start + 100, 2);
    }
    Run();
    EXPECT_EQ(transferred, 2U);
    const std::vector<std::pair<uint32_t, int64_t>> expected{{2, 20000 + DELIVERY},
                                                             {3, 20100 + DELIVERY},
                                                             {2, 20000 + END},
                                                             {3, 20100 + END}};
    EXPECT_EQ(told, expected);
    ASSERT_EQ(network.repeated.size(), 2U);
    EXPECT_EQ(network.repeated[1].startPs, 20100);
    EXPECT_EQ(network.repeated[1].deliveredPs, 20100 + DELIVERY);
    EXPECT_EQ(network.repeated[1].endPs, 20100 + END);
    EXPECT_EQ(network.repeated[1].order, 1U);
    EXPECT_EQ(network.GetStatistics().steps, 1U);
}

TEST_F(StepMemory, OthersAreTransferred)
{
    Send(10000, 1);
    Send(20000, 2); // other hosts
    Send(30000, 1); // other starts
    Send(30050, 1);
    Send(40000, 1);
    Send(40052, 1); // by 2 ps: more than 0.05 % of 1,550 ps
    Run();
    EXPECT_EQ(transferred, 6U);
}

// A message that is caused before END - LATENCY after the start could meet those of the step.
TEST_F(StepMemory, NothingMayComeBetween)
{
    Send(10000, 1);
    Send(20000, 1);
    At(15000, [this] { memory.WillAct(5000 + END - LATENCY - 1); });
    Send(30000, 1);
    At(25000, [this] { memory.WillAct(5000 + END - LATENCY); });
    Run();
    EXPECT_EQ(transferred, 2U);
    EXPECT_EQ(told.front().first, 2U);
}

TEST_F(StepMemory, WhatIsNotSureIsNotRemembered)
{
    const auto twice = [this](const std::function<void(int64_t)>& step) {
        transferred = 0;
        const int64_t since = now;
        step(since + 10000);
        step(since + 20000);
        Run();
        return transferred;
    };
    EXPECT_EQ(twice([this](int64_t at) { Send(at, 1); }), 1U);
    // two ways
    EXPECT_EQ(twice([this](int64_t at) { Send(at, 9); }), 2U);
    // its first delivery can cause a message before its end
    EXPECT_EQ(twice([this](int64_t at) { Send(at, 3, END - LATENCY); }), 2U);
    EXPECT_EQ(twice([this](int64_t at) { Send(at, 4, END - LATENCY + 1); }), 1U);
    // frames were lost
    EXPECT_EQ(twice([this](int64_t at) {
                  Send(at, 5);
                  At(at + 1, [this] { ++network.troubles; });
              }),
              2U);
    // a further message starts meanwhile
    EXPECT_EQ(twice([this](int64_t at) {
                  Send(at, 6);
                  Send(at + LATENCY + 1, 7);
              }),
              4U);
}
