/*
 * SPDX-License-Identifier: MIT
 */
#include "graph/isomorphism-search.h"
#include "graph/vertex-mapping.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/vf2_sub_graph_iso.hpp>
#include <numeric>
#include <vector>

namespace wormhole
{
namespace
{

struct Label
{
    std::uint32_t value;
};

// Edges in a set, so that VF2 finds the one between two vertices fast.
using SearchGraph =
    boost::adjacency_list<boost::setS, boost::vecS, boost::undirectedS, boost::no_property, Label>;

SearchGraph
MakeSearchGraph(const ConflictGraph& graph)
{
    SearchGraph copy(graph.VertexCount());
    for (std::uint32_t vertex = 0; vertex < graph.VertexCount(); ++vertex)
    {
        for (const auto& edge : graph.Edges(vertex))
        {
            if (edge.neighbour > vertex)
            {
                boost::add_edge(vertex, edge.neighbour, Label{edge.label}, copy);
            }
        }
    }
    return copy;
}

/** Ends the search: VF2 has no other way of being stopped. */
struct LimitReached
{
};

class WorkCounter
{
  public:
    WorkCounter(std::uint64_t& work, std::uint64_t limit)
        : m_work(work),
          m_limit(limit)
    {
    }

    void Count(std::uint64_t steps)
    {
        m_work += steps;
        if (m_work > m_limit)
        {
            throw LimitReached{};
        }
    }

  private:
    std::uint64_t& m_work;
    std::uint64_t m_limit;
};

/** \return the vertices of \p graph, those of rare colours first: they have few images */
std::vector<std::size_t>
SearchOrder(const ConflictGraph& graph)
{
    std::vector<std::size_t> cellSizes(graph.VertexCount(), 0);
    for (std::uint32_t vertex = 0; vertex < graph.VertexCount(); ++vertex)
    {
        ++cellSizes[graph.Colour(vertex)];
    }
    std::vector<std::size_t> order(graph.VertexCount());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t v, std::size_t w) {
        return cellSizes[graph.Colour(static_cast<std::uint32_t>(v))] <
               cellSizes[graph.Colour(static_cast<std::uint32_t>(w))];
    });
    return order;
}

} // namespace

void
SearchByVf2(const ConflictGraph& a,
            const ConflictGraph& b,
            std::uint64_t workLimit,
            Isomorphism& result)
{
    WorkCounter counter(result.work, workLimit);
    const auto found = [&](const auto& images, const auto&) {
        result.outcome = Isomorphism::Outcome::Match;
        for (std::uint32_t vertex = 0; vertex < a.VertexCount(); ++vertex)
        {
            result.vertices.push_back(static_cast<std::uint32_t>(get(images, vertex)));
        }
        return false; // one is enough
    };
    result.outcome = Isomorphism::Outcome::Different;
    try
    {
        counter.Count(2 * (a.VertexCount() + a.EdgeCount()));
        const SearchGraph copyOfA = MakeSearchGraph(a);
        const SearchGraph copyOfB = MakeSearchGraph(b);
        const auto sameLabel = [&](const auto& edge, const auto& image) {
            counter.Count(1);
            return copyOfA[edge].value == copyOfB[image].value;
        };
        const auto alike = [&](std::size_t vertex, std::size_t image) {
            counter.Count(1);
            const auto v = static_cast<std::uint32_t>(vertex);
            const auto w = static_cast<std::uint32_t>(image);
            return a.Colour(v) == b.Colour(w) && AreAlike(a, v, b, w);
        };
        boost::vf2_graph_iso(copyOfA,
                             copyOfB,
                             found,
                             get(boost::vertex_index, copyOfA),
                             get(boost::vertex_index, copyOfB),
                             SearchOrder(a),
                             sameLabel,
                             alike);
    }
    catch (const LimitReached&)
    {
        result.outcome = Isomorphism::Outcome::GaveUp;
    }
}

} // namespace wormhole
