/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flow-list.h"
#include "terminal/units.h"

#include "ns3/workload-endpoints.h"

namespace wormhole
{

namespace
{

class FluidFlowList final : public FlowList, private ns3::WorkloadTransport::Client
{
  public:
    FluidFlowList(const RunPlan& plan,
                  ns3::WorkloadTransport& transport,
                  std::function<void(const ns3::WorkloadFlowEnd&)>& onEnd)
        : FlowList(plan),
          m_transport(transport),
          m_endpoints(plan.topology.nodes.size()),
          m_standings(plan.flows.size())
    {
        const std::vector<uint32_t> nodes = ns3::MakeWorkloadEndpoints(plan.topology).nodes;
        for (uint32_t endpoint = 0; endpoint < nodes.size(); ++endpoint)
        {
            m_endpoints[nodes[endpoint]] = endpoint;
        }
        transport.SetClient(*this);
        onEnd = [this](const ns3::WorkloadFlowEnd& end) {
            m_results.slowdowns.push_back(static_cast<double>(end.endPs - end.startPs) /
                                          static_cast<double>(end.alonePs));
        };
        for (size_t flow = 0; flow < plan.flows.size(); ++flow)
        {
            transport.Schedule(plan.flows[flow].start.GetPicoSeconds(), flow);
        }
    }

    void Run(const std::function<void()>& pulse) override
    {
        m_transport.SetPulse(pulse);
        m_transport.Run();
    }

    void Stop() override
    {
        m_transport.Stop();
    }

    double GetNowSeconds() const override
    {
        return static_cast<double>(m_transport.Now()) * 1e-12;
    }

    uint64_t GetEventCount() const override
    {
        return m_transport.GetEventCount();
    }

    std::vector<std::string> Explain(size_t most) const override
    {
        std::vector<std::string> lines;
        for (size_t i = 0; i < m_standings.size() && lines.size() < most; ++i)
        {
            if (m_standings[i].started && !m_standings[i].ended)
            {
                const ns3::RdmaFlowSpec& flow = m_plan.flows[i];
                lines.push_back("flow from " + std::to_string(flow.src) + " to " +
                                std::to_string(flow.dst) + ": " + m_transport.Explain(i));
            }
        }
        return lines;
    }

  private:
    /** How a flow stands. */
    struct Standing
    {
        bool started{false};
        bool ended{false};
        std::string failure; //!< empty if it has not failed
    };

    void Due(uint64_t timer) override
    {
        const ns3::RdmaFlowSpec& flow = m_plan.flows[timer];
        m_standings[timer].started = true;
        ns3::WorkloadTransfer transfer;
        transfer.src = m_endpoints[flow.src];
        transfer.dst = m_endpoints[flow.dst];
        transfer.bytes = flow.bytes;
        transfer.dport = flow.dport;
        transfer.label = flow.kind;
        m_transport.Start(transfer, timer);
    }

    void Delivered(uint64_t) override
    {
    }

    void Acknowledged(uint64_t id) override
    {
        m_standings[id].ended = true;
        m_results.lastEndNs = m_transport.Now() / PS_PER_NS;
        const int64_t startPs = m_plan.flows[id].start.GetPicoSeconds();
        m_results.fctNs.push_back(static_cast<uint64_t>((m_transport.Now() - startPs) / PS_PER_NS));
    }

    void Failed(uint64_t id, const std::string& reason) override
    {
        m_standings[id].ended = true;
        m_standings[id].failure = reason;
    }

    std::string DescribeTransfer(uint64_t id) const override
    {
        return DescribeFlow(m_plan, id);
    }

    std::string DescribeTimer(uint64_t timer) const override
    {
        return DescribeFlow(m_plan, timer);
    }

    std::vector<UnfinishedFlow> ListUnfinished() const override
    {
        std::vector<UnfinishedFlow> list;
        for (size_t i = 0; i < m_standings.size(); ++i)
        {
            const Standing& standing = m_standings[i];
            const ns3::RdmaFlowSpec& flow = m_plan.flows[i];
            if (!standing.ended || !standing.failure.empty())
            {
                list.push_back(Unfinished(flow,
                                          standing.ended,
                                          standing.ended     ? standing.failure
                                          : standing.started ? m_transport.Explain(i)
                                                             : NotBegun(flow)));
            }
        }
        return list;
    }

    ns3::WorkloadTransport& m_transport;
    std::vector<uint32_t> m_endpoints; //!< of the transport, by node
    std::vector<Standing> m_standings; //!< by flow
};

} // namespace

std::unique_ptr<Program>
MakeFluidFlowList(const RunPlan& plan,
                  ns3::WorkloadTransport& transport,
                  std::function<void(const ns3::WorkloadFlowEnd&)>& onEnd)
{
    return std::make_unique<FluidFlowList>(plan, transport, onEnd);
}

} // namespace wormhole
