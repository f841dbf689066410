/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Two runs, compared event by event: what is the same, and the first event that differs.

#include "rdma-test-case.h"
#include "rdma-test-network.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/input-error.h"
#include "ns3/nstime.h"
#include "ns3/rdma-congestion-control.h"
#include "ns3/rdma-event-twin.h"
#include "ns3/rdma-simulator-impl.h"
#include "ns3/uinteger.h"

#include <string>

using namespace ns3;

namespace
{

/** Says that it acts on its flow alone, but counts acknowledgements of all flows: the more there
 * were, the slower it sends. */
class TwinSharer final : public RdmaCongestionControl
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::TwinSharer")
                                .SetParent<RdmaCongestionControl>()
                                .AddConstructor<TwinSharer>();
        return tid;
    }

    Ptr<RdmaCongestionControl> Fork() const override
    {
        return CopyObject<TwinSharer>(this);
    }

    void OnAck(RdmaQueuePair& qp, const RdmaAck&) override
    {
        constexpr uint64_t STEP = 10000000; // bit/s
        qp.SetRate(qp.GetMaxRate() - STEP * ++s_acks);
    }

    bool ActsAlone() const override
    {
        return true;
    }

    static inline uint64_t s_acks{0};
};

/** What one of two runs is, and found. */
struct TwinRun
{
    bool windows{false};
    uint32_t threads{1};
    std::string log;  //!< file to write
    std::string twin; //!< file to compare with
    bool shares{false};
    int64_t stopNs{1000000};

    uint64_t count{0};
    std::string difference;
    uint64_t ran{0}; //!< windows

    void Run();
};

constexpr uint64_t TWIN_BYTES = 100000; // 100 frames
constexpr int64_t TWIN_DELAY_NS = 1000;

/** Hosts 0 and 1 send to 2 and 3 over a switch. */
void
TwinRun::Run()
{
    Config::SetDefault("ns3::RdmaSimulatorImpl::Windows", BooleanValue(windows));
    Config::SetDefault("ns3::RdmaSimulatorImpl::Threads", UintegerValue(threads));
    Config::SetDefault("ns3::RdmaSimulatorImpl::EventsPerThread", UintegerValue(1));
    Config::SetDefault("ns3::RdmaSimulatorImpl::ThreadTrial", BooleanValue(false));
    Config::SetDefault("ns3::RdmaSimulatorImpl::EventLog", StringValue(log));
    Config::SetDefault("ns3::RdmaSimulatorImpl::EventTwin", StringValue(twin));
    Simulator::Destroy();
    TwinSharer::s_acks = 0;
    {
        RdmaTestNetwork net(RdmaTestStar(4), [this](RdmaHelper& helper) {
            helper.SetCongestionControl(shares ? TwinSharer::GetTypeId().GetName() : "");
        });
        net.network->SetReactions(RdmaReactions::NONE);
        net.Flow(0, 2, TWIN_BYTES);
        net.Flow(1, 3, TWIN_BYTES);
        net.Run(stopNs);
        const auto simulator = DynamicCast<RdmaSimulatorImpl>(Simulator::GetImplementation());
        ran = simulator->GetWindowCount();
        if (const RdmaEventTwin* found = simulator->FinishEventTwin())
        {
            count = found->GetCount();
            difference = found->GetDifference();
        }
        Simulator::Destroy();
    }
    Config::SetDefault("ns3::RdmaSimulatorImpl::Windows", BooleanValue(true));
    Config::SetDefault("ns3::RdmaSimulatorImpl::Threads", UintegerValue(1));
    Config::SetDefault("ns3::RdmaSimulatorImpl::EventsPerThread", UintegerValue(96));
    Config::SetDefault("ns3::RdmaSimulatorImpl::ThreadTrial", BooleanValue(true));
    Config::SetDefault("ns3::RdmaSimulatorImpl::EventLog", StringValue(""));
    Config::SetDefault("ns3::RdmaSimulatorImpl::EventTwin", StringValue(""));
}

