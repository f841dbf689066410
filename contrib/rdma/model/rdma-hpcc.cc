/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-hpcc.h"

#include "rdma-queue-pair.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaHpcc);

namespace
{

constexpr uint32_t TX_UNIT = 128;  //!< bytes, times the network's IntMultiplier
constexpr uint32_t QLEN_UNIT = 80; //!< bytes, times the network's IntMultiplier

/** \return a - b modulo 2^bits */
uint64_t
Difference(uint64_t a, uint64_t b, uint32_t bits)
{
    return (a - b) & ((uint64_t{1} << bits) - 1);
}

} // namespace

TypeId
RdmaHpcc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaHpcc")
            .SetParent<RdmaCongestionControl>()
            .SetGroupName("Rdma")
            .AddConstructor<RdmaHpcc>()
            .AddAttribute("UtilizationTarget",
                          "Utilisation that the busiest link is kept at (eta). [share]",
                          DoubleValue(0.95),
                          MakeDoubleAccessor(&RdmaHpcc::m_target),
                          MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute(
                "MaxStage",
                "Additive increases in a row before a multiplicative one (maxStage). [count]",
                UintegerValue(0),
                MakeUintegerAccessor(&RdmaHpcc::m_maxStage),
                MakeUintegerChecker<uint32_t>())
            .AddAttribute("AdditiveIncrease",
                          "Added to the rate at every step (W_AI, as a rate).",
                          DataRateValue(DataRate("40Mbps")),
                          MakeDataRateAccessor(&RdmaHpcc::m_increase),
                          MakeDataRateChecker())
            .AddAttribute("MinRate",
                          "Lower bound of the rate.",
                          DataRateValue(DataRate("1000Mbps")),
                          MakeDataRateAccessor(&RdmaHpcc::m_minRate),
                          MakeDataRateChecker())
            .AddAttribute("FastReact",
                          "React to every acknowledgement, not only once per round trip.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&RdmaHpcc::m_fastReact),
                          MakeBooleanChecker())
            .AddAttribute("SampleFeedback",
                          "In between, look only at links with a queue.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RdmaHpcc::m_sampleFeedback),
                          MakeBooleanChecker())
            .AddAttribute("MultiRate",
                          "Follow every link on its own and take the least of their rates.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RdmaHpcc::m_multiRate),
                          MakeBooleanChecker());
    return tid;
}

RdmaHpcc::RdmaHpcc() = default;
RdmaHpcc::~RdmaHpcc() = default;

Ptr<RdmaCongestionControl>
RdmaHpcc::Fork() const
{
    return CopyObject<RdmaHpcc>(this);
}

RdmaTelemetry
RdmaHpcc::GetTelemetry() const
{
    return RdmaTelemetry::INT;
}

void
RdmaHpcc::OnStart(RdmaQueuePair& qp)
{
    m_state = StateAtStart(qp);
}

RdmaHpcc::State
RdmaHpcc::StateAtStart(const RdmaQueuePair& qp)
{
    State state;
    state.path.rate = qp.GetMaxRate();
    for (Follower& follower : state.perHop)
    {
        follower.rate = qp.GetMaxRate();
    }
    return state;
}

void
RdmaHpcc::OnAck(RdmaQueuePair& qp, const RdmaAck& ack)
{
    const uint64_t next = qp.GetSndNxt();
    if (!m_state.round.HasBegun())
    {
        m_state.round.Begin(next);
        m_state.hops = std::min<uint8_t>(ack.telemetry->hopCount, RdmaIntHeader::MAX_HOPS);
        for (uint32_t i = 0; i < m_state.hops; ++i)
        {
            m_state.last[i].hop = ack.telemetry->hops[i];
        }
        return;
    }
    const bool full = m_state.round.IsBeyond(ack.seq);
    if (full || m_fastReact)
    {
        React(qp, *ack.telemetry, full);
    }
    if (full && m_state.round.IsBeyond(next))
    {
        m_state.round.Begin(next);
    }
}

RdmaHpcc::Follower
RdmaHpcc::Step(const Follower& follower, uint64_t maxRate) const
{
    const double c = follower.u / m_target;
    Follower next = follower;
    if (c >= 1 || follower.stage >= m_maxStage)
    {
        // a tiny u would ask for more than 64 bits hold; the line rate bounds it anyway
        const double scaled = static_cast<double>(follower.rate) / c;
        next.rate =
            (scaled < static_cast<double>(maxRate) ? static_cast<uint64_t>(scaled) : maxRate) +
            m_increase.GetBitRate();
        next.stage = 0;
    }
    else
    {
        next.rate = follower.rate + m_increase.GetBitRate();
        next.stage = follower.stage + 1;
    }
    next.rate = std::min(std::max(next.rate, m_minRate.GetBitRate()), maxRate);
    return next;
}

