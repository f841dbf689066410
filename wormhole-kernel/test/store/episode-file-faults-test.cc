/*
 * SPDX-License-Identifier: MIT
 */
// What can be wrong with the file of a SqliteEpisodeStore: a warning, and the run goes on.

#include "episode/episode-samples.h"
#include "store/store-folder.h"
#include "wormhole/sqlite-episode-store.h"

#include <csignal>
#include <functional>
#include <grp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace wormhole
{
namespace
{

using test::EpisodeOf;
using test::FINGERPRINT;
using test::Incast;

class EpisodeFileFaults : public test::StoreFolder
{
  protected:
    void TearDown() override
    {
        EXPECT_TRUE(m_warnings.empty()) << testing::PrintToString(m_warnings);
    }

    /** Makes the file, with episodes 0 to \p count - 1. */
    void Make(std::uint64_t count = 3, const Signature& fingerprint = FINGERPRINT)
    {
        SqliteEpisodeStore store(m_path, fingerprint, Collect());
        for (std::uint64_t kind = 0; kind < count; ++kind)
        {
            store.Insert(Incast(kind), EpisodeOf(kind));
        }
    }

    /** A store on a file that is of no use: one warning, and all works in memory. */
    void ExpectMemoryOnly(const std::string& part)
    {
        const std::string before = std::filesystem::is_regular_file(m_path) ? Read() : "";
        {
            SqliteEpisodeStore store(m_path, FINGERPRINT, Collect());
            EXPECT_EQ(store.Access(), EpisodeFileAccess::None);
            EXPECT_TRUE(store.Insert(Incast(100), EpisodeOf(100)));
            EXPECT_TRUE(store.Find(Incast(100), EpisodeEnd::Converged));
            EXPECT_FALSE(store.Find(Incast(0), EpisodeEnd::Converged));
            store.Confirm(Incast(100), Duration{99999});
            EXPECT_EQ(store.Statistics().episodes, 1U);
            EXPECT_EQ(store.Prune({}), 0U);
            EXPECT_EQ(store.MergeFrom("elsewhere").added, 0U);
            store.ForEach([](const StoredEpisode&) { FAIL(); });
        }
        ExpectWarning(part);
        if (std::filesystem::is_regular_file(m_path))
        {
            EXPECT_TRUE(Read() == before);
        }
    }

    /** Does \p work in a process of its own, which may change its rights. \return whether all
     * that it expected was so */
    static bool InChild(const std::function<void()>& work)
    {
        const pid_t child = fork();
        if (child == 0)
        {
            work();
            _exit(testing::Test::HasFailure() ? 1 : 0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }

    /** Gives up root's right to write everywhere, if it is root who tests. */
    static void BecomeNobody()
    {
        if (geteuid() == 0)
        {
            ASSERT_EQ(setgroups(0, nullptr), 0);
            ASSERT_EQ(setgid(65534), 0);
            ASSERT_EQ(setuid(65534), 0);
        }
    }

    void SetMode(const std::string& path, unsigned mode) const
    {
        std::filesystem::permissions(path, std::filesystem::perms(mode));
    }
};

TEST_F(EpisodeFileFaults, NoDatabase)
{
    Write("This is a letter to my aunt, and not a database at all.\n");
    ExpectMemoryOnly("not a database");
    Write(std::string(10'000, 'x'));
    ExpectMemoryOnly("not a database");
    Write("SQLite format 3");
    ExpectMemoryOnly("not a database");
    Write("x");
    ExpectMemoryOnly("not a database");
}

TEST_F(EpisodeFileFaults, AnEmptyFileIsUsed)
{
    Write("");
    Make();
    EXPECT_EQ(Sql("SELECT COUNT(*) FROM episodes"), "3");
}

TEST_F(EpisodeFileFaults, ForeignDatabase)
{
    Sql("CREATE TABLE letters (text); INSERT INTO letters VALUES ('Dear aunt')");
    ExpectMemoryOnly("a database of something else");
    Sql("PRAGMA journal_mode = WAL");
    ExpectMemoryOnly("a database of something else");
    EXPECT_EQ(Sql("SELECT text FROM letters"), "Dear aunt");
    EXPECT_FALSE(std::filesystem::exists(m_path + "-wal"));
}

TEST_F(EpisodeFileFaults, ForeignLogIsLeftToItsOwner)
{
    sqlite3* owner = nullptr;
    sqlite3_open(m_path.c_str(), &owner);
    sqlite3_exec(owner,
                 "CREATE TABLE letters (text); PRAGMA journal_mode = WAL; "
                 "INSERT INTO letters VALUES ('Dear aunt')",
                 nullptr,
                 nullptr,
                 nullptr);
    // As if the owner had crashed: a copy of the files, which nobody has open.
    const std::string owners = m_path;
    m_path = m_folder + "/copy.sqlite";
    std::filesystem::copy_file(owners, m_path);
    std::filesystem::copy_file(owners + "-wal", m_path + "-wal");
    sqlite3_close(owner);
    ExpectMemoryOnly("a database of something else");
    EXPECT_GT(std::filesystem::file_size(m_path + "-wal"), 0U);
    EXPECT_EQ(Sql("SELECT text FROM letters"), "Dear aunt");
}

TEST_F(EpisodeFileFaults, OtherVersion)
{
    Make();
    const std::string version = Sql("PRAGMA user_version");
    Sql("PRAGMA user_version = 16777216");
    ExpectMemoryOnly("a newer version");
    Sql("PRAGMA user_version = 1");
    ExpectMemoryOnly("an older version");
    Sql("PRAGMA user_version = " + version);
    EXPECT_TRUE(
        SqliteEpisodeStore(m_path, FINGERPRINT, Collect()).Find(Incast(0), EpisodeEnd::Converged));
}

TEST_F(EpisodeFileFaults, Truncated)
{
    Make(20);
    const std::string whole = Read();
    ASSERT_EQ(whole.size() % 4096, 0U);
    Write(whole.substr(0, whole.size() - 1));
    ExpectMemoryOnly("its end is missing");
    for (const std::size_t size : {whole.size() - 4096, whole.size() / 2, std::size_t{5000}})
    {
        Write(whole.substr(0, size));
        ExpectMemoryOnly("malformed");
    }
}

TEST_F(EpisodeFileFaults, MessagesAreTextWhateverBytesTheFileHas)
{
    Make();
    std::string damaged = Read();
    const std::size_t at = damaged.find("CREATE TABLE episodes"); // which SQLite quotes
    ASSERT_NE(at, std::string::npos);
    damaged.replace(at, 6, "\x1b[\xff\x01\n\x7f");
    Write(damaged);
    SqliteEpisodeStore store(m_path, FINGERPRINT, Collect());
    EXPECT_EQ(store.Access(), EpisodeFileAccess::None);
    ASSERT_EQ(m_warnings.size(), 1U);
    EXPECT_NE(m_warnings[0].find("malformed"), std::string::npos) << m_warnings[0];
    for (const char c : m_warnings[0])
    {
        EXPECT_TRUE(c >= ' ' && c <= '~') << static_cast<int>(c);
    }
    m_warnings.clear();
}

TEST_F(EpisodeFileFaults, MissingTable)
{
    Make();
    Sql("DROP TABLE episodes");
    ExpectMemoryOnly("no such table");
}

/** Whatever bytes are wrong: what is found is right, and nothing crashes. */
TEST_F(EpisodeFileFaults, DamagedAnywhere)
{
    Make(40);
    const std::string whole = Read();
    test::Dice dice(5);
    std::uint64_t found = 0;
    std::uint64_t lost = 0;
    for (int round = 0; round < 40; ++round)
    {
        std::string damaged = whole;
        for (std::uint64_t run = 1 + dice(4); run > 0; --run)
        {
            const std::size_t begin = 100 + dice(damaged.size() - 100 - 64);
            damaged.replace(begin, 64, dice.Text(64));
        }
        Write(damaged);
        SqliteEpisodeStore store(m_path, FINGERPRINT, Collect());
        for (std::uint64_t kind = 0; kind < 40; ++kind)
        {
            const auto hit = store.Find(Incast(kind), EpisodeEnd::Converged);
            EXPECT_TRUE(!hit || test::SameEpisode(*hit->episode, EpisodeOf(kind)));
            ++(hit ? found : lost);
        }
        store.Insert(Incast(1000), EpisodeOf(1000));
        EXPECT_TRUE(store.Find(Incast(1000), EpisodeEnd::Converged));
    }
    EXPECT_GT(found, 0U);
    EXPECT_GT(lost, 0U);
    EXPECT_FALSE(m_warnings.empty());
    m_warnings.clear();
}

TEST_F(EpisodeFileFaults, DamagedRowsAreNotUsed)
{
    for (const char* damage : {"data = SUBSTR(data, 1, LENGTH(data) - 1)",
                               "data = x''",
                               "data = NULL",
                               "data = 5",
                               "verified = 5",
                               "checksum = checksum + 1"})
    {
        std::filesystem::remove(m_path);
        Make();
        // The table does not allow NULL; a damaged file may have it all the same.
        Sql("PRAGMA writable_schema = ON; "
            "UPDATE sqlite_master SET sql = REPLACE(sql, 'data BLOB NOT NULL', 'data BLOB')");
        Sql(std::string("UPDATE episodes SET ") + damage + " WHERE id = 2");
        {
            SqliteEpisodeStore store(m_path, FINGERPRINT, Collect());
            EXPECT_TRUE(store.Find(Incast(0), EpisodeEnd::Converged));
            EXPECT_FALSE(store.Find(Incast(1), EpisodeEnd::Converged));
            EXPECT_TRUE(store.Find(Incast(2), EpisodeEnd::Converged));
            std::size_t whole = 0;
            store.ForEach([&](const StoredEpisode&) { ++whole; });
            EXPECT_EQ(whole, 2U);
            EXPECT_EQ(store.Statistics().damaged, 1U);
            // It is simulated again, and then known again.
            EXPECT_TRUE(store.Insert(Incast(1), EpisodeOf(1)));
        }
        ExpectWarning("episode 2 in it is damaged");
        SqliteEpisodeStore store(m_path, FINGERPRINT);
        EXPECT_TRUE(store.Find(Incast(1), EpisodeEnd::Converged));
    }
    // The same in a file that is merged from.
    SqliteEpisodeStore store(m_folder + "/merged.sqlite", FINGERPRINT, Collect());
    const EpisodeMergeResult result = store.MergeFrom(m_path);
    EXPECT_EQ(result.added, 3U);
    EXPECT_EQ(result.damaged, 1U);
    ExpectWarning("is damaged");
}

TEST_F(EpisodeFileFaults, FolderInsteadOfFile)
{
    std::filesystem::create_directory(m_path);
    ExpectMemoryOnly("it is a folder");
}

TEST_F(EpisodeFileFaults, MissingFolder)
{
    m_path = m_folder + "/missing/episodes.sqlite";
    ExpectMemoryOnly("there is no folder " + m_folder + "/missing");
}

TEST_F(EpisodeFileFaults, MergeFromNothingOrSomethingElse)
{
    SqliteEpisodeStore store(m_folder + "/merged.sqlite", FINGERPRINT, Collect());
    EXPECT_EQ(store.MergeFrom(m_path).added, 0U);
    ExpectWarning("there is no such file");
    EXPECT_FALSE(std::filesystem::exists(m_path));
    Write("A letter, which is longer than the header of a database is: a hundred bytes, or more, "
          "to be sure that it is long enough.");
    EXPECT_EQ(store.MergeFrom(m_path).added, 0U);
    ExpectWarning("not a database");
}

TEST_F(EpisodeFileFaults, ReadOnlyFile)
{
    // '#', '?' and '%' mean something in a URI.
    m_path = m_folder + "/100%#1?.sqlite";
    Make();
    SetMode(m_path, 0444);
    const std::string before = Read();
    EXPECT_TRUE(InChild([&] {
        BecomeNobody();
        {
            SqliteEpisodeStore store(m_path, FINGERPRINT, Collect());
            EXPECT_EQ(store.Access(), EpisodeFileAccess::ReadOnly);
            EXPECT_TRUE(store.Find(Incast(1), EpisodeEnd::Converged));
            EXPECT_TRUE(store.Insert(Incast(100), EpisodeOf(100)));
            EXPECT_TRUE(store.Find(Incast(100), EpisodeEnd::Converged));
            store.Confirm(Incast(1), Duration{9999});
            EXPECT_EQ(store.Statistics().episodes, 4U);
            EXPECT_EQ(store.Statistics().writeFailures, 0U);
            EXPECT_EQ(store.Prune({}), 0U);
        }
        ExpectWarning("it may not be written");
    }));
    EXPECT_TRUE(Read() == before);
    // Nothing was left beside it.
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(m_folder), {}), 1);
}

TEST_F(EpisodeFileFaults, ReadOnlyFileThatSomebodyWritesTo)
{
    SqliteEpisodeStore writer(m_path, FINGERPRINT, Collect());
    writer.Insert(Incast(0), EpisodeOf(0));
    for (const char* suffix : {"", "-wal", "-shm"})
    {
        SetMode(m_path + suffix, 0444);
    }
    // The connection of the writer is not used in the child.
    EXPECT_TRUE(InChild([&] {
        BecomeNobody();
        {
            SqliteEpisodeStore store(m_path, FINGERPRINT, Collect());
            EXPECT_EQ(store.Access(), EpisodeFileAccess::ReadOnly);
            EXPECT_TRUE(store.Find(Incast(0), EpisodeEnd::Converged));
        }
        ExpectWarning("it may not be written");
    }));
}

TEST_F(EpisodeFileFaults, EmptyReadOnlyFile)
{
    Write("");
    SetMode(m_path, 0444);
    EXPECT_TRUE(InChild([&] {
        BecomeNobody();
        ExpectMemoryOnly("it is empty and read-only");
    }));
}

TEST_F(EpisodeFileFaults, UnreadableFile)
{
    Make();
    SetMode(m_path, 0);
    EXPECT_TRUE(InChild([&] {
        BecomeNobody();
        {
            SqliteEpisodeStore store(m_path, FINGERPRINT, Collect());
            EXPECT_EQ(store.Access(), EpisodeFileAccess::None);
        }
        ExpectWarning("unable to open");
    }));
}

TEST_F(EpisodeFileFaults, ReadOnlyFolder)
{
    SetMode(m_folder, 0555);
    EXPECT_TRUE(InChild([&] {
        BecomeNobody();
        ExpectMemoryOnly("unable to open");
        EXPECT_FALSE(std::filesystem::exists(m_path));
    }));
    SetMode(m_folder, 0755);
    // A file that could be written, but for its log.
    Make();
    SetMode(m_path, 0666);
    SetMode(m_folder, 0555);
    EXPECT_TRUE(InChild([&] {
        BecomeNobody();
        SqliteEpisodeStore store(m_path, FINGERPRINT, Collect());
        EXPECT_NE(store.Access(), EpisodeFileAccess::ReadWrite);
        EXPECT_TRUE(store.Insert(Incast(100), EpisodeOf(100)));
        EXPECT_EQ(m_warnings.size(), 1U);
    }));
    SetMode(m_folder, 0755);
}

TEST_F(EpisodeFileFaults, LockedFile)
{
    Make();
    sqlite3* other = nullptr;
    sqlite3_open(m_path.c_str(), &other);
    sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr);
    SqliteEpisodeStoreOptions options;
    options.busyTimeout = std::chrono::milliseconds(20);
    SqliteEpisodeStore store(m_path, FINGERPRINT, Collect(), options);
    // Readers do not wait for the one who writes.
    EXPECT_TRUE(store.Find(Incast(0), EpisodeEnd::Converged));
    EXPECT_TRUE(store.Insert(Incast(100), EpisodeOf(100)));
    ExpectWarning("locked");
    EXPECT_TRUE(store.Find(Incast(100), EpisodeEnd::Converged));
    store.Confirm(Incast(0), Duration{9999});
    EXPECT_EQ(store.Statistics().writeFailures, 2U);
    EXPECT_EQ(store.Access(), EpisodeFileAccess::ReadWrite);
    sqlite3_exec(other, "ROLLBACK", nullptr, nullptr, nullptr);
    sqlite3_close(other);
    EXPECT_TRUE(store.Insert(Incast(101), EpisodeOf(101)));
    EXPECT_EQ(Sql("SELECT COUNT(*) FROM episodes"), "4");
}

TEST_F(EpisodeFileFaults, LockedFromTheStart)
{
    sqlite3* other = nullptr;
    sqlite3_open(m_path.c_str(), &other);
    sqlite3_exec(other, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr);
    SqliteEpisodeStoreOptions options;
    options.busyTimeout = std::chrono::milliseconds(20);
    {
        SqliteEpisodeStore store(m_path, FINGERPRINT, Collect(), options);
        EXPECT_EQ(store.Access(), EpisodeFileAccess::None);
        EXPECT_TRUE(store.Insert(Incast(100), EpisodeOf(100)));
    }
    ExpectWarning("locked");
    sqlite3_close(other);
}

/** The system refuses what makes a file larger than that. */
TEST_F(EpisodeFileFaults, FileSizeLimit)
{
    Make(3);
    EXPECT_TRUE(InChild([&] {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{100'000, 100'000};
        ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
        {
            SqliteEpisodeStore store(m_path, FINGERPRINT, Collect());
            for (std::uint64_t kind = 0; kind < 100; ++kind)
            {
                EXPECT_NE(store.Insert(Incast(kind), EpisodeOf(kind)), kind < 3);
            }
            EXPECT_EQ(store.Access(), EpisodeFileAccess::ReadOnly);
            EXPECT_EQ(store.Statistics().writeFailures, 1U);
            EXPECT_EQ(store.Statistics().episodes, 100U);
            for (std::uint64_t kind = 0; kind < 100; ++kind)
            {
                EXPECT_TRUE(store.Find(Incast(kind), EpisodeEnd::Converged));
            }
        }
        ExpectWarning("nothing more is written");
    }));
    EXPECT_EQ(Sql("PRAGMA integrity_check"), "ok");
    EXPECT_GT(std::stoi(Sql("SELECT COUNT(*) FROM episodes")), 3);
}

TEST_F(EpisodeFileFaults, FullDisk)
{
    // A file system of 128 KiB that only the child sees.
    const auto mountSmall = [this] {
        return unshare(CLONE_NEWNS) == 0 &&
               mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
               mount("none", m_folder.c_str(), "tmpfs", 0, "size=128k") == 0;
    };
    if (!InChild([&] { _exit(mountSmall() ? 0 : 1); }))
    {
        GTEST_SKIP() << "not allowed to mount a small file system";
    }
    EXPECT_TRUE(InChild([&] {
        ASSERT_TRUE(mountSmall());
        {
            SqliteEpisodeStore store(m_path, FINGERPRINT, Collect());
            for (std::uint64_t kind = 0; kind < 200; ++kind)
            {
                EXPECT_TRUE(store.Insert(Incast(kind), EpisodeOf(kind)));
            }
            EXPECT_EQ(store.Access(), EpisodeFileAccess::ReadOnly);
            for (std::uint64_t kind = 0; kind < 200; ++kind)
            {
                EXPECT_TRUE(store.Find(Incast(kind), EpisodeEnd::Converged));
            }
        }
        ExpectWarning("nothing more is written");
        EXPECT_EQ(Sql("PRAGMA integrity_check"), "ok");
        // Full before there is anything.
        m_path = m_folder + "/second.sqlite";
        std::ofstream(m_folder + "/rest") << std::string(200'000, 'x');
        SqliteEpisodeStore store(m_path, FINGERPRINT, Collect());
        EXPECT_EQ(store.Access(), EpisodeFileAccess::None);
        ExpectWarning("full");
    }));
}

} // namespace
} // namespace wormhole
