/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Exports of Nsight Systems, written by its documented schema, and what is read from them.

#include "harness/errors.h"
#include "harness/folder.h"
#include "harness/nsys_export.h"
#include "harness/texts.h"

#include "ns3/workload-nsys-reader.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

using harness::ExpectIn;
using nsys::Call;
using nsys::Export;
using nsys::Fields;
using nsys::Init;
using Operation = WorkloadNcclOperation;

constexpr uint64_t COMM = 0xfeedfacecafe0001;

/** Exports in a folder of a test's own. */
class Nsys : public testing::Test
{
  protected:
    std::string PathOf(const std::string& name) const
    {
        return m_folder.PathOf(name);
    }

    WorkloadNcclTrace Read(const std::vector<std::string>& names) const
    {
        std::vector<std::string> files;
        files.reserve(names.size());
        for (const std::string& name : names)
        {
            files.push_back(PathOf(name));
        }
        return ReadWorkloadNsys(files);
    }

    /** \return what is said of the exports, without the folder's name */
    std::string ErrorOf(const std::vector<std::string>& names) const
    {
        std::string error = harness::ExpectedInputErrorOf([&] { Read(names); });
        const std::string folder = PathOf("");
        for (size_t at = error.find(folder); at != std::string::npos; at = error.find(folder))
        {
            error.erase(at, folder.size());
        }
        return error;
    }

    /** Writes an export of one rank of two that reduces once. */
    void WriteRank(const std::string& name, uint64_t rank, uint64_t bytes = 1000) const
    {
        Export file(PathOf(name));
        file.Range(7, 1, 2, "ncclCommInitRank", Init(COMM, 2, rank));
        file.Kernel(7, 0, 7, 900, 1000, 1200, "void gemm(int)");
        file.Collective(7, 20, 2000, 3000, "AllReduce", Call(COMM, bytes));
        file.Kernel(7, 0, 7, 3500, 4000, 4500, "void gemm(int)");
    }

    harness::Folder m_folder;
    uint32_t m_number{0}; //!< of files
};

} // namespace

TEST_F(Nsys, RanksAreThoseOfTheCommunicatorOfAll)
{
    WriteRank("a.sqlite", 1);
    WriteRank("b.sqlite", 0);
    const WorkloadNcclTrace trace = Read({"a.sqlite", "b.sqlite"});
    ASSERT_EQ(trace.gpus.size(), 2U);
    EXPECT_EQ(trace.gpus[0].name, PathOf("b.sqlite"));
    EXPECT_EQ(trace.gpus[1].name, PathOf("a.sqlite"));
    EXPECT_TRUE(trace.warnings.empty());
    ASSERT_EQ(trace.communicators.size(), 1U);
    EXPECT_EQ(trace.communicators[0].name, "0xfeedfacecafe0001");
    EXPECT_EQ(trace.communicators[0].members, (std::vector<uint32_t>{0, 1}));
    const WorkloadNcclGpu& gpu = trace.gpus[1];
    EXPECT_EQ(gpu.startNs, 1000U);
    EXPECT_EQ(gpu.endNs, 4500U);
    EXPECT_EQ(gpu.streams, (std::vector<uint64_t>{20}));
    ASSERT_EQ(gpu.kernels.size(), 1U);
    EXPECT_EQ(gpu.kernels[0].startNs, 2000U);
    EXPECT_EQ(gpu.kernels[0].endNs, 3000U);
    EXPECT_EQ(gpu.kernels[0].threads, 544U);
    EXPECT_EQ(gpu.kernels[0].algorithm, WorkloadCollectiveAlgorithm::RING);
    ASSERT_EQ(gpu.calls.size(), 1U);
    EXPECT_EQ(gpu.calls[0].operation, Operation::ALL_REDUCE);
    EXPECT_EQ(gpu.calls[0].bytes, 1000U);
}

