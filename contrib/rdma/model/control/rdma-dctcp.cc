/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-dctcp.h"

#include "ns3/double.h"
#include "ns3/rdma-queue-pair.h"

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
                                          "Weight of a round's fraction of marks (g). [share]",
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
    const bool newRound = s.round.IsBeyond(ack.seq);
    if (newRound && !s.round.HasBegun())
    {
        s.roundSize = s.round.GetBytesBefore(next) / payload + 1;
        s.round.Begin(next);
    }
    else if (newRound)
    {
        const double fraction =
            std::min(1.0, static_cast<double>(s.marks) / static_cast<double>(s.roundSize));
        s.alpha = (1 - m_g) * s.alpha + m_g * fraction;
        s.round.Begin(next);
        s.marks = 0;
        s.roundSize = (next > ack.seq ? next - ack.seq : 0) / payload + 1;
    }
    if (s.reduced && static_cast<int64_t>(ack.seq) > s.reducedUntil)
    {
        s.reduced = false;
    }
    if (ack.echo && !s.reduced)
    {
        const auto cut =
            static_cast<uint64_t>(static_cast<double>(qp.GetRate()) * (1 - s.alpha / 2));
        qp.SetRate(std::max(m_minRate.GetBitRate(), cut));
        s.reduced = true;
        s.reducedUntil = static_cast<int64_t>(next);
    }
    if (newRound && !s.reduced)
    {
        qp.SetRate(std::min(qp.GetRate() + m_increase.GetBitRate(), qp.GetMaxRate()));
    }
}

template <typename Stream, typename T>
void
RdmaDctcp::Fields(Stream& stream, T& state)
{
    stream.Part(state.round);
    stream.Value(state.alpha);
    stream.Value(state.marks);
    stream.Value(state.roundSize);
    stream.Value(state.reduced);
    if (state.reduced)
    {
        stream.Sequence(state.reducedUntil);
    }
}

uint64_t
RdmaDctcp::GetAdditiveIncrease() const
{
    return m_increase.GetBitRate();
}

double
RdmaDctcp::GetCongestionAverage() const
{
    return m_state.alpha;
}

bool
RdmaDctcp::MeasuresDelay() const
{
    return false;
}

bool
RdmaDctcp::SaveState(const RdmaQueuePair& qp, std::vector<uint8_t>& state) const
{
    RdmaStateWriter writer(qp, state);
    Fields(writer, m_state);
    return true;
}

bool
RdmaDctcp::LoadState(RdmaQueuePair& qp, const std::vector<uint8_t>& state)
{
    const auto isValid = [](const State& s) { return s.alpha >= 0 && s.alpha <= 1; };
    const auto fields = [](auto& reader, auto& s) { Fields(reader, s); };
    return LoadRdmaState(qp, state, m_state, fields, isValid);
}

} // namespace ns3
