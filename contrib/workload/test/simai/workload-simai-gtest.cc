/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/errors.h"
#include "harness/ideal_transport.h"

#include "ns3/input-error.h"
#include "ns3/workload-simai-file.h"
#include "ns3/workload-simai-report.h"
#include "ns3/workload-simai-runner.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <sstream>

using namespace ns3;
using harness::IdealTransport;

namespace
{

constexpr uint64_t MEBIBYTE = 1048576;

std::string
TableHeader(uint32_t tp, uint32_t ep, uint32_t gpus, const std::string& more = "")
{
    return "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: " + std::to_string(tp) +
           " ep: " + std::to_string(ep) + " pp: 1 vpp: 1 ga: 1 all_gpus: " + std::to_string(gpus) +
           " " + more + "\n";
}

/** A run on an ideal network, with everything kept. */
struct IdealRun : public WorkloadObserver, public WorkloadTransport::Recorder
{
    IdealRun(const std::string& text,
             const IdealTransport::Options& network,
             WorkloadSimAiOptions options)
        : transport(network)
    {
        std::istringstream in(text);
        file = ReadWorkloadSimAi(in, "w.txt");
        options.gpusPerServer = network.hostsPerServer;
        options.nvSwitches = network.switches;
        if (options.gpuType.empty())
        {
            options.gpuType = "H100";
        }
        transport.SetRecorder(this);
        runner = std::make_unique<WorkloadSimAiRunner>(file, options, transport, this);
        finished = runner->Run();
    }

    void Done(const WorkloadSpan& span) override
    {
        spans.push_back(span);
    }

    void Record(const WorkloadTransferRecord& record) override
    {
        transfers.push_back(record);
    }

    double TotalUs() const
    {
        return SummarizeWorkloadSimAi(file, *runner).totalNs / 1e3;
    }

    /** \return spans of communication of a rank, in the order of their ends */
    std::vector<WorkloadSpan> Collectives(uint32_t rank) const
    {
        std::vector<WorkloadSpan> some;
        std::copy_if(spans.begin(), spans.end(), std::back_inserter(some), [&](const auto& span) {
            return span.communication && span.process == rank;
        });
        return some;
    }

    std::string Csv() const
    {
        std::ostringstream out;
        WriteWorkloadSimAiEndToEnd(out, file, *runner);
        return out.str();
    }

    IdealTransport transport;
    WorkloadSimAiFile file;
    std::unique_ptr<WorkloadSimAiRunner> runner;
    std::vector<WorkloadSpan> spans;
    std::vector<WorkloadTransferRecord> transfers;
    bool finished{false};
};

/** No delays but the network's and those that a test asks for. */
WorkloadSimAiOptions
NoDelays()
{
    WorkloadSimAiOptions options;
    options.sendLatency = options.memoryDelayNs = options.reduceDelayNs = 0;
    return options;
}

/** The comma separated words of the line of \p csv that starts so. */
std::vector<std::string>
Line(const std::string& csv, const std::string& start, size_t which = 0)
{
    std::istringstream in(csv);
    std::string line;
    std::vector<std::string> words;
    while (std::getline(in, line))
    {
        if (line.compare(0, start.size(), start) == 0 && which-- == 0)
        {
            std::istringstream rest(line);
            for (std::string word; std::getline(rest, word, ',');)
            {
                words.push_back(word);
            }
        }
    }
    return words;
}

} // namespace

/** The table of SimAI's tutorial, each size a forward all-reduce of its own. */
TEST(SimAiPublished, BusBandwidthOfRingsAndNvls)
{
    const std::vector<std::pair<double, double>> published{// NVLS, ring; 16 to 512 MiB; GiB/s
                                                           {148.88, 141.84},
                                                           {178.04, 153.68},
                                                           {197.38, 160.60},
                                                           {208.70, 163.85},
                                                           {214.87, 165.72},
                                                           {218.09, 166.68}};
    std::string text = TableHeader(8, 1, 32) + "6\n";
    for (uint64_t mebibytes = 16; mebibytes <= 512; mebibytes *= 2)
    {
        text += "layer -1 1 ALLREDUCE " + std::to_string(mebibytes * MEBIBYTE) +
                " 1 NONE 0 1 NONE 0 1\n";
    }
    IdealTransport::Options network;
    network.hosts = 32;
    network.switches = 4;
    WorkloadSimAiOptions options;
    options.sendLatency = 2000;
    const IdealRun ring(text, network, options);
    network.insideBps = 1360'000'000'000;
    options.sendLatency = 12000;
    options.nvls = true;
    const IdealRun nvls(text, network, options);
    for (size_t i = 0; i < published.size(); ++i)
    {
        const double byNvls = std::stod(Line(nvls.Csv(), "layer,", i).at(10));
        const double byRing = std::stod(Line(ring.Csv(), "layer,", i).at(10));
        EXPECT_NEAR(byNvls, published[i].first, 0.005 * published[i].first);
        EXPECT_NEAR(byRing, published[i].second, 0.005 * published[i].second);
    }
    EXPECT_TRUE(ring.runner->GetWarnings().empty());
}