void
RdmaHpcc::React(RdmaQueuePair& qp, const RdmaIntHeader& header, bool full)
{
    const uint32_t multiplier = qp.GetIntMultiplier();
    const auto maxRate = qp.GetMaxRate();
    const auto baseRtt = static_cast<uint64_t>(qp.GetBaseRttNs());
    const double bdp = static_cast<double>(maxRate) / 8e9 * static_cast<double>(baseRtt);
    const double window = qp.GetWindow() ? static_cast<double>(qp.GetWindow()) : bdp;
    const uint32_t hops = std::min<uint32_t>(header.hopCount, RdmaIntHeader::MAX_HOPS);
    std::array<bool, RdmaIntHeader::MAX_HOPS> seen{};
    bool any = false;
    double busiest = 0;
    uint64_t busiestTau = 0;
    for (uint32_t i = 0; i < hops; ++i)
    {
        const RdmaIntHeader::Hop& now = header.hops[i];
        RdmaIntHeader::Hop& before = m_state.last[i].hop;
        if (i >= m_state.hops) // the way has become longer
        {
            before = now;
            m_state.hops = static_cast<uint8_t>(i + 1);
            continue;
        }
        if (m_sampleFeedback && now.qlen == 0 && !full)
        {
            continue;
        }
        const uint64_t tau = Difference(now.time, before.time, RdmaIntHeader::TIME_BITS);
        if (tau == 0)
        {
            continue; // two frames within a nanosecond say nothing about a rate
        }
        seen[i] = any = true;
        const uint64_t bytes =
            Difference(now.tx, before.tx, RdmaIntHeader::TX_BITS) * TX_UNIT * multiplier;
        const uint64_t qlen = static_cast<uint64_t>(std::min<uint32_t>(now.qlen, before.qlen)) *
                              QLEN_UNIT * multiplier;
        const auto line = static_cast<double>(qp.GetLinkRate(header.rateIndex[i]));
        const double txRate = static_cast<double>(bytes * 8) / (static_cast<double>(tau) * 1e-9);
        const double u = txRate / line +
                         static_cast<double>(qlen) * static_cast<double>(maxRate) / line / window;
        before = now;
        if (!m_multiRate)
        {
            if (u > busiest)
            {
                busiest = u;
                busiestTau = tau;
            }
            continue;
        }
        const uint64_t dt = std::min(tau, baseRtt);
        Follower& follower = m_state.perHop[i];
        follower.u =
            (follower.u * static_cast<double>(baseRtt - dt) + u * static_cast<double>(dt)) /
            static_cast<double>(baseRtt);
    }
    if (!any)
    {
        return;
    }
    if (!m_multiRate)
    {
        const uint64_t dt = std::min(busiestTau, baseRtt);
        Follower& path = m_state.path;
        path.u = (path.u * static_cast<double>(baseRtt - dt) + busiest * static_cast<double>(dt)) /
                 static_cast<double>(baseRtt);
        const Follower next = Step(path, maxRate);
        if (full)
        {
            path = next;
        }
        qp.SetRateNow(next.rate);
        return;
    }
    uint64_t rate = maxRate;
    for (uint32_t i = 0; i < hops; ++i)
    {
        const Follower next = seen[i] ? Step(m_state.perHop[i], maxRate) : m_state.perHop[i];
        rate = std::min(rate, next.rate);
        if (full)
        {
            m_state.perHop[i] = next;
        }
    }
    qp.SetRateNow(rate);
}

void
RdmaHpcc::Record::Save(RdmaStateWriter& writer) const
{
    const auto now = static_cast<uint64_t>(writer.GetQueuePair().GetNowNs());
    uint64_t bits = hop.qlen;
    bits = bits << RdmaIntHeader::TX_BITS | hop.tx;
    bits = bits << RdmaIntHeader::TIME_BITS | Difference(hop.time, now, RdmaIntHeader::TIME_BITS);
    writer.Value(bits);
}

void
RdmaHpcc::Record::Load(RdmaStateReader& reader)
{
    const auto now = static_cast<uint64_t>(reader.GetQueuePair().GetNowNs());
    uint64_t bits;
    reader.Value(bits);
    hop.time = bits + now;
    bits >>= RdmaIntHeader::TIME_BITS;
    hop.tx = bits;
    hop.qlen = bits >> RdmaIntHeader::TX_BITS;
}

template <typename Stream, typename T>
void
RdmaHpcc::Fields(Stream& stream, T& follower)
{
    stream.Value(follower.u);
    stream.Value(follower.rate);
    stream.Value(follower.stage);
}

template <typename Stream, typename T>
void
RdmaHpcc::StateFields(Stream& stream, T& state) const
{
    stream.Part(state.round);
    stream.Value(state.hops);
    for (uint32_t i = 0; i < std::min<uint32_t>(state.hops, RdmaIntHeader::MAX_HOPS); ++i)
    {
        stream.Part(state.last[i]);
        if (m_multiRate)
        {
            Fields(stream, state.perHop[i]);
        }
    }
    if (!m_multiRate)
    {
        Fields(stream, state.path);
    }
}

bool
RdmaHpcc::MeasuresDelay() const
{
    return false;
}

bool
RdmaHpcc::SaveState(const RdmaQueuePair& qp, std::vector<uint8_t>& state) const
{
    RdmaStateWriter writer(qp, state);
    StateFields(writer, m_state);
    return true;
}

bool
RdmaHpcc::LoadState(RdmaQueuePair& qp, const std::vector<uint8_t>& state)
{
    RdmaStateReader reader(qp, state);
    State loaded = StateAtStart(qp);
    StateFields(reader, loaded);
    if (!reader.IsComplete() || loaded.hops > RdmaIntHeader::MAX_HOPS)
    {
        return false;
    }
    m_state = loaded;
    return true;
}

} // namespace ns3
