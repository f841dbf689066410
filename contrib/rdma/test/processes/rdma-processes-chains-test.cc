/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Places in the order of scheduling that events take which schedule others for the same instant, at
// many nodes at once: in windows (RdmaProcesses) the same as in one queue.

#include "rdma-test-case.h"
#include "rdma-test-network.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/nstime.h"
#include "ns3/rdma-cut.h"
#include "ns3/rdma-processes.h"
#include "ns3/rdma-simulator-impl.h"
#include "ns3/uinteger.h"

#include <memory>
#include <random>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t CHAIN_HOSTS = 6;
constexpr int64_t CHAIN_LATER_NS = 3000; //!< three windows: its place is final by then

/** An event of a host that schedules others there, at once or within the window, and one behind the
 * window: the place that this takes is noted when it comes. */
class ChainEvent final : public RdmaEvent
{
  public:
    /** \param port of the host */
    explicit ChainEvent(RdmaPort& port)
        : m_port(port),
          m_late(this)
    {
    }

    ~ChainEvent() override
    {
        if (m_port.GetContext().eventQueue)
        {
            m_port.GetContext().eventQueue->Cancel(*this);
            m_port.GetContext().eventQueue->Cancel(m_late);
        }
    }

    /** \param process of the host, or 0 */
    void SetProcesses(uint32_t process)
    {
        SetProcess(process);
        m_late.SetProcess(process);
    }

    /** Lets \p child come \p ns after this one. */
    void Add(ChainEvent& child, int64_t ns)
    {
        m_children.emplace_back(&child, ns);
    }

    /** \return the place that was taken for the event behind the window; 0 if it never came */
    uint64_t GetPlace() const
    {
        return m_place;
    }

  private:
    void Fire() override
    {
        RdmaContext& context = m_port.GetContext();
        const int64_t now = context.eventQueue->Now();
        const int64_t ns = context.clock.StepsPerNs();
        for (const auto& [child, later] : m_children)
        {
            context.eventQueue->Schedule(*child, now + later * ns);
        }
        context.eventQueue->Schedule(m_late, now + CHAIN_LATER_NS * ns);
    }

    void Late()
    {
        m_place = m_port.GetContext().eventQueue->Place();
    }

    RdmaPort& m_port;
    std::vector<std::pair<ChainEvent*, int64_t>> m_children;
    RdmaMemberEvent<ChainEvent, &ChainEvent::Late> m_late;
    uint64_t m_place{0};
};

/** What a run of chains leaves behind. */
struct ChainOutcome
{
    std::vector<uint64_t> places; //!< of each event
    uint64_t windows{0};
    uint64_t threaded{0};
};

/** Chains of a draw: at each host a few events at one instant, of which each schedules up to three
 * others at its host, most of them for that very instant, the rest for one of two a little later,
 * and so on. */
class Chains
{
  public:
    static constexpr int64_t START_NS = 20100; //!< early in a window of 1 us

    Chains(const RdmaTestNetwork& net, uint32_t seed)
        : m_random(seed)
    {
        const uint32_t roots = 1 + Draw(4);
        for (uint32_t i = 0; i < roots * CHAIN_HOSTS; ++i)
        {
            const uint32_t host = Draw(CHAIN_HOSTS); // in no order, and so several at some
            m_roots.push_back(&Make(net, host, 1 + Draw(5), START_NS));
        }
    }

    void SetProcesses(const std::vector<uint32_t>& processOf)
    {
        for (size_t i = 0; i < m_events.size(); ++i)
        {
            m_events[i]->SetProcesses(processOf[m_hosts[i]]);
        }
    }

    void Start(RdmaContext& context)
    {
        for (ChainEvent* root : m_roots)
        {
            context.eventQueue->Schedule(*root, START_NS * context.clock.StepsPerNs());
        }
    }

    std::vector<uint64_t> GetPlaces() const
    {
        std::vector<uint64_t> places;
        for (const auto& event : m_events)
        {
            places.push_back(event->GetPlace());
        }
        return places;
    }

  private:
    uint32_t Draw(uint32_t n)
    {
        return static_cast<uint32_t>(m_random() % n);
    }

