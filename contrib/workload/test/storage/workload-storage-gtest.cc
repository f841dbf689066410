/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/errors.h"

#include "ns3/input-error.h"
#include "ns3/workload-storage.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <tuple>

using namespace ns3;

namespace
{

std::vector<WorkloadStorageRequest>
Read(const std::string& text, const WorkloadSpcOptions& options = {})
{
    std::istringstream in(text);
    return ReadWorkloadSpcTrace(in, "trace.spc", options);
}

/** One of each server, two stores, slices of 64 KiB; requests one after the other, untimed. */
WorkloadStorageService
Small()
{
    WorkloadStorageService service;
    service.coordinators = 1;
    service.blockStores = 2;
    service.sliceBytes = 65536;
    service.timed = false;
    return service;
}

WorkloadStorageRequest
Request(uint32_t unit, uint64_t offset, uint64_t bytes, bool write, uint64_t arrivalNs = 0)
{
    return {unit, offset, bytes, write, arrivalNs};
}

/** \return bytes sent, by category */
std::map<std::string, uint64_t>
Volumes(const WorkloadSchedule& schedule)
{
    std::map<std::string, uint64_t> volumes;
    for (const WorkloadRank& rank : schedule.ranks)
    {
        for (const WorkloadOperation& operation : rank.operations)
        {
            if (operation.kind == WorkloadKind::SEND)
            {
                volumes[schedule.categories[operation.category]] += operation.size;
            }
        }
    }
    return volumes;
}

/**
 * Carries a schedule out on a network without delays: computations take their time, and everything
 * starts as soon as it may. \return when the last operation of each rank ends, ns
 */
std::vector<uint64_t>
RunIdeally(const WorkloadSchedule& schedule)
{
    using Step = std::pair<uint32_t, uint32_t>;
    using Key = std::tuple<uint32_t, uint32_t, uint32_t>; // from, to, tag
    std::vector<std::vector<uint32_t>> missing(schedule.ranks.size());
    std::vector<std::vector<uint64_t>> ready(schedule.ranks.size());
    std::vector<uint64_t> finish(schedule.ranks.size(), 0);
    std::map<Key, uint64_t> sent;
    std::map<Key, Step> posted;
    std::vector<Step> open;
    uint64_t done = 0;
    for (uint32_t r = 0; r < schedule.ranks.size(); ++r)
    {
        const auto& operations = schedule.ranks[r].operations;
        ready[r].assign(operations.size(), 0);
        for (uint32_t i = 0; i < operations.size(); ++i)
        {
            missing[r].push_back(operations[i].dependencies);
            if (missing[r][i] == 0)
            {
                open.emplace_back(r, i);
            }
        }
    }
    const std::function<void(Step, uint64_t)> end = [&](Step step, uint64_t at) {
        const WorkloadRank& rank = schedule.ranks[step.first];
        finish[step.first] = std::max(finish[step.first], at);
        ++done;
        for (const auto* w = rank.BeginWaiters(step.second); w != rank.EndWaiters(step.second); ++w)
        {
            uint64_t& start = ready[step.first][w->Operation()];
            start = std::max(start, at);
            if (--missing[step.first][w->Operation()] == 0)
            {
                open.emplace_back(step.first, w->Operation());
            }
        }
    };
    while (!open.empty())
    {
        const Step step = open.back();
        open.pop_back();
        const WorkloadOperation& operation = schedule.ranks[step.first].operations[step.second];
        const uint64_t at = ready[step.first][step.second];
        if (operation.kind == WorkloadKind::CALC)
        {
            end(step, at + operation.size);
        }
        else if (operation.kind == WorkloadKind::SEND)
        {
            const Key key{step.first, operation.peer, operation.tag};
            const auto receiver = posted.find(key);
            EXPECT_EQ(sent.count(key), 0U) << "a tag is used twice";
            sent[key] = at;
            end(step, at);
            if (receiver != posted.end())
            {
                end(receiver->second,
                    std::max(at, ready[receiver->second.first][receiver->second.second]));
            }
        }
        else
        {
            const Key key{operation.peer, step.first, operation.tag};
            const auto sender = sent.find(key);
            posted[key] = step;
            if (sender != sent.end())
            {
                end(step, std::max(at, sender->second));
            }
        }
    }
    EXPECT_EQ(done, schedule.CountOperations());
    return finish;
}

} // namespace

