/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Acknowledgements that are not simulated hop by hop, for ports on their way are paused: their flow
// goes as if they were, and they take their part of the links that they cross.

#include "rdma-test-case.h"
#include "rdma-test-part.h"

#include "ns3/nstime.h"
#include "ns3/rdma-congestion-control.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

using namespace ns3;

namespace
{

constexpr uint64_t GIGA = 1000000000;

/** Controls, by their names; the empty one is none. */
const std::vector<std::string> CONTROLS = {"",
                                           "ns3::RdmaHpcc",
                                           "ns3::RdmaDcqcn",
                                           "ns3::RdmaTimely",
                                           "ns3::RdmaDctcp",
                                           "ns3::RdmaSwift",
                                           "ns3::RdmaPowerTcp",
                                           "ns3::RdmaHpccPint",
                                           "ns3::RdmaNscc"};

/** The chain under a control; acknowledgements of all flows may go by pipes, or do not. */
class Case
{
  public:
    Case(const std::string& control, bool piped)
        : net(RdmaTestChain(),
              [&control](RdmaHelper& rdma) {
                  if (!control.empty())
                  {
                      rdma.SetCongestionControl(control);
                  }
                  rdma.SetHostAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(100)));
                  rdma.SetHostAttribute("RetryCount", UintegerValue(20));
              }),
          part(*net.network, piped)
    {
    }

    /** \return whether nothing is left in the network, and all ports are as they should be */
    bool IsClean() const
    {
        for (uint32_t link = 0; link < net.network->GetLinkCount(); ++link)
        {
            const auto& [a, b] = net.network->GetLink(link);
            if (a->GetBackground() || b->GetBackground())
            {
                return false;
            }
        }
        return net.network->GetContext().frames.GetOut() == 0;
    }

    RdmaTestNetwork net;
    RdmaTestPart part;
};

/** \return how a flow of \p bytes ends that is alone under \p control */
RdmaTestEnd
EndAlone(const std::string& control, uint64_t bytes, uint64_t window, bool piped)
{
    Case c(control, piped);
    c.net.Flow(0, 1, bytes, window);
    if (piped)
    {
        c.part.Pipe();
    }
    c.net.Run();
    return c.net.ends.size() == 1 && c.IsClean() && (c.net.Counters().ackHops == 0) == piped
               ? c.net.ends[0]
               : RdmaTestEnd{};
}

RDMA_TEST(RdmaAckPipeAlone,
          "a flow alone ends exactly when it does with acknowledgements in frames")
{
    for (const std::string& control : CONTROLS)
    {
        for (const uint64_t window : {0, 60000})
        {
            for (const uint64_t more : {0, 1})
            {
                UseSimulator("ns3::RdmaSimulatorImpl");
                const RdmaTestEnd expected = EndAlone(control, 3000000 + more, window, false);
                UseSimulator("ns3::RdmaSimulatorImpl");
                const RdmaTestEnd end = EndAlone(control, 3000000 + more, window, true);
                const std::string text = control + ", window " + std::to_string(window);
                NS_TEST_EXPECT_MSG_GT(expected.fct, 3000 * 83, text << ": in frames");
                NS_TEST_EXPECT_MSG_EQ(end.delivered, expected.delivered, text);
                // A frame of 1 B (3 ns) may be so short that its acknowledgement waits 1 ns for the
                // one before (4 ns); not so at a port that is paused.
                const int64_t late = end.fct - expected.fct;
                NS_TEST_EXPECT_MSG_EQ((late == 0 || (more && late == -1)), true, text);
            }
        }
    }
}

RDMA_TEST(RdmaAckPipeMidway, "acknowledgements that are under way pass into the pipe")
{
    for (const std::string& control : CONTROLS)
    {
        UseSimulator("ns3::RdmaSimulatorImpl");
        const RdmaTestEnd expected = EndAlone(control, 3000000, 60000, false);
        UseSimulator("ns3::RdmaSimulatorImpl");
        Case c(control, false);
        c.net.Flow(0, 1, 3000000, 60000);
        uint64_t before = 0;
        c.net.At(100000, [&c, &before] {
            before = c.net.Counters().ackHops;
            c.part.Pipe();
        });
        c.net.Run();
        RDMA_TEST_REQUIRE(EQ, c.net.ends.size(), 1, control << ": ended");
        NS_TEST_EXPECT_MSG_EQ(c.net.ends[0].delivered, expected.delivered, control);
        NS_TEST_EXPECT_MSG_EQ(c.net.ends[0].fct, expected.fct, control << ": as without");
        NS_TEST_EXPECT_MSG_GT(before, 100, control << ": there were frames");
        NS_TEST_EXPECT_MSG_EQ(c.net.Counters().ackHops, before, control << ": none since");
        NS_TEST_EXPECT_MSG_EQ(c.IsClean(), true, control << ": nothing is left");
    }
}

