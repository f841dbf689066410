/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Transfers on the packet level: when they are told, end points, failures, and long runs.

#include "harness/apart.h"
#include "harness/memory.h"
#include "harness/transfers.h"

#include "ns3/boolean.h"
#include "ns3/global-value.h"
#include "ns3/nstime.h"
#include "ns3/rdma-helper.h"
#include "ns3/rdma-input-error.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/workload-flow-transport.h"
#include "ns3/workload-rdma-transport.h"

#include <chrono>
#include <gtest/gtest.h>
#include <thread>

using namespace ns3;
using namespace harness;
using nlohmann::json;

namespace
{

constexpr uint64_t GBPS = 1000000000;
const char* const NATIVE = "ns3::RdmaSimulatorImpl";
const char* const DEFAULT = "ns3::DefaultSimulatorImpl";

using Work = std::function<json(WorkloadRdmaTransport&, RdmaNetwork&)>;

/** Builds a network in a process of its own and works on it. */
json
OnPackets(const RdmaTopology& topology,
          const Work& work,
          const char* simulator = NATIVE,
          const WorkloadRdmaOptions& options = {},
          bool nvSwitches = false,
          const std::function<void(RdmaHelper&)>& setup = {})
{
    return RunApart([&]() {
        Time::SetResolution(Time::PS);
        GlobalValue::Bind("SimulatorImplementationType", StringValue(simulator));
        RdmaHelper helper;
        if (setup)
        {
            setup(helper);
        }
        const WorkloadEndpoints ends = MakeWorkloadEndpoints(topology, nvSwitches);
        const Ptr<RdmaNetwork> network = helper.Install(ends.topology);
        json result;
        {
            WorkloadRdmaTransport transport(network, ends, options);
            result = work(transport, *network);
        }
        Simulator::Destroy();
        return result;
    });
}

class WorkloadOnSimulator : public testing::TestWithParam<const char*>
{
};

} // namespace

TEST_P(WorkloadOnSimulator, OneFlowOnALine)
{
    // 5 packets of 1,048 bytes at 80 ps a byte: 419,200 ps; two links of 1,000 ns; a packet more at
    // the second link. The acknowledgement has 60 bytes: 4,800 ps at each of two links.
    const json got = OnPackets(
        Star(2, 100 * GBPS, 1000),
        [](WorkloadRdmaTransport& transport, RdmaNetwork&) {
            TransferLog log(transport);
            transport.Start({0, 1, 5000, 0}, 7);
            transport.Run();
            return json{log.delivered.at(7), log.acknowledged.at(7), transport.Now()};
        },
        GetParam());
    const int64_t delivered = 419200 + 2000000 + 83840;
    EXPECT_EQ(got[0], delivered);
    EXPECT_EQ(got[1], delivered + 2000000 + int64_t{2} * 4800);
    EXPECT_EQ(got[2], got[1]) << "the run goes on after the last event";
}

TEST_P(WorkloadOnSimulator, TimersOfOneInstantInTheOrderOfTheCalls)
{
    const json got = OnPackets(
        Star(2, 100 * GBPS, 1000),
        [](WorkloadRdmaTransport& transport, RdmaNetwork&) {
            TransferLog log(transport);
            for (const uint64_t timer : {30, 10, 20})
            {
                transport.Schedule(1000, timer);
            }
            transport.Schedule(999, 5);
            transport.Schedule(0, 9);
            log.onTimer = [&](uint64_t timer) {
                if (timer == 5)
                {
                    transport.Schedule(1, 40);
                    transport.Schedule(0, 6);
                }
            };
            transport.Run();
            return json{log.timers, transport.Now()};
        },
        GetParam());
    EXPECT_EQ(got[0], json({9, 5, 6, 30, 10, 20, 40}));
    EXPECT_EQ(got[1], 1000);
}

