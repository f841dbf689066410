/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-hpcc-pint.h"

#include "rdma-control-state.h"

#include "ns3/double.h"
#include "ns3/rdma-pint.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaHpccPint);

TypeId
RdmaHpccPint::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaHpccPint")
            .SetParent<RdmaCongestionControl>()
            .SetGroupName("Rdma")
            .AddConstructor<RdmaHpccPint>()
            .AddAttribute("UtilizationTarget",
                          "Utilisation that the busiest link is kept at (eta). [share]",
                          DoubleValue(0.95),
                          MakeDoubleAccessor(&RdmaHpccPint::m_target),
                          MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute(
                "MaxStage",
                "Additive increases in a row before a multiplicative one (maxStage). [count]",
                UintegerValue(0),
                MakeUintegerAccessor(&RdmaHpccPint::m_maxStage),
                MakeUintegerChecker<uint32_t>())
            .AddAttribute("AdditiveIncrease",
                          "Added to the rate at every step (W_AI, as a rate).",
                          DataRateValue(DataRate("40Mbps")),
                          MakeDataRateAccessor(&RdmaHpccPint::m_increase),
                          MakeDataRateChecker())
            .AddAttribute("MinRate",
                          "Lower bound of the rate.",
                          DataRateValue(DataRate("1000Mbps")),
                          MakeDataRateAccessor(&RdmaHpccPint::m_minRate),
                          MakeDataRateChecker())
            .AddAttribute("Probability",
                          "Of taking what an acknowledgement brings; others are left alone. "
                          "[share]",
                          DoubleValue(1),
                          MakeDoubleAccessor(&RdmaHpccPint::m_probability),
                          MakeDoubleChecker<double>(0, 1));
    return tid;
}

RdmaHpccPint::RdmaHpccPint() = default;
RdmaHpccPint::~RdmaHpccPint() = default;

Ptr<RdmaCongestionControl>
RdmaHpccPint::Fork() const
{
    return CopyObject<RdmaHpccPint>(this);
}

RdmaTelemetry
RdmaHpccPint::GetTelemetry() const
{
    return RdmaTelemetry::PINT;
}

void
RdmaHpccPint::OnStart(RdmaQueuePair& qp)
{
    m_state = State();
    m_state.reference.rate = qp.GetMaxRate();
}

/** \return whether the acknowledgement that came is taken */
bool
RdmaHpccPint::Takes(const RdmaQueuePair& qp)
{
    return m_probability == 1 || qp.Draw(m_state.acks++) < m_probability;
}

void
RdmaHpccPint::OnAck(RdmaQueuePair& qp, const RdmaAck& ack)
{
    if (!Takes(qp))
    {
        return;
    }
    const uint64_t next = qp.GetSndNxt();
    if (!m_state.round.HasBegun())
    {
        m_state.round.Begin(next);
        return;
    }
    const RdmaHpccSteps steps{m_maxStage,
                              m_increase.GetBitRate(),
                              m_minRate.GetBitRate(),
                              qp.GetMaxRate()};
    const double use = qp.GetPint().Decode(ack.telemetry->code);
    RdmaHpccReference reference = m_state.reference;
    reference.Step(use / m_target, steps);
    qp.SetRateNow(reference.rate);
    if (m_state.round.IsBeyond(ack.seq))
    {
        m_state.reference = reference;
        if (m_state.round.IsBeyond(next))
        {
            m_state.round.Begin(next);
        }
    }
}

RdmaLinkUse
RdmaHpccPint::GetLinkUse() const
{
    return {m_target, m_increase.GetBitRate()};
}

template <typename Stream, typename T>
void
RdmaHpccPint::Fields(Stream& stream, T& state)
{
    stream.Part(state.round);
    stream.Value(state.reference.rate);
    stream.Value(state.reference.stage);
    stream.Value(state.acks);
}

bool
RdmaHpccPint::SaveState(const RdmaQueuePair& qp, std::vector<uint8_t>& state) const
{
    RdmaStateWriter writer(qp, state);
    Fields(writer, m_state);
    return true;
}

bool
RdmaHpccPint::LoadState(RdmaQueuePair& qp, const std::vector<uint8_t>& state)
{
    const auto isValid = [&qp](const State& s) {
        return s.reference.rate > 0 && s.reference.rate <= qp.GetMaxRate();
    };
    const auto fields = [](auto& reader, auto& s) { Fields(reader, s); };
    return LoadRdmaState(qp, state, m_state, fields, isValid);
}

} // namespace ns3
