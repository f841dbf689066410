/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-test-compat.h"

#include "ns3/input-error.h"
#include "ns3/workload-collective-spec.h"

#include <string>

using namespace ns3;

namespace
{

/** \return bytes that all ranks send */
uint64_t
SentBytes(const WorkloadSchedule& schedule)
{
    uint64_t bytes = 0;
    for (const WorkloadRank& rank : schedule.ranks)
    {
        for (const WorkloadOperation& operation : rank.operations)
        {
            bytes += operation.kind == WorkloadKind::SEND ? operation.size : 0;
        }
    }
    return bytes;
}

/** The volume of each kind on 6 ranks, 1,001 bytes, which 6 does not divide. */
class WorkloadCollectiveVolumes : public TestCase
{
  public:
    WorkloadCollectiveVolumes()
        : TestCase("collectives send the textbook's volumes")
    {
    }

  private:
    void DoRun() override
    {
        Check("all-reduce", "algorithm=ring", 2ULL * 5 * 1001);
        Check("all-reduce", "algorithm=tree", 2ULL * 5 * 1001);
        Check("all-reduce", "algorithm=double-tree", 2ULL * 5 * 1001);
        Check("all-gather", "channels=2", 5ULL * 1001);
        Check("reduce-scatter", "chunk=10B", 5ULL * 1001);
        Check("broadcast", "root=3", 5ULL * 1001);
        Check("reduce", "algorithm=tree", 5ULL * 1001);
        Check("all-to-all", "window=2", 5ULL * 1001);
        Check("send-recv", "channels=3", 6ULL * 1001);
        // LL: two trees of 501 and 500 bytes, both 63 lines of 16, on 5 edges up and down.
        Check("all-reduce", "algorithm=double-tree,protocol=ll", 2ULL * 2 * 5 * 63 * 16);
    }

    void Check(const std::string& kind, const std::string& keys, uint64_t bytes)
    {
        const std::string spec = kind + ":ranks=6,bytes=1001," + keys;
        NS_TEST_EXPECT_MSG_EQ(SentBytes(MakeCollectiveSchedule(spec)), bytes, spec);
    }
};

/** Mistakes are told. */
class WorkloadCollectiveMistakes : public TestCase
{
  public:
    WorkloadCollectiveMistakes()
        : TestCase("an impossible collective is an error")
    {
    }

  private:
    void DoRun() override
    {
        std::string message;
        try
        {
            MakeCollectiveSchedule("all-gather:ranks=4,bytes=1MB,algorithm=tree");
        }
        catch (const InputError& error)
        {
            message = error.what();
        }
        NS_TEST_ASSERT_MSG_EQ(
            message,
            "all-gather: algorithm tree is none of its own; use one of auto, ring",
            "names what is possible");
    }
};

/** Collectives and their text form. */
class WorkloadCollectiveTestSuite : public TestSuite
{
  public:
    WorkloadCollectiveTestSuite()
        : TestSuite("workload-collective", WORKLOAD_TEST_UNIT)
    {
        AddTestCase(new WorkloadCollectiveVolumes, WORKLOAD_TEST_QUICK);
        AddTestCase(new WorkloadCollectiveMistakes, WORKLOAD_TEST_QUICK);
    }
};

WorkloadCollectiveTestSuite g_workloadCollectiveTestSuite;

} // namespace