RDMA_TEST(RdmaAckPipeBack,
          "acknowledgements go in frames again, and those that have passed by arrive")
{
    for (const std::string& control : CONTROLS)
    {
        UseSimulator("ns3::RdmaSimulatorImpl");
        const RdmaTestEnd expected = EndAlone(control, 3000000, 60000, false);
        UseSimulator("ns3::RdmaSimulatorImpl");
        Case c(control, true);
        const size_t ways = c.net.Flow(0, 1, 3000000, 60000).GetAckRoute().size();
        c.part.Pipe();
        uint32_t before = 0;
        uint32_t atOnce = 0;
        uint32_t after = 0;
        const uint32_t& besides = c.net.network->GetContext().besides;
        c.net.At(100000, [&] {
            before = besides;
            c.part.Unpipe();
            atOnce = besides;
        });
        c.net.At(150000, [&] { after = besides; });
        c.net.Run();
        RDMA_TEST_REQUIRE(EQ, c.net.ends.size(), 1, control << ": ended");
        NS_TEST_EXPECT_MSG_EQ(c.net.ends[0].delivered, expected.delivered, control);
        NS_TEST_EXPECT_MSG_EQ(c.net.ends[0].fct, expected.fct, control << ": as without");
        NS_TEST_EXPECT_MSG_EQ(before, ways, control << ": past paused ports, in no pipe");
        NS_TEST_EXPECT_MSG_EQ(atOnce, 0, control << ": these go on");
        NS_TEST_EXPECT_MSG_EQ(after, 0, control << ": as they do after some round trips");
        NS_TEST_EXPECT_MSG_GT(c.net.Counters().ackHops, 100, control << ": frames since");
        NS_TEST_EXPECT_MSG_EQ(c.IsClean(), true, control << ": nothing is left");
    }
}

RDMA_TEST(RdmaAckPipeOpposite, "flows in opposite directions end when they did where all ports run")
{
    // Where frames and acknowledgements go the same way over several links, they fall into step:
    // each acknowledgement comes right behind a frame. What meets running ports goes in frames.
    for (const std::string& control : CONTROLS)
    {
        std::map<uint64_t, int64_t> times[2];
        uint64_t sent[2]{};
        for (const bool piped : {false, true})
        {
            UseSimulator("ns3::RdmaSimulatorImpl");
            Case c(control, piped);
            c.net.Flow(0, 1, 10000000, 100000);
            c.net.At(1700, [&c] { c.net.Flow(1, 0, 12000000, 100000); });
            c.net.Run();
            for (const RdmaTestEnd& end : c.net.ends)
            {
                times[piped][end.id] = end.fct;
            }
            sent[piped] = c.net.Port(0).GetTxBytes() + c.net.Port(1).GetTxBytes();
        }
        RDMA_TEST_REQUIRE(EQ, times[1].size(), 2, control);
        NS_TEST_EXPECT_MSG_EQ((times[0] == times[1]), true, control << ": ends");
        NS_TEST_EXPECT_MSG_EQ(sent[1], sent[0], control << ": bytes are counted");
    }
}

/** Notes what is acknowledged to it, in this order. */
class NotingControl final : public RdmaCongestionControl
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::RdmaAckPipeTestControl")
                                .SetParent<RdmaCongestionControl>()
                                .AddConstructor<NotingControl>();
        return tid;
    }

    Ptr<RdmaCongestionControl> Fork() const override
    {
        return CopyObject<NotingControl>(this);
    }

    void OnAck(RdmaQueuePair&, const RdmaAck& ack) override
    {
        back += ack.seq < last;
        last = ack.seq;
        ++acks;
    }

    uint64_t last{0};
    uint32_t back{0};
    uint32_t acks{0};
};

NS_OBJECT_ENSURE_REGISTERED(NotingControl);

