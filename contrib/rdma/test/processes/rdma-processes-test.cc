/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Windows (RdmaProcesses) against one queue: the same in all that a run leaves behind, the order of
// what is told included.

#include "rdma-test-case.h"
#include "rdma-test-network.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/nstime.h"
#include "ns3/rdma-event-log.h"
#include "ns3/rdma-flow-source.h"
#include "ns3/rdma-hpcc.h"
#include "ns3/rdma-processes.h"
#include "ns3/rdma-random.h"
#include "ns3/rdma-simulator-impl.h"
#include "ns3/rdma-topology-generator.h"
#include "ns3/rdma-traffic-generator.h"
#include "ns3/uinteger.h"

#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t TWIN_ALL = 1;
constexpr uint32_t TWIN_QUICK = 8; //!< one of so many networks

/** What a run leaves behind. */
struct TwinOutcome
{
    std::vector<std::string> told; //!< flows that ended and pauses, with the clock, in order
    std::vector<uint64_t> counters;
    uint64_t logged{0}; //!< of what happened to frames and flows
    uint64_t log{0};    //!< a digest of it, in order
    uint64_t events{0};
    uint64_t windows{0};
    uint64_t threaded{0}; //!< windows that several threads ran
    uint64_t inThem{0};   //!< events in windows
    uint64_t busiest{0};  //!< of them, those of the thread with most
    uint64_t merged{0};   //!< windows, or the ends of some
    uint64_t timeouts{0};

    bool operator==(const TwinOutcome& other) const
    {
        return told == other.told && counters == other.counters && events == other.events &&
               logged == other.logged && log == other.log;
    }
};

/** What a run is made of. */
struct TwinScenario
{
    RdmaTopology topology;
    std::vector<RdmaFlowSpec> flows;
    RdmaTestNetwork::Setup setup;
    bool asksForPauses{true};
    RdmaReactions reactions{RdmaReactions::NONE};
    int64_t failNs{0};   //!< link 0 goes down, and up as long after; 0 for never
    int64_t pauseNs{0};  //!< the simulation is stopped in between
    bool listens{false}; //!< to the frames that arrive somewhere
    bool logs{false};    //!< looks on at all that happens to frames and flows
    uint32_t reacts{0};  //!< so many flows more are started when others are delivered or end
    size_t spread{2048}; //!< as RdmaEventQueue::SetSpread
};

/** Link 0 goes down, as an event of the network. */
class TwinFailure final : public RdmaEvent
{
  public:
    explicit TwinFailure(RdmaNetwork& network)
        : m_network(network)
    {
    }

    ~TwinFailure() override
    {
        if (IsPending() && m_network.GetContext().eventQueue)
        {
            m_network.GetContext().eventQueue->Cancel(*this);
        }
    }

  private:
    void Fire() override
    {
        m_network.SetLinkUp(0, false);
    }

    RdmaNetwork& m_network;
};

/** Starts flows between hosts drawn in turn when others are delivered or end: at once, or a little
 * later. So whatever is told out of order, or later, changes the rest. */
class TwinReactor
{
  public:
    using Tell = std::function<void(const std::string&)>;

    TwinReactor(RdmaNetwork& network, uint32_t flows, Tell tell)
        : m_network(network),
          m_left(flows),
          m_tell(std::move(tell)),
          m_due(this)
    {
        for (uint32_t node = 0; network.GetHost(node); ++node)
        {
            m_hosts = node + 1;
        }
        if (flows)
        {
            Told();
        }
    }

    ~TwinReactor()
    {
        if (m_network.GetContext().eventQueue)
        {
            m_network.GetContext().eventQueue->Cancel(m_due);
        }
    }

  private:
    uint32_t Draw(uint32_t n)
    {
        return static_cast<uint32_t>(m_random() % n);
    }

    void Told()
    {
        RdmaContext& context = m_network.GetContext();
        if (!m_due.IsPending())
        {
            const int64_t later = Draw(4) ? 0 : Draw(3000) * context.clock.StepsPerNs();
            context.eventQueue->Schedule(m_due, context.eventQueue->Now() + later);
        }
    }

