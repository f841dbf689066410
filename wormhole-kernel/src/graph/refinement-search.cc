/*
 * SPDX-License-Identifier: MIT
 */
#include "graph/colour-refinement.h"
#include "graph/isomorphism-search.h"
#include "graph/vertex-mapping.h"

#include <vector>

namespace wormhole
{
namespace
{

using Outcome = Isomorphism::Outcome;

/** Graphs that need more have so many symmetries that trying all of them is no use. */
constexpr std::size_t MAX_LEVELS = 64;

class RefinementSearch
{
  public:
    RefinementSearch(const ConflictGraph& a,
                     const ConflictGraph& b,
                     std::uint64_t workLimit,
                     Isomorphism& result)
        : m_a(a),
          m_b(b),
          m_workLimit(workLimit),
          m_result(result),
          m_noColours(a.VertexCount())
    {
        m_levels.reserve(MAX_LEVELS + 1);
    }

    void Run()
    {
        ColourRefinement cellsOfA(m_a);
        cellsOfA.StartStable();
        m_levels.push_back({cellsOfA, cellsOfA.Sign(m_noColours)});
        ColourRefinement cellsOfB(m_b);
        cellsOfB.StartStable();
        m_result.outcome = Extend(0, cellsOfB);
    }

  private:
    /** A refinement of a's colours, which b's are compared with. */
    struct Level
    {
        ColourRefinement cells;
        Signature signature;
    };

    /** \return what becomes of b if \p cells are its colours at \p depth */
    Outcome Extend(std::size_t depth, const ColourRefinement& cells)
    {
        ColourRefinement& cellsOfA = m_levels[depth].cells;
        if (cellsOfA.IsDiscrete())
        {
            return Compare(cellsOfA, cells);
        }
        if (depth == MAX_LEVELS)
        {
            return Outcome::GaveUp;
        }
        const std::uint32_t cell = cellsOfA.SmallOpenCell();
        if (depth + 1 == m_levels.size())
        {
            AddLevel(cell);
        }
        // Signatures may collide, so look whether b has that cell.
        const std::uint32_t size = cellsOfA.SizeOf(cell);
        if (cells.CellOf(cells.Order()[cell]) != cell || cells.SizeOf(cell) != size)
        {
            return Outcome::Different;
        }
        for (std::uint32_t place = cell; place < cell + size; ++place)
        {
            if (m_result.work > m_workLimit)
            {
                return Outcome::GaveUp;
            }
            const ColourRefinement next = Individualised(cells, cells.Order()[place]);
            if (next.Sign(m_noColours) == m_levels[depth + 1].signature)
            {
                const Outcome outcome = Extend(depth + 1, next);
                if (outcome != Outcome::Different)
                {
                    return outcome;
                }
            }
        }
        return Outcome::Different;
    }

    void AddLevel(std::uint32_t cell)
    {
        const ColourRefinement& cells = m_levels.back().cells;
        const ColourRefinement next = Individualised(cells, cells.Order()[cell]);
        m_levels.push_back({next, next.Sign(m_noColours)});
    }

    ColourRefinement Individualised(const ColourRefinement& cells, std::uint32_t vertex)
    {
        ColourRefinement next = cells;
        next.Individualise(vertex);
        m_result.work += next.Work() - cells.Work() + m_a.VertexCount() + 2 * m_a.EdgeCount();
        return next;
    }

    Outcome Compare(const ColourRefinement& cellsOfA, const ColourRefinement& cellsOfB)
    {
        std::vector<std::uint32_t> vertices(m_a.VertexCount());
        for (std::size_t place = 0; place < vertices.size(); ++place)
        {
            vertices[cellsOfA.Order()[place]] = cellsOfB.Order()[place];
        }
        m_result.work += m_a.VertexCount() + 2 * m_a.EdgeCount();
        if (!IsIsomorphism(m_a, m_b, vertices))
        {
            return Outcome::Different;
        }
        m_result.vertices = vertices;
        return Outcome::Match;
    }

    const ConflictGraph& m_a;
    const ConflictGraph& m_b;
    const std::uint64_t m_workLimit;
    Isomorphism& m_result;
    const std::vector<Signature> m_noColours; //!< all alike: the cells say what counts
    std::vector<Level> m_levels;
};

} // namespace

void
SearchByRefinement(const ConflictGraph& a,
                   const ConflictGraph& b,
                   std::uint64_t workLimit,
                   Isomorphism& result)
{
    RefinementSearch(a, b, workLimit, result).Run();
}

} // namespace wormhole
