/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flow-list.h"

#include "ns3/rdma-drain.h"
#include "ns3/rdma-fct-writer.h"
#include "ns3/rdma-flow-source.h"
#include "ns3/rdma-stall-watch.h"
#include "ns3/rdma-standalone.h"
#include "ns3/simulator.h"
#include "ns3/workload-units.h"

#include <algorithm>

namespace wormhole
{

namespace
{

class PacketFlowList final : public FlowList
{
  public:
    PacketFlowList(const RunPlan& plan,
                   const ns3::Ptr<ns3::RdmaNetwork>& network,
                   std::function<void(const ns3::RdmaQueuePair&, uint32_t)> ended,
                   std::function<int64_t()> monitorsLeftNs)
        : FlowList(plan),
          m_network(network),
          m_ended(std::move(ended)),
          m_source(network, plan.flows, plan.flowOptions),
          m_drain(network->GetContext(), [left = std::move(monitorsLeftNs)]() {
              ns3::Simulator::Stop(ns3::NanoSeconds(std::max<int64_t>(left(), 0)));
          })
    {
        m_network->SetReactions(ns3::RdmaReactions::NONE);
        m_source.SetEndCallback([this](const ns3::RdmaQueuePair& qp) { FlowEnded(qp); });
    }

    void Begin() override
    {
        m_source.Start();
    }

    void Run(const std::function<void()>&) override
    {
        if (m_plan.flows.empty())
        {
            m_drain.Begin();
        }
        ns3::Simulator::Run();
        if (m_network->GetContext().eventQueue->HasReachedEnd() &&
            !ns3::RdmaStallWatch::IsStalled(*m_network))
        {
            FailLate();
        }
    }

    void Stop() override
    {
        ns3::Simulator::Stop();
    }

    double GetNowSeconds() const override
    {
        return ns3::Simulator::Now().GetSeconds();
    }

    uint64_t GetEventCount() const override
    {
        return m_network->GetContext().eventQueue->GetEventCount();
    }

    void Report(RunResult& result) override
    {
        FlowList::Report(result);
        result.largestRttNs = m_source.GetLargestRttNs();
        result.largestBdp = m_source.GetLargestBdp();
    }

  private:
    void FlowEnded(const ns3::RdmaQueuePair& qp)
    {
        m_ended(qp, m_plan.flows[qp.GetId()].kind); // flows start in this order
        m_results.lastEndNs = m_network->GetContext().NowNs();
        if (qp.GetState() == ns3::RdmaFlowState::COMPLETED)
        {
            const uint64_t fct = ns3::RdmaFctNs(*m_network, qp);
            const uint64_t alone = ns3::RdmaStandaloneNs(qp);
            m_results.fctNs.push_back(fct);
            m_results.slowdowns.push_back(
                alone ? static_cast<double>(fct) / static_cast<double>(alone) : 1);
        }
        else
        {
            m_results.unfinished.push_back(Begun(qp, true));
        }
        if (m_results.CountEnded() == m_results.count)
        {
            m_drain.Begin();
        }
    }

    /** \return a flow that has begun, as one that did not complete */
    UnfinishedFlow Begun(const ns3::RdmaQueuePair& qp, bool failed) const
    {
        const ns3::RdmaFlow& flow = qp.GetFlow();
        const double start = ns3::TimeStep(static_cast<uint64_t>(qp.GetStartTime())).GetSeconds();
        return {flow.src, flow.dst, flow.bytes, start, failed, m_network->Explain(qp)};
    }

    std::vector<UnfinishedFlow> ListUnfinished() const override
    {
        std::vector<UnfinishedFlow> list = m_results.unfinished;
        for (const ns3::RdmaQueuePair* qp : m_network->GetUnfinishedFlows())
        {
            list.push_back(Begun(*qp, false));
        }
        for (size_t i = m_source.GetStarted(); i < m_plan.flows.size(); ++i)
        {
            list.push_back(Unfinished(m_plan.flows[i], false, NotBegun(m_plan.flows[i])));
        }
        return list;
    }

    /** Of what is under way, the largest flow takes longest, most likely. */
    [[noreturn]] void FailLate() const
    {
        uint64_t bytes = 0;
        for (const ns3::RdmaQueuePair* qp : m_network->GetUnfinishedFlows())
        {
            bytes = std::max(bytes, qp->GetFlow().bytes);
        }
        size_t flow = 0;
        while (flow + 1 < m_source.GetStarted() && m_plan.flows[flow].bytes != bytes)
        {
            ++flow;
        }
        ns3::FailWorkloadLate(DescribeFlow(m_plan, flow));
    }

    ns3::Ptr<ns3::RdmaNetwork> m_network;
    std::function<void(const ns3::RdmaQueuePair&, uint32_t)> m_ended;
    ns3::RdmaFlowSource m_source;
    ns3::RdmaDrain m_drain;
};

} // namespace

std::unique_ptr<Program>
MakePacketFlowList(const RunPlan& plan,
                   const ns3::Ptr<ns3::RdmaNetwork>& network,
                   std::function<void(const ns3::RdmaQueuePair&, uint32_t)> ended,
                   std::function<int64_t()> monitorsLeftNs)
{
    return std::make_unique<PacketFlowList>(plan,
                                            network,
                                            std::move(ended),
                                            std::move(monitorsLeftNs));
}

} // namespace wormhole
