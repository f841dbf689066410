/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"

#include "ns3/rdma-event-queue.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <vector>

using namespace ns3;

namespace
{

/** Writes its number into a log, and does whatever else a test wants. */
struct Probe : public RdmaEvent
{
    Probe(int n, std::vector<int>& l)
        : number(n),
          log(l)
    {
    }

    void Fire() override
    {
        log.push_back(number);
        if (then)
        {
            then();
        }
    }

    int number;
    std::vector<int>& log;
    std::function<void()> then;
};

void
FireAll(RdmaEventQueue& queue)
{
    while (!queue.IsEmpty())
    {
        queue.FireFirst();
    }
}

RDMA_TEST(RdmaEventQueueOrder, "events fire by time, then in the order of scheduling")
{
    RdmaEventQueue queue;
    std::vector<int> log;
    Probe a(1, log);
    Probe b(2, log);
    Probe c(3, log);
    Probe d(4, log);
    queue.Schedule(a, 20);
    queue.Schedule(b, 10);
    queue.Schedule(c, 20);
    queue.Schedule(d, 10);
    FireAll(queue);
    NS_TEST_EXPECT_MSG_EQ((log == std::vector<int>{2, 4, 1, 3}), true, "10: b d; 20: a c");
    NS_TEST_EXPECT_MSG_EQ(queue.Now(), 20, "time of the last event");
    NS_TEST_EXPECT_MSG_EQ(queue.GetEventCount(), 4, "four fired");
}

RDMA_TEST(RdmaEventQueueSequences, "a place taken early is kept, used late, or never used")
{
    RdmaEventQueue queue;
    std::vector<int> log;
    Probe a(1, log);
    Probe b(2, log);
    Probe c(3, log);
    const uint64_t early = queue.ReserveSequence();
    queue.ReserveSequence(); // never used
    queue.Schedule(b, 10);
    queue.Schedule(c, 10);
    NS_TEST_EXPECT_MSG_EQ(queue.IsPast(10, early), false, "10 is still to come");
    queue.ScheduleAt(a, 10, early);
    FireAll(queue);
    NS_TEST_EXPECT_MSG_EQ((log == std::vector<int>{1, 2, 3}), true, "a goes before b and c");
    NS_TEST_EXPECT_MSG_EQ(queue.IsPast(10, early), true, "over");
    NS_TEST_EXPECT_MSG_EQ(queue.IsPast(10, queue.ReserveSequence()),
                          false,
                          "later at the same time");
}

/** Asks to be told every 10 steps, and notes what it is told and how much had happened by then. */
struct EveryTen : public RdmaClockWatch
{
    int64_t TimePasses(int64_t time) override
    {
        told.push_back({time, queue.Now(), static_cast<int64_t>(queue.GetEventCount())});
        return stops ? time : (time / 10 + 1) * 10;
    }

    explicit EveryTen(RdmaEventQueue& q)
        : queue(q)
    {
    }

    RdmaEventQueue& queue;
    std::vector<std::vector<int64_t>> told;
    bool stops{false};
};

RDMA_TEST(RdmaEventQueueWatch, "who watches is told before time passes, and changes nothing")
{
    RdmaEventQueue queue;
    EveryTen watch(queue);
    std::vector<int> log;
    Probe a(1, log);
    Probe b(2, log);
    Probe c(3, log);
    queue.SetWatch(&watch, 10);
    queue.Schedule(a, 5);
    queue.Schedule(b, 10);
    queue.Schedule(c, 35);
    FireAll(queue);
    queue.SetNow(38, queue.ReserveSequence()); // not 40 yet
    queue.SetNow(41, queue.ReserveSequence());
    // told of 10, 35 and 41; it was 5, 10 and 38 then, with 1, 2 and 3 events fired
    const std::vector<std::vector<int64_t>> expected{{10, 5, 1}, {35, 10, 2}, {41, 38, 3}};
    NS_TEST_EXPECT_MSG_EQ((watch.told == expected), true, "before each, and not in between");
    NS_TEST_EXPECT_MSG_EQ(queue.GetEventCount(), 3, "no events of its own");
    watch.stops = true;
    queue.Schedule(a, 60);
    NS_TEST_EXPECT_MSG_EQ(queue.FireFirst(), false, "it has stopped the simulation before");
    NS_TEST_EXPECT_MSG_EQ(queue.Now(), 41, "which stays where it was");
    queue.SetWatch(nullptr, 0);
    watch.told.pop_back();
    queue.SetNow(1000, queue.ReserveSequence());
    NS_TEST_EXPECT_MSG_EQ(watch.told.size(), 3, "no more");
}

RDMA_TEST(RdmaEventQueueLooks, "who looks whether more is pending while it fires can go afterwards")
{
    RdmaEventQueue queue;
    std::vector<int> log;
    std::optional<Probe> probe;
    probe.emplace(1, log);
    bool empty = false;
    probe->then = [&]() {
        empty = queue.IsEmpty();
        queue.Schedule(*probe, 20);
    };
    queue.Schedule(*probe, 10);
    queue.FireFirst();
    NS_TEST_EXPECT_MSG_EQ(empty, true, "nothing but what fires");
    NS_TEST_EXPECT_MSG_EQ(queue.IsEmpty(), false, "it comes again");
    probe.reset();
    NS_TEST_EXPECT_MSG_EQ(queue.IsEmpty(), true, "it took its entry with it");
}

RDMA_TEST(RdmaEventQueueMoves, "cancelled events do not fire, moved ones fire once")
{
    RdmaEventQueue queue;
    std::vector<int> log;
    Probe a(1, log);
    Probe b(2, log);
    Probe c(3, log);
    queue.Schedule(a, 10);
    queue.Schedule(b, 20);
    queue.Schedule(c, 30);
    queue.Cancel(a);
    queue.Schedule(b, 40); // later
    queue.Schedule(c, 5);  // earlier
    NS_TEST_EXPECT_MSG_EQ(a.IsPending(), false, "cancelled");
    NS_TEST_EXPECT_MSG_EQ(b.GetTime(), 40, "moved");
    queue.DropOutdated();
    FireAll(queue);
    NS_TEST_EXPECT_MSG_EQ((log == std::vector<int>{3, 2}), true, "c at 5, b at 40");

    {
        Probe gone(4, log);
        queue.Schedule(gone, 50);
        queue.Schedule(gone, 60);
    }
    queue.Schedule(a, 70);
    FireAll(queue);
    NS_TEST_EXPECT_MSG_EQ((log == std::vector<int>{3, 2, 1}), true, "what is destroyed is silent");

    // an event that outlives its queue is no longer pending
    auto other = std::make_unique<RdmaEventQueue>();
    other->Schedule(a, 5);
    other.reset();
    NS_TEST_EXPECT_MSG_EQ(a.IsPending(), false, "its queue is gone");
}

/** The same operations on the queue and on a sorted map; what fires must agree. */
class RandomEvents
{
  public:
    explicit RandomEvents(uint32_t seed)
        : m_random(seed)
    {
        for (int i = 0; i < EVENTS; ++i)
        {
            Renew(i);
        }
    }

