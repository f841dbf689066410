/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Fast-forward inside ns-3, in a few cases: off it is packet level, on it leaves most of it out,
// and its log tells what it decides. The many cases are in the project's own tests.

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/global-value.h"
#include "ns3/log.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/rdma-ethernet.h"
#include "ns3/rdma-flow-source.h"
#include "ns3/rdma-helper.h"
#include "ns3/rdma-routing.h"
#include "ns3/rdma-topology-generator.h"
#include "ns3/rdma-traffic-generator.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-ack-loads.h"
#include "ns3/wormhole-helper.h"
#include "ns3/wormhole-simulator-impl.h"

#include <array>
#include <cstdint>
#include <iostream>
#include <map>
#include <regex>
#include <sstream>
#include <type_traits>
#include <utility>

namespace ns3
{

namespace
{

using wormhole::PartitionState;

/** Up to ns-3.41, durations are enumerators of TestCase itself. */
template <typename T, typename = void>
struct WormholeTestDurations
{
    static constexpr auto QUICK = T::QUICK;
};

/** From ns-3.42 on, they are those of a scoped enumeration. */
template <typename T>
struct WormholeTestDurations<T, std::void_t<typename T::Duration>>
{
    static constexpr auto QUICK = T::Duration::QUICK;
};

constexpr uint64_t FLOWS = 8;
constexpr uint64_t FLOW_BYTES = 10000000;
constexpr uint64_t PAYLOAD = 1000;

/** What came out of a run. */
struct Outcome
{
    std::map<uint64_t, int64_t> ends; ///< by flow, time steps
    uint64_t packetHops{0};           ///< of data, simulated
    WormholePacketHops hops;
    wormhole::ControllerStatistics statistics;

    /** \return how often a partition came into \p state from another */
    uint64_t Entered(PartitionState state) const
    {
        uint64_t count = 0;
        for (std::size_t from = 0; from < wormhole::PARTITION_STATES; ++from)
        {
            const auto to = static_cast<std::size_t>(state);
            count += from == to ? 0 : statistics.transitions[from][to];
        }
        return count;
    }
};

/** Each of four hosts on a switch sends 10 MB to the next one, and again 2 ms later. */
Outcome
Simulate()
{
    const RdmaTopology topology = GenerateRdmaTopology("star:hosts=4,rate=100Gbps,delay=1us");
    RdmaHelper rdma;
    rdma.SetHostAttribute("PayloadSize", UintegerValue(PAYLOAD));
    rdma.SetCongestionControl("ns3::RdmaHpcc");
    const Ptr<RdmaNetwork> network = rdma.Install(topology);
    auto ring = GenerateRdmaTraffic("ring:bytes=10MB", topology, 1);
    const auto again = GenerateRdmaTraffic("ring:bytes=10MB,start=2ms", topology, 1);
    ring.insert(ring.end(), again.begin(), again.end());
    RdmaFlowSource flows(network, ring, RdmaFlowOptions());
    Outcome outcome;
    flows.SetEndCallback(
        [&outcome](const RdmaQueuePair& qp) { outcome.ends[qp.GetId()] = qp.GetEndTime(); });
    flows.Start();
    Simulator::Run();
    outcome.packetHops = network->GetContext().counters.packetHops;
    outcome.hops = WormholeHelper::CountPacketHops();
    const auto simulator = DynamicCast<WormholeSimulatorImpl>(Simulator::GetImplementation());
    if (const WormholeNetwork* fast = simulator ? simulator->Find(*network) : nullptr)
    {
        outcome.statistics = fast->GetController().Statistics();
    }
    Simulator::Destroy();
    return outcome;
}

/** \return the same under fast-forward with these attributes; by default it may skip however little
 * there is to save */
Outcome
RunFast(const std::map<std::string, double>& attributes = {{"MinSaving", 0}})
{
    WormholeHelper wormhole;
    for (const auto& [name, value] : attributes)
    {
        wormhole.Set(name, DoubleValue(value));
    }
    wormhole.Enable();
    return Simulate();
}

/** A case that leaves no simulator and no defaults behind for the next one. */
class WormholeTestCase : public TestCase
{
  protected:
    using TestCase::TestCase;

