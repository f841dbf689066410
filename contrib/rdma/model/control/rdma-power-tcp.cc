/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-power-tcp.h"

#include "ns3/double.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaPowerTcp);

namespace
{

/**
 * \return the power of a link, normalised (NSDI 2022, section 3.2 and algorithm 1, NORMPOWER)
 * \param before telemetry of an earlier frame
 * \param now of this one
 * \param qp the flow
 * \param line rate of the link, bit/s
 */
double
NormPower(const RdmaIntRecord& before,
          const RdmaIntHeader::Hop& now,
          const RdmaQueuePair& qp,
          double line)
{
    const uint32_t multiplier = qp.GetIntMultiplier();
    const auto queued = [multiplier](const RdmaIntHeader::Hop& hop) {
        return 8.0 * RdmaIntRecord::QLEN_UNIT * multiplier * static_cast<double>(hop.qlen);
    };
    const double seconds = 1e-9 * static_cast<double>(before.NsUntil(now));
    const double sent = 8.0 * static_cast<double>(before.BytesUntil(now, multiplier));
    const double current = (sent + queued(now) - queued(before.hop)) / seconds;
    const double product = line * 1e-9 * static_cast<double>(qp.GetBaseRttNs());
    const double voltage = queued(now) + product;
    return current * voltage / (line * product);
}

} // namespace

TypeId
RdmaPowerTcp::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaPowerTcp")
            .SetParent<RdmaCongestionControl>()
            .SetGroupName("Rdma")
            .AddConstructor<RdmaPowerTcp>()
            .AddAttribute("Gamma",
                          "Weight of a new window against the present one (gamma). [share]",
                          DoubleValue(0.9),
                          MakeDoubleAccessor(&RdmaPowerTcp::m_gamma),
                          MakeDoubleChecker<double>(0.001, 1))
            .AddAttribute("ExpectedFlows",
                          "Flows that are expected to share a NIC (N): each adds the NIC's rate "
                          "divided by this (beta, as a rate). [count]",
                          UintegerValue(10),
                          MakeUintegerAccessor(&RdmaPowerTcp::m_flows),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MinRate",
                          "Lower bound of the rate.",
                          DataRateValue(DataRate("100Mbps")),
                          MakeDataRateAccessor(&RdmaPowerTcp::m_minRate),
                          MakeDataRateChecker());
    return tid;
}

RdmaPowerTcp::RdmaPowerTcp() = default;
RdmaPowerTcp::~RdmaPowerTcp() = default;

Ptr<RdmaCongestionControl>
RdmaPowerTcp::Fork() const
{
    return CopyObject<RdmaPowerTcp>(this);
}

RdmaTelemetry
RdmaPowerTcp::GetTelemetry() const
{
    return RdmaTelemetry::INT;
}

void
RdmaPowerTcp::OnStart(RdmaQueuePair& qp)
{
    m_state = State();
    m_state.before = qp.GetMaxRate();
}

void
RdmaPowerTcp::OnAck(RdmaQueuePair& qp, const RdmaAck& ack)
{
    const uint64_t next = qp.GetSndNxt();
    const bool begun = m_state.round.HasBegun();
    const Sample most = FindMost(qp, *ack.telemetry);
    if (begun && most.ns > 0)
    {
        const auto rtt = static_cast<double>(qp.GetBaseRttNs());
        const double dt = std::min(static_cast<double>(most.ns), rtt);
        m_state.power = (m_state.power * (rtt - dt) + most.power * dt) / rtt;
        qp.SetRateNow(NextRate(qp));
    }
    if (!begun || (m_state.round.IsBeyond(ack.seq) && m_state.round.IsBeyond(next)))
    {
        m_state.before = qp.GetRate();
        m_state.round.Begin(next);
    }
}

RdmaPowerTcp::Sample
RdmaPowerTcp::FindMost(const RdmaQueuePair& qp, const RdmaIntHeader& header)
{
    const uint32_t hops = std::min<uint32_t>(header.hopCount, RdmaIntHeader::MAX_HOPS);
    Sample most;
    for (uint32_t i = 0; i < hops; ++i)
    {
        const RdmaIntHeader::Hop& now = header.hops[i];
        RdmaIntRecord& before = m_state.last[i];
        const uint64_t ns = before.NsUntil(now);
        if (i >= m_state.hops) // the way has become longer
        {
            m_state.hops = static_cast<uint8_t>(i + 1);
        }
        else if (ns == 0)
        {
            continue; // two frames within a nanosecond say nothing about a rate
        }
        else
        {
            const auto line = static_cast<double>(qp.GetLinkRate(header.rateIndex[i]));
            // A queue that empties may have less than none.
            const double power = std::max(NormPower(before, now, qp, line), 0.0);
            if (most.ns == 0 || power > most.power)
            {
                most = {power, ns};
            }
        }
        before.hop = now;
    }
    return most;
}

uint64_t
RdmaPowerTcp::NextRate(const RdmaQueuePair& qp) const
{
    const auto maxRate = static_cast<double>(qp.GetMaxRate());
    const double least = std::min(static_cast<double>(m_minRate.GetBitRate()), maxRate);
    const double added = maxRate / m_flows;
    // No power would ask for more than any number; the NIC's rate bounds it anyway.
    const double wanted = static_cast<double>(m_state.before) < maxRate * m_state.power
                              ? static_cast<double>(m_state.before) / m_state.power
                              : maxRate;
    const double next =
        m_gamma * (wanted + added) + (1 - m_gamma) * static_cast<double>(qp.GetRate());
    return static_cast<uint64_t>(std::clamp(next, least, maxRate));
}

template <typename Stream, typename T>
void
RdmaPowerTcp::Fields(Stream& stream, T& state)
{
    stream.Part(state.round);
    stream.Value(state.power);
    stream.Value(state.before);
    stream.Value(state.hops);
    for (uint32_t i = 0; i < std::min<uint32_t>(state.hops, RdmaIntHeader::MAX_HOPS); ++i)
    {
        stream.Part(state.last[i]);
    }
}

bool
RdmaPowerTcp::SaveState(const RdmaQueuePair& qp, std::vector<uint8_t>& state) const
{
    RdmaStateWriter writer(qp, state);
    Fields(writer, m_state);
    return true;
}

bool
RdmaPowerTcp::LoadState(RdmaQueuePair& qp, const std::vector<uint8_t>& state)
{
    const auto isValid = [&qp](const State& s) {
        return s.power >= 0 && s.before > 0 && s.before <= qp.GetMaxRate() &&
               s.hops <= RdmaIntHeader::MAX_HOPS;
    };
    const auto fields = [](auto& reader, auto& s) { Fields(reader, s); };
    return LoadRdmaState(qp, state, m_state, fields, isValid);
}

} // namespace ns3
