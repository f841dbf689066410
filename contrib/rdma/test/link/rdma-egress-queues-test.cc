/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"

#include "ns3/rdma-egress-queues.h"

#include <deque>
#include <random>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** Pops until nothing may leave; \return the queues served */
std::string
Drain(RdmaEgressQueues& queues, uint32_t paused)
{
    std::string served;
    uint32_t queue;
    while (queues.Pop(paused, queue))
    {
        served += std::to_string(queue);
    }
    return served;
}

RDMA_TEST(RdmaEgressQueuesPriority, "queue 0 goes first and ignores pauses")
{
    std::vector<RdmaFrame> frames(4);
    RdmaEgressQueues queues;
    for (RdmaFrame& frame : frames)
    {
        frame.wireBytes = 100;
    }
    queues.Push(3, &frames[0]);
    queues.Push(0, &frames[1]);
    queues.Push(3, &frames[2]);
    queues.Push(0, &frames[3]);
    NS_TEST_EXPECT_MSG_EQ(queues.GetBytes(), 400, "in all");
    NS_TEST_EXPECT_MSG_EQ(queues.GetBytes(3), 200, "in queue 3");
    NS_TEST_EXPECT_MSG_EQ(queues.GetFilled(), 0b1001, "queues 0 and 3");
    NS_TEST_EXPECT_MSG_EQ(Drain(queues, 0xff), "00", "all paused: queue 0 still leaves");
    NS_TEST_EXPECT_MSG_EQ(queues.GetBytes(), 200, "queue 3 waits");
    NS_TEST_EXPECT_MSG_EQ(Drain(queues, 1 << 3), "", "paused");
    NS_TEST_EXPECT_MSG_EQ(Drain(queues, 1 << 4), "33", "another queue's pause");
    NS_TEST_EXPECT_MSG_EQ(queues.IsEmpty(), true, "all have left");
}

RDMA_TEST(RdmaEgressQueuesAhead, "pauses overtake what else waits, but not each other")
{
    std::vector<RdmaFrame> frames(6);
    RdmaEgressQueues queues;
    for (RdmaFrame& frame : frames)
    {
        frame.wireBytes = 60;
        frame.kind = RdmaFrameKind::CNP;
    }
    frames[2].kind = frames[3].kind = frames[5].kind = RdmaFrameKind::PFC;
    queues.Push(0, &frames[0]);
    queues.Push(0, &frames[1]);
    queues.PushAhead(0, &frames[2]);
    queues.PushAhead(0, &frames[3]);
    queues.Push(0, &frames[4]);
    queues.PushAhead(0, &frames[5]);
    NS_TEST_EXPECT_MSG_EQ(queues.GetBytes(0), 360, "all six");
    uint32_t queue;
    for (const size_t expected : {2, 3, 5, 0, 1, 4})
    {
        NS_TEST_EXPECT_MSG_EQ(queues.Pop(0, queue) - frames.data(),
                              static_cast<std::ptrdiff_t>(expected),
                              "in order");
    }
    queues.PushAhead(0, &frames[2]);
    queues.PushAhead(0, &frames[3]);
    NS_TEST_EXPECT_MSG_EQ(queues.Pop(0, queue), &frames[2], "alone, they keep their order");
    NS_TEST_EXPECT_MSG_EQ(queues.Pop(0, queue), &frames[3], "both");
}

RDMA_TEST(RdmaEgressQueuesTurns, "queues 1 to 7 take turns, frame by frame")
{
    std::vector<RdmaFrame> frames(9);
    RdmaEgressQueues queues;
    for (uint32_t i = 0; i < 9; ++i)
    {
        frames[i].wireBytes = 1000;
        queues.Push(i % 3 == 0 ? 1 : i % 3 == 1 ? 3 : 7, &frames[i]);
    }
    // after the last served one, upwards and round; paused ones are skipped
    uint32_t queue;
    queues.Pop(0, queue);
    NS_TEST_EXPECT_MSG_EQ(queue, 1, "the first after 0");
    queues.Pop(1 << 3, queue);
    NS_TEST_EXPECT_MSG_EQ(queue, 7, "3 is paused");
    NS_TEST_EXPECT_MSG_EQ(Drain(queues, 0), "1371373", "and round");
}

/** Section 9 of the behaviour facts: strict queue 0, then round robin, skipping paused queues. */
struct LiteralQueues
{
    std::deque<RdmaFrame*> fifo[8];
    uint32_t last{0};

    RdmaFrame* Pop(uint32_t paused, uint32_t& queue)
    {
        queue = 8;
        if (!fifo[0].empty())
        {
            queue = 0;
        }
        for (uint32_t step = 1; queue == 8 && step <= 7; ++step)
        {
            const uint32_t q = (last + step - 1) % 7 + 1;
            if (!fifo[q].empty() && !(paused >> q & 1))
            {
                queue = last = q;
            }
        }
        if (queue == 8)
        {
            return nullptr;
        }
        RdmaFrame* frame = fifo[queue].front();
        fifo[queue].pop_front();
        return frame;
    }
};

RDMA_TEST(RdmaEgressQueuesRandom, "random traffic and pauses as in the behaviour facts")
{
    std::mt19937 random(5);
    std::vector<RdmaFrame> frames(64);
    std::vector<RdmaFrame*> unused;
    for (RdmaFrame& frame : frames)
    {
        unused.push_back(&frame);
    }
    RdmaEgressQueues queues;
    LiteralQueues twin;
    uint64_t bytes = 0;
    uint32_t popped = 0;
    uint32_t passed = 0;
    for (uint32_t step = 0; step < 100000; ++step)
    {
        if (random() % 2 && !unused.empty())
        {
            RdmaFrame* frame = unused.back();
            unused.pop_back();
            const uint32_t queue = random() % 8;
            frame->wireBytes = 40 + random() % 1000;
            if (queues.IsEmpty() && random() % 2)
            {
                twin.fifo[queue].push_back(frame);
                uint32_t same;
                RDMA_TEST_REQUIRE(EQ, twin.Pop(0, same), frame, "nothing else waits");
                queues.PassThrough(queue);
                unused.push_back(frame);
                ++passed;
                continue;
            }
            bytes += frame->wireBytes;
            queues.Push(queue, frame);
            twin.fifo[queue].push_back(frame);
            continue;
        }
        uint32_t paused = random() & 0xff;
        paused &= random();
        uint32_t queue = 99;
        uint32_t expectedQueue;
        RdmaFrame* expected = twin.Pop(paused, expectedQueue);
        RdmaFrame* actual = queues.Pop(paused, queue);
        RDMA_TEST_REQUIRE(EQ, actual, expected, "step " << step);
        if (expected)
        {
            RDMA_TEST_REQUIRE(EQ, queue, expectedQueue, "step " << step);
            bytes -= expected->wireBytes;
            unused.push_back(expected);
            ++popped;
        }
        RDMA_TEST_REQUIRE(EQ, queues.GetBytes(), bytes, "step " << step);
    }
    NS_TEST_EXPECT_MSG_GT(popped, 10000, "frames moved");
    NS_TEST_EXPECT_MSG_GT(passed, 100, "some found nothing before them");
}

RdmaTestSuite<RdmaEgressQueuesPriority,
              RdmaEgressQueuesAhead,
              RdmaEgressQueuesTurns,
              RdmaEgressQueuesRandom>
    g_rdmaEgressQueuesSuite("rdma-egress-queues");

} // namespace
