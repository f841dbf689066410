/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/sanitized.h"
#include "rdma-test-case.h"

#include "ns3/rdma-event-queue.h"
#include "ns3/rdma-event-wheel.h"

#include <memory>
#include <random>
#include <set>
#include <tuple>
#include <vector>

using namespace ns3;

namespace
{

RDMA_TEST(RdmaEventWheelOrder, "what is taken is no later than what stays, and nothing is lost")
{
    std::mt19937_64 random(1);
    for (uint32_t round = 0; round < harness::Repetitions(200); ++round)
    {
        uint64_t time = random() >> (random() % 64);
        RdmaEventWheel wheel(time);
        std::multiset<uint64_t> twin;
        bool agree = true;
        for (int step = 0; step < 50 && agree; ++step)
        {
            for (uint64_t n = random() % 200; n > 0 && time < UINT64_MAX; --n)
            {
                // near and far, up to the end of 64 bits, many at one time
                const uint64_t later = 1 + (random() >> (random() % 64)) % (UINT64_MAX - time);
                wheel.Insert({n, static_cast<int64_t>(time + later), nullptr});
                twin.insert(time + later);
            }
            const size_t least = 1 + random() % 40;
            const size_t before = twin.size();
            std::vector<RdmaEventEntry> taken;
            time = wheel.Take(least, taken);
            for (const RdmaEventEntry& entry : taken)
            {
                const auto at = twin.find(static_cast<uint64_t>(entry.time));
                agree = agree && at != twin.end() && *at <= time;
                at == twin.end() ? twin.end() : twin.erase(at);
            }
            agree = agree && taken.size() >= std::min(least, before) &&
                    (twin.empty() || *twin.begin() > time) && wheel.GetCount() == twin.size();
        }
        NS_TEST_EXPECT_MSG_EQ(agree, true, "round " << round);
    }
}

/** Thousands of events in the queue and in a sorted set; what fires must agree. */
class ManyEvents
{
  public:
    /** \param spread as RdmaEventQueue::SetSpread */
    ManyEvents(uint32_t seed, uint32_t events, size_t spread)
        : m_random(seed)
    {
        m_queue.SetSpread(spread);
        for (uint32_t i = 0; i < events; ++i)
        {
            m_events.push_back(std::make_unique<Event>(*this, i));
        }
        m_due.resize(events);
    }

    /** Fills, goes on at that level, and runs dry. \return whether the twin agreed all along */
    bool Run(uint32_t operations)
    {
        for (uint32_t i = 0; i < operations && m_agree; ++i)
        {
            if (Draw(operations) > i)
            {
                Operate();
            }
            else
            {
                Fire();
            }
            if (Draw(2000) == 0)
            {
                LiveThroughThePast();
            }
            m_spreadSeen = m_spreadSeen || m_queue.IsSpread();
        }
        m_quiet = true;
        while (m_agree && !m_twin.empty())
        {
            Fire();
        }
        return m_agree && m_queue.IsEmpty();
    }

    /** \return whether the wheel was in use */
    bool WasSpread() const
    {
        return m_spreadSeen;
    }

  private:
    struct Event final : public RdmaEvent
    {
        Event(ManyEvents& o, uint32_t n)
            : owner(o),
              number(n)
        {
        }

        void Fire() override
        {
            owner.Fired(number);
        }

        ManyEvents& owner;
        uint32_t number;
    };

    using Entry = std::tuple<uint64_t, uint64_t, uint32_t>; // time, place, event

    uint64_t Draw(uint64_t n)
    {
        return m_random() % n;
    }

    void Fired(uint32_t number)
    {
        m_agree = m_agree && number == m_expected;
        m_expected = UINT32_MAX;
        for (uint64_t n = m_quiet ? 0 : Draw(3); n > 0; --n)
        {
            Operate(); // while the firing event's entry is a hole
        }
    }

    void Forget(uint32_t i)
    {
        const Entry entry{m_due[i].first, m_due[i].second, i};
        m_twin.erase(entry);
        m_away.erase(entry);
    }

    void Set(uint32_t i, int64_t time, uint64_t place)
    {
        Forget(i);
        m_due[i] = {static_cast<uint64_t>(time), place};
        m_twin.emplace(static_cast<uint64_t>(time), place, i);
    }

