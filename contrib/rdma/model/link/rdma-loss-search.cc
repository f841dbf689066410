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
    : m_kind(static_cast<uint64_t>(kind) << 32)
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
RdmaLossSearch::Loses(uint64_t serial) const
{
    return std::any_of(m_links.begin(), m_links.end(), [&](const Link& link) {
        return Loses(link, serial);
    });
}

bool
RdmaLossSearch::Loses(const Link& link, uint64_t serial) const
{
    return RdmaDrawBits(link.key, m_kind | static_cast<uint32_t>(serial)) < link.bound;
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
            for (uint64_t serial = begin; link.bound && serial < m_next; ++serial)
            {
                if (Loses(link, serial))
                {
                    m_next = serial;
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
    for (uint64_t serial = from; serial < until; ++serial)
    {
        count += Loses(serial);
    }
    return count;
}

} // namespace ns3
