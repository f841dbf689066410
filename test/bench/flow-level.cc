/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What the flow level costs on 1,024 hosts of a leaf-spine network.
//
//   bench-flow-level [thousand flows = 300]
//
// Prints one JSON object: per pattern the flows, the seconds, and how many rates were worked out
// per flow.
//   random      each host sends to a random other one, one flow after the other
//   ring        each host sends to the next, step after step, all steps of one size
//   groups      rings of 16 hosts across leaves, of different sizes
//   all-to-all  everyone to everyone at once, as many hosts as give about that many flows

#include "harness/memory.h"
#include "harness/transfers.h"

#include "ns3/rdma-topology-generator.h"
#include "ns3/workload-flow-transport.h"

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>

using namespace ns3;
using namespace harness;
using nlohmann::json;

namespace
{

constexpr uint32_t HOSTS = 1024;

/** Starts a host's next flow when its last one is acknowledged. */
class Driver : public WorkloadTransport::Client
{
  public:
    /** What a host sends next. */
    using Next = std::function<WorkloadTransfer(uint32_t host, uint64_t step)>;

    Driver(WorkloadTransport& transport, uint64_t steps, Next next)
        : m_transport(transport),
          m_steps(HOSTS, steps),
          m_next(std::move(next))
    {
        transport.SetClient(*this);
        for (uint32_t host = 0; host < HOSTS; ++host)
        {
            Start(host);
        }
    }

    void Delivered(uint64_t) override
    {
        ++delivered;
    }

    void Acknowledged(uint64_t id) override
    {
        Start(static_cast<uint32_t>(id));
    }

    void Due(uint64_t) override
    {
    }

    void Failed(uint64_t, const std::string&) override
    {
    }

    uint64_t delivered{0};

  private:
    void Start(uint32_t host)
    {
        if (m_steps[host])
        {
            m_transport.Start(m_next(host, --m_steps[host]), host);
        }
    }

    WorkloadTransport& m_transport;
    std::vector<uint64_t> m_steps; //!< left, of each host
    Next m_next;
};

json
Measure(const RdmaTopology& topology, const std::function<uint64_t(WorkloadFlowTransport&)>& work)
{
    WorkloadFlowTransport transport(topology);
    const auto begin = std::chrono::steady_clock::now();
    const uint64_t flows = work(transport);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    return {{"flows", flows},
            {"seconds", took.count()},
            {"us_per_flow", took.count() * 1e6 / static_cast<double>(flows)},
            {"rates_per_flow",
             static_cast<double>(transport.GetRateUpdates()) / static_cast<double>(flows)},
            {"events", transport.GetEventCount()},
            {"simulated_ms", static_cast<double>(transport.Now()) / 1e9},
            {"peak_memory_kib", PeakMemoryKib()}};
}

json
MeasureSteps(const RdmaTopology& topology, uint64_t flows, const Driver::Next& next)
{
    return Measure(topology, [&](WorkloadFlowTransport& transport) {
        const Driver driver(transport, flows / HOSTS, next);
        transport.Run();
        return driver.delivered;
    });
}

json
MeasureAllToAll(const RdmaTopology& topology, uint64_t flows)
{
    const auto hosts =
        std::min(HOSTS, static_cast<uint32_t>(std::sqrt(static_cast<double>(flows))) + 1);
    return Measure(topology, [&](WorkloadFlowTransport& transport) {
        Driver driver(transport, 0, {});
        for (uint32_t src = 0; src < hosts; ++src)
        {
            for (uint32_t dst = 0; dst < hosts; ++dst)
            {
                if (src != dst)
                {
                    transport.Start({src, dst, 100000, 0}, src);
                }
            }
        }
        transport.Run();
        return driver.delivered;
    });
}

} // namespace

int
main(int argc, char** argv)
{
    const uint64_t flows =
        1000 * static_cast<uint64_t>(argc > 1 ? std::max(2, std::atoi(argv[1])) : 300);
    const RdmaTopology topology =
        GenerateRdmaTopology("leaf-spine:leaves=32,spines=32,hosts-per-leaf=32");
    Draw draw(1);
    json result{{"hosts", HOSTS}};
    result["random"] = MeasureSteps(topology, flows, [&](uint32_t host, uint64_t) {
        const auto to = static_cast<uint32_t>((host + 1 + draw.Below(HOSTS - 1)) % HOSTS);
        return WorkloadTransfer{host, to, 10000 + draw.Below(1000000), 0};
    });
    result["ring"] = MeasureSteps(topology, flows, [](uint32_t host, uint64_t) {
        return WorkloadTransfer{host, (host + 1) % HOSTS, 1000000, 0};
    });
    result["groups"] = MeasureSteps(topology, flows, [](uint32_t host, uint64_t) {
        // members of a group are 64 hosts apart
        return WorkloadTransfer{host, (host + 64) % HOSTS, 500000 + 1000 * (host % 64), 0};
    });
    result["all-to-all"] = MeasureAllToAll(topology, flows);
    std::cout << result.dump(1) << "\n";
    return 0;
}