  private:
    void DoTeardown() override
    {
        Simulator::Destroy();
        GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::DefaultSimulatorImpl"));
        Config::Reset();
    }
};

/** Off. */
class WormholeOff : public WormholeTestCase
{
  public:
    WormholeOff()
        : WormholeTestCase("switched off, it is packet level, bit for bit")
    {
    }

  private:
    void DoRun() override
    {
        const Outcome packet = Simulate();
        WormholeHelper wormhole;
        wormhole.Set("Enabled", BooleanValue(false));
        wormhole.Enable();
        const Outcome off = Simulate();
        NS_TEST_EXPECT_MSG_EQ(packet.ends.size(), FLOWS, "all flows end");
        NS_TEST_EXPECT_MSG_EQ((off.ends == packet.ends), true, "at the same times");
        // each packet crosses two links: nothing is lost in a ring
        NS_TEST_EXPECT_MSG_EQ(packet.packetHops, 2 * FLOWS * FLOW_BYTES / PAYLOAD, "packet-hops");
        NS_TEST_EXPECT_MSG_EQ(off.packetHops, packet.packetHops, "the same number");
    }
};

/** Attributes of what it is derived from. */
class WormholeSets : public WormholeTestCase
{
  public:
    WormholeSets()
        : WormholeTestCase("inherited attributes are set as its own are, for one helper")
    {
    }

  private:
    void DoRun() override
    {
        WormholeHelper wormhole;
        wormhole.Set("EventsPerThread", UintegerValue(7)); // RdmaSimulatorImpl's
        wormhole.Set("Window", UintegerValue(9));
        wormhole.Enable();
        for (const auto& [name, value] : {std::pair{"EventsPerThread", 7U}, {"Window", 9U}})
        {
            UintegerValue set;
            Simulator::GetImplementation()->GetAttribute(name, set);
            NS_TEST_EXPECT_MSG_EQ(set.Get(), value, name);
        }
        Simulator::Destroy();
        Config::SetDefault("ns3::WormholeSimulatorImpl::Window", UintegerValue(11));
        WormholeHelper().Enable(); // knows nothing of what the other one was told
        UintegerValue window;
        Simulator::GetImplementation()->GetAttribute("Window", window);
        NS_TEST_EXPECT_MSG_EQ(window.Get(), 11, "the default is ns-3's");
    }
};

/** On. */
class WormholeOn : public WormholeTestCase
{
  public:
    WormholeOn()
        : WormholeTestCase("switched on, most is left out, and flows end within 2 % of their time")
    {
    }

  private:
    void DoRun() override
    {
        const Outcome packet = Simulate();
        const Outcome fast = RunFast();
        NS_TEST_ASSERT_MSG_EQ(fast.ends.size(), FLOWS, "all flows end");
        for (const auto& [flow, end] : packet.ends)
        {
            // the second half starts 2 ms after the first
            const int64_t start = flow < FLOWS / 2 ? 0 : MilliSeconds(2).GetTimeStep();
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(fast.ends.at(flow)),
                                      static_cast<double>(end),
                                      0.02 * static_cast<double>(end - start),
                                      "flow " << flow);
        }
        NS_TEST_EXPECT_MSG_LT(2 * fast.packetHops, packet.packetHops, "most packets are left out");
        NS_TEST_EXPECT_MSG_GT(fast.hops.skipped, 0, "some by a skip");
        NS_TEST_EXPECT_MSG_GT(fast.hops.replayed, 0, "some by a replay: all flows are alike");
        // data and acknowledgements together, with what was left out of both
        const double all = static_cast<double>(fast.hops.run) + fast.hops.skipped +
                           static_cast<double>(fast.hops.replayed);
        NS_TEST_EXPECT_MSG_EQ_TOL(all,
                                  2 * static_cast<double>(packet.packetHops),
                                  0.05 * 2 * static_cast<double>(packet.packetHops),
                                  "one acknowledgement per packet");
    }
};

/** Keeps what is logged. */
class LogCapture
{
  public:
    explicit LogCapture(const char* component)
        : m_component(component)
    {
        LogComponentEnable(component, static_cast<LogLevel>(LOG_LEVEL_INFO | LOG_PREFIX_TIME));
    }

    ~LogCapture()
    {
        LogComponentDisable(m_component, static_cast<LogLevel>(LOG_LEVEL_ALL | LOG_PREFIX_ALL));
        std::clog.rdbuf(m_before);
    }

