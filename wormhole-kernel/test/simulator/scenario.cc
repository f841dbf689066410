/*
 * SPDX-License-Identifier: MIT
 */
#include "simulator/scenario.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <sstream>
#include <utility>

namespace wormhole
{

namespace
{

constexpr std::uint64_t GIGABIT = 1'000'000'000;

/** Numbers that are the same with every standard library. */
class ScenarioDice
{
  public:
    explicit ScenarioDice(std::uint64_t seed)
        : m_engine(MixWords({seed}))
    {
    }

    /** \return from \p least to \p most, both included */
    std::uint64_t Between(std::uint64_t least, std::uint64_t most)
    {
        return least + m_engine() % (most - least + 1);
    }

    bool Percent(std::uint64_t chance)
    {
        return Between(1, 100) <= chance;
    }

    template <class T>
    T OneOf(std::initializer_list<T> choices)
    {
        return choices.begin()[Between(0, choices.size() - 1)];
    }

    /** \return from \p least to less than twice \p most, small ones as often as large ones in terms
     * of powers of two */
    std::uint64_t Spread(std::uint64_t least, std::uint64_t most)
    {
        std::uint64_t doublings = 0;
        while (least << (doublings + 1) <= most)
        {
            ++doublings;
        }
        const std::uint64_t base = least << Between(0, doublings);
        return base + Between(0, base - 1);
    }

  private:
    std::mt19937_64 m_engine;
};

/** Makes one scenario, part by part. */
class Maker
{
  public:
    explicit Maker(std::uint64_t seed)
        : m_dice(seed)
    {
        m_scenario.seed = seed;
    }

    Scenario Make()
    {
        MakePorts();
        MakeControls();
        MakeFlows();
        MakeCopies();
        LimitWork();
        MakeActions();
        m_scenario.arrivals = m_dice.Percent(50);
        return std::move(m_scenario);
    }

  private:
    std::uint64_t PerCopy(std::uint64_t number) const
    {
        return std::max<std::uint64_t>(1, number / m_copies);
    }

    /** Ports fall into groups that no path leaves. */
    void MakePorts()
    {
        m_copies = m_dice.Percent(40) ? m_dice.Between(2, 4) : 1;
        const std::uint64_t ports = PerCopy(m_dice.Spread(1, 8) % 12 + 1);
        const std::uint64_t rate = m_dice.OneOf({10, 25, 100, 400}) * GIGABIT;
        const bool alike = m_dice.Percent(60);
        m_groups.resize(std::min(ports, m_dice.Between(1, 3)));
        for (std::uint32_t port = 0; port < ports; ++port)
        {
            m_scenario.capacities.push_back(alike ? rate : rate / m_dice.OneOf({1, 1, 2, 4}));
            m_groups[port % m_groups.size()].push_back(PortId{port});
        }
        m_lineRate = alike || m_dice.Percent(50) ? rate : rate / 2;
        m_scenario.patience = m_dice.Percent(60) ? 16 * TICK : Duration{0};
        m_scenario.foretold = m_dice.Percent(30);
    }

    void MakeControls()
    {
        const std::uint64_t count = m_dice.OneOf({1, 1, 2, 3});
        for (std::uint64_t i = 0; i < count; ++i)
        {
            FluidControl control;
            control.gain = m_dice.OneOf({32, 64, 128, 256, 512, 1024});
            switch (m_dice.OneOf({0, 0, 0, 0, 1, 2, 2, 3}))
            {
            case 1:
                control.mode = FluidMode::Drift;
                control.amplitude = static_cast<std::int32_t>(m_dice.Between(50, 500));
                control.period = static_cast<std::int32_t>(m_dice.Spread(100, 2000));
                break;
            case 2:
                control.mode = FluidMode::Oscillation;
                control.amplitude = static_cast<std::int32_t>(m_dice.Spread(10, 200));
                control.period = static_cast<std::int32_t>(m_dice.Spread(8, 200));
                break;
            case 3:
                control.mode = FluidMode::Noise;
                control.amplitude = static_cast<std::int32_t>(m_dice.Spread(10, 200));
                control.seed = m_dice.Between(0, 1000);
                break;
            default:
                break;
            }
            m_controls.push_back(control);
        }
        m_capturable = !m_dice.Percent(10);
        m_tick = TICK * m_dice.OneOf({1, 1, 1, 1, 2, 3});
    }

    std::vector<PortId> RandomPath(std::vector<PortId> group)
    {
        const std::uint64_t hops =
            m_dice.Between(1, std::min<std::uint64_t>({group.size(), 4, m_dice.Between(1, 4)}));
        for (std::uint64_t i = 0; i < hops; ++i)
        {
            std::swap(group[i], group[m_dice.Between(i, group.size() - 1)]);
        }
        group.resize(hops);
        return group;
    }

    Bytes RandomSize()
    {
        if (m_dice.Percent(3))
        {
            return m_dice.OneOf<Bytes>({0, 1});
        }
        const std::uint64_t ticks =
            m_dice.Percent(3) ? m_dice.Spread(4000, 10000) : m_dice.Spread(8, 1024);
        return BytesIn(Rate::BitsPerSecond(static_cast<double>(m_lineRate)), TICK * ticks) +
               m_dice.Between(0, 1000);
    }