RDMA_TEST(RdmaEventTwinSame, "windows and threads do what one queue does, event by event")
{
    UseSimulator("ns3::RdmaSimulatorImpl");
    TwinRun one;
    one.log = CreateTempDirFilename("same.events");
    one.Run();
    NS_TEST_EXPECT_MSG_EQ(one.ran, 0, "one queue");
    for (const uint32_t threads : {1U, 2U, 3U})
    {
        TwinRun other;
        other.windows = true;
        other.threads = threads;
        other.twin = one.log;
        other.Run();
        NS_TEST_EXPECT_MSG_GT(other.ran, 0, "windows");
        NS_TEST_EXPECT_MSG_EQ(other.difference, "", threads << " threads");
        // two flows start, are delivered and end; each has 100 frames and acknowledgements, which
        // are sent and received by a host and the switch, and by the switch and a host
        NS_TEST_EXPECT_MSG_EQ(other.count, 2 * (3 + 100 * 2 * 4), threads << " threads");
    }
}

RDMA_TEST(RdmaEventTwinDiffers, "what flows share is found where it first makes a difference")
{
    UseSimulator("ns3::RdmaSimulatorImpl");
    TwinRun one;
    one.shares = true;
    one.log = CreateTempDirFilename("shares.events");
    one.Run();
    TwinRun other;
    other.shares = true;
    other.windows = true;
    other.twin = one.log;
    other.Run();
    NS_TEST_EXPECT_MSG_GT(other.ran, 0, "windows");
    // A frame of 1,048 bytes takes 83 ns at 100 Gb/s and an acknowledgement of 60 bytes 4 ns, as
    // HPCC's simulator rounds them. Both hosts' first acknowledgement comes at 2 (83 + 4) +
    // 4 x 1,000 = 4,174 ns. In one queue, host 0 counts 1 then, and host 1 counts 2. In windows,
    // host 0 goes on to count all that come up to 5,000 ns before host 1 counts its first. So the
    // first frame that host 1 sends from then on has another rate: it sends one each 83 ns, which
    // is frame 51, at 4,233 ns.
    const int64_t ack = 2 * (83 + 4) + 4 * TWIN_DELAY_NS;
    const int64_t frame = (ack + 82) / 83;
    const std::string event = "at +" + std::to_string(frame * 83) +
                              "ns node 1 port 1 sent data of flow 1, byte " +
                              std::to_string(frame * 1000) + " ";
    NS_TEST_EXPECT_MSG_NE(other.difference.find("here " + event),
                          std::string::npos,
                          event << " is not what differs: " << other.difference);
    NS_TEST_EXPECT_MSG_NE(other.difference.find("in the other run " + event),
                          std::string::npos,
                          other.difference);
    NS_TEST_EXPECT_MSG_EQ(other.difference.find("event " + std::to_string(other.count + 1)),
                          0,
                          "those before are the same");
}

RDMA_TEST(RdmaEventTwinEnds, "a run that ends before the other one differs from it")
{
    UseSimulator("ns3::RdmaSimulatorImpl");
    TwinRun whole;
    whole.log = CreateTempDirFilename("whole.events");
    whole.Run();
    TwinRun half;
    half.stopNs = 5000;
    half.log = CreateTempDirFilename("half.events");
    half.twin = whole.log;
    half.Run();
    NS_TEST_EXPECT_MSG_NE(half.difference.find("differs: here nothing more; in the other run at +"),
                          std::string::npos,
                          half.difference);
    whole.twin = half.log;
    whole.log = "";
    whole.Run();
    NS_TEST_EXPECT_MSG_EQ(whole.count, half.count, "as far as that goes");
    NS_TEST_EXPECT_MSG_NE(whole.difference.find("; in the other run nothing more"),
                          std::string::npos,
                          whole.difference);
    TwinRun alone;
    alone.twin = CreateTempDirFilename("none.events");
    try
    {
        alone.Run();
        NS_TEST_EXPECT_MSG_EQ(true, false, "there is no such file");
    }
    catch (const InputError& error)
    {
        NS_TEST_EXPECT_MSG_NE(std::string(error.what()).find(alone.twin),
                              std::string::npos,
                              "names the file");
    }
    Config::SetDefault("ns3::RdmaSimulatorImpl::EventTwin", StringValue(""));
    Config::SetDefault("ns3::RdmaSimulatorImpl::Windows", BooleanValue(true));
}

RdmaTestSuite<RdmaEventTwinSame, RdmaEventTwinDiffers, RdmaEventTwinEnds> g_rdmaEventTwin(
    "rdma-event-twin");

} // namespace