TEST(WorkloadStorage, ReadsSpcTraces)
{
    const auto requests = Read("0,20941264,8192,W,0.551706\r\n"
                               "\n"
                               " 3 , 100 , 512 , r , 1 , more\n"
                               "0,0,1,R,2");
    ASSERT_EQ(requests.size(), 3U);
    EXPECT_EQ(requests[0].offset, uint64_t{20941264} * 512);
    EXPECT_EQ(requests[0].bytes, 8192U);
    EXPECT_TRUE(requests[0].write);
    EXPECT_EQ(requests[0].arrivalNs, 551706000U);
    EXPECT_EQ(requests[1].unit, 3U);
    EXPECT_FALSE(requests[1].write);
    EXPECT_EQ(requests[2].arrivalNs, 2000000000U);
    EXPECT_EQ(Read("0,100,1,R,0\n", {1, 0})[0].offset, 100U);
    // What lies beyond the limit is not even looked at.
    EXPECT_EQ(Read("0,100,1,R,0\nrubbish\n", {512, 1}).size(), 1U);
}

TEST(WorkloadStorage, TellsWhereATraceIsWrong)
{
    const auto expect = [](const std::string& text, const std::string& message) {
        const std::string error = harness::ExpectedInputErrorOf([&] { Read(text); });
        EXPECT_EQ(error.compare(0, message.size(), message), 0) << error;
    };
    expect("", "trace.spc: the trace has no requests");
    expect("0,1,512,R,0\n0,1,512\n", "trace.spc:2: there are 3 fields");
    expect("x,1,512,R,0\n", "trace.spc:1: the ASU is x");
    expect("65536,1,512,R,0\n", "trace.spc:1: the ASU is 65536");
    expect("0,-1,512,R,0\n", "trace.spc:1: the LBA is -1");
    expect("0,99999999999999999999,512,R,0\n", "trace.spc:1: the LBA is 99999999999999999999");
    expect("0,1,0,R,0\n", "trace.spc:1: the size in bytes is 0");
    expect("0,1,1e3,R,0\n", "trace.spc:1: the size in bytes is 1e3");
    expect("0,1,512,X,0\n", "trace.spc:1: the opcode is X");
    expect("0,1,512,R,-1\n", "trace.spc:1: the timestamp is -1");
    expect("0,1,512,R,nan\n", "trace.spc:1: the timestamp is nan");
    expect(std::string(5000, '\x01'), "trace.spc:1: the line is longer than 1024 characters");
    EXPECT_NE(harness::ExpectedInputErrorOf([] {
                  Read(std::string("0,1,512,\0,0", 11));
              }).find("opcode is ?"),
              std::string::npos);
}

// Ranks: host 0, SLB 1, GS 2, MDS 3, CCS 4, BSS 5 and 6.
TEST(WorkloadStorage, AReadAsksTheCoordinatorAndOneStore)
{
    const auto schedule = MakeStorageSchedule({Request(0, 0, 60000, false)}, Small(), "test");
    ASSERT_EQ(schedule.ranks.size(), 7U);
    // Mount: 6 messages of two ends, 1 computation; read: 4 messages... of two ends, 2
    // computations.
    EXPECT_EQ(schedule.CountOperations(), 13 + 10U);
    const auto volumes = Volumes(schedule);
    EXPECT_EQ(volumes.at("mount"), 6 * 4096U);
    EXPECT_EQ(volumes.at("read request"), 1024 + 4096 + 1024U);
    EXPECT_EQ(volumes.at("read data"), 60000U);
    // 4096 B at 6 GB/s: 683 ns, by the MDS and by the CCS; 60000 B: 10000 ns.
    EXPECT_EQ(RunIdeally(schedule)[0], 683 + 683 + 10000U);
    EXPECT_TRUE(schedule.ranks[6].operations.empty());
}