/** Totals that SimAI publishes by send latency: 1604 us and 28 latencies, by literal microseconds.
 */
TEST(SimAiPublished, TotalsBySendLatency)
{
    const std::string text =
        "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8 ep: 1 pp: 1 vpp: 8 ga: 1 "
        "all_gpus: 8\n2\n"
        "embedding_layer -1 556000 ALLREDUCE 16777216 1 NONE 0 1 NONE 0 1\n"
        "embedding_layer -1 556000 ALLREDUCE 67108864 1 NONE 0 1 NONE 0 1\n";
    IdealTransport::Options network;
    network.insideBps = 2400'000'000'000;
    WorkloadSimAiOptions options;
    options.literalLatency = true;
    for (const auto& [latency, total] :
         {std::pair<int64_t, double>{6, 1772}, {6000, 169604}, {7200, 203204}, {-1, 389404}})
    {
        options.sendLatency = latency;
        options.rules = latency < 0 ? WorkloadSimAiRules::SIMAI_1_7 : WorkloadSimAiRules::SIMAI_1_6;
        EXPECT_NEAR(IdealRun(text, network, options).TotalUs(), total, 0.005 * total);
    }
}

/** One ring step after the other: 2(n-1) steps, each all channels' pieces, a round trip, and its
 * delays. */
TEST(SimAiRunner, TakesTheTimeOfItsRingSteps)
{
    IdealTransport::Options network;
    network.hosts = network.hostsPerServer = 4;
    WorkloadSimAiOptions options;
    options.sendLatency = 700;
    const IdealRun run(TableHeader(4, 1, 4) + "1\nx -1 5 ALLREDUCE 144000 7 NONE 0 9 NONE 0 100\n",
                       network,
                       options);
    // 144000 / 4 / 4 = 9000 B: one packet of floor(9052 * 8 / 1440) = 50 ns; 4 channels share the
    // port; 50 ns each way. 6 steps: 10 + 700 + 200 + 100 ns. SimAI charges no reduction where an
    // even number of channels goes in step.
    const int64_t transfer = int64_t{6} * (10 + 700 + 4 * 50 + 50 + 50);
    // 5 compute, the collective, 100 process, 1 tick; 7, 1 tick; 9, 1 tick
    EXPECT_TRUE(run.finished);
    EXPECT_EQ(run.runner->GetRanks()[0].finishPs, (5 + transfer + 100 + 1 + 7 + 1 + 9 + 1) * 1000);
    EXPECT_EQ(run.runner->GetRanks()[3].finishPs, run.runner->GetRanks()[0].finishPs);
    EXPECT_EQ(run.runner->GetLayers()[0].parts[0].exposedPs, (transfer + 100) * 1000);
    EXPECT_EQ(run.runner->GetRanks()[0].waitPs[0], (transfer + 100) * 1000);
    EXPECT_EQ(run.runner->GetComputeNs(), 5U + 7 + 9);
    EXPECT_EQ(run.transfers.size(), 2U * 3 * 4 * 4);
    EXPECT_EQ(run.runner->GetCompleted(), run.runner->GetTotal());
}

