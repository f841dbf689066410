/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/fast_scenario.h"

#include "harness/random.h"

#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/rdma-helper.h"
#include "ns3/rdma-topology-generator.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-helper.h"
#include "ns3/wormhole-simulator-impl.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

namespace harness
{

namespace
{

using namespace ns3;

constexpr int64_t STOP_NS = 400'000'000;
constexpr uint32_t MOVED_NS = 20;

/** One run. */
class Run
{
  public:
    Run(const FastScenario& scenario, const FastOptions& options)
        : m_scenario(scenario)
    {
        m_outcome.flows.resize(scenario.flows.size());
        Choose(options);
        RdmaHelper rdma;
        rdma.SetCongestionControl(scenario.control);
        rdma.SetDefaultErrorRate(scenario.errorRate);
        rdma.SetNetworkAttribute("Seed", UintegerValue(scenario.seed));
        if (scenario.bufferBytes)
        {
            rdma.SetSwitchAttribute("BufferSize", UintegerValue(scenario.bufferBytes));
        }
        m_network = rdma.Install(GenerateRdmaTopology(scenario.topology));
        m_network->SetReactions(RdmaReactions::TO_FLOWS);
        for (uint32_t i = 0; i < scenario.flows.size(); ++i)
        {
            if (scenario.flows[i].after < 0)
            {
                Simulator::Schedule(NanoSeconds(scenario.flows[i].startNs), &Run::Start, this, i);
            }
        }
        for (const FastScenario::Failure& failure : scenario.failures)
        {
            const uint32_t link = failure.link % m_network->GetLinkCount();
            Simulator::Schedule(NanoSeconds(failure.downNs),
                                &RdmaNetwork::SetLinkUp,
                                m_network,
                                link,
                                false);
            if (failure.upNs)
            {
                Simulator::Schedule(NanoSeconds(failure.upNs),
                                    &RdmaNetwork::SetLinkUp,
                                    m_network,
                                    link,
                                    true);
            }
        }
        Simulator::Stop(NanoSeconds(STOP_NS));
    }

    FastOutcome Go()
    {
        Simulator::Run();
        const RdmaCounters& counters = m_network->GetContext().counters;
        m_outcome.hops = counters.GetHops();
        m_outcome.windows =
            DynamicCast<RdmaSimulatorImpl>(Simulator::GetImplementation())->GetWindowCount();
        const nlohmann::ordered_json report = WormholeHelper::GetReport();
        if (!report.is_null())
        {
            m_outcome.skippedShare = report["events"]["skippedShare"];
            m_outcome.found = report["episodes"]["found"];
            m_outcome.interrupted = report["kernel"][0].value("replaysInterrupted", uint64_t{0});
            m_outcome.skips = report["events"]["skipped"];
            m_outcome.suspensions = report["suspensions"];
        }
        if (m_network->GetContext().frames.GetOut() && m_network->IsIdle())
        {
            Fault("frames are left in an idle network");
        }
        CheckBackground();
        m_network = nullptr;
        Simulator::Destroy();
        return m_outcome;
    }

  private:
    static void Choose(const FastOptions& options)
    {
        Config::Reset();
        GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::RdmaSimulatorImpl"));
        if (!options.empty())
        {
            WormholeHelper wormhole;
            for (const auto& [name, value] : options)
            {
                wormhole.Set(name, StringValue(value));
            }
            wormhole.Enable();
        }
    }

    void Fault(const std::string& text)
    {
        m_outcome.faults += text + "\n";
    }

    /** Where all flows have ended, nothing is to be assumed of their acknowledgements any more. */
    void CheckBackground()
    {
        for (uint32_t link = 0; m_network->IsIdle() && link < m_network->GetLinkCount(); ++link)
        {
            const auto& [a, b] = m_network->GetLink(link);
            if (a->GetBackground() || b->GetBackground())
            {
                Fault("link " + std::to_string(link) + " is loaded in an idle network");
            }
        }
    }

    void Tick()
    {
        if (Simulator::Now().GetTimeStep() < m_now)
        {
            Fault("time runs backwards");
        }
        m_now = Simulator::Now().GetTimeStep();
    }

