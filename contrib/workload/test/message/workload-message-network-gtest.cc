/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Operations on a transport: times by hand at flow level, and the same schedules on packets.

#include "harness/apart.h"
#include "harness/small_runner.h"
#include "harness/transfers.h"

#include "ns3/global-value.h"
#include "ns3/input-error.h"
#include "ns3/nstime.h"
#include "ns3/rdma-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/workload-flow-transport.h"
#include "ns3/workload-message-network.h"
#include "ns3/workload-rdma-transport.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

using namespace ns3;
using namespace harness;
using nlohmann::json;

namespace
{

constexpr int64_t NEVER = SmallRunner::NEVER;

/** 8 Gb/s and no headers: a byte takes 1 ns, and one packet is as long as the message. */
WorkloadFlowOptions
NanosecondPerByte()
{
    WorkloadFlowOptions options;
    options.payloadBytes = 1000000;
    options.headerBytes = 0;
    options.ackBytes = 0;
    return options;
}

/** \return a topology on which n bytes take 2 n ns (two links) + 200 ns when alone */
RdmaTopology
Net(uint32_t hosts)
{
    return Star(hosts, 8'000'000'000, 100);
}

WorkloadJobs
OneJob(WorkloadScheduleBuilder& builder)
{
    std::vector<uint32_t> nodes(builder.GetRankCount());
    std::iota(nodes.begin(), nodes.end(), 0);
    return WorkloadJobs({{"", builder.Build(), nodes}});
}

/** A run at flow level; times in ns. */
struct FlowRun
{
    FlowRun(const WorkloadJobs& jobs,
            uint32_t hosts,
            const WorkloadMessageOptions& options = {},
            const RdmaTopology* topology = nullptr)
        : transport(topology ? *topology : Net(hosts), NanosecondPerByte()),
          network(transport, options),
          runner(jobs, network)
    {
        completed = runner.Run();
    }

    int64_t Done(uint32_t process, uint32_t operation) const
    {
        const int64_t ps = runner.completed[process][operation];
        return ps == NEVER ? NEVER : ps / 1000;
    }

    int64_t Begun(uint32_t process, uint32_t operation) const
    {
        const int64_t ps = runner.started[process][operation];
        return ps == NEVER ? NEVER : ps / 1000;
    }

    WorkloadFlowTransport transport;
    WorkloadMessageNetwork network;
    SmallRunner runner;
    bool completed{false};
};

/** Ring of n ranks, \p steps steps of \p bytes, each after the receive before. */
WorkloadJobs
Ring(uint32_t n, uint32_t steps, uint64_t bytes)
{
    WorkloadScheduleBuilder builder(n);
    std::vector<uint32_t> last(n, UINT32_MAX);
    for (uint32_t step = 0; step < steps; ++step)
    {
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            const uint32_t send = builder.Send(rank, (rank + 1) % n, bytes, step);
            const uint32_t recv = builder.Recv(rank, (rank + n - 1) % n, bytes, step);
            if (step)
            {
                builder.Require(rank, send, last[rank]);
                builder.Require(rank, recv, last[rank]);
            }
            last[rank] = recv;
        }
    }
    return OneJob(builder);
}

WorkloadJobs
AllToAll(uint32_t n, uint64_t bytes)
{
    WorkloadScheduleBuilder builder(n);
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        for (uint32_t other = 0; other < n; ++other)
        {
            if (other != rank)
            {
                builder.Send(rank, other, bytes, 1);
                builder.Recv(rank, other, bytes, 1);
            }
        }
    }
    return OneJob(builder);
}

json
OnPackets(const WorkloadJobs& jobs, const RdmaTopology& topology, const char* simulator)
{
    return RunApart([&]() {
        Time::SetResolution(Time::PS);
        GlobalValue::Bind("SimulatorImplementationType", StringValue(simulator));
        WorkloadRdmaTransport transport(RdmaHelper().Install(topology),
                                        MakeWorkloadEndpoints(topology));
        WorkloadMessageNetwork network(transport);
        SmallRunner runner(jobs, network);
        const bool completed = runner.Run();
        return json{completed, runner.completed};
    });
}

} // namespace

