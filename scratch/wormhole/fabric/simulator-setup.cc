/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-setup.h"

#include "plugin/plugins.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/nstime.h"
#include "ns3/rdma-simulator-impl.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <sys/resource.h>

namespace wormhole
{

void
SetUpSimulator(const RunOptions& options, double stopNs)
{
    ns3::Config::SetDefault("ns3::RdmaSimulatorImpl::Threads",
                            ns3::UintegerValue(options.GetThreads()));
    ns3::Config::SetDefault("ns3::RdmaSimulatorImpl::EventLog", ns3::StringValue(options.eventLog));
    ns3::Config::SetDefault("ns3::RdmaSimulatorImpl::EventTwin",
                            ns3::StringValue(options.eventTwin));
    if (!options.eventLog.empty())
    {
        ns3::Config::SetDefault("ns3::RdmaSimulatorImpl::Windows", ns3::BooleanValue(false));
    }
    if (options.mode == RunMode::FAST)
    {
        EnableFastForward(options.fast, CodeOfPlugins(options.plugins));
    }
    else
    {
        ns3::GlobalValue::Bind("SimulatorImplementationType",
                               ns3::StringValue(SimulatorName(options)));
    }
    if (options.ranks)
    {
        ns3::DynamicCast<ns3::RdmaSimulatorImpl>(ns3::Simulator::GetImplementation())
            ->SetRanks(*options.ranks);
    }
    if (stopNs > 0)
    {
        // before all else, so that nothing of that instant happens, whatever the implementation
        ns3::Simulator::Stop(ns3::PicoSeconds(static_cast<uint64_t>(std::llround(stopNs * 1000))));
    }
}

std::string
SimulatorName(const RunOptions& options)
{
    return options.mode == RunMode::FAST ? "ns3::WormholeSimulatorImpl"
           : !HasPackets(options.mode)   ? ""
           : options.native              ? "ns3::RdmaSimulatorImpl"
                                         : "ns3::DefaultSimulatorImpl";
}

uint64_t
PeakMemoryKib()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<uint64_t>(usage.ru_maxrss);
}

} // namespace wormhole
