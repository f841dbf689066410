/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-loss-search.h"

#include "ns3/rdma-port.h"
#include "ns3/rdma-random.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

/** Frames whose draws for one port are made at once. */
constexpr uint64_t BLOCK = 1024;

/** \return below which RdmaDrawBits stand for a number below \p rate */
uint64_t
BoundOf(double rate)
{
    return static_cast<uint64_t>(std::ceil(std::clamp(rate, 0.0, 1.0) * 0x1p53));
}

} // namespace

RdmaLossSearch::RdmaLossSearch(uint64_t drawId,
                               const std::vector<RdmaPort*>& route,
                               RdmaFrameKind kind)
    : m_kind(kind)
{
    for (const RdmaPort* port : route)
    {
        const double rate = port->GetErrorRate();
        const uint64_t key =
            RdmaDrawKey(port->GetContext().seed, RdmaDraw::LINK_ERROR, port->GetPortId(), drawId);
        m_links.push_back({port, key, rate, BoundOf(rate)});
    }
}

bool
RdmaLossSearch::MayFind() const
{
    return std::any_of(m_links.begin(), m_links.end(), [](const Link& link) {
        return link.port->GetErrorRate() > 0;
    });
}

void
RdmaLossSearch::SetRound(uint8_t round)
{
    if (round != m_round)
    {
        m_round = round;
        m_until = m_from; // nothing is known
    }
}

void
RdmaLossSearch::Update()
{
    for (Link& link : m_links)
    {
        const double rate = link.port->GetErrorRate();
        if (rate != link.rate)
        {
            link.rate = rate;
            link.bound = BoundOf(rate);
            m_until = m_from; // nothing is known
        }
    }
}

bool
RdmaLossSearch::Loses(uint64_t packet) const
{
    return std::any_of(m_links.begin(), m_links.end(), [&](const Link& link) {
        return Loses(link, packet);
    });
}

bool
RdmaLossSearch::Loses(const Link& link, uint64_t packet) const
{
    return RdmaDrawBits(link.key, RdmaLossNumber(m_kind, m_round, packet)) < link.bound;
}

uint64_t
RdmaLossSearch::Next(uint64_t from, uint64_t until)
{
    Update();
    if (from < m_from || from > m_until)
    {
        m_from = m_until = m_next = from;
    }
    if (m_next >= from && m_next < m_until)
    {
        return std::min(m_next, until);
    }
    m_from = from; // all before m_until is searched, and no loss is left there
    while (m_until < until)
    {
        const uint64_t begin = m_until;
        m_until = m_next = std::min(begin + BLOCK, until);
        for (const Link& link : m_links)
        {
            for (uint64_t packet = begin; link.bound && packet < m_next; ++packet)
            {
                if (Loses(link, packet))
                {
                    m_next = packet;
                }
            }
        }
        if (m_next < m_until)
        {
            m_until = m_next + 1; // not all links were looked at beyond
            return m_next;
        }
    }
    return until;
}

uint64_t
RdmaLossSearch::Count(uint64_t from, uint64_t until)
{
    Update();
    uint64_t count = 0;
    for (uint64_t packet = from; packet < until; ++packet)
    {
        count += Loses(packet);
    }
    return count;
}

} // namespace ns3
