/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-simai-monitors.h"

#include "rdma-simai-flow-monitors.h"
#include "rdma-simai-port-monitors.h"

#include "ns3/simulator.h"

#include <limits>

namespace ns3
{

namespace
{

constexpr int64_t NS_PER_US = 1000;

RdmaSamplingTimes
TimesOf(const RdmaHpccConfig& config, uint64_t intervalUs)
{
    RdmaSamplingTimes times;
    times.startNs = static_cast<int64_t>(config.monStart.value_or(0)) * NS_PER_US;
    times.endNs = config.monEnd ? static_cast<int64_t>(*config.monEnd) * NS_PER_US
                                : std::numeric_limits<int64_t>::max();
    times.intervalNs = static_cast<int64_t>(intervalUs) * NS_PER_US;
    return times;
}

} // namespace

RdmaSimAiMonitors::RdmaSimAiMonitors(Ptr<RdmaNetwork> network, const RdmaHpccConfig& config)
{
    if (config.qlenMonInterval)
    {
        m_monitors.push_back(
            std::make_unique<RdmaQueueLengthMonitor>(*network,
                                                     config.qlenMonFile,
                                                     TimesOf(config, *config.qlenMonInterval)));
    }
    if (config.bwMonInterval)
    {
        m_monitors.push_back(
            std::make_unique<RdmaBandwidthMonitor>(*network,
                                                   config.bwMonFile,
                                                   TimesOf(config, *config.bwMonInterval)));
    }
    if (!config.rateMonFile.empty())
    {
        m_monitors.push_back(
            std::make_unique<RdmaRateMonitor>(*network,
                                              config.rateMonFile,
                                              TimesOf(config, config.qpMonInterval.value())));
    }
    if (!config.cnpMonFile.empty())
    {
        m_monitors.push_back(
            std::make_unique<RdmaCnpMonitor>(*network,
                                             config.cnpMonFile,
                                             TimesOf(config, config.qpMonInterval.value())));
    }
}

RdmaSimAiMonitors::~RdmaSimAiMonitors() = default;

std::vector<LineFile*>
RdmaSimAiMonitors::GetFiles() const
{
    std::vector<LineFile*> files;
    for (const std::unique_ptr<RdmaSimAiMonitor>& monitor : m_monitors)
    {
        files.push_back(&monitor->GetFile());
    }
    return files;
}

void
RdmaSimAiMonitors::Finish()
{
    const int64_t now = Simulator::Now().GetNanoSeconds();
    for (const std::unique_ptr<RdmaSimAiMonitor>& monitor : m_monitors)
    {
        monitor->Finish(now);
    }
}

} // namespace ns3
