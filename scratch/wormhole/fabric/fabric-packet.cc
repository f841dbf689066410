/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fabric.h"
#include "flow-list.h"
#include "network-attributes.h"
#include "packet-results.h"
#include "record/recorders.h"
#include "simulator-setup.h"
#include "terminal/packet-progress.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/rdma-deadlock-warnings.h"
#include "ns3/rdma-event-twin.h"
#include "ns3/rdma-link-schedule.h"
#include "ns3/rdma-loss-warnings.h"
#include "ns3/rdma-ranks.h"
#include "ns3/rdma-simulator-impl.h"
#include "ns3/rdma-stall-watch.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/workload-endpoints.h"
#include "ns3/workload-rdma-repeater.h"
#include "ns3/workload-rdma-transport.h"
#include "ns3/wormhole-helper.h"

#include <algorithm>

namespace wormhole
{

namespace
{

ns3::WorkloadRdmaOptions
TransportOptions(const RunPlan& plan, ns3::WorkloadConnections connections)
{
    ns3::WorkloadRdmaOptions options;
    const bool window = plan.flowOptions.HasWindow(options.priority);
    options.window = !window                    ? ns3::WorkloadWindow::NONE
                     : plan.flowOptions.largest ? ns3::WorkloadWindow::LARGEST
                                                : ns3::WorkloadWindow::PAIR;
    // a link that comes back may give the route
    for (const ns3::RdmaLinkEvent& event : plan.events)
    {
        options.waitForRoute |= event.up;
    }
    options.connections = connections;
    return options;
}

/** \return what leaves out collectives that are known; null if nothing may */
std::unique_ptr<ns3::WorkloadRepeater>
MakeRepeater(const RunPlan& plan, const RunOptions& options, ns3::WorkloadRdmaTransport& transport)
{
    const ns3::Ptr<ns3::SimulatorImpl> simulator = ns3::Simulator::GetImplementation();
    const auto isOn = [&simulator](const char* attribute) {
        ns3::BooleanValue value;
        simulator->GetAttribute(attribute, value);
        return value.Get();
    };
    // Of what was not simulated there is nothing to be recorded.
    if (options.mode != RunMode::FAST || !isOn("Enabled") || !isOn("Memo") ||
        !isOn("Collectives") || !plan.events.empty() || plan.record.IsOn() ||
        transport.GetNetwork().WhyEveryPacket())
    {
        return nullptr;
    }
    ns3::DoubleValue audit;
    simulator->GetAttribute("Audit", audit);
    // As those start late only that share nothing but ports.
    ns3::StringValue buffers;
    simulator->GetAttribute("SharedBuffers", buffers);
    const ns3::WorkloadRepeater::Options chosen{isOn("Follow"),
                                                audit.Get(),
                                                isOn("Partitions") && buffers.Get() == "watch"};
    const ns3::RdmaNetwork& network = transport.GetNetwork();
    return std::make_unique<ns3::WorkloadRdmaRepeater>(
        transport,
        ns3::WormholeHelper::GetPortKinds(),
        [&network](uint64_t hops) { ns3::WormholeHelper::AddReplayed(network, hops); },
        chosen);
}

/** \return whether links may have lost other pauses and resumes than at packet level, and flows
 * have waited for it: which ones are lost goes by how many a port sent */
bool
HasOtherPauses(const RunResult& result)
{
    return !result.fast.is_null() && result.fast["events"]["skippedShare"].get<double>() > 0 &&
           result.counters.linkErrors > 0 && result.counters.pauses > 0 &&
           result.counters.timeouts > 0;
}

class PacketFabric final : public Fabric
{
  public:
    PacketFabric(const RunPlan& plan, const RunOptions& options)
        : m_plan(plan),
          m_options(options),
          m_connections(ConnectionsOf(plan, options)),
          m_ends(ns3::MakeWorkloadEndpoints(plan.topology, UsesNvSwitches(plan)))
    {
        SetUpSimulator(options, plan.stopNs);
        m_network = plan.helper.Install(m_ends.topology);
        m_recorders = std::make_unique<Recorders>(plan, m_network);
        m_links = std::make_unique<ns3::RdmaLinkSchedule>(m_network, plan.topology, plan.events);
    }

    ~PacketFabric() override
    {
        m_stallWatch.reset();
        m_transport.reset();
        ns3::Simulator::Destroy();
        m_network->Dispose();
    }