TEST(WorkloadMessageNetwork, RendezvousCompletesBothEndsTogether)
{
    WorkloadScheduleBuilder builder(2);
    builder.Send(0, 1, 1000, 3);
    builder.Recv(1, 0, 1000, 3);
    const FlowRun run(OneJob(builder), 2);
    EXPECT_TRUE(run.completed);
    EXPECT_EQ(run.Begun(0, 0), 0);
    EXPECT_EQ(run.Done(1, 0), 2200);
    EXPECT_EQ(run.Done(0, 0), 2200);
    EXPECT_EQ(run.network.GetFinish(0), 2200000);
}

TEST(WorkloadMessageNetwork, EagerCompletesAtOnceUpToItsSize)
{
    WorkloadScheduleBuilder builder(2);
    builder.Send(0, 1, 1000, 3);
    builder.Send(0, 1, 1001, 4);
    builder.Recv(1, 0, 1000, 3);
    builder.Recv(1, 0, 1001, 4);
    WorkloadMessageOptions options;
    options.eagerBytes = 1000;
    options.overheadPs = 7000;
    const FlowRun run(OneJob(builder), 2, options);
    EXPECT_EQ(run.Done(0, 0), 7);
    // the second starts 7 ns later on its stream, at 14 the message goes; from then on half the
    // first link's rate each. The first has 993 bytes left at 14, so it takes until 14 + 2 * 993 =
    // 2000; then 100 + 1,000 (one more packet) + 100 ns; its receive occupies 7 ns
    EXPECT_EQ(run.Begun(0, 1), 7);
    EXPECT_EQ(run.Done(1, 0), 2000 + 1200 + 7);
    // the second has 1001 - 993 = 8 left at 2000, alone; 8 + 1,201 ns more; 7 ns
    EXPECT_EQ(run.Done(1, 1), 2000 + 8 + 1201 + 7);
    EXPECT_EQ(run.Done(0, 1), run.Done(1, 1));
}

TEST(WorkloadMessageNetwork, UnexpectedMessageWaitsForItsReceive)
{
    WorkloadScheduleBuilder builder(2);
    builder.Send(0, 1, 100, 3);
    const uint32_t calc = builder.Calc(1, 5000);
    const uint32_t recv = builder.Recv(1, 0, 100, 3);
    builder.Require(1, recv, calc);
    const FlowRun run(OneJob(builder), 2);
    EXPECT_EQ(run.Done(1, recv), 5000);
    EXPECT_EQ(run.Done(0, 0), 5000) << "rendezvous: the sender waits";
}

TEST(WorkloadMessageNetwork, StreamsExcludeEachOther)
{
    WorkloadScheduleBuilder builder(2);
    builder.Calc(0, 300, 0);
    builder.Calc(0, 200, 1);
    builder.Calc(0, 50, 0);
    builder.Calc(0, 0, 1);
    builder.Send(0, 1, 0, 1, 0); // waits for stream 0; an empty message is one byte
    builder.Recv(1, 0, 0, 1);
    const FlowRun run(OneJob(builder), 2);
    EXPECT_EQ(run.Done(0, 0), 300);
    EXPECT_EQ(run.Done(0, 1), 200);
    EXPECT_EQ(run.Begun(0, 2), 300);
    EXPECT_EQ(run.Done(0, 2), 350);
    EXPECT_EQ(run.Done(0, 3), 200);
    EXPECT_EQ(run.Begun(0, 4), 350);
    EXPECT_EQ(run.Done(1, 0), 350 + 202);
}

TEST(WorkloadMessageNetwork, StartsReleaseThoseWhoWaitForThem)
{
    WorkloadScheduleBuilder builder(1);
    const uint32_t first = builder.Calc(0, 100, 0);
    const uint32_t second = builder.Calc(0, 30, 1);
    const uint32_t third = builder.Calc(0, 1, 0);
    builder.RequireStart(0, second, first);
    builder.Require(0, third, second);
    const FlowRun run(OneJob(builder), 2);
    EXPECT_EQ(run.Done(0, second), 30);
    EXPECT_EQ(run.Done(0, third), 101);
}

