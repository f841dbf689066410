/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_FINDINGS_H
#define WORMHOLE_FINDINGS_H

#include <cstdint>
#include <string>

namespace wormhole
{

/** Keeps the first thing that a self-check finds wrong. */
class Findings
{
  public:
    void Expect(bool holds, const char* what, std::uint64_t which)
    {
        if (!holds && m_first.empty())
        {
            m_first = std::string(what) + " (" + std::to_string(which) + ")";
        }
    }

    const std::string& First() const
    {
        return m_first;
    }

  private:
    std::string m_first;
};

} // namespace wormhole

#endif // WORMHOLE_FINDINGS_H
