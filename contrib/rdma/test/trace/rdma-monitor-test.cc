/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"
#include "rdma-test-network.h"

#include "ns3/input-error.h"
#include "ns3/rdma-binary-trace.h"
#include "ns3/rdma-queue-monitor.h"
#include "ns3/rdma-simai-flow-monitors.h"
#include "ns3/rdma-simai-port-monitors.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

using namespace ns3;

namespace
{

std::string
Content(const std::string& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

template <typename T>
T
At(const std::string& bytes, std::size_t offset)
{
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof(value));
    return value;
}

/**
 * Really samples the ports of one switch every 100 ns, before anything else that happens then.
 */
class Sampler : public RdmaEvent
{
  public:
    Sampler(RdmaNetwork& network, uint32_t node, int64_t start, int64_t end)
        : m_eventQueue(*network.GetContext().eventQueue),
          m_ports(network.GetRdmaNode(node).GetPorts()),
          m_counts(m_ports.size()),
          m_end(end)
    {
        m_eventQueue.ScheduleAt(*this, start, FIRST_PLACE);
    }

    /** \return what a block of the histogram's file looks like now */
    std::string ToText() const
    {
        std::ostringstream text;
        for (std::size_t i = 0; i < m_ports.size(); ++i)
        {
            text << m_ports[i]->GetOwner().GetRdmaId() << ' ' << i + 1;
            for (uint64_t count : m_counts[i])
            {
                text << ' ' << count;
            }
            text << '\n';
        }
        return text.str();
    }

    std::string atBlock; //!< ToText() after the sample at 100 ms

  private:
    static constexpr uint64_t FIRST_PLACE = 1; //!< before all places that events take

    void Fire() override
    {
        for (std::size_t i = 0; i < m_ports.size(); ++i)
        {
            uint64_t bytes = 0;
            for (uint32_t queue = 1; queue < RdmaEgressQueues::COUNT; ++queue)
            {
                bytes += m_ports[i]->queues.GetBytes(queue);
            }
            if (bytes / 1000 >= m_counts[i].size())
            {
                m_counts[i].resize(bytes / 1000 + 1);
            }
            ++m_counts[i][bytes / 1000];
        }
        const int64_t now = m_eventQueue.Now();
        if (now == RdmaQueueMonitor::BLOCK_NS)
        {
            atBlock = ToText();
        }
        if (now + 100 <= m_end)
        {
            m_eventQueue.ScheduleAt(*this, now + 100, FIRST_PLACE);
        }
    }

