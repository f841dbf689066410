/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"

#include "ns3/rdma-shared-buffer.h"

#include <algorithm>
#include <deque>
#include <random>

using namespace ns3;

namespace
{

constexpr uint32_t RESERVE = 4096;
constexpr uint32_t RESUME_OFFSET = 3072;
constexpr uint32_t QUEUE = 3;

RDMA_TEST(RdmaSharedBufferThreshold, "a PFC threshold by hand")
{
    // Two ports at 100 Gb/s over 1 us: in one delay 100e9 * 1000 / 8 / 1e9 = 12500 B, so 3 * 12500
    // = 37500 B of headroom each. Of 1 MiB that leaves 1048576 - 2 * 37500 - 2 * 4096 = 965384 B,
    // an eighth of which is 120673 B.
    RdmaSharedBuffer buffer;
    buffer.Configure(2, 1 << 20, RESERVE, RESUME_OFFSET);
    buffer.ConfigurePort(0, 37500, 3);
    buffer.ConfigurePort(1, 37500, 3);
    NS_TEST_EXPECT_MSG_EQ(buffer.GetThreshold(0), 120673, "965384 >> 3");
    NS_TEST_EXPECT_MSG_EQ(buffer.GetShortage(), 0, "the memory is large enough");

    // The reserve holds 4 frames of 1000 B; the 5th makes 5000 - 4096 = 904 B shared, and the n-th
    // s = 1000 n - 4096. What is free shrinks by as much, so frame n still fits into the shared
    // memory if s <= (965384 - (s - 1000)) / 8: n = 111 gives 106904 <= 107435, n = 112 gives
    // 107904 > 107310. The 112th goes to the headroom, and that is what pauses the sender.
    uint32_t n = 0;
    while (!buffer.ShouldPause(0, QUEUE))
    {
        RDMA_TEST_REQUIRE(EQ, buffer.Admits(0, QUEUE, 1000), true, "room for frame " << n + 1);
        buffer.Enter(0, QUEUE, 1000);
        ++n;
        RDMA_TEST_REQUIRE(LT, n, 1000, "a pause comes");
    }
    NS_TEST_EXPECT_MSG_EQ(n, 112, "frames until the pause");
    NS_TEST_EXPECT_MSG_EQ(buffer.GetShared(0, QUEUE), 106904, "1000 * 111 - 4096");
    NS_TEST_EXPECT_MSG_EQ(buffer.GetSharedUsed(), 106904, "nobody else shares");
    NS_TEST_EXPECT_MSG_EQ(buffer.GetThreshold(0), 107310, "(965384 - 106904) / 8");
    NS_TEST_EXPECT_MSG_EQ(buffer.GetHeadroom(0, QUEUE), 1000, "the 112th");
    buffer.SetPaused(0, QUEUE, true);
    NS_TEST_EXPECT_MSG_EQ(buffer.ShouldPause(0, QUEUE), false, "paused already");
    NS_TEST_EXPECT_MSG_EQ(buffer.ShouldPause(1, QUEUE), false, "the other port is innocent");

    // What arrives until the pause takes effect goes to the headroom: 37 frames of 1000 B in all; a
    // 38th would exceed 37500 and is dropped.
    for (uint32_t i = 1; i < 37; ++i)
    {
        RDMA_TEST_REQUIRE(EQ, buffer.Admits(0, QUEUE, 1000), true, "headroom for frame " << i);
        buffer.Enter(0, QUEUE, 1000);
    }
    NS_TEST_EXPECT_MSG_EQ(buffer.GetHeadroom(0, QUEUE), 37000, "37 * 1000");
    NS_TEST_EXPECT_MSG_EQ(buffer.GetShared(0, QUEUE), 106904, "unchanged");
    NS_TEST_EXPECT_MSG_EQ(buffer.Admits(0, QUEUE, 1000), false, "the 38th");
    NS_TEST_EXPECT_MSG_EQ(buffer.Admits(0, QUEUE, 500), true, "37000 + 500 fits");

    // Leaving frames empty the headroom first. A resume wants it empty and s + 3072 <= (965384 - s)
    // / 8, so 9 s <= 940808, s <= 104534: 1000 n - 4096 is that for n = 108 (103904), so 111 - 108
    // = 3 more leave.
    uint32_t left = 0;
    while (!buffer.ShouldResume(0, QUEUE))
    {
        buffer.Leave(0, QUEUE, 1000);
        ++left;
        RDMA_TEST_REQUIRE(LT, left, 1000, "a resume comes");
    }
    NS_TEST_EXPECT_MSG_EQ(left, 37 + 3, "frames that leave until the resume");
    NS_TEST_EXPECT_MSG_EQ(buffer.GetShared(0, QUEUE), 103904, "1000 * 108 - 4096");
}

RDMA_TEST(RdmaSharedBufferReserve, "a reserve is used first and is never paused or refused")
{
    RdmaSharedBuffer buffer;
    buffer.Configure(2, 64000, RESERVE, RESUME_OFFSET);
    buffer.ConfigurePort(0, 0, 3);
    buffer.ConfigurePort(1, 0, 3);
    // (64000 - 8192) / 8 = 6976
    NS_TEST_EXPECT_MSG_EQ(buffer.GetThreshold(0), 6976, "threshold");
    buffer.Enter(0, QUEUE, 4096);
    NS_TEST_EXPECT_MSG_EQ(buffer.GetSharedUsed(), 0, "all of it is reserved");
    NS_TEST_EXPECT_MSG_EQ(buffer.GetThreshold(0), 6976, "so the threshold stands");
    NS_TEST_EXPECT_MSG_EQ(buffer.ShouldPause(0, QUEUE), false, "and nobody is paused");
    buffer.Enter(0, QUEUE, 1);
    NS_TEST_EXPECT_MSG_EQ(buffer.GetSharedUsed(), 1, "the first byte beyond");
    // without headroom the size counts on top: 6976 + 1 > threshold - 1
    NS_TEST_EXPECT_MSG_EQ(buffer.Admits(0, QUEUE, 7000), false, "too large");
    // queues of a port have separate accounts
    NS_TEST_EXPECT_MSG_EQ(buffer.Admits(0, QUEUE + 1, 4096), true, "another queue");
    buffer.Enter(0, QUEUE + 1, 4096);
    NS_TEST_EXPECT_MSG_EQ(buffer.GetSharedUsed(), 1, "has a reserve of its own");
    buffer.Leave(0, QUEUE, 1);
    buffer.Leave(0, QUEUE, 4096);
    buffer.Leave(0, QUEUE + 1, 4096);
    NS_TEST_EXPECT_MSG_EQ(buffer.GetSharedUsed(), 0, "all has left");
}

RDMA_TEST(RdmaSharedBufferOvercommitted, "memory too small for its headrooms has a threshold of 0")
{
    // HPCC's simulator computes this in 32 bits without sign: the threshold wraps to gigabytes and
    // no sender is ever paused. Here nothing is shared.
    RdmaSharedBuffer buffer;
    buffer.Configure(2, 50000, RESERVE, RESUME_OFFSET);
    buffer.ConfigurePort(0, 37500, 3);
    buffer.ConfigurePort(1, 37500, 3);
    NS_TEST_EXPECT_MSG_EQ(buffer.GetShortage(), 33192, "75000 + 8192 - 50000");
    NS_TEST_EXPECT_MSG_EQ(buffer.GetThreshold(0), 0, "nothing to share");
    buffer.Enter(0, QUEUE, 4000);
    buffer.Enter(0, QUEUE, 1000);
    NS_TEST_EXPECT_MSG_EQ(buffer.GetHeadroom(0, QUEUE), 1000, "beyond the reserve: headroom");
    NS_TEST_EXPECT_MSG_EQ(buffer.ShouldPause(0, QUEUE), true, "at once");
}

/** Section 10 of the behaviour facts, word for word. */
struct LiteralBuffer
{
    static constexpr uint32_t PORTS = 4;
    int64_t ingress[PORTS][8]{};
    int64_t headroom[PORTS][8]{};
    bool paused[PORTS][8]{};
    int64_t sharedTotal{0};
    int64_t buffer;
    int64_t totalHeadroom{0};
    int64_t portHeadroom[PORTS];
    uint32_t shift[PORTS];

