/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-hpcc.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaHpcc);

namespace
{

/**
 * \return what a link is used, its queue included (HPCC, SIGCOMM 2019, eq. 2)
 * \param before telemetry of an earlier frame
 * \param now of this one
 * \param tau ns in between
 * \param multiplier the network's IntMultiplier
 * \param line rate of the link, bit/s
 * \param qp of the frames
 */
double
Utilisation(const RdmaIntRecord& before,
            const RdmaIntHeader::Hop& now,
            uint64_t tau,
            uint32_t multiplier,
            double line,
            const RdmaQueuePair& qp)
{
    const uint64_t bytes = before.BytesUntil(now, multiplier);
    const uint64_t qlen = static_cast<uint64_t>(std::min<uint32_t>(now.qlen, before.hop.qlen)) *
                          RdmaIntRecord::QLEN_UNIT * multiplier;
    const double txRate = static_cast<double>(bytes * 8) / (static_cast<double>(tau) * 1e-9);
    const double used = txRate / line;
    if (qlen == 0)
    {
        return used;
    }
    const auto maxRate = static_cast<double>(qp.GetMaxRate());
    const double window = qp.GetWindow() ? static_cast<double>(qp.GetWindow())
                                         : maxRate / 8e9 * static_cast<double>(qp.GetBaseRttNs());
    return used + static_cast<double>(qlen) * maxRate / line / window;
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
                          MakeDataRateAccessor(&RdmaHpcc::SetIncrease, &RdmaHpcc::GetIncrease),
                          MakeDataRateChecker())
            .AddAttribute("MinRate",
                          "Lower bound of the rate.",
                          DataRateValue(DataRate("1000Mbps")),
                          MakeDataRateAccessor(&RdmaHpcc::SetMinRate, &RdmaHpcc::GetMinRate),
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

void
RdmaHpcc::SetIncrease(DataRate rate)
{
    m_increase = rate.GetBitRate();
}

DataRate
RdmaHpcc::GetIncrease() const
{
    return DataRate(m_increase);
}

void
RdmaHpcc::SetMinRate(DataRate rate)
{
    m_minRate = rate.GetBitRate();
}

DataRate
RdmaHpcc::GetMinRate() const
{
    return DataRate(m_minRate);
}

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
    const RdmaHpccSteps steps{m_maxStage, m_increase, m_minRate, maxRate};
    Follower next = follower;
    next.Step(follower.u / m_target, steps);
    return next;
}

void
RdmaHpcc::React(RdmaQueuePair& qp, const RdmaIntHeader& header, bool full)
{
    const uint32_t hops = std::min<uint32_t>(header.hopCount, RdmaIntHeader::MAX_HOPS);
    const uint32_t multiplier = qp.GetIntMultiplier();
    Loads loads{};
    bool any = false;
    for (uint32_t i = 0; i < hops; ++i)
    {
        const RdmaIntHeader::Hop& now = header.hops[i];
        RdmaIntRecord& before = m_state.last[i];
        if (i >= m_state.hops) // the way has become longer
        {
            before.hop = now;
            m_state.hops = static_cast<uint8_t>(i + 1);
            continue;
        }
        if (m_sampleFeedback && now.qlen == 0 && !full)
        {
            continue;
        }
        const uint64_t tau = before.NsUntil(now);
        if (tau == 0)
        {
            continue; // two frames within a nanosecond say nothing about a rate
        }
        const auto line = static_cast<double>(qp.GetLinkRate(header.rateIndex[i]));
        loads[i].tau = tau;
        loads[i].u = Utilisation(before, now, tau, multiplier, line, qp);
        before.hop = now;
        any = true;
    }
    if (any)
    {
        qp.SetRateNow(m_multiRate ? FollowEach(qp, loads, hops, full)
                                  : FollowBusiest(qp, loads, full));
    }
}

uint64_t
RdmaHpcc::FollowBusiest(const RdmaQueuePair& qp, const Loads& loads, bool full)
{
    Load busiest;
    for (const Load& load : loads)
    {
        if (load.u > busiest.u)
        {
            busiest = load;
        }
    }
    m_state.path.Average(busiest, static_cast<uint64_t>(qp.GetBaseRttNs()));
    const Follower next = Step(m_state.path, qp.GetMaxRate());
    if (full)
    {
        m_state.path = next;
    }
    return next.rate;
}

uint64_t
RdmaHpcc::FollowEach(const RdmaQueuePair& qp, const Loads& loads, uint32_t hops, bool full)
{
    uint64_t rate = qp.GetMaxRate();
    for (uint32_t i = 0; i < hops; ++i)
    {
        Follower& follower = m_state.perHop[i];
        if (loads[i].tau == 0)
        {
            rate = std::min(rate, follower.rate);
            continue;
        }
        follower.Average(loads[i], static_cast<uint64_t>(qp.GetBaseRttNs()));
        const Follower next = Step(follower, qp.GetMaxRate());
        rate = std::min(rate, next.rate);
        if (full)
        {
            follower = next;
        }
    }
    return rate;
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

RdmaLinkUse
RdmaHpcc::GetLinkUse() const
{
    return {m_target, m_increase};
}

uint64_t
RdmaHpcc::GetAdditiveIncrease() const
{
    return m_increase;
}

bool
RdmaHpcc::CanScale() const
{
    return true;
}

void
RdmaHpcc::Scale(RdmaQueuePair& qp, double factor)
{
    const auto least = static_cast<double>(m_minRate);
    const auto most = static_cast<double>(qp.GetMaxRate());
    const auto scaled = [&](uint64_t rate) {
        const double product = static_cast<double>(rate) * factor;
        return static_cast<uint64_t>(std::min(std::max(product, least), most));
    };
    m_state.path.rate = scaled(m_state.path.rate);
    for (Follower& follower : m_state.perHop)
    {
        follower.rate = scaled(follower.rate);
    }
    qp.SetRate(scaled(qp.GetRate()));
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
    const auto isValid = [&qp](const Follower& follower) {
        return follower.u >= 0 && follower.rate > 0 && follower.rate <= qp.GetMaxRate();
    };
    if (!reader.IsComplete() || loaded.hops > RdmaIntHeader::MAX_HOPS || !isValid(loaded.path) ||
        !std::all_of(loaded.perHop.begin(), loaded.perHop.end(), isValid))
    {
        return false;
    }
    m_state = loaded;
    return true;
}

} // namespace ns3
