/*
 * SPDX-License-Identifier: MIT
 */
#include "bench.h"
#include "wormhole/partition-map.h"

#include <cstdint>
#include <random>
#include <string>

namespace wormhole::bench
{
namespace
{

/**
 * The ports of a fat-tree without oversubscription: a leaf has as many hosts as its pod has leaves,
 * and as spines, and there is a core for each pair of them. One pod alone has two levels.
 */
class FatTree
{
  public:
    FatTree(std::uint32_t width, std::uint32_t pods)
        : m_width(width),
          m_pods(pods)
    {
    }

    std::uint32_t Hosts() const
    {
        return m_pods * m_width * m_width;
    }

    /** Appends the ports from \p source to \p destination, chosen by \p hash where there are
     * several (ECMP). */
    void AddPath(std::uint32_t source,
                 std::uint32_t destination,
                 std::uint64_t hash,
                 std::vector<PortId>& ports) const
    {
        const std::uint32_t sourceLeaf = source / m_width;
        const std::uint32_t leaf = destination / m_width;
        const std::uint32_t sourcePod = sourceLeaf / m_width;
        const std::uint32_t pod = leaf / m_width;
        const auto spine = static_cast<std::uint32_t>(hash % m_width);
        const auto core = static_cast<std::uint32_t>(hash / m_width % m_width);

        Add(HOST_UP, source, ports);
        if (sourceLeaf != leaf)
        {
            Add(LEAF_UP, sourceLeaf * m_width + spine, ports);
            if (sourcePod != pod)
            {
                Add(SPINE_UP, (sourcePod * m_width + spine) * m_width + core, ports);
                Add(CORE_DOWN, (pod * m_width + spine) * m_width + core, ports);
            }
            Add(SPINE_DOWN, leaf * m_width + spine, ports);
        }
        Add(LEAF_DOWN, destination, ports);
    }

  private:
    enum Kind : std::uint8_t
    {
        HOST_UP,
        LEAF_UP,
        SPINE_UP,
        CORE_DOWN,
        SPINE_DOWN,
        LEAF_DOWN
    };

    /** Of each kind, there are as many ports as hosts. */
    void Add(Kind kind, std::uint32_t index, std::vector<PortId>& ports) const
    {
        ports.emplace_back(kind * Hosts() + index);
    }

    std::uint32_t m_width;
    std::uint32_t m_pods;
};

struct Pair
{
    std::uint32_t source;
    std::uint32_t destination;
};

/** The finaliser of SplitMix64. */
std::uint64_t
Hash(std::uint64_t key)
{
    key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9;
    key = (key ^ (key >> 27)) * 0x94d049bb133111eb;
    return key ^ (key >> 31);
}

/** Each host to the next one. */
std::vector<Pair>
Ring(std::uint32_t hosts, std::mt19937_64& /* random */)
{
    std::vector<Pair> pairs;
    for (std::uint32_t host = 0; host < hosts; ++host)
    {
        pairs.push_back({host, (host + 1) % hosts});
    }
    return pairs;
}

/** Each host to the 64 after it, or to all where there are no more. */
std::vector<Pair>
AllToAll(std::uint32_t hosts, std::mt19937_64& /* random */)
{
    std::vector<Pair> pairs;
    for (std::uint32_t step = 1; step <= std::min<std::uint32_t>(hosts - 1, 64); ++step)
    {
        for (std::uint32_t host = 0; host < hosts; ++host)
        {
            // Spread over the network, as the rounds of an all-to-all are
            const std::uint32_t distance = hosts <= 64 ? step : step * (hosts / 65);
            pairs.push_back({host, (host + distance) % hosts});
        }
    }
    return pairs;
}

/** Each host to another one, and from another one. */
std::vector<Pair>
Permutation(std::uint32_t hosts, std::mt19937_64& random)
{
    std::vector<std::uint32_t> order(hosts);
    for (std::uint32_t i = 0; i < hosts; ++i)
    {
        order[i] = i;
        std::swap(order[i], order[random() % (i + 1)]);
    }
    std::vector<Pair> pairs;
    for (std::uint32_t i = 0; i < hosts; ++i)
    {
        pairs.push_back({order[i], order[(i + 1) % hosts]}); // one cycle, so nobody to itself
    }
    return pairs;
}

struct Pattern
{
    const char* name;
    std::vector<Pair> (*pairs)(std::uint32_t hosts, std::mt19937_64& random);
    bool acknowledgements; //!< the ports that these cross belong to the flow too
};

struct Network
{
    FatTree tree;
    const char* name;
};

/** All flows of a pattern, of which a random one ends and starts again, by another hash, in turn.
 */
class Churn
{
  public:
    Churn(const Network& network, const Pattern& pattern)
        : m_tree(network.tree),
          m_acknowledgements(pattern.acknowledgements),
          m_pairs(pattern.pairs(m_tree.Hosts(), m_random))
    {
        for (const Pair& pair : m_pairs)
        {
            m_flows.emplace_back(m_next);
            m_map.Start(FlowId(m_next), Path(pair, m_next));
            ++m_next;
        }
    }