RDMA_TEST(RdmaAckPipeInTurn, "what goes by frames and passes by arrives in the order it was sent")
{
    // A port on the way is paused for 5 of 20 us, four times, as if 62,500 B waited there, which
    // takes 5 us. So those that come to it then pass by 5 us late, and those that come after it
    // would overtake them as frames.
    Case c("ns3::RdmaAckPipeTestControl", false);
    RdmaQueuePair& qp = c.net.Flow(0, 1, 3000000, 200000);
    const Ptr<NotingControl> control =
        DynamicCast<NotingControl>(Ptr<RdmaCongestionControl>(qp.GetCongestionControl()));
    RdmaPacketState others(*c.net.network);
    RdmaPort& way = *qp.GetAckRoute()[1];
    others.Pipe(qp);
    for (int64_t time = 20000; time < 100000; time += 20000)
    {
        c.net.At(time, [&] {
            others.Pause({}, {&way});
            way.AssumeQueue(62500);
        });
        c.net.At(time + 5000, [&] { others.Release({&way}); });
    }
    uint64_t hops = 0; // of frames there
    RdmaTestListen(way.txBeginTrace, [&](const RdmaFrame&) { ++hops; });
    c.net.Run();
    RDMA_TEST_REQUIRE(EQ, c.net.ends.size(), 1, "ended");
    NS_TEST_EXPECT_MSG_EQ(control->back, 0, "in order");
    NS_TEST_EXPECT_MSG_GT(control->acks, 2990, "all of 3,000 but the last ones of a pause at most");
    // 5 us are 60 frames of 83 ns each
    NS_TEST_EXPECT_MSG_EQ_TOL(hops, 3000 - 4 * 60, 20U, "the others passed by");
    NS_TEST_EXPECT_MSG_EQ(c.net.ends[0].resent, 0, "nothing is lost");
    NS_TEST_EXPECT_MSG_EQ(c.IsClean(), true, "nothing is left");
}

RDMA_TEST(RdmaAckPipeLetsPass, "nothing passes besides once all ports go on, and what has is over")
{
    // Nobody sends after the flow, whose last acknowledgements passed behind a paused port.
    UseSimulator("ns3::RdmaSimulatorImpl");
    Case c("", false);
    RdmaQueuePair& qp = c.net.Flow(0, 1, 300000);
    RdmaPacketState others(*c.net.network);
    RdmaPort& way = *qp.GetAckRoute()[1];
    others.Pipe(qp);
    c.net.At(10000, [&] { others.Pause({}, {&way}); });
    c.net.At(60000, [&] { others.Release({&way}); });
    uint32_t before = 0;
    uint32_t after = 0;
    const uint32_t& besides = c.net.network->GetContext().besides;
    c.net.At(55000, [&] { before = besides; });
    c.net.At(80000, [&] { after = besides; });
    c.net.Run();
    RDMA_TEST_REQUIRE(EQ, c.net.ends.size(), 1, "ended");
    NS_TEST_EXPECT_MSG_LT(c.net.ends[0].delivered, 60000, "before the port goes on");
    NS_TEST_EXPECT_MSG_EQ(before, 1, "a port is paused");
    NS_TEST_EXPECT_MSG_EQ(after, 0, "none is");
    NS_TEST_EXPECT_MSG_EQ(c.IsClean(), true, "nothing is left");
}

RDMA_TEST(RdmaAckPipeBehind, "frames make room for an acknowledgement once, not at each port anew")
{
    // Frames of 1,048 B take 84 ns, acknowledgements of 60 B 5 ns. Frames leave the first port back
    // to back, or 5 ns apart where an acknowledgement has waited for the frame before. That one
    // comes right behind it to the second port, waits for it there, and is gone when the next frame
    // comes, as far apart. If it came to the second port on its own, it would make frames wait
    // there that nothing is in between: about 960 of the 2,200 that leave in 200 us.
    Case c("", true);
    std::map<uint64_t, int64_t> came;
    uint64_t waiting = 0;
    const std::vector<RdmaPort*> route = c.net.Flow(0, 1, 3000000).GetDataRoute();
    RdmaTestListen(route.at(1)->enqueueTrace,
                   [&](const RdmaFrame& frame, uint32_t) { came[frame.seq] = c.net.Now(); });
    RdmaTestListen(route.at(1)->txBeginTrace,
                   [&](const RdmaFrame& frame) { waiting += c.net.Now() > came.at(frame.seq); });
    for (size_t hop = 0; hop < route.size(); ++hop)
    {
        RdmaPort* next = hop + 1 < route.size() ? route[hop + 1] : nullptr;
        route[hop]->ChangeBackground(5 * GIGA, 60, next);
    }
    c.net.Run(200000);
    NS_TEST_EXPECT_MSG_GT(came.size(), 2200, "frames");
    NS_TEST_EXPECT_MSG_LT(waiting, 100, "of these");
}

