/*
 * SPDX-License-Identifier: MIT
 */
#include "tracking/known-rates.h"

#include <gtest/gtest.h>

namespace wormhole
{
namespace
{

TEST(KnownRates, TheLatestCountsUnlessItIsLessSure)
{
    KnownRates known;
    const Signature one{1, 2};
    EXPECT_EQ(known.Find(one), nullptr);
    known.Note(one, {Rate::BytesPerSecond(100), 0.01, false});
    known.Note(one, {Rate::BytesPerSecond(101), 0.01, false});
    EXPECT_EQ(known.Find(one)->rate, Rate::BytesPerSecond(101));
    known.Note(one, {Rate::BytesPerSecond(102), 0.02, true});
    known.Note(one, {Rate::BytesPerSecond(103), 0.03, false});
    EXPECT_EQ(known.Find(one)->rate, Rate::BytesPerSecond(102));
    EXPECT_EQ(known.Find(one)->noise, 0.02);
    EXPECT_EQ(known.Find(Signature{1, 3}), nullptr);
}

} // namespace
} // namespace wormhole
