/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Ways of using a simulation that fast-forward must not be surprised by.

#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/nstime.h"
#include "ns3/rdma-helper.h"
#include "ns3/rdma-timely.h"
#include "ns3/rdma-topology-generator.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/wormhole-helper.h"

#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace ns3;

namespace
{

/** A control whose state cannot be saved. */
class SilentControl : public RdmaTimely
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("SilentControl").SetParent<RdmaTimely>().AddConstructor<SilentControl>();
        return tid;
    }

    Ptr<RdmaCongestionControl> Fork() const override
    {
        return CopyObject<SilentControl>(this);
    }

    bool SaveState(const RdmaQueuePair&, std::vector<uint8_t>&) const override
    {
        return false;
    }

    bool LoadState(RdmaQueuePair&, const std::vector<uint8_t>&) override
    {
        return false;
    }
};

NS_OBJECT_ENSURE_REGISTERED(SilentControl);

/** A simulation with networks of four hosts on a switch, three of which send to the fourth. */
class FastForwardUse : public testing::Test
{
  protected:
    void Begin(bool fast, const std::string& acknowledgements = "watch")
    {
        Simulator::Destroy();
        Config::Reset();
        m_ends.clear();
        m_networks.clear();
        GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::RdmaSimulatorImpl"));
        if (fast)
        {
            WormholeHelper wormhole;
            wormhole.Set("Acknowledgements", StringValue(acknowledgements));
            wormhole.Enable();
        }
    }

    void AddNetwork(const std::string& control)
    {
        RdmaHelper rdma;
        rdma.SetCongestionControl(control);
        m_networks.push_back(rdma.Install(GenerateRdmaTopology("star:hosts=4")));
    }

    /** Starts flows of \p bytes in every network at \p at ns. */
    void AddIncast(int64_t at, uint64_t bytes, uint64_t window = 60000)
    {
        Simulator::Schedule(NanoSeconds(at), [this, bytes, window] {
            for (size_t n = 0; n < m_networks.size(); ++n)
            {
                for (uint32_t src = 0; src < 3; ++src)
                {
                    RdmaFlow flow;
                    flow.src = src;
                    flow.dst = 3;
                    flow.bytes = bytes;
                    flow.window = window;
                    flow.onEnd = [this, n](const RdmaQueuePair& qp) {
                        m_ends[n].push_back(qp.GetEndTime());
                    };
                    m_networks[n]->StartFlow(flow);
                }
            }
        });
    }

    /** Starts a flow of 2 ms, to which \p change happens after 1 ms.
     * \return when it ends, us, and its bytes at 0.99, 1.01 and 1.5 ms */
    std::vector<double> ChangeInTheMiddle(
        bool fast,
        const std::string& control,
        const std::function<void(RdmaNetwork&, RdmaQueuePair&)>& change)
    {
        Begin(fast);
        AddNetwork(control);
        RdmaNetwork& network = *m_networks.front();
        RdmaFlow flow;
        flow.dst = 3;
        flow.bytes = 25'000'000; // 2 ms at 100 Gb/s
        flow.window = 100'000;
        std::vector<double> told{0};
        flow.onEnd = [&told](const RdmaQueuePair&) {
            told[0] = Simulator::Now().ToDouble(Time::US);
        };
        RdmaQueuePair& qp = network.StartFlow(flow);
        for (const int us : {990, 1010, 1500})
        {
            Simulator::Schedule(MicroSeconds(us), [&] {
                told.push_back(static_cast<double>(WormholeHelper::GetDelivered(network, qp)));
            });
        }
        Simulator::Schedule(MicroSeconds(1000), [&] { change(network, qp); });
        Simulator::Stop(MilliSeconds(50));
        Simulator::Run();
        if (fast)
        {
            EXPECT_EQ(WormholeHelper::ExplainIdle(), "") << "it must have been skipped";
        }
        End();
        return told;
    }

    /** Ends the simulation. \return when flows ended, by number of the network; time steps */
    std::map<size_t, std::vector<int64_t>> End()
    {
        m_networks.clear();
        Simulator::Destroy();
        return m_ends;
    }

    std::map<size_t, std::vector<int64_t>> m_ends;
    std::vector<Ptr<RdmaNetwork>> m_networks;
};

/** \return the largest relative difference */
double
Farthest(const std::vector<int64_t>& a, const std::vector<int64_t>& b)
{
    double farthest = a.size() == b.size() ? 0 : 1;
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    {
        farthest = std::max(farthest,
                            std::abs(static_cast<double>(b[i] - a[i])) / static_cast<double>(a[i]));
    }
    return farthest;
}

