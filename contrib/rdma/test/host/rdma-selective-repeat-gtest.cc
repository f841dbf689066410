/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/rdma-selective-repeat.h"

#include <gtest/gtest.h>

using namespace ns3;

TEST(PacketBitmap, BeginsEverLater)
{
    RdmaPacketBitmap bitmap;
    EXPECT_FALSE(bitmap.Contains(0));
    bitmap.Add(2);
    bitmap.Add(3);
    bitmap.Add(6);
    bitmap.Add(6); // once more
    EXPECT_EQ(bitmap.GetCount(), 3U);
    EXPECT_FALSE(bitmap.Contains(1));
    EXPECT_TRUE(bitmap.Contains(2));
    EXPECT_EQ(bitmap.FirstMissing(1), 1U);
    EXPECT_EQ(bitmap.FirstMissing(2), 4U);
    EXPECT_EQ(bitmap.FirstMissing(6), 7U);
    bitmap.DropBelow(3);
    EXPECT_EQ(bitmap.GetCount(), 2U);
    EXPECT_FALSE(bitmap.Contains(2));
    EXPECT_TRUE(bitmap.Contains(3));
    EXPECT_TRUE(bitmap.Contains(6));
    bitmap.Add(2); // too late
    EXPECT_FALSE(bitmap.Contains(2));
    bitmap.DropBelow(1);
    EXPECT_TRUE(bitmap.Contains(3));
    bitmap.DropBelow(20); // beyond all of it
    EXPECT_EQ(bitmap.GetCount(), 0U);
    EXPECT_FALSE(bitmap.Contains(6));
    bitmap.Add(20);
    EXPECT_TRUE(bitmap.Contains(20));
}

TEST(LossRecovery, SendsWhatLaterPacketsShowToBeLostAgain)
{
    // Of packets 0 to 9, 2 and 5 are lost. All the others cause an acknowledgement each.
    RdmaLossRecovery losses;
    losses.Acknowledge(1);
    losses.Acknowledge(2);
    EXPECT_FALSE(losses.HasLost());
    EXPECT_TRUE(losses.TakeNack(3, 10, 1));
    ASSERT_TRUE(losses.HasLost());
    EXPECT_EQ(losses.TakeLost(), 2U);
    EXPECT_FALSE(losses.TakeNack(4, 10, 1)) << "2 counts as lost already";
    EXPECT_FALSE(losses.HasLost()); // 2 was sent again; nothing after 4 has come, so 5 may
    EXPECT_TRUE(losses.TakeNack(6, 10, 1));
    ASSERT_TRUE(losses.HasLost());
    EXPECT_EQ(losses.TakeLost(), 5U);
    EXPECT_EQ(losses.GetArrived(), 3U) << "3, 4 and 6";
    for (const uint64_t arrived : {7, 8, 9})
    {
        EXPECT_FALSE(losses.TakeNack(arrived, 10, 1));
        EXPECT_FALSE(losses.HasLost());
    }
    losses.Acknowledge(5);
    EXPECT_TRUE(losses.IsRecovering());
    losses.Acknowledge(10);
    EXPECT_FALSE(losses.IsRecovering());
}

TEST(LossRecovery, SendsEachOnceInOneRecovery)
{
    // 0 and what is sent again for it are lost: only a time-out sends it a third time.
    RdmaLossRecovery losses;
    losses.TakeNack(1, 3, 1);
    EXPECT_EQ(losses.TakeLost(), 0U);
    losses.TakeNack(2, 3, 1);
    EXPECT_FALSE(losses.HasLost());
    losses.TimeOut(3);
    ASSERT_TRUE(losses.HasLost());
    EXPECT_EQ(losses.TakeLost(), 0U);
    EXPECT_FALSE(losses.HasLost());
}

TEST(LossRecovery, TakesTheExpectedPacketAloneForLostAfterATimeOut)
{
    // Nothing is known of 0, 1 and 2, all of them lost; each time-out sends one.
    RdmaLossRecovery losses;
    for (const uint64_t lost : {0, 1, 2})
    {
        losses.TimeOut(3);
        EXPECT_EQ(losses.TakeLost(), lost);
        EXPECT_FALSE(losses.HasLost());
        losses.Acknowledge(lost + 1);
    }
    EXPECT_FALSE(losses.IsRecovering());
}

TEST(LossRecovery, EndsAtWhatWasSentBeforeIt)
{
    RdmaLossRecovery losses;
    losses.TakeNack(1, 4, 1);
    losses.TakeLost();
    losses.Acknowledge(3); // 2 came, too
    EXPECT_TRUE(losses.IsRecovering());
    losses.Acknowledge(4);
    EXPECT_FALSE(losses.IsRecovering());
    losses.TakeNack(6, 8, 1); // 4 and 5 are missing
    EXPECT_EQ(losses.TakeLost(), 4U);
    EXPECT_EQ(losses.TakeLost(), 5U);
    EXPECT_FALSE(losses.HasLost());
}

TEST(LossRecovery, BearsReorderingUpToTheThreshold)
{
    RdmaLossRecovery losses;
    losses.TakeNack(1, 9, 3);
    losses.TakeNack(2, 9, 3);
    EXPECT_FALSE(losses.HasLost());
    losses.Acknowledge(3); // 0 was only late: the count begins again
    losses.TakeNack(4, 9, 3);
    losses.TakeNack(5, 9, 3);
    EXPECT_FALSE(losses.HasLost());
    losses.TakeNack(7, 9, 3);
    ASSERT_TRUE(losses.HasLost());
    EXPECT_EQ(losses.TakeLost(), 3U);
    EXPECT_EQ(losses.TakeLost(), 6U);
    EXPECT_FALSE(losses.HasLost());
}