    void Start()
    {
        for (uint32_t flows = 1 + Draw(2); flows && m_left; --flows, --m_left)
        {
            RdmaFlow flow;
            flow.src = Draw(m_hosts);
            flow.dst = (flow.src + 1 + Draw(m_hosts - 1)) % m_hosts;
            flow.bytes = Draw(3) ? Draw(3000) : Draw(100000);
            flow.onDelivered = [this](const RdmaQueuePair& qp) { Note(qp, " delivered"); };
            flow.onEnd = [this](const RdmaQueuePair& qp) { Note(qp, " ended"); };
            m_network.StartFlow(flow);
        }
    }

    void Note(const RdmaQueuePair& qp, const std::string& what)
    {
        m_tell("reaction " + std::to_string(qp.GetId()) + what);
        Told();
    }

    RdmaNetwork& m_network;
    uint32_t m_left;
    Tell m_tell;
    RdmaMemberEvent<TwinReactor, &TwinReactor::Start> m_due;
    uint32_t m_hosts{0};
    std::mt19937 m_random{1};
};

std::vector<uint64_t>
TwinCounters(const RdmaTestNetwork& net)
{
    const RdmaCounters& c = net.Counters();
    return {c.packetHops,
            c.ackHops,
            c.bufferDrops,
            c.linkErrors,
            c.linkDownDrops,
            c.routeDrops,
            c.marks,
            c.pauses,
            c.resumes,
            c.nacks,
            c.timeouts,
            net.network->GetContext().frames.GetOut(),
            net.network->GetUnfinishedFlows().size()};
}

TwinOutcome
RunTwin(const TwinScenario& scenario, bool windows, uint32_t threads = 1)
{
    Config::SetDefault("ns3::RdmaSimulatorImpl::Windows", BooleanValue(windows));
    Config::SetDefault("ns3::RdmaSimulatorImpl::Threads", UintegerValue(threads));
    Config::SetDefault("ns3::RdmaSimulatorImpl::EventsPerThread", UintegerValue(1));
    Config::SetDefault("ns3::RdmaSimulatorImpl::ThreadTrial", BooleanValue(false));
    Simulator::Destroy();
    RdmaTestNetwork net(scenario.topology, scenario.setup);
    TwinOutcome outcome;
    const auto tell = [&outcome](const std::string& what) {
        outcome.told.push_back(std::to_string(Simulator::Now().GetTimeStep()) + " " + what);
    };
    net.network->SetReactions(scenario.reactions);
    net.network->GetContext().eventQueue->SetSpread(scenario.spread);
    for (uint32_t link = 0; scenario.asksForPauses && link < net.network->GetLinkCount(); ++link)
    {
        const auto [a, b] = net.network->GetLink(link);
        for (RdmaPort* port : {a, b})
        {
            RdmaTestListen(port->pfcTrace, [tell, port](uint32_t queue, bool pause) {
                tell("port " + std::to_string(port->GetPortId()) + " queue " +
                     std::to_string(queue) + (pause ? " paused" : " resumed"));
            });
        }
    }
    if (scenario.listens)
    {
        RdmaTestListen(net.Port(0).rxTrace, [tell](const RdmaFrame& frame) {
            tell("frame " + std::to_string(frame.seq));
        });
    }
    std::unique_ptr<RdmaEventLog> log;
    if (scenario.logs)
    {
        log = std::make_unique<RdmaEventLog>(*net.network, [&](const RdmaEventRecord& record) {
            uint64_t words[sizeof(record) / sizeof(uint64_t)];
            std::memcpy(words, &record, sizeof(record));
            for (const uint64_t word : words)
            {
                outcome.log = RdmaMix(outcome.log ^ word);
            }
            ++outcome.logged;
        });
    }
    RdmaFlowSource source(net.network, scenario.flows, {true, true});
    source.SetEndCallback([&](const RdmaQueuePair& qp) {
        tell("flow " + std::to_string(qp.GetId()) + " since " + std::to_string(qp.GetStartTime()) +
             " delivered " + std::to_string(qp.GetDeliveryTime()) + " ended " +
             std::to_string(qp.GetEndTime()) + " sent again " +
             std::to_string(qp.GetRetransmittedBytes()));
    });
    source.Start();
    TwinReactor reactor(*net.network, scenario.reacts, tell);
    TwinFailure failure(*net.network);
    if (scenario.failNs)
    {
        RdmaContext& context = net.network->GetContext();
        context.eventQueue->Schedule(failure, scenario.failNs * context.clock.StepsPerNs());
        net.At(2 * scenario.failNs, [&net]() { net.network->SetLinkUp(0, true); });
    }
    if (scenario.pauseNs)
    {
        net.Run(scenario.pauseNs);
        for (const uint64_t count : TwinCounters(net))
        {
            tell("so far " + std::to_string(count));
        }
    }
    net.Run();
    outcome.counters = TwinCounters(net);
    outcome.timeouts = net.Counters().timeouts;
    outcome.events = Simulator::GetEventCount();
    const auto simulator = DynamicCast<RdmaSimulatorImpl>(Simulator::GetImplementation());
    outcome.windows = simulator->GetWindowCount();
    outcome.threaded = simulator->GetWindowStatistics().threaded;
    outcome.inThem = simulator->GetWindowStatistics().events;
    outcome.busiest = simulator->GetWindowStatistics().busiestThread;
    outcome.merged = simulator->GetWindowStatistics().merged;
    Simulator::Destroy();
    Config::SetDefault("ns3::RdmaSimulatorImpl::Threads", UintegerValue(1));
    Config::SetDefault("ns3::RdmaSimulatorImpl::EventsPerThread", UintegerValue(96));
    Config::SetDefault("ns3::RdmaSimulatorImpl::ThreadTrial", BooleanValue(true));
    return outcome;
}