TEST_F(FastForwardUse, StopsInTheMiddleAndGoesOn)
{
    std::map<size_t, std::vector<int64_t>> ends[2];
    for (const bool fast : {false, true})
    {
        Begin(fast);
        AddNetwork("ns3::RdmaTimely");
        AddIncast(0, 10'000'000);
        AddIncast(5'000'000, 10'000'000);
        for (int stop = 0; stop < 12; ++stop)
        {
            Simulator::Stop(NanoSeconds(654'321));
            Simulator::Run();
        }
        Simulator::Run();
        ends[fast] = End();
    }
    ASSERT_EQ(ends[1][0].size(), 6U);
    EXPECT_LT(Farthest(ends[0][0], ends[1][0]), 0.0527);
}

TEST_F(FastForwardUse, WhatAFlowSendsByIsSetInTheMiddleOfASkip)
{
    const std::map<std::string, std::function<void(RdmaNetwork&, RdmaQueuePair&)>> changes = {
        {"rate", [](RdmaNetwork&, RdmaQueuePair& qp) { qp.SetRate(10'000'000'000); }},
        {"rate now", [](RdmaNetwork&, RdmaQueuePair& qp) { qp.SetRateNow(10'000'000'000); }},
        {"window", [](RdmaNetwork&, RdmaQueuePair& qp) { qp.SetWindow(10'000); }},
        {"losses",
         [](RdmaNetwork& network, RdmaQueuePair&) {
             network.GetLink(3).first->SetErrorRate(0.0001);
         }},
        {"all are lost", [](RdmaNetwork& network, RdmaQueuePair&) {
             network.GetLink(3).second->SetErrorRate(1);
             Simulator::Schedule(MicroSeconds(600),
                                 [&network] { network.GetLink(3).second->SetErrorRate(0); });
         }}};
    for (const auto& [name, change] : changes)
    {
        for (const char* control : {"", "ns3::RdmaHpcc"})
        {
            const auto packets = ChangeInTheMiddle(false, control, change);
            const auto fast = ChangeInTheMiddle(true, control, change);
            ASSERT_EQ(packets.size(), 4U) << name << control;
            ASSERT_EQ(fast.size(), 4U) << name << control;
            for (size_t i = 0; i < packets.size(); ++i)
            {
                EXPECT_NEAR(fast[i], packets[i], 0.01 * packets[i]) << name << control << i;
            }
            EXPECT_GE(fast[2], fast[1]) << "bytes go back: " << name << control;
        }
    }
}

TEST_F(FastForwardUse, WhoIsToldOfOneFlowSetsTheRateOfAnother)
{
    double ends[2] = {0, 0};
    for (const bool fast : {false, true})
    {
        Begin(fast);
        AddNetwork("");
        RdmaFlow flow;
        flow.dst = 2;
        flow.bytes = 50'000'000;
        flow.window = 100'000;
        flow.onEnd = [&](const RdmaQueuePair& qp) {
            ends[fast] = static_cast<double>(qp.GetEndTime());
        };
        RdmaQueuePair& slowed = m_networks.front()->StartFlow(flow);
        flow.src = 1;
        flow.bytes = 10'000'000;
        flow.onDelivered = [&slowed](const RdmaQueuePair&) { slowed.SetRate(20'000'000'000); };
        flow.onEnd = nullptr;
        m_networks.front()->StartFlow(flow);
        Simulator::Run();
        End();
    }
    EXPECT_NEAR(ends[1], ends[0], 0.01 * ends[0]);
}

TEST_F(FastForwardUse, LinksMayBeAsSlowAsTheyCanBe)
{
    Time::SetResolution(Time::PS); // a window of samples is longer than time then
    uint64_t delivered[2] = {0, 0};
    for (const bool fast : {false, true})
    {
        Begin(fast);
        RdmaHelper rdma;
        rdma.SetCongestionControl("ns3::RdmaDctcp");
        rdma.SetHostAttribute("RetransmissionTimeout", TimeValue(Time(0)));
        const auto network = rdma.Install(GenerateRdmaTopology("star:hosts=3,rate=1bps"));
        RdmaQueuePair* last = nullptr;
        for (const uint32_t src : {0, 1})
        {
            RdmaFlow flow;
            flow.src = src;
            flow.dst = 2;
            flow.bytes = 100'000;
            flow.window = 100'000;
            last = &network->StartFlow(flow);
        }
        Simulator::Stop(Seconds(100'000)); // 8384 s for each frame of 1048 bytes
        Simulator::Run();
        delivered[fast] = last->GetSndUna();
        Simulator::Destroy();
    }
    EXPECT_EQ(delivered[1], delivered[0]);
    EXPECT_GT(delivered[0], 0U);
}

TEST_F(FastForwardUse, NetworksDoNotDisturbEachOther)
{
    std::map<size_t, std::vector<int64_t>> ends[2];
    for (const bool two : {false, true})
    {
        Begin(true);
        AddNetwork("ns3::RdmaDctcp");
        if (two)
        {
            AddNetwork("ns3::RdmaHpcc");
        }
        AddIncast(0, 5'000'000);
        AddIncast(3'000'000, 5'000'000);
        Simulator::Run();
        ends[two] = End();
    }
    ASSERT_EQ(ends[1][0].size(), 6U);
    ASSERT_EQ(ends[1][1].size(), 6U);
    EXPECT_EQ(ends[0][0], ends[1][0]) << "as if it were alone";
}

TEST_F(FastForwardUse, AllEventsAreAccountedFor)
{
    double events[2] = {0, 0};
    for (const bool fast : {false, true})
    {
        Begin(fast, "include"); // those of acknowledgements, too
        AddNetwork("ns3::RdmaTimely");
        AddIncast(0, 20'000'000);
        AddIncast(8'000'000, 20'000'000); // replayed, then skipped, with no packet of its own
        Simulator::Run();
        if (fast)
        {
            const nlohmann::ordered_json report = WormholeHelper::GetReport();
            const nlohmann::ordered_json& told = report["events"];
            EXPECT_GT(told["skipped"], told["run"]);
            EXPECT_GT(told["replayed"], 0);
            events[1] = told["run"].get<double>() + told["skipped"].get<double>() +
                        told["replayed"].get<double>();
        }
        else
        {
            events[0] = static_cast<double>(m_networks.front()->GetContext().counters.GetHops());
        }
        End();
    }
    // 6 flows of 20,000 packets, each over two links and acknowledged over two.
    EXPECT_GE(events[0], 6 * 20'000 * 4);
    EXPECT_NEAR(events[1] / events[0], 1, 0.02);
}

TEST_F(FastForwardUse, WindowsMayBeLargerThanFourGigabytes)
{
    // With headers, 4,098,252 packets of 1,048 B are 800 B more than 2^32.
    std::map<uint64_t, uint64_t> hops;
    for (const uint64_t window : {4'000'000'000U, 4'098'252'000U})
    {
        Begin(true, "auto");
        AddNetwork("ns3::RdmaDctcp");
        AddIncast(0, 5'000'000, window);
        AddIncast(3'000'000, 5'000'000, window);
        AddIncast(6'000'000, 5'000'000, window);
        Simulator::Run();
        hops[window] = m_networks.front()->GetContext().counters.ackHops;
        EXPECT_EQ(End()[0].size(), 9U);
    }
    EXPECT_EQ(hops[4'098'252'000U], hops[4'000'000'000U]) << "watched as others are";
}

TEST_F(FastForwardUse, ControlThatCannotSaveItsStateIsSkippedAllTheSame)
{
    std::map<size_t, std::vector<int64_t>> ends[2];
    for (const bool fast : {false, true})
    {
        Begin(fast);
        AddNetwork("SilentControl");
        AddIncast(0, 20'000'000);
        Simulator::Run();
        const nlohmann::ordered_json report = WormholeHelper::GetReport();
        if (fast)
        {
            EXPECT_GT(report["events"]["skippedShare"], 0.2);
            EXPECT_EQ(report["episodes"]["found"], 0);
        }
        ends[fast] = End();
    }
    ASSERT_EQ(ends[1][0].size(), 3U);
    EXPECT_LT(Farthest(ends[0][0], ends[1][0]), 0.0527);
}

/** \return how often \p part is in \p text */
size_t
Times(const std::string& part, const std::string& text)
{
    size_t times = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    {
        ++times;
    }
    return times;
}

TEST_F(FastForwardUse, ControlThatCannotSaveItsStateIsNamedAtTheStart)
{
    Begin(true);
    AddNetwork("SilentControl");
    AddIncast(0, 20'000'000);
    testing::internal::CaptureStderr();
    Simulator::Stop(NanoSeconds(1)); // no packet has arrived
    Simulator::Run();
    const std::string start = testing::internal::GetCapturedStderr();
    EXPECT_EQ(Times("SilentControl has no SaveState", start), 1U) << start;
    testing::internal::CaptureStderr();
    Simulator::Run();
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "once";
    End();
    Begin(true);
    AddNetwork("ns3::RdmaHpccPint");
    AddIncast(0, 1'000'000);
    testing::internal::CaptureStderr();
    Simulator::Run();
    const std::string drawn = testing::internal::GetCapturedStderr();
    EXPECT_EQ(Times("RdmaHpccPint: switches draw for each frame", drawn), 1U) << drawn;
    EXPECT_EQ(WormholeHelper::GetReport()["episodes"]["stored"], 0);
    End();
    Begin(true);
    AddNetwork("ns3::RdmaTimely");
    AddIncast(0, 1'000'000);
    testing::internal::CaptureStderr();
    Simulator::Run();
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    End();
}

std::string
PrintedReport()
{
    std::ostringstream out;
    WormholeHelper::PrintReport(out);
    return out.str();
}

TEST_F(FastForwardUse, WithoutAnRdmaNetworkItSaysThatNothingIsAccelerated)
{
    Begin(true);
    Simulator::Schedule(NanoSeconds(5), [] {}); // as of TCP
    Simulator::Schedule(NanoSeconds(15), [] {});
    testing::internal::CaptureStderr();
    Simulator::Stop(NanoSeconds(10));
    Simulator::Run();
    Simulator::Run();
    const std::string err = testing::internal::GetCapturedStderr();
    EXPECT_EQ(
        Times("fast-forward is on, but has accelerated nothing: there is no RdmaNetwork", err),
        1U)
        << err;
    EXPECT_EQ(PrintedReport().find("fast-forward left out nothing: there is no RdmaNetwork"), 0U)
        << PrintedReport();
    End();
}

TEST_F(FastForwardUse, SaysWhyNothingIsLeftOut)
{
    Begin(true);
    AddNetwork("ns3::RdmaTimely");
    AddIncast(0, 1000); // a packet each
    Simulator::Run();
    // three flows on the way to one host are one partition, decided about once; no sample is due
    // before they end
    const std::string why = WormholeHelper::ExplainIdle();
    EXPECT_NE(why.find("of 0 samples of rates, none found all flows of a partition steady (Theta, "
                       "Window), and the largest has 3 flows"),
              std::string::npos)
        << why;
    // the three start at once; each of the first two that end leaves a partition behind
    EXPECT_EQ(why.find("partitions stay in packets as flows end in them (2 times), flows start in "
                       "them (1 time); "),
              0U)
        << why;
    EXPECT_NE(PrintedReport().find("fast-forward left out nothing: " + why), std::string::npos);
    End();
    Begin(true);
    AddNetwork("ns3::RdmaTimely");
    AddIncast(0, 20'000'000);
    Simulator::Run();
    EXPECT_EQ(WormholeHelper::ExplainIdle(), "");
    EXPECT_EQ(PrintedReport().find("left out nothing"), std::string::npos);
    End();
    Begin(true);
    RdmaHelper irn;
    irn.SetHostAttribute("Recovery", StringValue("irn"));
    m_networks.push_back(irn.Install(GenerateRdmaTopology("star:hosts=4")));
    AddIncast(0, 1000);
    Simulator::Run();
    EXPECT_EQ(WormholeHelper::ExplainIdle(),
              std::string("every packet is simulated: ") + m_networks.front()->WhyEveryPacket());
    End();
    Begin(false);
    EXPECT_EQ(WormholeHelper::ExplainIdle(), "");
}

} // namespace

// As UNISON's MtpInterface::Enable chooses an implementation.
TEST(FastForwardChoice, SaysThatItRunsOnOneThreadWhereAnotherWasChosen)
{
    const auto choose = [](const std::string& implementation) {
        GlobalValue::Bind("SimulatorImplementationType", StringValue(implementation));
    };
    const auto said = [&](const std::string& before, const std::string& after) {
        Simulator::Destroy();
        choose(before);
        testing::internal::CaptureStderr();
        WormholeHelper().Enable();
        if (!after.empty())
        {
            choose(after);
        }
        Simulator::Run();
        Simulator::Run(); // says it once
        Simulator::Destroy();
        choose("ns3::DefaultSimulatorImpl");
        return testing::internal::GetCapturedStderr();
    };
    EXPECT_EQ(said("ns3::DefaultSimulatorImpl", ""), "");
    EXPECT_EQ(said("ns3::RdmaSimulatorImpl", ""), "");
    EXPECT_EQ(said("ns3::WormholeSimulatorImpl", "ns3::WormholeSimulatorImpl"), "");
    EXPECT_EQ(said("ns3::RealtimeSimulatorImpl", ""),
              "wormhole: warning: WormholeHelper::Enable replaces ns3::RealtimeSimulatorImpl, "
              "which was chosen before: the simulation runs under ns3::WormholeSimulatorImpl, on "
              "one thread\n");
    EXPECT_EQ(said("ns3::DefaultSimulatorImpl", "ns3::RealtimeSimulatorImpl"),
              "ns3::WormholeSimulatorImpl: warning: ns3::RealtimeSimulatorImpl was chosen when "
              "this implementation was in use already, and has no effect: the simulation runs on "
              "one thread\n");
}
