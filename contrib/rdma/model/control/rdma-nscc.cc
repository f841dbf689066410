/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-nscc.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/rdma-queue-pair.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaNscc);

namespace
{

// What increases are tuned for: scaling factors a and b of the specification.
constexpr double NSCC_REFERENCE_RTT = 12000;  // ns
constexpr double NSCC_REFERENCE_BDP = 150000; // bytes, at 100 Gb/s

/** \return bytes that \p rate, bit/s, carries in \p ns */
double
NsccBytes(uint64_t rate, double ns)
{
    return static_cast<double>(rate) / 8e9 * ns;
}

} // namespace

TypeId
RdmaNscc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaNscc")
            .SetParent<RdmaCongestionControl>()
            .SetGroupName("Rdma")
            .AddConstructor<RdmaNscc>()
            .AddAttribute("TargetDelay",
                          "Target of the delay by queues; 0 for the flow's round-trip time without "
                          "queues.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&RdmaNscc::m_targetDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("FastDelay",
                          "Delays below this count as none (fast increase).",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&RdmaNscc::m_fastDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("FastIncrease",
                          "Added per byte that comes without delay, once a window of them has, at "
                          "a bandwidth-delay product of 100 Gb/s and 12 us (fi_scale). [share]",
                          DoubleValue(0.25),
                          MakeDoubleAccessor(&RdmaNscc::m_fastIncrease),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("ProportionalIncrease",
                          "Added per round trip without delay, at that product and a TargetDelay "
                          "of 12 us; less in proportion to the delay (alpha). [frames]",
                          DoubleValue(4),
                          MakeDoubleAccessor(&RdmaNscc::m_proportionalIncrease),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("FairIncrease",
                          "Added per round trip with more delay than TargetDelay and no mark, at "
                          "that product (fi). [frames]",
                          DoubleValue(5),
                          MakeDoubleAccessor(&RdmaNscc::m_fairIncrease),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("Eta",
                          "Added once per round trip in any case, at that product. [frames]",
                          DoubleValue(0.15),
                          MakeDoubleAccessor(&RdmaNscc::m_eta),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("Gamma",
                          "Strength of a decrease. [share]",
                          DoubleValue(0.8),
                          MakeDoubleAccessor(&RdmaNscc::m_gamma),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("MaxDecrease",
                          "Largest decrease at once, as a fraction (max_md_jump). [share]",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&RdmaNscc::m_maxDecrease),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("DelayGain",
                          "Weight of a new delay in the average (delay_alpha). [share]",
                          DoubleValue(0.0125),
                          MakeDoubleAccessor(&RdmaNscc::m_delayGain),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("AdjustPackets",
                          "Increases are applied when more than so many full frames have come, or "
                          "after a round trip. [frames]",
                          DoubleValue(8),
                          MakeDoubleAccessor(&RdmaNscc::m_adjustPackets),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("MaxWindow",
                          "Largest window, and the first one, in bandwidth-delay products. "
                          "[factor]",
                          DoubleValue(1.5),
                          MakeDoubleAccessor(&RdmaNscc::m_maxWindow),
                          MakeDoubleChecker<double>(0.01, 1e6))
            .AddAttribute("QuickAdapt",
                          "Take what has arrived for the window if that is little.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&RdmaNscc::m_quickAdapt),
                          MakeBooleanChecker())
            .AddAttribute("QuickAdaptShare",
                          "Of the largest window: less in a round trip and TargetDelay is little "
                          "(2^-qa_gate). [share]",
                          DoubleValue(0.125),
                          MakeDoubleAccessor(&RdmaNscc::m_quickAdaptShare),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("QuickAdaptDelay",
                          "Delay, in TargetDelays, beyond which that is looked at without a loss "
                          "(qa_threshold). [factor]",
                          DoubleValue(4),
                          MakeDoubleAccessor(&RdmaNscc::m_quickAdaptDelay),
                          MakeDoubleChecker<double>(0));
    return tid;
}

RdmaNscc::RdmaNscc() = default;
RdmaNscc::~RdmaNscc() = default;

Ptr<RdmaCongestionControl>
RdmaNscc::Fork() const
{
    return CopyObject<RdmaNscc>(this);
}

void
RdmaNscc::OnStart(RdmaQueuePair& qp)
{
    const auto rtt = static_cast<double>(std::max<int64_t>(qp.GetBaseRttNs(), 1));
    m_scale.packet = qp.GetPayloadSize();
    m_scale.networkRtt = rtt;
    m_scale.target =
        m_targetDelay.IsZero() ? rtt : static_cast<double>(m_targetDelay.GetNanoSeconds());
    m_scale.product = NsccBytes(qp.GetMaxRate(), rtt) / NSCC_REFERENCE_BDP;
    m_state = State();
    m_ahead = 0;
    m_state.baseRtt = rtt;
    m_state.cwnd = MaxWindow(qp);
    Apply(qp);
}

double
RdmaNscc::MaxWindow(const RdmaQueuePair& qp) const
{
    const double most = m_maxWindow * NsccBytes(qp.GetMaxRate(), m_state.baseRtt);
    return std::max(most, m_scale.packet);
}

void
RdmaNscc::OnAck(RdmaQueuePair& qp, const RdmaAck& ack)
{
    const auto arrived = static_cast<int64_t>(ack.seq + ack.ahead);
    const auto bytes = static_cast<double>(std::max<int64_t>(arrived - m_state.arrived, 0));
    m_state.arrived = std::max(m_state.arrived, arrived);
    m_ahead = ack.ahead;
    m_state.achieved += bytes;
    m_state.received += bytes;
    Ignore(bytes);
    if (ack.nack)
    {
        Lose(qp, ack.nowNs);
    }
    else
    {
        const auto rtt = static_cast<double>(ack.rttNs);
        Learn(rtt, ack.echo);
        React(qp, ack.nowNs, bytes, rtt - m_state.baseRtt, ack.echo);
    }
    Apply(qp);
}

/** So much came of what quick adapt ignores marks of. */
void
RdmaNscc::Ignore(double bytes)
{
    m_state.ignored = std::min(m_state.ignored + bytes, m_state.toIgnore);
}

/** A round trip took \p rtt ns. */
void
RdmaNscc::Learn(double rtt, bool marked)
{
    m_state.baseRtt = std::max(std::min(m_state.baseRtt, rtt), 1.0);
    const double delay = rtt - m_state.baseRtt;
    // Without a mark the queue has gone since.
    Average(!marked && delay > m_scale.target ? m_state.baseRtt / 4 : delay);
}

void
RdmaNscc::Average(double delay)
{
    m_state.delay += m_delayGain * (delay - m_state.delay);
}

void
RdmaNscc::React(const RdmaQueuePair& qp, int64_t now, double bytes, double delay, bool marked)
{
    if (QuickAdapt(qp, now, delay, marked, false))
    {
        return;
    }
    if (!marked && delay >= m_scale.target)
    {
        m_state.increase += m_fairIncrease * m_scale.packet * m_scale.product * bytes;
    }
    else if (!marked)
    {
        Increase(bytes, delay);
    }
    else if (delay >= m_scale.target)
    {
        Decrease(now);
    }
    Bound(qp);
    if (m_state.received > m_adjustPackets * m_scale.packet ||
        m_state.adjusted.AgeNs(now) > m_scale.networkRtt)
    {
        Adjust(now);
        Bound(qp);
    }
}

/** \return whether nothing else is to be done about this acknowledgement */
bool
RdmaNscc::QuickAdapt(const RdmaQueuePair& qp, int64_t now, double delay, bool marked, bool loss)
{
    if (!m_quickAdapt)
    {
        return false;
    }
    State& s = m_state;
    bool done = marked && s.ignored < s.toIgnore; // sent before the window was cut
    if (!done && s.period.AgeNs(now) > s.baseRtt + m_scale.target)
    {
        const bool bad = s.lost || loss || delay > m_quickAdaptDelay * m_scale.target;
        if (s.period.was && bad && s.achieved < m_quickAdaptShare * MaxWindow(qp))
        {
            s.cwnd = std::max(s.achieved, m_scale.packet);
            const uint64_t out = qp.GetSndNxt() - qp.GetSndUna();
            s.toIgnore = static_cast<double>(out - std::min(out, m_ahead));
            s.ignored = 0;
            s.lost = false;
            done = true;
        }
        s.achieved = 0;
        s.period.Set(now);
    }
    if (done)
    {
        s.increase = 0;
        s.received = 0;
    }
    return done;
}

void
RdmaNscc::Increase(double bytes, double delay)
{
    m_state.fast = IncreaseFast(bytes, delay);
    if (!m_state.fast)
    {
        m_state.increase += m_proportionalIncrease * m_scale.packet * m_scale.product *
                            (m_scale.target - delay) / NSCC_REFERENCE_RTT * bytes;
    }
}

/** \return whether it does */
bool
RdmaNscc::IncreaseFast(double bytes, double delay)
{
    if (delay >= static_cast<double>(m_fastDelay.GetNanoSeconds()))
    {
        m_state.undelayed = 0;
        return false;
    }
    if (!m_state.fast)
    {
        m_state.undelayed += bytes;
        if (m_state.undelayed <= m_state.cwnd)
        {
            return false;
        }
    }
    m_state.cwnd += m_fastIncrease * m_scale.product * bytes;
    return true;
}

void
RdmaNscc::Decrease(int64_t now)
{
    m_state.fast = false;
    m_state.undelayed = 0;
    const double beyond = m_state.delay - m_scale.target;
    if (beyond > 0 && m_state.decreased.AgeNs(now) > m_state.baseRtt)
    {
        m_state.cwnd *= std::max(1 - m_gamma * beyond / m_state.delay, 1 - m_maxDecrease);
        m_state.decreased.Set(now);
    }
}

/** Applies the increases collected. */
void
RdmaNscc::Adjust(int64_t now)
{
    m_state.cwnd += m_state.increase / m_state.cwnd;
    m_state.increase = 0;
    m_state.received = 0;
    if (m_state.adjusted.AgeNs(now) >= m_scale.networkRtt)
    {
        m_state.cwnd += m_eta * m_scale.packet * m_scale.product;
        m_state.adjusted.Set(now);
    }
}

/** A packet was lost, or is taken for lost. */
void
RdmaNscc::Lose(const RdmaQueuePair& qp, int64_t now)
{
    Ignore(m_scale.packet);
    Average(m_scale.networkRtt);
    m_state.lost = true;
    if (!QuickAdapt(qp, now, 0, true, true))
    {
        m_state.cwnd -= m_scale.packet;
        Bound(qp);
    }
}

void
RdmaNscc::OnTimeout(RdmaQueuePair& qp)
{
    m_state.cwnd -= m_scale.packet;
    Bound(qp);
    Apply(qp);
}

void
RdmaNscc::Bound(const RdmaQueuePair& qp)
{
    m_state.cwnd = std::clamp(m_state.cwnd, m_scale.packet, MaxWindow(qp));
}

void
RdmaNscc::Apply(RdmaQueuePair& qp)
{
    // A packet leaves if all of it fits; a queue pair sends as long as less than its window is out.
    // To the queue pair, all from the first gap on is out.
    qp.SetWindow(static_cast<uint64_t>(m_state.cwnd - m_scale.packet) + 1 + m_ahead);
}

template <typename Stream, typename T>
void
RdmaNscc::Fields(Stream& stream, T& state)
{
    stream.Value(state.cwnd);
    stream.Value(state.baseRtt);
    stream.Value(state.delay);
    stream.Sequence(state.arrived);
    stream.Value(state.increase);
    stream.Value(state.received);
    stream.Part(state.adjusted);
    stream.Part(state.decreased);
    stream.Value(state.fast);
    stream.Value(state.undelayed);
    stream.Value(state.achieved);
    stream.Part(state.period);
    stream.Value(state.lost);
    stream.Value(state.toIgnore);
    stream.Value(state.ignored);
}

bool
RdmaNscc::SaveState(const RdmaQueuePair& qp, std::vector<uint8_t>& state) const
{
    RdmaStateWriter writer(qp, state);
    Fields(writer, m_state);
    return true;
}

bool
RdmaNscc::LoadState(RdmaQueuePair& qp, const std::vector<uint8_t>& state)
{
    const auto isValid = [](const State& s) { return s.cwnd > 0 && s.baseRtt > 0; };
    const auto fields = [](auto& reader, auto& s) { Fields(reader, s); };
    return LoadRdmaState(qp, state, m_state, fields, isValid);
}

} // namespace ns3