RDMA_TEST(RdmaAckPipeCounts, "what is left out leaves counts of links as far apart as they were")
{
    // A flow crosses two links of switches, and acknowledgements in the background do, too. What
    // the second one has counted when a frame leaves it, less what the first one had, is the same
    // for all frames: as many acknowledgements are between two of them.
    Case c("", true);
    RdmaQueuePair& qp = c.net.Flow(0, 1, 6000000);
    RdmaPort& first = c.net.Port(2, 1);
    RdmaPort& second = c.net.Port(3, 1);
    const uint64_t unit = static_cast<uint64_t>(first.GetTelemetryUnit());
    std::map<uint64_t, uint64_t> counted;
    std::map<uint64_t, uint64_t> apart[2]; // before and after: how often, by how much
    RdmaTestListen(first.txBeginTrace,
                   [&](const RdmaFrame& frame) { counted[frame.seq] = first.GetTxBytes(); });
    RdmaTestListen(second.txBeginTrace, [&](const RdmaFrame& frame) {
        ++apart[c.net.Now() > 200000][(second.GetTxBytes() - counted[frame.seq]) % unit];
    });
    first.ChangeBackground(5 * GIGA, 60, &second);
    second.ChangeBackground(5 * GIGA, 60);
    c.net.At(100000, [&c] { c.part.Pause(); });
    c.net.At(200000, [&] {
        c.part.Credit(qp, 1001000);
        // What passed of others; the second port goes on with the count of an episode, which was
        // half a unit less.
        first.PassUnseen(1041 * 60);
        second.PassUnseen(1041 * 60 + 64);
        c.part.Resume(100000 * c.net.network->GetContext().clock.StepsPerNs());
    });
    c.net.Run(400000);
    const auto most = [&apart](int when) {
        return std::max_element(apart[when].begin(),
                                apart[when].end(),
                                [](auto& a, auto& b) { return a.second < b.second; })
            ->first;
    };
    RDMA_TEST_REQUIRE(EQ, apart[0].empty() || apart[1].empty(), false, "frames before and after");
    NS_TEST_EXPECT_MSG_EQ(most(1), (most(0) + 64) % unit, "bytes, of a unit");
}

RDMA_TEST(RdmaAckPipePassing, "what passes of a flow's acknowledgements is counted")
{
    Case c("", true);
    c.net.Flow(0, 1, 3000000);
    c.part.Pipe();
    RdmaPort& back = c.net.Port(1); // which they leave the receiver by
    c.net.At(50000, [&back] { back.StartMeanPassing(); });
    int64_t mean = 0;
    c.net.At(150000, [&] { mean = back.GetMeanPassing(); });
    c.net.Run();
    // one of 60 B for each frame of 1,048 B at 100 Gb/s
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(mean),
                              100e9 * 60 / 1048,
                              100e9 * 60 / 1048 * 0.02,
                              "bit/s");
}