TEST_F(Nsys, SizesAreThoseOfTheWhole)
{
    for (const char* name : {"a.sqlite", "b.sqlite", "c.sqlite"})
    {
        Export file(PathOf(name));
        Fields root = Call(COMM, 10);
        root["Root"] = 2;
        file.Range(1, 1, 2, "ncclCommInitRankConfig", Init(COMM, 3, name[0] - 'a'));
        file.Collective(1, 20, 1000, 1100, "AllGather", Call(COMM, 10));
        file.Collective(1, 20, 2000, 2100, "ReduceScatter", Call(COMM, 10));
        file.Collective(1, 20, 3000, 3100, "Broadcast", root);
        file.Collective(1, 20, 4000, 4100, "Reduce", root);
    }
    const WorkloadNcclTrace trace = Read({"a.sqlite", "b.sqlite", "c.sqlite"});
    const std::vector<WorkloadNcclCall>& calls = trace.gpus[0].calls;
    ASSERT_EQ(calls.size(), 4U);
    EXPECT_EQ(calls[0].bytes, 30U); // what each of three gives
    EXPECT_EQ(calls[1].bytes, 30U); // what each of three gets
    EXPECT_EQ(calls[2].bytes, 10U);
    EXPECT_EQ(calls[2].peer, 2U);
    EXPECT_EQ(calls[3].operation, Operation::REDUCE);
}

TEST_F(Nsys, AGroupIsOneKernel)
{
    {
        Export file(PathOf("a.sqlite"));
        Fields peer = Call(COMM, 10);
        peer["Peer rank"] = 0;
        file.Range(1, 100, 110, "ncclGroupStart");
        file.Range(1, 120, 130, "ncclSend", peer);
        file.Range(1, 140, 150, "ncclGroupStart"); // groups may be in groups
        file.Range(1, 160, 170, "ncclRecv", peer);
        file.Range(1, 180, 190, "ncclGroupEnd");
        file.Range(1, 200, 300, "ncclGroupEnd");
        file.Kernel(1, 0, 28, 250, 1000, 1100, "ncclDevKernel_SendRecv(x)", 2, 640);
        file.Kernel(1, 0, 28, 260, 1200, 1300, "ncclDevKernel_SendRecv(x)", 2, 640); // the rest
    }
    const WorkloadNcclTrace trace = Read({"a.sqlite"});
    ASSERT_EQ(trace.gpus[0].kernels.size(), 2U);
    EXPECT_EQ(trace.gpus[0].kernels[0].calls, 2U);
    EXPECT_EQ(trace.gpus[0].kernels[1].calls, 0U);
    ASSERT_EQ(trace.warnings.size(), 1U); // no creation
    ExpectIn(trace.warnings[0], "its members are taken to be the 1 GPUs that use it");
}

TEST_F(Nsys, AProcessMayDriveSeveralGpus)
{
    {
        Export file(PathOf("a.sqlite"));
        for (uint64_t device = 0; device < 2; ++device)
        {
            file.Range(1, 1, 2, "ncclCommInitRank", Init(COMM, 2, 1 - device, device));
        }
        file.Range(1, 100, 110, "ncclGroupStart");
        file.Range(1, 120, 130, "ncclAllReduce", Call(COMM, 10));
        file.Range(1, 140, 150, "ncclAllReduce", Call(COMM, 10));
        file.Range(1, 200, 300, "ncclGroupEnd");
        file.Kernel(1, 0, 20, 250, 1000, 1100, "ncclDevKernel_AllReduce_Sum_f32_TREE_LL(x)");
        file.Kernel(1, 1, 20, 260, 1000, 1100, "ncclDevKernel_AllReduce_Sum_f32_TREE_LL(x)");
    }
    const WorkloadNcclTrace trace = Read({"a.sqlite"});
    ASSERT_EQ(trace.gpus.size(), 2U);
    EXPECT_EQ(trace.gpus[0].name, PathOf("a.sqlite") + " (process 1, GPU 1)");
    EXPECT_EQ(trace.gpus[0].calls.size(), 1U);
    EXPECT_EQ(trace.gpus[1].calls.size(), 1U);
    EXPECT_EQ(trace.gpus[0].kernels[0].algorithm, WorkloadCollectiveAlgorithm::DOUBLE_BINARY_TREE);
}

