/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-selective-repeat.h"

#include <algorithm>

namespace ns3
{

void
RdmaPacketBitmap::Add(uint64_t number)
{
    if (number < m_first)
    {
        return;
    }
    if (number - m_first >= m_bits.size())
    {
        m_bits.resize(number - m_first + 1);
    }
    bool& arrived = m_bits[number - m_first];
    m_count += arrived ? 0 : 1;
    arrived = true;
}

void
RdmaPacketBitmap::DropBelow(uint64_t number)
{
    if (number <= m_first)
    {
        return;
    }
    const uint64_t dropped = std::min<uint64_t>(number - m_first, m_bits.size());
    const auto end = m_bits.begin() + static_cast<std::ptrdiff_t>(dropped);
    m_count -= static_cast<uint64_t>(std::count(m_bits.begin(), end, true));
    m_bits.erase(m_bits.begin(), end);
    m_first = number;
}

uint64_t
RdmaPacketBitmap::FirstMissing(uint64_t number) const
{
    while (Contains(number))
    {
        ++number;
    }
    return number;
}

void
RdmaLossRecovery::Acknowledge(uint64_t expected)
{
    if (expected <= m_expected)
    {
        return;
    }
    m_expected = expected;
    m_nacks = 0;
    m_arrived.DropBelow(expected);
    m_next = m_arrived.FirstMissing(std::max(m_next, expected));
    m_recovering = m_recovering && expected < m_recoverUntil;
}

bool
RdmaLossRecovery::TakeNack(uint64_t arrived, uint64_t sent, uint32_t threshold)
{
    const uint64_t known = std::max(m_lostEnd, m_expected);
    m_arrived.Add(arrived);
    m_lostEnd = std::max(m_lostEnd, arrived);
    ++m_nacks;
    const bool begins = !m_recovering && m_nacks >= threshold;
    if (begins)
    {
        Begin(sent);
    }
    m_next = m_arrived.FirstMissing(m_next);
    return begins || (m_recovering && m_arrived.FirstMissing(known) < arrived);
}

void
RdmaLossRecovery::TimeOut(uint64_t sent)
{
    Begin(sent);
    m_lostEnd = std::max(m_lostEnd, m_expected + 1);
}

uint64_t
RdmaLossRecovery::TakeLost()
{
    const uint64_t lost = m_next;
    m_next = m_arrived.FirstMissing(lost + 1);
    return lost;
}

void
RdmaLossRecovery::Begin(uint64_t sent)
{
    m_recovering = true;
    m_rounds.Begin(m_expected);
    m_recoverUntil = sent;
    m_next = m_arrived.FirstMissing(m_expected);
}

} // namespace ns3
