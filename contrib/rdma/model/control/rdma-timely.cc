/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-timely.h"

#include "ns3/double.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaTimely);

TypeId
RdmaTimely::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaTimely")
            .SetParent<RdmaCongestionControl>()
            .SetGroupName("Rdma")
            .AddConstructor<RdmaTimely>()
            .AddAttribute("Alpha",
                          "Weight of a new difference of round-trip times. [share]",
                          DoubleValue(0.875),
                          MakeDoubleAccessor(&RdmaTimely::m_alpha),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Beta",
                          "Strength of a decrease. [share]",
                          DoubleValue(0.8),
                          MakeDoubleAccessor(&RdmaTimely::m_beta),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("TLow",
                          "Below this round-trip time the rate always rises.",
                          TimeValue(NanoSeconds(50000)),
                          MakeTimeAccessor(&RdmaTimely::m_tLow),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("THigh",
                          "Above this round-trip time the rate always falls.",
                          TimeValue(NanoSeconds(500000)),
                          MakeTimeAccessor(&RdmaTimely::m_tHigh),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MinRtt",
                          "Normalises the gradient.",
                          TimeValue(NanoSeconds(20000)),
                          MakeTimeAccessor(&RdmaTimely::m_minRtt),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("HyperStage",
                          "Increases in a row after which HyperIncrease applies (N). [count]",
                          UintegerValue(5),
                          MakeUintegerAccessor(&RdmaTimely::m_hyperStage),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Increase",
                          "Additive increase (delta).",
                          DataRateValue(DataRate("100Mbps")),
                          MakeDataRateAccessor(&RdmaTimely::m_increase),
                          MakeDataRateChecker())
            .AddAttribute("HyperIncrease",
                          "Additive increase after HyperStage increases in a row.",
                          DataRateValue(DataRate("500Mbps")),
                          MakeDataRateAccessor(&RdmaTimely::m_hyperIncrease),
                          MakeDataRateChecker())
            .AddAttribute("MinRate",
                          "Lower bound of the rate.",
                          DataRateValue(DataRate("1000Mbps")),
                          MakeDataRateAccessor(&RdmaTimely::m_minRate),
                          MakeDataRateChecker());
    return tid;
}

RdmaTimely::RdmaTimely() = default;
RdmaTimely::~RdmaTimely() = default;

Ptr<RdmaCongestionControl>
RdmaTimely::Fork() const
{
    return CopyObject<RdmaTimely>(this);
}

RdmaTelemetry
RdmaTimely::GetTelemetry() const
{
    return RdmaTelemetry::TIMESTAMP;
}

void
RdmaTimely::OnStart(RdmaQueuePair& qp)
{
    m_state = State();
    m_state.rate = qp.GetMaxRate();
}

void
RdmaTimely::OnAck(RdmaQueuePair& qp, const RdmaAck& ack)
{
    if (!m_state.round.IsBeyond(ack.seq))
    {
        return;
    }
    if (m_state.round.HasBegun())
    {
        Update(qp, ack.rttNs);
    }
    if (m_state.round.IsBeyond(qp.GetSndNxt()))
    {
        m_state.round.Begin(qp.GetSndNxt());
        m_state.lastRtt = ack.rttNs;
    }
}

void
RdmaTimely::Update(RdmaQueuePair& qp, int64_t rtt)
{
    const auto difference = static_cast<double>(rtt - m_state.lastRtt);
    m_state.rttDiff = (1 - m_alpha) * m_state.rttDiff + m_alpha * difference;
    const double gradient = m_state.rttDiff / static_cast<double>(m_minRtt.GetNanoSeconds());
    const int64_t high = m_tHigh.GetNanoSeconds();
    double factor = 1;
    bool increase = false;
    if (rtt < m_tLow.GetNanoSeconds())
    {
        increase = true;
    }
    else if (rtt > high)
    {
        factor = 1 - m_beta * (1 - static_cast<double>(high) / static_cast<double>(rtt));
    }
    else if (gradient <= 0)
    {
        increase = true;
    }
    else
    {
        factor = std::max(0.0, 1 - m_beta * gradient);
    }
    if (increase)
    {
        const DataRate& step = m_state.stage < m_hyperStage ? m_increase : m_hyperIncrease;
        m_state.rate = std::min(m_state.rate + step.GetBitRate(), qp.GetMaxRate());
        ++m_state.stage;
    }
    else
    {
        const auto lowered = static_cast<uint64_t>(static_cast<double>(m_state.rate) * factor);
        m_state.rate = std::max(m_minRate.GetBitRate(), lowered);
        m_state.stage = 0;
    }
    qp.SetRate(m_state.rate);
}

template <typename Stream, typename T>
void
RdmaTimely::Fields(Stream& stream, T& state)
{
    stream.Part(state.round);
    stream.Value(state.rate);
    stream.Value(state.stage);
    stream.Value(state.lastRtt);
    stream.Value(state.rttDiff);
}

bool
RdmaTimely::SaveState(const RdmaQueuePair& qp, std::vector<uint8_t>& state) const
{
    RdmaStateWriter writer(qp, state);
    Fields(writer, m_state);
    return true;
}

bool
RdmaTimely::LoadState(RdmaQueuePair& qp, const std::vector<uint8_t>& state)
{
    const auto isValid = [&qp](const State& s) {
        return s.rate <= qp.GetMaxRate() && s.lastRtt >= 0;
    };
    const auto fields = [](auto& reader, auto& s) { Fields(reader, s); };
    return LoadRdmaState(qp, state, m_state, fields, isValid);
}

} // namespace ns3
