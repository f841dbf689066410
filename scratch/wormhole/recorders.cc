/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "recorders.h"

#include "ns3/rdma-input-error.h"

#include <iostream>

namespace wormhole
{

namespace
{

/** What no recorder exists for is refused, not left out. */
void
RejectMissing(const RunPlan& plan)
{
    if (!plan.outputs.capture.empty())
    {
        throw ns3::RdmaInputError("--pcap: this build cannot capture");
    }
    if (!plan.config)
    {
        return;
    }
    const ns3::RdmaHpccConfig& config = *plan.config;
    const bool late = config.qlenMonStart && plan.stopNs > 0 &&
                      static_cast<double>(*config.qlenMonStart) > plan.stopNs;
    if (config.enableTrace || (!config.qlenMonFile.empty() && !late) ||
        config.Flavour() == ns3::RdmaHpccFlavour::SIMAI)
    {
        throw ns3::RdmaInputError(config.file, 0, "this build has no packet trace and no monitors");
    }
}

} // namespace

Recorders::Recorders(const RunPlan& plan, ns3::Ptr<ns3::RdmaNetwork> network)
    : m_fct(network, plan.outputs.fct),
      m_pfc(network, plan.topology, plan.outputs.pfc)
{
    RejectMissing(plan);
}

void
Recorders::Flush()
{
    for (ns3::RdmaLineFile* file : {&m_fct.GetFile(), &m_pfc.GetFile()})
    {
        if (!file->Flush() && !m_warned)
        {
            m_warned = true;
            std::cerr << "wormhole: " << file->GetPath() << ": cannot be written now ("
                      << file->GetError() << "); results are kept in memory meanwhile" << std::endl;
        }
    }
}

void
Recorders::Finish()
{
    std::string failure;
    for (ns3::RdmaLineFile* file : {&m_fct.GetFile(), &m_pfc.GetFile()})
    {
        try
        {
            file->Close();
        }
        catch (const ns3::RdmaOutputError& error)
        {
            failure = failure.empty() ? error.what() : failure;
        }
    }
    if (!failure.empty())
    {
        throw ns3::RdmaOutputError(failure);
    }
}

} // namespace wormhole
