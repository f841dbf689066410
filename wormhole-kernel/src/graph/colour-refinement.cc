/*
 * SPDX-License-Identifier: MIT
 */
#include "graph/colour-refinement.h"

#include "graph/mix.h"

#include <algorithm>
#include <numeric>

namespace wormhole
{

ColourRefinement::ColourRefinement(const ConflictGraph& graph)
    : m_graph(graph),
      m_order(graph.VertexCount()),
      m_place(graph.VertexCount()),
      m_cellOf(graph.VertexCount()),
      m_size(graph.VertexCount()),
      m_touched(graph.VertexCount()),
      m_value(graph.VertexCount()),
      m_queued(graph.VertexCount())
{
}

void
ColourRefinement::Start(const std::vector<Signature>& colours)
{
    std::iota(m_order.begin(), m_order.end(), 0U);
    std::sort(m_order.begin(), m_order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return colours[a] < colours[b];
    });
    std::uint32_t cell = 0;
    for (std::uint32_t place = 0; place < m_order.size(); ++place)
    {
        const std::uint32_t vertex = m_order[place];
        if (place == 0 || colours[vertex] != colours[m_order[place - 1]])
        {
            cell = place;
            ++m_cellCount;
            Queue(cell);
        }
        m_place[vertex] = place;
        m_cellOf[vertex] = cell;
        ++m_size[cell];
    }
    Refine();
}

void
ColourRefinement::StartStable()
{
    for (std::uint32_t vertex = 0; vertex < m_order.size(); ++vertex)
    {
        const std::uint32_t cell = m_graph.Colour(vertex);
        m_cellCount += m_size[cell] == 0 ? 1 : 0;
        const std::uint32_t place = cell + m_size[cell]++;
        m_order[place] = vertex;
        m_place[vertex] = place;
        m_cellOf[vertex] = cell;
    }
}

void
ColourRefinement::Individualise(std::uint32_t vertex)
{
    // Behind the others, for they keep the name of their cell then.
    const std::uint32_t cell = m_cellOf[vertex];
    const std::uint32_t last = cell + --m_size[cell];
    const std::uint32_t other = m_order[last];
    m_order[m_place[vertex]] = other;
    m_place[other] = m_place[vertex];
    m_order[last] = vertex;
    m_place[vertex] = last;
    m_cellOf[vertex] = last;
    m_size[last] = 1;
    ++m_cellCount;
    Queue(last);
    Refine();
}

std::uint32_t
ColourRefinement::SmallOpenCell()
{
    while (m_size[m_firstOpen] == 1)
    {
        ++m_firstOpen;
    }
    constexpr int MAX_TRIED = 64;
    std::uint32_t smallest = m_firstOpen;
    std::uint32_t cell = m_firstOpen;
    for (int tried = 0; tried < MAX_TRIED && cell < m_order.size(); ++tried)
    {
        if (m_size[cell] > 1 && m_size[cell] < m_size[smallest])
        {
            smallest = cell;
        }
        cell += m_size[cell];
        ++m_work;
    }
    return smallest;
}

Signature
ColourRefinement::Sign(const std::vector<Signature>& colours) const
{
    SignatureBuilder builder;
    for (std::uint32_t cell = 0; cell < m_order.size(); cell += m_size[cell])
    {
        // Sums, for neither the order of the vertices nor that of their edges must matter.
        std::uint64_t high = 0;
        std::uint64_t low = 0;
        for (std::uint32_t place = cell; place < cell + m_size[cell]; ++place)
        {
            const std::uint32_t vertex = m_order[place];
            std::uint64_t edges = 0;
            for (const auto& edge : m_graph.Edges(vertex))
            {
                edges += Mix(std::uint64_t{m_cellOf[edge.neighbour]} << 32 | edge.label);
            }
            high += Mix(edges ^ colours[vertex].high);
            low += Mix(edges + colours[vertex].low);
        }
        builder.Add(high).Add(low);
    }
    return builder.Get();
}

