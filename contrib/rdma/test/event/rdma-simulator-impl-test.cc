/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/rdma-simulator-impl.h"

#include <random>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** A program of ns-3 events that draws what it does next; its trace shows all that it sees. */
class RandomProgram
{
  public:
    explicit RandomProgram(uint32_t seed)
        : m_random(seed)
    {
    }

    /** \return what happened, in order */
    std::vector<std::string> Run()
    {
        for (int i = 0; i < 10; ++i)
        {
            Act();
        }
        for (int run = 0; run < 20; ++run) // a stopped simulation can go on
        {
            Simulator::Run();
            Note("run ended", static_cast<int64_t>(Simulator::IsFinished()));
            Act();
        }
        Simulator::Destroy();
        return std::move(m_trace);
    }

  private:
    static constexpr size_t LENGTH = 4000;

    int64_t Draw(uint32_t n)
    {
        return static_cast<int64_t>(m_random() % n);
    }

    void Note(const std::string& what, int64_t number)
    {
        m_trace.push_back(what + " " + std::to_string(number) + " at " +
                          std::to_string(Simulator::Now().GetTimeStep()));
    }

    void Happen(int64_t number)
    {
        Note("event", number);
        Note("context", Simulator::GetContext());
        for (int64_t n = m_trace.size() < LENGTH ? Draw(5) : 0; n > 0; --n)
        {
            Act();
        }
    }

    void Destroyed(int64_t number)
    {
        Note("destroy", number);
    }

    void Act()
    {
        const int64_t number = m_next++;
        const EventId some = m_ids.empty() ? EventId() : m_ids[Draw(m_ids.size())];
        const Time delay = TimeStep(static_cast<uint64_t>(Draw(5)));
        switch (Draw(12))
        {
        case 0:
            Simulator::Cancel(some);
            break;
        case 1:
            Simulator::Remove(some);
            break;
        case 2:
            m_ids.push_back(Simulator::ScheduleNow(&RandomProgram::Happen, this, number));
            break;
        case 3:
            m_ids.push_back(Simulator::ScheduleDestroy(&RandomProgram::Destroyed, this, number));
            break;
        case 4:
            Simulator::ScheduleWithContext(static_cast<uint32_t>(number % 7),
                                           delay,
                                           &RandomProgram::Happen,
                                           this,
                                           number);
            break;
        case 5:
            if (Draw(100) == 0)
            {
                Simulator::Stop(delay);
            }
            break;
        case 6:
            if (Draw(200) == 0)
            {
                Simulator::Stop();
            }
            break;
        case 7:
            Note("expired", static_cast<int64_t>(Simulator::IsExpired(some)));
            Note("left",
                 Simulator::IsExpired(some) ? -1 : Simulator::GetDelayLeft(some).GetTimeStep());
            break;
        default:
            m_ids.push_back(Simulator::Schedule(delay, &RandomProgram::Happen, this, number));
            break;
        }
    }

    std::mt19937 m_random;
    std::vector<std::string> m_trace;
    std::vector<EventId> m_ids;
    int64_t m_next{0};
};

RDMA_TEST(RdmaSimulatorImplRandom, "random programs run as under DefaultSimulatorImpl")
{
    size_t longest = 0;
    for (uint32_t seed = 1; seed <= 30; ++seed)
    {
        UseSimulator("ns3::DefaultSimulatorImpl");
        const auto expected = RandomProgram(seed).Run();
        UseSimulator("ns3::RdmaSimulatorImpl");
        const auto actual = RandomProgram(seed).Run();
        size_t same = 0;
        while (same < std::min(actual.size(), expected.size()) && actual[same] == expected[same])
        {
            ++same;
        }
        NS_TEST_EXPECT_MSG_EQ(
            same,
            expected.size(),
            "seed " << seed << ": \"" << (same < actual.size() ? actual[same] : "nothing")
                    << "\" instead of \"" << (same < expected.size() ? expected[same] : "nothing")
                    << '"');
        NS_TEST_EXPECT_MSG_EQ(actual.size(), expected.size(), "seed " << seed);
        longest = std::max(longest, expected.size());
    }
    NS_TEST_EXPECT_MSG_GT(longest, 4000, "programs did not die out early");
}

RDMA_TEST(RdmaSimulatorImplSchedulers, "any of ns-3's schedulers gives the same order")
{
    std::vector<std::vector<std::string>> traces;
    for (const std::string scheduler : {"Map", "Heap", "List", "Calendar"})
    {
        UseSimulator("ns3::RdmaSimulatorImpl");
        ObjectFactory factory("ns3::" + scheduler + "Scheduler");
        Simulator::SetScheduler(factory);
        traces.push_back(RandomProgram(3).Run());
        NS_TEST_EXPECT_MSG_EQ((traces.back() == traces.front()), true, scheduler);
    }
    NS_TEST_EXPECT_MSG_GT(traces.front().size(), 100, "the program did something");
}

