/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Outputs that cannot be written: an error that names the file, the rest of the results is there,
// and what was written is right.

#include "fault-run.h"

#include <csignal>
#include <filesystem>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace faults;
using nlohmann::json;
namespace fs = std::filesystem;

namespace
{

constexpr size_t FLOW_COUNT = 24 * 23;
const Words FLOWS{"run",
                  "--topology",
                  "star:hosts=24",
                  "--traffic",
                  "all-to-all:bytes=2KB",
                  "--quiet",
                  "--output"};

class Disk : public testing::Test
{
  protected:
    ProgramResult Run(const std::string& output, const Circumstances& circumstances = {})
    {
        return RunUnder(box, harness::With(FLOWS, {output}), circumstances);
    }

    /** \return fct.txt of a run that nothing hinders */
    std::string Whole()
    {
        EXPECT_EQ(Run("whole").exit, 0);
        EXPECT_EQ(box.Lines("whole/fct.txt").size(), FLOW_COUNT);
        return box.Read("whole/fct.txt");
    }

    /** One line on standard error, which says which file and why. */
    static void ExpectError(const ProgramResult& r, const Words& parts)
    {
        EXPECT_EQ(r.exit, 1) << r.err;
        EXPECT_EQ(r.err.rfind("wormhole: ", 0), 0U) << r.err;
        for (const std::string& part : parts)
        {
            EXPECT_NE(r.err.find(part), std::string::npos) << r.err << "  lacks: " << part;
        }
    }

    Sandbox box;
};

} // namespace

TEST_F(Disk, FullDevice)
{
    const std::string whole = Whole();
    fs::create_directory(box.PathOf("out"));
    fs::create_symlink("/dev/full", box.PathOf("out/fct.txt"));
    ExpectError(Run("out"), {"out/fct.txt: cannot be written: No space left on device"});
    EXPECT_EQ(box.ReadJson("out/summary.json")["flows"]["completed"], FLOW_COUNT)
        << "the summary is complete all the same";
    fs::remove(box.PathOf("out/fct.txt"));
    fs::remove(box.PathOf("out/summary.json"));
    fs::create_symlink("/dev/full", box.PathOf("out/summary.json"));
    ExpectError(Run("out"), {"out/summary.json: cannot be written: No space left on device"});
    EXPECT_TRUE(box.Read("out/fct.txt") == whole);
}

TEST_F(Disk, FileSizeLimit)
{
    const std::string whole = Whole();
    for (const uint64_t most : {1000U, 5000U, 20000U})
    {
        Circumstances circumstances;
        circumstances.prepare = [most] { Limit(RLIMIT_FSIZE, most); };
        ExpectError(Run("out", circumstances), {"out/", "File too large"});
        const std::string text = box.Read("out/fct.txt");
        EXPECT_LE(text.size(), most);
        EXPECT_EQ(whole.compare(0, text.size(), text), 0);
        EXPECT_GE(WholeLines(box, "out/fct.txt").size() + 1, text.size() / 80)
            << "what fits is there";
    }
}

TEST_F(Disk, SmallFileSystem)
{
    const std::string whole = Whole();
    fs::create_directory(box.PathOf("small"));
    if (unshare(CLONE_NEWNS) != 0 ||
        mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("none", box.PathOf("small").c_str(), "tmpfs", 0, "size=16k") != 0)
    {
        GTEST_SKIP() << "not allowed to mount a small file system";
    }
    ExpectError(Run("small/out"), {"No space left on device"});
    const std::string text = box.Read("small/out/fct.txt");
    EXPECT_GT(text.size(), 0U);
    EXPECT_EQ(whole.compare(0, text.size(), text), 0);
    const ProgramResult fast =
        RunUnder(box,
                 harness::With(FLOWS, {"fast", "--mode", "fast", "--memo", "small/episodes.db"}));
    EXPECT_EQ(fast.exit, 0) << "the results are elsewhere";
    EXPECT_NE(fast.err.find("episode store small/episodes.db: "), std::string::npos) << fast.err;
    EXPECT_EQ(box.Lines("fast/fct.txt").size(), FLOW_COUNT);
    umount(box.PathOf("small").c_str());
}

