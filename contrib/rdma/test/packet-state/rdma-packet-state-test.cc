/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What is paused, moved in time, or taken away and put back goes on as if nothing had happened.

#include "harness/sanitized.h"
#include "rdma-test-case.h"
#include "rdma-test-part.h"

#include "ns3/boolean.h"
#include "ns3/nstime.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <random>

using namespace ns3;

namespace
{

/** What is done at random times. */
enum class Treatment
{
    NONE,
    PAUSE, ///< paused and resumed at once
    RENEW, ///< saved, taken away, restored
};

/** A network under a control, and how its hosts and switches are set. */
struct Setting
{
    std::string name;
    std::string control;
    RdmaTestNetwork::Setup setup{};
    uint64_t window{100000};
    bool canRenew{true}; //!< otherwise some port is always paused, or the control is not saved
    bool piped{false};   //!< acknowledgements are not simulated hop by hop past what is paused
};

const std::vector<Setting>&
Settings()
{
    static const auto host = [](const std::string& name, const AttributeValue& value) {
        const Ptr<AttributeValue> copy = value.Copy();
        return [name, copy](RdmaHelper& rdma) { rdma.SetHostAttribute(name, *copy); };
    };
    static const std::vector<Setting> settings{
        {"HPCC", "ns3::RdmaHpcc"},
        {"HPCC without windows", "ns3::RdmaHpcc", {}, 0},
        {"DCQCN", "ns3::RdmaDcqcn"},
        {"DCQCN with CNP frames",
         "ns3::RdmaDcqcn",
         host("CnpInterval", TimeValue(MicroSeconds(10)))},
        {"TIMELY", "ns3::RdmaTimely", {}, 0},
        {"DCTCP", "ns3::RdmaDctcp"},
        {"Swift", "ns3::RdmaSwift"},
        {"PowerTCP", "ns3::RdmaPowerTcp"},
        {"NSCC", "ns3::RdmaNscc"},
        {"HPCC-PINT", "ns3::RdmaHpccPint", {}, 100000, false},
        {"no control", "", {}, 30000},
        {"few acknowledgements", "ns3::RdmaHpcc", host("AckInterval", UintegerValue(1 << 30))},
        {"back to zero", "ns3::RdmaTimely", host("BackToZero", BooleanValue(true))},
        {"many pauses",
         "",
         [](RdmaHelper& rdma) { rdma.SetSwitchAttribute("BufferSize", UintegerValue(400000)); },
         0,
         false},
        {"HPCC, piped", "ns3::RdmaHpcc", {}, 100000, true, true},
        {"DCQCN, piped", "ns3::RdmaDcqcn", {}, 100000, true, true},
        {"DCQCN with CNP frames, piped",
         "ns3::RdmaDcqcn",
         host("CnpInterval", TimeValue(MicroSeconds(10))),
         100000,
         true,
         true},
        {"TIMELY, piped", "ns3::RdmaTimely", {}, 0, true, true},
        {"DCTCP, piped", "ns3::RdmaDctcp", {}, 100000, true, true},
        {"Swift, piped", "ns3::RdmaSwift", {}, 100000, true, true},
        {"PowerTCP, piped", "ns3::RdmaPowerTcp", {}, 100000, true, true},
        {"NSCC, piped", "ns3::RdmaNscc", {}, 100000, true, true},
        {"HPCC-PINT, piped", "ns3::RdmaHpccPint", {}, 100000, false, true},
        {"no control, piped", "", {}, 30000, true, true},
    };
    return settings;
}

/** Five hosts: four send to one, which answers two of them. */
class Incast
{
  public:
    explicit Incast(const Setting& setting)
        : net(RdmaTestStar(5),
              [&setting](RdmaHelper& rdma) {
                  if (!setting.control.empty())
                  {
                      rdma.SetCongestionControl(setting.control);
                  }
                  // Marks do not depend on the numbers of frames, which are new after RENEW.
                  rdma.SetEcnThresholds(100000000000, {60000, 60000, 1});
                  if (setting.setup)
                  {
                      setting.setup(rdma);
                  }
              }),
          part(*net.network, setting.piped)
    {
        static constexpr uint32_t ENDS[][2] = {{0, 4}, {1, 4}, {2, 4}, {3, 4}, {4, 0}, {4, 1}};
        for (uint32_t i = 0; i < std::size(ENDS); ++i)
        {
            net.At(i * 1700, [this, i, window = setting.window] {
                flows.push_back(&net.Flow(ENDS[i][0], ENDS[i][1], 200000 + i * 77777, window));
            });
        }
    }