    /** \param rounds number of ends and starts */
    nlohmann::ordered_json Run(std::size_t rounds)
    {
        for (std::size_t round = 0; round < rounds / 2; ++round)
        {
            Round(); // warms up, and leaves the order of the first starts behind
        }
        m_starts.clear();
        m_ends.clear();
        const PartitionSearchStatistics before = m_map.Statistics();
        for (std::size_t round = 0; round < rounds; ++round)
        {
            Round();
        }
        const PartitionSearchStatistics& after = m_map.Statistics();
        const auto ends = static_cast<double>(after.ends - before.ends);
        std::size_t largest = 0;
        for (const PartitionId partition : m_map.Partitions())
        {
            largest = std::max(largest, m_map.FlowCount(partition));
        }
        return {{"flows", m_flows.size()},
                {"partitions", m_map.Partitions().size()},
                {"flowsInLargest", largest},
                {"start", Summary(m_starts)},
                {"end", Summary(m_ends)},
                {"searchedShare", static_cast<double>(after.searches - before.searches) / ends},
                {"splitShare", static_cast<double>(after.splits - before.splits) / ends},
                {"visitedPerEnd", static_cast<double>(after.visited - before.visited) / ends}};
    }

  private:
    std::vector<PortId> Path(const Pair& pair, std::uint64_t flow) const
    {
        std::vector<PortId> ports;
        m_tree.AddPath(pair.source, pair.destination, Hash(2 * flow), ports);
        if (m_acknowledgements)
        {
            m_tree.AddPath(pair.destination, pair.source, Hash(2 * flow + 1), ports);
        }
        return ports;
    }

    void Round()
    {
        const std::size_t index = m_random() % m_flows.size();
        const FlowId flow(m_next++);
        const std::vector<PortId> ports = Path(m_pairs[index], flow.Value());
        m_ends.push_back(Seconds([&] { m_map.End(m_flows[index]); }));
        m_starts.push_back(Seconds([&] { m_map.Start(flow, ports); }));
        m_flows[index] = flow;
    }

    /** \return the figures of single calls, less what it costs to read the clock */
    static nlohmann::ordered_json Summary(const std::vector<double>& seconds)
    {
        static const double CLOCK = [] {
            std::vector<double> nothing(10001);
            for (double& value : nothing)
            {
                value = Seconds([] {});
            }
            return Median(nothing);
        }();
        double sum = 0;
        for (const double value : seconds)
        {
            sum += value - CLOCK;
        }
        const double mean = sum / static_cast<double>(seconds.size());
        return {{"medianNs", 1e9 * (Median(seconds) - CLOCK)},
                {"meanNs", 1e9 * mean},
                {"perSecond", 1 / mean}};
    }

    std::mt19937_64 m_random{1};
    FatTree m_tree;
    bool m_acknowledgements;
    std::vector<Pair> m_pairs;
    std::vector<FlowId> m_flows; //!< by pair
    std::uint64_t m_next{0};
    PartitionMap m_map;
    std::vector<double> m_starts; //!< seconds of each
    std::vector<double> m_ends;
};

nlohmann::ordered_json
Run(bool quick)
{
    const Network networks[] = {{FatTree(8, 1), "64 hosts"},
                                {FatTree(8, 16), "1024 hosts"},
                                {FatTree(16, 64), "16384 hosts"}};
    const Pattern patterns[] = {{"ring", Ring, false},
                                {"all-to-all (at most 64 flows per host)", AllToAll, false},
                                {"permutation", Permutation, false},
                                {"ring with acknowledgements", Ring, true}};
    nlohmann::ordered_json report;
    for (const Pattern& pattern : patterns)
    {
        for (const Network& network : networks)
        {
            report[pattern.name][network.name] = Churn(network, pattern).Run(quick ? 1000 : 10000);
        }
    }
    return report;
}

const Section SECTION{"partitions", Run};

} // namespace
} // namespace wormhole::bench