RDMA_TEST(RdmaAckPipeLate, "what catches up meets what passed of others meanwhile")
{
    // In frames of 1,048 B at 100 Gb/s, 83 ns each by HPCC's timing. While they are stopped, others
    // take a fifth of the first link for half of the time, and are gone when they catch up: on
    // average a tenth, that is 100 B each 80 ns. HPCC's timing makes 7 of 79 ns of these.
    constexpr int64_t FROM = 100000;
    constexpr int64_t UNTIL = 300000;
    UseSimulator("ns3::RdmaSimulatorImpl"); // whose clock goes on while all is stopped
    Case c("", true);
    const RdmaQueuePair& qp = c.net.Flow(0, 1, 20000000);
    RdmaPort& port = c.net.Port(0);
    uint64_t delivered[4] = {};
    const auto note = [&](int when) { delivered[when] = RdmaPacketState::GetDelivered(qp); };
    c.net.At(FROM, [&] {
        c.part.Stop();
        port.ChangeBackground(20 * GIGA, 100);
        note(0);
    });
    c.net.At((FROM + UNTIL) / 2,
             [&port] { port.ChangeBackground(-static_cast<int64_t>(20 * GIGA), 100); });
    c.net.At(UNTIL, [&] {
        c.part.CatchUp(FROM, UNTIL);
        note(1);
    });
    c.net.At(UNTIL + 10000, [&note] { note(2); });
    c.net.At(2 * UNTIL - FROM, [&note] { note(3); });
    c.net.Run();
    RDMA_TEST_REQUIRE(EQ, c.net.ends.size(), 1, "ended");
    const double whole = 1000.0 * (UNTIL - FROM) / 83;
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(delivered[1] - delivered[0]),
                              whole * 72 / 79,
                              whole * 0.005,
                              "about a tenth is gone");
    const double rest = 1000.0 * (UNTIL - FROM - 10000) / 83;
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(delivered[3] - delivered[2]),
                              rest,
                              rest * 0.005,
                              "and nothing from then on");
    NS_TEST_EXPECT_MSG_EQ(c.IsClean(), true, "nothing is left");
}

RDMA_TEST(RdmaAckPipeTelemetry, "HPCC leaves room for acknowledgements in the background")
{
    int64_t times[2]{};
    for (const bool loaded : {false, true})
    {
        UseSimulator("ns3::RdmaSimulatorImpl");
        Case c("ns3::RdmaHpcc", true);
        if (loaded)
        {
            c.net.Port(2, 1).ChangeBackground(10 * GIGA, 100); // between the switches
        }
        c.net.Flow(0, 1, 20000000, 100000);
        c.net.Run();
        RDMA_TEST_REQUIRE(EQ, c.net.ends.size(), 1, "ended");
        times[loaded] = c.net.ends[0].fct;
    }
    // The target is a use of 95 %, of which the others take 10.
    const double expected = static_cast<double>(times[0]) * 0.95 / 0.85;
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(times[1]), expected, expected * 0.01, "85 %");
}

RDMA_TEST(RdmaAckPipeFailure,
          "acknowledgements are lost where a link has failed, and their flow ends")
{
    {
        Case c("ns3::RdmaHpcc", true);
        c.net.Flow(0, 1, 3000000, 100000);
        // The way of data stays, and nobody knows of it yet.
        RdmaPort& port = c.net.Port(3, 0);
        c.net.At(100000, [&port] { port.SetLinkUp(false); });
        c.net.At(120000, [&port] { port.SetLinkUp(true); });
        c.net.Run();
        RDMA_TEST_REQUIRE(EQ, c.net.ends.size(), 1, "ended");
        NS_TEST_EXPECT_MSG_EQ((c.net.ends[0].state == RdmaFlowState::COMPLETED), true, "completed");
        NS_TEST_EXPECT_MSG_GT(c.net.Counters().linkDownDrops, 5, "acknowledgements are lost");
        NS_TEST_EXPECT_MSG_EQ(c.IsClean(), true, "nothing is left");
    }
    UseSimulator("ns3::RdmaSimulatorImpl");
    Case c("ns3::RdmaHpcc", true);
    c.net.Flow(0, 1, 3000000, 100000);
    c.net.At(100000, [&c] { c.net.network->SetLinkUp(1, false); });
    c.net.At(200000, [&c] { c.net.network->SetLinkUp(1, true); });
    c.net.Run();
    RDMA_TEST_REQUIRE(EQ, c.net.ends.size(), 1, "ended");
    NS_TEST_EXPECT_MSG_EQ((c.net.ends[0].state == RdmaFlowState::COMPLETED), true, "completed");
    NS_TEST_EXPECT_MSG_EQ(c.IsClean(), true, "nothing is left");
}

/** Two switches, 4 and 5, with two hosts each, and two switches between them: links 4 to 7. */
RdmaTopology
TwoWays()
{
    RdmaTopology topology;
    topology.nodes.assign(4, RdmaNodeKind::HOST);
    topology.nodes.resize(8, RdmaNodeKind::SWITCH);
    for (const auto& [a, b] :
         {std::pair{0, 4}, {1, 4}, {2, 5}, {3, 5}, {4, 6}, {4, 7}, {5, 6}, {5, 7}})
    {
        topology.links.push_back(RdmaTestLink(static_cast<uint32_t>(a), static_cast<uint32_t>(b)));
    }
    return topology;
}

