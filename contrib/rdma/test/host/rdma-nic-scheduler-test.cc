/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/sanitized.h"
#include "rdma-test-case.h"
#include "rdma-test-network.h"

#include "ns3/rdma-nic-scheduler.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <random>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t BYTES = 10000;

std::unique_ptr<RdmaQueuePair>
MakeQueuePair(uint64_t id, uint8_t priority = 3)
{
    RdmaFlow flow;
    flow.bytes = BYTES;
    flow.priority = priority;
    return std::make_unique<RdmaQueuePair>(id, flow);
}

RDMA_TEST(RdmaNicSchedulerTurns, "queue pairs take turns unless pacing, window or a pause forbid")
{
    std::vector<std::unique_ptr<RdmaQueuePair>> qps;
    RdmaNicScheduler scheduler;
    for (uint64_t id = 0; id < 4; ++id)
    {
        qps.push_back(MakeQueuePair(id, id == 3 ? 5 : 3));
        scheduler.Add(*qps.back(), 0);
    }
    auto next = [&](uint32_t paused, int64_t now) {
        const RdmaQueuePair* qp = scheduler.Next(paused, now);
        return qp ? static_cast<int>(qp->GetId()) : -1;
    };
    // the place last served is 0 at first, so the round begins at 1
    NS_TEST_EXPECT_MSG_EQ(next(0, 0), 1, "after place 0");
    NS_TEST_EXPECT_MSG_EQ(next(0, 0), 2, "in turn");
    NS_TEST_EXPECT_MSG_EQ(next(1 << 5, 0), 0, "3 has the paused priority");
    scheduler.SetNextAvailable(*qps[1], 100);
    NS_TEST_EXPECT_MSG_EQ(next(0, 99), 2, "1 is paced until 100");
    RdmaQueuePairProbe::SetWindow(*qps[3], 2000);
    RdmaQueuePairProbe::Set(*qps[3], 2000, 0);
    scheduler.Update(*qps[3]);
    NS_TEST_EXPECT_MSG_EQ(next(0, 99), 0, "3 has its window of 2000 B in flight");
    NS_TEST_EXPECT_MSG_EQ(next(0, 100), 1, "1 may again");
    RdmaQueuePairProbe::Set(*qps[2], BYTES, 0);
    scheduler.Update(*qps[2]);
    NS_TEST_EXPECT_MSG_EQ(next(0, 100), 0, "2 has sent all, 3 waits for its window");
    RdmaQueuePairProbe::Set(*qps[3], 2000, 1);
    scheduler.Update(*qps[3]);
    NS_TEST_EXPECT_MSG_EQ(next(1 << 3, 100), 3, "an acknowledged byte opens the window");
    NS_TEST_EXPECT_MSG_EQ(next(1 << 3 | 1 << 5, 100), -1, "both priorities are paused");
}

RDMA_TEST(RdmaNicSchedulerEarliest, "the earliest paced queue pair with bytes left, blocked or not")
{
    std::vector<std::unique_ptr<RdmaQueuePair>> qps;
    RdmaNicScheduler scheduler;
    NS_TEST_EXPECT_MSG_EQ(scheduler.EarliestPaced(0), std::numeric_limits<int64_t>::max(), "none");
    for (uint64_t id = 0; id < 3; ++id)
    {
        qps.push_back(MakeQueuePair(id));
        scheduler.Add(*qps.back(), 0);
        scheduler.SetNextAvailable(*qps.back(), 100 * static_cast<int64_t>(id + 1));
    }
    NS_TEST_EXPECT_MSG_EQ(scheduler.EarliestPaced(50), 100, "of 100, 200, 300");
    RdmaQueuePairProbe::Set(*qps[0], BYTES, 0);
    scheduler.Update(*qps[0]);
    NS_TEST_EXPECT_MSG_EQ(scheduler.EarliestPaced(50), 200, "0 has nothing left to send");
    RdmaQueuePairProbe::SetWindow(*qps[1], 1);
    RdmaQueuePairProbe::Set(*qps[1], 1000, 0);
    scheduler.Update(*qps[1]);
    NS_TEST_EXPECT_MSG_EQ(scheduler.EarliestPaced(50), 200, "1 counts although its window is full");
    NS_TEST_EXPECT_MSG_EQ((scheduler.EarliestPaced(250) <= 250), true, "and blocks the wake-up");
}

