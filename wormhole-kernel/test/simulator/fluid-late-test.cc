/*
 * SPDX-License-Identifier: MIT
 */

// Partitions that catch up, at random: all must be as if they had not.

#include "repetitions.h"
#include "simulator/fluid-fixture.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace wormhole
{

namespace
{

/**
 * Pauses partitions at random, and runs them late when something happens to them or some time has
 * passed; some it evicts meanwhile and restores. All flows must then behave as without it.
 */
class LateKernel : public Kernel
{
  public:
    LateKernel(Simulator& simulator, std::uint64_t seed)
        : m_simulator(simulator),
          m_state(seed)
    {
    }

    void FlowStarted(FlowId flow, const std::vector<PortId>& path, Time now) override
    {
        WakeThoseOn(path, now);
        m_paths[flow] = path;
    }

    void FlowEnded(FlowId flow, Time) override
    {
        m_paths.erase(flow);
    }

    void FlowRerouted(FlowId flow, const std::vector<PortId>& path, Time now) override
    {
        WakeThoseOn(m_paths[flow], now);
        WakeThoseOn(path, now);
        if (m_paths.count(flow) != 0)
        {
            m_paths[flow] = path;
        }
    }

    void PortChanged(PortId port, Time now) override
    {
        WakeThoseOn({port}, now);
    }

    void Disturbed(FlowId flow, Time now) override
    {
        WakeThoseOn(m_paths[flow], now);
    }

    std::optional<Time> NextAlarm() const override
    {
        return m_alarm;
    }

    void RunAlarms(Time now) override
    {
        m_alarm = now + Duration{static_cast<std::int64_t>(Draw() % 40'000'000) + 1};
        if (!m_asleep.empty() && Draw() % 2 == 0)
        {
            Wake(Draw() % m_asleep.size(), now);
        }
        else if (!m_paths.empty())
        {
            PutToSleep(std::next(m_paths.begin(), Draw() % m_paths.size())->first, now);
        }
    }

    void Finish(Time now) override
    {
        while (!m_asleep.empty())
        {
            Wake(0, now);
        }
    }

  private:
    struct Asleep
    {
        Members members;
        Time since;
        bool evicted;
        std::vector<FlowState> flows;
        std::vector<PortState> ports;
    };

    std::uint64_t Draw()
    {
        return m_state = MixWords({m_state, 1});
    }

    /** By brute force: all flows and ports that are connected with \p flow. */
    Members PartitionOf(FlowId flow) const
    {
        std::set<FlowId> flows{flow};
        std::set<PortId> ports;
        for (std::size_t before = 0; before != flows.size() + ports.size();)
        {
            before = flows.size() + ports.size();
            for (const auto& [other, path] : m_paths)
            {
                const bool touches = std::any_of(path.begin(), path.end(), [&ports](PortId port) {
                    return ports.count(port) != 0;
                });
                if (touches || flows.count(other) != 0)
                {
                    flows.insert(other);
                    ports.insert(path.begin(), path.end());
                }
            }
        }
        return {{flows.begin(), flows.end()}, {ports.begin(), ports.end()}};
    }

    void PutToSleep(FlowId flow, Time now)
    {
        Asleep asleep{PartitionOf(flow), now, false, {}, {}};
        for (const Asleep& other : m_asleep)
        {
            if (other.members.flows == asleep.members.flows)
            {
                return;
            }
        }
        m_simulator.Pause(asleep.members);
        bool capturable = true;
        for (const FlowId id : asleep.members.flows)
        {
            const auto blob = m_simulator.CaptureFlow(id);
            capturable = capturable && blob;
            asleep.flows.push_back({id, m_simulator.Observe(id).rate, blob.value_or("")});
        }
        for (const PortId id : asleep.members.ports)
        {
            asleep.ports.push_back({id, m_simulator.QueueOf(id), *m_simulator.CapturePort(id)});
        }
        if (capturable && Draw() % 2 == 0)
        {
            m_simulator.Evict(asleep.members);
            asleep.evicted = true;
        }
        m_asleep.push_back(std::move(asleep));
    }

    void Wake(std::size_t index, Time now)
    {
        const Asleep asleep = m_asleep[index];
        m_asleep.erase(m_asleep.begin() + static_cast<std::ptrdiff_t>(index));
        if (asleep.evicted)
        {
            m_simulator.Restore(asleep.flows, asleep.ports, asleep.since);
        }
        m_simulator.CatchUp(asleep.members, asleep.since, now, Duration{0});
    }

    void WakeThoseOn(const std::vector<PortId>& path, Time now)
    {
        for (std::size_t i = m_asleep.size(); i-- > 0;)
        {
            const auto& ports = m_asleep[i].members.ports;
            const bool touched = std::any_of(path.begin(), path.end(), [&ports](PortId port) {
                return std::binary_search(ports.begin(), ports.end(), port);
            });
            if (touched)
            {
                Wake(i, now);
            }
        }
    }

    Simulator& m_simulator;
    std::uint64_t m_state;
    std::optional<Time> m_alarm{Time{}};
    std::map<FlowId, std::vector<PortId>> m_paths;
    std::vector<Asleep> m_asleep;
};

/** \p scenario with each start at the time at which \p truth has it, for whoever catches up learns
 * of an end late. */
Scenario
WithTimedStarts(Scenario scenario, const FluidResult& truth)
{
    for (std::size_t i = 0; i < scenario.flows.size(); ++i)
    {
        scenario.flows[i].start = truth.flows[i].started.value_or(Time{}).time_since_epoch();
        scenario.flows[i].after.reset();
    }
    return scenario;
}

} // namespace

TEST(FluidSimulator, RandomScenariosAreTheSameLate)
{
    for (std::uint64_t seed = 0; seed < test::Repetitions(400); ++seed)
    {
        const Scenario random = RandomScenario(seed);
        const Scenario scenario = WithTimedStarts(random, RunScenario(random));
        const FluidResult truth = RunScenario(scenario);
        const FluidResult result = RunScenario(scenario, [seed](Simulator& simulator) {
            return std::make_unique<LateKernel>(simulator, seed);
        });
        ExpectSame(result, truth);
        ASSERT_FALSE(HasFailure()) << Describe(scenario);
    }
}

} // namespace wormhole
