/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_SLOT_TABLE_H
#define WORMHOLE_SLOT_TABLE_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wormhole
{

/**
 * \brief Where in a vector the thing with a given number is.
 *
 * A hash table with linear probing in one block of memory, at most half full, so a look-up is
 * nearly always one cache miss. Expected O(1) each. Nothing iterates over it, so its order shows
 * nowhere.
 */
class SlotTable
{
  public:
    static constexpr std::uint32_t NONE = UINT32_MAX;

    /** \return the slot of \p key, NONE if it has none */
    std::uint32_t Find(std::uint64_t key) const
    {
        if (m_cells.empty())
        {
            return NONE;
        }
        return m_cells[Probe(key)].slot;
    }

    /** \param slot not NONE; replaces the one that \p key had */
    void Set(std::uint64_t key, std::uint32_t slot)
    {
        if (2 * (m_size + 1) > m_cells.size())
        {
            Grow();
        }
        Cell& cell = m_cells[Probe(key)];
        m_size += cell.slot == NONE ? 1 : 0;
        cell = {key, slot};
    }

    /** \param key must be there */
    void Erase(std::uint64_t key)
    {
        // Close the gap: whatever is further on and may not stay behind a gap moves into it.
        std::size_t gap = Probe(key);
        const std::size_t mask = m_cells.size() - 1;
        for (std::size_t next = (gap + 1) & mask; m_cells[next].slot != NONE;
             next = (next + 1) & mask)
        {
            const std::size_t home = Hash(m_cells[next].key) & mask;
            if (((next - home) & mask) >= ((next - gap) & mask))
            {
                m_cells[gap] = m_cells[next];
                gap = next;
            }
        }
        m_cells[gap].slot = NONE;
        --m_size;
    }

  private:
    struct Cell
    {
        std::uint64_t key{0};
        std::uint32_t slot{NONE};
    };

    /** Mixes all bits of \p key (the finaliser of SplitMix64): ids may be composed of fields. */
    static std::size_t Hash(std::uint64_t key)
    {
        key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9;
        key = (key ^ (key >> 27)) * 0x94d049bb133111eb;
        return key ^ (key >> 31);
    }

    /** \return the cell that holds \p key, or the empty one where it would be */
    std::size_t Probe(std::uint64_t key) const
    {
        const std::size_t mask = m_cells.size() - 1;
        std::size_t at = Hash(key) & mask;
        while (m_cells[at].slot != NONE && m_cells[at].key != key)
        {
            at = (at + 1) & mask;
        }
        return at;
    }

    void Grow()
    {
        std::vector<Cell> old(m_cells.empty() ? 16 : 2 * m_cells.size());
        old.swap(m_cells);
        for (const Cell& cell : old)
        {
            if (cell.slot != NONE)
            {
                m_cells[Probe(cell.key)] = cell;
            }
        }
    }

    std::vector<Cell> m_cells; //!< a power of two, or none
    std::size_t m_size{0};
};

} // namespace wormhole

#endif // WORMHOLE_SLOT_TABLE_H