    RdmaEventQueue& m_eventQueue;
    const std::vector<RdmaPort*>& m_ports;
    std::vector<std::vector<uint64_t>> m_counts;
    int64_t m_end;
};

/** Eight hosts send to a ninth, with PFC; \p ns is when they start. */
void
StartIncast(RdmaTestNetwork& net, int64_t ns)
{
    net.At(ns, [&net] {
        for (uint32_t host = 0; host < 8; ++host)
        {
            net.Flow(host, 8, 20000 + 1000 * host);
        }
    });
}

RDMA_TEST(RdmaQueueMonitorEqualsSampling, "the histogram is that of real samples")
{
    const std::string file = CreateTempDirFilename("qlen.txt");
    RdmaTestNetwork net(RdmaTestStar(9));
    constexpr int64_t START = 1050;
    constexpr int64_t END = 60099;
    RdmaQueueMonitor monitor(net.network, file, START, END);
    const Sampler sampler(*net.network, 9, START, END);
    StartIncast(net, 0);
    StartIncast(net, 30000);
    net.Run(200000);
    monitor.Finish();
    // samples at 1050, 1150, ... 60050: (60050 - 1050) / 100 + 1 = 591 per port
    NS_TEST_EXPECT_MSG_EQ(Content(file),
                          "time: 60050\n" + sampler.ToText(),
                          "one block, at the end");
    NS_TEST_EXPECT_MSG_NE(sampler.ToText().find("9 1 591\n"), std::string::npos, "an idle port");
    NS_TEST_EXPECT_MSG_EQ(net.ends.size(), 16U, "flows");
}

RDMA_TEST(RdmaQueueMonitorBlocks, "a block at each multiple of 100 ms, and one at the end")
{
    const std::string file = CreateTempDirFilename("blocks.txt");
    RdmaTestNetwork net(RdmaTestStar(9));
    constexpr int64_t START = 99990000;
    constexpr int64_t END = 100010000;
    RdmaQueueMonitor monitor(net.network, file, START, END);
    const Sampler sampler(*net.network, 9, START, END);
    StartIncast(net, 99988000);
    StartIncast(net, 99996000);
    net.Run(100200000);
    monitor.Finish();
    NS_TEST_EXPECT_MSG_EQ(Content(file),
                          "time: 100000000\n" + sampler.atBlock + "time: 100010000\n" +
                              sampler.ToText(),
                          "two blocks, of all samples so far");
}

RDMA_TEST(RdmaQueueMonitorIdle, "without traffic, all samples are of an empty queue")
{
    const std::string file = CreateTempDirFilename("idle.txt");
    RdmaTestNetwork net(RdmaTestStar(1));
    RdmaQueueMonitor monitor(net.network, file, 0, 250000000);
    net.Run(300000000);
    monitor.Finish();
    NS_TEST_EXPECT_MSG_EQ(Content(file),
                          "time: 0\n1 1 1\ntime: 100000000\n1 1 1000001\n"
                          "time: 200000000\n1 1 2000001\ntime: 250000000\n1 1 2500001\n",
                          "blocks");
}

RDMA_TEST(RdmaQueueMonitorGoes, "a monitor may go before the network goes on, or after it")
{
    const std::string file = CreateTempDirFilename("goes.txt");
    RdmaTestNetwork net(RdmaTestStar(9));
    StartIncast(net, 0);
    {
        RdmaQueueMonitor monitor(net.network, file, 0, 60000);
        net.Run(5000);
    }
    RdmaQueueMonitor finished(net.network, CreateTempDirFilename("after.txt"), 0, 60000);
    net.Run(200000);
    finished.Finish();
    NS_TEST_EXPECT_MSG_EQ(net.ends.size(), 8U, "flows");
    std::string first = "time: 0\n";
    for (int port = 1; port <= 9; ++port)
    {
        first += "9 " + std::to_string(port) + " 1\n"; // a sample of an empty queue
    }
    NS_TEST_EXPECT_MSG_EQ(Content(file), first, "the only block that was due");
}

RDMA_TEST(RdmaMonitorsDisturbNothing, "a run with all monitors is the same run")
{
    std::vector<RdmaTestEnd> ends[2];
    uint64_t events[2];
    Time end[2];
    for (int with = 0; with < 2; ++with)
    {
        UseSimulator("ns3::RdmaSimulatorImpl");
        RdmaTestNetwork net(RdmaTestStar(9));
        const RdmaSamplingTimes times{0, 1000000000, 1000};
        std::unique_ptr<RdmaQueueMonitor> histogram;
        std::vector<std::unique_ptr<RdmaSimAiMonitor>> monitors;
        if (with)
        {
            RdmaNetwork& network = *net.network;
            auto file = [this](const char* name) { return CreateTempDirFilename(name); };
            histogram =
                std::make_unique<RdmaQueueMonitor>(net.network, file("h.txt"), 0, 1000000000);
            monitors.push_back(
                std::make_unique<RdmaQueueLengthMonitor>(network, file("q.txt"), times));
            monitors.push_back(
                std::make_unique<RdmaBandwidthMonitor>(network, file("b.txt"), times));
            monitors.push_back(std::make_unique<RdmaRateMonitor>(network, file("r.txt"), times));
            monitors.push_back(std::make_unique<RdmaCnpMonitor>(network, file("c.txt"), times));
        }
        StartIncast(net, 0);
        Simulator::Run(); // ends when nothing is left to happen
        end[with] = Simulator::Now();
        ends[with] = net.ends;
        events[with] = Simulator::GetEventCount();
    }
    NS_TEST_EXPECT_MSG_EQ((ends[0] == ends[1]), true, "flows end alike");
    NS_TEST_EXPECT_MSG_EQ(events[0], events[1], "no event is added");
    NS_TEST_EXPECT_MSG_EQ(end[0], end[1], "nothing keeps the run alive");
}

RDMA_TEST(RdmaBinaryTraceLayout, "header and records lie where HPCC's readers look")
{
    const std::string file = CreateTempDirFilename("mix.tr");
    RdmaTestNetwork net(RdmaTestStar(2));
    RdmaBinaryTrace trace(net.network, file, {99, 2});
    net.Flow(0, 1, 1000);
    net.Run(100000);
    trace.Finish();
    // At the switch: data received, enqueued, dequeued, then the same for its acknowledgement.
    NS_TEST_EXPECT_MSG_EQ(trace.GetCount(), 6U, "records");
    const std::string bytes = Content(file);
    // 4 ports of 11 bytes between two numbers of 4
    constexpr std::size_t HEADER = 4 + 4 * 11 + 4;
    constexpr std::size_t RECORD = 56;
    NS_TEST_ASSERT_MSG_EQ(bytes.size(), HEADER + 6 * RECORD, "size");
    NS_TEST_EXPECT_MSG_EQ(At<uint32_t>(bytes, 0), 4U, "ports");
    NS_TEST_EXPECT_MSG_EQ(At<uint16_t>(bytes, 4 + 3 * 11), 2, "node of the fourth");
    NS_TEST_EXPECT_MSG_EQ(+At<uint8_t>(bytes, 4 + 3 * 11 + 2), 2, "its interface");
    NS_TEST_EXPECT_MSG_EQ(At<uint64_t>(bytes, 4 + 3 * 11 + 3), 100000000000U, "its rate");
    // RTT: twice 2 us and 2 times 80 ns for 1000 bytes; 4160 ns at 12.5 bytes per ns
    NS_TEST_EXPECT_MSG_EQ(At<uint32_t>(bytes, HEADER - 4), 52000U, "largest BDP");

    const std::string first = bytes.substr(HEADER, RECORD);
    NS_TEST_EXPECT_MSG_EQ(At<uint64_t>(first, 0), 1083U, "83 ns for 1048 bytes, and 1 us");
    NS_TEST_EXPECT_MSG_EQ(At<uint16_t>(first, 8), 2, "node");
    NS_TEST_EXPECT_MSG_EQ(+At<uint8_t>(first, 10), 1, "interface");
    NS_TEST_EXPECT_MSG_EQ(+At<uint8_t>(first, 11), 0, "queue");
    NS_TEST_EXPECT_MSG_EQ(At<uint32_t>(first, 12), 0U, "bytes queued");
    NS_TEST_EXPECT_MSG_EQ(At<uint32_t>(first, 16), 0x0b000001U, "source");
    NS_TEST_EXPECT_MSG_EQ(At<uint32_t>(first, 20), 0x0b000101U, "destination");
    NS_TEST_EXPECT_MSG_EQ(At<uint16_t>(first, 24), 1048, "1000 + 48");
    NS_TEST_EXPECT_MSG_EQ(+At<uint8_t>(first, 26), 0x11, "protocol");
    NS_TEST_EXPECT_MSG_EQ(+At<uint8_t>(first, 27), 0, "received");
    NS_TEST_EXPECT_MSG_EQ(+At<uint8_t>(first, 28), 0, "not marked");
    NS_TEST_EXPECT_MSG_EQ(+At<uint8_t>(first, 29), 1, "switch");
    NS_TEST_EXPECT_MSG_EQ(At<uint16_t>(first, 32), 10000, "source port");
    NS_TEST_EXPECT_MSG_EQ(At<uint16_t>(first, 34), 100, "destination port");
    NS_TEST_EXPECT_MSG_EQ(At<uint32_t>(first, 36), 0U, "sequence");
    NS_TEST_EXPECT_MSG_EQ(At<uint64_t>(first, 40), 0U, "time stamp");
    NS_TEST_EXPECT_MSG_EQ(At<uint16_t>(first, 48), 3, "priority group");
    NS_TEST_EXPECT_MSG_EQ(At<uint16_t>(first, 50), 1000, "payload");

    const std::string fifth = bytes.substr(HEADER + 4 * RECORD, RECORD);
    // the host receives 1083 ns later and acknowledges at once: 4 ns for 60 bytes, and 1 us
    NS_TEST_EXPECT_MSG_EQ(At<uint64_t>(fifth, 0), 3170U, "1083 + 1083 + 1004");
    NS_TEST_EXPECT_MSG_EQ(+At<uint8_t>(fifth, 11), 3, "queue");
    NS_TEST_EXPECT_MSG_EQ(At<uint32_t>(fifth, 12), 60U, "bytes queued");
    NS_TEST_EXPECT_MSG_EQ(+At<uint8_t>(fifth, 26), 0xfc, "protocol");
    NS_TEST_EXPECT_MSG_EQ(+At<uint8_t>(fifth, 27), 1, "enqueued");
    NS_TEST_EXPECT_MSG_EQ(At<uint16_t>(fifth, 32), 100, "source port");
    NS_TEST_EXPECT_MSG_EQ(At<uint16_t>(fifth, 34), 10000, "destination port");
    NS_TEST_EXPECT_MSG_EQ(At<uint16_t>(fifth, 36), 0, "flags");
    NS_TEST_EXPECT_MSG_EQ(At<uint16_t>(fifth, 38), 3, "priority group");
    NS_TEST_EXPECT_MSG_EQ(At<uint32_t>(fifth, 40), 1000U, "sequence");

    const RdmaTraceFile read = ReadRdmaTraceFile(file);
    NS_TEST_EXPECT_MSG_EQ(read.ports.size(), 4U, "ports read");
    NS_TEST_ASSERT_MSG_EQ(read.records.size(), 6U, "records read");
    std::ostringstream text;
    text << read.records[1] << '\n' << read.records[4];
    NS_TEST_EXPECT_MSG_EQ(
        text.str(),
        "1083 n:2 2:3 1048 Enqu ecn:0 0b000001 0b000101 10000 100 U 0 0 3 1048(1000)\n"
        "3170 n:2 1:3 60 Enqu ecn:0 0b000101 0b000001 100 10000 A 0 3 1000 0 60",
        "as text");
}

RDMA_TEST(RdmaBinaryTraceErrors, "a file that ends too early is reported")
{
    const std::string file = CreateTempDirFilename("short.tr");
    {
        RdmaTestNetwork net(RdmaTestStar(2));
        RdmaBinaryTrace trace(net.network, file, {2});
        net.Flow(0, 1, 1000);
        net.Run(100000);
        trace.Finish();
    }
    const std::string bytes = Content(file);
    auto errorAt = [&](std::size_t size) -> std::string {
        std::ofstream(file, std::ios::binary) << bytes.substr(0, size);
        try
        {
            ReadRdmaTraceFile(file);
        }
        catch (const InputError& error)
        {
            return error.what();
        }
        return "no error";
    };
    NS_TEST_EXPECT_MSG_EQ(errorAt(20), file + ": ends within the header of a packet trace", "20");
    NS_TEST_EXPECT_MSG_EQ(errorAt(52 + 56 + 10),
                          file + ": ends within record 2, after 10 of 56 bytes",
                          "one record and a bit");
    NS_TEST_EXPECT_MSG_EQ(errorAt(52), "no error", "no record at all");
}

RDMA_TEST(RdmaSimAiQueues, "SimAI's queue lengths")
{
    const std::string file = CreateTempDirFilename("qlen-simai.txt");
    RdmaTestNetwork net(RdmaTestStar(3));
    RdmaQueueLengthMonitor monitor(*net.network, file, {1100, 1000000, 50});
    net.Flow(0, 2, 1000);
    net.Flow(1, 2, 1000);
    net.Run(100000);
    monitor.Finish(100000);
    // Both frames reach the switch at 1083; one leaves at once, the other at 1083 + 83 = 1166.
    NS_TEST_EXPECT_MSG_EQ(Content(file),
                          "time, sw_id, port_id, q_id, q_len, port_len\n"
                          "1100, 3, 3, 3, 1048, 1048\n"
                          "1200, 3, 3, 3, 0, 0\n",
                          "interface 3 leads to host 2");
}

RDMA_TEST(RdmaSimAiBandwidth, "SimAI's bandwidth")
{
    const std::string file = CreateTempDirFilename("bw.txt");
    RdmaTestNetwork net(RdmaTestStar(2));
    RdmaBandwidthMonitor monitor(*net.network, file, {0, 1000000, 100000});
    net.At(10000, [&net] { net.Flow(0, 1, 1000000); });
    net.Run(500000);
    monitor.Finish(500000);
    // 1000 frames of 1048 bytes at intervals of 83 ns all start before 100 us, at both hops:
    // 1,048,000 * 8 / 100,000 ns = 83.84 Gb/s. Their acknowledgements: 60,000 * 8 / 100,000 = 4.8.
    NS_TEST_EXPECT_MSG_EQ(Content(file),
                          "time, node_id, port_id, bandwidth\n"
                          "100000, 0, 1, 83.840000\n"
                          "100000, 1, 1, 4.800000\n"
                          "100000, 2, 1, 4.800000\n"
                          "100000, 2, 2, 83.840000\n"
                          "200000, 0, 1, 0.000000\n"
                          "200000, 1, 1, 0.000000\n"
                          "200000, 2, 1, 0.000000\n"
                          "200000, 2, 2, 0.000000\n",
                          "one interval with traffic");
}

RDMA_TEST(RdmaSimAiRates, "SimAI's rates")
{
    const std::string file = CreateTempDirFilename("rate.txt");
    RdmaTestNetwork net(RdmaTestStar(3));
    RdmaRateMonitor monitor(*net.network, file, {0, 1000000, 100000});
    RdmaQueuePair* qp = nullptr;
    auto setRate = [&](uint64_t rate) {
        net.network->Sync();
        qp->SetRate(rate);
    };
    net.At(10000, [&] { qp = &net.Flow(0, 1, 10000000); });
    net.At(150000, [&] { setRate(50000000000); });
    net.At(250000, [&] { setRate(25000000000); });
    net.At(260000, [&] { setRate(50000000000); });
    net.At(310000, [&] { net.Flow(2, 1, 1000); });
    net.At(400000, [&] { setRate(10000000000); });
    net.Run(550000);
    monitor.Finish(550000);
    // At 300 us the rate is as at 200 us. The other flow starts and ends between two samples. The
    // sample at 400 us comes before the change at 400 us.
    NS_TEST_EXPECT_MSG_EQ(Content(file),
                          "time, src, dst, sport, dport, size, curr_rate\n"
                          "100000, 0, 1, 10000, 100, 10000000, 100000000000\n"
                          "200000, 0, 1, 10000, 100, 10000000, 50000000000\n"
                          "500000, 0, 1, 10000, 100, 10000000, 10000000000\n",
                          "three different rates");
}

RDMA_TEST(RdmaSimAiMonitorsEnd, "nothing calls SimAI's monitors after their last sample")
{
    RdmaTestNetwork net(RdmaTestStar(2));
    RdmaNetwork& network = *net.network;
    auto file = [this](const char* name) { return CreateTempDirFilename(name); };
    const RdmaSamplingTimes times{0, 1000, 1000};
    auto queues = std::make_unique<RdmaQueueLengthMonitor>(network, file("q.txt"), times);
    auto bandwidth = std::make_unique<RdmaBandwidthMonitor>(network, file("b.txt"), times);
    auto rates = std::make_unique<RdmaRateMonitor>(network, file("r.txt"), times);
    net.At(2000, [&net] { net.Flow(0, 1, 1000000); });
    // a sanitizer tells if they are called later: the flow takes 83 us
    net.At(50000, [&] {
        queues.reset();
        bandwidth.reset();
        rates.reset();
    });
    net.Run(500000);
    NS_TEST_EXPECT_MSG_EQ(net.ends.size(), 1U, "the flow ends");
    NS_TEST_EXPECT_MSG_EQ(Content(file("r.txt")),
                          "time, src, dst, sport, dport, size, curr_rate\n",
                          "it begins after the last sample");
}

/** Counts the echoes that reach one host before the last acknowledgement. */
struct EchoCounter
{
    void Receive(const RdmaFrame& frame)
    {
        count +=
            frame.kind == RdmaFrameKind::ACK && frame.echo && frame.seq < frame.qp->GetFlow().bytes;
    }

