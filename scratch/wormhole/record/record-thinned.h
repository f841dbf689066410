/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_RECORD_THINNED_H
#define WORMHOLE_CLI_RECORD_THINNED_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace wormhole
{

/** A list that stays short: all of the first items, then every k-th, where k doubles when it must.
 */
template <typename Item>
class RecordThinned
{
  public:
    /** \param all how many of the first are kept \param most how many of the others are */
    RecordThinned(size_t all, size_t most)
        : m_all(all),
          m_most(most)
    {
    }

    void Add(Item item)
    {
        const uint64_t number = m_count++;
        if (number < m_all)
        {
            m_items.push_back(std::move(item));
            return;
        }
        if ((number - m_all) % m_every != 0)
        {
            return;
        }
        if (m_items.size() == m_all + m_most)
        {
            m_every *= 2;
            for (size_t i = 0; m_all + 2 * i < m_items.size(); ++i)
            {
                m_items[m_all + i] = std::move(m_items[m_all + 2 * i]);
            }
            m_items.resize(m_all + (m_most + 1) / 2);
            if ((number - m_all) % m_every != 0)
            {
                return;
            }
        }
        m_items.push_back(std::move(item));
    }

    const std::vector<Item>& GetItems() const
    {
        return m_items;
    }

    /** \return items added */
    uint64_t GetCount() const
    {
        return m_count;
    }

    /** \return k, of those after the first */
    uint64_t GetEvery() const
    {
        return m_every;
    }

  private:
    size_t m_all;
    size_t m_most;
    uint64_t m_count{0};
    uint64_t m_every{1};
    std::vector<Item> m_items;
};

} // namespace wormhole

#endif // WORMHOLE_CLI_RECORD_THINNED_H