/** Links of some rates and delays between hosts and switches in no order; flows that start
 * together, or do not. */
TwinScenario
DrawTwinScenario(uint32_t seed)
{
    std::mt19937 random(seed);
    const auto draw = [&random](uint32_t n) { return static_cast<uint32_t>(random() % n); };
    const auto chance = [&draw](uint32_t percent) { return draw(100) < percent; };
    TwinScenario scenario;
    const uint32_t hosts = 2 + draw(8);
    const uint32_t switches = 1 + draw(4);
    scenario.topology.nodes.assign(hosts, RdmaNodeKind::HOST);
    scenario.topology.nodes.resize(hosts + switches, RdmaNodeKind::SWITCH);
    const bool equal = chance(60); // the more is equal, the more happens at equal times
    const char* rates[] = {"25Gbps", "100Gbps", "400Gbps"};
    const uint64_t delays[] = {0, 25, 500, 1000, 10000};
    const bool shortLinks = chance(30);
    const auto connect = [&](uint32_t a, uint32_t b) {
        RdmaLinkSpec link = RdmaTestLink(a, b);
        if (!equal)
        {
            link.rate = DataRate(rates[draw(3)]);
            link.delay = NanoSeconds(delays[(shortLinks ? 0 : 2) + draw(shortLinks ? 5 : 3)]);
        }
        scenario.topology.links.push_back(link);
    };
    for (uint32_t s = 1; s < switches; ++s)
    {
        connect(hosts + s, hosts + draw(s));
    }
    for (uint32_t i = 0; i < switches && switches > 1; ++i) // loops, links beside links
    {
        const uint32_t a = draw(switches);
        connect(hosts + a, hosts + (a + 1 + draw(switches - 1)) % switches);
    }
    for (uint32_t h = 0; h < hosts; ++h)
    {
        connect(h, hosts + draw(switches));
        if (chance(10))
        {
            connect(h, hosts + draw(switches));
        }
    }
    const bool together = chance(60);
    const uint64_t size = 1000 * (1 + draw(100));
    scenario.flows.resize(1 + draw(20));
    Time start;
    for (RdmaFlowSpec& flow : scenario.flows)
    {
        flow.src = draw(hosts);
        flow.dst = (flow.src + 1 + draw(hosts - 1)) % hosts;
        flow.bytes = equal ? size : draw(200000);
        flow.priority = static_cast<uint8_t>(chance(80) ? 3 : 1 + draw(7));
        flow.start = start;
        start += together ? Time() : NanoSeconds(draw(20000));
    }
    const char* controls[] = {"ns3::RdmaHpcc",
                              "ns3::RdmaDcqcn",
                              "ns3::RdmaTimely",
                              "ns3::RdmaDctcp",
                              "ns3::RdmaSwift"};
    const std::string control = controls[draw(5)];
    const uint32_t buffer = chance(50) ? 32 << 20 : 300000 + draw(1000000);
    const double errors = chance(30) ? 0.002 : 0;
    const bool exact = chance(30);
    const bool pfc = chance(80);
    const uint32_t timeoutUs = chance(50) ? 100 : 67000;
    scenario.setup = [=](RdmaHelper& helper) {
        helper.SetCongestionControl(control);
        helper.SetNetworkAttribute("Timing", StringValue(exact ? "exact" : "hpcc"));
        helper.SetHostAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(timeoutUs)));
        helper.SetSwitchAttribute("BufferSize", UintegerValue(buffer));
        helper.SetSwitchAttribute("Pfc", BooleanValue(pfc));
        helper.SetDefaultErrorRate(errors);
        for (const uint64_t rate : {25, 100, 400})
        {
            helper.SetEcnThresholds(rate * 1000000000, {5000, 50000, 0.2});
        }
    };
    scenario.failNs = chance(15) ? 20000 : 0;
    scenario.pauseNs = chance(30) ? 1 + draw(100000) : 0;
    scenario.logs = chance(25);
    return scenario;
}

