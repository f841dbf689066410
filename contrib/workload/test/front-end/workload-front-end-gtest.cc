/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a front end asks of the network, and when it is called back, on a network whose times can be
// worked out by hand.

#include "harness/errors.h"
#include "harness/ideal_transport.h"
#include "harness/on_packets.h"
#include "harness/transfers.h"

#include "ns3/workload-front-end.h"
#include "ns3/workload-rdma-transport.h"

#include <gtest/gtest.h>

using namespace ns3;
using harness::IdealTransport;
using Lines = std::vector<std::string>;

namespace
{

constexpr uint64_t BYTES = 9000;
constexpr uint64_t INSIDE = 1440000000000;
const int64_t ONE_WAY = IdealTransport::PortTime(BYTES, INSIDE) + 50000; ///< ps
const int64_t ROUND_TRIP = ONE_WAY + 50000;

template <typename Work>
void
ExpectError(const Work& work, const std::string& text)
{
    const std::string error = harness::ExpectedInputErrorOf(work);
    EXPECT_NE(error.find(text), std::string::npos) << error;
}

WorkloadFrontEndOptions
Ranks(uint32_t ranks,
      WorkloadReceipt receipt = WorkloadReceipt::DELIVERED,
      WorkloadReceipt sent = WorkloadReceipt::ACKNOWLEDGED,
      bool last = false)
{
    WorkloadFrontEndOptions options;
    options.ranks = ranks;
    options.receipt = receipt;
    options.sent = sent;
    options.beginLast = last;
    return options;
}

/** A front end on eight hosts of one server, and the times of what it is told, ps. */
struct Fixture : public WorkloadObserver
{
    explicit Fixture(WorkloadReceipt receipt = WorkloadReceipt::DELIVERED,
                     bool lose = false,
                     WorkloadReceipt sent = WorkloadReceipt::ACKNOWLEDGED,
                     bool last = false)
        : transport(Options(lose)),
          frontEnd(transport, Ranks(4, receipt, sent, last), this)
    {
    }

    static IdealTransport::Options Options(bool lose)
    {
        IdealTransport::Options options;
        options.loseFirst = lose;
        return options;
    }

    void Done(const WorkloadSpan& span) override
    {
        spans.push_back(span);
    }

    /** \return an action that notes the time under a name */
    WorkloadFrontEnd::Action Note(const std::string& name)
    {
        return [this, name] {
            order.push_back(name);
            times[name] = frontEnd.NowPs();
        };
    }

    void FinishAll()
    {
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            frontEnd.Finish(rank);
        }
    }

    IdealTransport transport;
    WorkloadFrontEnd frontEnd;
    Lines order;
    std::map<std::string, int64_t> times;
    std::vector<WorkloadSpan> spans;
};

} // namespace

TEST(WorkloadFrontEnd, TellsTheReceiverOnDelivery)
{
    Fixture f;
    f.frontEnd.Receive({0, 1, 5}, BYTES, f.Note("received"));
    f.frontEnd.Send({0, 1, 5}, BYTES, f.Note("sent"));
    f.frontEnd.Schedule(2, 7, f.Note("due"));
    EXPECT_FALSE(f.frontEnd.Run()); // no rank says that it is done
    EXPECT_EQ(f.order, (Lines{"due", "received", "sent"}));
    EXPECT_EQ(f.times["due"], 7000);
    EXPECT_EQ(f.times["received"], ONE_WAY);
    EXPECT_EQ(f.times["sent"], ROUND_TRIP);
    ASSERT_EQ(f.spans.size(), 2U);
    EXPECT_EQ(f.spans[0].process, 1U);
    EXPECT_EQ(f.spans[0].category, WorkloadFrontEnd::RECEIVE);
    EXPECT_EQ(f.spans[0].endPs, ONE_WAY);
    EXPECT_EQ(f.spans[1].size, BYTES);
    // a send and a receive are over, and four ranks have not finished
    EXPECT_EQ(f.frontEnd.GetCompleted(), 2U);
    EXPECT_EQ(f.frontEnd.GetTotal(), 6U);
}

TEST(WorkloadFrontEnd, TellsTheReceiverWithTheSenderIfAsked)
{
    Fixture f(WorkloadReceipt::ACKNOWLEDGED);
    f.frontEnd.Receive({0, 1, 5}, BYTES, f.Note("received"));
    f.frontEnd.Send({0, 1, 5}, BYTES, f.Note("sent"));
    f.frontEnd.Run();
    EXPECT_EQ(f.order, (Lines{"sent", "received"}));
    EXPECT_EQ(f.times["received"], ROUND_TRIP);
}

