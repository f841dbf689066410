/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Transfers on the packet level: when they are told, failures, and long runs. End points and
// options: workload_transport_test/.

#include "harness/memory.h"
#include "harness/on_packets.h"
#include "harness/transfers.h"

#include "ns3/input-error.h"
#include "ns3/nstime.h"
#include "ns3/rdma-helper.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "ns3/workload-flow-transport.h"
#include "ns3/workload-rdma-transport.h"

#include <chrono>
#include <gtest/gtest.h>
#include <thread>

using namespace ns3;
using namespace harness;
using namespace transport_test;
using nlohmann::json;

namespace
{

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
        catch (const InputError& e)
        {
            return json(e.what());
        }
        return json("no error");
    });
    EXPECT_EQ(got, "workload: priority group 8, but data go in groups 1 to 7");
}
