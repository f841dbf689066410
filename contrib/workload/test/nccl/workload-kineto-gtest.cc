/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Traces of PyTorch's profiler, written by hand, and what is read from them.

#include "harness/errors.h"
#include "harness/texts.h"

#include "ns3/workload-kineto-reader.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace ns3;

namespace
{

using harness::ExpectIn;
using Operation = WorkloadNcclOperation;
using Json = nlohmann::json;

/** A kernel of NCCL; what it says of the call is \p args. */
Json
Kernel(const std::string& ts, const std::string& name, const Json& args, uint64_t correlation = 5)
{
    Json event{{"ph", "X"},
               {"cat", "kernel"},
               {"name", "ncclDevKernel_" + name + "(x)"},
               {"ts", Json::parse(ts)},
               {"dur", 10.5},
               {"args",
                {{"device", 0},
                 {"stream", 20},
                 {"correlation", correlation},
                 {"External id", correlation},
                 {"grid", {4, 1, 1}},
                 {"block", {544, 1, 1}}}}};
    event["args"].update(args);
    return event;
}

/** What a call says: so many elements of 2 bytes in and out, in a group of ranks 0 and 1. */
Json
Call(const std::string& name, uint64_t in, uint64_t out, const Json& more = Json::object())
{
    Json args{{"Collective name", name},
              {"dtype", "BFloat16"},
              {"In msg nelems", in},
              {"Out msg nelems", out},
              {"Group size", 2},
              {"Process Group Name", "0"},
              {"Process Group Ranks", "[0, 1]"}};
    args.update(more);
    return args;
}

/** \return the trace of a rank with these events, an array: braces around one are none for every
 * compiler */
std::string
Trace(const Json& events, const Json& info)
{
    return Json{{"distributedInfo", info}, {"traceEvents", events}}.dump();
}

std::string
Trace(const Json& events, uint64_t rank)
{
    return Trace(events, Json{{"rank", rank}});
}

/** \return what is read of the traces of a program's ranks */
WorkloadNcclTrace
Read(const std::vector<std::string>& texts)
{
    std::vector<std::istringstream> streams;
    std::vector<std::pair<std::istream*, std::string>> files;
    streams.reserve(texts.size());
    for (const std::string& text : texts)
    {
        streams.emplace_back(text);
        files.emplace_back(&streams.back(), "file-" + std::to_string(files.size()) + ".json");
    }
    return ReadWorkloadKineto(files);
}

std::string
ErrorOf(const std::vector<std::string>& texts)
{
    return harness::ExpectedInputErrorOf([&] { Read(texts); });
}

/** \return the calls of rank 0, where both ranks have this event */
std::vector<WorkloadNcclCall>
CallsOf(const Json& args)
{
    const Json event = Kernel("100", "X", args);
    return Read({Trace(Json::array({event}), 0), Trace(Json::array({event}), 1)}).gpus[0].calls;
}

} // namespace

TEST(Kineto, TimesAreExactToTheNanosecond)
{
    // as PyTorch writes them: a double has no room for the nanoseconds of the second one
    const Json computing{{"ph", "X"},
                         {"cat", "Kernel"},
                         {"name", "gemm"},
                         {"ts", 99},
                         {"dur", 1},
                         {"args", {{"stream", 7}}}};
    std::string text =
        Trace(Json::array({computing, Kernel("111", "X", Call("allreduce", 8, 8))}), 0);
    const std::string place = "\"ts\":111";
    text.replace(text.find(place), place.size(), "\"ts\":1712195495520871.023");
    const WorkloadNcclTrace trace =
        Read({text, Trace(Json::array({Kernel("100", "X", Call("allreduce", 8, 8))}), 1)});
    const WorkloadNcclKernel& kernel = trace.gpus[0].kernels[0];
    EXPECT_EQ(kernel.startNs, 1712195495520871023U);
    EXPECT_EQ(kernel.endNs, 1712195495520881523U);
    EXPECT_EQ(trace.gpus[0].startNs, 99000U); // of any kernel
    EXPECT_EQ(kernel.channels, 4U);
    EXPECT_EQ(kernel.threads, 544U);
    EXPECT_EQ(trace.gpus[0].streams, (std::vector<uint64_t>{20}));
}

