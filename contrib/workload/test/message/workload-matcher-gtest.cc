/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Message matching against the plain rule: lists that are searched from their beginning.

#include "harness/transfers.h"

#include "ns3/workload-matcher.h"
#include "ns3/workload-schedule.h"

#include <gtest/gtest.h>
#include <list>

using namespace ns3;
using harness::Draw;

namespace
{

constexpr uint32_t NONE = WorkloadMatcher::NONE;

/** The rule itself. */
class PlainMatcher
{
  public:
    uint32_t Arrive(uint32_t process, uint32_t source, uint32_t tag, uint32_t number)
    {
        return Meet(m_receives, m_messages, {process, source, tag, number});
    }

    uint32_t Post(uint32_t process, uint32_t source, uint32_t tag, uint32_t number)
    {
        return Meet(m_messages, m_receives, {process, source, tag, number});
    }

    size_t CountWaiting() const
    {
        return m_messages.size() + m_receives.size();
    }

  private:
    struct Item
    {
        uint32_t process;
        uint32_t source;
        uint32_t tag;
        uint32_t number;
    };

    static bool Fits(uint32_t a, uint32_t b)
    {
        return a == b || a == WORKLOAD_ANY || b == WORKLOAD_ANY;
    }

    static uint32_t Meet(std::list<Item>& others, std::list<Item>& own, const Item& item)
    {
        for (auto it = others.begin(); it != others.end(); ++it)
        {
            if (it->process == item.process && Fits(it->source, item.source) &&
                Fits(it->tag, item.tag))
            {
                const uint32_t number = it->number;
                others.erase(it);
                return number;
            }
        }
        own.push_back(item);
        return NONE;
    }

    std::list<Item> m_messages;
    std::list<Item> m_receives;
};

} // namespace

TEST(WorkloadMatcher, FirstComeFirstServed)
{
    WorkloadMatcher matcher(2);
    EXPECT_EQ(matcher.Post(1, 0, 5, 10), NONE);
    EXPECT_EQ(matcher.Post(1, 0, 5, 11), NONE);
    EXPECT_EQ(matcher.Arrive(0, 0, 5, 1), NONE) << "another process";
    EXPECT_EQ(matcher.Arrive(1, 1, 5, 2), NONE) << "another source";
    EXPECT_EQ(matcher.Arrive(1, 0, 6, 3), NONE) << "another tag";
    EXPECT_EQ(matcher.Arrive(1, 0, 5, 4), 10);
    EXPECT_EQ(matcher.Arrive(1, 0, 5, 5), 11);
    EXPECT_EQ(matcher.Arrive(1, 0, 5, 6), NONE);
    EXPECT_EQ(matcher.Post(1, WORKLOAD_ANY, WORKLOAD_ANY, 12), 2) << "the first that arrived";
    EXPECT_EQ(matcher.Post(1, 0, WORKLOAD_ANY, 13), 3);
    EXPECT_EQ(matcher.Post(1, WORKLOAD_ANY, 5, 14), 6);
    EXPECT_EQ(matcher.CountWaiting(), 1);
}

TEST(WorkloadMatcher, EqualsThePlainRule)
{
    for (uint64_t seed = 1; seed <= 2000; ++seed)
    {
        Draw draw(seed);
        const auto processes = static_cast<uint32_t>(1 + draw.Below(3));
        const auto sources = static_cast<uint32_t>(1 + draw.Below(4));
        const auto tags = static_cast<uint32_t>(1 + draw.Below(seed % 4 ? 3 : 200));
        const uint64_t wild = draw.Below(3) * 15; // per cent
        WorkloadMatcher matcher(processes);
        PlainMatcher plain;
        for (uint32_t i = 0; i < 150; ++i)
        {
            const auto process = static_cast<uint32_t>(draw.Below(processes));
            auto source = static_cast<uint32_t>(draw.Below(sources));
            auto tag = static_cast<uint32_t>(draw.Below(tags));
            if (draw.Below(2))
            {
                ASSERT_EQ(matcher.Arrive(process, source, tag, i),
                          plain.Arrive(process, source, tag, i))
                    << "seed " << seed << " step " << i;
                continue;
            }
            source = draw.Below(100) < wild ? WORKLOAD_ANY : source;
            tag = draw.Below(100) < wild ? WORKLOAD_ANY : tag;
            ASSERT_EQ(matcher.Post(process, source, tag, i), plain.Post(process, source, tag, i))
                << "seed " << seed << " step " << i;
            ASSERT_EQ(matcher.CountWaiting(), plain.CountWaiting());
        }
    }
}

TEST(WorkloadMatcher, TagsThatNeverComeAgainLeaveNothing)
{
    // a million tags in a table that is never large: were one left behind, this would not end soon
    WorkloadMatcher matcher(1);
    for (uint32_t tag = 0; tag < 1000000; ++tag)
    {
        ASSERT_EQ(matcher.Post(0, 0, tag, tag), NONE);
        ASSERT_EQ(matcher.Arrive(0, 0, tag, tag), tag);
    }
    EXPECT_EQ(matcher.CountWaiting(), 0);
}

TEST(WorkloadMatcher, AMillionWaitingReceivesOfOneProcess)
{
    WorkloadMatcher matcher(1);
    constexpr uint32_t N = 1000000;
    for (uint32_t i = 0; i < N; ++i)
    {
        ASSERT_EQ(matcher.Post(0, i % 1000, i / 1000, i), NONE);
    }
    for (uint32_t i = N; i > 0; --i) // the last first
    {
        ASSERT_EQ(matcher.Arrive(0, (i - 1) % 1000, (i - 1) / 1000, 0), i - 1);
    }
    EXPECT_EQ(matcher.CountWaiting(), 0);
}
