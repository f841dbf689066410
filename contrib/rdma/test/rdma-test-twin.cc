/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-twin.h"

#include "rdma-test-watcher.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/nstime.h"
#include "ns3/rdma-event-log.h"
#include "ns3/rdma-processes.h"
#include "ns3/rdma-random.h"
#include "ns3/rdma-simulator-impl.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <utility>

namespace ns3
{

namespace
{

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

} // namespace

RdmaTwinOutcome
RunRdmaTwin(const RdmaTwinScenario& scenario, bool windows, uint32_t threads)
{
    Config::SetDefault("ns3::RdmaSimulatorImpl::Windows", BooleanValue(windows));
    Config::SetDefault("ns3::RdmaSimulatorImpl::Threads", UintegerValue(threads));
    Config::SetDefault("ns3::RdmaSimulatorImpl::EventsPerThread", UintegerValue(1));
    Config::SetDefault("ns3::RdmaSimulatorImpl::ThreadTrial", BooleanValue(false));
    Simulator::Destroy();
    RdmaTestNetwork net(scenario.topology, scenario.setup);
    RdmaTwinOutcome outcome;
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
    const RdmaTestWatcher watcher(*net.network, scenario.watches, tell);
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
    outcome.frames = net.network->GetContext().frames.GetCapacity();
    Simulator::Destroy();
    Config::SetDefault("ns3::RdmaSimulatorImpl::Threads", UintegerValue(1));
    Config::SetDefault("ns3::RdmaSimulatorImpl::EventsPerThread", UintegerValue(96));
    Config::SetDefault("ns3::RdmaSimulatorImpl::ThreadTrial", BooleanValue(true));
    return outcome;
}

RdmaTwinScenario
DrawRdmaTwinScenario(uint32_t seed)
{
    std::mt19937 random(seed);
    const auto draw = [&random](uint32_t n) { return static_cast<uint32_t>(random() % n); };
    const auto chance = [&draw](uint32_t percent) { return draw(100) < percent; };
    RdmaTwinScenario scenario;
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

} // namespace ns3