TEST(WorkloadMessageNetwork, HandshakeGoesThereAndBackBeforeTheData)
{
    WorkloadScheduleBuilder builder(2);
    builder.Send(0, 1, 1000, 3);
    builder.Send(0, 1, 100, 4);
    const uint32_t calc = builder.Calc(1, 5000);
    const uint32_t recv = builder.Recv(1, 0, 1000, 3);
    builder.Require(1, recv, calc);
    const uint32_t eager = builder.Recv(1, 0, 100, 4, 1); // not the stream that computes
    WorkloadMessageOptions options;
    options.eagerBytes = 100;
    options.handshakeBytes = 10;
    const FlowRun run(OneJob(builder), 2, options);
    // the request is there long before 5,000; then 10 bytes back, 220 ns, and the data, 2,200 ns
    EXPECT_EQ(run.Done(1, recv), 5000 + 220 + 2200);
    EXPECT_EQ(run.Done(0, 0), 5000 + 220 + 2200);
    // no handshake: shares the link with the request for 20 ns; 110 + 100 + 200
    EXPECT_EQ(run.Done(1, eager), 110 + 100 + 200);
}

TEST(WorkloadMessageNetwork, MessagesOfOneSourceAndTagInOrder)
{
    WorkloadScheduleBuilder builder(3);
    builder.Send(0, 2, 10, 3);
    const uint32_t calc = builder.Calc(1, 1000);
    const uint32_t late = builder.Send(1, 2, 20, 4);
    builder.Require(1, late, calc);
    // posted at once: the first is open and takes what comes first, the one of rank 0
    const uint32_t any = builder.Recv(2, WORKLOAD_ANY, 10, WORKLOAD_ANY);
    const uint32_t tag = builder.Recv(2, WORKLOAD_ANY, 10, 4);
    const FlowRun run(OneJob(builder), 3);
    EXPECT_EQ(run.Done(2, any), 220);
    EXPECT_EQ(run.Done(2, tag), 1000 + 240);
    EXPECT_EQ(run.Done(1, late), 1000 + 240);
}

TEST(WorkloadMessageNetwork, TenantsOfANodeShareNeitherTagsNorStreams)
{
    const auto pair = [](uint64_t bytes, uint64_t ns) {
        WorkloadScheduleBuilder builder(2);
        builder.Calc(0, ns);
        builder.Send(0, 1, bytes, 3, 1);
        builder.Recv(1, 0, bytes, 3, 1);
        return builder.Build();
    };
    const WorkloadJobs jobs({{"a", pair(1000, 70), {0, 1}}, {"b", pair(3000, 90), {0, 1}}});
    const FlowRun run(jobs, 2);
    EXPECT_EQ(run.Done(0, 0), 70);
    EXPECT_EQ(run.Done(2, 0), 90);
    // the nodes' links are shared: 1,000 bytes at half the rate, then a packet of 1,000 and 200 ns
    EXPECT_EQ(run.Done(1, 0), 2000 + 1200);
    EXPECT_EQ(run.Done(3, 0), 4000 + 3200);
}

TEST(WorkloadMessageNetwork, ProcessesOfOneNodeExchangeLocally)
{
    WorkloadScheduleBuilder builder(2);
    builder.Send(0, 1, 3000, 3); // 3,000 / 300 = 10 ns
    builder.Recv(1, 0, 3000, 3);
    builder.Send(0, 0, 6000, 4); // to itself: 20 ns
    builder.Recv(0, 0, 6000, 4);
    const WorkloadJobs jobs({{"", builder.Build(), {0, 0}}});
    const FlowRun run(jobs, 1);
    EXPECT_TRUE(run.completed);
    EXPECT_EQ(run.Done(1, 0), 10);
    EXPECT_EQ(run.Done(0, 0), 10);
    EXPECT_EQ(run.Done(0, 1), 20);
    WorkloadMessageOptions options;
    options.localBytesPerNs = 0;
    options.handshakeBytes = 64;
    EXPECT_EQ(FlowRun(jobs, 1, options).Done(0, 1), 0);
}

