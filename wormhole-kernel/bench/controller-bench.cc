/*
 * SPDX-License-Identifier: MIT
 */
// What the Controller itself costs: under a simulator that costs next to nothing.

#include "bench.h"
#include "wormhole/controller.h"
#include "wormhole/memory-episode-store.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace wormhole::bench
{
namespace
{

constexpr Duration MICROSECOND{1'000'000};

/** Flows at fixed rates that share one port: nothing happens but that they end. */
class FixedRates : public Simulator
{
  public:
    /** \param wobble by which samples differ, as a part of what a flow delivers in one; below 1 */
    FixedRates(Rate rate, double wobble)
        : m_rate(rate),
          m_wobble(wobble)
    {
    }

    void Start(FlowId flow, Bytes bytes)
    {
        m_flows[flow] = {now, 0, bytes, true};
    }

    /** \return when the next flow ends that is running */
    std::optional<Time> NextEnd() const
    {
        std::optional<Time> next;
        for (const auto& [id, flow] : m_flows)
        {
            const Time end = flow.since + TimeFor(flow.left, m_rate);
            if (flow.runs && (!next || end < *next))
            {
                next = end;
            }
        }
        return next;
    }

    /** \return flows that are running and end now */
    std::vector<FlowId> Ended() const
    {
        std::vector<FlowId> ended;
        for (const auto& [id, flow] : m_flows)
        {
            if (flow.runs && flow.since + TimeFor(flow.left, m_rate) <= now)
            {
                ended.push_back(id);
            }
        }
        std::sort(ended.begin(), ended.end());
        return ended;
    }

    void Forget(FlowId flow)
    {
        m_flows.erase(flow);
    }

    bool IsEmpty() const
    {
        return m_flows.empty();
    }

    FlowProgress Observe(FlowId id) const override
    {
        const Flow& flow = m_flows.at(id);
        const Bytes moved = flow.runs ? std::min(BytesIn(m_rate, now - flow.since), flow.left) : 0;
        FlowProgress progress;
        progress.delivered = flow.delivered + moved + Wobble(flow);
        progress.left = flow.left - moved;
        progress.rate = m_rate;
        return progress;
    }

    Bytes QueueOf(PortId /*port*/) const override
    {
        return 0;
    }

    FlowAttributes Describe(FlowId /*flow*/) const override
    {
        FlowAttributes attributes;
        attributes.lineRate = 100'000'000'000;
        return attributes;
    }

    PortAttributes Describe(PortId /*port*/) const override
    {
        PortAttributes attributes;
        attributes.rate = 100'000'000'000;
        return attributes;
    }

    Duration SampleInterval(FlowId /*flow*/) const override
    {
        return 10 * MICROSECOND;
    }

    Bytes TailOf(FlowId /*flow*/, Rate rate) const override
    {
        return BytesIn(rate, 20 * MICROSECOND);
    }

    void Pause(const Members& members) override
    {
        for (const FlowId id : members.flows)
        {
            Flow& flow = m_flows.at(id);
            const Bytes moved = std::min(BytesIn(m_rate, now - flow.since), flow.left);
            flow = {now, flow.delivered + moved, flow.left - moved, false};
        }
    }

    void Resume(const Members& members, Duration /*shift*/) override
    {
        for (const FlowId id : members.flows)
        {
            m_flows.at(id).since = now;
            m_flows.at(id).runs = true;
        }
    }

    void CatchUp(const Members& members, Time from, Time /*until*/, Duration /*shift*/) override
    {
        for (const FlowId id : members.flows)
        {
            m_flows.at(id).since = from;
            m_flows.at(id).runs = true;
        }
    }

    Bytes Credit(FlowId id, Bytes bytes) override
    {
        m_flows.at(id).delivered += bytes;
        m_flows.at(id).left -= bytes;
        return bytes;
    }

    void Complete(FlowId id, Time /*time*/) override
    {
        Forget(id);
    }

    std::optional<StateBlob> CaptureFlow(FlowId /*flow*/) const override
    {
        return StateBlob(64, 'c');
    }

    std::optional<StateBlob> CapturePort(PortId /*port*/) const override
    {
        return StateBlob();
    }

    void Evict(const Members& /*members*/) override
    {
    }

    void Restore(const std::vector<FlowState>& /*flows*/,
                 const std::vector<PortState>& /*ports*/,
                 Time /*at*/) override
    {
    }

    Time now{};

  private:
    struct Flow
    {
        Time since;
        Bytes delivered{0};
        Bytes left{0};
        bool runs{false};
    };

    /** Makes samples differ, so that no flow is ever steady. */
    Bytes Wobble(const Flow& flow) const
    {
        const auto sample = (now - flow.since) / (10 * MICROSECOND);
        return static_cast<Bytes>(m_wobble *
                                  static_cast<double>(BytesIn(m_rate, 10 * MICROSECOND)) *
                                  static_cast<double>(sample * sample % 7) / 7);
    }

    Rate m_rate;
    double m_wobble;
    std::unordered_map<FlowId, Flow> m_flows;
};

/** Lets \p simulator run until no flow is left, or \p until. */
void
RunUntil(FixedRates& simulator, Controller& controller, Time until)
{
    while (!simulator.IsEmpty() && simulator.now < until)
    {
        const auto end = simulator.NextEnd();
        const auto alarm = controller.NextAlarm();
        if (end && (!alarm || *end <= *alarm))
        {
            simulator.now = *end;
            for (const FlowId flow : simulator.Ended())
            {
                controller.FlowEnded(flow, simulator.now);
                simulator.Forget(flow);
            }
        }
        else
        {
            simulator.now = *alarm;
            controller.RunAlarms(simulator.now);
        }
    }
}

/** Starts \p flows flows, numbered from \p first on, each from a port of its own to one that all
 * share. */
void
StartWave(FixedRates& simulator,
          Controller& controller,
          std::uint64_t first,
          std::uint32_t flows,
          Bytes bytes)
{
    for (std::uint32_t i = 0; i < flows; ++i)
    {
        const FlowId flow{first + i};
        simulator.Start(flow, bytes);
        controller.FlowStarted(flow, {PortId{1 + i}, PortId{0}}, simulator.now);
    }
}

/** Waves of the same flows, one after the other: all but the first are replayed from start to end.
 */
nlohmann::ordered_json
Replays(std::uint32_t flows, std::uint64_t waves)
{
    FixedRates simulator(Rate::BitsPerSecond(1e11 / flows), 0);
    MemoryEpisodeStore store;
    Controller controller(simulator, &store);
    const Bytes bytes = 100'000'000;
    std::uint64_t first = 0;
    const auto wave = [&] {
        StartWave(simulator, controller, first, flows, bytes);
        RunUntil(simulator, controller, Time::max());
        first += flows;
    };
    wave();
    std::vector<double> seconds;
    for (std::uint64_t i = 0; i < waves; ++i)
    {
        seconds.push_back(Seconds(wave));
    }
    const ControllerStatistics& statistics = controller.Statistics();
    const auto total = static_cast<double>(bytes) * static_cast<double>(first);
    return {{"flowsPerPartition", flows},
            {"waves", waves},
            {"nsPerFlow", std::round(Median(seconds) * 1e9 / flows)},
            {"shareReplayedOrSkipped",
             static_cast<double>(statistics.bytesReplayed + statistics.bytesSkipped) / total}};
}

/** One partition that is never steady: what watching it costs. */
nlohmann::ordered_json
Samples(std::uint32_t flows, std::uint64_t samples)
{
    FixedRates simulator(Rate::BitsPerSecond(1e11 / flows), 0.9);
    ControllerOptions options;
    options.steady.theta = 1e-6; // so that no average is good enough
    Controller controller(simulator, nullptr, options);
    StartWave(simulator, controller, 0, flows, Bytes{1} << 50);
    const auto warm = static_cast<std::int64_t>(100);
    RunUntil(simulator, controller, simulator.now + 10 * MICROSECOND * warm);
    const std::uint64_t before = controller.Statistics().samples;
    const Time until = simulator.now + 10 * MICROSECOND * static_cast<std::int64_t>(samples);
    const double seconds = Seconds([&] { RunUntil(simulator, controller, until); });
    const auto taken = static_cast<double>(controller.Statistics().samples - before);
    return {{"flowsPerPartition", flows},
            {"samples", taken},
            {"nsPerFlowAndSample", std::round(seconds * 1e9 / (taken * flows))}};
}

nlohmann::ordered_json
Run(bool quick)
{
    const std::uint64_t scale = quick ? 1 : 10;
    nlohmann::ordered_json replays;
    nlohmann::ordered_json samples;
    for (const std::uint32_t flows : {1U, 8U, 64U})
    {
        replays.push_back(Replays(flows, 200 * scale));
        samples.push_back(Samples(flows, 10'000 * scale / flows));
    }
    return {{"replays", replays}, {"samples", samples}};
}

const Section SECTION{"controller", Run};

} // namespace
} // namespace wormhole::bench