    void Start(uint32_t i)
    {
        Tick();
        const FastScenario::Flow& f = m_scenario.flows[i];
        RdmaFlow flow;
        flow.src = f.src;
        flow.dst = f.dst;
        flow.bytes = f.bytes;
        flow.sourcePort = f.sourcePort;
        if (m_scenario.window)
        {
            const auto facts = m_network->GetRouting().GetPathProperties(f.src, f.dst);
            flow.window = facts.GetBdp();
        }
        flow.onDelivered = [this, i](const RdmaQueuePair& qp) { Delivered(i, qp); };
        flow.onEnd = [this, i](const RdmaQueuePair& qp) { Ended(i, qp); };
        m_outcome.flows[i].startNs = Simulator::Now().GetNanoSeconds();
        m_network->StartFlow(flow);
    }

    void Delivered(uint32_t i, const RdmaQueuePair& qp)
    {
        Tick();
        FastOutcome::Flow& flow = m_outcome.flows[i];
        if (flow.deliveredNs >= 0)
        {
            Fault("flow " + std::to_string(i) + " is delivered twice");
        }
        flow.deliveredNs = TimeStep(static_cast<uint64_t>(qp.GetDeliveryTime())).GetNanoSeconds();
        flow.received = qp.GetExpected();
        for (uint32_t k = 0; k < m_scenario.flows.size(); ++k)
        {
            if (m_scenario.flows[k].after == static_cast<int32_t>(i))
            {
                Simulator::Schedule(NanoSeconds(m_scenario.flows[k].startNs), &Run::Start, this, k);
            }
        }
    }

    void Ended(uint32_t i, const RdmaQueuePair& qp)
    {
        Tick();
        FastOutcome::Flow& flow = m_outcome.flows[i];
        flow.completed = qp.GetState() == RdmaFlowState::COMPLETED;
        flow.endNs = TimeStep(static_cast<uint64_t>(qp.GetEndTime())).GetNanoSeconds();
        if (flow.completed && (flow.deliveredNs < 0 || flow.endNs < flow.deliveredNs))
        {
            Fault("flow " + std::to_string(i) + " is acknowledged before it is delivered");
        }
    }