RDMA_TEST(RdmaNicSchedulerSetTurns, "queue pairs stand for others, wherever the round is")
{
    std::vector<std::unique_ptr<RdmaQueuePair>> qps;
    RdmaNicScheduler first;
    RdmaNicScheduler second;
    for (uint64_t id = 0; id < 7; ++id)
    {
        qps.push_back(MakeQueuePair(id));
        (id < 3 ? first : second).Add(*qps.back(), 0);
    }
    first.Next(0, 0);
    first.Next(0, 0); // 1 and 2, so 0 is next
    NS_TEST_EXPECT_MSG_EQ(first.GetTurn(*qps[0]).since, 2, "in turn");
    NS_TEST_EXPECT_MSG_EQ(first.GetTurn(*qps[2]).since, 0, "served last");
    NS_TEST_EXPECT_MSG_EQ(first.GetTurn(*qps[2]).place, 2, "added last");
    RdmaQueuePairProbe::Set(*qps[3], BYTES, BYTES);
    second.Update(*qps[3]); // finished, and still at place 0
    for (const uint64_t id : {4, 5, 6})
    {
        second.SetNextAvailable(*qps[id], static_cast<int64_t>(id));
    }
    // 6 stands for 0, 4 for 1, 5 for 2
    second.SetTurns({{first.GetTurn(*qps[1]), qps[4].get()},
                     {first.GetTurn(*qps[2]), qps[5].get()},
                     {first.GetTurn(*qps[0]), qps[6].get()}});
    for (const uint64_t id : {6, 4, 5, 6, 4})
    {
        const RdmaQueuePair* qp = second.Next(0, 100);
        RDMA_TEST_REQUIRE(EQ, (qp != nullptr), true, "one may send");
        NS_TEST_EXPECT_MSG_EQ(qp->GetId(), id, "as 0, 1, 2, 0, 1");
    }
    for (const int id : {4, 5, 6})
    {
        NS_TEST_EXPECT_MSG_EQ(second.GetNextAvailable(*qps[id]), id, "pacing stays with it");
    }
}

RDMA_TEST(RdmaNicSchedulerLeave, "who has left keeps a place until it would have been acknowledged")
{
    std::vector<std::unique_ptr<RdmaQueuePair>> qps;
    RdmaNicScheduler scheduler;
    for (uint64_t id = 0; id < 3; ++id)
    {
        qps.push_back(MakeQueuePair(id));
        scheduler.Add(*qps.back(), 0);
    }
    const auto next = [&](int64_t now) { return scheduler.Next(0, now)->GetId(); };
    scheduler.Leave(*qps[0], 100);
    NS_TEST_EXPECT_MSG_EQ(scheduler.GetQueuePairs().size(), 2, "places without queue pairs");
    NS_TEST_EXPECT_MSG_EQ(next(0), 1, "after place 0");
    NS_TEST_EXPECT_MSG_EQ(scheduler.GetTurn(*qps[1]).since, 0, "served last");
    NS_TEST_EXPECT_MSG_EQ(scheduler.GetTurn(*qps[2]).since, 2, "place 0 is still between");
    NS_TEST_EXPECT_MSG_EQ(next(0), 2, "in turn");
    NS_TEST_EXPECT_MSG_EQ(next(50), 1, "nobody is at place 0");
    qps.push_back(MakeQueuePair(3));
    scheduler.Add(*qps[3], 0);
    NS_TEST_EXPECT_MSG_EQ(next(60), 2, "in turn");
    NS_TEST_EXPECT_MSG_EQ(next(70), 3, "at place 3");
    NS_TEST_EXPECT_MSG_EQ(next(100), 1, "in turn; place 0 is passed over, and removed");
    NS_TEST_EXPECT_MSG_EQ(scheduler.GetTurn(*qps[3]).place, 2, "one less");
    NS_TEST_EXPECT_MSG_EQ(next(100), 2, "in turn");
}

/** What section 6 of the behaviour facts says of one queue pair. */
struct LiteralEntry
{
    uint64_t id;
    uint8_t priority;
    int64_t nextAvailable;
    uint64_t sndNxt;
    uint64_t sndUna;
    uint64_t window;

    bool IsFinished() const
    {
        return sndUna >= BYTES;
    }

    bool MaySend(uint32_t paused) const
    {
        return !(paused >> priority & 1) && sndNxt < BYTES &&
               !(window && sndNxt - sndUna >= window);
    }
};

/** The search of section 6, word for word. \return place chosen, or -1 */
int
LiteralNext(std::vector<LiteralEntry>& list, uint32_t& last, uint32_t paused, int64_t now)
{
    int chosen = -1;
    auto lowestFinished = static_cast<uint32_t>(list.size());
    for (uint32_t step = 1; step <= list.size(); ++step)
    {
        const auto place = static_cast<uint32_t>((last + step) % list.size());
        if (list[place].MaySend(paused))
        {
            if (list[place].nextAvailable <= now)
            {
                chosen = static_cast<int>(place);
                break;
            }
        }
        else if (list[place].IsFinished())
        {
            lowestFinished = std::min(lowestFinished, place);
        }
    }
    // those passed over go, and so do all finished ones behind the lowest of them
    std::vector<LiteralEntry> kept;
    int moved = chosen;
    for (uint32_t place = 0; place < list.size(); ++place)
    {
        if (place >= lowestFinished && list[place].IsFinished())
        {
            continue;
        }
        if (static_cast<int>(place) == chosen)
        {
            moved = static_cast<int>(kept.size());
        }
        kept.push_back(list[place]);
    }
    list = kept;
    if (moved >= 0)
    {
        last = static_cast<uint32_t>(moved);
    }
    return moved;
}

