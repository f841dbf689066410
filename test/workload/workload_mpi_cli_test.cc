/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// `wormhole trace` and `wormhole goal from-mpi`, run for real: on traces written by hand, and,
// where there is MPI, on programs.

#include "harness/mpi_trace.h"
#include "harness/run_cli.h"

using namespace harness;
using nlohmann::json;

namespace
{

/** Default parameters of message level: 2 o + L + g, and G for each byte but the first. */
int64_t
MessageNs(int64_t bytes)
{
    return 2 * 1500 + 2500 + 1000 + 6 * (bytes - 1);
}

class MpiCli : public RunCli
{
  protected:
    /** Two ranks: 1000 ns, 1000 bytes there, 300 ns, 500 bytes back. */
    void WriteTraces()
    {
        MpiTrace zero(0, 2);
        zero.Compute(1000).Add(MpiTrace::SEND, MpiTrace::SEND_CALL, {0, 1, 3, 1000, 0});
        zero.Add(MpiTrace::RECV, MpiTrace::RECV_CALL, {0, 0, 1, 4, 500, 0});
        MpiTrace one(1, 2);
        one.Add(MpiTrace::RECV, MpiTrace::RECV_CALL, {0, 3, 0, 3, 1000, 0});
        one.Compute(300).Add(MpiTrace::SEND, MpiTrace::SEND_CALL, {0, 0, 4, 500, 0});
        box.Write("t/rank-0.mpitrace", zero.Ended());
        box.Write("t/rank-1.mpitrace", one.Ended());
    }

    /** \return what from-mpi prints about folder t, with these words besides; it must succeed */
    std::string FromMpi(const Words& words)
    {
        const ProgramResult r = box.Run(With({"goal", "from-mpi", "t"}, words));
        EXPECT_EQ(r.exit, 0) << r.err;
        return r.out;
    }

    void ExpectMistake(const Words& words, const std::string& text)
    {
        const ProgramResult r = box.Run(words);
        EXPECT_EQ(r.exit, 2) << r.out << r.err;
        EXPECT_NE(r.err.find(text), std::string::npos) << r.err;
    }

    int64_t FinishNs(const std::string& goal)
    {
        return Summary({"--workload", goal, "--mode", "message"})["results"]["finish_ns"];
    }
};

} // namespace

TEST_F(MpiCli, TakesAsLongAsSleepsAndMessages)
{
    WriteTraces();
    const std::string said = FromMpi({"x.goal"});
    EXPECT_EQ(said.substr(0, said.find('\n')),
              "x.goal: text, 2 ranks, 6 operations, 4 dependencies");
    EXPECT_NE(said.find("MPI_Send                                 2           2              1500"),
              std::string::npos)
        << said;
    EXPECT_EQ(FinishNs("x.goal"), 1000 + MessageNs(1000) + 300 + MessageNs(500));
    FromMpi({"x.goal", "--scale", "0.5"});
    EXPECT_EQ(FinishNs("x.goal"), 500 + MessageNs(1000) + 150 + MessageNs(500));
    FromMpi({"x.bin", "--scale", "0"});
    EXPECT_EQ(FinishNs("x.bin"), MessageNs(1000) + MessageNs(500));
}

TEST_F(MpiCli, SaysHowLongTheProgramTook)
{
    WriteTraces();
    // rank 0: 1000 ns, and 1000 in each of three calls; rank 1: 300, and the same
    EXPECT_NE(
        FromMpi({"x.goal"}).find("\nthe program took 4.00 us from MPI_Init to MPI_Finalize\n"),
        std::string::npos);
}

TEST_F(MpiCli, ParametersBySize)
{
    WriteTraces();
    FromMpi({"x.goal"});
    box.Write("m.csv", "bytes,L,o,g,G,eager,self\n1,100,10,0,0,1,5\n1000,2000,20,0,1,0,5\n");
    // 1000 bytes: 20 + 2000 + 999 + 20; 500 bytes: 10 + 100 + 10
    const json run = Summary({"--workload", "x.goal", "--mode", "message", "--loggops", "m.csv"});
    EXPECT_EQ(run["results"]["finish_ns"], 1000 + 3039 + 300 + 120);
    EXPECT_EQ(run["configuration"]["loggops"], json::object({{"file", "m.csv"}}));
    const Words words{"run", "--workload", "x.goal", "--mode", "message", "--loggops"};
    ExpectMistake(With(words, {"n.csv"}), "n.csv: cannot be read; --loggops must be");
    box.Write("n.csv", "bytes,L,o,g,G,eager,self\n1,100,10,0,0,2,5\n");
    ExpectMistake(With(words, {"n.csv"}), "n.csv:2: eager 2, but must be");
    ExpectMistake(With(words, {"m.csv", "--loggopsim-exact"}),
                  "--loggopsim-exact: no effect with parameters by size");
}

