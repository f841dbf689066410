/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Windows (RdmaProcesses) against one queue: the same in all that a run leaves behind, the order of
// what is told included.

#include "rdma-test-case.h"
#include "rdma-test-twin.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/rdma-helper.h"
#include "ns3/rdma-hpcc.h"
#include "ns3/rdma-processes.h"
#include "ns3/rdma-topology-generator.h"
#include "ns3/rdma-traffic-generator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t TWIN_ALL = 1;
// One of so many networks. Only the thread sanitizer finds more in many than in few.
#if defined(WORMHOLE_SANITIZED) && !defined(__SANITIZE_THREAD__)
constexpr uint32_t TWIN_QUICK = 12;
#else
constexpr uint32_t TWIN_QUICK = 8;
#endif

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
        const RdmaTwinScenario scenario = DrawRdmaTwinScenario(seed);
        const RdmaTwinOutcome one = RunRdmaTwin(scenario, false);
        const RdmaTwinOutcome windows = RunRdmaTwin(scenario, true);
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
        const RdmaTwinScenario scenario = DrawRdmaTwinScenario(seed);
        const RdmaTwinOutcome one = RunRdmaTwin(scenario, false);
        bool any = false;
        for (const uint32_t threads : {2, 3, 4, 8})
        {
            const RdmaTwinOutcome several = RunRdmaTwin(scenario, true, threads);
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

RDMA_TEST_OF_SHARE(RdmaProcessesWatched,
                   "flows that are watched run in windows while none is paused")
{
    constexpr uint32_t NETWORKS = 400 / SHARE;
    UseSimulator("ns3::RdmaSimulatorImpl");
    uint32_t inWindows = 0;
    uint32_t heldUp = 0;
    for (uint32_t seed = 1; seed <= NETWORKS; ++seed)
    {
        RdmaTwinScenario scenario = DrawRdmaTwinScenario(seed);
        scenario.watches = true;
        const RdmaTwinOutcome one = RunRdmaTwin(scenario, false);
        const RdmaTwinOutcome windows = RunRdmaTwin(scenario, true, 1 + seed % 3);
        NS_TEST_EXPECT_MSG_EQ(one.windows, 0, "not asked for, network " << seed);
        NS_TEST_EXPECT_MSG_EQ((one == windows), true, "network " << seed);
        const auto isOfWatcher = [](const std::string& told) {
            return told.find("seen") != std::string::npos;
        };
        const auto& told = one.told;
        inWindows += windows.windows > 0;
        heldUp += windows.windows > 0 && std::any_of(told.begin(), told.end(), isOfWatcher);
    }
    NS_TEST_EXPECT_MSG_GT(inWindows, NETWORKS / 3, "where all switches pause their senders");
    NS_TEST_EXPECT_MSG_GT(heldUp, NETWORKS / 50, "some have pauses");
}

RDMA_TEST(RdmaProcessesBalance, "threads have about as much to do, from the first window on")
{
    UseSimulator("ns3::RdmaSimulatorImpl");
    RdmaTwinScenario scenario;
    scenario.topology = GenerateRdmaTopology("fat-tree:k=8");
    scenario.flows = GenerateRdmaTraffic("permutation:bytes=50KB", scenario.topology, 1);
    const RdmaTwinOutcome one = RunRdmaTwin(scenario, false);
    const RdmaTwinOutcome two = RunRdmaTwin(scenario, true, 2);
    NS_TEST_EXPECT_MSG_EQ((one == two), true, "the same");
    // 128 frames leave hosts at once: more ties than are sorted without buckets
    const RdmaTwinOutcome windows = RunRdmaTwin(scenario, true);
    NS_TEST_EXPECT_MSG_EQ((one == windows), true, "by one thread, too");
    // in step, so that slices begin with many that are alike back to the window's beginning
    NS_TEST_EXPECT_MSG_EQ((one == RunRdmaTwin(scenario, true, 3)), true, "by three");
    NS_TEST_EXPECT_MSG_EQ((one == RunRdmaTwin(scenario, true, 8)), true, "by eight");
    NS_TEST_EXPECT_MSG_EQ(two.inThem,
                          windows.inThem,
                          "that threads are to run them is no reason to leave them out");
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
        RdmaTwinScenario scenario = DrawRdmaTwinScenario(seed);
        scenario.reactions = RdmaReactions::TO_FLOWS;
        scenario.reacts = 30;
        // In merged windows, too, most events are in the wheel: when a link fails, all go back.
        scenario.spread = seed % 2 ? scenario.spread : 16;
        const RdmaTwinOutcome one = RunRdmaTwin(scenario, false);
        NS_TEST_EXPECT_MSG_GT(one.told.size(), 30, "30 flows are delivered and end");
        for (const uint32_t threads : {1, 2, 4})
        {
            const RdmaTwinOutcome several = RunRdmaTwin(scenario, true, threads);
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
RdmaTwinScenario
TwinRing()
{
    RdmaTwinScenario scenario;
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
    const RdmaTwinOutcome windows = RunRdmaTwin(TwinRing(), true);
    NS_TEST_EXPECT_MSG_EQ((windows == RunRdmaTwin(TwinRing(), false)), true, "as one queue");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(windows.windows), 91, 1, "windows of 1 us");

    // host 0 and the switch become one process; the other links still have 1 us
    RdmaTwinScenario joined = TwinRing();
    joined.topology.links[0].delay = NanoSeconds(1);
    const RdmaTwinOutcome fewer = RunRdmaTwin(joined, true);
    NS_TEST_EXPECT_MSG_EQ((fewer == RunRdmaTwin(joined, false)), true, "as one queue");
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
    RdmaTwinScenario acts = TwinRing();
    acts.reactions = RdmaReactions::ANY;
    NS_TEST_EXPECT_MSG_EQ(RunRdmaTwin(acts, true).windows, 0, "who is told of pauses may act");
    RdmaTwinScenario controlled = TwinRing();
    controlled.setup = [](RdmaHelper& helper) {
        helper.SetCongestionControl(TwinControl::GetTypeId().GetName());
    };
    NS_TEST_EXPECT_MSG_EQ(RunRdmaTwin(controlled, true).windows, 0, "a control may act on others");
    RdmaTwinScenario listens = TwinRing();
    listens.listens = true;
    const RdmaTwinOutcome heard = RunRdmaTwin(listens, true);
    NS_TEST_EXPECT_MSG_EQ(heard.windows, 0, "frames are told in order");
    NS_TEST_EXPECT_MSG_EQ((heard == RunRdmaTwin(listens, false)), true, "as one queue");
    RdmaTwinScenario together = TwinRing();
    for (RdmaLinkSpec& link : together.topology.links)
    {
        link.delay = Time();
    }
    NS_TEST_EXPECT_MSG_EQ(RunRdmaTwin(together, true).windows, 0, "no link has a delay");
    NS_TEST_EXPECT_MSG_GT(RunRdmaTwin(TwinRing(), true).windows, 0, "else there are");
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
    RdmaTwinScenario scenario;
    scenario.topology = RdmaTestStar(2);
    for (RdmaLinkSpec& link : scenario.topology.links)
    {
        link.rate = DataRate("1Gbps");
    }
    scenario.flows.resize(1);
    scenario.flows[0].dst = 1;
    scenario.flows[0].bytes = 10000000;
    const RdmaTwinOutcome windows = RunRdmaTwin(scenario, true);
    NS_TEST_EXPECT_MSG_EQ((windows == RunRdmaTwin(scenario, false)), true, "as one queue");
    // 10,000 frames of 1,048 bytes take 8.4 us each: a window of 1 us has one or two events, at one
    // node. A frame and its acknowledgement make four such visits at the least, so that there would
    // be 40,000 windows; after 16,384 visits, less than two events each are seen to be too few.
    NS_TEST_EXPECT_MSG_GT(windows.windows + windows.merged, 10000, "windows are tried");
    NS_TEST_EXPECT_MSG_LT(windows.windows + windows.merged, 16384 + 10, "and given up");
}

RDMA_TEST(RdmaProcessesFew, "few processes run in one queue, unless there are threads for them")
{
    UseSimulator("ns3::RdmaSimulatorImpl");
    RdmaTwinScenario ring = TwinRing();
    for (RdmaFlowSpec& flow : ring.flows)
    {
        flow.bytes = 8000000;
    }
    const RdmaTwinOutcome deep = RunRdmaTwin(ring, true);
    NS_TEST_EXPECT_MSG_EQ((deep == RunRdmaTwin(ring, false)), true, "as one queue");
    NS_TEST_EXPECT_MSG_GT(deep.inThem, 180000, "nearly all in windows");
    for (RdmaLinkSpec& link : ring.topology.links)
    {
        link.delay = NanoSeconds(100);
    }
    const RdmaTwinOutcome one = RunRdmaTwin(ring, false);
    const RdmaTwinOutcome windows = RunRdmaTwin(ring, true);
    NS_TEST_EXPECT_MSG_EQ((windows == one), true, "as one queue");
    // 32,000 frames and their acknowledgements make six events each at the least. A window of 1 us
    // has five processes with 12 frames each, which is worth it; of 100 ns, five with one or two.
    // That these are fewer than 16 is seen once 65,536 events or 16,384 visits are over.
    NS_TEST_EXPECT_MSG_GT(one.events, 192000, "enough of them");
    NS_TEST_EXPECT_MSG_GT(windows.inThem, 20000, "windows are tried");
    NS_TEST_EXPECT_MSG_LT(windows.inThem, 180000, "and given up");
    const RdmaTwinOutcome threads = RunRdmaTwin(ring, true, 2);
    NS_TEST_EXPECT_MSG_EQ((threads == one), true, "as one queue");
    NS_TEST_EXPECT_MSG_GT(threads.inThem, 180000, "nearly all in windows");
}

RDMA_TEST(RdmaProcessesStarts, "windows in which many flows start are merged")
{
    UseSimulator("ns3::RdmaSimulatorImpl");
    constexpr uint32_t HOSTS = 16;
    constexpr uint32_t FLOWS = 10000;
    RdmaTwinScenario scenario;
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
    const RdmaTwinOutcome windows = RunRdmaTwin(scenario, true);
    NS_TEST_EXPECT_MSG_EQ((windows == RunRdmaTwin(scenario, false)), true, "as one queue");
    // 100 us of windows of 1 us, each with 100 starts; the last flows take 5 us
    // the first start is merged alone, for what windows held before says that much is left
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(windows.merged), 211, 6, "each is, in two parts");
    NS_TEST_EXPECT_MSG_LT(windows.windows, 12, "but the first and the last");
}

RDMA_TEST(RdmaProcessesFrames,
          "frames that go to another thread come back where windows are merged")
{
    UseSimulator("ns3::RdmaSimulatorImpl");
    constexpr uint32_t HOSTS = 16;
    constexpr uint32_t FLOWS = 5000;
    RdmaTwinScenario scenario;
    scenario.topology = RdmaTestStar(HOSTS);
    scenario.setup = [](RdmaHelper& helper) {
        helper.SetSwitchAttribute("BufferSize", UintegerValue(20000)); // nearly all is dropped
        helper.SetSwitchAttribute("Pfc", BooleanValue(false));
        helper.SetHostAttribute("RetryCount", UintegerValue(1));
    };
    scenario.flows.resize(FLOWS);
    for (uint32_t i = 0; i < FLOWS; ++i)
    {
        RdmaFlowSpec& flow = scenario.flows[i];
        flow.src = 1 + i % (HOSTS - 1);
        flow.dst = 0;
        flow.bytes = 20000;
        flow.start = NanoSeconds(150 * i); // at each host 1.7 us of 2.25 us are taken
    }
    const RdmaTwinOutcome one = RunRdmaTwin(scenario, true);
    const RdmaTwinOutcome two = RunRdmaTwin(scenario, true, 2);
    NS_TEST_EXPECT_MSG_EQ((two == one), true, "as by one");
    NS_TEST_EXPECT_MSG_GT(two.merged, 1000, "most are");
    NS_TEST_EXPECT_MSG_LT(two.frames, 4 * one.frames, "of 290,000 that are dropped");
}

RdmaTestSuite<RdmaProcessesTwin<TWIN_QUICK>,
              RdmaProcessesThreads<TWIN_QUICK>,
              RdmaProcessesWatched<TWIN_QUICK>,
              RdmaProcessesBalance,
              RdmaProcessesReactions<TWIN_QUICK>,
              RdmaProcessesLength,
              RdmaProcessesAside,
              RdmaProcessesDeaf,
              RdmaProcessesRest,
              RdmaProcessesFew,
              RdmaProcessesStarts,
              RdmaProcessesFrames>
    g_rdmaProcessesSuite("rdma-processes");

RdmaTestSuite<RdmaProcessesTwin<TWIN_ALL>,
              RdmaProcessesThreads<TWIN_ALL>,
              RdmaProcessesWatched<TWIN_ALL>,
              RdmaProcessesReactions<TWIN_ALL>>
    g_rdmaProcessesSlowSuite("rdma-processes-slow");

} // namespace