TEST_F(Nsys, KernelsOfSeveralCommunicatorsAreInTheirOrder)
{
    const auto write = [this](const std::string& name, uint64_t kernels) {
        Export file(PathOf(name));
        file.Range(1, 100, 110, "ncclGroupStart");
        for (uint64_t communicator = 1; communicator <= 3; ++communicator)
        {
            file.Range(1,
                       110 + 10 * communicator,
                       115 + 10 * communicator,
                       "ncclAllReduce",
                       Call(communicator, 100 * communicator));
        }
        file.Range(1, 200, 300, "ncclGroupEnd");
        for (uint64_t kernel = 0; kernel < kernels; ++kernel)
        {
            const uint64_t ns = 1000 * (kernel + 1);
            file.Kernel(1, 0, kernel, 210 + kernel, ns, ns + 10, "ncclDevKernel_AllReduce(x)");
        }
    };
    write("a.sqlite", 3);
    const WorkloadNcclTrace trace = Read({"a.sqlite"});
    ASSERT_EQ(trace.gpus[0].calls.size(), 3U);
    EXPECT_EQ(trace.gpus[0].calls[1].bytes, 200U);
    EXPECT_EQ(trace.gpus[0].kernels[1].firstCall, 1U);
    write("b.sqlite", 2);
    ExpectIn(ErrorOf({"b.sqlite"}),
             "b.sqlite: a group of 3 calls of 3 communicators launched 2 kernels of NCCL");
}

TEST_F(Nsys, MissingRanksAreNamed)
{
    WriteRank("a.sqlite", 1);
    EXPECT_EQ(ErrorOf({"a.sqlite"}),
              "communicator 0xfeedfacecafe0001 has 2 ranks, but no export has rank 0 of it: give "
              "the exports of all processes");
    WriteRank("b.sqlite", 1);
    ExpectIn(ErrorOf({"a.sqlite", "b.sqlite"}),
             "b.sqlite: is rank 1 of communicator 0xfeedfacecafe0001, but so is a.sqlite");
}

TEST_F(Nsys, WhatIsNoExportIsAnError)
{
    m_folder.Write("text.sqlite", std::string(2000, 'x'));
    ExpectIn(ErrorOf({"text.sqlite"}), "text.sqlite: is no SQLite database: nsys export --type");
    ExpectIn(ErrorOf({"none.sqlite"}), "none.sqlite: cannot be read");
    m_folder.Write("empty.sqlite", "");
    ExpectIn(ErrorOf({"empty.sqlite"}), "empty.sqlite: has no table StringIds: record");
    WriteRank("a.sqlite", 0);
    const std::string whole = m_folder.Read("a.sqlite");
    for (const size_t bytes : {whole.size() / 3, whole.size() / 2, whole.size() - 4096})
    {
        m_folder.Write("cut.sqlite", whole.substr(0, bytes));
        ExpectIn(ErrorOf({"cut.sqlite"}), "the file is cut off, or damaged: export the report");
    }
    Export(PathOf("b.sqlite")).Sql("ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN streamId");
    ExpectIn(ErrorOf({"b.sqlite"}), "table CUPTI_ACTIVITY_KIND_KERNEL has no column streamId");
    Export(PathOf("c.sqlite")).Sql("DROP TABLE CUPTI_ACTIVITY_KIND_RUNTIME");
    ExpectIn(ErrorOf({"c.sqlite"}), "c.sqlite: has no table CUPTI_ACTIVITY_KIND_RUNTIME");
    const Export nothing(PathOf("d.sqlite"));
    ExpectIn(ErrorOf({"d.sqlite"}), "d.sqlite: has no kernels of NCCL");
}

