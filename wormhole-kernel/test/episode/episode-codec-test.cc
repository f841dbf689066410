/*
 * SPDX-License-Identifier: MIT
 */
#include "episode/byte-codec.h"
#include "episode/episode-codec.h"
#include "episode/episode-samples.h"
#include "episode/graph-codec.h"

#include <gtest/gtest.h>
#include <limits>

namespace wormhole
{
namespace
{

using test::Dice;

TEST(EpisodeCodec, NumbersRoundTripAndAreWrittenInTheSameBytesEverywhere)
{
    ByteWriter writer;
    writer.Unsigned(0);
    writer.Unsigned(300);
    writer.Signed(-1);
    writer.Signed(std::numeric_limits<std::int64_t>::min());
    writer.Word(0x0102030405060708);
    double zero = 0.0;
    std::uint64_t five = 5;
    writer.Double(1.0, zero);
    writer.Delta(3, five);
    const std::string bytes = writer.Take();
    // 300 = 2 * 128 + 44; zigzag of -1 is 1, of the least one 2^64 - 1; the bytes of 1.0 are
    // 3f f0 00.., reversed 0xf03f = 3 * 2^14 + 64 * 2^7 + 63; zigzag of -2 is 3.
    EXPECT_EQ(bytes,
              std::string("\0\xac\x02\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 14) +
                  std::string("\x08\x07\x06\x05\x04\x03\x02\x01\xbf\xe0\x03\x03", 12));
    ByteReader reader(bytes);
    EXPECT_EQ(reader.Unsigned(), 0U);
    EXPECT_EQ(reader.Unsigned(), 300U);
    EXPECT_EQ(reader.Signed(), -1);
    EXPECT_EQ(reader.Signed(), std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(reader.Word(), 0x0102030405060708U);
    double number = 0.0;
    std::uint64_t count = 5;
    EXPECT_EQ(reader.Double(number), 1.0);
    EXPECT_EQ(reader.Delta(count), 3U);
    EXPECT_TRUE(reader.Done());
    EXPECT_EQ(reader.Byte(), 0);
    EXPECT_FALSE(reader.Ok());
    // Ten bytes hold 70 bits, of which the last six must be 0.
    EXPECT_EQ(ByteReader("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02").Unsigned(), 0U);
}

TEST(EpisodeCodec, RandomEpisodesRoundTrip)
{
    Dice dice(1);
    for (int round = 0; round < 2000; ++round)
    {
        const Episode episode = test::RandomEpisode(dice);
        const std::string bytes = EncodeEpisode(episode);
        const auto decoded = DecodeEpisode(bytes);
        ASSERT_TRUE(decoded) << round;
        ASSERT_TRUE(test::SameEpisode(*decoded, episode)) << round;
        ASSERT_EQ(EncodeEpisode(*decoded), bytes) << round;
    }
}

TEST(EpisodeCodec, RandomGraphsRoundTrip)
{
    Dice dice(2);
    for (int round = 0; round < 2000; ++round)
    {
        const ConflictGraph graph = test::RandomGraph(dice);
        const std::string bytes = EncodeGraph(graph);
        const auto decoded = DecodeGraph(bytes);
        ASSERT_TRUE(decoded) << round;
        ASSERT_TRUE(test::SameGraph(*decoded, graph)) << round;
        ASSERT_EQ(decoded->GetSignature(), graph.GetSignature()) << round;
        ASSERT_EQ(EncodeGraph(*decoded), bytes) << round;
    }
}

TEST(EpisodeCodec, EncodingDoesNotChangeUnnoticed)
{
    // If one of these fails, raise EPISODE_CODEC_VERSION: stored files have lost their meaning. The
    // first is the encoding and the checksums (SignatureBuilder), the second what rows are found
    // by.
    const ConflictGraph graph = test::Incast(7);
    EXPECT_EQ(SignatureBuilder().Add(EncodeRecord(graph, test::EpisodeOf(7))).Get().ToString(),
              "b6a45159a7b836f07a40c1981d1f69a1");
    EXPECT_EQ(graph.GetSignature().ToString(), "6e5aff829f2f87317b6b2166cfb1e220");
}

TEST(EpisodeCodec, EqualAndSimilarBlobsAreShort)
{
    Dice dice(3);
    Episode episode;
    episode.flows.resize(100);
    const StateBlob blob = dice.Text(200);
    const std::size_t without = EncodeEpisode(episode).size();
    for (FlowOutcome& flow : episode.flows)
    {
        flow.control = blob;
    }
    // Once: 2 bytes of length, 1 of the equal bytes before, 2 of length of the others. Numbers of
    // blobs stay below 64 and so take up one byte.
    EXPECT_EQ(EncodeEpisode(episode).size(), without + 200 + 5);
    for (std::size_t i = 0; i < 50; ++i)
    {
        episode.flows[i].control[100] = static_cast<char>(i); // one of them may be what it was
    }
    // Each of 50 others: 2 of length, 1 each of 100 equal, 1 other, 1 + 1 (99 equal) = 6 bytes.
    constexpr std::size_t OTHERS = 50;
    EXPECT_LE(EncodeEpisode(episode).size(), without + 200 + 5 + OTHERS * 6);
}

TEST(EpisodeCodec, WhatDoesNotFitIsRefused)
{
    const ConflictGraph graph = test::Incast(1, 3);
    Episode episode = test::EpisodeOf(1, 3);
    EXPECT_TRUE(FitsGraph(episode, graph));
    EXPECT_TRUE(DecodeRecord(EncodeRecord(graph, episode)));
    EXPECT_FALSE(DecodeRecord(EncodeRecord(test::Incast(1, 4), episode)));
    episode.ports[0].flow = 3;
    EXPECT_FALSE(FitsGraph(episode, graph));
    EXPECT_FALSE(DecodeEpisode(EncodeEpisode(episode)));
    EXPECT_FALSE(DecodeRecord(EncodeRecord(graph, episode)));
}

TEST(EpisodeCodec, EdgesThatMakeNoGraphAreRefused)
{
    ByteWriter writer;
    writer.Byte(0);     // GraphDetail::Flows
    writer.Unsigned(2); // two flows of one kind
    writer.Unsigned(0);
    for (int byte = 0; byte < 8 + 5; ++byte)
    {
        writer.Byte(0);
    }
    writer.Unsigned(0);
    writer.Unsigned(0); // no ports
    writer.Unsigned(1); // the first has an edge to the next, ...
    writer.Unsigned(0);
    writer.Unsigned(0); // ... which says that they share no port
    writer.Unsigned(0);
    EXPECT_FALSE(DecodeGraph(writer.Take()));
}

/** A few bytes that stand for 2^(copies + 1) times as many cannot be had. */
TEST(EpisodeCodec, HugeStateIsRefused)
{
    const std::uint64_t quarter = MAX_STATE_BYTES / 4;
    Episode episode;
    episode.flows.resize(3);
    for (FlowOutcome& flow : episode.flows)
    {
        flow.control = StateBlob(quarter, 'x');
    }
    const std::string three = EncodeEpisode(episode);
    EXPECT_TRUE(DecodeEpisode(three));
    episode.flows.push_back(episode.flows[0]);
    const std::string four = EncodeEpisode(episode); // the fourth takes up 4 bytes
    EXPECT_EQ(four.size(), three.size() + 4);
    EXPECT_FALSE(DecodeEpisode(four));
}

template <class Decode>
void
Attack(Dice& dice, const std::string& bytes, Decode&& decode)
{
    for (std::size_t size = 0; size < bytes.size(); ++size)
    {
        EXPECT_FALSE(decode(bytes.substr(0, size))) << size;
    }
    EXPECT_FALSE(decode(bytes + '\0'));
    for (int round = 0; round < 300; ++round)
    {
        std::string other = bytes;
        for (std::uint64_t flips = 1 + dice(3); flips > 0; --flips)
        {
            char& byte = other[dice(other.size())];
            byte = static_cast<char>(byte ^ 1 << dice(8));
        }
        decode(other);
    }
}

TEST(EpisodeCodec, AnyBytesAreSurvived)
{
    Dice dice(4);
    const auto episode = [](const std::string& bytes) { return DecodeEpisode(bytes).has_value(); };
    const auto graph = [](const std::string& bytes) { return DecodeGraph(bytes).has_value(); };
    for (int round = 0; round < 20; ++round)
    {
        Attack(dice, EncodeEpisode(test::RandomEpisode(dice)), episode);
        Attack(dice, EncodeGraph(test::RandomGraph(dice)), graph);
    }
    for (int round = 0; round < 20'000; ++round)
    {
        // Small numbers get further than large ones.
        std::string bytes = dice.Text(dice(60));
        for (char& byte : bytes)
        {
            byte = dice(2) ? static_cast<char>(byte & 3) : byte;
        }
        const auto decodedEpisode = DecodeEpisode(bytes);
        if (decodedEpisode)
        {
            EXPECT_TRUE(DecodeEpisode(EncodeEpisode(*decodedEpisode)));
        }
        DecodeGraph(bytes);
        DecodeRecord(bytes);
    }
}

} // namespace
} // namespace wormhole