TEST_F(MpiCli, Mistakes)
{
    WriteTraces();
    ExpectMistake({"goal", "from-mpi", "t"}, "DIR and OUT");
    ExpectMistake({"goal", "from-mpi", "t", "t/rank-0.mpitrace", "--to", "text"}, "overwrite");
    ExpectMistake({"goal", "from-mpi", "t", "x.goal", "--scale", "-1"}, "from 0 to 1000");
    ExpectMistake({"goal", "from-mpi", "t", "x.goal", "--clocks", "no"}, "--clocks no");
    ExpectMistake({"goal", "from-mpi", "u", "x.goal"}, "u: holds no traces");
    box.Write("t/rank-1.mpitrace", box.Read("t/rank-1.mpitrace").substr(0, 60));
    ExpectMistake({"goal", "from-mpi", "t", "x.goal"}, "without MPI_Finalize");
    EXPECT_EQ(box.Read("x.goal"), "");
    box.Write("d/rank-0.mpitrace", box.Read("t/rank-0.mpitrace"));
    box.Write("d/rank-1.mpitrace/file", "");
    ExpectMistake({"goal", "from-mpi", "d", "x.goal"}, "d/rank-1.mpitrace: cannot be read");
    ExpectMistake({"trace"}, "trace needs a program behind --");
    ExpectMistake({"trace", "--"}, "trace needs a program behind --");
}

#ifndef WORMHOLE_MPIEXEC
TEST_F(MpiCli, TraceSaysThatMpiIsMissing)
{
    ExpectMistake({"trace", "--", "true"}, "Wormhole was built without MPI");
}
#else

namespace
{

class MpiPrograms : public MpiCli
{
  protected:
    void SetUp() override
    {
        if (std::getenv("WORMHOLE_PROGRAM") &&
            !std::filesystem::exists(FolderOfPrograms() + "libwormhole-trace.so"))
        {
            GTEST_SKIP() << "builds with a sanitizer trace no MPI programs";
        }
    }

    /** Traces a program into folder t. */
    ProgramResult Trace(int ranks, const Words& program)
    {
        const Words launch{"trace",
                           "--output",
                           "t",
                           "--",
                           WORMHOLE_MPIEXEC,
                           "--allow-run-as-root",
                           "--oversubscribe",
                           "-np",
                           std::to_string(ranks)};
        ProgramResult r = box.Run(With(launch, program));
        EXPECT_EQ(r.exit, 0) << r.out << r.err;
        return r;
    }

    /** \return the folder of the command line, with a slash */
    static std::string FolderOfPrograms()
    {
        const std::string wormhole = Sandbox::GetWormhole();
        return wormhole.substr(0, wormhole.rfind('/') + 1);
    }

    /** \return the nanoseconds of all computations in a text */
    int64_t Computed(const std::string& goal)
    {
        int64_t sum = 0;
        for (const std::string& line : box.Lines(goal))
        {
            const size_t at = line.find(": calc ");
            sum += at == std::string::npos ? 0 : std::stoll(line.substr(at + 7));
        }
        return sum;
    }
};

} // namespace

TEST_F(MpiPrograms, SleepsAndMessagesAreExact)
{
    // as the documents have it: each rank runs under wormhole trace
    Trace(2,
          {Sandbox::GetWormhole(),
           "trace",
           "--output",
           "t",
           "--",
           std::string(MPI_PROGRAMS) + "sleeps"});
    FromMpi({"none.goal", "--scale", "0", "--clocks", "ignore"});
    EXPECT_EQ(FinishNs("none.goal"), MessageNs(1000) + MessageNs(500));
    FromMpi({"x.goal", "--clocks", "ignore"});
    EXPECT_GE(Computed("x.goal"), 50'000'000);
    // the two sleeps and the messages follow each other; what is computed besides is little, but
    // some of it is not on the way
    const int64_t took = FinishNs("x.goal");
    EXPECT_GE(took, 50'000'000 + MessageNs(1000) + MessageNs(500));
    EXPECT_LE(took, Computed("x.goal") + MessageNs(1000) + MessageNs(500));
}

TEST_F(MpiPrograms, HaloExchange)
{
    Trace(4, {std::string(MPI_PROGRAMS) + "halo"});
    const std::string said = FromMpi({"x.goal"});
    // 4 ranks start 8 requests ten times, half of which send 6400 bytes
    EXPECT_NE(said.find("MPI_Startall                           320         160           1024000"),
              std::string::npos)
        << said;
    // two steps of recursive doubling
    EXPECT_NE(said.find("MPI_Allreduce                           40          80               640"),
              std::string::npos)
        << said;
    const json counts = json::parse(box.Run({"goal", "stats", "x.goal", "--json"}).out);
    EXPECT_EQ(counts["operations"]["send"], 240);
    const ProgramResult checked = box.Run({"goal", "validate", "x.goal"});
    EXPECT_NE(checked.out.find(": 0 errors, 0 warnings"), std::string::npos) << checked.out;
    EXPECT_EQ(box.Run({"run", "--workload", "x.goal", "--topology", "star:hosts=4"}).exit, 0);
}