TEST(Kineto, NamesBecomeOperationsAndSizes)
{
    const auto expect = [](const std::string& name,
                           Operation operation,
                           uint64_t bytes,
                           uint32_t peer) {
        const std::vector<WorkloadNcclCall> calls = CallsOf(Call(name, 100, 200, {{"Rank", 1}}));
        ASSERT_EQ(calls.size(), 1U) << name;
        EXPECT_EQ(calls[0].operation, operation) << name;
        EXPECT_EQ(calls[0].bytes, bytes) << name;
        EXPECT_EQ(calls[0].peer, peer) << name;
    };
    expect("allreduce", Operation::ALL_REDUCE, 200, 0);
    expect("barrier", Operation::ALL_REDUCE, 4, 0);
    expect("_allgather_base", Operation::ALL_GATHER, 400, 0);          // what comes out
    expect("_reduce_scatter_base", Operation::REDUCE_SCATTER, 200, 0); // what goes in
    expect("broadcast", Operation::BROADCAST, 200, 1);
    expect("reduce", Operation::REDUCE, 200, 1);
    expect("all_to_all", Operation::ALL_TO_ALL, 200, 0);
    expect("send", Operation::SEND, 200, 1);
    expect("recv", Operation::RECV, 400, 1);
    ExpectIn(ErrorOf({Trace(Json::array({Kernel("1", "X", Call("coalesced", 1, 1))}), 0)}),
             "file-0.json: event no. 1, ncclDevKernel_X(x): Collective name coalesced is none");
}

TEST(Kineto, GatherAndUnevenPartsAreMessages)
{
    // rank 0 gathers 100 elements from rank 1
    const Json event = Kernel("100", "X", Call("gather", 100, 200, {{"Rank", 0}}));
    const WorkloadNcclTrace trace =
        Read({Trace(Json::array({event}), 0), Trace(Json::array({event}), 1)});
    ASSERT_EQ(trace.gpus[0].calls.size(), 1U);
    EXPECT_EQ(trace.gpus[0].calls[0].operation, Operation::RECV);
    EXPECT_EQ(trace.gpus[0].calls[0].peer, 1U);
    EXPECT_EQ(trace.gpus[1].calls[0].operation, Operation::SEND);
    EXPECT_EQ(trace.gpus[1].calls[0].bytes, 200U);
    // 4 lines of 25 elements: one stays, three go; what comes is in even parts
    const std::vector<WorkloadNcclCall> calls = CallsOf(
        Call("all_to_allv", 100, 60, {{"In split size", "[1, 3]"}, {"Out split size", "[]"}}));
    ASSERT_EQ(calls.size(), 4U);
    EXPECT_EQ(calls[0].bytes, 50U);
    EXPECT_EQ(calls[1].bytes, 150U);
    EXPECT_EQ(calls[1].operation, Operation::SEND);
    EXPECT_EQ(calls[2].bytes, 60U);
    EXPECT_EQ(calls[3].operation, Operation::RECV);
    ExpectIn(
        ErrorOf({Trace(Json::array({Kernel(
                           "1",
                           "X",
                           Call("all_to_allv", 100, 100, {{"In split size", "[1, ..., 3]"}}))}),
                       0)}),
        "In split size must have the parts of all 2 ranks: the profiler leaves some out");
}

TEST(Kineto, ABatchOfMessagesIsWhatWasCalledBeforeItsLaunch)
{
    const auto record = [](const std::string& name, double ts, uint64_t id, const Json& more) {
        Json event{{"ph", "X"},
                   {"cat", "cpu_op"},
                   {"name", "record_param_comms"},
                   {"ts", ts},
                   {"dur", 1},
                   {"args", Call(name, 100, 100, more)}};
        event["args"]["External id"] = id;
        return event;
    };
    const auto launch = [](double ts, uint64_t correlation) {
        return Json{{"ph", "X"},
                    {"cat", "cuda_driver"},
                    {"name", "cuLaunchKernelEx"},
                    {"ts", ts},
                    {"dur", 1},
                    {"args", {{"correlation", correlation}}}};
    };
    const auto rank = [&](uint64_t own) {
        const Json to{{"Dst Rank", 1 - own}};
        const Json from{{"Src Rank", 1 - own}};
        // kernels stand before what caused them; the send with id 3 has a kernel of its own
        return Trace(Json::array({Kernel("50", "SendRecv", Json::object(), 8),
                                  Kernel("40", "SendRecv", Json::object(), 7),
                                  Kernel("30", "SendRecv", Call("send", 5, 5, to), 3),
                                  record("send", 4, 3, to),
                                  record("send", 10, 101, to),
                                  record("recv", 11, 102, from),
                                  launch(13, 7),
                                  record("recv", 14, 103, from),
                                  launch(16, 8)}),
                     own);
    };
    const WorkloadNcclTrace trace = Read({rank(0), rank(1)});
    const WorkloadNcclGpu& gpu = trace.gpus[0];
    ASSERT_EQ(gpu.kernels.size(), 3U);
    EXPECT_EQ(gpu.kernels[0].calls, 1U);
    EXPECT_EQ(gpu.kernels[1].calls, 2U);
    EXPECT_EQ(gpu.kernels[2].calls, 1U);
    const uint32_t first = gpu.kernels[1].firstCall;
    EXPECT_EQ(gpu.calls[first].operation, Operation::SEND);
    EXPECT_EQ(gpu.calls[first + 1].operation, Operation::RECV);
    EXPECT_EQ(gpu.calls[first + 1].peer, 1U);
    EXPECT_EQ(gpu.calls[gpu.kernels[0].firstCall].bytes, 10U);
    ExpectIn(ErrorOf({Trace(Json::array({Kernel("1", "SendRecv", Json::object())}), 0)}),
             "the kernel has no Collective name, and no sends and receives were recorded before");
    ExpectIn(
        ErrorOf({Trace(Json::array({launch(0, 5), Kernel("1", "SendRecv", Json::object())}), 0)}),
        "no sends and receives were recorded before it: record with PyTorch 2.5 or newer");
}