    ScenarioFlow RandomFlow(const std::vector<PortId>& group)
    {
        ScenarioFlow flow;
        flow.path = RandomPath(group);
        flow.size = RandomSize();
        flow.lineRate = m_lineRate;
        flow.startRate = m_dice.OneOf({1024, 1024, 1024, 512, 100});
        flow.control = m_controls[m_dice.Between(0, m_controls.size() - 1)];
        flow.tick = m_dice.Percent(5) ? 2 * m_tick : m_tick;
        flow.capturable = m_capturable || m_dice.Percent(50);
        return flow;
    }

    Duration RandomTime(std::uint64_t ticks)
    {
        return Duration{static_cast<std::int64_t>(m_dice.Between(0, ticks * TICK.count()))};
    }

    /** Waves: the same flows again and again, at fixed times or when the wave before has ended; and
     * flows on their own. */
    void MakeFlows()
    {
        const std::uint64_t most = PerCopy(m_dice.Spread(1, 16) % 20 + 1);
        while (m_scenario.flows.size() < most)
        {
            const auto& group = m_groups[m_dice.Between(0, m_groups.size() - 1)];
            const std::uint64_t room = most - m_scenario.flows.size();
            const std::uint64_t width = m_dice.Between(1, room);
            const std::uint64_t waves = m_dice.Percent(50) ? m_dice.Between(1, room / width) : 1;
            MakeWaves(group, width, waves);
        }
    }

    void MakeWaves(const std::vector<PortId>& group, std::uint64_t width, std::uint64_t waves)
    {
        std::vector<ScenarioFlow> pattern;
        const bool together = m_dice.Percent(60);
        const bool alike = m_dice.Percent(50);
        const Duration begin = m_dice.Percent(50) ? Duration{0} : RandomTime(1000);
        for (std::uint64_t i = 0; i < width; ++i)
        {
            pattern.push_back(alike && i > 0 ? pattern[0] : RandomFlow(group));
            pattern.back().start = together ? begin : begin + RandomTime(400);
        }
        const bool chained = m_dice.Percent(60);
        const Duration gap = m_dice.Percent(50) ? Duration{0} : RandomTime(100);
        const Duration period = RandomTime(2000);
        for (std::uint64_t wave = 0; wave < waves; ++wave)
        {
            for (std::uint64_t i = 0; i < width; ++i)
            {
                ScenarioFlow flow = pattern[i];
                if (chained && wave > 0)
                {
                    flow.after = m_scenario.flows.size() - width;
                    flow.start = gap;
                }
                else
                {
                    flow.start += wave * period;
                }
                m_scenario.flows.push_back(std::move(flow));
            }
        }
    }

    /** The same flows on as many ports of their own, at the same time or a little later: equal
     * partitions, as long as nothing happens to one of them alone. */
    void MakeCopies()
    {
        const std::vector<std::uint64_t> capacities = m_scenario.capacities;
        const std::vector<ScenarioFlow> flows = m_scenario.flows;
        const bool together = m_dice.Percent(50);
        const bool sizesDiffer = m_dice.Percent(30);
        for (std::uint64_t copy = 1; copy < m_copies; ++copy)
        {
            const auto ports = static_cast<std::uint32_t>(m_scenario.capacities.size());
            const std::size_t before = m_scenario.flows.size();
            const Duration offset = together ? Duration{0} : RandomTime(m_dice.OneOf({3, 50, 300}));
            m_scenario.capacities.insert(m_scenario.capacities.end(),
                                         capacities.begin(),
                                         capacities.end());
            for (ScenarioFlow flow : flows)
            {
                for (PortId& port : flow.path)
                {
                    port = PortId{ports + port.Value()};
                }
                if (flow.after)
                {
                    *flow.after += before;
                }
                else
                {
                    flow.start += offset;
                }
                flow.size += sizesDiffer ? m_dice.Between(0, flow.size) : 0;
                m_scenario.flows.push_back(std::move(flow));
            }
        }
    }

    /** Makes all flows smaller where they would take too many ticks: each as many as the port on
     * its path that is busy for the longest. */
    void LimitWork()
    {
        std::vector<std::uint64_t> busy(m_scenario.capacities.size()); // in ticks
        const auto ticksAt = [this](Bytes bytes, PortId port) {
            return bytes * 8 * 1'000'000 / m_scenario.capacities[port.Value()];
        };
        for (const ScenarioFlow& flow : m_scenario.flows)
        {
            for (const PortId port : flow.path)
            {
                busy[port.Value()] += ticksAt(flow.size, port);
            }
        }
        std::uint64_t ticks = 0;
        for (const ScenarioFlow& flow : m_scenario.flows)
        {
            std::uint64_t longest = 0;
            for (const PortId port : flow.path)
            {
                longest = std::max(longest, busy[port.Value()]);
            }
            ticks += longest;
        }
        const std::uint64_t most = m_dice.Percent(2) ? 50'000 : 12'000;
        if (ticks > most)
        {
            for (ScenarioFlow& flow : m_scenario.flows)
            {
                flow.size = flow.size > 1 ? flow.size * most / ticks : flow.size;
            }
        }
    }