    uint64_t count{0};
};

RDMA_TEST(RdmaSimAiCnps, "SimAI's congestion notifications")
{
    const std::string file = CreateTempDirFilename("cnp.txt");
    // whatever leaves a queue that is not empty then is marked
    RdmaTestNetwork net(RdmaTestStar(3), [](RdmaHelper& helper) {
        helper.SetEcnThresholds(100000000000, {0, 0, 1});
    });
    RdmaCnpMonitor monitor(*net.network, file, {0, 2000000, 1000000});
    EchoCounter counters[2];
    for (uint32_t host : {0, 1})
    {
        net.Port(host).rxTrace.ConnectWithoutContext(
            MakeCallback(&EchoCounter::Receive, &counters[host]));
        net.Flow(host, 2, 100000);
    }
    net.Run(5000000);
    monitor.Finish(5000000);
    NS_TEST_EXPECT_MSG_GT(counters[0].count, 50U, "host 0 is marked often");
    std::ostringstream expected;
    expected << "time, src, dst, sport, dport, size, cnp_number\n";
    for (uint32_t host : {0, 1})
    {
        expected << "1000000, " << host << ", 2, 10000, 100, 100000, " << counters[host].count
                 << '\n';
    }
    NS_TEST_EXPECT_MSG_EQ(Content(file), expected.str(), "totals of two flows that have ended");
}

RdmaTestSuite<RdmaQueueMonitorEqualsSampling,
              RdmaQueueMonitorBlocks,
              RdmaQueueMonitorIdle,
              RdmaQueueMonitorGoes,
              RdmaMonitorsDisturbNothing,
              RdmaBinaryTraceLayout,
              RdmaBinaryTraceErrors,
              RdmaSimAiQueues,
              RdmaSimAiBandwidth,
              RdmaSimAiRates,
              RdmaSimAiMonitorsEnd,
              RdmaSimAiCnps>
    g_rdmaMonitorTestSuite("rdma-monitor");

} // namespace