RDMA_TEST_OF_SHARE(RdmaProcessesTwin, "windows give what one queue gives, in random networks")
{
    constexpr uint32_t NETWORKS = 1000 / SHARE;
    UseSimulator("ns3::RdmaSimulatorImpl");
    uint32_t inWindows = 0;
    uint32_t withTimeouts = 0;
    uint32_t withPauses = 0;
    uint32_t withLogs = 0;
    for (uint32_t seed = 1; seed <= NETWORKS; ++seed)
    {
        const TwinScenario scenario = DrawTwinScenario(seed);
        const TwinOutcome one = RunTwin(scenario, false);
        const TwinOutcome windows = RunTwin(scenario, true);
        NS_TEST_EXPECT_MSG_EQ(one.windows, 0, "not asked for, network " << seed);
        NS_TEST_EXPECT_MSG_EQ((one == windows), true, "network " << seed);
        inWindows += windows.windows > 0;
        withTimeouts += windows.windows > 0 && one.timeouts > 0;
        withPauses += windows.windows > 0 && one.told.size() > scenario.flows.size();
        withLogs += windows.windows > 0 && one.logged > 0;
    }
    NS_TEST_EXPECT_MSG_GT(inWindows, NETWORKS / 2, "most networks can be cut into processes");
    NS_TEST_EXPECT_MSG_GT(withTimeouts, NETWORKS / 50, "some have time-outs in between");
    NS_TEST_EXPECT_MSG_GT(withPauses, NETWORKS / 50, "some have pauses");
    NS_TEST_EXPECT_MSG_GT(withLogs, NETWORKS / 10, "in some, somebody looks on");
}

RDMA_TEST_OF_SHARE(RdmaProcessesThreads, "any number of threads gives what one queue gives")
{
    constexpr uint32_t NETWORKS = 400 / SHARE;
    UseSimulator("ns3::RdmaSimulatorImpl");
    uint32_t threaded = 0;
    uint32_t withTimeouts = 0;
    uint32_t withPauses = 0;
    uint32_t withFailures = 0;
    uint32_t withLogs = 0;
    for (uint32_t seed = 1; seed <= NETWORKS; ++seed)
    {
        const TwinScenario scenario = DrawTwinScenario(seed);
        const TwinOutcome one = RunTwin(scenario, false);
        bool any = false;
        for (const uint32_t threads : {2, 3, 4, 8})
        {
            const TwinOutcome several = RunTwin(scenario, true, threads);
            NS_TEST_EXPECT_MSG_EQ((one == several),
                                  true,
                                  "network " << seed << ", " << threads << " threads");
            any |= several.threaded > 0;
        }
        threaded += any;
        withTimeouts += any && one.timeouts > 0;
        withPauses += any && one.told.size() > scenario.flows.size();
        withFailures += any && scenario.failNs;
        withLogs += any && one.logged > 0;
    }
    NS_TEST_EXPECT_MSG_GT(threaded, NETWORKS / 3, "in many networks threads run");
    NS_TEST_EXPECT_MSG_GT(withTimeouts, NETWORKS / 100, "some have time-outs in between");
    NS_TEST_EXPECT_MSG_GT(withPauses, NETWORKS / 100, "some have pauses");
    NS_TEST_EXPECT_MSG_GT(withFailures, NETWORKS / 50, "some have a link that fails");
    NS_TEST_EXPECT_MSG_GT(withLogs, NETWORKS / 20, "in some, somebody looks on");
}

