/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"
#include "rdma-test-network.h"

#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/nstime.h"
#include "ns3/uinteger.h"

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** Keeps what some components log, at level_info. */
class RdmaTestLog
{
  public:
    explicit RdmaTestLog(std::vector<const char*> components)
        : m_components(std::move(components))
    {
        for (const char* component : m_components)
        {
            LogComponentEnable(component, LOG_LEVEL_INFO);
        }
    }

    ~RdmaTestLog()
    {
        for (const char* component : m_components)
        {
            LogComponentDisable(component, LOG_LEVEL_ALL);
        }
        std::clog.rdbuf(m_before);
    }

    RdmaTestLog(const RdmaTestLog&) = delete;
    RdmaTestLog& operator=(const RdmaTestLog&) = delete;

    /** \return how often \p words are in the log */
    uint64_t Count(const std::string& words) const
    {
        const std::string text = m_text.str();
        uint64_t count = 0;
        for (size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
        {
            ++count;
        }
        return count;
    }

  private:
    std::vector<const char*> m_components;
    std::ostringstream m_text;
    std::streambuf* m_before{std::clog.rdbuf(m_text.rdbuf())};
};

#ifdef NS3_LOG_ENABLE
constexpr bool HAS_LOGS = true;
#else
constexpr bool HAS_LOGS = false;
#endif

/** \return \p count, or 0 in a build without logs */
uint64_t
IfLogged(uint64_t count)
{
    return HAS_LOGS ? count : 0;
}

RDMA_TEST(RdmaLogFailure, "a failing link is logged with what becomes of the flow that takes it")
{
    const RdmaTestLog log({"RdmaNetwork", "RdmaHost"});
    RdmaTestNetwork net(RdmaTestChain(), [](RdmaHelper& helper) {
        helper.SetHostAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(100)));
    });
    net.Flow(0, 1, 1000000);
    net.At(20000, [&net] { net.network->SetLinkUp(1, false); });
    net.At(200000, [&net] { net.network->SetLinkUp(1, true); });
    net.Run();
    RDMA_TEST_REQUIRE(EQ, net.ends.size(), 1, "completed");
    const uint64_t timeouts = net.Counters().timeouts;
    NS_TEST_EXPECT_MSG_GT(timeouts, 0, "the flow times out: nothing arrives for more than 100 us");
    for (const auto& [words, count] : std::vector<std::pair<std::string, uint64_t>>{
             {"flow 0 starts: node 0 to node 1, 1000000 bytes, priority 3, 3 links", 1},
             {"link 1, node 2 to node 3, goes down", 1},
             {"flow 0 is rerouted: no route", 1},
             {"link 1, node 2 to node 3, goes up", 1},
             {"flow 0 is rerouted: 3 links", 1},
             {"flow 0 times out, 1 of at most 7 times in a row", timeouts},
             {"again, after a time-out", timeouts},
             {"flow 0 ends", 1}})
    {
        NS_TEST_EXPECT_MSG_EQ(log.Count(words), IfLogged(count), words);
    }
}

RDMA_TEST(RdmaLogSwitch, "switches log pauses and resumes, and only the first drop at a port")
{
    for (const bool pfc : {true, false})
    {
        const RdmaTestLog log({"RdmaSwitch", "RdmaHost"});
        RdmaTestNetwork net(RdmaTestStar(4), [pfc](RdmaHelper& helper) {
            helper.SetSwitchAttribute("BufferSize", UintegerValue(1 << 20));
            helper.SetSwitchAttribute("Pfc", BooleanValue(pfc));
        });
        for (uint32_t src = 1; src < 4; ++src)
        {
            net.Flow(src, 0, 1000000);
        }
        net.Run();
        RDMA_TEST_REQUIRE(EQ, net.ends.size(), 3, "completed");
        const RdmaCounters& counters = net.Counters();
        NS_TEST_EXPECT_MSG_EQ((counters.pauses > 0), pfc, "pauses, or none");
        NS_TEST_EXPECT_MSG_EQ((counters.bufferDrops > 3),
                              !pfc,
                              "nothing is lost, or more than one");
        NS_TEST_EXPECT_MSG_EQ(log.Count("switch 4 pauses queue 3 of node "),
                              IfLogged(counters.pauses),
                              "each pause");
        NS_TEST_EXPECT_MSG_EQ(log.Count("switch 4 resumes queue 3 of node "),
                              IfLogged(counters.resumes),
                              "each resume");
        uint64_t dropping = 0;
        for (const RdmaPort* port : net.network->GetRdmaNode(4).GetPorts())
        {
            dropping += port->GetBufferDrops() > 0;
        }
        NS_TEST_EXPECT_MSG_EQ(log.Count("drops the first frame from port "),
                              IfLogged(dropping),
                              "once for each port that drops");
        NS_TEST_EXPECT_MSG_EQ((log.Count("again, after a NACK") > 0),
                              (IfLogged(counters.nacks) > 0),
                              "what NACKs ask for again");
        Simulator::Destroy();
    }
}

RdmaTestSuite<RdmaLogFailure, RdmaLogSwitch> g_rdmaLogSuite("rdma-log"); //!< registers itself

} // namespace