/** \return the number of the link that \p port is of */
uint32_t
LinkOf(const RdmaTestNetwork& net, const RdmaPort& port)
{
    uint32_t link = 0;
    const auto isEnd = [&](const auto& ends) {
        return ends.first == &port || ends.second == &port;
    };
    while (!isEnd(net.network->GetLink(link)))
    {
        ++link;
    }
    return link;
}

RDMA_TEST(RdmaAckPipeOtherRoutes,
          "acknowledgements pass into the pipe that left before routes of others changed")
{
    std::vector<RdmaTestEnd> ends[2];
    for (const bool piped : {false, true})
    {
        UseSimulator("ns3::RdmaSimulatorImpl");
        RdmaTestNetwork net(TwoWays());
        RdmaTestPart part(*net.network);
        const RdmaQueuePair& qp = net.Flow(0, 2, 3000000, 60000);
        std::set<uint32_t> used;
        for (const auto* route : {&qp.GetDataRoute(), &qp.GetAckRoute()})
        {
            for (const RdmaPort* port : *route)
            {
                used.insert(LinkOf(net, *port));
            }
        }
        const uint32_t other = 1; // host 1's
        NS_TEST_EXPECT_MSG_EQ(used.count(other), 0, "of no use to the flow");
        net.At(100000, [&] {
            net.network->SetLinkUp(other, false);
            if (piped)
            {
                part.Pipe();
            }
        });
        net.Run();
        ends[piped] = net.ends;
        NS_TEST_EXPECT_MSG_EQ(net.network->GetContext().frames.GetOut(), 0, "nothing is left");
    }
    RDMA_TEST_REQUIRE(EQ, ends[1].size(), 1, "ended");
    NS_TEST_EXPECT_MSG_EQ((ends[0] == ends[1]), true, "as in frames");
}

RDMA_TEST(RdmaAckPipeAstray,
          "frames of a flow that was rerouted are astray until they have arrived")
{
    RdmaTestNetwork net(TwoWays());
    const RdmaPacketState state(*net.network);
    RdmaQueuePair& qp = net.Flow(0, 2, 3000000, 60000);
    // Of the two links that the way of data has between the lower switches, the second: what is on
    // the first one goes back, and takes the other way.
    const uint32_t link = LinkOf(net, *qp.GetDataRoute()[2]);
    bool before = true;
    bool after = false;
    bool later = true;
    net.At(100000, [&] {
        before = state.IsAstray(qp);
        net.network->SetLinkUp(link, false);
        after = state.IsAstray(qp);
    });
    // Four links of 1,000 ns, two of them once more, and back.
    net.At(115000, [&] { later = state.IsAstray(qp); });
    net.Run();
    NS_TEST_EXPECT_MSG_EQ(before, false, "all are at its ports");
    NS_TEST_EXPECT_MSG_EQ(after, true, "some are where it has been");
    NS_TEST_EXPECT_MSG_EQ(later, false, "they have arrived");
    NS_TEST_EXPECT_MSG_EQ(net.ends.size(), 1, "ended");
}