TEST_P(WorkloadOnSimulator, AChainOfTransfersEndsTheRun)
{
    const json got = OnPackets(
        Star(3, 100 * GBPS, 100),
        [](WorkloadRdmaTransport& transport, RdmaNetwork&) {
            TransferLog log(transport);
            log.onDelivered = [&](uint64_t id) {
                if (id < 50)
                {
                    const auto at = static_cast<uint32_t>(id % 3);
                    transport.Start({(at + 1) % 3, (at + 2) % 3, 2000, 0}, id + 1);
                }
            };
            transport.Start({0, 1, 2000, 0}, 0);
            transport.Run();
            return json{log.delivered.size(), log.acknowledged.size()};
        },
        GetParam());
    EXPECT_EQ(got, json({51, 51}));
}

TEST_P(WorkloadOnSimulator, NoRouteFails)
{
    RdmaTopology topology = Star(3, 100 * GBPS, 0);
    topology.links.pop_back();
    const json got = OnPackets(
        topology,
        [](WorkloadRdmaTransport& transport, RdmaNetwork&) {
            TransferLog log(transport);
            transport.Start({0, 2, 10, 0}, 4);
            const bool early = !log.failed.empty();
            transport.Run();
            return json{early, log.failed.at(4)};
        },
        GetParam());
    EXPECT_EQ(got, json({false, "no route from node 0 to node 2"}));
}

TEST_P(WorkloadOnSimulator, ALinkThatFailsForGoodFailsTheTransfer)
{
    const json got = OnPackets(
        Star(2, 100 * GBPS, 1000),
        [](WorkloadRdmaTransport& transport, RdmaNetwork& network) {
            TransferLog log(transport);
            transport.Start({0, 1, 1000000, 0}, 4);
            Simulator::Schedule(MicroSeconds(20), &RdmaNetwork::SetLinkUp, &network, 1, false);
            transport.Run();
            return json{log.failed.at(4), log.delivered.size()};
        },
        GetParam(),
        {},
        false,
        [](RdmaHelper& helper) {
            helper.SetHostAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(50)));
        });
    EXPECT_EQ(got, json({"no route from node 0 to node 1", 0}));
}

TEST_P(WorkloadOnSimulator, WaitsForARouteIfAsked)
{
    WorkloadRdmaOptions options;
    options.waitForRoute = true;
    const json got = OnPackets(
        Star(2, 100 * GBPS, 1000),
        [](WorkloadRdmaTransport& transport, RdmaNetwork& network) {
            TransferLog log(transport);
            network.SetLinkUp(1, false);
            transport.Start({0, 1, 1000, 0}, 4);
            const std::string why = transport.Explain(4);
            Simulator::Schedule(MicroSeconds(20), &RdmaNetwork::SetLinkUp, &network, 1, true);
            transport.Run();
            return json{why, log.delivered.at(4)};
        },
        GetParam(),
        options);
    EXPECT_EQ(got, json({"no route from node 0 to node 1", 20000000 + 2000000 + 2 * 83840}));
}

INSTANTIATE_TEST_SUITE_P(Simulators,
                         WorkloadOnSimulator,
                         testing::Values(NATIVE, DEFAULT),
                         [](const auto& info) {
                             return info.param == NATIVE ? "Native" : "Default";
                         });

TEST(WorkloadTransports, BothSimulatorsAgreeOnAnAllToAll)
{
    const Work work = [](WorkloadRdmaTransport& transport, RdmaNetwork&) {
        TransferLog log(transport);
        for (uint32_t id = 0; id < 64; ++id)
        {
            if (id / 8 != id % 8)
            {
                transport.Start({id / 8, id % 8, 20000 + 100 * id, 0}, id);
            }
        }
        transport.Run();
        return json{log.delivered, log.acknowledged};
    };
    const RdmaTopology star = Star(8, 100 * GBPS, 500);
    EXPECT_EQ(OnPackets(star, work, NATIVE), OnPackets(star, work, DEFAULT));
}