RDMA_TEST(RdmaProcessesBalance, "threads have about as much to do, from the first window on")
{
    UseSimulator("ns3::RdmaSimulatorImpl");
    TwinScenario scenario;
    scenario.topology = GenerateRdmaTopology("fat-tree:k=8");
    scenario.flows = GenerateRdmaTraffic("permutation:bytes=50KB", scenario.topology, 1);
    const TwinOutcome one = RunTwin(scenario, false);
    const TwinOutcome two = RunTwin(scenario, true, 2);
    NS_TEST_EXPECT_MSG_EQ((one == two), true, "the same");
    // 128 frames leave hosts at once: more ties than are sorted without buckets
    NS_TEST_EXPECT_MSG_EQ((one == RunTwin(scenario, true)), true, "by one thread, too");
    NS_TEST_EXPECT_MSG_EQ(two.threaded, two.windows, "several threads, in the first window, too");
    NS_TEST_EXPECT_MSG_LT(100 * two.busiest,
                          55 * two.inThem,
                          "hosts, and switches of each tier, are with both threads");
}

RDMA_TEST_OF_SHARE(RdmaProcessesReactions, "who acts on flows that end does so at the right time")
{
    constexpr uint32_t NETWORKS = 400 / SHARE;
    UseSimulator("ns3::RdmaSimulatorImpl");
    uint32_t inWindows = 0;
    uint32_t merged = 0;
    uint32_t threaded = 0;
    for (uint32_t seed = 1; seed <= NETWORKS; ++seed)
    {
        TwinScenario scenario = DrawTwinScenario(seed);
        scenario.reactions = RdmaReactions::TO_FLOWS;
        scenario.reacts = 30;
        // In merged windows, too, most events are in the wheel: when a link fails, all go back.
        scenario.spread = seed % 2 ? scenario.spread : 16;
        const TwinOutcome one = RunTwin(scenario, false);
        NS_TEST_EXPECT_MSG_GT(one.told.size(), 30, "30 flows are delivered and end");
        for (const uint32_t threads : {1, 2, 4})
        {
            const TwinOutcome several = RunTwin(scenario, true, threads);
            NS_TEST_EXPECT_MSG_EQ((one == several),
                                  true,
                                  "network " << seed << ", " << threads << " threads");
            inWindows += threads == 1 && several.windows > 0;
            merged += threads == 1 && several.merged > 0;
            threaded += threads == 4 && several.threaded > 0;
        }
    }
    NS_TEST_EXPECT_MSG_GT(inWindows, NETWORKS / 2, "most networks can be cut into processes");
    NS_TEST_EXPECT_MSG_GT(merged, NETWORKS / 2, "in which some windows are merged");
    NS_TEST_EXPECT_MSG_GT(threaded, NETWORKS / 4, "in many networks threads run");
}

/** Four hosts at one switch, each sending to the next. */
TwinScenario
TwinRing()
{
    TwinScenario scenario;
    scenario.topology = RdmaTestStar(4);
    for (uint32_t host = 0; host < 4; ++host)
    {
        RdmaFlowSpec flow;
        flow.src = host;
        flow.dst = (host + 1) % 4;
        flow.bytes = 1000000;
        scenario.flows.push_back(flow);
    }
    return scenario;
}