// As in SimAI: the sender goes on while the receiver waits for the acknowledgement.
TEST(WorkloadFrontEnd, TellsTheSenderOnDeliveryIfAsked)
{
    Fixture f(WorkloadReceipt::ACKNOWLEDGED, false, WorkloadReceipt::DELIVERED);
    f.frontEnd.Receive({0, 1, 5}, BYTES, f.Note("received"));
    f.frontEnd.Send({0, 1, 5}, BYTES, f.Note("sent"));
    f.FinishAll();
    EXPECT_TRUE(f.frontEnd.Run());
    EXPECT_EQ(f.order, (Lines{"sent", "received"}));
    EXPECT_EQ(f.times["sent"], ONE_WAY);
    EXPECT_EQ(f.times["received"], ROUND_TRIP);
}

// The message begins after the timer that was set before it, and is sent though all have finished.
TEST(WorkloadFrontEnd, MessagesBeginLastIfAsked)
{
    for (const bool last : {false, true})
    {
        Fixture f(WorkloadReceipt::DELIVERED, false, WorkloadReceipt::ACKNOWLEDGED, last);
        std::string meanwhile;
        f.frontEnd.Schedule(0, 5, [&] {
            f.frontEnd.Send({0, 1, 5}, BYTES, f.Note("sent"));
            f.FinishAll();
        });
        f.frontEnd.Schedule(1, 5, [&] { meanwhile = f.transport.Explain(0); });
        EXPECT_TRUE(f.frontEnd.Run());
        EXPECT_EQ(meanwhile, last ? "not started" : "on its way");
        EXPECT_EQ(f.times["sent"], 5000 + ROUND_TRIP);
    }
}

// A ping-pong of three messages: each answer is sent within the call that tells of the message.
TEST(WorkloadFrontEnd, ActionsPostFurtherOperations)
{
    for (const auto& [receipt, step] : {std::pair(WorkloadReceipt::DELIVERED, ONE_WAY),
                                        std::pair(WorkloadReceipt::ACKNOWLEDGED, ROUND_TRIP)})
    {
        Fixture f(receipt);
        WorkloadFrontEnd& frontEnd = f.frontEnd;
        frontEnd.Receive({0, 1, 0}, BYTES, [&] { frontEnd.Send({1, 0, 0}, BYTES); });
        frontEnd.Receive({1, 0, 0}, BYTES, [&] { frontEnd.Send({0, 1, 1}, BYTES); });
        frontEnd.Receive({0, 1, 1}, BYTES, [&] {
            f.Note("third")();
            f.FinishAll();
        });
        frontEnd.Send({0, 1, 0}, BYTES);
        EXPECT_TRUE(frontEnd.Run());
        EXPECT_EQ(f.times["third"], 3 * step);
        EXPECT_EQ(frontEnd.GetFinishPs(1), 3 * step);
        EXPECT_TRUE(frontEnd.ExplainStall(10).empty());
    }
}

TEST(WorkloadFrontEnd, ReceivesTakeBytesNotMessages)
{
    Fixture f;
    f.frontEnd.Send({0, 1, 5}, BYTES / 3);
    f.frontEnd.Send({0, 1, 5}, BYTES);
    f.frontEnd.Schedule(1, 1000, [&] {
        f.frontEnd.Receive({0, 1, 5}, BYTES, f.Note("first")); // 4 * 3000 have come
        f.frontEnd.Receive({0, 1, 5}, 2 * BYTES / 3, f.Note("second"));
        f.Note("both asked")();
        f.frontEnd.Send({0, 1, 5}, BYTES / 3);
    });
    f.frontEnd.Run();
    EXPECT_EQ(f.order, (Lines{"both asked", "first", "second"}));
    EXPECT_EQ(f.times["first"], 1000000);
}

TEST(WorkloadFrontEnd, EmptyMessagesMeetEmptyReceives)
{
    Fixture f;
    f.frontEnd.Receive({2, 3, 0}, 0, f.Note("received"));
    f.frontEnd.Schedule(2, 1, [&] { f.frontEnd.Send({2, 3, 0}, 0); });
    f.frontEnd.Run();
    EXPECT_EQ(f.order, Lines{"received"});
    EXPECT_GT(f.times["received"], 1000);
}