    RdmaTestNetwork net;
    RdmaTestPart part;
    std::vector<RdmaQueuePair*> flows; //!< some may be gone
};

/** \return how flows end if \p treatment happens at \p seed 's times; how often it did in \p count
 */
std::vector<RdmaTestEnd>
RunTreated(const Setting& setting, Treatment treatment, uint32_t seed, uint32_t& count)
{
    Incast incast(setting);
    std::mt19937 random(seed);
    count = 0;
    for (int i = 0; i < 60 && treatment != Treatment::NONE; ++i)
    {
        incast.net.At(random() % 130000, [&] {
            if (!incast.part.IsInTheMiddle())
            {
                return;
            }
            incast.part.Pause();
            count += treatment == Treatment::PAUSE || incast.part.Renew() ? 1 : 0;
            incast.part.Resume(0);
        });
    }
    incast.net.Run();
    return incast.net.ends;
}

/** \return whether so many flows have completed, and sent nothing twice */
bool
AllComplete(const std::vector<RdmaTestEnd>& ends, std::size_t count)
{
    return ends.size() == count &&
           std::all_of(ends.begin(), ends.end(), [](const RdmaTestEnd& end) {
               return end.state == RdmaFlowState::COMPLETED && end.resent == 0;
           });
}

RDMA_TEST(RdmaPacketStateSameFuture, "what is paused or restored at once goes on the same")
{
    for (const Setting& setting : Settings())
    {
        uint32_t count;
        UseSimulator("ns3::RdmaSimulatorImpl");
        const auto expected = RunTreated(setting, Treatment::NONE, 0, count);
        RDMA_TEST_REQUIRE(EQ, expected.size(), 6, setting.name);
        constexpr uint32_t SEEDS = harness::IsSanitized() ? 1 : 5;
        for (const Treatment treatment : {Treatment::PAUSE, Treatment::RENEW})
        {
            for (uint32_t seed = 1; seed <= SEEDS; ++seed)
            {
                UseSimulator("ns3::RdmaSimulatorImpl");
                const auto ends = RunTreated(setting, treatment, seed, count);
                const std::string text =
                    setting.name + (treatment == Treatment::PAUSE ? ", paused" : ", restored") +
                    ", seed " + std::to_string(seed);
                // Acknowledgements that pass into a pipe arrive about when they would.
                const bool same = setting.piped ? AllComplete(ends, 6) : ends == expected;
                NS_TEST_EXPECT_MSG_EQ(same, true, text);
                if (treatment == Treatment::PAUSE || setting.canRenew)
                {
                    NS_TEST_EXPECT_MSG_GT(count, 3, text << ": it happened");
                }
            }
        }
    }
}

RDMA_TEST(RdmaPacketStateShift, "what is paused for whole nanoseconds goes on as much later")
{
    constexpr int64_t PAUSED_NS = 12345678;
    for (const Setting& setting : Settings())
    {
        uint32_t count;
        UseSimulator("ns3::RdmaSimulatorImpl");
        auto expected = RunTreated(setting, Treatment::NONE, 0, count);
        for (RdmaTestEnd& end : expected)
        {
            end.fct += PAUSED_NS;
            end.delivered += PAUSED_NS;
        }
        for (const int64_t at : {15001, 21212, 31415})
        {
            UseSimulator("ns3::RdmaSimulatorImpl");
            Incast incast(setting);
            const int64_t shift = PAUSED_NS * incast.net.network->GetContext().clock.StepsPerNs();
            incast.net.At(at, [&] {
                incast.part.Pause();
                incast.part.AssumeRate(0); // as if acknowledgements stood still, too
            });
            incast.net.At(at + PAUSED_NS, [&] { incast.part.Resume(shift); });
            incast.net.Run();
            const std::vector<RdmaTestEnd>& ends = incast.net.ends;
            const bool same = setting.piped ? AllComplete(ends, 6) : ends == expected;
            NS_TEST_EXPECT_MSG_EQ(same, true, setting.name << " at " << at);
        }
    }
}

RDMA_TEST(RdmaPacketStateCredit, "bytes that come without frames are as if the flow were shorter")
{
    // Two flows share a link; one is given bytes in the middle, in two parts, of which whole frames
    // are taken: any number of them, or, where telemetry tells of what ports count in units of 128
    // B, 1280, and so whole units of data and of acknowledgements, whatever their sizes. With PINT,
    // codes are drawn by the number of the frame, which is that of the longer flow.
    for (const Setting& setting : Settings())
    {
        const bool draws = setting.control == "ns3::RdmaHpccPint";
        const bool tells = setting.control == "ns3::RdmaHpcc" ||
                           setting.control == "ns3::RdmaHpccPint" ||
                           setting.control == "ns3::RdmaPowerTcp";
        const uint64_t more = tells ? 1280000 : 1235000;
        std::vector<RdmaTestEnd> ends[2];
        uint32_t frames = 0; // that are left out
        for (const bool given : {false, true})
        {
            UseSimulator("ns3::RdmaSimulatorImpl");
            RdmaTestNetwork net(RdmaTestStar(3), [&setting](RdmaHelper& rdma) {
                if (!setting.control.empty())
                {
                    rdma.SetCongestionControl(setting.control);
                }
                if (setting.setup)
                {
                    setting.setup(rdma);
                }
            });
            RdmaTestPart part(*net.network, setting.piped);
            RdmaQueuePair& first = net.Flow(0, 2, 500000 + (given ? more : 0), setting.window);
            net.Flow(1, 2, 400000, setting.window);
            net.At(33333, [&] {
                part.Pause();
                if (given)
                {
                    const uint32_t serial = first.NextSerial();
                    part.Credit(first, more - 433);
                    NS_TEST_EXPECT_MSG_EQ(first.NextSerial() - serial, more / 1000 - 1, "");
                    part.Credit(first, 433);
                    frames = first.NextSerial() - serial;
                }
                part.Resume(0);
            });
            net.Run();
            ends[given] = net.ends;
        }
        NS_TEST_EXPECT_MSG_EQ(frames, more / 1000, setting.name);
        RDMA_TEST_REQUIRE(EQ, ends[0].size(), 2, setting.name);
        const bool same = draws ? AllComplete(ends[1], 2) : ends[0] == ends[1];
        NS_TEST_EXPECT_MSG_EQ(same, true, setting.name);
    }
}

/** What two flows to one host leave out. */
enum class LeftOut
{
    NOTHING,
    FRAMES, ///< of one, in the middle
    REST,   ///< of both, from the middle on
};

/** \return what each port has counted at the end, less whole units of telemetry */
std::vector<int64_t>
CountAll(LeftOut what, bool piped)
{
    RdmaTestNetwork net(RdmaTestStar(3),
                        [](RdmaHelper& rdma) { rdma.SetCongestionControl("ns3::RdmaHpcc"); });
    RdmaTestPart part(*net.network, piped);
    RdmaQueuePair& first = net.Flow(0, 2, 500500, 100000);
    net.Flow(1, 2, 300000, 100000);
    net.At(15000, [&] {
        if (what == LeftOut::NOTHING)
        {
            return;
        }
        part.Pause();
        if (what == LeftOut::REST)
        {
            part.Complete();
            return;
        }
        part.Credit(first, 123000);
        part.Resume(0);
    });
    net.Run();
    std::vector<int64_t> counts;
    for (uint32_t link = 0; link < net.network->GetLinkCount(); ++link)
    {
        const auto ends = net.network->GetLink(link);
        for (RdmaPort* port : {ends.first, ends.second})
        {
            port->ChangeBackground(0, 1); // what comes by a pipe has passed by now
            port->CountUnseen();
            counts.push_back(static_cast<int64_t>(port->GetTxBytes()) % port->GetTelemetryUnit());
        }
    }
    return counts;
}

RDMA_TEST(RdmaPacketStateCounts, "ports count what is left out as if it had been sent")
{
    for (const bool piped : {false, true})
    {
        UseSimulator("ns3::RdmaSimulatorImpl");
        const auto expected = CountAll(LeftOut::NOTHING, piped);
        // Of 800.5 kB in frames of 1000 bytes and their headers, some port has a part of a unit.
        NS_TEST_EXPECT_MSG_GT(*std::max_element(expected.begin(), expected.end()), 0, piped);
        for (const LeftOut what : {LeftOut::FRAMES, LeftOut::REST})
        {
            UseSimulator("ns3::RdmaSimulatorImpl");
            const auto counts = CountAll(what, piped);
            NS_TEST_EXPECT_MSG_EQ((counts == expected),
                                  true,
                                  (what == LeftOut::REST ? "rest" : "frames")
                                      << (piped ? ", piped" : ""));
        }
    }
}

/** \return what is saved of the flow \p wanted by an event that saves all that \p saves names */
std::string
SaveAmong(const std::vector<size_t>& saves, size_t wanted)
{
    std::string text;
    Incast incast(Setting{"HPCC", "ns3::RdmaHpcc"});
    incast.net.At(30000, [&] {
        for (const size_t flow : saves)
        {
            const auto saved = incast.part.Save(*incast.flows.at(flow));
            text = flow == wanted ? saved.value_or("") : text;
        }
    });
    incast.net.Run();
    return text;
}

RDMA_TEST(RdmaPacketStateTogether, "what is saved of a flow is the same if others are saved, too")
{
    // Four of six flows share one port. The first one looks through it, others use what the second
    // one has sorted; so do all of them when they are saved once more.
    const std::vector<size_t> twice{0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5};
    for (size_t flow = 0; flow < 6; ++flow)
    {
        UseSimulator("ns3::RdmaSimulatorImpl");
        const std::string alone = SaveAmong({flow}, flow);
        UseSimulator("ns3::RdmaSimulatorImpl");
        const std::string first = SaveAmong({0, 1, 2, 3, 4, 5}, flow);
        UseSimulator("ns3::RdmaSimulatorImpl");
        const std::string again = SaveAmong(twice, flow);
        NS_TEST_EXPECT_MSG_GT(alone.size(), 100, flow << " has frames");
        NS_TEST_EXPECT_MSG_EQ((first == alone), true, flow << " among others");
        NS_TEST_EXPECT_MSG_EQ((again == alone), true, flow << " once more");
    }
}

RdmaTestSuite<RdmaPacketStateSameFuture,
              RdmaPacketStateShift,
              RdmaPacketStateCredit,
              RdmaPacketStateCounts,
              RdmaPacketStateTogether>
    g_rdmaPacketStateSuite("rdma-packet-state");

} // namespace
