/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Ways of using a simulation that fast-forward must not be surprised by.

#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/rdma-helper.h"
#include "ns3/rdma-timely.h"
#include "ns3/rdma-topology-generator.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/wormhole-helper.h"

#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>

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
    void AddIncast(int64_t at, uint64_t bytes)
    {
        Simulator::Schedule(NanoSeconds(at), [this, bytes] {
            for (size_t n = 0; n < m_networks.size(); ++n)
            {
                for (uint32_t src = 0; src < 3; ++src)
                {
                    RdmaFlow flow;
                    flow.src = src;
                    flow.dst = 3;
                    flow.bytes = bytes;
                    flow.window = 60000;
                    flow.onEnd = [this, n](const RdmaQueuePair& qp) {
                        m_ends[n].push_back(qp.GetEndTime());
                    };
                    m_networks[n]->StartFlow(flow);
                }
            }
        });
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