TEST(WorkloadFrontEnd, EndsWhenAllRanksHaveFinishedAndNothingIsUnderWay)
{
    Fixture f;
    f.frontEnd.Send({0, 1, 5}, BYTES, f.Note("sent"));
    f.frontEnd.Schedule(0, 1, [&] { f.FinishAll(); });
    f.frontEnd.Schedule(0, 1000000, f.Note("never"));
    EXPECT_TRUE(f.frontEnd.Run());
    EXPECT_EQ(f.order, Lines{"sent"});
    EXPECT_EQ(f.frontEnd.NowPs(), ROUND_TRIP);
    EXPECT_EQ(f.frontEnd.GetFinishPs(0), 1000);
}

TEST(WorkloadFrontEnd, NamesWhoIsStuckAndWhy)
{
    Fixture f;
    f.frontEnd.Send({0, 1, 5}, 100);
    f.frontEnd.Receive({0, 1, 5}, 300, {});
    f.frontEnd.Receive({2, 1, 9}, 8, {});
    f.frontEnd.Send({0, 2, 6}, 40);
    f.frontEnd.Finish(0);
    EXPECT_FALSE(f.frontEnd.Run());
    const Lines lines{
        "rank 1 waits for 300 bytes from rank 0, tag 5, of which 100 have come; that rank has "
        "finished; and for 1 more receive",
        "rank 2 has not finished, but neither sends nor receives anything",
        "rank 3 has not finished, but neither sends nor receives anything",
        "rank 2 does not ask for 40 bytes that have come from rank 0, tag 6"};
    EXPECT_EQ(f.frontEnd.ExplainStall(4), lines);
    EXPECT_EQ(f.frontEnd.ExplainStall(2), (Lines{lines[0], "and 3 lines more like these"}));
}

TEST(WorkloadFrontEnd, MistakesEndTheRun)
{
    Fixture f;
    f.frontEnd.Schedule(3, 5, [&] { f.frontEnd.Send({3, 4, 1}, 8); });
    f.frontEnd.Schedule(3, 6, f.Note("never"));
    ExpectError([&] { f.frontEnd.Run(); },
                "rank 3 sends to rank 4, tag 1, 8 bytes, but there are only 4 ranks");
    EXPECT_TRUE(f.order.empty());

    IdealTransport transport(IdealTransport::Options{});
    ExpectError([&] { WorkloadFrontEnd(transport, Ranks(100)); },
                "rank 9 is on host 9, but the topology has 9");
}

TEST(WorkloadFrontEnd, WhatTheNetworkGivesUpIsNoMistakeOfInputs)
{
    Fixture lost(WorkloadReceipt::DELIVERED, true);
    lost.frontEnd.Send({2, 0, 77}, 8);
    EXPECT_FALSE(lost.frontEnd.Run());
    const std::string why = "rank 2 to rank 0, tag 77: a message of 8 bytes was given up: ";
    EXPECT_EQ(lost.frontEnd.ExplainStall(2).at(0).substr(0, why.size()), why);
}

// 400 Gb/s, 500 ns, a switch between: 1000 bytes and their headers (48 B) take 20.96 ns on each
// link, an acknowledgement of 60 bytes 1.2 ns.
TEST(WorkloadFrontEnd, TakesPacketsTime)
{
    for (const WorkloadReceipt receipt :
         {WorkloadReceipt::DELIVERED, WorkloadReceipt::ACKNOWLEDGED})
    {
        const auto result = transport_test::OnPackets(
            harness::Star(2, 400000000000, 500),
            [receipt](WorkloadTransport& transport, RdmaNetwork&) -> nlohmann::json {
                WorkloadFrontEnd frontEnd(transport, Ranks(2, receipt));
                int64_t received = 0;
                frontEnd.Receive({0, 1, 0}, 1000, [&] { received = frontEnd.NowPs(); });
                frontEnd.Send({0, 1, 0}, 1000);
                frontEnd.Run();
                return received;
            });
        constexpr int64_t DELAY = 500000;
        const int64_t delivered = 2 * (20960 + DELAY);
        EXPECT_EQ(result.get<int64_t>(),
                  receipt == WorkloadReceipt::DELIVERED ? delivered
                                                        : delivered + 2 * (1200 + DELAY));
    }
}
