/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The least front end: a simulator of its own above our network. Four ranks pass 1 MB around a
// ring, three times, and each computes for 5 us on what it has got.

#include "ns3/core-module.h"
#include "ns3/rdma-helper.h"
#include "ns3/rdma-topology-generator.h"
#include "ns3/workload-front-end.h"
#include "ns3/workload-rdma-transport.h"

#include <iostream>

using namespace ns3;

namespace
{

constexpr uint32_t RANKS = 4;
constexpr uint64_t BYTES = 1000000;

/** One rank: it posts its operations in the actions that it is called back with. */
struct Rank
{
    void Step()
    {
        network.Receive({(id + RANKS - 1) % RANKS, id, round}, BYTES, [this] {
            network.Schedule(id, 5000, [this] { ++round < 3 ? Step() : network.Finish(id); });
        });
        network.Send({id, (id + 1) % RANKS, round}, BYTES);
    }

    WorkloadFrontEnd& network;
    uint32_t id;
    uint64_t round{0}; ///< the tag of its messages
};

} // namespace

int
main()
{
    Time::SetResolution(Time::PS); // before anything else: link speeds of 400 Gb/s need it
    const WorkloadEndpoints ends =
        MakeWorkloadEndpoints(GenerateRdmaTopology("star:hosts=4,rate=100Gbps,delay=1us"));
    RdmaHelper rdma;
    Ptr<RdmaNetwork> packets = rdma.Install(ends.topology);
    bool done = false;
    {
        WorkloadRdmaTransport transport(packets, ends);
        WorkloadFrontEndOptions options;
        options.ranks = RANKS;
        WorkloadFrontEnd network(transport, options);
        std::vector<Rank> ranks;
        for (uint32_t id = 0; id < RANKS; ++id)
        {
            ranks.push_back({network, id});
        }
        for (Rank& rank : ranks)
        {
            network.Schedule(rank.id, 0, [&rank] { rank.Step(); });
        }
        done = network.Run();
        for (const std::string& line : network.ExplainStall(10))
        {
            std::cerr << line << "\n";
        }
        std::cout << "rank 0 finished at " << PicoSeconds(network.GetFinishPs(0)).As(Time::US)
                  << "\n";
    }
    Simulator::Destroy();
    return done ? 0 : 1;
}