TEST(SimAiRunner, QueuesWeightGradientsLastFirstWhileItGoesOn)
{
    IdealTransport::Options network;
    network.hosts = 2;
    network.hostsPerServer = 1;
    network.switches = 0;
    network.outsideBps = 8'000'000'000; // 1 B/ns
    network.onewayPs = network.backPs = 0;
    // All-gathers of 900 or 901 B to each other: 953, 952, 952 and 953 ns. Layer 3's starts first;
    // those of 2, 1 and 0 are issued 30 ns after each other and run in the opposite order.
    std::string text = TableHeader(1, 1, 2) + "4\n";
    for (uint32_t layer = 0; layer < 4; ++layer)
    {
        text += "x -1 0 NONE 0 9 NONE 0 19 ALLGATHER " + std::to_string(1800 + layer) + " 0\n";
    }
    const IdealRun run(text, network, NoDelays());
    std::vector<uint64_t> order;
    for (const WorkloadSpan& span : run.Collectives(1))
    {
        order.push_back(span.size - 1800);
    }
    EXPECT_EQ(order, (std::vector<uint64_t>{3, 0, 1, 2}));
    // forward: 4 ticks; backward: 9 + 1 + 19 before the first issue, then four collectives
    EXPECT_EQ(run.runner->GetRanks()[0].finishPs, (4 + 9 + 1 + 19 + 953 + 952 + 952 + 953) * 1000);
    // Only layer 0's counts as exposed in SimAI's report: from the program's end, 4 + 4 * 30, to
    // its own end.
    const auto& layers = run.runner->GetLayers();
    EXPECT_EQ(layers[0].parts[2].exposedPs, (4 + 29 + 953 + 952 - (4 + 4 * 30)) * 1000);
    EXPECT_EQ(layers[1].parts[2].exposedPs, 0);
    // ours says all of it
    EXPECT_EQ(run.runner->GetRanks()[0].waitPs[static_cast<int>(WorkloadSimAiGroup::DP)],
              run.runner->GetRanks()[0].finishPs - int64_t{4 + 4 * 30} * 1000);
}

/** Ranks that come to their queues at different times would choose differently, and wait for each
 * other for ever; they must not. */
TEST(SimAiRunner, AgreesOnTheOrderWhereRanksDrift)
{
    for (uint32_t layers = 1; layers < 12; ++layers)
    {
        IdealTransport::Options network;
        network.hosts = 8;
        network.hostsPerServer = 3; // servers of 3, 3 and 2
        network.switches = 3;
        network.outsideBps = 30'000'000'000;
        std::string text = TableHeader(2, 2, 8) + std::to_string(layers) + "\n";
        for (uint32_t layer = 0; layer < layers; ++layer)
        {
            const char* const suffix[]{"", "_EP", "_DP_EP"};
            text += "x -1 7 ALLREDUCE " + std::to_string(5000 * layer) + " 3 ALLTOALL_EP 7000 11 " +
                    "REDUCESCATTER" + suffix[layer % 3] + " " +
                    std::to_string(900000 / (layer + 1)) + " 13\n";
        }
        const IdealRun run(text, network, NoDelays());
        EXPECT_TRUE(run.finished) << layers;
        EXPECT_TRUE(run.runner->ExplainStall(5).empty());
    }
}

TEST(SimAiRunner, RunsWhereSimAiStalls)
{
    IdealTransport::Options network;
    network.hosts = 16;
    network.switches = 2;
    WorkloadSimAiOptions options = NoDelays();
    options.nvls = true;
    // NVLS across servers: rings
    IdealRun across(TableHeader(16, 1, 16) + "1\nx -1 0 ALLREDUCE 16777216 0 NONE 0 0 NONE 0 0\n",
                    network,
                    options);
    EXPECT_TRUE(across.finished);
    EXPECT_EQ(across.transfers.size(), 3840U);
    ASSERT_EQ(across.runner->GetWarnings().size(), 1U);
    EXPECT_NE(across.runner->GetWarnings()[0].find("NVLS is asked for, but"), std::string::npos);
    // size 0 is nothing; so is a group of one; tiny sizes carry at least a byte a flow
    const std::string none = "x -1 0 REDUCESCATTER 0 0 ALLREDUCE 0 0 ALLGATHER_DP_EP 0 0\n";
    EXPECT_TRUE(IdealRun(TableHeader(8, 2, 16) + "1\n" + none, network, options).transfers.empty());
    const IdealRun one(TableHeader(16, 1, 16) + "1\nx -1 0 NONE 0 0 NONE 0 0 ALLREDUCE 800 0\n",
                       network,
                       options);
    EXPECT_TRUE(one.finished && one.transfers.empty());
    const IdealRun tiny(TableHeader(8, 1, 16) + "1\nx -1 0 NONE 0 0 ALLREDUCE 1 0 NONE 0 0\n",
                        network,
                        NoDelays());
    EXPECT_EQ(tiny.transfers.size(), 2U * 896);
    EXPECT_EQ(tiny.transfers[0].transfer.bytes, 1U);
    // TP 1 with experts
    const std::string experts =
        TableHeader(1, 4, 16) + "1\nx -1 0 ALLTOALL_EP 8000 0 NONE 0 0 NONE 0 0\n";
    const IdealRun ours(experts, network, NoDelays());
    EXPECT_TRUE(ours.finished);
    EXPECT_EQ(ours.transfers.size(), 4U * 4 * 3);
    WorkloadSimAiOptions literal = NoDelays();
    literal.literal = true;
    EXPECT_TRUE(IdealRun(experts, network, literal).transfers.empty());
    // one rank alone
    network.hosts = 1;
    network.switches = 0;
    EXPECT_TRUE(IdealRun(TableHeader(1, 1, 1) + "1\nx -1 3 ALLREDUCE 8 0 NONE 0 0 ALLGATHER 8 0\n",
                         network,
                         options)
                    .finished);
}

