/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/on_packets.h"

#include "harness/apart.h"

#include "ns3/global-value.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

using namespace ns3;
using nlohmann::json;

namespace transport_test
{

json
OnPackets(const RdmaTopology& topology,
          const Work& work,
          const char* simulator,
          const WorkloadRdmaOptions& options,
          bool nvSwitches,
          const std::function<void(RdmaHelper&)>& setup)
{
    return harness::RunApart([&]() {
        Time::SetResolution(Time::PS);
        GlobalValue::Bind("SimulatorImplementationType", StringValue(simulator));
        RdmaHelper helper;
        if (setup)
        {
            setup(helper);
        }
        const WorkloadEndpoints ends = MakeWorkloadEndpoints(topology, nvSwitches);
        const Ptr<RdmaNetwork> network = helper.Install(ends.topology);
        json result;
        {
            WorkloadRdmaTransport transport(network, ends, options);
            result = work(transport, *network);
        }
        Simulator::Destroy();
        return result;
    });
}

} // namespace transport_test
