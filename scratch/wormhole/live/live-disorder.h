/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_LIVE_DISORDER_H
#define WORMHOLE_CLI_LIVE_DISORDER_H

#include "live-messages.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace wormhole
{

/** What ranks said late: behind the time at which their clocks were. */
class LiveDisorder
{
  public:
    /** Least that counts, ps: clocks go on by ns. */
    static constexpr int64_t LEAST_PS = 1000;

    /** Counts what a rank says, which the network's time has passed by so much, if it has.
     * \return whether it is late */
    bool Add(int64_t ps)
    {
        ++m_all;
        if (ps < LEAST_PS)
        {
            return false;
        }
        ++m_late;
        m_sumPs += static_cast<double>(ps);
        m_mostPs = std::max(m_mostPs, ps);
        return true;
    }

    /** \return the counts. \param sent what became of messages */
    nlohmann::ordered_json GetSummary(int64_t boundNs, const LiveLateness& sent) const
    {
        constexpr double PS_PER_NS = 1e3;
        return {{"bound_ns", boundNs},
                {"messages", m_all},
                {"late", m_late},
                {"late_ns",
                 {{"mean", m_late > 0 ? m_sumPs / static_cast<double>(m_late) / PS_PER_NS : 0.0},
                  {"max", static_cast<double>(m_mostPs) / PS_PER_NS}}},
                {"skipped_back", sent.skippedBack},
                {"simulated_late", sent.simulatedLate}};
    }

  private:
    uint64_t m_all{0};
    uint64_t m_late{0};
    double m_sumPs{0};
    int64_t m_mostPs{0};
};

} // namespace wormhole

#endif // WORMHOLE_CLI_LIVE_DISORDER_H