TEST(WorkloadTransports, WindowsComeFromPathsAsAsked)
{
    // hosts 0 and 1 at one switch, host 2 behind another: RTT = 2 * delays + a payload per link
    RdmaTopology topology;
    topology.nodes = {RdmaNodeKind::HOST,
                      RdmaNodeKind::HOST,
                      RdmaNodeKind::HOST,
                      RdmaNodeKind::SWITCH,
                      RdmaNodeKind::SWITCH};
    for (const auto& [a, b] : {std::pair<uint32_t, uint32_t>{0, 3}, {1, 3}, {3, 4}, {2, 4}})
    {
        topology.links.push_back({a, b, 100 * GBPS, 1000, 0, 1});
    }
    const auto windowOf = [&](WorkloadWindow window) {
        WorkloadRdmaOptions options;
        options.window = window;
        return OnPackets(
            topology,
            [](WorkloadRdmaTransport& transport, RdmaNetwork& network) {
                TransferLog log(transport);
                transport.Start({0, 1, 1000, 0}, 0);
                const RdmaQueuePair* qp = network.GetUnfinishedFlows().front();
                json result{qp->GetWindow(), qp->GetBaseRttNs()};
                transport.Run();
                return result;
            },
            NATIVE,
            options);
    };
    // two links: 4,000 + 160 ns, 52,000 bytes; three links: 6,000 + 240 ns, 78,000 bytes
    EXPECT_EQ(windowOf(WorkloadWindow::NONE), json({0, 4160}));
    EXPECT_EQ(windowOf(WorkloadWindow::PAIR), json({52000, 4160}));
    EXPECT_EQ(windowOf(WorkloadWindow::LARGEST), json({78000, 6240}));
}

TEST(WorkloadTransports, ConnectionsPersistAsAsked)
{
    const auto ports = [](WorkloadConnections connections) {
        WorkloadRdmaOptions options;
        options.connections = connections;
        return OnPackets(
            Star(3, 100 * GBPS, 500),
            [](WorkloadRdmaTransport& transport, RdmaNetwork& network) {
                TransferLog log(transport);
                for (uint32_t id = 0; id < 6; ++id)
                {
                    // twice each: stream 0 and 1 to host 1, stream 0 to host 2
                    const bool other = id % 3 == 2;
                    transport.Start({0, other ? 2U : 1U, 20000, 0, id % 3 == 1}, id);
                }
                json result = json::array();
                for (const RdmaQueuePair* qp : network.GetUnfinishedFlows())
                {
                    result.push_back(qp->GetSourcePort());
                }
                transport.Run();
                result.push_back(log.delivered.size());
                return result;
            },
            NATIVE,
            options);
    };
    EXPECT_EQ(ports(WorkloadConnections::FRESH),
              json({10000, 10001, 10000, 10002, 10003, 10001, 6}));
    const json kept = ports(WorkloadConnections::PERSISTENT);
    for (size_t i = 0; i < 3; ++i)
    {
        EXPECT_EQ(kept[i], kept[i + 3]) << i;
        EXPECT_GE(kept[i], 49152) << i;
    }
    EXPECT_EQ(kept[0], WorkloadConnectionPort(0, 1, 0));
    EXPECT_NE(kept[0], kept[1]) << "streams";
    EXPECT_NE(kept[0], kept[2]) << "hosts";
    EXPECT_EQ(kept[6], 6);
}

TEST(WorkloadTransports, PortsOfConnectionsAreSpread)
{
    // 4096 balls in 16 bins, 256 each: five standard deviations (15.5) are 78
    std::vector<int> bins(16);
    for (uint32_t pair = 0; pair < 4096; ++pair)
    {
        ++bins[WorkloadConnectionPort(pair / 64, pair % 64, 0) % 16];
    }
    for (const int bin : bins)
    {
        EXPECT_NEAR(bin, 256, 78);
    }
}

