/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simai_case.h"

#include "harness/apart.h"

#include "ns3/boolean.h"
#include "ns3/global-value.h"
#include "ns3/nstime.h"
#include "ns3/rdma-hpcc-config.h"
#include "ns3/rdma-hpcc-setup.h"
#include "ns3/rdma-topology-generator.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/workload-rdma-transport.h"
#include "ns3/workload-simai-file.h"
#include "ns3/workload-simai-report.h"

#include <gtest/gtest.h>
#include <sstream>

namespace harness
{

using namespace ns3;

namespace
{

/** What counts of the SimAI.conf that comes with SimAI. */
const std::string CONFIG = "ENABLE_QCN 1\nUSE_DYNAMIC_PFC_THRESHOLD 1\nPACKET_PAYLOAD_SIZE 9000\n"
                           "CC_MODE 1\nALPHA_RESUME_INTERVAL 1\nRATE_DECREASE_INTERVAL 4\n"
                           "RP_TIMER 900\nEWMA_GAIN 0.00390625\nFAST_RECOVERY_TIMES 1\n"
                           "RATE_AI 50Mb/s\nRATE_HAI 100Mb/s\nMIN_RATE 100Mb/s\n"
                           "L2_CHUNK_SIZE 4000\nL2_ACK_INTERVAL 1\nHAS_WIN 1\nVAR_WIN 1\n"
                           "FAST_REACT 1\nRATE_BOUND 1\nACK_HIGH_PRIO 0\nBUFFER_SIZE 32\n"
                           "KMAX_MAP 2 200000000000 1200 400000000000 3200\n"
                           "KMIN_MAP 2 200000000000 300 400000000000 800\n"
                           "PMAX_MAP 2 200000000000 0.8 400000000000 0.2\n";

/** \return bus bandwidths of the forward pass of the layers named "layer", GiB/s */
std::vector<double>
BusBandwidths(const std::string& csv)
{
    std::vector<double> found;
    std::istringstream in(csv);
    for (std::string line; std::getline(in, line);)
    {
        if (line.compare(0, 6, "layer,") == 0)
        {
            std::istringstream words(line);
            std::string word;
            for (int column = 0; column <= 10; ++column)
            {
                std::getline(words, word, ',');
            }
            found.push_back(std::stod(word));
        }
    }
    return found;
}

nlohmann::json
RunHere(const std::string& workload, const std::string& spec, const WorkloadSimAiOptions& options)
{
    ns3::Time::SetResolution(ns3::Time::PS);
    GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::RdmaSimulatorImpl"));
    const RdmaTopology topology = GenerateRdmaTopology(spec);
    const WorkloadEndpoints ends = MakeWorkloadEndpoints(topology, true);
    std::istringstream config(CONFIG);
    RdmaHelper helper;
    SetUpRdmaFromHpcc(ReadRdmaHpccConfig(config, "SimAI.conf"),
                      topology,
                      "",
                      "truncate",
                      1,
                      helper);
    helper.SetNetworkAttribute("SequenceBytes", UintegerValue(8));
    helper.SetHostAttribute("PayloadSize", UintegerValue(9000));
    nlohmann::json result;
    {
        WorkloadRdmaTransport transport(helper.Install(ends.topology), ends);
        std::istringstream in(workload);
        const WorkloadSimAiFile file = ReadWorkloadSimAi(in, "w.txt");
        WorkloadSimAiRunner runner(file, ResolveWorkloadSimAiOptions(options, topology), transport);
        result["finished"] = runner.Run();
        const WorkloadSimAiSummary summary = SummarizeWorkloadSimAi(file, runner);
        std::ostringstream csv;
        WriteWorkloadSimAiEndToEnd(csv, file, runner);
        result["total_us"] = summary.totalNs / 1e3;
        result["last_us"] = summary.lastNs / 1e3;
        result["flows"] = runner.GetFlowCount();
        result["events"] = transport.GetEventCount();
        result["csv"] = csv.str();
    }
    Simulator::Destroy();
    return result;
}

} // namespace

nlohmann::json
RunSimAiPackets(const std::string& workload,
                const std::string& topology,
                const WorkloadSimAiOptions& options)
{
    return RunApart([&] { return RunHere(workload, topology, options); });
}

void
ExpectSimAiTutorial(const std::string& topology,
                    uint64_t mostMebibytes,
                    const WorkloadSimAiOptions& options,
                    const std::vector<double>& published)
{
    constexpr uint64_t mebibyte = 1048576;
    std::string layers;
    size_t count = 0;
    for (uint64_t size = 16; size <= mostMebibytes; size *= 2, ++count)
    {
        layers +=
            "layer -1 1 ALLREDUCE " + std::to_string(size * mebibyte) + " 1 NONE 0 1 NONE 0 1\n";
    }
    const uint32_t gpus = GenerateRdmaTopology(topology).Count(RdmaNodeKind::HOST);
    const nlohmann::json run =
        RunSimAiPackets("HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8 ep: 1 pp: 1 "
                        "vpp: 1 ga: 1 all_gpus: " +
                            std::to_string(gpus) + "\n" + std::to_string(count) + "\n" + layers,
                        topology,
                        options);
    EXPECT_TRUE(run.at("finished"));
    const std::vector<double> found = BusBandwidths(run.at("csv"));
    ASSERT_EQ(found.size(), count);
    for (size_t i = 0; i < count; ++i)
    {
        EXPECT_NEAR(found[i], published.at(i), 0.005 * published.at(i)) << (16 << i) << " MiB";
    }
}

} // namespace harness