RDMA_TEST(RdmaProcessesLength, "a window is as long as the links that join processes")
{
    UseSimulator("ns3::RdmaSimulatorImpl");
    // A host sends 1,000 frames of 1,048 bytes (83 ns at 100 Gb/s), and as many acknowledgements of
    // 60 (4 ns): 87 us. The last frame is delivered two links later, at 89.1 us, and acknowledged
    // after two more, at 91.1 us: 92 windows of 1 us. In those in which all flows are delivered or
    // end, less than half of the window may be left to run node by node.
    const TwinOutcome windows = RunTwin(TwinRing(), true);
    NS_TEST_EXPECT_MSG_EQ((windows == RunTwin(TwinRing(), false)), true, "as one queue");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(windows.windows), 91, 1, "windows of 1 us");

    // host 0 and the switch become one process; the other links still have 1 us
    TwinScenario joined = TwinRing();
    joined.topology.links[0].delay = NanoSeconds(1);
    const TwinOutcome fewer = RunTwin(joined, true);
    NS_TEST_EXPECT_MSG_EQ((fewer == RunTwin(joined, false)), true, "as one queue");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(fewer.windows), 91, 1, "windows of 1 us");
}

/** A control that says nothing of what else it acts on. */
class TwinControl final : public RdmaHpcc
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::TwinControl").SetParent<RdmaHpcc>().AddConstructor<TwinControl>();
        return tid;
    }

    Ptr<RdmaCongestionControl> Fork() const override
    {
        return CopyObject<TwinControl>(this);
    }
};

RDMA_TEST(RdmaProcessesAside, "where a node may reach another at once, there are no windows")
{
    UseSimulator("ns3::RdmaSimulatorImpl");
    TwinScenario acts = TwinRing();
    acts.reactions = RdmaReactions::ANY;
    NS_TEST_EXPECT_MSG_EQ(RunTwin(acts, true).windows, 0, "who is told of pauses may act");
    TwinScenario controlled = TwinRing();
    controlled.setup = [](RdmaHelper& helper) {
        helper.SetCongestionControl(TwinControl::GetTypeId().GetName());
    };
    NS_TEST_EXPECT_MSG_EQ(RunTwin(controlled, true).windows, 0, "a control may act on others");
    TwinScenario listens = TwinRing();
    listens.listens = true;
    const TwinOutcome heard = RunTwin(listens, true);
    NS_TEST_EXPECT_MSG_EQ(heard.windows, 0, "frames are told in order");
    NS_TEST_EXPECT_MSG_EQ((heard == RunTwin(listens, false)), true, "as one queue");
    TwinScenario together = TwinRing();
    for (RdmaLinkSpec& link : together.topology.links)
    {
        link.delay = Time();
    }
    NS_TEST_EXPECT_MSG_EQ(RunTwin(together, true).windows, 0, "no link has a delay");
    NS_TEST_EXPECT_MSG_GT(RunTwin(TwinRing(), true).windows, 0, "else there are");
    Config::SetDefault("ns3::RdmaSimulatorImpl::Windows", BooleanValue(true));
}

/** A sink of traces. */
void
TwinIgnores(uint64_t)
{
}

RDMA_TEST(RdmaProcessesDeaf, "a trace that is listened to no more does not want every event")
{
    const uint64_t before = RdmaTraceUse::s_count;
    RdmaTrace<uint64_t> trace;
    trace.ConnectWithoutContext(MakeCallback(&TwinIgnores));
    trace.ConnectWithoutContext(MakeCallback(&TwinIgnores));
    NS_TEST_EXPECT_MSG_EQ(RdmaTraceUse::s_count, before + 1, "by trace, not by sink");
    trace.DisconnectWithoutContext(MakeCallback(&TwinIgnores)); // both
    NS_TEST_EXPECT_MSG_EQ(RdmaTraceUse::s_count, before, "nobody listens");
    trace.DisconnectWithoutContext(MakeCallback(&TwinIgnores));
    NS_TEST_EXPECT_MSG_EQ(RdmaTraceUse::s_count, before, "as before");
}

