/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-entropy.h"

#include "ns3/abort.h"
#include "ns3/rdma-random.h"

#include <algorithm>

namespace ns3
{

namespace
{
constexpr const char* RANDOM_NAME = "random";
constexpr const char* REPS_NAME = "reps";
} // namespace

RdmaEntropyRule
RdmaEntropyRuleFromName(const std::string& name)
{
    NS_ABORT_MSG_IF(name != RANDOM_NAME && name != REPS_NAME,
                    "RdmaHost::Entropy: \"" << name << "\" is neither " << RANDOM_NAME << " nor "
                                            << REPS_NAME);
    return name == REPS_NAME ? RdmaEntropyRule::REPS : RdmaEntropyRule::RANDOM;
}

std::string
RdmaEntropyRuleName(RdmaEntropyRule rule)
{
    return rule == RdmaEntropyRule::REPS ? REPS_NAME : RANDOM_NAME;
}

RdmaEntropy::RdmaEntropy(RdmaEntropyRule rule, uint32_t values, uint32_t explore, int64_t freezing)
    : m_rule(rule),
      m_values(values),
      m_toExplore(explore),
      m_explore(explore),
      m_freezing(freezing)
{
}

uint16_t
RdmaEntropy::Next(uint64_t key, uint32_t serial)
{
    const bool none = m_filled == 0 || (m_countValid == 0 && !m_frozen);
    if (m_rule == RdmaEntropyRule::REPS && !none && m_explore == 0)
    {
        return Recycle();
    }
    m_explore -= std::min<uint32_t>(m_explore, 1);
    return static_cast<uint16_t>(RdmaDrawBits(key, serial) % m_values);
}

/** \return the oldest value that is still to be used; if there is none, that of the next place */
uint16_t
RdmaEntropy::Recycle()
{
    if (m_countValid > 0)
    {
        const uint32_t place = (m_head + KEPT - m_countValid) % KEPT;
        m_valid[place] = false;
        --m_countValid;
        return m_kept[place];
    }
    const uint32_t place = m_head % m_filled; // places beyond were never filled
    m_head = (place + 1) % m_filled;
    return m_kept[place];
}

void
RdmaEntropy::OnReply(uint16_t value, bool marked, int64_t now)
{
    if (marked)
    {
        return;
    }
    m_countValid += !m_valid[m_head];
    m_kept[m_head] = value;
    m_valid[m_head] = true;
    m_filled = std::max(m_filled, m_head + 1);
    m_head = (m_head + 1) % KEPT;
    if (m_frozen && now > m_frozenUntil)
    {
        m_frozen = false;
        m_explore = m_toExplore;
    }
}

void
RdmaEntropy::OnTimeout(int64_t now)
{
    if (!m_frozen && m_explore == 0)
    {
        m_frozen = true;
        m_frozenUntil = now + m_freezing;
    }
}

} // namespace ns3
