/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "recorders.h"

#include "plan/run-limits.h"
#include "result/table-parts.h"

#include "ns3/input-error.h"

#include <algorithm>

namespace wormhole
{

namespace
{

/** Runs \p step; its failure is one of writing. */
template <typename Step>
void
Guard(Step step)
{
    try
    {
        step();
    }
    catch (const ns3::InputError& error)
    {
        throw ns3::OutputError(error.what());
    }
}

int64_t
EarlierNs(uint64_t ns, const RunPlan& plan)
{
    const double limit = plan.stopNs > 0 ? plan.stopNs : MAX_NS;
    return static_cast<int64_t>(std::min(static_cast<double>(ns), limit));
}

} // namespace

Recorders::Recorders(const RunPlan& plan, ns3::Ptr<ns3::RdmaNetwork> network)
    : m_network(network),
      m_fct(network, plan.outputs.fct),
      m_pfc(network, plan.topology, plan.outputs.pfc),
      m_links(MakeLinkLoads(plan.topology, plan.outputs.links))
{
    if (!plan.outputs.rtts.empty())
    {
        m_rtts = std::make_unique<RttRecorder>(network, plan.outputs.rtts);
    }
    if (plan.record.IsOn())
    {
        m_record = std::make_unique<RecordedNetwork>(plan, network);
    }
    Guard([&]() {
        StartMonitors(plan, network);
        StartCapture(plan, network);
    });
    SetLimits(plan.outputs.limit);
}

void
Recorders::SetLimits(uint64_t bytes)
{
    m_limited = {&m_pfc.GetFile()};
    const auto add = [this](auto& recorder) {
        if (recorder)
        {
            m_limited.push_back(&recorder->GetFile());
        }
    };
    add(m_rtts);
    add(m_trace);
    add(m_queues);
    for (ns3::LineFile* file : m_simai ? m_simai->GetFiles() : std::vector<ns3::LineFile*>())
    {
        m_limited.push_back(file);
    }
    for (ns3::LineFile* file : m_limited)
    {
        file->SetLimit(bytes);
    }
    if (m_capture)
    {
        m_capture->SetLimit(bytes);
    }
}

std::vector<CutFile>
Recorders::ListCut() const
{
    std::vector<CutFile> list;
    for (const ns3::LineFile* file : m_limited)
    {
        if (file->GetLeftOut() > 0)
        {
            list.push_back({file->GetPath(), file->GetLeftOut()});
        }
    }
    if (m_capture)
    {
        for (const auto& [path, bytes] : m_capture->ListLeftOut())
        {
            list.push_back({path, bytes});
        }
    }
    return list;
}

void
Recorders::FlowEnded(const ns3::RdmaQueuePair& qp, uint32_t kind)
{
    m_fct.Write(qp);
    if (m_record)
    {
        m_record->FlowEnded(qp, kind);
    }
    if (m_links && qp.GetState() == ns3::RdmaFlowState::COMPLETED)
    {
        const auto steps =
            static_cast<double>(std::max<int64_t>(m_network->GetContext().clock.StepsPerNs(), 1));
        for (const ns3::RdmaPort* port : qp.GetDataRoute())
        {
            m_links->Add(port->GetPortId(),
                         qp.GetFlow().bytes,
                         static_cast<double>(qp.GetStartTime()) / steps,
                         static_cast<double>(qp.GetEndTime()) / steps);
        }
    }
}

void
Recorders::StartMonitors(const RunPlan& plan, ns3::Ptr<ns3::RdmaNetwork> network)
{
    if (!plan.config)
    {
        return;
    }
    const ns3::RdmaHpccConfig& config = *plan.config;
    if (config.enableTrace)
    {
        m_trace = std::make_unique<ns3::RdmaBinaryTrace>(network,
                                                         config.traceOutputFile,
                                                         plan.traceNodes);
    }
    if (config.Flavour() == ns3::RdmaHpccFlavour::SIMAI)
    {
        m_simai = std::make_unique<ns3::RdmaSimAiMonitors>(network, config);
        m_endNs = config.monEnd ? EarlierNs(*config.monEnd * 1000, plan) : 0;
    }
    else if (!config.qlenMonFile.empty())
    {
        m_queues = std::make_unique<ns3::RdmaQueueMonitor>(
            network,
            config.qlenMonFile,
            static_cast<int64_t>(config.qlenMonStart.value_or(0)),
            static_cast<int64_t>(config.qlenMonEnd.value_or(0)));
        const bool reached =
            plan.stopNs <= 0 || static_cast<double>(*config.qlenMonStart) < plan.stopNs;
        m_endNs = reached ? EarlierNs(*config.qlenMonEnd, plan) : 0;
    }
}

void
Recorders::StartCapture(const RunPlan& plan, ns3::Ptr<ns3::RdmaNetwork> network)
{
    if (plan.outputs.capture.empty())
    {
        return;
    }
    m_capture = std::make_unique<ns3::RdmaPcap>(network, plan.outputs.capture);
    for (uint32_t node : plan.captureNodes)
    {
        m_capture->CaptureNode(node);
    }
}

std::vector<std::string>
Recorders::Flush()
{
    std::vector<std::string> complaints;
    for (ns3::LineFile* file : {&m_fct.GetFile(), &m_pfc.GetFile()})
    {
        if (!file->Flush() && !m_warned)
        {
            m_warned = true;
            complaints.push_back(CannotWriteText(*file));
        }
    }
    const std::vector<CutFile> cut = ListCut();
    if (cut.size() > m_cutTold)
    {
        m_cutTold = cut.size();
        complaints.push_back(CutText(cut));
    }
    return complaints;
}

void
Recorders::Finish()
{
    const auto finish = [](auto& recorder) {
        return [&recorder]() { recorder ? Guard([&]() { recorder->Finish(); }) : void(); };
    };
    FinishEach({[this]() { m_fct.GetFile().Close(); },
                [this]() { m_pfc.GetFile().Close(); },
                finish(m_links),
                finish(m_rtts),
                finish(m_record),
                finish(m_trace),
                finish(m_queues),
                finish(m_simai),
                finish(m_capture)});
}

} // namespace wormhole