    LogCapture(const LogCapture&) = delete;
    LogCapture& operator=(const LogCapture&) = delete;

    /** \return lines that contain a match of \p pattern */
    uint64_t Count(const std::string& pattern) const
    {
        const std::regex regex(pattern);
        std::istringstream lines(m_text.str());
        uint64_t count = 0;
        for (std::string line; std::getline(lines, line);)
        {
            count += std::regex_search(line, regex);
        }
        return count;
    }

  private:
    const char* m_component;
    std::ostringstream m_text;
    std::streambuf* m_before{std::clog.rdbuf(m_text.rdbuf())};
};

/** The log tells every decision that the statistics count; release builds have no log. */
class WormholeLog : public WormholeTestCase
{
  public:
    WormholeLog()
        : WormholeTestCase("each skip, wake and replay is logged, with its time, partition and why")
    {
    }

  private:
    void DoRun() override
    {
        const LogCapture log("WormholeNetwork");
        const Outcome fast = RunFast();
        for (const PartitionState state : {PartitionState::Skipping,
                                           PartitionState::Replaying,
                                           PartitionState::Waking,
                                           PartitionState::Following})
        {
            const std::string name = ToString(state);
            NS_TEST_EXPECT_MSG_GT(fast.Entered(state), 0, name << " happens");
#ifdef NS3_LOG_ENABLE
            NS_TEST_EXPECT_MSG_EQ(
                log.Count("^\\+[0-9.e-]+s .*partition [0-9]+ of [0-9]+ flows?: [A-Z][a-z]+ -> " +
                          name + ", [A-Z][A-Za-z]+"),
                fast.Entered(state),
                name << " is logged each time");
#endif
        }
#ifdef NS3_LOG_ENABLE
        NS_TEST_EXPECT_MSG_EQ(
            log.Count("-> Skipping, (Steady|RatesHeld|EpisodeOver), for \\+[0-9.]+us$"),
            fast.Entered(PartitionState::Skipping),
            "a skip, how long it is at most");
#else
        NS_TEST_EXPECT_MSG_EQ(log.Count("."), 0, "no log in this build");
#endif
    }
};

/** Fast-forward that may cost nothing gives up. */
class WormholeSuspends : public WormholeTestCase
{
  public:
    WormholeSuspends()
        : WormholeTestCase("suspended, it is packet level, and says so")
    {
    }

  private:
    void DoRun() override
    {
        const Outcome packet = Simulate();
        const LogCapture log("WormholeNetwork");
        const Outcome fast = RunFast({{"FreeWork", 0}, {"Overhead", 0}});
        NS_TEST_EXPECT_MSG_EQ((fast.ends == packet.ends), true, "flows end as on packet level");
        NS_TEST_EXPECT_MSG_GT(fast.statistics.suspensions, 0, "it is suspended");
#ifdef NS3_LOG_ENABLE
        NS_TEST_EXPECT_MSG_EQ(log.Count("^\\+[0-9.e-]+s .*fast-forward is suspended, with [0-9]+ "),
                              fast.statistics.suspensions,
                              "logged each time");
#endif
    }
};

/** Acknowledgements of 8 bit/s per flow at one port, of which its sender's link lets 8 come. */
class WormholeAckLoadsAtAPort : public WormholeTestCase
{
  public:
    WormholeAckLoadsAtAPort()
        : WormholeTestCase("flows that share a sender's or a receiver's link load a port as one")
    {
    }