TEST(WorkloadStorage, AWriteReachesAllStores)
{
    const auto schedule = MakeStorageSchedule({Request(0, 0, 60000, true)}, Small(), "test");
    // To the CCS, 1 computation, per store 2 messages and 1 computation, the reply.
    EXPECT_EQ(schedule.CountOperations(), 13 + 3 + 2 * 5 + 2U);
    const auto volumes = Volumes(schedule);
    EXPECT_EQ(volumes.at("write data"), 60000U);
    EXPECT_EQ(volumes.at("write copies"), 2 * 60000U);
    EXPECT_EQ(volumes.at("write reply"), 2 * 1024 + 4096U);
    // 60000 B at 1.5 GB/s: 40000 ns, at the coordinator and then at both stores.
    EXPECT_EQ(RunIdeally(schedule)[0], 683 + 40000 + 40000U);
}

// What upstream gets wrong: a 64 KiB read that starts 10,000 bytes before a slice's end.
TEST(WorkloadStorage, SlicesShareARequestToTheByte)
{
    const auto schedule =
        MakeStorageSchedule({Request(0, 65536 - 10000, 65536, false)}, Small(), "test");
    EXPECT_EQ(Volumes(schedule).at("read data"), 65536U);
    // 10,000 B from the first slice, by store 5; 55,536 B from the second, by store 6, in turn.
    EXPECT_EQ(schedule.ranks[5].operations.back().size, 10000U);
    EXPECT_EQ(schedule.ranks[6].operations.back().size, 55536U);
    // Any request: exactly its bytes.
    uint64_t random = 1;
    for (int i = 0; i < 1000; ++i)
    {
        random = random * 6364136223846793005ULL + 1442695040888963407ULL;
        const uint64_t offset = (random >> 20) % 1000000;
        const uint64_t bytes = (random >> 40) % 300000 + 1;
        const auto each = MakeStorageSchedule({Request(0, offset, bytes, true)}, Small(), "test");
        ASSERT_EQ(Volumes(each).at("write data"), bytes);
        const uint64_t slices = (offset + bytes - 1) / 65536 - offset / 65536 + 1;
        ASSERT_EQ(each.CountOperations(), 13 + slices * (5 + 5 * 2));
    }
}

TEST(WorkloadStorage, CoordinatorsHaveStoresOfTheirOwn)
{
    WorkloadStorageService service;
    service.timed = false;
    // 3 hosts; 8 coordinators of 8 stores each: slice 9 belongs to coordinator 1, stores 8 to 15.
    const auto schedule =
        MakeStorageSchedule({Request(2, uint64_t{9} * 1048576, 100, true)}, service, "test");
    ASSERT_EQ(schedule.ranks.size(), 3 + 1 + 1 + 1 + 8 + 64U);
    const uint32_t stores = 3 + 3 + 8;
    for (uint32_t store = 0; store < 64; ++store)
    {
        EXPECT_EQ(schedule.ranks[stores + store].operations.empty(), store < 8 || store >= 16);
    }
    EXPECT_EQ(Volumes(schedule).at("write copies"), 800U);
    // 5 stores for 4 coordinators: two each leave the last without any.
    service.coordinators = 4;
    service.blockStores = 5;
    EXPECT_NE(harness::ExpectedInputErrorOf([&] {
                  MakeStorageSchedule({}, service, "test");
              }).find("5 block stores do not give each of 4 coordinators"),
              std::string::npos);
}

