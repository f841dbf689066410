/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_TEST_GOAL_H
#define WORMHOLE_TEST_GOAL_H

#include "ns3/workload-schedule.h"

#include <cstdint>
#include <string>

namespace harness
{

/** \return the schedule of one of our own GOAL files, read without the module's reader */
ns3::WorkloadSchedule ReadPlainGoal(const std::string& file);

/** A generator of its own, so that cases are the same on every machine. */
class Dice
{
  public:
    explicit Dice(uint64_t seed)
        : m_state(seed * 0x9e3779b97f4a7c15 + 1)
    {
    }

    /** \return a number in [0, sides) */
    uint64_t Roll(uint64_t sides)
    {
        m_state ^= m_state << 13;
        m_state ^= m_state >> 7;
        m_state ^= m_state << 17;
        return (m_state * 0x2545f4914f6cdd1d >> 33) % sides;
    }

  private:
    uint64_t m_state;
};

} // namespace harness

#endif // WORMHOLE_TEST_GOAL_H
