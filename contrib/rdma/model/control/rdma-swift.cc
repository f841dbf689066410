/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-swift.h"

#include "rdma-control-state.h"

#include "ns3/double.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaSwift);

TypeId
RdmaSwift::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaSwift")
            .SetParent<RdmaCongestionControl>()
            .SetGroupName("Rdma")
            .AddConstructor<RdmaSwift>()
            .AddAttribute("BaseTarget",
                          "Target of the round-trip time before scaling; 0 for the flow's "
                          "round-trip time without queues.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&RdmaSwift::m_baseTarget),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("HopScale",
                          "Added to the target per hop.",
                          TimeValue(NanoSeconds(1000)),
                          MakeTimeAccessor(&RdmaSwift::m_hopScale),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("FlowScaleRange",
                          "Added to the target at most for small windows (fs_range).",
                          TimeValue(NanoSeconds(4000)),
                          MakeTimeAccessor(&RdmaSwift::m_flowScaleRange),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("FlowScaleMinWindow",
                          "Window at which all of FlowScaleRange is added (fs_min_cwnd). [frames]",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&RdmaSwift::m_flowScaleMin),
                          MakeDoubleChecker<double>(1e-6))
            .AddAttribute("FlowScaleMaxWindow",
                          "Window from which nothing is added (fs_max_cwnd). [frames]",
                          DoubleValue(100),
                          MakeDoubleAccessor(&RdmaSwift::m_flowScaleMax),
                          MakeDoubleChecker<double>(1e-6))
            .AddAttribute("AdditiveIncrease",
                          "Frames that the window grows by per round trip (ai). [frames]",
                          DoubleValue(1),
                          MakeDoubleAccessor(&RdmaSwift::m_increase),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("Beta",
                          "Strength of a decrease. [share]",
                          DoubleValue(0.8),
                          MakeDoubleAccessor(&RdmaSwift::m_beta),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("MaxDecrease",
                          "Largest decrease at once, as a fraction (max_mdf). [share]",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&RdmaSwift::m_maxDecrease),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("MinWindow",
                          "Smallest window. [frames]",
                          DoubleValue(0.001),
                          MakeDoubleAccessor(&RdmaSwift::m_minWindow),
                          MakeDoubleChecker<double>(1e-6))
            .AddAttribute(
                "MaxWindow",
                "Largest window; 0 for the flow's window, or without one for no limit. [frames]",
                DoubleValue(0),
                MakeDoubleAccessor(&RdmaSwift::m_maxWindow),
                MakeDoubleChecker<double>(0))
            .AddAttribute("ResetTimeouts",
                          "Time-outs in a row after which the window becomes MinWindow "
                          "(RETX_RESET_THRESHOLD). [count]",
                          UintegerValue(5),
                          MakeUintegerAccessor(&RdmaSwift::m_resetTimeouts),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

RdmaSwift::RdmaSwift() = default;
RdmaSwift::~RdmaSwift() = default;

Ptr<RdmaCongestionControl>
RdmaSwift::Fork() const
{
    return CopyObject<RdmaSwift>(this);
}

RdmaTelemetry
RdmaSwift::GetTelemetry() const
{
    return RdmaTelemetry::TIMESTAMP;
}

void
RdmaSwift::OnStart(RdmaQueuePair& qp)
{
    m_state = State();
    m_state.rtt = qp.GetBaseRttNs();
    const double bdp =
        static_cast<double>(qp.GetMaxRate()) / 8e9 * static_cast<double>(qp.GetBaseRttNs());
    const double bytes = qp.GetWindow() ? static_cast<double>(qp.GetWindow()) : bdp;
    m_state.cwnd = std::max(1.0, bytes / qp.GetPayloadSize());
    m_maxWindowNow = m_maxWindow > 0 ? m_maxWindow : (qp.GetWindow() ? m_state.cwnd : HUGE_VAL);
    Apply(qp);
}

double
RdmaSwift::GetTargetNs(const RdmaQueuePair& qp) const
{
    const double base = static_cast<double>(m_baseTarget.IsZero() ? qp.GetBaseRttNs()
                                                                  : m_baseTarget.GetNanoSeconds());
    const auto range = static_cast<double>(m_flowScaleRange.GetNanoSeconds());
    const double alpha = range / (1 / std::sqrt(m_flowScaleMin) - 1 / std::sqrt(m_flowScaleMax));
    const double offset = -alpha / std::sqrt(m_flowScaleMax);
    const double scaling = std::clamp(alpha / std::sqrt(m_state.cwnd) + offset, 0.0, range);
    return base + qp.GetHops() * static_cast<double>(m_hopScale.GetNanoSeconds()) + scaling;
}

void
RdmaSwift::Cut(double factor, int64_t nowNs)
{
    if (!m_state.decreased || nowNs - m_state.lastDecrease >= m_state.rtt)
    {
        m_state.cwnd *= factor;
        m_state.decreased = true;
        m_state.lastDecrease = nowNs;
    }
}

void
RdmaSwift::OnAck(RdmaQueuePair& qp, const RdmaAck& ack)
{
    m_state.rtt = ack.rttNs;
    m_state.timeouts = 0;
    const auto seq = static_cast<int64_t>(ack.seq);
    const int64_t bytes = std::max<int64_t>(seq - m_state.lastAcked, 0);
    m_state.lastAcked = std::max(m_state.lastAcked, seq);
    const double acked = static_cast<double>(bytes) / qp.GetPayloadSize();
    const auto delay = static_cast<double>(ack.rttNs);
    const double target = GetTargetNs(qp);
    if (ack.nack)
    {
        Cut(1 - m_maxDecrease, ack.nowNs);
    }
    else if (delay < target)
    {
        m_state.cwnd += m_increase * acked / std::max(m_state.cwnd, 1.0);
    }
    else
    {
        Cut(std::max(1 - m_beta * (delay - target) / delay, 1 - m_maxDecrease), ack.nowNs);
    }
    Apply(qp);
}

void
RdmaSwift::OnTimeout(RdmaQueuePair& qp)
{
    if (++m_state.timeouts >= m_resetTimeouts)
    {
        m_state.cwnd = m_minWindow;
    }
    else
    {
        Cut(1 - m_maxDecrease, qp.GetNowNs());
    }
    Apply(qp);
}

void
RdmaSwift::OnSkipped(RdmaQueuePair& qp, uint64_t bytes, uint64_t inFlight)
{
    // A window that holds its flow back is where it stays. Another one grows with each frame, all
    // along, and is what the flow begins with when it meets others.
    if (m_state.cwnd >= 1 && inFlight + qp.GetPayloadSize() <= qp.GetWindow() &&
        static_cast<double>(m_state.rtt) < GetTargetNs(qp))
    {
        const double acked = static_cast<double>(bytes) / qp.GetPayloadSize();
        m_state.cwnd = std::sqrt(m_state.cwnd * m_state.cwnd + 2 * m_increase * acked);
        Apply(qp);
    }
}

void
RdmaSwift::Apply(RdmaQueuePair& qp)
{
    m_state.cwnd = std::clamp(m_state.cwnd, m_minWindow, std::max(m_minWindow, m_maxWindowNow));
    const uint32_t payload = qp.GetPayloadSize();
    if (m_state.cwnd >= 1)
    {
        qp.SetRate(qp.GetMaxRate());
        // no limit stands for a window beyond what 64 bits hold
        const double window = m_state.cwnd * payload;
        qp.SetWindow(window < 9e18 ? static_cast<uint64_t>(window) : 0);
        return;
    }
    const double pace =
        payload * 8e9 * m_state.cwnd / static_cast<double>(std::max<int64_t>(m_state.rtt, 1));
    qp.SetRate(std::clamp<uint64_t>(static_cast<uint64_t>(pace), 1, qp.GetMaxRate()));
    qp.SetWindow(payload);
}

template <typename Stream, typename T>
void
RdmaSwift::Fields(Stream& stream, T& state)
{
    stream.Value(state.cwnd);
    stream.Value(state.decreased);
    if (state.decreased)
    {
        stream.Time(state.lastDecrease);
    }
    stream.Sequence(state.lastAcked);
    stream.Value(state.rtt);
    stream.Value(state.timeouts);
}

bool
RdmaSwift::SaveState(const RdmaQueuePair& qp, std::vector<uint8_t>& state) const
{
    RdmaStateWriter writer(qp, state);
    Fields(writer, m_state);
    return true;
}

bool
RdmaSwift::LoadState(RdmaQueuePair& qp, const std::vector<uint8_t>& state)
{
    const auto isValid = [](const State& s) { return s.cwnd >= 0 && s.rtt >= 0; };
    const auto fields = [](auto& reader, auto& s) { Fields(reader, s); };
    return LoadRdmaState(qp, state, m_state, fields, isValid);
}

} // namespace ns3