    void Operate()
    {
        const auto i = static_cast<uint32_t>(Draw(m_events.size()));
        // mostly now and near, some far: 2^0 to 2^40 steps
        const auto time = m_queue.Now() + static_cast<int64_t>(Draw(uint64_t{1} << Draw(41)));
        switch (Draw(10))
        {
        case 0:
            m_queue.Cancel(*m_events[i]);
            Forget(i);
            break;
        case 1:
            m_reserved.emplace_back(time,
                                    Draw(8) ? m_queue.ReserveSequence() : m_queue.TakeLastPlace());
            break;
        case 2:
            if (!m_reserved.empty())
            {
                const auto [at, place] = m_reserved.back();
                m_reserved.pop_back();
                if (!m_queue.IsPast(at, place))
                {
                    m_queue.ScheduleAt(*m_events[i], at, place);
                    Set(i, at, place);
                }
            }
            break;
        case 3:
            if (Draw(500) == 0)
            {
                m_queue.DropOutdated();
            }
            break;
        case 4:
            if (Draw(100) == 0 && !m_suspended && i != m_firing)
            {
                Forget(i);
                m_events[i] = std::make_unique<Event>(*this, i);
            }
            break;
        default:
            m_queue.Schedule(*m_events[i], time);
            Set(i, time, m_queue.NewestPlace());
            break;
        }
    }

    void Fire()
    {
        if (m_queue.IsEmpty() || m_twin.empty())
        {
            m_agree = m_queue.IsEmpty() == m_twin.empty();
            return;
        }
        const auto [time, place, number] = *m_twin.begin();
        m_twin.erase(m_twin.begin());
        m_agree =
            static_cast<uint64_t>(m_queue.FirstTime()) == time && m_queue.FirstPlace() == place;
        m_expected = number;
        m_firing = number;
        m_queue.FireFirst();
        m_firing = UINT32_MAX;
        m_agree = m_agree && m_expected == UINT32_MAX;
    }

    void LiveThroughThePast()
    {
        const int64_t now = m_queue.Now();
        const int64_t from = now - static_cast<int64_t>(Draw(static_cast<uint64_t>(now) + 1));
        RdmaEventQueue::Suspension suspension = m_queue.Suspend(from);
        m_away.swap(m_twin);
        m_suspended = true; // and what is suspended must not be destroyed
        for (uint64_t n = Draw(2 * m_events.size()); n > 0; --n)
        {
            Operate();
        }
        const auto until = static_cast<uint64_t>(now);
        while (m_agree && !m_twin.empty() && std::get<0>(*m_twin.begin()) <= until)
        {
            Fire();
        }
        m_queue.RunUntil(now); // nothing is left to do
        m_queue.Restore(std::move(suspension));
        m_suspended = false;
        m_twin.merge(m_away);
        m_agree = m_agree && m_away.empty() && m_queue.Now() == now;
    }

    std::mt19937_64 m_random;
    RdmaEventQueue m_queue;
    std::vector<std::unique_ptr<Event>> m_events;
    std::vector<std::pair<uint64_t, uint64_t>> m_due; //!< of each event, when it was last scheduled
    std::set<Entry> m_twin;
    std::set<Entry> m_away; //!< suspended
    std::vector<std::pair<int64_t, uint64_t>> m_reserved;
    uint32_t m_expected{UINT32_MAX};
    uint32_t m_firing{UINT32_MAX};
    bool m_agree{true};
    bool m_quiet{false};
    bool m_suspended{false};
    bool m_spreadSeen{false};
};

RDMA_TEST(RdmaEventWheelTwin, "thousands of events fire as a sorted set says")
{
    for (uint32_t seed = 1; seed <= 12; seed += harness::IsSanitized() ? 4 : 1)
    {
        // 2,048 entries spread by themselves; a few do if they are told to
        const bool large = seed % 3 == 0;
        ManyEvents events(seed, large ? 6000 : 400, large ? 2048 : 1 << seed % 8);
        NS_TEST_EXPECT_MSG_EQ(events.Run(large ? 60000 : 20000), true, "seed " << seed);
        NS_TEST_EXPECT_MSG_EQ(events.WasSpread(), true, "the wheel was in use, seed " << seed);
    }
}

RdmaTestSuite<RdmaEventWheelOrder, RdmaEventWheelTwin> g_rdmaEventWheelSuite("rdma-event-wheel");

} // namespace