TEST(Kineto, GroupsAreThoseOfTheProgram)
{
    // the profiler leaves ranks out of long lists; the head of the trace has them all
    const Json event =
        Kernel("1", "X", Call("allreduce", 1, 1, {{"Process Group Ranks", "[0, ..., 1]"}}));
    const Json config{{{"pg_name", "0"}, {"ranks", {0, 1}}}};
    const Json zero{{"rank", 0}, {"pg_config", config}};
    const Json one{{"rank", 1}, {"pg_config", config}};
    // files come in any order
    const WorkloadNcclTrace trace =
        Read({Trace(Json::array({event}), one), Trace(Json::array({event}), zero)});
    EXPECT_EQ(trace.gpus[0].name, "file-1.json");
    EXPECT_EQ(trace.communicators[0].members, (std::vector<uint32_t>{0, 1}));
    // and without a head, all that use it
    EXPECT_EQ(Read({Trace(Json::array({event}), 0), Trace(Json::array({event}), 1)})
                  .communicators[0]
                  .members,
              (std::vector<uint32_t>{0, 1}));
    EXPECT_EQ(
        ErrorOf({Trace(Json::array({event}), 0)}),
        "process group 0 has 2 ranks, but only 1 traces use it: give the traces of all ranks");
    const Json known = Kernel("1", "X", Call("allreduce", 1, 1));
    EXPECT_EQ(ErrorOf({Trace(Json::array({known}), 0)}),
              "process group 0 has 2 ranks, but there is no trace of rank 1: give the traces of "
              "all ranks");
    EXPECT_EQ(ErrorOf({Trace(Json::array({known}), 0), Trace(Json::array({known}), 0)}),
              "file-1.json: is of rank 0, as file-0.json: give the traces of one run, one of each "
              "rank");
    const WorkloadNcclTrace unnamed = Read(
        {Trace(Json::array({known}), Json::object()), Trace(Json::array({known}), Json::object())});
    EXPECT_EQ(unnamed.gpus.size(), 2U);
    EXPECT_EQ(unnamed.warnings.size(), 2U);
}

TEST(Kineto, ListsMayBeTextsOrArrays)
{
    const Json event = Kernel("1",
                              "X",
                              Call("all_to_allv",
                                   4,
                                   4,
                                   {{"Process Group Ranks", {0, 1}},
                                    {"In split size", {1, 1}},
                                    {"Out split size", "[1,1]"}}));
    const WorkloadNcclTrace trace =
        Read({Trace(Json::array({event}), 0), Trace(Json::array({event}), 1)});
    EXPECT_EQ(trace.communicators[0].members, (std::vector<uint32_t>{0, 1}));
    EXPECT_EQ(trace.gpus[0].calls.size(), 4U);
}

