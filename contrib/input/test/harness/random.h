/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_RANDOM_H
#define HARNESS_RANDOM_H

#include <cstdint>

namespace harness
{

/** splitmix64: the same numbers on every machine. */
class Random
{
  public:
    explicit Random(uint64_t seed)
        : m_state(seed)
    {
    }

    /** \return a number less than \p end */
    uint32_t Below(uint32_t end)
    {
        uint64_t z = (m_state += 0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return static_cast<uint32_t>((z ^ (z >> 31)) % end);
    }

  private:
    uint64_t m_state;
};

} // namespace harness

#endif // HARNESS_RANDOM_H