/** Writes down in which order things happen. */
struct Order
{
    struct Rdma : public RdmaEvent
    {
        explicit Rdma(Order* o)
            : order(o)
        {
        }

        void Fire() override
        {
            order->text += "RDMA ";
        }

        Order* order;
    };

    void Happen()
    {
        text += "event ";
    }

    std::string text;
};

RDMA_TEST(RdmaSimulatorImplBoth, "RDMA events and ns-3's take turns in the order of scheduling")
{
    UseSimulator("ns3::RdmaSimulatorImpl");
    Ptr<RdmaSimulatorImpl> impl = DynamicCast<RdmaSimulatorImpl>(Simulator::GetImplementation());
    RDMA_TEST_REQUIRE(NE, impl, nullptr, "chosen by the global value");
    RdmaEventQueue& eventQueue = impl->GetEventQueue();
    Order order;
    Order::Rdma a(&order);
    Order::Rdma b(&order);
    const Time ten = TimeStep(10);
    eventQueue.Schedule(a, 10);
    Simulator::Schedule(ten, &Order::Happen, &order);
    eventQueue.Schedule(b, 10);
    Simulator::Schedule(ten, &Order::Happen, &order);
    Simulator::Schedule(TimeStep(5), &Order::Happen, &order);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(order.text, "event RDMA event RDMA event ", "5; then 10 four times");
    NS_TEST_EXPECT_MSG_EQ(Simulator::Now().GetTimeStep(), 10, "time of the last event");
    NS_TEST_EXPECT_MSG_EQ(Simulator::GetEventCount(), 5, "all count");
}

/** Asks, after all else of its instant, what is over. */
struct Latecomer : public RdmaEvent
{
    void Fire() override
    {
        earlierExpired = Simulator::IsExpired(earlier);
        const EventId own = Simulator::ScheduleNow([] {});
        ownExpired = Simulator::IsExpired(own);
        Simulator::Remove(earlier);
        Simulator::Remove(own);
    }

    EventId earlier;
    bool earlierExpired{false};
    bool ownExpired{true};
};

RDMA_TEST(RdmaSimulatorImplLast, "an RDMA event at the last place knows what is over")
{
    UseSimulator("ns3::RdmaSimulatorImpl");
    Ptr<RdmaSimulatorImpl> impl = DynamicCast<RdmaSimulatorImpl>(Simulator::GetImplementation());
    RDMA_TEST_REQUIRE(NE, impl, nullptr, "chosen by the global value");
    RdmaEventQueue& eventQueue = impl->GetEventQueue();
    Latecomer event;
    eventQueue.ScheduleAt(event, 10, eventQueue.TakeLastPlace());
    event.earlier = Simulator::Schedule(TimeStep(10), [] {});
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(event.earlierExpired, true, "it has happened at this instant");
    NS_TEST_EXPECT_MSG_EQ(event.ownExpired, false, "it is still to come");
    NS_TEST_EXPECT_MSG_EQ(Simulator::GetEventCount(), 2, "what is removed does not happen");
}

/** Removes an event. */
struct Remover : public RdmaEvent
{
    void Fire() override
    {
        Simulator::Remove(event);
    }

    EventId event;
};

RDMA_TEST(RdmaSimulatorImplRemoved, "an RDMA event removes the event that comes next")
{
    UseSimulator("ns3::RdmaSimulatorImpl");
    Ptr<RdmaSimulatorImpl> impl = DynamicCast<RdmaSimulatorImpl>(Simulator::GetImplementation());
    RDMA_TEST_REQUIRE(NE, impl, nullptr, "chosen by the global value");
    Remover remover;
    impl->GetEventQueue().Schedule(remover, 10);
    remover.event = Simulator::Schedule(TimeStep(20), [] {});
    Simulator::Schedule(TimeStep(30), [] {});
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(Simulator::Now().GetTimeStep(), 30, "time of the last event");
    NS_TEST_EXPECT_MSG_EQ(Simulator::GetEventCount(), 2, "what is removed does not happen");
}

RdmaTestSuite<RdmaSimulatorImplRandom,
              RdmaSimulatorImplSchedulers,
              RdmaSimulatorImplBoth,
              RdmaSimulatorImplLast,
              RdmaSimulatorImplRemoved>
    g_rdmaSimulatorImplSuite("rdma-simulator-impl");

} // namespace