RDMA_TEST(RdmaProcessesRest, "windows that hold too little to be worth it give way to one queue")
{
    UseSimulator("ns3::RdmaSimulatorImpl");
    TwinScenario scenario;
    scenario.topology = RdmaTestStar(2);
    for (RdmaLinkSpec& link : scenario.topology.links)
    {
        link.rate = DataRate("1Gbps");
    }
    scenario.flows.resize(1);
    scenario.flows[0].dst = 1;
    scenario.flows[0].bytes = 10000000;
    const TwinOutcome windows = RunTwin(scenario, true);
    NS_TEST_EXPECT_MSG_EQ((windows == RunTwin(scenario, false)), true, "as one queue");
    // 10,000 frames of 1,048 bytes take 8.4 us each: a window of 1 us has one or two events, at one
    // node. A frame and its acknowledgement make four such visits at the least, so that there would
    // be 40,000 windows; after 16,384 visits, less than two events each are seen to be too few.
    NS_TEST_EXPECT_MSG_GT(windows.windows + windows.merged, 10000, "windows are tried");
    NS_TEST_EXPECT_MSG_LT(windows.windows + windows.merged, 16384 + 10, "and given up");
}

RDMA_TEST(RdmaProcessesFew, "few processes run in one queue, unless there are threads for them")
{
    UseSimulator("ns3::RdmaSimulatorImpl");
    TwinScenario ring = TwinRing();
    for (RdmaFlowSpec& flow : ring.flows)
    {
        flow.bytes = 8000000;
    }
    const TwinOutcome one = RunTwin(ring, false);
    const TwinOutcome windows = RunTwin(ring, true);
    NS_TEST_EXPECT_MSG_EQ((windows == one), true, "as one queue");
    // 32,000 frames and their acknowledgements make six events each at the least. A window of 1 us
    // has five processes; that these are fewer than 16 is seen once 65,536 events have run in
    // windows, after which a window (of four times 12 frames) runs at most.
    NS_TEST_EXPECT_MSG_GT(one.events, 192000, "enough of them");
    NS_TEST_EXPECT_MSG_GT(windows.inThem, 65535, "windows are tried");
    NS_TEST_EXPECT_MSG_LT(windows.inThem, 65536 + 2000, "and given up");
    const TwinOutcome threads = RunTwin(ring, true, 2);
    NS_TEST_EXPECT_MSG_EQ((threads == one), true, "as one queue");
    NS_TEST_EXPECT_MSG_GT(threads.inThem, 180000, "nearly all in windows");
}

RDMA_TEST(RdmaProcessesStarts, "windows in which many flows start are merged")
{
    UseSimulator("ns3::RdmaSimulatorImpl");
    constexpr uint32_t HOSTS = 16;
    constexpr uint32_t FLOWS = 10000;
    TwinScenario scenario;
    scenario.topology = RdmaTestStar(HOSTS);
    scenario.flows.resize(FLOWS);
    for (uint32_t i = 0; i < FLOWS; ++i)
    {
        RdmaFlowSpec& flow = scenario.flows[i];
        flow.src = i % HOSTS;
        flow.dst = (i + 1) % HOSTS;
        flow.bytes = 1000;
        flow.start = NanoSeconds(10 * i); // at each host 83 ns of 160 ns are taken
    }
    const TwinOutcome windows = RunTwin(scenario, true);
    NS_TEST_EXPECT_MSG_EQ((windows == RunTwin(scenario, false)), true, "as one queue");
    // 100 us of windows of 1 us, each with 100 starts; the last flows take 5 us
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(windows.merged), 100, 6, "each is merged");
    NS_TEST_EXPECT_MSG_LT(windows.windows, 12, "but the first and the last");
}

RdmaTestSuite<RdmaProcessesTwin<TWIN_QUICK>,
              RdmaProcessesThreads<TWIN_QUICK>,
              RdmaProcessesBalance,
              RdmaProcessesReactions<TWIN_QUICK>,
              RdmaProcessesLength,
              RdmaProcessesAside,
              RdmaProcessesDeaf,
              RdmaProcessesRest,
              RdmaProcessesFew,
              RdmaProcessesStarts>
    g_rdmaProcessesSuite("rdma-processes");

RdmaTestSuite<RdmaProcessesTwin<TWIN_ALL>,
              RdmaProcessesThreads<TWIN_ALL>,
              RdmaProcessesReactions<TWIN_ALL>>
    g_rdmaProcessesSlowSuite("rdma-processes-slow");

} // namespace
