/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-dctcp.h"

#include "rdma-queue-pair.h"

#include "ns3/double.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaDctcp);

TypeId
RdmaDctcp::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RdmaDctcp")
                            .SetParent<RdmaCongestionControl>()
                            .SetGroupName("Rdma")
                            .AddConstructor<RdmaDctcp>()
                            .AddAttribute("Gain",
                                          "Weight of a round's fraction of marks (g).",
                                          DoubleValue(1.0 / 16),
                                          MakeDoubleAccessor(&RdmaDctcp::m_g),
                                          MakeDoubleChecker<double>(0, 1))
                            .AddAttribute("Increase",
                                          "Added to the rate once per round without a cut.",
                                          DataRateValue(DataRate("615Mbps")),
                                          MakeDataRateAccessor(&RdmaDctcp::m_increase),
                                          MakeDataRateChecker())
                            .AddAttribute("MinRate",
                                          "Lower bound of the rate.",
                                          DataRateValue(DataRate("1000Mbps")),
                                          MakeDataRateAccessor(&RdmaDctcp::m_minRate),
                                          MakeDataRateChecker());
    return tid;
}

RdmaDctcp::RdmaDctcp() = default;
RdmaDctcp::~RdmaDctcp() = default;

Ptr<RdmaCongestionControl>
RdmaDctcp::Fork() const
{
    return CopyObject<RdmaDctcp>(this);
}

void
RdmaDctcp::OnStart(RdmaQueuePair&)
{
    m_state = State();
}

void
RdmaDctcp::OnAck(RdmaQueuePair& qp, const RdmaAck& ack)
{
    State& s = m_state;
    const uint64_t next = qp.GetSndNxt();
    const uint32_t payload = qp.GetPayloadSize();
    s.marks += ack.echo;
    const bool newRound = ack.seq > s.lastUpdate;
    if (newRound && s.lastUpdate == 0)
    {
        s.lastUpdate = next;
        s.roundSize = next / payload + 1;
    }
    else if (newRound)
    {
        const double fraction =
            std::min(1.0, static_cast<double>(s.marks) / static_cast<double>(s.roundSize));
        s.alpha = (1 - m_g) * s.alpha + m_g * fraction;
        s.lastUpdate = next;
        s.marks = 0;
        s.roundSize = (next > ack.seq ? next - ack.seq : 0) / payload + 1;
    }
    if (s.reduced && ack.seq > s.reducedUntil)
    {
        s.reduced = false;
    }
    if (ack.echo && !s.reduced)
    {
        const auto cut =
            static_cast<uint64_t>(static_cast<double>(qp.GetRate()) * (1 - s.alpha / 2));
        qp.SetRate(std::max(m_minRate.GetBitRate(), cut));
        s.reduced = true;
        s.reducedUntil = next;
    }
    if (newRound && !s.reduced)
    {
        qp.SetRate(std::min(qp.GetRate() + m_increase.GetBitRate(), qp.GetMaxRate()));
    }
}

bool
RdmaDctcp::SaveState(std::vector<uint8_t>& state, int64_t) const
{
    SavePlain(state, m_state);
    return true;
}

bool
RdmaDctcp::LoadState(const std::vector<uint8_t>& state, int64_t)
{
    return LoadPlain(state, m_state);
}

} // namespace ns3
