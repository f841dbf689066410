/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The least that a workload needs: a topology, a schedule, a transport, and a runner. Eight ranks
// compute for 100 us and then reduce 8 MB in a ring.

#include "ns3/core-module.h"
#include "ns3/rdma-helper.h"
#include "ns3/rdma-topology-generator.h"
#include "ns3/workload-collective.h"
#include "ns3/workload-message-network.h"
#include "ns3/workload-rdma-transport.h"
#include "ns3/workload-runner.h"

#include <iostream>
#include <numeric>

using namespace ns3;

int
main()
{
    Time::SetResolution(Time::PS); // before anything else: link speeds of 400 Gb/s need it
    constexpr uint32_t RANKS = 8;

    WorkloadScheduleBuilder builder(RANKS);
    std::vector<uint32_t> members(RANKS);
    std::iota(members.begin(), members.end(), 0);
    std::vector<uint32_t> computed(RANKS);
    for (uint32_t rank : members)
    {
        computed[rank] = builder.Calc(rank, 100000); // ns
    }
    WorkloadCollective collective;
    collective.kind = WorkloadCollectiveKind::ALL_REDUCE;
    collective.algorithm = WorkloadCollectiveAlgorithm::RING;
    collective.bytes = 8000000;
    AddWorkloadCollective(builder, members, collective, computed);
    const WorkloadJobs jobs({{"ring", builder.Build(), members}}); // rank r on host r

    const WorkloadEndpoints ends =
        MakeWorkloadEndpoints(GenerateRdmaTopology("star:hosts=8,rate=100Gbps,delay=1us"));
    RdmaHelper rdma;
    rdma.SetCongestionControl("ns3::RdmaHpcc");
    Ptr<RdmaNetwork> network = rdma.Install(ends.topology);
    bool done = false;
    {
        WorkloadRdmaTransport transport(network, ends);
        WorkloadMessageNetwork messages(transport);
        WorkloadRunner runner(jobs, messages);
        done = runner.Run();
        for (uint32_t rank = 0; rank < RANKS; ++rank)
        {
            std::cout << "rank " << rank << " finished at "
                      << PicoSeconds(messages.GetFinish(rank)).As(Time::US) << "\n";
        }
    }
    Simulator::Destroy();
    return done ? 0 : 1;
}