TEST_F(MpiPrograms, EverythingThatIsTracedFits)
{
    Trace(3, {std::string(MPI_PROGRAMS) + "everything"});
    const std::string said = FromMpi({"x.goal"});
    // each of three ranks starts one of each; MPI_Start itself starts no other request
    EXPECT_NE(said.find("MPI_Bsend_init                           3           3              1200"),
              std::string::npos)
        << said;
    EXPECT_NE(said.find("MPI_Ssend_init                           3           3              1200"),
              std::string::npos)
        << said;
    const ProgramResult checked = box.Run({"goal", "validate", "x.goal"});
    EXPECT_NE(checked.out.find(": 0 errors, 0 warnings"), std::string::npos) << checked.out;
    EXPECT_EQ(box.Run({"run", "--workload", "x.goal", "--topology", "star:hosts=3"}).exit, 0);
}

TEST_F(MpiPrograms, WhatIsNotTracedIsSaid)
{
    const std::string everything = std::string(MPI_PROGRAMS) + "everything";
    EXPECT_EQ(Trace(2, {everything}).err.find("wormhole trace"), std::string::npos);
    // when it happens, and by from-mpi
    EXPECT_NE(Trace(2, {everything, "one-sided"})
                  .err.find("wormhole trace: MPI_Win_create, which a trace cannot hold"),
              std::string::npos);
    ExpectMistake({"goal", "from-mpi", "t", "x.goal"}, "MPI_Win_create");
    EXPECT_NE(Trace(1, {std::string(MPI_PROGRAMS) + "wrong", "threads"})
                  .err.find("wormhole trace: MPI_Sendrecv is called by a second thread"),
              std::string::npos);
    EXPECT_NE(Trace(2, {std::string(MPI_PROGRAMS) + "wrong", "groups"})
                  .err.find("wormhole trace: MPI_Barrier on a communicator of two groups"),
              std::string::npos);
}

TEST_F(MpiPrograms, WhatMpiRefusesIsNotRecorded)
{
    Trace(2, {std::string(MPI_PROGRAMS) + "wrong", "refused"});
    // what is left are two ranks' barriers at the end
    const std::string said = FromMpi({"x.goal"});
    EXPECT_NE(said.find("MPI_Barrier                              2"), std::string::npos) << said;
    EXPECT_EQ(said.find("MPI_Send"), std::string::npos) << said;
    EXPECT_EQ(said.find("MPI_Bcast"), std::string::npos) << said;
}

TEST_F(MpiPrograms, WhatLeavesNoTraceIsSaid)
{
    for (const Words& program : {Words{"true"}, Words{WORMHOLE_MPIEXEC, "--version"}})
    {
        const ProgramResult r = box.Run(With({"trace", "--output", "n", "--"}, program));
        EXPECT_EQ(r.exit, 0);
        EXPECT_NE(r.err.find("n holds no traces: none of its processes called MPI_Init"),
                  std::string::npos)
            << r.err;
    }
}

TEST_F(MpiPrograms, MeasuresWhatMessagesTake)
{
    // on a machine that may do anything else: the figures are only plausible, and a run takes them
    const Sandbox measure(WORMHOLE_MPIEXEC);
    const ProgramResult r = measure.Run({"--allow-run-as-root",
                                         "--oversubscribe",
                                         "-np",
                                         "2",
                                         FolderOfPrograms() + "wormhole-loggops",
                                         "--most",
                                         "64"});
    ASSERT_EQ(r.exit, 0) << r.err;
    box.Write("m.csv", r.out);
    WriteTraces();
    FromMpi({"x.goal", "--scale", "0", "--clocks", "ignore"});
    const json run = Summary({"--workload", "x.goal", "--mode", "message", "--loggops", "m.csv"});
    EXPECT_GT(run["results"]["finish_ns"], 50);
    EXPECT_LT(run["results"]["finish_ns"], 1'000'000'000);
    const ProgramResult three = measure.Run({"--allow-run-as-root",
                                             "--oversubscribe",
                                             "-np",
                                             "3",
                                             FolderOfPrograms() + "wormhole-loggops"});
    EXPECT_NE(three.exit, 0);
    EXPECT_NE(three.err.find("needs two ranks (mpirun -np 2), not 3"), std::string::npos)
        << three.err;
}

TEST_F(MpiPrograms, WhatIsEndedLeavesWhatItCalled)
{
    for (const std::string what : {"abort", "killed"})
    {
        const ProgramResult r = box.Run({"trace",
                                         "--output",
                                         "t",
                                         "--",
                                         WORMHOLE_MPIEXEC,
                                         "--allow-run-as-root",
                                         "--oversubscribe",
                                         "-np",
                                         "2",
                                         std::string(MPI_PROGRAMS) + "live",
                                         what});
        EXPECT_EQ(r.exit, what == "abort" ? 9 : 137) << r.err;
        // each called MPI_Barrier; rank 0 may not have left it when mpirun ends it
        const Words read{"goal", "from-mpi", "t", "x.goal"};
        ExpectMistake(read, "t: 2 of 2 traces end without MPI_Finalize (whole records: rank 0");
        ExpectMistake(read, ", rank 1 after 1)");
    }
}

TEST_F(MpiPrograms, ProgramsThatAreNone)
{
    ExpectMistake({"trace", "--output", "t", "--", "no-such-program"}, "cannot be run");
}
#endif