TEST_F(Nsys, RowsThatSayNothingAreNamed)
{
    const auto error = [this](const std::string& change) {
        const std::string name = "e" + std::to_string(m_number++) + ".sqlite";
        WriteRank(name, 0);
        nsys::Change(PathOf(name), change);
        return ErrorOf({name}).substr(name.size());
    };
    EXPECT_EQ(error("UPDATE NVTX_EVENTS SET binaryData = NULL"),
              ": table NVTX_EVENTS, row 2: ncclAllReduce has no binaryData, which says "
              "communicator and size: export the report with nsys export --type sqlite "
              "--include-blobs true");
    ExpectIn(error("UPDATE NVTX_PAYLOAD_SCHEMA_ENTRIES SET name = 'x' WHERE name LIKE '%ID'"),
             "row 2: ncclAllReduce does not say its communicator, size: trace the program with "
             "NCCL 2.25");
    ExpectIn(error("UPDATE NVTX_EVENTS SET binaryData = 'short'"),
             "row 1: binaryData of 5 bytes is no payload that fits its schema");
    ExpectIn(error("UPDATE NVTX_PAYLOAD_SCHEMA_ENTRIES SET offset = 4000"),
             "is no payload that fits its schema");
    ExpectIn(error("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET streamId = 'seven'"),
             "table CUPTI_ACTIVITY_KIND_KERNEL, row 2: streamId seven, but must be a whole number "
             "from 0");
    ExpectIn(error("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = -5"),
             "row 1: start -5, but must be a whole number from 0 to");
    ExpectIn(error("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = 0"),
             "row 1: the kernel ends at 0, before it starts at 1000");
    ExpectIn(error("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 9223372036854775807, end = "
                   "9223372036854775807"),
             "row 1: start 9223372036854775807, but must be a whole number from 0 to "
             "4611686018427387904: export the report again");
    ExpectIn(error("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET gridX = 0"),
             "row 2: gridX 0, but must be a whole number from 1 to 1024");
    ExpectIn(error("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET gridX = 1000000000"),
             "row 2: gridX 1000000000, but must be");
    ExpectIn(error("DELETE FROM NVTX_EVENTS"),
             "a kernel of NCCL that starts at 2000 ns was launched within no range of NCCL");
    ExpectIn(error("DELETE FROM CUPTI_ACTIVITY_KIND_RUNTIME"), "within no range of NCCL");
    ExpectIn(error("UPDATE StringIds SET value = 'ncclPutSignal' WHERE value = 'ncclAllReduce'"),
             "row 2: ncclPutSignal is a call that schedules are not made of");
}

TEST_F(Nsys, KernelsFromBeforeTheTraceAreLeftOutAndCounted)
{
    {
        Export file(PathOf("a.sqlite"));
        file.Kernel(1, 0, 7, 5, 10, 20, "void gemm(int)");
        file.Kernel(1, 0, 20, 50, 100, 700, "ncclDevKernel_AllReduce(x)"); // its range came before
        file.Collective(1, 20, 1000, 1100, "AllReduce", Call(COMM, 10));
    }
    const WorkloadNcclTrace trace = Read({"a.sqlite"});
    EXPECT_EQ(trace.gpus[0].kernels.size(), 1U);
    EXPECT_EQ(trace.gpus[0].startNs, 700U);
    ExpectIn(trace.warnings[0],
             "a.sqlite: 1 kernels of NCCL were launched before the first call that the trace has");
    nsys::Change(PathOf("a.sqlite"),
                 "DELETE FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE start = 50"); // and its launch
    EXPECT_EQ(Read({"a.sqlite"}).gpus[0].startNs, 700U);
    nsys::Change(PathOf("a.sqlite"),
                 "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (50, 55, (1 << 24) + 1, 2, 1)");
    nsys::Change(PathOf("a.sqlite"),
                 "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET start = 1300 WHERE start = 50");
    ExpectIn(ErrorOf({"a.sqlite"}), "that starts at 100 ns was launched within no range of NCCL");
}

TEST_F(Nsys, CallsWithoutKernelsAreLeftOutAndCounted)
{
    WriteRank("a.sqlite", 0);
    WriteRank("b.sqlite", 1);
    {
        Export file(PathOf("c.sqlite"));
        file.Range(9, 5000, 5100, "ncclAllReduce", Call(COMM, 10));
        file.Collective(9, 20, 7000, 8000, "AllReduce", Call(7, 10));
    }
    const WorkloadNcclTrace trace = Read({"a.sqlite", "b.sqlite", "c.sqlite"});
    ASSERT_EQ(trace.gpus.size(), 3U);
    EXPECT_EQ(trace.gpus[2].calls.size(), 1U);
    ExpectIn(trace.warnings[0], "c.sqlite: 1 calls or groups of NCCL launched no kernel");
    ExpectIn(trace.warnings[1], "no export has the creation of a communicator of all 3 GPUs");
}
