/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Bytes and receives that meet by source, destination and tag.

#include "harness/transfers.h"

#include "ns3/workload-byte-matcher.h"

#include <gtest/gtest.h>
#include <map>
#include <tuple>

using namespace ns3;

namespace
{

using Numbers = std::vector<uint64_t>;

/** Counts all bytes that ever came and were ever asked for, and looks at all receives each time. */
class MatchedByTotals
{
  public:
    Numbers Post(const WorkloadMatchChannel& channel, uint64_t bytes, uint64_t receive)
    {
        Channel& c = m_channels[{channel.src, channel.dst, channel.tag}];
        c.asked += bytes;
        c.receives.push_back({receive, c.asked, false});
        return Complete(c);
    }

    Numbers Arrive(const WorkloadMatchChannel& channel, uint64_t bytes)
    {
        Channel& c = m_channels[{channel.src, channel.dst, channel.tag}];
        c.come += bytes;
        return Complete(c);
    }

    /** \return bytes that have come less those of complete receives */
    uint64_t GetLeft(const WorkloadMatchChannel& channel)
    {
        const Channel& c = m_channels[{channel.src, channel.dst, channel.tag}];
        uint64_t taken = 0;
        for (const Receive& receive : c.receives)
        {
            taken = receive.complete ? receive.until : taken;
        }
        return c.come - taken;
    }

    /** \return receives that are not complete */
    size_t CountWaiting() const
    {
        size_t count = 0;
        for (const auto& [key, c] : m_channels)
        {
            for (const Receive& receive : c.receives)
            {
                count += !receive.complete;
            }
        }
        return count;
    }

  private:
    struct Receive
    {
        uint64_t number;
        uint64_t until; ///< bytes of the channel that must have come
        bool complete;
    };

    struct Channel
    {
        uint64_t come{0};
        uint64_t asked{0};
        std::vector<Receive> receives;
    };

    static Numbers Complete(Channel& c)
    {
        Numbers numbers;
        for (Receive& receive : c.receives)
        {
            if (!receive.complete && receive.until <= c.come)
            {
                receive.complete = true;
                numbers.push_back(receive.number);
            }
        }
        return numbers;
    }

    std::map<std::tuple<uint32_t, uint32_t, uint64_t>, Channel> m_channels;
};

} // namespace

TEST(WorkloadByteMatcher, GivesBytesToReceivesInTheirOrder)
{
    WorkloadByteMatcher matcher;
    const WorkloadMatchChannel channel{1, 2, 7};
    EXPECT_EQ(matcher.Post(channel, 100, 0), Numbers());
    EXPECT_EQ(matcher.Post(channel, 50, 1), Numbers());
    // 99 are too few for the first, and the second does not overtake it
    EXPECT_EQ(matcher.Arrive(channel, 99), Numbers());
    EXPECT_EQ(matcher.ListWaiting()[0].come, 99U);
    EXPECT_EQ(matcher.ListWaiting()[1].come, 0U);
    // 99 + 151 = 100 + 50 + 100
    EXPECT_EQ(matcher.Arrive(channel, 151), (Numbers{0, 1}));
    EXPECT_EQ(matcher.GetLeft(channel), 100U);
    EXPECT_EQ(matcher.Post(channel, 60, 2), Numbers{2});
    EXPECT_EQ(matcher.Post(channel, 60, 3), Numbers());
    EXPECT_EQ(matcher.Arrive(channel, 20), Numbers{3});
    EXPECT_EQ(matcher.GetLeft(channel), 0U);
}

TEST(WorkloadByteMatcher, KeepsChannelsApart)
{
    WorkloadByteMatcher matcher;
    matcher.Arrive({1, 2, 7}, 10);
    for (const WorkloadMatchChannel& other :
         {WorkloadMatchChannel{2, 1, 7}, {1, 2, 8}, {1, 3, 7}, {0, 2, 7}})
    {
        EXPECT_EQ(matcher.Post(other, 10, other.tag), Numbers());
        EXPECT_EQ(matcher.GetLeft(other), 0U);
    }
    ASSERT_EQ(matcher.ListSurplus().size(), 1U);
    EXPECT_EQ(matcher.ListSurplus()[0].bytes, 10U);
    EXPECT_EQ(matcher.ListWaiting().size(), 4U);
    EXPECT_EQ(matcher.Post({1, 2, 7}, 10, 9), Numbers{9});
    EXPECT_TRUE(matcher.ListSurplus().empty());
}

// 4000 random cases of up to 60 calls on a few channels, sizes of which many are equal
TEST(WorkloadByteMatcher, DoesWhatTotalsSay)
{
    for (uint64_t seed = 0; seed < 4000; ++seed)
    {
        harness::Draw draw(seed);
        WorkloadByteMatcher matcher;
        MatchedByTotals totals;
        const uint64_t calls = 1 + draw.Below(60);
        const uint64_t most = draw.Below(2) ? 3 : 1000;
        for (uint64_t call = 0; call < calls; ++call)
        {
            const WorkloadMatchChannel channel{static_cast<uint32_t>(draw.Below(2)),
                                               static_cast<uint32_t>(draw.Below(2)),
                                               draw.Below(2)};
            const uint64_t bytes = 1 + draw.Below(most);
            if (draw.Below(2))
            {
                ASSERT_EQ(matcher.Post(channel, bytes, call), totals.Post(channel, bytes, call))
                    << "seed " << seed << ", call " << call;
            }
            else
            {
                ASSERT_EQ(matcher.Arrive(channel, bytes), totals.Arrive(channel, bytes))
                    << "seed " << seed << ", call " << call;
            }
            ASSERT_EQ(matcher.GetLeft(channel), totals.GetLeft(channel)) << "seed " << seed;
        }
        ASSERT_EQ(matcher.ListWaiting().size(), totals.CountWaiting()) << "seed " << seed;
    }
}