    ChainEvent& Make(const RdmaTestNetwork& net, uint32_t host, uint32_t depth, int64_t ns)
    {
        ChainEvent& event = *m_events.emplace_back(std::make_unique<ChainEvent>(net.Port(host)));
        m_hosts.push_back(host);
        for (uint32_t children = depth ? Draw(4) : 0; children; --children)
        {
            const int64_t later = Draw(3) ? 0 : 150 * (1 + Draw(2));
            if (ns + later < START_NS + 800) // else it would be in the next window
            {
                event.Add(Make(net, host, depth - 1, ns + later), later);
            }
        }
        return event;
    }

    std::mt19937 m_random;
    std::vector<std::unique_ptr<ChainEvent>> m_events;
    std::vector<uint32_t> m_hosts; //!< of each
    std::vector<ChainEvent*> m_roots;
};

ChainOutcome
RunChains(uint32_t seed, bool windows, uint32_t threads)
{
    Config::SetDefault("ns3::RdmaSimulatorImpl::Windows", BooleanValue(windows));
    Config::SetDefault("ns3::RdmaSimulatorImpl::Threads", UintegerValue(threads));
    Config::SetDefault("ns3::RdmaSimulatorImpl::EventsPerThread", UintegerValue(1));
    Config::SetDefault("ns3::RdmaSimulatorImpl::ThreadTrial", BooleanValue(false));
    Simulator::Destroy();
    RdmaTestNetwork net(RdmaTestStar(CHAIN_HOSTS + 2));
    net.network->SetReactions(RdmaReactions::NONE);
    net.Flow(CHAIN_HOSTS, CHAIN_HOSTS + 1, 1000000); // so that there are windows
    Chains chains(net, seed);
    std::vector<bool> hosts(CHAIN_HOSTS + 2, true);
    hosts.push_back(false);
    std::vector<RdmaCutLink> links;
    for (uint32_t host = 0; host < CHAIN_HOSTS + 2; ++host)
    {
        links.push_back({host, CHAIN_HOSTS + 2, net.Port(host).GetDelay()});
    }
    chains.SetProcesses(RdmaCut(hosts, links).GetProcesses());
    chains.Start(net.network->GetContext());
    net.Run(30000);
    const auto simulator = DynamicCast<RdmaSimulatorImpl>(Simulator::GetImplementation());
    ChainOutcome outcome{chains.GetPlaces(),
                         simulator->GetWindowCount(),
                         simulator->GetWindowStatistics().threaded};
    Config::SetDefault("ns3::RdmaSimulatorImpl::Windows", BooleanValue(true));
    Config::SetDefault("ns3::RdmaSimulatorImpl::Threads", UintegerValue(1));
    Config::SetDefault("ns3::RdmaSimulatorImpl::EventsPerThread", UintegerValue(96));
    Config::SetDefault("ns3::RdmaSimulatorImpl::ThreadTrial", BooleanValue(true));
    return outcome;
}

RDMA_TEST(RdmaProcessesChains, "events at one instant that schedule each other take their places")
{
    UseSimulator("ns3::RdmaSimulatorImpl");
    for (uint32_t seed = 1; seed <= 60; ++seed)
    {
        const ChainOutcome one = RunChains(seed, false, 1);
        NS_TEST_ASSERT_MSG_EQ(one.windows, 0, "one queue");
        for (const uint32_t threads : {1, 2, 3, 4})
        {
            const ChainOutcome several = RunChains(seed, true, threads);
            NS_TEST_EXPECT_MSG_GT(several.windows, 15, "windows, of 1 us in 30 us");
            NS_TEST_EXPECT_MSG_EQ((several.threaded > 0), (threads > 1), "threads run");
            NS_TEST_ASSERT_MSG_EQ(several.places.size(), one.places.size(), "the same events");
            for (size_t i = 0; i < one.places.size(); ++i)
            {
                NS_TEST_ASSERT_MSG_GT(one.places[i], 0, "each has come");
                NS_TEST_ASSERT_MSG_EQ(several.places[i],
                                      one.places[i],
                                      "draw " << seed << ", " << threads << " threads, event "
                                              << i);
            }
        }
    }
}

RdmaTestSuite<RdmaProcessesChains> g_rdmaProcessesChainsSuite("rdma-processes-chains");

} // namespace