    PacketFabric(const PacketFabric&) = delete;
    PacketFabric& operator=(const PacketFabric&) = delete;

    std::unique_ptr<Program> MakeFlowList() override
    {
        return MakePacketFlowList(
            m_plan,
            m_network,
            [this](const ns3::RdmaQueuePair& qp, uint32_t kind) { FlowEnded(qp, kind); },
            [this]() { return GetMonitorsLeftNs(); });
    }

    ns3::WorkloadTransport& GetTransport() override
    {
        if (!m_transport)
        {
            m_transport = std::make_unique<ns3::WorkloadRdmaTransport>(
                m_network,
                m_ends,
                TransportOptions(m_plan, m_connections));
            m_network->SetReactions(ns3::RdmaReactions::TO_FLOWS);
            m_transport->SetEndCallback(
                [this](const ns3::WorkloadTransfer& transfer, const ns3::RdmaQueuePair& qp) {
                    FlowEnded(qp, transfer.label);
                });
            m_transport->SetRepeater(MakeRepeater(m_plan, m_options, *m_transport));
            m_transport->SetLateStart([this](const std::vector<ns3::RdmaLateFlow>& flows) {
                return ns3::WormholeHelper::StartLate(*m_network, flows);
            });
        }
        return *m_transport;
    }

    std::vector<std::string> GetWarnings() const override
    {
        std::vector<std::string> warnings = ns3::RdmaBufferWarnings(*m_network);
        const std::vector<std::string> deadlock = ns3::RdmaDeadlockWarnings(*m_network);
        warnings.insert(warnings.end(), deadlock.begin(), deadlock.end());
        const char* const why = m_network->WhyEveryPacket();
        if (why && m_options.mode == RunMode::FAST)
        {
            warnings.push_back(std::string("--mode fast simulates every packet: ") + why);
        }
        return warnings;
    }

    void SetLabels(std::vector<std::string> labels) override
    {
        if (RecordedNetwork* record = m_recorders->GetRecord())
        {
            record->SetKinds(std::move(labels));
        }
    }

    void Begin() override
    {
        const char* const why = m_options.ranks ? m_network->WhyInOneQueue() : nullptr;
        if (why)
        {
            throw ns3::InputError(std::string("mpirun: several ranks cannot share this run: ") +
                                  why + "; change that, or run it without mpirun");
        }
        m_links->Start();
        // With --record, it is the record that watches the clock; the end of time tells the same.
        if (!m_options.ranks && !m_recorders->GetRecord())
        {
            m_stallWatch = std::make_unique<ns3::RdmaStallWatch>(*m_network,
                                                                 [this]() { return AwaitsMore(); });
        }
    }

    std::vector<std::string> Flush() override
    {
        return m_recorders->Flush();
    }

    void AddProgress(ProgressState& state) const override
    {
        state.delivered = m_bytesEnded;
        AddPacketProgress(*m_network, state);
    }

    std::vector<std::string> ExplainWait(size_t most) const override
    {
        return ExplainFlows(*m_network, most);
    }

    void GoOn() override
    {
        const int64_t left = GetMonitorsLeftNs();
        if (left > 0)
        {
            ns3::Simulator::Stop(ns3::NanoSeconds(left));
            ns3::Simulator::Run();
        }
    }

    void FinishFiles() override
    {
        m_recorders->Finish();
    }