TEST(SimAiRunner, RaisesSmallSizesInTheForwardPassOnly)
{
    IdealTransport::Options network;
    const std::string text =
        TableHeader(8, 1, 8) + "1\nx -1 0 ALLTOALL 80 0 ALLTOALL 80 0 NONE 0 0\n";
    const IdealRun run(text, network, NoDelays());
    EXPECT_EQ(run.transfers.front().transfer.bytes, 4096U / 8);
    EXPECT_EQ(run.transfers.back().transfer.bytes, 80U / 8);
}

TEST(SimAiRunner, RoundsSizesByFloatIfLiteral)
{
    IdealTransport::Options network;
    network.hosts = network.hostsPerServer = 2;
    const std::string text =
        TableHeader(2, 1, 2) + "1\nx -1 0 NONE 0 0 ALLTOALL 64972390 0 NONE 0 0\n";
    WorkloadSimAiOptions options = NoDelays();
    EXPECT_EQ(IdealRun(text, network, options).transfers[0].transfer.bytes, 32486195U);
    options.literal = true;
    EXPECT_EQ(IdealRun(text, network, options).transfers[0].transfer.bytes, 32486196U);
}

TEST(SimAiRunner, RecomputesFromTheNearestCheckpoint)
{
    IdealTransport::Options network;
    const std::string text =
        TableHeader(8, 1, 8, "checkpoints: 2 0 2 checkpoint_initiates: 2 1 3") +
        "4\na -1 1 NONE 0 1000 NONE 0 0 NONE 0 0\nb -1 10 NONE 0 2000 NONE 0 0 NONE 0 0\n"
        "c -1 100 ALLTOALL 8000 3000 NONE 0 0 NONE 0 0\nd -1 500 NONE 0 4000 NONE 0 0 NONE 0 0\n";
    const IdealRun run(text, network, NoDelays());
    std::vector<uint64_t> sizes;
    for (const WorkloadSpan& span : run.spans)
    {
        if (span.process == 0)
        {
            sizes.push_back(span.size);
        }
    }
    EXPECT_EQ(sizes,
              (std::vector<uint64_t>{1,
                                     10,
                                     100,
                                     8000,
                                     500, // forward
                                     100,
                                     8000,
                                     4000,
                                     3000, // d recomputes c
                                     1,
                                     2000,
                                     1000})); // b recomputes a
}