RDMA_TEST(RdmaNicSchedulerRandom, "random rounds, removals included, as in the behaviour facts")
{
    constexpr uint32_t SEEDS = harness::IsSanitized() ? 2 : 10;
    uint32_t removals = 0;
    uint32_t choices = 0;
    for (uint32_t seed = 1; seed <= SEEDS; ++seed)
    {
        std::mt19937 random(seed);
        std::vector<std::unique_ptr<RdmaQueuePair>> qps; // by number
        RdmaNicScheduler scheduler;
        std::vector<LiteralEntry> list;
        uint32_t last = 0;
        int64_t now = 0;
        const uint32_t most = seed % 2 ? 10 : 150; // more than two words of bits
        for (uint32_t step = 0; step < 8000; ++step)
        {
            now += random() % 3;
            if (list.size() < most && random() % 4 == 0)
            {
                const auto priority = static_cast<uint8_t>(1 + random() % 7);
                qps.push_back(MakeQueuePair(qps.size(), priority));
                scheduler.Add(*qps.back(), now);
                list.push_back({qps.size() - 1, priority, now, 0, 0, 0});
            }
            if (!list.empty())
            {
                LiteralEntry& e = list[random() % list.size()];
                RdmaQueuePair& qp = *qps[e.id];
                e.sndUna = std::min<uint64_t>(e.sndNxt, e.sndUna + random() % 3 * 1000);
                if (random() % 10 == 0)
                {
                    e.sndNxt = e.sndUna; // go back
                }
                e.window = random() % 3 * 2000;
                RdmaQueuePairProbe::Set(qp, e.sndNxt, e.sndUna);
                RdmaQueuePairProbe::SetWindow(qp, e.window);
                scheduler.Update(qp);
            }
            uint32_t paused = random() & 0xff;
            paused &= random();
            paused &= random();
            const size_t before = list.size();
            const int place = list.empty() ? -1 : LiteralNext(list, last, paused, now);
            RdmaQueuePair* qp = scheduler.Next(paused, now);
            removals += before - list.size();
            RDMA_TEST_REQUIRE(EQ,
                              (qp ? qp->GetId() : UINT64_MAX),
                              (place >= 0 ? list[place].id : UINT64_MAX),
                              "seed " << seed << " step " << step);
            const std::vector<RdmaQueuePair*> scheduled = scheduler.GetQueuePairs();
            RDMA_TEST_REQUIRE(EQ, scheduled.size(), list.size(), "step " << step);
            int64_t earliest = std::numeric_limits<int64_t>::max();
            bool ordered = true;
            for (size_t i = 0; i < list.size(); ++i)
            {
                ordered = ordered && scheduled[i]->GetId() == list[i].id;
                if (list[i].sndNxt < BYTES)
                {
                    earliest = std::min(earliest, list[i].nextAvailable);
                }
            }
            RDMA_TEST_REQUIRE(EQ, ordered, true, "seed " << seed << " step " << step);
            RDMA_TEST_REQUIRE(EQ,
                              std::max(scheduler.EarliestPaced(now), now),
                              std::max(earliest, now),
                              "seed " << seed << " step " << step);
            if (qp)
            {
                ++choices;
                LiteralEntry& e = list[place];
                e.sndNxt = std::min(e.sndNxt + 1000, BYTES);
                e.nextAvailable = now + random() % 8;
                RdmaQueuePairProbe::Set(*qp, e.sndNxt, e.sndUna);
                scheduler.SetNextAvailable(*qp, e.nextAvailable);
                scheduler.Update(*qp);
            }
        }
        scheduler.Clear();
        for (const auto& qp : qps)
        {
            NS_TEST_EXPECT_MSG_EQ(RdmaQueuePairProbe::IsScheduled(*qp), false, "removed");
        }
    }
    NS_TEST_EXPECT_MSG_GT(removals, SEEDS * 50, "finished queue pairs were removed");
    NS_TEST_EXPECT_MSG_GT(choices, SEEDS * 1000, "frames were sent");
}

RdmaTestSuite<RdmaNicSchedulerTurns,
              RdmaNicSchedulerEarliest,
              RdmaNicSchedulerSetTurns,
              RdmaNicSchedulerLeave,
              RdmaNicSchedulerRandom>
    g_rdmaNicSchedulerSuite("rdma-nic-scheduler");

} // namespace
