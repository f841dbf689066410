/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Uses the installed modules: four ranks reduce 32 MB in a ring, twice, under fast-forward. All
// headers are included, for each must find those that it includes itself.

#include "ns3/core-module.h"
#include "ns3/rdma-module.h"
#include "ns3/workload-module.h"
#include "ns3/wormhole-module.h"

#include <iostream>

using namespace ns3;

int
main()
{
    Time::SetResolution(Time::PS);
    WormholeHelper wormhole;
    wormhole.Enable();

    const std::vector<uint32_t> members{0, 1, 2, 3};
    WorkloadScheduleBuilder builder(4);
    WorkloadCollective collective;
    collective.kind = WorkloadCollectiveKind::ALL_REDUCE;
    collective.algorithm = WorkloadCollectiveAlgorithm::RING;
    collective.bytes = 32000000;
    const WorkloadCollectiveEnds first = AddWorkloadCollective(builder, members, collective, {});
    AddWorkloadCollective(builder, members, collective, first.end);
    const WorkloadJobs jobs({{"ring", builder.Build(), members}});

    const WorkloadEndpoints ends =
        MakeWorkloadEndpoints(GenerateRdmaTopology("star:hosts=4,rate=100Gbps,delay=1us"));
    RdmaHelper rdma;
    rdma.SetCongestionControl("ns3::RdmaHpcc");
    Ptr<RdmaNetwork> network = rdma.Install(ends.topology);
    bool done = false;
    {
        WorkloadRdmaTransport transport(network, ends);
        WorkloadMessageNetwork messages(transport);
        WorkloadRunner runner(jobs, messages);
        done = runner.Run();
    }
    const auto events = WormholeHelper::GetReport()["events"];
    Simulator::Destroy();
    std::cout << (done ? "completed" : "not completed") << ", fast-forward left out "
              << events["skipped"].get<uint64_t>() + events["replayed"].get<uint64_t>()
              << " crossings\n";
    return done ? 0 : 1;
}