RDMA_TEST(RdmaAckPipePaused,
          "who an acknowledgement may meet is told while a port on its way is paused")
{
    int64_t times[2]{};
    for (const bool piped : {false, true})
    {
        UseSimulator("ns3::RdmaSimulatorImpl");
        Case c("ns3::RdmaHpcc", piped);
        const RdmaQueuePair& qp = c.net.Flow(0, 1, 3000000, 100000);
        const std::vector<RdmaPort*> route = qp.GetAckRoute();
        c.net.At(100000, [&] { RdmaTestSendPfc(c.net.Port(2, 1), 3, true); }); // to 3, on its way
        c.net.At(200000, [&] { RdmaTestSendPfc(c.net.Port(2, 1), 3, false); });
        c.net.Run();
        RDMA_TEST_REQUIRE(EQ, c.net.ends.size(), 1, "ended");
        times[piped] = c.net.ends[0].fct;
        if (piped)
        {
            for (const RdmaPort* port : route)
            {
                NS_TEST_EXPECT_MSG_EQ(c.part.GetPausesSeen().count(port),
                                      1,
                                      "whoever is paused on the way is told");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(c.IsClean(), true, "nothing is left");
    }
    NS_TEST_EXPECT_MSG_EQ(times[1], times[0], "held up as long");
}

RDMA_TEST(RdmaAckPipeLoad, "who is paused loads the way of its acknowledgements, until it goes on")
{
    Case c("ns3::RdmaDctcp", true);
    const RdmaQueuePair& qp = c.net.Flow(0, 1, 3000000, 100000);
    const std::vector<RdmaPort*> route = qp.GetAckRoute();
    c.net.At(100000, [&] {
        c.part.Pause();
        c.part.AssumeRate(80.0 * GIGA);
        // an acknowledgement of 60 B for each frame of 1,048 B
        const double load = 80.0 * GIGA * 60 / 1048;
        NS_TEST_EXPECT_MSG_EQ_TOL(RdmaPacketState::GetAckLoad(qp, 80.0 * GIGA), load, 1.0, "bit/s");
        for (const RdmaPort* port : route)
        {
            NS_TEST_EXPECT_MSG_EQ(port->GetBackground(), static_cast<int64_t>(load), "loaded");
        }
        c.part.AssumeRate(40.0 * GIGA);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(route.front()->GetBackground()),
                                  load / 2,
                                  1.0,
                                  "half of it");
    });
    c.net.At(200000, [&] {
        const int64_t steps = c.net.network->GetContext().clock.StepsPerNs();
        c.part.Resume(100000 * steps);
        NS_TEST_EXPECT_MSG_EQ(route.front()->GetBackground(), 0, "it goes on");
    });
    c.net.Run();
    RDMA_TEST_REQUIRE(EQ, c.net.ends.size(), 1, "ended");
    NS_TEST_EXPECT_MSG_EQ(c.IsClean(), true, "nothing is left");
    // What came meanwhile keeps links busy for one acknowledgement at most.
    UseSimulator("ns3::RdmaSimulatorImpl");
    Case alone("ns3::RdmaDctcp", true);
    alone.net.Flow(0, 1, 3000000, 100000);
    alone.net.Run();
    const auto expected = static_cast<double>(alone.net.ends.at(0).fct + 100000);
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(c.net.ends[0].fct), expected, 100.0, "in time");
}

RDMA_TEST(RdmaAckPipeComplete, "a flow that is completed leaves nothing behind")
{
    for (const std::string& control : CONTROLS)
    {
        UseSimulator("ns3::RdmaSimulatorImpl");
        Case c(control, true);
        c.net.Flow(0, 1, 3000000, 60000);
        c.net.Flow(1, 0, 3000000, 60000);
        c.net.At(100000, [&c] { c.part.Pause(); });
        c.net.At(150000, [&c] { c.part.Complete(); });
        c.net.Run();
        RDMA_TEST_REQUIRE(EQ, c.net.ends.size(), 2, control);
        for (const RdmaTestEnd& end : c.net.ends)
        {
            NS_TEST_EXPECT_MSG_EQ(end.delivered, 150000, control);
            // Three links of 1,000 ns, and the acknowledgement on each of them.
            NS_TEST_EXPECT_MSG_GT(end.fct, 150000 + 3 * 1004 - 1, control);
            NS_TEST_EXPECT_MSG_LT(end.fct, 150000 + 3 * 1010, control);
        }
        NS_TEST_EXPECT_MSG_EQ(c.IsClean(), true, control << ": nothing is left");
    }
}

RdmaTestSuite<RdmaAckPipeAlone,
              RdmaAckPipeMidway,
              RdmaAckPipeBack,
              RdmaAckPipeOpposite,
              RdmaAckPipeInTurn,
              RdmaAckPipeLetsPass,
              RdmaAckPipeBehind,
              RdmaAckPipeCounts,
              RdmaAckPipePassing,
              RdmaAckPipeLate,
              RdmaAckPipeTelemetry,
              RdmaAckPipeFailure,
              RdmaAckPipeOtherRoutes,
              RdmaAckPipeAstray,
              RdmaAckPipePaused,
              RdmaAckPipeLoad,
              RdmaAckPipeComplete>
    g_rdmaAckPipeSuite("rdma-ack-pipe");

} // namespace