TEST(Kineto, WhatIsNoTraceIsAnError)
{
    const std::string whole = Trace(Json::array({Kernel("1", "X", Call("allreduce", 1, 1))}), 0);
    for (const size_t bytes : {size_t{0}, whole.size() / 2, whole.size() - 1})
    {
        const std::string error = ErrorOf({whole.substr(0, bytes)});
        ExpectIn(error, "file-0.json: byte ");
        ExpectIn(error, "the file is cut off, or damaged; write the trace again");
    }
    ExpectIn(ErrorOf({"\x1f\x8b"}), "file-0.json: is compressed: gunzip it first");
    ExpectIn(ErrorOf({"{}"}), "file-0.json: has no traceEvents");
    ExpectIn(ErrorOf({"[1, 2]"}), "file-0.json: has no traceEvents");
    ExpectIn(ErrorOf({Trace(Json::array(), 0)}), "file-0.json: has no kernels of NCCL");
    ExpectIn(ErrorOf({Trace(Json::array({Kernel("-5", "X", Call("allreduce", 1, 1))}), 0)}),
             "file-0.json: event no. 1: ts -5, but must be a number of microseconds from 0 to");
}

TEST(Kineto, NumbersOutOfRangeAreNamed)
{
    const auto event = [](const char* key, const Json& value) {
        Json kernel = Kernel("1", "X", Call("allreduce", 1, 1));
        kernel[key] = value;
        return ErrorOf({Trace(Json::array({kernel}), 0)});
    };
    ExpectIn(event("ts", "x"), "event no. 1: ts x, but must be a number of microseconds from 0 to");
    ExpectIn(event("dur", nullptr), "event no. 1: dur null, but must be a number of microseconds");
    ExpectIn(event("dur", 1e300), "event no. 1: dur 1e+300, but must be");
    const auto argument = [](const char* key, const Json& value) {
        return ErrorOf(
            {Trace(Json::array({Kernel("1", "X", Call("allreduce", 1, 1, {{key, value}}))}), 0)});
    };
    for (const auto& [value, text] :
         {std::pair<Json, std::string>{-5, "-5"}, {1e30, "1e+30"}, {1.5, "1.5"}})
    {
        ExpectIn(argument("In msg nelems", value),
                 "event no. 1: In msg nelems " + text + ", but must be a whole number from 0 to");
    }
    ExpectIn(argument("In msg nelems", -1), "allreduce has no In msg nelems");
    ExpectIn(argument("grid", {0, 1, 1}), "grid begins with 0, but must with a whole number");
    ExpectIn(argument("grid", {-3, 1, 1}), "grid begins with no whole number");
    ExpectIn(argument("block", {5000, 1, 1}), "block begins with 5000, but must");
    const auto program = [](uint64_t rank, const Json& size) {
        return ErrorOf({Trace(Json::array({Kernel("1", "X", Call("allreduce", 1, 1))}),
                              Json{{"rank", rank}, {"world_size", size}})});
    };
    for (const Json& size : {Json(0), Json(-1), Json(1000000000000), Json("x"), Json(nullptr)})
    {
        ExpectIn(program(0, size), "distributedInfo: world_size ");
    }
    ExpectIn(program(0, 1),
             "its process group has 2 ranks, but world_size of distributedInfo is 1");
    ExpectIn(program(3, 3), "is of rank 3, but world_size of distributedInfo is 3");
}

TEST(Kineto, WhatAnEventMustSay)
{
    const auto error = [](const Json& args) {
        return ErrorOf({Trace(Json::array({Kernel("1", "X", args)}), 0)});
    };
    const auto without = [](const std::string& key) {
        Json args = Call("allreduce", 1, 1);
        args.erase(key);
        return args;
    };
    ExpectIn(error(Json::object()), "the kernel has no Collective name");
    ExpectIn(error(without("In msg nelems")), "allreduce has no In msg nelems: record with");
    ExpectIn(error(without("dtype")), "dtype  is none that is known");
    Json nothing = without("Process Group Ranks");
    nothing.erase("Group size");
    ExpectIn(error(nothing), "does not say which ranks its process group of 0 has");
    ExpectIn(error(Call("allreduce", 1, 1, {{"Group size", 3}})),
             "does not say which ranks its process group of 3 has");
    ExpectIn(error(Call("send", 1, 1)), "send does not say the other rank");
    ExpectIn(error(Call("recv", 1, 1, {{"Src Rank", 9}})), "rank 9 is not known to be in");
    ExpectIn(error(Call("allreduce", uint64_t{1} << 60, 1)), "is too much: the trace is damaged");
    Json other = Kernel("2", "X", Call("allreduce", 1, 1));
    other["args"]["device"] = 1;
    ExpectIn(ErrorOf({Trace(Json::array({Kernel("1", "X", Call("allreduce", 1, 1)), other}), 0)}),
             "event no. 2, ncclDevKernel_X(x): runs on another GPU");
}
