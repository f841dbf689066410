/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_TEST_CASE_H
#define RDMA_TEST_CASE_H

#include "rdma-test-compat.h"

#include "ns3/global-value.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <cstdint>
#include <string>

namespace ns3
{

/** A case that leaves no simulator behind for the next one. */
class RdmaTestCase : public TestCase
{
  protected:
    using TestCase::TestCase;

    /** Ends this simulation and lets the next one have another implementation. */
    static void UseSimulator(const std::string& implementation)
    {
        Simulator::Destroy();
        GlobalValue::Bind("SimulatorImplementationType", StringValue(implementation));
    }

  private:
    void DoTeardown() override
    {
        UseSimulator("ns3::DefaultSimulatorImpl");
    }
};

/** A suite of cases, each a class without arguments: `RdmaTestSuite<A, B>
 * g_portSuite("rdma-port");` They are slow where its name ends in "-slow". */
template <typename... Cases>
class RdmaTestSuite : public TestSuite
{
  public:
    explicit RdmaTestSuite(const std::string& name)
        : TestSuite(name, RDMA_TEST_UNIT)
    {
        const bool slow = name.size() > 5 && name.compare(name.size() - 5, 5, "-slow") == 0;
        (AddTestCase(new Cases, slow ? RDMA_TEST_SLOW : RDMA_TEST_QUICK), ...);
    }
};

} // namespace ns3

// NOLINTBEGIN(bugprone-macro-parentheses): a class name cannot stand in parentheses
/** A case and its body: `RDMA_TEST(RdmaPortTwoFrames, "two frames follow each other") { ... }` */
#define RDMA_TEST(Name, description)                                                               \
    class Name : public RdmaTestCase                                                               \
    {                                                                                              \
      public:                                                                                      \
        Name()                                                                                     \
            : RdmaTestCase(description)                                                            \
        {                                                                                          \
        }                                                                                          \
                                                                                                   \
      private:                                                                                     \
        void DoRun() override;                                                                     \
    };                                                                                             \
    void Name::DoRun()

/** The same for one of SHARE of the body's random cases; `Name<1>` is a class that runs them all.
 */
#define RDMA_TEST_OF_SHARE(Name, description)                                                      \
    template <uint32_t SHARE>                                                                      \
    class Name : public RdmaTestCase                                                               \
    {                                                                                              \
      public:                                                                                      \
        Name()                                                                                     \
            : RdmaTestCase(description)                                                            \
        {                                                                                          \
        }                                                                                          \
                                                                                                   \
      private:                                                                                     \
        void DoRun() override;                                                                     \
    };                                                                                             \
    template <uint32_t SHARE>                                                                      \
    void Name<SHARE>::DoRun()
// NOLINTEND(bugprone-macro-parentheses)

/**
 * A comparison that the rest of a case relies on: `RDMA_TEST_REQUIRE(EQ, actual, expected, text)`.
 * NS_TEST_ASSERT_MSG_EQ goes on after a failure unless the runner is told to stop, and then what
 * relied on it crashes.
 */
#define RDMA_TEST_REQUIRE(comparison, ...)                                                         \
    do                                                                                             \
    {                                                                                              \
        NS_TEST_ASSERT_MSG_##comparison(__VA_ARGS__);                                              \
        if (IsStatusFailure())                                                                     \
        {                                                                                          \
            return;                                                                                \
        }                                                                                          \
    } while (false)

#endif // RDMA_TEST_CASE_H
