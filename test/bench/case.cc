/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Runs one case of test/data/hpcc and says what it cost.
//
//   bench-case CASE CONTROL [simulator = ns3::RdmaSimulatorImpl [windows]]
//
// Prints one JSON object. A packet-hop is one data packet crossing one link; its acknowledgement's
// way back is included in the cost. Warm is what happens from 1 ms of simulated time on.

#include "harness/allocations.h"
#include "harness/hpcc_case.h"
#include "harness/memory.h"

#include <iostream>
#include <string>

using namespace harness;

int
main(int argc, char** argv)
{
    if (argc < 3)
    {
        std::cerr << "usage: bench-case CASE CONTROL [SIMULATOR [windows]]\n";
        return 2;
    }
    RunOptions options;
    options.simulator = argc > 3 ? argv[3] : options.simulator;
    options.windows = argc > 4 && std::string(argv[4]) == "windows";
    options.warmUpNs = 1000000;
    options.onWarm = StartCountingAllocations;
    options.onEnd = StopCountingAllocations;
    const RunResult run = RunHpccCaseHere(argv[1], argv[2], options);
    const auto hops = static_cast<double>(run.packetHops);
    const nlohmann::json result{
        {"case", argv[1]},
        {"control", argv[2]},
        {"simulator", options.simulator},
        {"windows", options.windows},
        {"packet_hops", run.packetHops},
        {"events", run.events},
        {"unfinished", run.unfinished},
        {"set_up_seconds", run.setUpSeconds},
        {"seconds", run.runSeconds},
        {"ns_per_packet_hop", run.runSeconds * 1e9 / hops},
        {"processor_ns_per_packet_hop", run.runProcessorSeconds * 1e9 / hops},
        {"warm_packet_hops", run.warmPacketHops},
        {"warm_allocations", CountedAllocations()},
        {"peak_memory_kib", PeakMemoryKib()}};
    std::cout << result.dump() << "\n";
    return 0;
}
