/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// `wormhole live`: its options, and, where there is Open MPI, programs that run on the simulated
// network.

#include "harness/run_cli.h"

#include <chrono>
#include <cmath>
#include <csignal>
#include <optional>

using namespace harness;
using nlohmann::json;

namespace
{

class LiveCli : public RunCli
{
  protected:
    void ExpectMistake(const Words& words, const std::string& text)
    {
        const ProgramResult r = box.Run(With({"live"}, words));
        EXPECT_EQ(r.exit, 2) << r.out << r.err;
        EXPECT_NE(r.err.find(text), std::string::npos) << r.err;
    }
};

const Words STAR{"--topology", "star:hosts=2"};

} // namespace

TEST_F(LiveCli, Mistakes)
{
    const Words program{"--", "true"};
    ExpectMistake(STAR, "live needs a program behind --");
    ExpectMistake(With(STAR, {"--"}), "live needs a program behind --");
    ExpectMistake(With(With(STAR, {"--compute", "fast"}), program), "--compute fast");
    ExpectMistake(With(With(STAR, {"--compute", "scaled=0"}), program), "--compute scaled=0");
    ExpectMistake(With(With(STAR, {"--poll", "0ns"}), program), "--poll 0ns");
    ExpectMistake(With(With(STAR, {"--eager-limit", "-1"}), program), "--eager-limit -1");
    ExpectMistake(With(With(STAR, {"--traffic", "ring"}), program), "--traffic: no effect");
    ExpectMistake(With(With(STAR, {"--twin"}), program), "--twin: no effect");
    ExpectMistake(With(With(STAR, {"--mode", "message"}), program),
                  "no effect with --mode message");
    ExpectMistake(With(With(STAR, {"--disorder", "much"}), program), "--disorder");
    ExpectMistake(With(With(STAR, {"--such"}), program), "--such");
}

#ifndef WORMHOLE_RUNS_LIVE
TEST_F(LiveCli, SaysThatMpiIsMissing)
{
    ExpectMistake(With(STAR, {"--", "true"}), "Wormhole was built without MPI");
}
#else

namespace
{

class LivePrograms : public LiveCli
{
  protected:
    /** \return words that run a program of so many ranks, with an output folder */
    Words Live(int ranks, const Words& options, const Words& program) const
    {
        const std::string count = std::to_string(ranks);
        return With(
            With(With({"live", "--topology", "star:hosts=" + count, "--output", "out"}, options),
                 {"--", WORMHOLE_MPIEXEC, "--allow-run-as-root", "--oversubscribe", "-np", count}),
            program);
    }

    /** \return what a program printed that needs no computing time; it must succeed */
    std::string Said(int ranks, const Words& what, const Words& options = {})
    {
        const ProgramResult r = box.Run(Live(ranks,
                                             With({"--compute", "none", "--quiet"}, options),
                                             With({std::string(MPI_PROGRAMS) + "live"}, what)));
        EXPECT_EQ(r.exit, 0) << r.out << r.err;
        return r.out;
    }

    /** \return the number behind some words that a program printed */
    static int64_t NumberBehind(const std::string& said, const std::string& words)
    {
        const size_t at = said.find(words + " ");
        EXPECT_NE(at, std::string::npos) << said;
        return at == std::string::npos ? -1 : std::stoll(said.substr(at + words.size() + 1));
    }

    double FinishNs()
    {
        return box.ReadJson("out/summary.json")["results"]["finish_ns"];
    }

    /** \return what a program printed of which ranks really sleep for 0.3 s, while time was to pass
     * them by \p leastNs. On a machine that is busy, it may not have come so far: then once more */
    std::string SaidLate(int ranks, const Words& what, const Words& options, int64_t leastNs)
    {
        std::string said;
        for (int i = 0; i == 0 || (i < 5 && Disorder()["late_ns"]["max"] < leastNs); ++i)
        {
            said = Said(ranks, what, options);
        }
        return said;
    }

    json Disorder()
    {
        return box.ReadJson("out/summary.json")["results"]["live"]["disorder"];
    }

