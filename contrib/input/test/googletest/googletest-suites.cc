/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * The GoogleTest tests of a module as ns-3 test suites, for test.py: one suite for each file, of
 * its name, and one case for each test. Which files there are, MODULE_GTESTS says: "NAME,NAME,";
 * tests themselves are known only once all of them have registered, when a suite is run.
 */

#include "ns3/test.h"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <gtest/gtest.h>
#include <memory>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <type_traits>
#include <unistd.h>
#include <vector>

using namespace ns3;

namespace
{

/** Up to ns-3.41, durations are enumerators of TestCase itself. */
template <typename T, typename = void>
struct Durations
{
    static constexpr auto QUICK = T::QUICK;
    static constexpr auto TAKES_FOREVER = T::TAKES_FOREVER;
};

/** From ns-3.42 on, they are those of a scoped enumeration. */
template <typename T>
struct Durations<T, std::void_t<typename T::Duration>>
{
    static constexpr auto QUICK = T::Duration::QUICK;
    static constexpr auto TAKES_FOREVER = T::Duration::TAKES_FOREVER;
};

/** Writes the failures of a test to a file descriptor. */
class FailureWriter : public testing::EmptyTestEventListener
{
  public:
    explicit FailureWriter(int out)
        : m_out(out)
    {
    }

    void OnTestPartResult(const testing::TestPartResult& part) override
    {
        if (part.failed())
        {
            std::ostringstream text;
            text << (part.file_name() ? part.file_name() : "?") << ":" << part.line_number() << ": "
                 << part.message() << "\n";
            const std::string line = text.str();
            if (write(m_out, line.data(), line.size()) < 0)
            {
                _exit(1);
            }
        }
    }

  private:
    int m_out;
};

/** One test, run in a process of its own, as ctest does: simulators and time resolution are global.
 */
class GoogleTestCase : public TestCase
{
  public:
    /** \param name of the suite, a point, and the test */
    explicit GoogleTestCase(const std::string& name)
        : TestCase(Legal(name)),
          m_name(name)
    {
    }

  private:
    /** \return the name without what ns-3 does not allow in one */
    static std::string Legal(std::string name)
    {
        for (char& c : name)
        {
            c = c == '/' ? '.' : c;
        }
        return name;
    }

    void DoRun() override
    {
        int ends[2];
        std::fflush(nullptr);
        NS_TEST_ASSERT_MSG_EQ(pipe(ends), 0, "no pipe");
        const pid_t child = fork();
        NS_TEST_ASSERT_MSG_NE(child, -1, "no process");
        if (child == 0)
        {
            close(ends[0]);
            RunAndExit(ends[1]);
        }
        close(ends[1]);
        std::string failures;
        char buffer[4096];
        for (ssize_t n = 0; (n = read(ends[0], buffer, sizeof(buffer))) > 0;)
        {
            failures.append(buffer, static_cast<size_t>(n));
        }
        close(ends[0]);
        int status = 0;
        waitpid(child, &status, 0);
        NS_TEST_EXPECT_MSG_EQ(status, 0, m_name << " failed\n" << failures);
    }

    /** The child's part. */
    [[noreturn]] void RunAndExit(int out)
    {
        testing::InitGoogleTest();
        GTEST_FLAG_SET(filter, m_name);
        auto& listeners = testing::UnitTest::GetInstance()->listeners();
        delete listeners.Release(listeners.default_result_printer());
        listeners.Append(new FailureWriter(out));
        const int failed = RUN_ALL_TESTS();
        std::fflush(nullptr);
        _exit(failed);
    }

    std::string m_name;
};

/** The tests of a file; which they are is asked for when they are run. */
class GoogleTestFile : public TestCase
{
  public:
    /** \param name of the file, without .cc */
    explicit GoogleTestFile(const std::string& name)
        : TestCase("GoogleTest tests"),
          m_file(name)
    {
    }

  private:
    void DoSetup() override
    {
        testing::InitGoogleTest(); // makes the tests of parameters
        const testing::UnitTest& all = *testing::UnitTest::GetInstance();
        for (int s = 0; s < all.total_test_suite_count(); ++s)
        {
            const testing::TestSuite& suite = *all.GetTestSuite(s);
            for (int t = 0; t < suite.total_test_count(); ++t)
            {
                const testing::TestInfo& test = *suite.GetTestInfo(t);
                if (std::filesystem::path(test.file()).stem() == m_file)
                {
                    AddTestCase(new GoogleTestCase(std::string(suite.name()) + "." + test.name()),
                                Durations<TestCase>::QUICK);
                    ++m_tests;
                }
            }
        }
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_GT(m_tests, 0, m_file << ".cc has no test");
    }

    std::string m_file;
    int m_tests{0};
};

/** All suites of the module. */
class GoogleTestSuites
{
  public:
    GoogleTestSuites()
    {
        std::istringstream names(MODULE_GTESTS);
        for (std::string name; std::getline(names, name, ',');)
        {
            m_suites.push_back(std::make_unique<Suite>(name));
        }
    }

  private:
    class Suite : public TestSuite
    {
      public:
        explicit Suite(const std::string& name)
            : TestSuite(name, TestSuite::Type::UNIT)
        {
            const bool slow = name.find("-slow") != std::string::npos;
            AddTestCase(new GoogleTestFile(name),
                        slow ? Durations<TestCase>::TAKES_FOREVER : Durations<TestCase>::QUICK);
        }
    };

    std::vector<std::unique_ptr<Suite>> m_suites;
};

const GoogleTestSuites g_suites; //!< registers them

} // namespace
