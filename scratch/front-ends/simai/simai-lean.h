/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_SIMAI_LEAN_H
#define WORMHOLE_SIMAI_LEAN_H

#include <cstddef>
#include <cstdlib>
#include <vector>

// What the leaner copies of SimAI's files use (LeanSources.cmake).

namespace wormhole
{

/** A number for each channel, in place of a std::map<int, int>: channels are numbered from 0. */
class SimAiNumbersByChannel
{
  public:
    int& operator[](size_t channel)
    {
        if (channel >= m_numbers.size())
        {
            m_numbers.resize(channel + 1);
        }
        return m_numbers[channel];
    }

    /** \return 1 for a channel that was asked for, or that is before one; else 0 */
    size_t count(size_t channel) const
    {
        return channel < m_numbers.size() ? 1 : 0;
    }

    /** As of a map: end() if there is no such channel. @{ */
    const int* find(size_t channel) const
    {
        return count(channel) ? m_numbers.data() + channel : end();
    }

    const int* end() const
    {
        return nullptr;
    }

    /** @} */

  private:
    std::vector<int> m_numbers;
};

/** \return whether SimAI's log may have lines below its default level: the user asks for a level */
inline bool
SimAiLogsDetails()
{
    static const bool s_asked = std::getenv("AS_LOG_LEVEL") != nullptr;
    return s_asked;
}

} // namespace wormhole

#endif // WORMHOLE_SIMAI_LEAN_H