TEST(WorkloadTransports, HiddenHostsChangeNothingElse)
{
    const RdmaTopology topology = Servers(2, 4, 2880 * GBPS, 400 * GBPS);
    const Work work = [](WorkloadRdmaTransport& transport, RdmaNetwork& network) {
        TransferLog log(transport);
        for (uint32_t id = 0; id < 64; ++id)
        {
            if (id / 8 != id % 8)
            {
                transport.Start({id / 8, id % 8, 30000, 0}, id);
            }
        }
        json ports = json::array();
        for (const RdmaQueuePair* qp : network.GetUnfinishedFlows())
        {
            for (const RdmaPort* port : qp->GetDataRoute())
            {
                ports.push_back(port->GetPortId());
            }
        }
        transport.Run();
        return json{log.delivered,
                    ports,
                    transport.GetLargestRttNs(),
                    transport.GetLargestBdp(),
                    transport.GetHostCount()};
    };
    const json without = OnPackets(topology, work);
    EXPECT_EQ(OnPackets(topology, work, NATIVE, {}, true), without);
    // GPUs of one rail: 2 links of 500 ns and 1,000 bytes at 400 Gb/s each; GPUs of one server: 2
    // links of 25 ns and 2 ns (cut) each
    EXPECT_EQ(without[2], 2 * 1000 + 2 * 20);
    EXPECT_EQ(without[3], 2040 * 400 / 8);
    EXPECT_EQ(without[4], 8);
}

TEST(WorkloadTransports, LargestDoesNotCountNvSwitches)
{
    // one GPU per NVSwitch, and NVSwitches with a fast way between them: the pair of NVSwitches
    // would have the largest product
    RdmaTopology topology;
    topology.nodes = {RdmaNodeKind::HOST,
                      RdmaNodeKind::HOST,
                      RdmaNodeKind::NVSWITCH,
                      RdmaNodeKind::NVSWITCH};
    topology.links = {{0, 2, 10 * GBPS, 100, 0, 1},
                      {1, 3, 10 * GBPS, 100, 0, 1},
                      {2, 3, 1000 * GBPS, 100, 0, 1}};
    const json got = OnPackets(
        topology,
        [](WorkloadRdmaTransport& transport, RdmaNetwork&) {
            return json{transport.GetLargestRttNs(), transport.GetLargestBdp()};
        },
        NATIVE,
        {},
        true);
    // 2 * 300 ns, and 800 + 8 + 800 ns for payloads: 2,208 ns at 10 Gb/s: 2,760 bytes
    EXPECT_EQ(got, json({2208, 2760}));
}

namespace
{

/** 1 MB between each of 4 GPUs and their NVSwitch, at SimAI's timing. \return end points; times of
 * delivery by GPU, 10 more on the way down; drops and time-outs */
json
UpAndDown(bool up, bool down, WorkloadWindow window)
{
    WorkloadRdmaOptions options;
    options.window = window;
    return OnPackets(
        Servers(2, 4, 2880 * GBPS, 400 * GBPS),
        [up, down](WorkloadRdmaTransport& transport, RdmaNetwork& network) {
            TransferLog log(transport);
            for (uint32_t gpu = 4; gpu < 8; ++gpu)
            {
                if (up)
                {
                    transport.Start({gpu, 9, 1000000, 0}, gpu);
                }
                if (down)
                {
                    transport.Start({9, gpu, 1000000, 0}, 10 + gpu);
                }
            }
            transport.Run();
            const RdmaCounters& counters = network.GetContext().counters;
            return json{transport.GetEndpointCount(),
                        log.delivered,
                        counters.bufferDrops,
                        counters.timeouts};
        },
        NATIVE,
        options,
        true,
        [](RdmaHelper& helper) {
            helper.SetNetworkAttribute("Timing", StringValue("truncate"));
            helper.SetNetworkAttribute("SequenceBytes", UintegerValue(8));
            helper.SetHostAttribute("PayloadSize", UintegerValue(9000));
        });
}

// SimAI's timing: 9,052 bytes take 25 ns (cut) at 2,880 Gb/s; a transfer is 111 full packets and
// one of 1,000 bytes, 2 ns. The link to the hidden host takes 0 ns and has no delay, so that there
// is one link only: 25 + 111 * 25 + 2 ns.
constexpr int64_t ALONE = 25000 + 111 * 25000 + 2000;

} // namespace