TEST(SimAiRunner, RunsEveryPolicyInItsOrder)
{
    const std::string layers = "2\na -1 1 ALLTOALL 8000 2 ALLTOALL 16000 3 ALLTOALL 32000 0\n"
                               "b -1 4 ALLTOALL 8000 5 ALLTOALL 16000 6 ALLTOALL 32000 0\n";
    // computations by their time, collectives by the eighth of their size: 1 F, 2 I, 4 W
    const std::map<std::string, std::vector<uint64_t>> orders{
        {"MICRO", {3, 4000, 6, 4000}},
        {"DATA", {1, 4, 6, 5, 3, 4000, 4000}},
        {"HYBRID_DLRM", {1, 4, 6, 5, 3, 4000, 4000}},
        {"HYBRID_DLRM_ENHANCED", {1, 4, 6, 5, 3, 4000, 4000}},
        {"DISTRIBUTED_INFERENCE", {1, 1000, 4, 1000}},
        {"MODEL", {1, 1000, 4, 1000, 5, 6, 2000, 2, 3}},
        {"HYBRID_DATA_MODEL", {1, 1000, 4, 1000, 5, 6, 2000, 2, 3}},
        {"HYBRID_MODEL_DATA", {1, 4, 5, 6, 2, 3, 4000, 4000}},
    };
    for (const auto& [policy, expected] : orders)
    {
        IdealTransport::Options network;
        const IdealRun run(std::string(policy).append("\n").append(layers), network, NoDelays());
        EXPECT_TRUE(run.finished);
        std::vector<uint64_t> order;
        for (const WorkloadSpan& span : run.spans)
        {
            if (span.process == 0)
            {
                order.push_back(span.communication ? span.size / 8 : span.size);
            }
        }
        EXPECT_EQ(order, expected) << policy;
    }
}

TEST(SimAiRunner, RunsCustomizedLayersEachByItsPolicy)
{
    IdealTransport::Options network;
    const IdealRun run("HYBRID_CUSTOMIZED\n2\n"
                       "a -1 1 ALLTOALL 8000 2 ALLTOALL 16000 3 ALLTOALL 32000 0 DATA\n"
                       "b -1 4 ALLTOALL 8000 5 ALLTOALL 16000 6 ALLTOALL 32000 0 MODEL\n",
                       network,
                       NoDelays());
    std::vector<uint64_t> sizes;
    for (const WorkloadSpan& span : run.Collectives(0))
    {
        sizes.push_back(span.size);
    }
    EXPECT_EQ(sizes,
              (std::vector<uint64_t>{8000, 16000, 32000})); // b's forward and input, a's weight
}

TEST(SimAiRunner, SaysWhyItStopped)
{
    IdealTransport::Options network;
    network.loseFirst = true;
    const IdealRun run(TableHeader(8, 1, 8) + "1\nx -1 0 ALLTOALL 8000 0 NONE 0 0 NONE 0 0\n",
                       network,
                       NoDelays());
    EXPECT_FALSE(run.finished);
    const std::vector<std::string> why = run.runner->ExplainStall(2);
    ASSERT_EQ(why.size(), 2U);
    EXPECT_EQ(why[0], "the transfer from 0 to 1 failed: lost on purpose");
    EXPECT_EQ(why[1].find("rank 0 waits for the all-to-all (TP) of layer 0, x, which waits"), 0U);
}

TEST(SimAiRunner, RejectsTopologiesAndOptionsThatDoNotFit)
{
    IdealTransport::Options network;
    network.hosts = 12;
    const std::string text = TableHeader(8, 1, 8) + "1\nx -1 0 NONE 0 0 NONE 0 0 NONE 0 0\n";
    const std::string error =
        harness::InputErrorOf([&] { const IdealRun run(text, network, NoDelays()); });
    EXPECT_EQ(error.find("w.txt:1: tensor parallelism 8 does not divide the 12 hosts"), 0U)
        << error;
    network.hosts = 8;
    WorkloadSimAiOptions options;
    options.sendLatency = 2'000'000'000;
    EXPECT_THROW(IdealRun(text, network, options), InputError);
    options.sendLatency = 0;
    options.memoryDelayNs = -1;
    EXPECT_THROW(IdealRun(text, network, options), InputError);
    network.hosts = 16;
    EXPECT_EQ(IdealRun(text, network, NoDelays()).runner->GetWarnings().size(), 1U); // all_gpus 8
}