TEST(WorkloadMessageNetwork, InterfacesAreHosts)
{
    // two nodes of two interfaces: hosts 0, 1 and 2, 3; the messages do not share a link
    WorkloadScheduleBuilder builder(2);
    builder.Send(0, 1, 1000, 3, 0, 0);
    builder.Send(0, 1, 1000, 4, 0, 1);
    builder.Recv(1, 0, 1000, 3, 0, 0);
    builder.Recv(1, 0, 1000, 4, 0, 0); // the sender's interface counts
    const WorkloadJobs jobs = OneJob(builder);
    const FlowRun run(jobs, 4);
    EXPECT_EQ(run.Done(1, 0), 2200);
    EXPECT_EQ(run.Done(1, 1), 2200);
    try
    {
        const FlowRun few(jobs, 3);
        FAIL() << "3 hosts are too few";
    }
    catch (const InputError& e)
    {
        EXPECT_STREQ(e.what(),
                     "workload: its 2 nodes with 2 interfaces each need 4 hosts, but the topology "
                     "has 3; take a larger topology, or place the ranks on fewer nodes");
    }
}

TEST(WorkloadMessageNetwork, AStallSaysWhoWaitsForWhom)
{
    WorkloadScheduleBuilder builder(3);
    builder.Recv(0, 2, 8, 3);
    builder.Send(0, 1, 100, 5);
    builder.Recv(1, WORKLOAD_ANY, 8, WORKLOAD_ANY - 1);
    builder.Recv(2, WORKLOAD_ANY, 9, WORKLOAD_ANY);
    WorkloadMessageOptions options;
    const WorkloadJobs jobs = OneJob(builder);
    const FlowRun run(jobs, 3, options);
    EXPECT_FALSE(run.completed);
    EXPECT_EQ(run.network.Explain({0, 0}), "waits for a message of 8 bytes, tag 3, from rank 2");
    EXPECT_EQ(run.network.Explain({0, 1}), "message sent, waits for rank 1 to post a receive");
    EXPECT_TRUE(run.network.AwaitsReceive());
    EXPECT_EQ(run.network.Explain({1, 0}),
              "waits for a message of 8 bytes, tag 4294967294, from any rank");
    EXPECT_EQ(run.network.Explain({2, 0}),
              "waits for a message of 9 bytes, any tag, from any rank");
    options.handshakeBytes = 64;
    builder = WorkloadScheduleBuilder(2);
    builder.Send(0, 1, 100, 5);
    const WorkloadJobs one = OneJob(builder);
    const FlowRun asked(one, 2, options);
    EXPECT_EQ(asked.network.Explain({0, 0}), "request sent, waits for rank 1 to post a receive");
}

TEST(WorkloadMessageNetwork, FailuresEndTheRunAndSayWhy)
{
    RdmaTopology topology = Net(3);
    topology.links.pop_back(); // host 2 hangs on nothing
    WorkloadScheduleBuilder builder(3);
    builder.Send(0, 2, 8, 3);
    builder.Recv(2, 0, 8, 3);
    const WorkloadJobs jobs = OneJob(builder);
    for (const uint64_t eager : {0, 100})
    {
        WorkloadMessageOptions options;
        options.eagerBytes = eager;
        const FlowRun run(jobs, 3, options, &topology);
        EXPECT_FALSE(run.completed);
        const std::string failure =
            "message of 8 bytes, tag 3, from rank 0 to rank 2: no route from node 0 to node 2";
        EXPECT_EQ(run.network.GetFailures(), std::vector<std::string>{failure});
        EXPECT_EQ(run.network.Explain({2, 0}),
                  "waits for a message of 8 bytes, tag 3, from rank 0; message given up: " +
                      failure);
    }
}

