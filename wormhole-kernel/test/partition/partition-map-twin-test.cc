/*
 * SPDX-License-Identifier: MIT
 */

// Random calls, compared with a twin that works by brute force. Cases by hand:
// partition-map-test.cc.

#include "repetitions.h"
#include "wormhole/partition-map.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace wormhole
{

namespace
{

using Ports = std::vector<PortId>;
using Flows = std::vector<FlowId>;
using Ids = std::vector<PartitionId>;

/** The same by brute force: an end computes the components of what is left from nothing. */
class Twin
{
  public:
    struct Partition
    {
        std::set<FlowId> flows;
        std::set<PortId> ports;

        std::size_t Size() const
        {
            return flows.size() + ports.size();
        }
    };

    PartitionChange Start(FlowId flow, const Ports& path)
    {
        const std::set<PortId> ports(path.begin(), path.end());
        PartitionChange change;
        Partition whole{{flow}, ports};
        std::size_t largest = 0;
        Ids touched;
        for (const auto& [id, partition] : partitions)
        {
            const auto isOf = [&partition = partition](PortId port) {
                return partition.ports.count(port) > 0;
            };
            if (std::any_of(ports.begin(), ports.end(), isOf))
            {
                touched.push_back(id); // ascending, so the lowest of equals comes first
                if (partition.Size() > largest)
                {
                    largest = partition.Size();
                    change.partition = id;
                }
            }
        }
        change.created = touched.empty();
        if (change.created)
        {
            change.partition = PartitionId(m_next++);
        }
        for (const PartitionId id : touched)
        {
            Absorb(whole, partitions[id]);
            partitions.erase(id);
            if (id != change.partition)
            {
                change.merged.push_back(id);
            }
        }
        partitions[change.partition] = whole;
        paths[flow] = ports;
        return change;
    }

    PartitionChange End(FlowId flow)
    {
        PartitionChange change;
        change.partition = Find(flow);
        std::vector<Partition> parts; // in the order of their smallest flows
        std::set<FlowId> left = partitions[change.partition].flows;
        left.erase(flow);
        partitions.erase(change.partition);
        paths.erase(flow);
        while (!left.empty())
        {
            parts.push_back(Component(*left.begin(), left));
        }
        if (parts.empty())
        {
            change.vanished = true;
            return change;
        }
        const auto largest =
            std::max_element(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
                return a.Size() < b.Size(); // the first of equals
            });
        partitions[change.partition] = *largest;
        parts.erase(largest);
        for (const Partition& part : parts)
        {
            change.split.emplace_back(m_next++);
            partitions[change.split.back()] = part;
        }
        return change;
    }

    PartitionId Find(FlowId flow) const
    {
        const auto found =
            std::find_if(partitions.begin(), partitions.end(), [flow](const auto& entry) {
                return entry.second.flows.count(flow) > 0;
            });
        return found->first;
    }

    std::map<PartitionId, Partition> partitions;
    std::map<FlowId, std::set<PortId>> paths;

  private:
    static void Absorb(Partition& whole, const Partition& part)
    {
        whole.flows.insert(part.flows.begin(), part.flows.end());
        whole.ports.insert(part.ports.begin(), part.ports.end());
    }

    /** \return what \p seed is connected with among \p left, from which it is taken */
    Partition Component(FlowId seed, std::set<FlowId>& left) const
    {
        Partition part{{seed}, paths.at(seed)};
        left.erase(seed);
        for (bool grown = true; grown;)
        {
            grown = false;
            for (auto next = left.begin(); next != left.end();)
            {
                const auto& path = paths.at(*next);
                const auto isOf = [&part](PortId port) { return part.ports.count(port) > 0; };
                if (std::any_of(path.begin(), path.end(), isOf))
                {
                    Absorb(part, {{*next}, path});
                    next = left.erase(next);
                    grown = true;
                }
                else
                {
                    ++next;
                }
            }
        }
        return part;
    }

    std::uint64_t m_next{0};
};

void
ExpectSame(const PartitionChange& actual, const PartitionChange& expected)
{
    EXPECT_EQ(actual.partition, expected.partition);
    EXPECT_EQ(actual.created, expected.created);
    EXPECT_EQ(actual.vanished, expected.vanished);
    EXPECT_EQ(actual.merged, expected.merged);
    EXPECT_EQ(actual.split, expected.split);
}

/** Every query, against the twin. */
void
ExpectSame(const PartitionMap& map, const Twin& twin, std::uint32_t portCount)
{
    Ids ids;
    std::map<PortId, PartitionId> ofPort;
    for (const auto& [id, partition] : twin.partitions)
    {
        ids.push_back(id);
        EXPECT_TRUE(map.Contains(id));
        EXPECT_EQ(map.FlowsOf(id), Flows(partition.flows.begin(), partition.flows.end()));
        EXPECT_EQ(map.PortsOf(id), Ports(partition.ports.begin(), partition.ports.end()));
        EXPECT_EQ(map.FlowCount(id), partition.flows.size());
        EXPECT_EQ(map.PortCount(id), partition.ports.size());
        for (const FlowId flow : partition.flows)
        {
            EXPECT_EQ(map.PartitionOf(flow), id);
        }
        for (const PortId port : partition.ports)
        {
            ofPort[port] = id;
        }
    }
    EXPECT_EQ(map.Partitions(), ids);
    for (PortId port; port.Value() < portCount; port = PortId(port.Value() + 1))
    {
        Flows users;
        for (const auto& [flow, path] : twin.paths)
        {
            if (path.count(port) > 0)
            {
                users.push_back(flow);
            }
        }
        EXPECT_EQ(map.FlowsOn(port), users);
        EXPECT_EQ(map.PartitionOf(port).has_value(), ofPort.count(port) > 0);
        if (ofPort.count(port) > 0)
        {
            EXPECT_EQ(map.PartitionOf(port), ofPort[port]);
        }
    }
}

/** What a random sequence looks like. */
struct Shape
{
    std::uint32_t ports;
    std::size_t flows; //!< at a time, about
    std::size_t longestPath;
    int calls;
    int callsPerCheck; //!< of everything
};

/** A map and its twin, driven by the same random calls. */
class TwinRun
{
  public:
    TwinRun(const Shape& shape, std::uint64_t seed)
        : m_shape(shape),
          m_random(seed)
    {
    }

    /** Stops early when something is wrong. */
    void Run()
    {
        for (int call = 1; call <= m_shape.calls && !testing::Test::HasFailure(); ++call)
        {
            Call();
            EXPECT_EQ(map.SelfCheck(), "");
            if (call % m_shape.callsPerCheck == 0)
            {
                ExpectSame(map, m_twin, m_shape.ports);
            }
        }
    }

    PartitionMap map;

  private:
    /** \return a number below \p bound */
    std::uint64_t Draw(std::uint64_t bound)
    {
        return m_random() % bound;
    }

    Ports DrawPath()
    {
        Ports ports;
        for (std::size_t length = Draw(m_shape.longestPath + 1); ports.size() < length;)
        {
            ports.emplace_back(static_cast<std::uint32_t>(Draw(m_shape.ports)));
        }
        return ports;
    }

    void Call()
    {
        if (Draw(2 * m_shape.flows) >= m_flows.size())
        {
            // Not in the order of their numbers; distinct since odd factors are invertible.
            const FlowId flow(++m_started * 0x9e3779b97f4a7c15);
            const Ports ports = DrawPath();
            ExpectSame(map.Start(flow, ports), m_twin.Start(flow, ports));
            m_flows.push_back(flow);
            return;
        }
        const std::size_t index = Draw(m_flows.size());
        const FlowId flow = m_flows[index];
        const PartitionSearchStatistics before = map.Statistics();
        const std::size_t size = m_twin.partitions.at(m_twin.Find(flow)).Size();
        PartitionChange change;
        if (Draw(3) == 0)
        {
            const Ports ports = DrawPath();
            const auto reroute = map.Reroute(flow, ports);
            change = reroute.end;
            ExpectSame(reroute.end, m_twin.End(flow));
            ExpectSame(reroute.start, m_twin.Start(flow, ports));
        }
        else
        {
            change = map.End(flow);
            ExpectSame(change, m_twin.End(flow));
            m_flows[index] = m_flows.back();
            m_flows.pop_back();
        }
        CheckStatistics(before, change, size);
    }

    void CheckStatistics(const PartitionSearchStatistics& before,
                         const PartitionChange& change,
                         std::size_t size)
    {
        const PartitionSearchStatistics& after = map.Statistics();
        const bool searched = after.searches > before.searches;
        EXPECT_EQ(after.ends, before.ends + 1);
        EXPECT_EQ(after.searches, before.searches + (searched ? 1 : 0));
        EXPECT_EQ(after.splits, before.splits + (change.split.empty() ? 0 : 1));
        EXPECT_LE(change.split.empty() ? 0 : 1, searched ? 1 : 0);
        // Nothing is looked at twice, and the flow that ended is not looked at.
        EXPECT_LE(after.visited - before.visited, searched ? size - 1 : 0);
    }

    Shape m_shape;
    std::mt19937_64 m_random;
    Twin m_twin;
    Flows m_flows;
    std::uint64_t m_started{0};
};

TEST(PartitionMapTwin, EqualsIt)
{
    for (std::uint64_t seed = 0; seed < test::Repetitions(10000) && !HasFailure(); ++seed)
    {
        SCOPED_TRACE(seed);
        const auto ports = static_cast<std::uint32_t>(2 + seed % 11);
        const std::size_t flows = 2 + seed / 11 % 9;
        TwinRun({ports, flows, 2 + seed / 99 % 5, 30, 30}, seed).Run();
    }
}

TEST(PartitionMapTwin, EqualsItOnLongerSequences)
{
    // Paths of 0 to 2 ports over many ports break up often, longer ones hold together.
    const Shape shapes[] = {{60, 50, 2, 1500, 100},
                            {150, 60, 4, 1500, 100},
                            {40, 80, 3, 1500, 100},
                            {12, 60, 2, 1500, 100},
                            {300, 100, 8, 1500, 100}};
    for (const Shape& shape : shapes)
    {
        SCOPED_TRACE(shape.ports);
        TwinRun run(shape, shape.ports);
        run.Run();
        EXPECT_GT(run.map.Statistics().searches, 10U);
        EXPECT_GE(run.map.Statistics().searches, run.map.Statistics().splits);
    }
}

} // namespace
} // namespace wormhole