    const FastScenario& m_scenario;
    FastOutcome m_outcome;
    Ptr<RdmaNetwork> m_network;
    int64_t m_now{0};
};

} // namespace

FastOutcome
RunFastScenario(const FastScenario& scenario, const FastOptions& options)
{
    return Run(scenario, options).Go();
}

namespace
{

/** \return flows between \p hosts hosts that start within 0.3 ms of each other */
std::vector<FastScenario::Flow>
DrawWave(Random& random, uint32_t hosts)
{
    static const uint64_t sizes[] = {0, 1, 900, 30'000, 500'000, 2'000'000, 5'000'000, 8'000'000};
    const uint32_t width = 1 + random.Below(5);
    std::vector<FastScenario::Flow> wave;
    for (uint32_t i = 0; i < width; ++i)
    {
        FastScenario::Flow flow;
        flow.src = random.Below(hosts);
        flow.dst = (flow.src + 1 + random.Below(hosts - 1)) % hosts;
        flow.bytes = sizes[random.Below(8)] + (random.Below(2) ? random.Below(5000) : 0);
        flow.startNs = random.Below(2) ? 0 : random.Below(300'000);
        flow.sourcePort = static_cast<uint16_t>(20000 + i);
        wave.push_back(flow);
    }
    return wave;
}

/** Adds \p wave to \p flows several times: each 2 ms after the one before, or when its flows end.
 */
void
Repeat(Random& random,
       const std::vector<FastScenario::Flow>& wave,
       std::vector<FastScenario::Flow>& flows)
{
    const auto width = static_cast<uint32_t>(wave.size());
    const uint32_t waves = 1 + random.Below(4);
    for (uint32_t w = 0; w < waves; ++w)
    {
        const bool chained = w > 0 && random.Below(2);
        for (uint32_t i = 0; i < width; ++i)
        {
            FastScenario::Flow flow = wave[i];
            if (chained)
            {
                flow.after = static_cast<int32_t>((w - 1) * width + i);
                flow.startNs = random.Below(2) ? 0 : random.Below(20'000);
            }
            else
            {
                flow.startNs += w * int64_t{2'000'000};
            }
            flows.push_back(flow);
        }
    }
}

/** Draws what goes wrong in \p scenario, if anything does. */
void
DrawTroubles(Random& random, FastScenario& scenario)
{
    if (random.Below(8) == 0)
    {
        const uint32_t link = random.Below(64);
        const int64_t downNs = random.Below(1'500'000);
        scenario.failures.push_back({link, downNs, downNs + 1 + random.Below(1'000'000)});
    }
    if (random.Below(10) == 0)
    {
        scenario.errorRate = 1e-4;
    }
    if (random.Below(8) == 0)
    {
        scenario.bufferBytes = 300'000 + random.Below(1'000'000); // many pauses
    }
}

} // namespace

FastScenario
DrawFastScenario(uint64_t seed)
{
    Random random(seed);
    static const char* const topologies[] = {
        "star:hosts=4",
        "star:hosts=8",
        "dumbbell:left=3,right=3",
        "leaf-spine:leaves=2,spines=2,hosts-per-leaf=4",
    };
    static const char* const controls[] = {"ns3::RdmaHpcc",
                                           "ns3::RdmaDcqcn",
                                           "ns3::RdmaTimely",
                                           "ns3::RdmaDctcp",
                                           "ns3::RdmaSwift",
                                           "ns3::RdmaHpcc"};
    FastScenario scenario;
    scenario.topology = topologies[random.Below(4)];
    scenario.control = controls[random.Below(6)];
    scenario.window = random.Below(4) > 0;
    scenario.seed = 1 + random.Below(1000);
    const uint32_t hosts = GenerateRdmaTopology(scenario.topology).Count(RdmaNodeKind::HOST);
    const std::vector<FastScenario::Flow> wave = DrawWave(random, hosts);
    Repeat(random, wave, scenario.flows);
    DrawTroubles(random, scenario);
    return scenario;
}

FastScenario
MoveStarts(FastScenario scenario, uint64_t seed)
{
    Random random(seed);
    for (FastScenario::Flow& flow : scenario.flows)
    {
        flow.startNs += random.Below(MOVED_NS + 1);
    }
    return scenario;
}

std::string
ToText(const FastScenario& s)
{
    std::ostringstream out;
    out << s.topology << " " << s.control << " seed " << s.seed << " window " << s.window
        << " errors " << s.errorRate << " buffer " << s.bufferBytes << "\n";
    for (const FastScenario::Flow& f : s.flows)
    {
        out << "  " << f.src << " -> " << f.dst << ", " << f.bytes << " B, "
            << (f.after < 0 ? "at " : "after flow " + std::to_string(f.after) + " by ") << f.startNs
            << " ns, source port " << f.sourcePort << "\n";
    }
    for (const FastScenario::Failure& f : s.failures)
    {
        out << "  link " << f.link << " down at " << f.downNs << ", up at " << f.upNs << "\n";
    }
    return out.str();
}

namespace
{

/** \return \p scenario without flow \p gone; those that waited for it wait for nobody */
FastScenario
Without(const FastScenario& scenario, uint32_t gone)
{
    FastScenario less = scenario;
    less.flows.erase(less.flows.begin() + gone);
    for (FastScenario::Flow& flow : less.flows)
    {
        if (flow.after == static_cast<int32_t>(gone))
        {
            flow.after = -1;
        }
        else if (flow.after > static_cast<int32_t>(gone))
        {
            --flow.after;
        }
    }
    return less;
}

} // namespace

FastScenario
Shrink(FastScenario scenario, const std::function<bool(const FastScenario&)>& fails)
{
    for (bool smaller = true; smaller;)
    {
        smaller = false;
        const auto keep = [&](const FastScenario& candidate) {
            if (!fails(candidate))
            {
                return false;
            }
            scenario = candidate;
            return smaller = true;
        };
        for (uint32_t i = static_cast<uint32_t>(scenario.flows.size()); i-- > 0;)
        {
            keep(Without(scenario, i));
        }
        for (uint32_t i = 0; i < scenario.flows.size(); ++i)
        {
            FastScenario less = scenario;
            less.flows[i].bytes /= 2;
            if (less.flows[i].bytes > 0)
            {
                keep(less);
            }
        }
        for (FastScenario less = scenario; !less.failures.empty();)
        {
            less.failures.pop_back();
            keep(less);
        }
    }
    return scenario;
}

} // namespace harness