TEST(SimAiReport, HasSimAisLayoutAndUnits)
{
    IdealTransport::Options network;
    network.hosts = network.hostsPerServer = 2;
    network.insideBps = 8'000'000'000;
    network.onewayPs = network.backPs = 0;
    // pp 3, ga 2, vpp 4: bubble (3 - 1) / 8 of all but embedding_layer's
    const std::string text =
        "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 1 pp: 3 vpp: 4 ga: 2 "
        "all_gpus: 24\n2\nembedding_layer -1 1000 NONE 0 0 NONE 0 0 NONE 0 0\n"
        "mlp -1 3000 ALLREDUCE 16000 5000 NONE 0 7000 ALLREDUCE 16000 100\n";
    const IdealRun run(text, network, NoDelays());
    // 2 channels of 16000 / 2 / 2 = 4000 B share the port at 1 B/ns: 8104 ns a step, 2 steps, 100
    // ns.
    const std::string csv = run.Csv();
    std::istringstream in(csv);
    std::string line;
    std::getline(in, line);
    EXPECT_EQ(line,
              "File name, Expose DP comm, Expose DP_EP comm, Expose TP comm, Expose_EP_comm, "
              "Expose_PP_comm, bubble time, total comp, total exposed comm, Total time");
    std::getline(in, line);
    // exposed 16.308 us; compute 16 us; ticks 6 ns: 32.314 us; bubble (16.308 + 15) / 4 = 7.827 us
    EXPECT_EQ(line,
              "test1, 0 (0.00%), 0 (0.00%), 16 (50.47%), 0 (0.00%), 0 (0.00%), 8 (24.22%), 16 "
              "(49.51%), 16 (50.49%), 32");
    std::getline(in, line);
    EXPECT_EQ(line,
              "layer_name,test1,fwd compute,wg compute,ig compute,fwd exposed comm,wg exposed comm,"
              "ig exposed comm,fwd total comm,algbw,busbw,wg total comm,algbw,busbw,ig total comm,"
              "algbw,busbw,workload finished at");
    const std::vector<std::string> mlp = Line(csv, "mlp,");
    ASSERT_EQ(mlp.size(), 18U);
    EXPECT_EQ(mlp[2], "3.000000");
    EXPECT_EQ(mlp[3], "7.000000");
    EXPECT_EQ(mlp[4], "5.000000");
    EXPECT_EQ(mlp[5], "16.308000");
    EXPECT_EQ(mlp[8], "16.308000");
    EXPECT_NEAR(std::stod(mlp[9]), 16000 / 16.308e-6 / 1073741824, 1e-6); // GiB/s
    EXPECT_NEAR(std::stod(mlp[10]), std::stod(mlp[9]) * 2 * (2 - 1) / 2, 1e-6);
    EXPECT_EQ(mlp[12], "0.000000"); // DP is 1 here: no weight gradient collective
    EXPECT_EQ(mlp[17], "32.314000");
    EXPECT_EQ(Line(csv, "SUM,").size(), 17U);
    EXPECT_EQ(Line(csv, "SUM,")[9], "NONE");
    const std::vector<std::string> totals = Line(csv, "total exposed comm,");
    EXPECT_EQ(totals.at(1), "16.314000");
    EXPECT_EQ(totals.at(5), "32.314000");
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 7);
}

TEST(SimAiReport, ListsFlows)
{
    std::istringstream in(TableHeader(2, 1, 2) + "1\nx -1 0 NONE 0 0 ALLREDUCE 1000 0 NONE 0 0\n");
    const WorkloadSimAiFile file = ReadWorkloadSimAi(in, "w.txt");
    IdealTransport::Options network;
    network.hosts = 2;
    IdealTransport transport(network);
    WorkloadSimAiOptions options;
    options.gpusPerServer = 1;
    WorkloadSimAiRunner runner(file, options, transport);
    std::ostringstream out;
    WorkloadSimAiFlowWriter writer(out);
    runner.SetListener(&writer);
    EXPECT_TRUE(runner.Run());
    EXPECT_EQ(out.str(),
              "collective,op,data_size,algorithm,protocol,channel_id,flow_id,src,dest,flow_size,"
              "chunk_id,chunk_count,conn_type,parent_flow_ids,prev_flow_ids\n"
              "x:ig:TP,all-reduce,1000,1,-1,0,0,0,1,500,0,2,RING,,1\n"
              "x:ig:TP,all-reduce,1000,1,-1,0,1,1,0,500,0,2,RING,,0\n"
              "x:ig:TP,all-reduce,1000,1,-1,0,2,0,1,500,1,2,RING,1,1\n"
              "x:ig:TP,all-reduce,1000,1,-1,0,3,1,0,500,1,2,RING,0,0\n");
}