    void Describe(RunResult& result) const override
    {
        result.counters = m_network->GetContext().counters;
        const char* const why = WhyInOneQueue(*m_network);
        if (why && m_options.mode == RunMode::PACKET) // fast-forward has little left to run
        {
            result.oneQueueBecause = why;
        }
        if (m_options.ranks)
        {
            const ns3::Ptr<ns3::RdmaSimulatorImpl> simulator = NativeSimulator();
            result.ranks = RanksPart(*m_options.ranks, *simulator);
            result.lostRank = simulator->GetLostRank();
            result.interrupted |= simulator->HaveRanksStopped();
        }
        if (m_options.native && (m_options.threads || m_options.GetThreads() > 1))
        {
            result.threads = ThreadsPart(m_options.GetThreads(), *m_network);
        }
        if (m_options.twin)
        {
            const ns3::RdmaEventTwin& twin = *NativeSimulator()->FinishEventTwin();
            result.twinEvents = twin.GetCount();
            result.twinDifference = twin.GetDifference();
        }
        result.losses = ns3::RdmaLossWarnings(*m_network);
        if (const size_t left = m_links->CountLeft(); left > 0 && !result.interrupted)
        {
            result.losses.push_back(
                std::to_string(left) + " of " + std::to_string(m_plan.events.size()) +
                " link failures and recoveries come after the end of the run, and did not happen");
        }
        if (HasStalled())
        {
            result.losses.push_back(ns3::RdmaStallWatch::Explain(*m_network));
        }
        result.cut = m_recorders->ListCut();
        result.attributes = AttributesOf(m_plan, m_network);
        if (m_transport)
        {
            result.largestRttNs = m_transport->GetLargestRttNs();
            result.largestBdp = m_transport->GetLargestBdp();
        }
        result.fast = ns3::WormholeHelper::GetReport();
        if (HasOtherPauses(result))
        {
            result.losses.push_back(
                "retransmission time-outs: " + std::to_string(result.counters.timeouts) +
                "; links may have lost other pauses and resumes than at packet level, so packet "
                "level may have none, or others; compare several seeds (--network-seed, wormhole "
                "compare --seeds)");
        }
        auto* repeater = m_transport ? m_transport->GetRepeater() : nullptr;
        if (repeater && repeater->GetStatistics().recorded > 0 && !result.fast.is_null())
        {
            AddRepeats(repeater->GetStatistics(), result.fast);
            if (const ns3::WorkloadRepeats& repeats = repeater->GetStatistics();
                repeats.delayed > 0)
            {
                result.losses.push_back(
                    std::to_string(repeats.delayed) +
                    " transfers of exchanges that were taken for known, and then met something "
                    "else, began up to " +
                    std::to_string(repeats.largestDelayPs / 1000) +
                    " ns late; compare with --fast Collectives=false");
            }
        }
        if (RecordedNetwork* record = m_recorders->GetRecord())
        {
            result.record = record->End();
        }
    }

  private:
    void FlowEnded(const ns3::RdmaQueuePair& qp, uint32_t kind)
    {
        m_recorders->FlowEnded(qp, kind);
        m_bytesEnded += static_cast<double>(qp.GetFlow().bytes);
    }

    /** \return whether anything else than a frame may still begin something */
    bool AwaitsMore() const
    {
        const int64_t nowNs = m_network->GetContext().NowNs();
        const auto isToCome = [nowNs](const ns3::RdmaLinkEvent& event) {
            return event.time.GetNanoSeconds() >= nowNs;
        };
        const auto begins = [nowNs](const ns3::RdmaFlowSpec& flow) {
            return flow.start.GetNanoSeconds() >= nowNs;
        };
        return GetMonitorsLeftNs() > 0 || (m_transport && m_transport->AwaitsMore()) ||
               std::any_of(m_plan.events.begin(), m_plan.events.end(), isToCome) ||
               std::any_of(m_plan.flows.begin(), m_plan.flows.end(), begins);
    }

    bool HasStalled() const
    {
        return m_stallWatch ? m_stallWatch->HasStopped()
                            : m_network->GetContext().eventQueue->HasReachedEnd() &&
                                  ns3::RdmaStallWatch::IsStalled(*m_network);
    }

    int64_t GetMonitorsLeftNs() const
    {
        return m_recorders->GetEndNs() - m_network->GetContext().NowNs();
    }

    const RunPlan& m_plan;
    const RunOptions& m_options;
    ns3::WorkloadConnections m_connections;
    ns3::WorkloadEndpoints m_ends;
    ns3::Ptr<ns3::RdmaNetwork> m_network;
    std::unique_ptr<Recorders> m_recorders;
    std::unique_ptr<ns3::RdmaLinkSchedule> m_links;
    std::unique_ptr<ns3::WorkloadRdmaTransport> m_transport; //!< null for a list of flows
    std::unique_ptr<ns3::RdmaStallWatch> m_stallWatch;       //!< null if nobody need watch
    double m_bytesEnded{0};                                  //!< of flows that have ended
};

} // namespace

std::unique_ptr<Fabric>
MakePacketFabric(const RunPlan& plan, const RunOptions& options)
{
    return std::make_unique<PacketFabric>(plan, options);
}

} // namespace wormhole