TEST(WorkloadStorage, RequestsOfAHostAreChainedOrNot)
{
    const std::vector<WorkloadStorageRequest> requests = {Request(0, 0, 60000, false),
                                                          Request(0, 0, 60000, false),
                                                          Request(1, 0, 60000, false)};
    WorkloadStorageService service = Small();
    const uint64_t one = 683 + 10000;
    EXPECT_EQ(RunIdeally(MakeStorageSchedule(requests, service, "test"))[0], 683 + 2 * one);
    EXPECT_EQ(RunIdeally(MakeStorageSchedule(requests, service, "test"))[1], 683 + one);
    service.chained = false;
    EXPECT_EQ(RunIdeally(MakeStorageSchedule(requests, service, "test"))[0], 683 + one);
    // Results of two slices, awaited by two: one more operation joins them.
    service.chained = true;
    const auto joined =
        MakeStorageSchedule({Request(0, 0, 131072, false), Request(0, 0, 131072, false)},
                            service,
                            "test");
    EXPECT_EQ(joined.CountOperations(), 13 + 4 * 10 + 1U);
}

TEST(WorkloadStorage, RequestsDoNotStartBeforeTheyArrive)
{
    WorkloadStorageService service = Small();
    service.timed = true;
    const std::vector<WorkloadStorageRequest> requests = {Request(0, 0, 60000, false, 5000),
                                                          Request(0, 0, 60000, false, 6000),
                                                          Request(0, 0, 60000, false, 100000)};
    const uint64_t one = 683 + 10000;
    const auto two = [&] {
        return std::vector<WorkloadStorageRequest>(requests.begin(), requests.begin() + 2);
    };
    // The second waits for the first, the third for its time.
    EXPECT_EQ(RunIdeally(MakeStorageSchedule(two(), service, "test"))[0], 5000 + 683 + 2 * one);
    EXPECT_EQ(RunIdeally(MakeStorageSchedule(requests, service, "test"))[0], 100000 + one);
    service.chained = false;
    EXPECT_EQ(RunIdeally(MakeStorageSchedule(two(), service, "test"))[0], 6000 + one);
    EXPECT_EQ(MakeStorageSchedule(requests, service, "test").HighestCpu(), 1);
    EXPECT_EQ(harness::ExpectedInputErrorOf([&] {
                  MakeStorageSchedule({requests[1], requests[0]}, service, "test");
              }),
              "test: request 2: it arrives before the one before it of ASU 0; sort the trace by "
              "time, or ignore times (times=0)");
    service.hosts = 1;
    EXPECT_NE(harness::ExpectedInputErrorOf([&] {
                  MakeStorageSchedule({Request(1, 0, 1, true)}, service, "test");
              }).find("ASU 1, but there are 1 hosts"),
              std::string::npos);
}

TEST(WorkloadStorage, TakesASpecification)
{
    const std::string file =
        (std::filesystem::temp_directory_path() / "workload-storage-gtest.spc").string();
    std::ofstream(file) << "0,0,60000,R,0.000005\n1,128,60000,W,0\n";
    const auto make = [&](const std::string& more) {
        InputSpec spec("storage:file=" + file + more);
        return MakeStorageSchedule(spec);
    };
    // 2 hosts + 3 + 1 + 2; blocks: the write's LBA 128 is byte 65536, slice 1, coordinator 0.
    const auto schedule = make(",ccs=1,bss=2,slice=65536");
    EXPECT_EQ(schedule.ranks.size(), 8U);
    EXPECT_EQ(schedule.CountOperations(), 2 * (13 + 1) + 10 + 15U);
    EXPECT_EQ(RunIdeally(schedule)[0], 5000 + 683 + 683 + 10000U);
    EXPECT_EQ(RunIdeally(make(",times=0,read=12GBps"))[0], 342 + 342 + 5000U);
    EXPECT_EQ(make(",limit=1,times=0,lba=bytes").CountOperations(), 23U);
    EXPECT_NE(harness::ExpectedInputErrorOf([&] { make(",bsss=2"); }).find("bsss"),
              std::string::npos);
    EXPECT_NE(harness::ExpectedInputErrorOf([&] { make(",ccs=0"); }).find("ccs=0"),
              std::string::npos);
    std::filesystem::remove(file);
    EXPECT_NE(harness::ExpectedInputErrorOf([&] { make(""); }).find("cannot be opened"),
              std::string::npos);
    EXPECT_NE(harness::ExpectedInputErrorOf([] {
                  InputSpec spec("storage");
                  MakeStorageSchedule(spec);
              }).find("file"),
              std::string::npos);
}
