/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// One iteration of training a large model on a topology, twice: packet by packet, and with
// fast-forward. Prints both times of the job, the speedup, and beside it the error.
//
//   llm-training [--training=workloads/training/gpt-7b-64.json] [--topology=FILE|SPEC] [--scale=50]
//
// Without --training it is GPT-7B on 64 GPUs, as described below.

#include "ns3/core-module.h"
#include "ns3/rdma-module.h"
#include "ns3/workload-message-network.h"
#include "ns3/workload-rdma-transport.h"
#include "ns3/workload-runner.h"
#include "ns3/workload-training.h"
#include "ns3/wormhole-helper.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <sstream>
#include <tuple>
#include <vector>

using namespace ns3;

namespace
{

/** What is trained unless a file says otherwise: the same as workloads/training/gpt-7b-64.json. */
const std::string GPT_7B = R"({
  "name": "GPT-7B on 64 GPUs",
  "model": {"layers": 32, "hidden": 4096, "heads": 32, "ffn": 16384, "vocabulary": 51200,
            "sequence": 2048, "learnedPositions": 2048, "tiedEmbeddings": true,
            "bias": "all", "norm": "layer"},
  "parallelism": {"tensor": 8, "sequence": true, "data": 4, "pipeline": 2},
  "batch": {"global": 8},
  "compute": {"times": "flops", "peakFlops": 989e12, "efficiency": 0.4}
})";

/** Keeps what every message took. */
class Messages : public WorkloadTransport::Recorder
{
  public:
    void Record(const WorkloadTransferRecord& record) override
    {
        m_records.push_back(record);
    }

    /** \return ps, in an order that is the same for every run of one job */
    std::vector<int64_t> GetTimes()
    {
        const auto key = [](const WorkloadTransferRecord& r) {
            return std::make_tuple(r.transfer.src,
                                   r.transfer.dst,
                                   r.transfer.label,
                                   r.startPs,
                                   r.transfer.bytes);
        };
        std::sort(m_records.begin(), m_records.end(), [&key](const auto& a, const auto& b) {
            return key(a) < key(b);
        });
        std::vector<int64_t> times;
        for (const WorkloadTransferRecord& r : m_records)
        {
            times.push_back(r.deliveredPs - r.startPs);
        }
        return times;
    }

  private:
    std::vector<WorkloadTransferRecord> m_records;
};

/** What a run found. */
struct Outcome
{
    int64_t jobPs{0};              ///< when the last rank had finished
    std::vector<int64_t> messages; ///< ps that each took
    uint64_t hops{0};              ///< crossings of links by frames that were simulated
    double seconds{0};             ///< of the wall clock
};

/** Runs the job; the report of fast-forward is printed. */
Outcome
Run(const WorkloadTraining& training, const RdmaTopology& topology, bool fast)
{
    const auto begin = std::chrono::steady_clock::now();
    WormholeHelper wormhole;
    wormhole.Set("Enabled", BooleanValue(fast));
    wormhole.Enable();

    std::vector<uint32_t> nodes(training.GetRankCount());
    std::iota(nodes.begin(), nodes.end(), 0); // rank r on host r
    const WorkloadJobs jobs({{training.name, MakeTrainingSchedule(training), nodes}});
    const WorkloadEndpoints ends = MakeWorkloadEndpoints(topology);
    RdmaHelper rdma;
    rdma.SetCongestionControl("ns3::RdmaHpcc");
    Ptr<RdmaNetwork> network = rdma.Install(ends.topology);
    WorkloadRdmaOptions options;
    options.connections = WorkloadConnections::PERSISTENT;

    Outcome outcome;
    {
        Messages recorder;
        WorkloadRdmaTransport transport(network, ends, options);
        transport.SetRecorder(&recorder);
        WorkloadMessageNetwork messages(transport);
        WorkloadRunner runner(jobs, messages);
        if (!runner.Run())
        {
            throw InputError("the job stands still: " + runner.ExplainStall(1).front());
        }
        for (uint32_t rank = 0; rank < training.GetRankCount(); ++rank)
        {
            outcome.jobPs = std::max(outcome.jobPs, messages.GetFinish(rank));
        }
        outcome.messages = recorder.GetTimes();
    }
    outcome.hops = network->GetContext().counters.GetHops();
    WormholeHelper::PrintReport(std::cout);
    Simulator::Destroy();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    outcome.seconds = taken.count();
    return outcome;
}

/** \return how far \p found is from \p truth, in per cent of it */
double
Error(int64_t found, int64_t truth)
{
    return 100 * std::abs(static_cast<double>(found - truth) / static_cast<double>(truth));
}

void
PrintRow(const std::string& name, const Outcome& outcome)
{
    std::cout << std::left << std::setw(14) << name << std::right << std::fixed
              << std::setprecision(3) << std::setw(12) << outcome.jobPs * 1e-9 << std::setw(14)
              << outcome.hops << std::setw(14) << outcome.seconds << "\n";
}

/** Prints the speedup, and beside it the errors. */
void
PrintComparison(const Outcome& packet, const Outcome& fast)
{
    double sum = 0;
    double most = 0;
    for (size_t i = 0; i < packet.messages.size(); ++i)
    {
        const double error = Error(fast.messages.at(i), packet.messages[i]);
        sum += error;
        most = std::max(most, error);
    }
    const auto count = static_cast<double>(std::max<size_t>(packet.messages.size(), 1));
    std::cout << "              job time, ms   packet-hops  wall time, s\n";
    PrintRow("packet level", packet);
    PrintRow("fast-forward", fast);
    std::cout << std::setprecision(1) << packet.seconds / fast.seconds << " times as fast; error "
              << std::setprecision(3) << Error(fast.jobPs, packet.jobPs) << " % of the job's time, "
              << sum / count << " % of the messages' on average, " << most << " % at most\n";
}

WorkloadTraining
ReadTraining(const std::string& file, uint64_t scale)
{
    std::istringstream builtIn(GPT_7B);
    WorkloadTraining training = file.empty() ? ReadWorkloadTraining(builtIn, "the built-in job")
                                             : ReadWorkloadTraining(file);
    if (scale == 0 || scale > 1000000000)
    {
        throw InputError("--scale is " + std::to_string(scale) + ", but must be 1 to 1000000000");
    }
    training.scale.bytes *= scale;
    return training;
}

} // namespace

int
main(int argc, char** argv)
{
    Time::SetResolution(Time::PS); // before anything else: link speeds of 400 Gb/s need it
    std::string file;
    std::string where = "rail-optimized:gpus=64,rate=100Gbps";
    uint64_t scale = 50;
    CommandLine command(__FILE__);
    command.AddValue("training", "JSON description of the job; GPT-7B on 64 GPUs without", file);
    command.AddValue("topology", "topology file or specification", where);
    command.AddValue("scale", "divides the size of every message", scale);
    command.Parse(argc, argv);
    try
    {
        const WorkloadTraining training = ReadTraining(file, scale);
        const RdmaTopology topology = LoadRdmaTopology(where);
        std::cout << training.name << ", sizes / " << training.scale.bytes << ", " << where << "\n";
        const Outcome packet = Run(training, topology, false);
        const Outcome fast = Run(training, topology, true);
        PrintComparison(packet, fast);
    }
    catch (const InputError& error)
    {
        std::cerr << "llm-training: " << error.what() << "\n";
        return 2;
    }
    return 0;
}