    int64_t SharedUsed(uint32_t p, uint32_t q) const
    {
        return std::max<int64_t>(0, ingress[p][q] - RESERVE);
    }

    int64_t Threshold(uint32_t p) const
    {
        const int64_t left = buffer - totalHeadroom - RESERVE * PORTS - sharedTotal;
        return left < 0 ? 0 : left >> shift[p]; // there it wraps: a fault that is not copied
    }

    bool Drops(uint32_t p, uint32_t q, int64_t size) const
    {
        return size + headroom[p][q] > portHeadroom[p] && size + SharedUsed(p, q) > Threshold(p);
    }

    void Arrive(uint32_t p, uint32_t q, int64_t size)
    {
        const int64_t n = ingress[p][q] + size;
        if (n <= RESERVE)
        {
            ingress[p][q] += size;
        }
        else if (n - RESERVE > Threshold(p))
        {
            headroom[p][q] += size;
        }
        else
        {
            ingress[p][q] += size;
            sharedTotal += std::min(size, n - RESERVE);
        }
    }

    void Depart(uint32_t p, uint32_t q, int64_t size)
    {
        const int64_t h = std::min(headroom[p][q], size);
        const int64_t f = std::min(size - h, std::max<int64_t>(0, ingress[p][q] - RESERVE));
        headroom[p][q] -= h;
        ingress[p][q] -= size - h;
        sharedTotal -= f;
    }

