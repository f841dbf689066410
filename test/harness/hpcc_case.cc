/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "hpcc_case.h"

#include "harness/apart.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/rdma-hpcc-setup.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <tuple>

using namespace ns3;

namespace harness
{

namespace
{

using Clock = std::chrono::steady_clock;

const std::filesystem::path DATA =
    std::filesystem::path(WORMHOLE_SOURCE_DIR) / "test" / "data" / "hpcc";

nlohmann::json
ReadJson(const std::filesystem::path& file)
{
    std::ifstream in(file);
    if (!in)
    {
        throw std::runtime_error(file.string() + ": cannot be read");
    }
    return nlohmann::json::parse(in);
}

double
SecondsSince(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

int64_t
ToNs(int64_t steps)
{
    return TimeStep(static_cast<uint64_t>(steps)).GetNanoSeconds();
}

void
CopyCounters(const RdmaNetwork& network, RunResult& result)
{
    const RdmaCounters& counters = network.GetContext().counters;
    result.packetHops = counters.packetHops;
    result.pauses = counters.pauses;
    result.bufferDrops = counters.bufferDrops;
    result.timeouts = counters.timeouts;
    result.unfinished = network.GetUnfinishedFlows().size();
    result.events = Simulator::GetEventCount();
}

} // namespace

double
RunResult::GetMeanFct() const
{
    double sum = 0;
    for (const FlowResult& flow : flows)
    {
        sum += static_cast<double>(flow.fct);
    }
    return flows.empty() ? 0 : sum / static_cast<double>(flows.size());
}

int64_t
RunResult::GetLastCompletion() const
{
    int64_t last = 0;
    for (const FlowResult& flow : flows)
    {
        last = std::max(last, flow.start + flow.fct);
    }
    return last;
}

void
to_json(nlohmann::json& json, const FlowResult& flow)
{
    json = {flow.src, flow.dst, flow.bytes, flow.start, flow.fct};
}

void
from_json(const nlohmann::json& json, FlowResult& flow)
{
    flow = {json.at(0), json.at(1), json.at(2), json.at(3), json.at(4)};
}

void
to_json(nlohmann::json& json, const RunResult& r)
{
    json = {{"flows", r.flows},
            {"unfinished", r.unfinished},
            {"packet_hops", r.packetHops},
            {"warm_packet_hops", r.warmPacketHops},
            {"events", r.events},
            {"pauses", r.pauses},
            {"buffer_drops", r.bufferDrops},
            {"timeouts", r.timeouts},
            {"set_up_seconds", r.setUpSeconds},
            {"run_seconds", r.runSeconds},
            {"run_processor_seconds", r.runProcessorSeconds}};
}

void
from_json(const nlohmann::json& json, RunResult& r)
{
    json.at("flows").get_to(r.flows);
    json.at("unfinished").get_to(r.unfinished);
    json.at("packet_hops").get_to(r.packetHops);
    json.at("warm_packet_hops").get_to(r.warmPacketHops);
    json.at("events").get_to(r.events);
    json.at("pauses").get_to(r.pauses);
    json.at("buffer_drops").get_to(r.bufferDrops);
    json.at("timeouts").get_to(r.timeouts);
    json.at("set_up_seconds").get_to(r.setUpSeconds);
    json.at("run_seconds").get_to(r.runSeconds);
    json.at("run_processor_seconds").get_to(r.runProcessorSeconds);
}

const std::vector<std::string>&
HpccCases()
{
    static const std::vector<std::string> cases{"single",
                                                "dumbbell2",
                                                "incast16",
                                                "incast16pfc",
                                                "a2a16",
                                                "ring64"};
    return cases;
}

const std::vector<std::string>&
HpccControls()
{
    static const std::vector<std::string> controls{"hp", "timely", "dctcp", "dcqcn"};
    return controls;
}

RunResult
RunHpccCaseHere(const std::string& name, const std::string& control, const RunOptions& options)
{
    Time::SetResolution(options.resolution);
    GlobalValue::Bind("SimulatorImplementationType", StringValue(options.simulator));
    Config::SetDefault("ns3::RdmaSimulatorImpl::Windows", BooleanValue(options.windows));
    Config::SetDefault("ns3::RdmaSimulatorImpl::Threads", UintegerValue(options.threads));
    const auto setUp = Clock::now();
    const std::filesystem::path folder = DATA / name;
    const RdmaHpccConfig config = ReadRdmaHpccConfig(folder / ("config_" + control + ".txt"));
    const RdmaTopology topology = ReadRdmaTopology(folder / "topology.txt");
    RdmaHelper helper;
    SetUpRdmaFromHpcc(config, topology, "", options.timing, options.seed, helper);
    Ptr<RdmaNetwork> network = helper.Install(topology);
    RdmaFlowSource source(network,
                          ReadRdmaFlows(folder / "flow.txt"),
                          RdmaFlowOptionsFromHpcc(config));
    network->SetReactions(RdmaReactions::NONE);
    RunResult result;
    result.flows.reserve(source.GetCount());
    source.SetEndCallback([&result](const RdmaQueuePair& qp) {
        const RdmaFlow& flow = qp.GetFlow();
        const int64_t start = ToNs(qp.GetStartTime());
        result.flows.push_back(
            {flow.src, flow.dst, flow.bytes, start, ToNs(qp.GetEndTime()) - start});
    });
    source.Start();
    uint64_t coldHops = 0;
    Simulator::Schedule(NanoSeconds(options.warmUpNs), [&] {
        coldHops = network->GetContext().counters.packetHops;
        if (options.onWarm)
        {
            options.onWarm();
        }
    });
    Simulator::Stop(Seconds(config.simulatorStopTime));
    result.setUpSeconds = SecondsSince(setUp);
    const auto run = Clock::now();
    const std::clock_t processor = std::clock();
    Simulator::Run();
    result.runSeconds = SecondsSince(run);
    result.runProcessorSeconds = static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC;
    if (options.onEnd)
    {
        options.onEnd();
    }
    CopyCounters(*network, result);
    result.warmPacketHops = result.packetHops - coldHops;
    Simulator::Destroy();
    return result;
}

RunResult
RunHpccCase(const std::string& name, const std::string& control, const RunOptions& options)
{
    return RunApart([&]() -> nlohmann::json { return RunHpccCaseHere(name, control, options); });
}

std::vector<FlowResult>
Sorted(std::vector<FlowResult> flows)
{
    std::sort(flows.begin(), flows.end(), [](const FlowResult& a, const FlowResult& b) {
        return std::tie(a.src, a.dst, a.start, a.bytes, a.fct) <
               std::tie(b.src, b.dst, b.start, b.bytes, b.fct);
    });
    return flows;
}

std::vector<FlowResult>
ExpectedFlows(const std::string& name, const std::string& control)
{
    const nlohmann::json json = ReadJson(DATA / name / "expected.json");
    return Sorted(
        json.at(control).at("flows_src_dst_bytes_startns_fctns").get<std::vector<FlowResult>>());
}

std::vector<double>
DcqcnSeedMeans(const std::string& name)
{
    const nlohmann::json json = ReadJson(DATA / "dcqcn-seeds.json");
    std::vector<double> means;
    for (const nlohmann::json& run : json.value(name, nlohmann::json::array()))
    {
        means.push_back(run.at("mean_fct_ns"));
    }
    return means;
}

} // namespace harness