    /** \return ns that the network takes for one message, by itself */
    double OneWayNs(int64_t bytes, const Words& options = {})
    {
        const std::string size = std::to_string(bytes);
        box.Write("one.goal",
                  "num_ranks 2\nrank 0 {\nl1: send " + size +
                      "b to 1 tag 0\n}\nrank 1 {\nl1: recv " + size + "b from 0 tag 0\n}\n");
        return Summary(With({"--workload", "one.goal", "--topology", "star:hosts=2"},
                            options))["results"]["finish_ns"];
    }

    /** \return when a schedule of what the program does ends, in place of the program */
    double ReplayedNs(int ranks, const Words& program)
    {
        const std::string count = std::to_string(ranks);
        const ProgramResult traced = box.Run(With({"trace",
                                                   "--output",
                                                   "t",
                                                   "--",
                                                   WORMHOLE_MPIEXEC,
                                                   "--allow-run-as-root",
                                                   "--oversubscribe",
                                                   "-np",
                                                   count},
                                                  program));
        EXPECT_EQ(traced.exit, 0) << traced.err;
        const ProgramResult made =
            box.Run({"goal", "from-mpi", "t", "x.goal", "--scale", "0", "--clocks", "ignore"});
        EXPECT_EQ(made.exit, 0) << made.err;
        return Summary({"--workload",
                        "x.goal",
                        "--topology",
                        "star:hosts=" + count,
                        "--eager-limit",
                        "65536"})["results"]["finish_ns"];
    }

    /** A run must end early, with code 3 and these words, and leave results. */
    void ExpectUnfinished(const std::string& what, const Words& texts)
    {
        const ProgramResult r = box.Run(
            Live(3, {"--compute", "none", "--quiet"}, {std::string(MPI_PROGRAMS) + "live", what}));
        EXPECT_EQ(r.exit, 3) << r.out << r.err;
        for (const std::string& text : texts)
        {
            EXPECT_NE(r.err.find(text), std::string::npos) << text << "\n" << r.err;
        }
        EXPECT_EQ(r.err.find("abort is already in progress"), std::string::npos) << r.err;
        const json stalled = box.ReadJson("out/summary.json")["operations"];
        EXPECT_GT(stalled["completed"], 0);
        EXPECT_FALSE(stalled["stalled"].empty());
    }
};

} // namespace

TEST_F(LivePrograms, PingPongTakesTwoWaysOfTheNetwork)
{
    for (const int bytes : {0, 1, 1000, 65536, 65537, 1000000})
    {
        const std::string said = Said(2, {"pingpong", std::to_string(bytes)});
        // an empty message counts as one byte; on its way back, the first frame waits for an
        // acknowledgement of the last one there (84 bytes at 100 Gb/s: 7 ns), and others meet some
        EXPECT_NEAR(NumberBehind(said, "pingpong 0"), 2 * OneWayNs(std::max(bytes, 1)), 10)
            << bytes;
    }
}

TEST_F(LivePrograms, OtherLevelsTakeTheirOwnTimes)
{
    for (const std::string mode : {"fast", "flow"})
    {
        const Words options{"--mode", mode};
        EXPECT_NEAR(NumberBehind(Said(2, {"pingpong", "1000000"}, options), "pingpong 0"),
                    2 * OneWayNs(1000000, options),
                    2)
            << mode;
    }
}

TEST_F(LivePrograms, RingWaitsForTheLastToCompute)
{
    // rank r computes (r + 1) x 100 us, longer than the token takes; the last one's comes last
    const std::string said = Said(4, {"ring"});
    EXPECT_EQ(NumberBehind(said, "ring 3"), 400000);
    EXPECT_NEAR(NumberBehind(said, "ring 0"), 400000 + OneWayNs(4), 1);
}

TEST_F(LivePrograms, AnySourceIsInTheOrderOfSimulatedTime)
{
    // whatever the ranks really do; the program checks the order, and the data
    const std::string said = Said(4, {"wildcard"});
    // the last to come is rank 1, which computes 3 x 10 us, with 200,000 bytes, more than are eager
    EXPECT_NEAR(NumberBehind(said, "wildcard 0"), 30000 + OneWayNs(200000), 30);
    EXPECT_EQ(said, Said(4, {"wildcard"}));
}