  private:
    void DoRun() override
    {
        using wormhole::PortId;
        constexpr PortId AT{0};
        const auto flow = [](uint32_t sender, uint32_t receiver) {
            return WormholeAckLoad{PortId{sender}, PortId{receiver}, 8};
        };
        WormholeAckLoads loads(1);
        loads.Add(AT, flow(1, 2));
        NS_TEST_EXPECT_MSG_EQ(loads.Get(AT), 8, "one flow");
        loads.Add(AT, flow(1, 2));
        NS_TEST_EXPECT_MSG_EQ(loads.Get(AT), 8, "the next one of the same hosts");
        loads.Remove(AT, flow(1, 2));
        NS_TEST_EXPECT_MSG_EQ(loads.Get(AT), 8, "takes its place");
        loads.Add(AT, flow(1, 3));
        NS_TEST_EXPECT_MSG_EQ(loads.Get(AT), 8, "one sender to two receivers");
        loads.Add(AT, flow(4, 3));
        NS_TEST_EXPECT_MSG_EQ(loads.Get(AT), 16, "two senders, two receivers");
        loads.Remove(AT, flow(1, 2));
        NS_TEST_EXPECT_MSG_EQ(loads.Get(AT), 8, "two senders to one receiver");
        loads.Remove(AT, flow(1, 3));
        loads.Remove(AT, flow(4, 3));
        NS_TEST_EXPECT_MSG_EQ(loads.Get(AT), 0, "nobody");
    }
};

/** What flows share a port with comes and goes. */
class WormholeBesideOrdinaryPackets : public WormholeTestCase
{
  public:
    WormholeBesideOrdinaryPackets()
        : WormholeTestCase(
              "bursts of ordinary packets take their part of a flow's link only while they last")
    {
    }

  private:
    static constexpr uint32_t SENDER = 1;
    static constexpr uint32_t RECEIVER = 2;
    static constexpr int BURSTS = 4;
    static constexpr int IN_BURST = 2000;

    /** \return when a flow ends that shares its receiver's link with four bursts of 44 Gb/s */
    static int64_t Run()
    {
        const RdmaTopology topology = GenerateRdmaTopology("star:hosts=3,rate=100Gbps,delay=1us");
        RdmaHelper rdma;
        rdma.SetCongestionControl("ns3::RdmaDctcp");
        const Ptr<RdmaNetwork> network = rdma.Install(topology);
        int64_t end = 0;
        RdmaFlow flow;
        flow.dst = RECEIVER;
        flow.bytes = 40000000;
        flow.window = 100000;
        flow.onEnd = [&end](const RdmaQueuePair& qp) { end = qp.GetEndTime(); };
        network->StartFlow(flow);
        for (int i = 0; i < BURSTS * IN_BURST; ++i)
        {
            const auto at =
                MicroSeconds(1000 + 1000 * (i / IN_BURST)) + NanoSeconds(250 * (i % IN_BURST));
            Simulator::Schedule(at, [network] { Send(*network); });
        }
        Simulator::Run();
        Simulator::Destroy();
        return end;
    }

    static void Send(const RdmaNetwork& network)
    {
        constexpr uint32_t BYTES = 1400;
        std::array<uint8_t, BYTES> ip{};
        ip[0] = 0x45;
        const uint32_t to = RdmaRouting::AddressOf(RECEIVER);
        for (std::size_t i = 0; i < sizeof(to); ++i)
        {
            ip[RdmaEthernet::IP_DESTINATION_AT + i] = static_cast<uint8_t>(to >> (24 - 8 * i));
        }
        const Ptr<NetDevice> device = network.GetNode(SENDER)->GetDevice(0);
        device->Send(Create<Packet>(ip.data(), BYTES),
                     device->GetBroadcast(),
                     RdmaEthernet::TYPE_IPV4);
    }

    void DoRun() override
    {
        const int64_t packet = Run();
        WormholeHelper wormhole;
        wormhole.Set("MinSaving", DoubleValue(0));
        wormhole.Enable();
        const int64_t fast = Run();
        // Rates of a moment between two of these packets were skipped with after the last one: 4 %
        // late.
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(fast),
                                  static_cast<double>(packet),
                                  0.002 * static_cast<double>(packet),
                                  "as at packet level");
    }
};

/** The module's suite. */
class WormholeTestSuite : public TestSuite
{
  public:
    WormholeTestSuite()
        : TestSuite("wormhole", TestSuite::Type::UNIT)
    {
        constexpr auto QUICK = WormholeTestDurations<TestCase>::QUICK;
        AddTestCase(new WormholeOff, QUICK);
        AddTestCase(new WormholeSets, QUICK);
        AddTestCase(new WormholeOn, QUICK);
        AddTestCase(new WormholeLog, QUICK);
        AddTestCase(new WormholeAckLoadsAtAPort, QUICK);
        AddTestCase(new WormholeSuspends, QUICK);
        AddTestCase(new WormholeBesideOrdinaryPackets, QUICK);
    }
};

WormholeTestSuite g_wormholeTestSuite; //!< registers itself

} // namespace

} // namespace ns3