void
ColourRefinement::Refine()
{
    while (m_queueHead < m_queue.size() && !IsDiscrete())
    {
        const std::uint32_t splitter = m_queue[m_queueHead++];
        m_queued[splitter] = 0;
        CountEdgesInto(splitter);
        // In the order of the cells, for the order of the queue depends on it.
        std::sort(m_touchedCells.begin(), m_touchedCells.end());
        for (const std::uint32_t cell : m_touchedCells)
        {
            Split(cell);
        }
        m_touchedCells.clear();
    }
    m_queue.clear();
    m_queueHead = 0;
}

/** Lets each vertex know the labels of its edges into \p splitter. */
void
ColourRefinement::CountEdgesInto(std::uint32_t splitter)
{
    // A copy, for the vertices of the splitter itself may be touched, and change places.
    const auto begin = m_order.begin() + splitter;
    m_splitter.assign(begin, begin + m_size[splitter]);
    m_work += m_splitter.size();
    for (const std::uint32_t vertex : m_splitter)
    {
        const auto edges = m_graph.Edges(vertex);
        m_work += edges.size();
        for (const auto& edge : edges)
        {
            // A sum, for the order of the edges must not matter.
            Touch(edge.neighbour, Mix(edge.label));
        }
    }
}

void
ColourRefinement::Touch(std::uint32_t vertex, std::uint64_t value)
{
    const std::uint32_t cell = m_cellOf[vertex];
    if (m_size[cell] == 1)
    {
        return;
    }
    const std::uint32_t place = m_place[vertex];
    const std::uint32_t touchedBegin = cell + m_size[cell] - m_touched[cell];
    if (place >= touchedBegin)
    {
        m_value[vertex] += value;
        return;
    }
    if (m_touched[cell]++ == 0)
    {
        m_touchedCells.push_back(cell);
    }
    const std::uint32_t other = m_order[touchedBegin - 1];
    m_order[touchedBegin - 1] = vertex;
    m_order[place] = other;
    m_place[vertex] = touchedBegin - 1;
    m_place[other] = place;
    m_value[vertex] = value;
}

/** Splits \p cell into vertices that were not touched, and the others by what they see. */
void
ColourRefinement::Split(std::uint32_t cell)
{
    const std::uint32_t end = cell + m_size[cell];
    const std::uint32_t touchedBegin = end - m_touched[cell];
    m_touched[cell] = 0;

    const auto first = m_order.begin() + touchedBegin;
    const auto last = m_order.begin() + end;
    const bool alike = std::all_of(first + 1, last, [&](std::uint32_t vertex) {
        return m_value[vertex] == m_value[*first];
    });
    if (alike && touchedBegin == cell)
    {
        return;
    }
    if (!alike)
    {
        std::sort(first, last, [&](std::uint32_t a, std::uint32_t b) {
            return m_value[a] < m_value[b];
        });
    }

    std::uint32_t part = cell;
    for (std::uint32_t place = touchedBegin; place < end; ++place)
    {
        const std::uint32_t vertex = m_order[place];
        const bool begins =
            place == touchedBegin ? place > cell : m_value[vertex] != m_value[m_order[place - 1]];
        if (begins)
        {
            m_size[part] = place - part;
            part = place;
            ++m_cellCount;
        }
        m_place[vertex] = place;
        m_cellOf[vertex] = part;
    }
    m_size[part] = end - part;
    QueueParts(cell, end);
}

/** Queues the parts of a cell, from \p cell up to \p end, but for the largest, if the cell itself
 * has been a splitter: what a vertex sees of that one follows from the others. */
void
ColourRefinement::QueueParts(std::uint32_t cell, std::uint32_t end)
{
    std::uint32_t spared = end;
    if (m_queued[cell] == 0)
    {
        spared = cell;
        for (std::uint32_t part = cell; part < end; part += m_size[part])
        {
            spared = m_size[part] > m_size[spared] ? part : spared;
        }
    }
    for (std::uint32_t part = cell; part < end; part += m_size[part])
    {
        if (part != spared)
        {
            Queue(part);
        }
    }
}

void
ColourRefinement::Queue(std::uint32_t cell)
{
    if (m_queued[cell] == 0)
    {
        m_queued[cell] = 1;
        m_queue.push_back(cell);
    }
}

} // namespace wormhole