TEST_F(LivePrograms, CommunicatorsGoOnAlone)
{
    const std::string said = Said(5, {"split"});
    EXPECT_LT(NumberBehind(said, "split 0"), 100000);
    for (const std::string rank : {"2", "3", "4"})
    {
        EXPECT_GT(NumberBehind(said, "split " + rank), 1000000); // they compute 1 ms
        EXPECT_LT(NumberBehind(said, "split " + rank), 1100000);
    }
}

TEST_F(LivePrograms, CollectivesMoveTheirData)
{
    for (const int ranks : {1, 2, 5})
    {
        for (const int count : {1, 3000, 30000}) // small, large, larger than what is eager
        {
            const Words what{"collectives", std::to_string(count)};
            const std::string said = Said(ranks, what);
            EXPECT_EQ(NumberBehind(said, "collectives 0") == 0, ranks == 1);
        }
    }
}

TEST_F(LivePrograms, NobodyWaitsForWhoHasNoData)
{
    const std::string said = Said(4, {"empty"});
    EXPECT_GT(NumberBehind(said, "empty 0"), NumberBehind(said, "empty 1"));
}

TEST_F(LivePrograms, EndsWhenTheScheduleOfItsTraceDoes)
{
    // which has the same messages, those of collectives among them. (Where several are under way
    // between two ranks, as in larger broadcasts, the schedule takes the one that comes first, and
    // MPI the one that was sent first.)
    const std::string programs = MPI_PROGRAMS;
    for (const Words& program :
         {Words{programs + "halo"}, Words{programs + "live", "collectives", "1"}})
    {
        const ProgramResult r = box.Run(Live(4, {"--compute", "none", "--quiet"}, program));
        EXPECT_EQ(r.exit, 0) << r.err;
        const double live = FinishNs();
        EXPECT_DOUBLE_EQ(live, ReplayedNs(4, program)) << program.back();
    }
}

TEST_F(LivePrograms, ManyMessagesBeforeTheFirstWait)
{
    // each takes as long on the link as the one before it: 4 bytes, and headers
    const int64_t one = NumberBehind(Said(2, {"many", "1"}), "many 1");
    const int64_t thousand = NumberBehind(Said(2, {"many", "1000"}), "many 1");
    const int64_t many = NumberBehind(Said(2, {"many", "3000"}), "many 1");
    const double each = static_cast<double>(thousand - one) / 999;
    EXPECT_GT(each, 5);
    EXPECT_NEAR(static_cast<double>(many), static_cast<double>(thousand) + 2000 * each, 5);
}

TEST_F(LivePrograms, LooksTakeTimeAndFindWhatHasCome)
{
    // sent at 50 us, there 2.0 us later: looks of 1 us each until 53 us, and one of MPI_Iprobe
    const std::string said = Said(2, {"looks"});
    const double looks = std::ceil((50000 + OneWayNs(4)) / 1000);
    EXPECT_EQ(NumberBehind(said, "looked 0"), looks * 1000);
    EXPECT_EQ(NumberBehind(said, "looks"), looks + 1);
    EXPECT_EQ(NumberBehind(Said(2, {"looks"}, {"--poll", "20us"}), "looks"), 3 + 1);
}

