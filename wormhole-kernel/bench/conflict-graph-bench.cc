/*
 * SPDX-License-Identifier: MIT
 */
#include "bench.h"
#include "wormhole/isomorphism.h"

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace wormhole::bench
{
namespace
{

/** What a graph is built from. */
struct Flows
{
    std::string name;
    std::vector<FlowAttributes> attributes;
    std::vector<std::vector<PortId>> paths;
    std::vector<PortId> ports;
};

/** \p count flows whose paths are \p pathOf their numbers; \p distinct: no two are alike. */
Flows
Make(std::string name,
     std::uint32_t count,
     bool distinct,
     const std::function<std::vector<std::uint32_t>(std::uint32_t)>& pathOf)
{
    Flows flows{std::move(name), std::vector<FlowAttributes>(count), {}, {}};
    std::vector<bool> known;
    for (std::uint32_t i = 0; i < count; ++i)
    {
        flows.attributes[i].control = 1;
        flows.attributes[i].lineRate = 100'000'000'000;
        flows.attributes[i].startRateClass = distinct ? static_cast<std::int32_t>(i) : 0;
        flows.paths.emplace_back();
        for (const std::uint32_t port : pathOf(i))
        {
            flows.paths.back().emplace_back(port);
            known.resize(std::max<std::size_t>(known.size(), port + 1U));
            if (!known[port])
            {
                known[port] = true;
                flows.ports.emplace_back(port);
            }
        }
    }
    return flows;
}

/** From a host to the next through a spine: 4 ports, two of them shared with a neighbour. */
std::vector<std::uint32_t>
RingPath(std::uint32_t flow, std::uint32_t flows)
{
    const std::uint32_t next = (flow + 1) % flows;
    return {flow, 1000 + flow / 2, 2000 + next / 2, 3000 + next};
}

std::vector<std::uint32_t>
AllToAllPath(std::uint32_t flow, std::uint32_t hosts)
{
    const std::uint32_t from = flow / (hosts - 1);
    const std::uint32_t rest = flow % (hosts - 1);
    const std::uint32_t to = rest < from ? rest : rest + 1;
    if (from / 8 == to / 8)
    {
        return {from, 3000 + to};
    }
    return {from, 1000 + from / 8 * 8 + to % 8, 2000 + to / 8 * 8 + to % 8, 3000 + to};
}

std::vector<Flows>
Patterns()
{
    const auto ring = [](std::uint32_t count) {
        return [count](std::uint32_t flow) { return RingPath(flow, count); };
    };
    const auto allToAll = [](std::uint32_t flow) { return AllToAllPath(flow, 64); };
    const auto incast = [](std::uint32_t flow) {
        return std::vector<std::uint32_t>{flow, 1000 + flow / 8, 2000};
    };
    return {Make("2 alike, one bottleneck", 2, false, incast),
            Make("8 distinct, ring", 8, true, ring(8)),
            Make("8 alike, ring", 8, false, ring(8)),
            Make("8 alike, incast", 8, false, incast),
            Make("16 alike, ring", 16, false, ring(16)),
            Make("64 alike, ring", 64, false, ring(64)),
            Make("64 alike, incast", 64, false, incast),
            Make("4032 alike, all-to-all of 64", 4032, false, allToAll)};
}

/** \return the same flows in another order */
Flows
Shuffle(Flows flows)
{
    std::mt19937_64 random(1);
    for (std::size_t i = flows.paths.size(); i > 1; --i)
    {
        const std::size_t j = random() % i;
        std::swap(flows.attributes[i - 1], flows.attributes[j]);
        std::swap(flows.paths[i - 1], flows.paths[j]);
    }
    return flows;
}

ConflictGraph
Build(ConflictGraph::Builder& builder, const Flows& flows)
{
    for (std::size_t i = 0; i < flows.paths.size(); ++i)
    {
        builder.AddFlow(flows.attributes[i], flows.paths[i]);
    }
    for (const PortId port : flows.ports)
    {
        PortAttributes attributes;
        attributes.rate = 100'000'000'000;
        builder.AddPort(port, attributes);
    }
    return builder.Build();
}

/** \return microseconds that \p work takes, the median of several rounds */
template <class Work>
double
Microseconds(bool quick, Work&& work)
{
    const double first = Seconds(work);
    const double round = quick ? 0.002 : 0.02;
    const auto calls = static_cast<std::size_t>(1 + round / (first + 1e-7));
    std::vector<double> rounds;
    for (int i = 0; i < 9; ++i)
    {
        const double seconds = Seconds([&] {
            for (std::size_t call = 0; call < calls; ++call)
            {
                work();
            }
        });
        rounds.push_back(seconds / static_cast<double>(calls) * 1e6);
    }
    return Median(rounds);
}

nlohmann::ordered_json
Run(bool quick)
{
    nlohmann::ordered_json report;
    for (const Flows& flows : Patterns())
    {
        const Flows shuffled = Shuffle(flows);
        for (const GraphDetail detail : {GraphDetail::Flows, GraphDetail::Ports})
        {
            ConflictGraph::Builder builder(detail);
            const ConflictGraph graph = Build(builder, flows);
            const ConflictGraph other = Build(builder, shuffled);
            Isomorphism found;
            const double build = Microseconds(quick, [&] { Build(builder, flows); });
            const double match =
                Microseconds(quick, [&] { found = FindIsomorphism(graph, other, 1'000'000); });
            report[flows.name][detail == GraphDetail::Flows ? "flows" : "ports"] = {
                {"vertices", graph.VertexCount()},
                {"edges", graph.EdgeCount()},
                {"buildAndSignMicroseconds", build},
                {"matchMicroseconds", match},
                {"matched", found.outcome == Isomorphism::Outcome::Match},
                {"work", found.work}};
        }
    }
    double value = 1e9;
    report["quantiseLogNanoseconds"] =
        1e3 * Microseconds(quick, [&] { value += QuantiseLog(value, 1.05); });
    return report;
}

const Section SECTION{"conflictGraphs", Run};

} // namespace
} // namespace wormhole::bench