    bool Pauses(uint32_t p, uint32_t q) const
    {
        return !paused[p][q] && (headroom[p][q] > 0 || SharedUsed(p, q) >= Threshold(p));
    }

    bool Resumes(uint32_t p, uint32_t q) const
    {
        return paused[p][q] && headroom[p][q] == 0 &&
               (SharedUsed(p, q) == 0 || SharedUsed(p, q) + RESUME_OFFSET <= Threshold(p));
    }

    bool operator==(const LiteralBuffer& other) const
    {
        return std::equal(&ingress[0][0], &ingress[0][0] + PORTS * 8, &other.ingress[0][0]) &&
               std::equal(&headroom[0][0], &headroom[0][0] + PORTS * 8, &other.headroom[0][0]) &&
               sharedTotal == other.sharedTotal;
    }
};

RDMA_TEST(RdmaSharedBufferRandom, "random arrivals and departures as in the behaviour facts")
{
    uint32_t passes = 0;
    for (int64_t bytes : {200000, 1000000, 100000}) // the last one is overcommitted
    {
        std::mt19937 random(static_cast<uint32_t>(bytes));
        RdmaSharedBuffer buffer;
        LiteralBuffer twin;
        twin.buffer = bytes;
        buffer.Configure(LiteralBuffer::PORTS,
                         static_cast<uint64_t>(bytes),
                         RESERVE,
                         RESUME_OFFSET);
        for (uint32_t p = 0; p < LiteralBuffer::PORTS; ++p)
        {
            twin.portHeadroom[p] = 20000 + 5000 * p;
            twin.totalHeadroom += twin.portHeadroom[p];
            twin.shift[p] = p;
            buffer.ConfigurePort(p, static_cast<uint64_t>(twin.portHeadroom[p]), p);
        }
        std::deque<uint32_t> queued[LiteralBuffer::PORTS][8];
        uint32_t drops = 0;
        uint32_t pauses = 0;
        uint32_t resumes = 0;
        for (uint32_t step = 0; step < 50000; ++step)
        {
            const uint32_t p = random() % LiteralBuffer::PORTS;
            const uint32_t q = 1 + random() % 3;
            // long spells of filling and of emptying
            if (random() % 10 < (step / 1000 % 2 ? 3U : 7U))
            {
                const uint32_t size = 40 + random() % 4000;
                RDMA_TEST_REQUIRE(EQ, buffer.Admits(p, q, size), !twin.Drops(p, q, size), step);
                if (buffer.LetsPass(p, q, size))
                {
                    ++passes;
                    LiteralBuffer after = twin;
                    after.Arrive(p, q, size);
                    RDMA_TEST_REQUIRE(EQ, after.Pauses(p, q), false, step);
                    after.Depart(p, q, size);
                    RDMA_TEST_REQUIRE(EQ, after.Resumes(p, q), false, step);
                    RDMA_TEST_REQUIRE(EQ, (after == twin && !twin.Drops(p, q, size)), true, step);
                }
                if (twin.Drops(p, q, size))
                {
                    ++drops;
                    continue;
                }
                buffer.Enter(p, q, size);
                twin.Arrive(p, q, size);
                queued[p][q].push_back(size);
                RDMA_TEST_REQUIRE(EQ, buffer.ShouldPause(p, q), twin.Pauses(p, q), step);
                if (twin.Pauses(p, q))
                {
                    ++pauses;
                    twin.paused[p][q] = true;
                    buffer.SetPaused(p, q, true);
                }
            }
            else if (!queued[p][q].empty())
            {
                const uint32_t size = queued[p][q].front();
                queued[p][q].pop_front();
                buffer.Leave(p, q, size);
                twin.Depart(p, q, size);
                RDMA_TEST_REQUIRE(EQ, buffer.ShouldResume(p, q), twin.Resumes(p, q), step);
                if (twin.Resumes(p, q))
                {
                    ++resumes;
                    twin.paused[p][q] = false;
                    buffer.SetPaused(p, q, false);
                }
            }
            RDMA_TEST_REQUIRE(EQ,
                              buffer.GetSharedUsed(),
                              static_cast<uint64_t>(twin.sharedTotal),
                              step);
            RDMA_TEST_REQUIRE(EQ,
                              buffer.GetThreshold(p),
                              static_cast<uint64_t>(twin.Threshold(p)),
                              step);
        }
        NS_TEST_EXPECT_MSG_GT(std::min({drops, pauses, resumes}), 20, "all three were exercised");
    }
    NS_TEST_EXPECT_MSG_GT(passes, 1000, "some frames change nothing if they leave at once");
}

RdmaTestSuite<RdmaSharedBufferThreshold,
              RdmaSharedBufferReserve,
              RdmaSharedBufferOvercommitted,
              RdmaSharedBufferRandom>
    g_rdmaSharedBufferSuite("rdma-shared-buffer");

} // namespace