TEST(WorkloadTransports, NvSwitchesAreEndPoints)
{
    for (const WorkloadWindow window : {WorkloadWindow::LARGEST, WorkloadWindow::NONE})
    {
        EXPECT_EQ(UpAndDown(true, false, window),
                  json({10, {{4, ALONE}, {5, ALONE}, {6, ALONE}, {7, ALONE}}, 0, 0}));
        EXPECT_EQ(UpAndDown(false, true, window),
                  json({10, {{14, ALONE}, {15, ALONE}, {16, ALONE}, {17, ALONE}}, 0, 0}));
    }
}

TEST(WorkloadTransports, NvSwitchesSendAndReceiveAtOnce)
{
    // The window is that of GPUs of a rail: 2 * 1,000 + 2 * 180 ns at 400 Gb/s are 118,000 bytes,
    // so 14 packets go before the first acknowledgement. The hidden host's are in the NVSwitch's
    // queues at once, and take 14 * 25 ns. The first acknowledgement of what goes up waits behind
    // them, and then for the link: 25 ns longer than the GPU's own 14 packets take, once; from then
    // on, what is queued is what the window allows less what is on the links.
    const int64_t held = ALONE + 25000;
    EXPECT_EQ(UpAndDown(true, true, WorkloadWindow::LARGEST),
              json({10,
                    {{4, held},
                     {5, held},
                     {6, held},
                     {7, held},
                     {14, ALONE},
                     {15, ALONE},
                     {16, ALONE},
                     {17, ALONE}},
                    0,
                    0}));
    EXPECT_EQ(UpAndDown(true, true, WorkloadWindow::NONE),
              json({10,
                    {{4, ALONE},
                     {5, ALONE},
                     {6, ALONE},
                     {7, ALONE},
                     {14, ALONE},
                     {15, ALONE},
                     {16, ALONE},
                     {17, ALONE}},
                    0,
                    0}));
}

TEST(WorkloadTransports, RecorderIsTold)
{
    struct Records : public ns3::WorkloadTransport::Recorder
    {
        void Record(const WorkloadTransferRecord& record) override
        {
            records.push_back(
                {record.transfer.label, record.transfer.bytes, record.startPs, record.deliveredPs});
        }

        json records = json::array();
    };

    const json got =
        OnPackets(Star(2, 100 * GBPS, 1000), [](WorkloadRdmaTransport& transport, RdmaNetwork&) {
            TransferLog log(transport);
            Records records;
            transport.SetRecorder(&records);
            log.onTimer = [&](uint64_t) { transport.Start({0, 1, 1000, 42}, 0); };
            transport.Schedule(500, 0);
            transport.Run();
            return records.records;
        });
    EXPECT_EQ(got, json::array({{42, 1000, 500, 500 + 2000000 + 2 * 83840}}));
}

TEST(WorkloadTransports, PulseComesAndChangesNothing)
{
    for (const char* simulator : {NATIVE, DEFAULT})
    {
        const auto run = [&](bool pulse) {
            return OnPackets(
                Star(4, 100 * GBPS, 1000),
                [pulse](WorkloadRdmaTransport& transport, RdmaNetwork&) {
                    TransferLog log(transport);
                    int pulses = 0;
                    if (pulse)
                    {
                        transport.SetPulse([&]() { ++pulses; });
                    }
                    log.onTimer = [&](uint64_t i) {
                        // now and then a real pause, so that the thread gets its turn
                        if (i % 10 == 0)
                        {
                            std::this_thread::sleep_for(std::chrono::milliseconds(120));
                        }
                        transport.Start({static_cast<uint32_t>(i % 4),
                                         static_cast<uint32_t>((i + 1) % 4),
                                         1000 * (i + 1),
                                         0},
                                        i);
                    };
                    for (uint64_t i = 0; i < 30; ++i)
                    {
                        transport.Schedule(static_cast<int64_t>(i) * 100000, i);
                    }
                    transport.Run();
                    return json{log.delivered, transport.Now(), pulse ? pulses > 0 : true};
                },
                simulator);
        };
        const json with = run(true);
        EXPECT_EQ(with, run(false));
        EXPECT_EQ(with[2], true);
    }
}

