/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-pint.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{
constexpr double MOST_UNITS = RdmaPint::UNITS * RdmaPint::UNITS;
} // namespace

RdmaPint::RdmaPint(double base, int64_t rttNs)
    : m_rttNs(static_cast<double>(std::max<int64_t>(rttNs, 1)))
{
    const size_t codes = size_t{1} << 8 * GetWireBytes(base);
    for (double units = 1; m_units.size() < codes && units <= MOST_UNITS * base; units *= base)
    {
        m_units.push_back(units);
    }
}

uint32_t
RdmaPint::GetWireBytes(double base)
{
    const double codes = std::log(MOST_UNITS) / std::log(base);
    return codes > 256 ? 2 : 1;
}

double
RdmaPint::Average(RdmaPintLink& link,
                  int64_t nowNs,
                  uint64_t txBytes,
                  uint64_t queueBytes,
                  uint64_t rate) const
{
    const auto ns = static_cast<double>(std::max<int64_t>(nowNs - link.ns, 0));
    const double dt = std::min(ns, m_rttNs);
    const double nsPerByte = 8e9 / static_cast<double>(rate);
    // What was sent in longer than T counts as much as a part of it of T would.
    const double part = ns > m_rttNs ? m_rttNs / ns : 1;
    const double sent = nsPerByte * static_cast<double>(txBytes - link.txBytes) * part / m_rttNs;
    const double queued = nsPerByte * static_cast<double>(queueBytes) / m_rttNs * (dt / m_rttNs);
    link = {(1 - dt / m_rttNs) * link.use + sent + queued, nowNs, txBytes};
    return link.use;
}

uint16_t
RdmaPint::Encode(double use, double draw) const
{
    const double units = std::max(std::ceil(use * UNITS), 1.0);
    const auto above = std::upper_bound(m_units.begin(), m_units.end(), units);
    const auto lower = static_cast<uint16_t>(above - m_units.begin() - 1);
    if (above == m_units.end())
    {
        return lower;
    }
    const double share = (units - m_units[lower]) / (*above - m_units[lower]);
    return draw < share ? static_cast<uint16_t>(lower + 1) : lower;
}

double
RdmaPint::Decode(uint16_t code) const
{
    return m_units[std::min<size_t>(code, m_units.size() - 1)] / UNITS;
}

} // namespace ns3