TEST(WorkloadMessageNetwork, WrongOptionsAndDurations)
{
    WorkloadFlowTransport transport(Net(2));
    WorkloadMessageOptions options;
    options.overheadPs = -1;
    EXPECT_THROW(WorkloadMessageNetwork(transport, options), InputError);
    options = {};
    options.localBytesPerNs = -1;
    EXPECT_THROW(WorkloadMessageNetwork(transport, options), InputError);
    WorkloadScheduleBuilder builder(1);
    builder.Calc(0, UINT64_MAX);
    EXPECT_THROW(FlowRun(OneJob(builder), 2), InputError);
}

TEST(WorkloadMessageNetwork, ALongChainOfNothing)
{
    // were each computation a call inside the last one's, the stack would overflow
    constexpr uint32_t N = 300000;
    WorkloadScheduleBuilder builder(1);
    for (uint32_t i = 0; i < N; ++i)
    {
        builder.Calc(0, 0);
        if (i)
        {
            builder.Require(0, i, i - 1);
        }
    }
    const FlowRun run(OneJob(builder), 2);
    EXPECT_TRUE(run.completed);
    EXPECT_EQ(run.Done(0, N - 1), 0);
}

TEST(WorkloadMessageNetwork, RingStepsTakeTheirTime)
{
    // 4 ranks, 6 steps of 1,000 bytes: each link carries one message at a time
    const FlowRun run(Ring(4, 6, 1000), 4);
    for (uint32_t rank = 0; rank < 4; ++rank)
    {
        EXPECT_EQ(run.network.GetFinish(rank), 6 * 2200 * 1000);
    }
}

TEST(WorkloadMessageNetwork, EverythingPostedAtOnce)
{
    // 128 ranks: 127 messages of 1,000 bytes leave and enter each host, and 2 links of 100 ns. They
    // end together, and count as delivered a packet earlier, since half of them are
    const FlowRun run(AllToAll(128, 1000), 128);
    EXPECT_TRUE(run.completed);
    EXPECT_EQ(run.network.GetFinish(5), (127 * 1000 + 200) * 1000);
}

TEST(WorkloadMessageNetwork, PacketLevelRunsTheSame)
{
    const RdmaTopology star = Star(8, 100'000'000'000, 1000);
    // a step alone on its links: 10 packets of 1,048 bytes at 80 ps a byte, one packet more, 2 us
    const int64_t step = 10 * 83840 + 83840 + 2000000;
    const WorkloadJobs ring = Ring(8, 5, 10000);
    const json native = OnPackets(ring, star, "ns3::RdmaSimulatorImpl");
    EXPECT_EQ(native[0], true);
    // the first step has the links to itself; later data share them with acknowledgements
    EXPECT_EQ(native[1][3][1], step);
    const auto last = native[1][3].back().get<double>();
    EXPECT_GE(last, static_cast<double>(5 * step));
    EXPECT_LE(last, static_cast<double>(5 * step) * 1.1);
    EXPECT_EQ(OnPackets(ring, star, "ns3::RdmaSimulatorImpl"), native) << "the same again";
    EXPECT_EQ(OnPackets(ring, star, "ns3::DefaultSimulatorImpl"), native);

    const WorkloadJobs all = AllToAll(8, 200000);
    const json packets = OnPackets(all, star, "ns3::RdmaSimulatorImpl");
    EXPECT_EQ(packets[0], true);
    WorkloadFlowTransport transport(star);
    WorkloadMessageNetwork network(transport);
    SmallRunner runner(all, network);
    EXPECT_TRUE(runner.Run());
    int64_t end = 0;
    int64_t fluid = 0;
    for (uint32_t rank = 0; rank < 8; ++rank)
    {
        for (const int64_t ps : packets[1][rank].get<std::vector<int64_t>>())
        {
            end = std::max(end, ps);
        }
        fluid = std::max(fluid, network.GetFinish(rank));
    }
    // acknowledgements take 60 of 1,108 bytes of each link, and packets queue
    EXPECT_NEAR(static_cast<double>(end) / static_cast<double>(fluid), 1.06, 0.06);
}