TEST(WorkloadTransports, StopsFromThePulse)
{
    const json got =
        OnPackets(Star(2, 100 * GBPS, 1000), [](WorkloadRdmaTransport& transport, RdmaNetwork&) {
            TransferLog log(transport);
            transport.SetPulse([&]() { transport.Stop(); });
            log.onTimer = [&](uint64_t) { transport.Schedule(1, 0); };
            transport.Schedule(1, 0);
            transport.Run(); // for ever, were it not for the pulse
            return json(transport.Now() > 0);
        });
    EXPECT_EQ(got, true);
}

TEST(WorkloadTransports, EndsThoughOtherEventsRecur)
{
    const json got =
        OnPackets(Star(2, 100 * GBPS, 1000), [](WorkloadRdmaTransport& transport, RdmaNetwork&) {
            TransferLog log(transport);
            std::function<void()> monitor = [&]() {
                Simulator::Schedule(MicroSeconds(1), [&]() { monitor(); });
            };
            monitor();
            transport.Start({0, 1, 1000, 0}, 0);
            transport.Run();
            return json(log.acknowledged.size());
        });
    EXPECT_EQ(got, 1);
}

TEST(WorkloadTransports, MoreFlowsOfAPairThanPortsAndNoMemory)
{
    // 140,000 flows of one pair: source ports come round twice; one of the first is still under way
    const json got = OnPackets(
        Star(3, 400 * GBPS, 10),
        [](WorkloadRdmaTransport& transport, RdmaNetwork& network) {
            TransferLog log(transport);
            uint64_t next = 1;
            uint64_t done = 0;
            uint64_t warm = 0;
            log.onAcknowledged = [&](uint64_t) {
                log.delivered.clear();
                log.acknowledged.clear();
                log.order.clear();
                if (++done == 70000)
                {
                    warm = MemoryKib();
                }
                if (next < 140000)
                {
                    transport.Start({0, 1, 1, 0}, next++);
                }
            };
            transport.Start({0, 1, 400000000, 0}, 0); // 8 ms and more
            for (int i = 0; i < 4; ++i)
            {
                transport.Start({0, 1, 1, 0}, next++);
            }
            transport.Run();
#ifdef WORMHOLE_SANITIZED
            warm = MemoryKib(); // keeps what is freed for a while
#endif
            return json{done, network.IsIdle(), MemoryKib() < warm + 4096, warm > 0};
        },
        NATIVE,
        {},
        false,
        [](RdmaHelper& helper) { helper.SetHostAttribute("PayloadSize", UintegerValue(9000)); });
    EXPECT_EQ(got, json({140000, true, true, true}));
}

TEST(WorkloadTransports, WrongPriority)
{
    const json got = OnPackets(Star(2, GBPS, 0), [](WorkloadRdmaTransport&, RdmaNetwork& network) {
        WorkloadRdmaOptions options;
        options.priority = 8;
        try
        {
            const WorkloadRdmaTransport t(Ptr<RdmaNetwork>(&network),
                                          MakeWorkloadEndpoints(Star(2, GBPS, 0)),
                                          options);
        }
        catch (const RdmaInputError& e)
        {
            return json(e.what());
        }
        return json("no error");
    });
    EXPECT_EQ(got, "workload: priority group 8, but data go in groups 1 to 7");
}