/** A bind mount that not even root may write to. */
TEST_F(Disk, ReadOnlyFileSystem)
{
    fs::create_directory(box.PathOf("sealed"));
    const std::string sealed = box.PathOf("sealed");
    if (unshare(CLONE_NEWNS) != 0 ||
        mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount(sealed.c_str(), sealed.c_str(), nullptr, MS_BIND, nullptr) != 0 ||
        mount("none", sealed.c_str(), nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY, nullptr) != 0)
    {
        GTEST_SKIP() << "not allowed to mount";
    }
    ExpectError(Run("sealed/out"), {"sealed/out: cannot be made: Read-only file system"});
    ExpectError(Run("sealed"), {"sealed/summary.json: cannot be written: Read-only file system"});
    umount(sealed.c_str());
}

TEST_F(Disk, ReadOnlyFolder)
{
    fs::permissions(box.PathOf(""), fs::perms(0755));
    fs::create_directory(box.PathOf("closed"));
    fs::permissions(box.PathOf("closed"), fs::perms(0555));
    Circumstances circumstances;
    circumstances.prepare = BecomeNobody;
    const ProgramResult r = Run("closed", circumstances);
    if (r.exit == 127)
    {
        GTEST_SKIP() << "nobody may not run the program here";
    }
    ExpectError(r, {"closed/summary.json: cannot be written: Permission denied"});
    ExpectError(Run("closed/out", circumstances),
                {"closed/out: cannot be made: Permission denied"});
}

TEST_F(Disk, FileInPlaceOfAFolder)
{
    box.Write("taken", "not a folder");
    ExpectError(Run("taken"), {"taken: cannot be made: "});
    ExpectError(Run("taken/out"), {"taken/out: cannot be made: Not a directory"});
    EXPECT_EQ(box.Read("taken"), "not a folder");
    fs::create_directories(box.PathOf("out/fct.txt"));
    ExpectError(Run("out"), {"out/fct.txt: cannot be written: Is a directory"});
}

/** Whatever becomes of standard output, the files are complete. */
TEST_F(Disk, StandardOutput)
{
    const Words words{"run",
                      "--topology",
                      "star:hosts=2",
                      "--traffic",
                      "ring:bytes=1KB",
                      "--no-progress",
                      "--json"};
    Circumstances full;
    full.out = "/dev/full";
    ExpectError(RunUnder(box, words, full), {"standard output cannot be written"});
    EXPECT_EQ(box.ReadJson("wormhole-out/summary.json")["flows"]["completed"], 2);
    fs::remove_all(box.PathOf("wormhole-out"));
    Circumstances closed;
    closed.prepare = [] {
        int ends[2];
        if (pipe(ends) != 0 || dup2(ends[1], STDOUT_FILENO) < 0)
        {
            _exit(127);
        }
        close(ends[0]);
        close(ends[1]);
    };
    const ProgramResult r = RunUnder(box, words, closed);
    EXPECT_TRUE(r.exit == 1 || r.exit == 128 + SIGPIPE) << r.exit;
    EXPECT_EQ(box.ReadJson("wormhole-out/summary.json")["flows"]["completed"], 2);
}

TEST_F(Disk, DevicesAndPipesAsOutputs)
{
    box.Write("topology.txt", "3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n");
    box.Write("flow.txt", "1\n0 1 3 100 1000 0\n");
    box.Write("config.txt",
              "TOPOLOGY_FILE topology.txt\nFLOW_FILE flow.txt\nL2_ACK_INTERVAL 1\n"
              "ENABLE_QCN 0\nFCT_OUTPUT_FILE /dev/stdout\nPFC_OUTPUT_FILE /dev/null\n");
    const ProgramResult r = RunUnder(box, {"run", "--config", "config.txt", "--quiet"});
    EXPECT_EQ(r.exit, 0) << r.err;
    EXPECT_EQ(r.out.rfind("0b000001 0b000101 10000 100 1000 0 ", 0), 0U) << r.out;
    EXPECT_EQ(box.ReadJson("stdout.summary.json")["flows"]["completed"], 1);
    ASSERT_EQ(mkfifo(box.PathOf("pipe").c_str(), 0600), 0);
    FaultRun writer(box, {"topology", "star:hosts=2", "--output", "pipe"});
    EXPECT_EQ(box.Read("pipe").substr(0, 5), "3 1 2");
    EXPECT_EQ(writer.Wait().exit, 0);
}
