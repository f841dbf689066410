/*
 * SPDX-License-Identifier: MIT
 */
#include "wormhole/signature.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

namespace wormhole
{
namespace
{

Signature
Of(const std::vector<std::uint64_t>& words)
{
    SignatureBuilder builder;
    for (const std::uint64_t word : words)
    {
        builder.Add(word);
    }
    return builder.Get();
}

Signature
OfText(const std::string& text)
{
    return SignatureBuilder().Add(std::string_view(text)).Get();
}

TEST(Signature, IsWrittenInHexadecimal)
{
    EXPECT_EQ(Signature().ToString(), "00000000000000000000000000000000");
    EXPECT_EQ((Signature{0x0123456789abcdef, 0xfedcba9876543210}.ToString()),
              "0123456789abcdeffedcba9876543210");
}

TEST(Signature, IsOrderedByItsHighHalf)
{
    const Signature a{1, 9};
    const Signature b{2, 3};
    const Signature c{2, 4};
    EXPECT_TRUE(a < b && b < c && a < c);
    EXPECT_FALSE(b < a || c < b || a < a);
    EXPECT_TRUE(a == a && a != b && b != c);
    EXPECT_FALSE(a == b || b == c || a != a);
}

TEST(Signature, IsAKey)
{
    std::unordered_set<Signature> set{Of({1}), Of({2}), Of({1})};
    EXPECT_EQ(set.size(), 2U);
    EXPECT_EQ(set.count(Of({2})), 1U);
}

/** They are in files: raise the version of the store if they change. */
TEST(SignatureBuilder, IsTheSameOnEveryMachine)
{
    EXPECT_EQ(Of({}).ToString(), "e220a8397b1dcdafe4d971771b652c20");
    EXPECT_EQ(Of({0}).ToString(), "04d7ca05b57996f585988a6fb0765a8e");
    EXPECT_EQ(Of({1, 2, 3}).ToString(), "c81df7973fe088837994b238c9b0b544");
    EXPECT_EQ(OfText("").ToString(), "04d7ca05b57996f585988a6fb0765a8e");
    EXPECT_EQ(OfText("wormhole \xff").ToString(), "ddf87836e2931f2cb1968397cd6e5e03");
}

TEST(SignatureBuilder, TellsSequencesApart)
{
    std::set<Signature> signatures;
    std::size_t count = 0;
    std::vector<std::vector<std::uint64_t>> sequences{{}};
    // All sequences of up to 7 of the words 0, 1 and 2^63.
    for (std::size_t i = 0; i < sequences.size(); ++i)
    {
        const auto sequence = sequences[i];
        signatures.insert(Of(sequence));
        ++count;
        for (const std::uint64_t word :
             {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 63})
        {
            if (sequence.size() < 7)
            {
                sequences.push_back(sequence);
                sequences.back().push_back(word);
            }
        }
    }
    EXPECT_EQ(count, 3280U); // 1 + 3 + 9 + ... + 3^7
    EXPECT_EQ(signatures.size(), count);
}

TEST(SignatureBuilder, EitherHalfAloneTellsManyApart)
{
    std::set<std::uint64_t> highs;
    std::set<std::uint64_t> lows;
    for (std::uint64_t word = 0; word < 20000; ++word)
    {
        const Signature signature = Of({word, word * 3});
        highs.insert(signature.high);
        lows.insert(signature.low);
    }
    EXPECT_EQ(highs.size(), 20000U);
    EXPECT_EQ(lows.size(), 20000U);
}

TEST(SignatureBuilder, TextsAreSetOff)
{
    const auto pair = [](std::string_view a, std::string_view b) {
        return SignatureBuilder().Add(a).Add(b).Get();
    };
    EXPECT_NE(pair("a", "bc"), pair("ab", "c"));
    EXPECT_NE(pair("", "a"), pair("a", ""));
    // Texts of 0 to 20 zero bytes, whose words are all 0.
    std::set<Signature> signatures;
    for (std::size_t length = 0; length <= 20; ++length)
    {
        signatures.insert(OfText(std::string(length, '\0')));
    }
    EXPECT_EQ(signatures.size(), 21U);
    EXPECT_NE(OfText("12345678a"), OfText("12345678b"));
    EXPECT_NE(OfText("12345678a"), OfText("a12345678"));
}

} // namespace
} // namespace wormhole