TEST_F(LivePrograms, TimePassesRanksThatReallyTakeLongIfItMay)
{
    // rank 2 really sleeps 0.3 s, but computes for 20 us, and then sends to rank 0, who has
    // exchanged 200 messages with rank 1 until then: each takes a way of the network
    const double exchanged = 200 * OneWayNs(20000);
    ASSERT_GT(exchanged, 500'000);
    // time waits for it: it goes on at 20 us, and is heard of as soon as rank 0 listens
    const std::string said = Said(3, {"late"});
    EXPECT_EQ(NumberBehind(said, "late 2"), 20000);
    const double finish = FinishNs();
    EXPECT_NEAR(finish, exchanged, 0.01 * exchanged);
    EXPECT_EQ(Disorder()["late"], 0);
    // time may pass it by 100 us, and does, since much goes on meanwhile: it is late by so much,
    // less what it computed. What is on its way has gone on: it starts late, but counts as of 20 us
    for (const int64_t bound : {100000, 50000})
    {
        const std::string late =
            SaidLate(3, {"late"}, {"--disorder", std::to_string(bound) + "ns"}, bound / 2 + 1);
        const json disorder = Disorder();
        EXPECT_EQ(NumberBehind(late, "late 2"), 20000);
        EXPECT_GE(disorder["late"], 1) << disorder;
        EXPECT_EQ(disorder["bound_ns"], bound);
        EXPECT_LE(disorder["late_ns"]["max"], bound) << disorder;
        EXPECT_GT(disorder["late_ns"]["max"], 0.5 * static_cast<double>(bound)) << disorder;
        EXPECT_GE(disorder["simulated_late"], 1) << disorder;
        if (disorder["late"] == 1) // on a machine that is busy, others may be late, too
        {
            EXPECT_EQ(disorder["skipped_back"], 0) << disorder;
            // it may delay one message of the exchange, or another one, by its own 4 bytes
            EXPECT_NEAR(FinishNs(), finish, 50) << disorder;
        }
    }
}

TEST_F(LivePrograms, WhatIsLateIsAsInTimeWhereNothingHasPassed)
{
    // ranks 2 and 3 send each other 20 kB, while ranks 0 and 1 send elsewhere
    const double way = OneWayNs(20000);
    const std::string said = Said(4, {"apart"});
    EXPECT_NEAR(static_cast<double>(NumberBehind(said, "apart 3")), 20000 + way, 1);
    const double finish = FinishNs();
    const std::string late = SaidLate(4, {"apart"}, {"--disorder", "100us"}, 1);
    EXPECT_EQ(NumberBehind(late, "apart 3"), NumberBehind(said, "apart 3"));
    // the answer goes on the way of an acknowledgement, which takes 60 bytes and more: so it may
    // start late, and what it would have waited for that, some ns, is what it is off
    EXPECT_NEAR(static_cast<double>(NumberBehind(late, "apart 2")),
                static_cast<double>(NumberBehind(said, "apart 2")),
                10);
    EXPECT_NEAR(FinishNs(), finish, 10);
    const json disorder = Disorder();
    EXPECT_GE(disorder["skipped_back"], 1) << disorder;
}

TEST_F(LivePrograms, SkipsGoBackToWhatIsLate)
{
    // 2 MB for rank 1 should meet 40 MB for it at 1 ms, and are said at 1.4 ms: on their way are
    // flows that are skipped, from their packets or from what is known of them
    for (const char* memo : {"true", "false"})
    {
        const Words fast{"--mode", "fast", "--fast", std::string("Memo=") + memo};
        const std::string said = Said(3, {"meet"}, fast);
        const std::string late =
            SaidLate(3, {"meet"}, With(fast, {"--disorder", "1400us"}), 390'000);
        const json disorder = Disorder();
        EXPECT_GE(disorder["late_ns"]["max"], 390'000) << disorder;
        EXPECT_GE(disorder["skipped_back"], 1) << disorder;
        // they start together then; how windows move is another way of the same
        for (const auto& [which, share] : {std::pair{"met-short 1", 0.04}, {"met-long 1", 0.002}})
        {
            const auto inTime = static_cast<double>(NumberBehind(said, which));
            EXPECT_NEAR(static_cast<double>(NumberBehind(late, which)), inTime, share * inTime)
                << memo << disorder;
        }
    }
}

TEST_F(LivePrograms, WhoIsKilledIsNamed)
{
    ExpectUnfinished("killed", {"rank 1 (process ", ") ended without MPI_Finalize", "rank 0 "});
}

TEST_F(LivePrograms, WhoWaitsForEverIsNamed)
{
    ExpectUnfinished("stuck",
                     {"deadlock: every rank that has not finished waits",
                      "rank 0 waits in MPI_Recv since 1",
                      ", for a message from rank 1, tag 0",
                      "rank 2 waits in MPI_Recv"});
}

TEST_F(LivePrograms, WrongArgumentsAreRefusedAsByMpi)
{
    const std::string wrong = std::string(MPI_PROGRAMS) + "wrong";
    const Words quiet{"--compute", "none", "--quiet"};
    const ProgramResult returned = box.Run(Live(2, quiet, {wrong, "refused"}));
    EXPECT_EQ(returned.exit, 0) << returned.out << returned.err;
    const ProgramResult fatal = box.Run(Live(2, quiet, {wrong, "fatal"}));
    // what Open MPI prints of it, mpirun 4.1 loses in some runs, with or without Wormhole
    EXPECT_EQ(fatal.exit, 3) << fatal.err;
    EXPECT_NE(fatal.err.find(") ended without MPI_Finalize"), std::string::npos) << fatal.err;
}

TEST_F(LivePrograms, MembersThatCallDifferentCollectivesAreNamed)
{
    const std::string wrong = std::string(MPI_PROGRAMS) + "wrong";
    const auto expect = [&](const std::string& how, const std::string& text) {
        const ProgramResult r =
            box.Run(Live(2, {"--compute", "none", "--quiet"}, {wrong, "disagree", how}));
        EXPECT_EQ(r.exit, 2) << r.out << r.err;
        EXPECT_NE(r.err.find("collective 1 of the communicator is " + text), std::string::npos)
            << r.err;
    };
    expect("call", "MPI_Bcast of 4 bytes with root 0 here, but MPI_Allreduce of 4 bytes at rank 0");
    expect("root", "MPI_Bcast of 4 bytes with root 1 here, but MPI_Bcast of 4 bytes with root 0");
    expect("count", "MPI_Allreduce of 8 bytes here, but MPI_Allreduce of 4 bytes at rank 0");
}

TEST_F(LivePrograms, SignalLeavesResults)
{
    // rank 1 never calls MPI again, and says so by a file; meanwhile the run says whom it waits for
    using Clock = std::chrono::steady_clock;
    std::optional<Clock::time_point> busy;
    const ProgramResult r =
        box.RunAndSignal(Live(3,
                              {"--compute", "none", "--quiet", "--stall", "0.2"},
                              {std::string(MPI_PROGRAMS) + "live", "busy"}),
                         SIGINT,
                         [&] {
                             const bool said = !box.Read("busy").empty();
                             busy = said && !busy ? Clock::now() : busy;
                             return said && Clock::now() - *busy > std::chrono::milliseconds(1500);
                         });
    EXPECT_NE(r.err.find("stall:   rank 1 runs behind MPI_Barrier since 1.00 ms"),
              std::string::npos)
        << r.err;
    EXPECT_EQ(r.exit, 130) << r.err;
    EXPECT_NE(r.err.find("interrupted"), std::string::npos) << r.err;
    EXPECT_GT(box.ReadJson("out/summary.json")["operations"]["completed"], 0);
}

TEST_F(LivePrograms, ProgramsThatDoNotFit)
{
    const auto expect = [&](int ranks,
                            const Words& options,
                            const std::string& what,
                            int exit,
                            const std::string& text) {
        const ProgramResult r =
            box.Run(Live(ranks, options, {std::string(MPI_PROGRAMS) + "live", what, "1", "5"}));
        EXPECT_EQ(r.exit, exit) << what << r.err;
        EXPECT_NE(r.err.find(text), std::string::npos) << what << r.err;
    };
    expect(2, {}, "nothing", 2, "none of its ranks called MPI_Init");
    expect(2, {}, "window", 2, "MPI_Win_create: wormhole live does not simulate");
    expect(2, {}, "ring", 5, "the program ended with exit code 5");
    ExpectMistake(With(STAR, {"--", "no-such-program"}),
                  "no-such-program: cannot be run, or ended with exit code 127; give");
    const ProgramResult r = box.Run(Live(1, {}, {std::string(MPI_PROGRAMS) + "wrong", "threads"}));
    EXPECT_EQ(r.exit, 2);
    EXPECT_NE(r.err.find("rank 0, message 1, MPI_Sendrecv: called by a second thread"),
              std::string::npos)
        << r.err;
}
#endif