    /** \return whether the twin agreed all along */
    bool Run(int operations)
    {
        for (int i = 0; i < operations && m_agree; ++i)
        {
            if (Draw(3) == 0)
            {
                Fire();
            }
            else
            {
                Operate();
            }
        }
        while (m_agree && !m_twin.empty())
        {
            m_quiet = true;
            Fire();
        }
        return m_agree && m_queue.IsEmpty();
    }

  private:
    static constexpr int EVENTS = 40;
    using Key = std::pair<int64_t, uint64_t>; // time, place

    uint32_t Draw(uint32_t n)
    {
        return static_cast<uint32_t>(m_random() % n);
    }

    void Renew(int i)
    {
        Forget(i);
        m_events[i] = std::make_unique<Probe>(i, m_log);
        m_events[i]->then = [this] {
            for (uint32_t n = m_quiet ? 0 : Draw(4); n > 0; --n)
            {
                Operate(); // while the firing event's entry is a hole
            }
        };
    }

    void Forget(int i)
    {
        for (auto it = m_twin.begin(); it != m_twin.end(); ++it)
        {
            if (it->second == i)
            {
                m_twin.erase(it);
                return;
            }
        }
    }

    void Schedule(int i, int64_t time, uint64_t place)
    {
        Forget(i);
        m_twin[{time, place}] = i;
    }

    void Operate()
    {
        const int i = static_cast<int>(Draw(EVENTS));
        const int64_t time = m_queue.Now() + Draw(6);
        switch (Draw(8))
        {
        case 0:
            m_queue.Cancel(*m_events[i]);
            Forget(i);
            break;
        case 1:
            m_queue.DropOutdated();
            break;
        case 2:
            if (m_log.empty() || m_log.back() != i) // not the one that may be firing
            {
                Renew(i);
            }
            break;
        case 3:
            m_reserved.emplace_back(time, m_queue.ReserveSequence());
            break;
        case 4:
            if (!m_reserved.empty())
            {
                const Key key = m_reserved.back();
                m_reserved.pop_back();
                if (!m_queue.IsPast(key.first, key.second))
                {
                    m_queue.ScheduleAt(*m_events[i], key.first, key.second);
                    Schedule(i, key.first, key.second);
                }
            }
            break;
        default:
            const uint64_t place = m_queue.ReserveSequence() + 1; // the one that Schedule takes
            m_queue.Schedule(*m_events[i], time);
            Schedule(i, time, place);
            break;
        }
    }

    void Fire()
    {
        if (m_queue.IsEmpty() != m_twin.empty())
        {
            m_agree = false;
            return;
        }
        if (m_twin.empty())
        {
            return;
        }
        const auto [key, expected] = *m_twin.begin();
        m_twin.erase(m_twin.begin());
        m_agree = m_queue.FirstTime() == key.first && m_queue.FirstPlace() == key.second;
        const size_t before = m_log.size();
        m_queue.FireFirst();
        m_agree = m_agree && m_log.size() == before + 1 && m_log.back() == expected &&
                  m_queue.Now() == key.first;
        for (int i = 0; i < EVENTS; ++i)
        {
            bool pending = false;
            for (const auto& entry : m_twin)
            {
                pending = pending || entry.second == i;
            }
            m_agree = m_agree && m_events[i]->IsPending() == pending;
        }
    }

    std::mt19937 m_random;
    std::vector<int> m_log;
    RdmaEventQueue m_queue;
    std::unique_ptr<Probe> m_events[EVENTS];
    std::map<Key, int> m_twin;
    std::vector<Key> m_reserved;
    bool m_agree{true};
    bool m_quiet{false};
};

RDMA_TEST(RdmaEventQueueRandom, "random operations fire what a sorted map says")
{
    for (uint32_t seed = 1; seed <= 20; ++seed)
    {
        NS_TEST_EXPECT_MSG_EQ(RandomEvents(seed).Run(5000), true, "seed " << seed);
    }
}

RdmaTestSuite<RdmaEventQueueOrder,
              RdmaEventQueueSequences,
              RdmaEventQueueWatch,
              RdmaEventQueueLooks,
              RdmaEventQueueMoves,
              RdmaEventQueueRandom>
    g_rdmaEventQueueSuite("rdma-event-queue");

} // namespace