    void MakeActions()
    {
        if (m_dice.Percent(40))
        {
            return;
        }
        const std::uint64_t count = m_dice.Between(1, 4);
        for (std::uint64_t i = 0; i < count; ++i)
        {
            ScenarioAction action;
            action.at = Time{RandomTime(m_dice.OneOf({500, 2000, 5000}))};
            action.flow = m_dice.Between(0, m_scenario.flows.size() - 1);
            const PortId port = m_scenario.flows[action.flow].path.front();
            switch (m_dice.Between(0, 3))
            {
            case 0:
                action.kind = ScenarioAction::Kind::Reroute;
                action.path = RandomPath(GroupOf(port));
                break;
            case 1:
                action.kind = ScenarioAction::Kind::Kick;
                break;
            default:
                MakeFailure(action, port);
                break;
            }
            m_scenario.actions.push_back(action);
        }
    }

    /** \return the ports that flows on \p port may be rerouted to; for a copy, its own or, now and
     * then, others, so that equal partitions meet */
    std::vector<PortId> GroupOf(PortId port)
    {
        const auto perCopy = static_cast<std::uint32_t>(m_scenario.capacities.size() / m_copies);
        const std::uint32_t first = port.Value() / perCopy * perCopy;
        std::vector<PortId> group = m_groups[(port.Value() - first) % m_groups.size()];
        for (PortId& member : group)
        {
            member = PortId{member.Value() + (m_dice.Percent(80) ? first : 0)};
        }
        return group;
    }

    /** A failure with its recovery, one for good, or another capacity. */
    void MakeFailure(ScenarioAction& action, PortId port)
    {
        action.kind = ScenarioAction::Kind::SetCapacity;
        action.port = port;
        const std::uint64_t capacity = m_scenario.capacities[port.Value()];
        if (m_dice.Percent(20))
        {
            action.capacity = capacity / 2;
            return;
        }
        if (m_dice.Percent(85))
        {
            ScenarioAction recovery = action;
            recovery.at += Duration{1} + RandomTime(m_dice.OneOf({1, 50, 500}));
            recovery.capacity = capacity;
            m_scenario.actions.push_back(recovery);
        }
    }

    static constexpr Duration TICK{1'000'000};

    ScenarioDice m_dice;
    Scenario m_scenario;
    std::uint64_t m_copies{1};
    std::vector<std::vector<PortId>> m_groups; //!< of the first copy
    std::vector<FluidControl> m_controls;
    std::uint64_t m_lineRate{0};
    Duration m_tick{TICK};
    bool m_capturable{true};
};

std::ostream&
operator<<(std::ostream& out, const std::vector<PortId>& path)
{
    for (const PortId port : path)
    {
        out << ' ' << port.Value();
    }
    return out;
}

} // namespace

Scenario
RandomScenario(std::uint64_t seed)
{
    return Maker(seed).Make();
}

std::string
Describe(const Scenario& scenario)
{
    std::ostringstream out;
    out << "scenario " << scenario.seed << ": patience " << scenario.patience.count() << " ps"
        << (scenario.foretold ? ", foretold" : "") << (scenario.arrivals ? ", arrivals" : "")
        << '\n';
    for (std::size_t i = 0; i < scenario.capacities.size(); ++i)
    {
        out << "port " << i << ": " << scenario.capacities[i] << " bit/s\n";
    }
    constexpr const char* MODES[] = {"exponential", "drift", "oscillation", "noise"};
    for (std::size_t i = 0; i < scenario.flows.size(); ++i)
    {
        const ScenarioFlow& flow = scenario.flows[i];
        out << "flow " << i << ": " << flow.size << " bytes, ports" << flow.path << ", starts "
            << flow.start.count() << " ps";
        if (flow.after)
        {
            out << " after flow " << *flow.after;
        }
        out << ", " << flow.lineRate << " bit/s * " << flow.startRate << "/1024, tick "
            << flow.tick.count() << " ps, " << MODES[static_cast<int>(flow.control.mode)]
            << " gain " << flow.control.gain << " amplitude " << flow.control.amplitude
            << " period " << flow.control.period << " seed " << flow.control.seed
            << (flow.capturable ? "" : ", not capturable") << '\n';
    }
    for (const ScenarioAction& action : scenario.actions)
    {
        out << "at " << action.at.time_since_epoch().count() << " ps: ";
        switch (action.kind)
        {
        case ScenarioAction::Kind::Reroute:
            out << "flow " << action.flow << " takes ports" << action.path << '\n';
            break;
        case ScenarioAction::Kind::Kick:
            out << "flow " << action.flow << " halves its rate\n";
            break;
        case ScenarioAction::Kind::SetCapacity:
            out << "port " << action.port.Value() << " has " << action.capacity << " bit/s\n";
            break;
        }
    }
    return out.str();
}

} // namespace wormhole
