/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-dcqcn.h"

#include "rdma-control-state.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaDcqcn);

namespace
{
constexpr int64_t STEPS_ONE_BY_ONE = 1 << 20; //!< a longer idle time is caught up by one power
} // namespace

TypeId
RdmaDcqcn::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaDcqcn")
            .SetParent<RdmaCongestionControl>()
            .SetGroupName("Rdma")
            .AddConstructor<RdmaDcqcn>()
            .AddAttribute("Gain",
                          "Weight of a step of alpha (g). [share]",
                          DoubleValue(1.0 / 256),
                          MakeDoubleAccessor(&RdmaDcqcn::m_g),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("InitialAlpha",
                          "Alpha after the first notification. [share]",
                          DoubleValue(1),
                          MakeDoubleAccessor(&RdmaDcqcn::m_initialAlpha),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("RateOnFirstNotification",
                          "The first notification multiplies the rate by this. [factor]",
                          DoubleValue(1.0),
                          MakeDoubleAccessor(&RdmaDcqcn::m_rateOnFirst),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("AlphaInterval",
                          "Between steps of alpha; whole nanoseconds.",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&RdmaDcqcn::m_alphaInterval),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("DecreaseInterval",
                          "Between looks at whether to cut the rate; whole nanoseconds.",
                          TimeValue(MicroSeconds(4)),
                          MakeTimeAccessor(&RdmaDcqcn::m_decreaseInterval),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("IncreaseInterval",
                          "Between increases of the rate; whole nanoseconds.",
                          TimeValue(MicroSeconds(300)),
                          MakeTimeAccessor(&RdmaDcqcn::m_increaseInterval),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("FastRecoveryTimes",
                          "Increases after a cut that only recover towards the target (F). [count]",
                          UintegerValue(1),
                          MakeUintegerAccessor(&RdmaDcqcn::m_fastRecoveries),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("ActiveIncrease",
                          "Added to the target once after fast recovery (R_AI).",
                          DataRateValue(DataRate("20Mbps")),
                          MakeDataRateAccessor(&RdmaDcqcn::m_activeIncrease),
                          MakeDataRateChecker())
            .AddAttribute("HyperIncrease",
                          "Added to the target at every later increase (R_HAI).",
                          DataRateValue(DataRate("200Mbps")),
                          MakeDataRateAccessor(&RdmaDcqcn::m_hyperIncrease),
                          MakeDataRateChecker())
            .AddAttribute("MinRate",
                          "Lower bound of the rate.",
                          DataRateValue(DataRate("1000Mbps")),
                          MakeDataRateAccessor(&RdmaDcqcn::m_minRate),
                          MakeDataRateChecker())
            .AddAttribute("ClampTarget",
                          "Every cut lowers the target to the rate before; otherwise only the "
                          "first after an increase.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RdmaDcqcn::m_clampTarget),
                          MakeBooleanChecker());
    return tid;
}

RdmaDcqcn::RdmaDcqcn()
    : m_decrease(this, &RdmaDcqcn::Decrease),
      m_increase(this, &RdmaDcqcn::Increase)
{
}

RdmaDcqcn::RdmaDcqcn(const RdmaDcqcn& other)
    : RdmaCongestionControl(other),
      m_decrease(this, &RdmaDcqcn::Decrease),
      m_increase(this, &RdmaDcqcn::Increase),
      m_g(other.m_g),
      m_initialAlpha(other.m_initialAlpha),
      m_rateOnFirst(other.m_rateOnFirst),
      m_alphaInterval(other.m_alphaInterval),
      m_decreaseInterval(other.m_decreaseInterval),
      m_increaseInterval(other.m_increaseInterval),
      m_fastRecoveries(other.m_fastRecoveries),
      m_activeIncrease(other.m_activeIncrease),
      m_hyperIncrease(other.m_hyperIncrease),
      m_minRate(other.m_minRate),
      m_clampTarget(other.m_clampTarget)
{
}

RdmaDcqcn::~RdmaDcqcn() = default;

Ptr<RdmaCongestionControl>
RdmaDcqcn::Fork() const
{
    return CopyObject<RdmaDcqcn>(this);
}

void
RdmaDcqcn::OnStart(RdmaQueuePair& qp)
{
    m_qp = &qp;
    m_state = State();
    m_state.target = qp.GetMaxRate();
}

void
RdmaDcqcn::OnAck(RdmaQueuePair&, const RdmaAck&)
{
}

void
RdmaDcqcn::OnEnd(RdmaQueuePair& qp)
{
    qp.CancelTimer(m_decrease);
    qp.CancelTimer(m_increase);
    m_state.decreaseFlag = m_state.increasing = false;
}

bool
RdmaDcqcn::TakesCnps() const
{
    return true;
}

bool
RdmaDcqcn::Notice(State& state, int64_t nowNs, bool behind) const
{
    const bool first = !state.notified;
    if (first)
    {
        state.notified = true;
        state.alpha = m_initialAlpha;
        state.alphaFlag = false;
        state.nextAlpha = nowNs + m_alphaInterval.GetNanoSeconds();
        state.decreaseBase = nowNs + m_decreaseInterval.GetNanoSeconds() +
                             1; // one later, so after the step of alpha
    }
    else
    {
        CatchUpAlpha(state, nowNs + behind);
        state.alphaFlag = true;
    }
    state.decreaseFlag = true;
    return first;
}

void
RdmaDcqcn::OnCongestionNotification(RdmaQueuePair& qp)
{
    const int64_t now = qp.GetNowNs();
    if (Notice(m_state, now, m_state.notified && IsBehindTick(m_alphaInterval)))
    {
        qp.SetRate(static_cast<uint64_t>(static_cast<double>(qp.GetRate()) * m_rateOnFirst));
        m_state.target = qp.GetRate();
    }
    if (!m_decrease.IsPending())
    {
        ScheduleDecrease(now);
    }
}

void
RdmaDcqcn::ScheduleDecrease(int64_t nowNs)
{
    int64_t wait = GetDecreaseWait(m_state, nowNs);
    if (wait == 0 && IsBehindTick(m_decreaseInterval))
    {
        wait = m_decreaseInterval.GetNanoSeconds();
    }
    m_state.decreaseAt = m_qp->GetNowPs() + wait * 1000;
    m_state.increaseLast = false;
    m_qp->ScheduleTimer(m_decrease, wait);
}

int64_t
RdmaDcqcn::GetDecreaseWait(const State& state, int64_t nowNs) const
{
    const int64_t interval = m_decreaseInterval.GetNanoSeconds();
    const int64_t since = nowNs - state.decreaseBase;
    return since <= 0 ? -since : (interval - since % interval) % interval;
}

void
RdmaDcqcn::ScheduleIncrease()
{
    const int64_t wait = m_increaseInterval.GetNanoSeconds();
    m_state.increaseAt = m_qp->GetNowPs() + wait * 1000;
    m_state.increasing = true;
    m_state.increaseLast = true;
    m_qp->ScheduleTimer(m_increase, wait);
}

bool
RdmaDcqcn::IsBehindTick(const Time& interval) const
{
    return m_qp->GetNicDelayNs() < interval.GetNanoSeconds();
}

void
RdmaDcqcn::CatchUpAlpha(State& state, int64_t nowNs) const
{
    if (state.nextAlpha >= nowNs)
    {
        return;
    }
    const int64_t interval = m_alphaInterval.GetNanoSeconds();
    const double kept = 1 - m_g;
    double alpha = kept * state.alpha + (state.alphaFlag ? m_g : 0);
    state.alphaFlag = false;
    state.nextAlpha += interval;
    const int64_t left = nowNs - state.nextAlpha;
    if (left > STEPS_ONE_BY_ONE * interval)
    {
        const int64_t steps = left / interval;
        alpha *= std::pow(kept, static_cast<double>(steps));
        state.nextAlpha += steps * interval;
    }
    for (; state.nextAlpha < nowNs; state.nextAlpha += interval)
    {
        alpha *= kept;
    }
    state.alpha = alpha;
}

uint64_t
RdmaDcqcn::Cut(State& state, uint64_t rate) const
{
    if (m_clampTarget || state.stage != 0)
    {
        state.target = rate;
    }
    state.stage = 0;
    state.decreaseFlag = false;
    return std::max(m_minRate.GetBitRate(),
                    static_cast<uint64_t>(static_cast<double>(rate) * (1 - state.alpha / 2)));
}

uint64_t
RdmaDcqcn::Raise(State& state, uint64_t rate, uint64_t maxRate) const
{
    if (state.stage >= m_fastRecoveries)
    {
        const DataRate& step = state.stage == m_fastRecoveries ? m_activeIncrease : m_hyperIncrease;
        state.target = std::min(state.target + step.GetBitRate(), maxRate);
    }
    ++state.stage;
    return rate / 2 + state.target / 2;
}

void
RdmaDcqcn::Decrease()
{
    CatchUpAlpha(m_state, m_qp->GetNowNs());
    if (!m_state.decreaseFlag)
    {
        return;
    }
    m_qp->SetRate(Cut(m_state, m_qp->GetRate()));
    ScheduleIncrease();
}

void
RdmaDcqcn::Increase()
{
    ScheduleIncrease();
    m_qp->SetRate(Raise(m_state, m_qp->GetRate(), m_qp->GetMaxRate()));
}

template <typename Stream, typename T>
void
RdmaDcqcn::Fields(Stream& stream, T& state)
{
    stream.Value(state.target);
    stream.Value(state.notified);
    if (!state.notified)
    {
        return;
    }
    stream.Value(state.alpha);
    stream.Value(state.stage);
    stream.Value(state.alphaFlag);
    stream.Value(state.decreaseFlag);
    stream.Value(state.increasing);
    stream.Time(state.nextAlpha);
    stream.Time(state.decreaseBase);
    if (state.decreaseFlag)
    {
        stream.TimerTime(state.decreaseAt);
        stream.Value(state.increaseLast);
    }
    if (state.increasing)
    {
        stream.TimerTime(state.increaseAt);
    }
}

int64_t
RdmaDcqcn::GetPeriodNs(const RdmaQueuePair& qp) const
{
    // halves of odd rates are cut off: the last bit/s never comes
    const bool rises = m_state.target < qp.GetMaxRate() || qp.GetRate() + 1 < m_state.target;
    return m_state.increasing && rises ? m_increaseInterval.GetNanoSeconds() : 0;
}

bool
RdmaDcqcn::MeasuresDelay() const
{
    return false;
}

bool
RdmaDcqcn::SaveState(const RdmaQueuePair& qp, std::vector<uint8_t>& state) const
{
    Save(qp, m_state, state);
    return true;
}

void
RdmaDcqcn::Save(const RdmaQueuePair& qp, State saved, std::vector<uint8_t>& bytes) const
{
    const int64_t now = qp.GetNowNs();
    saved.decreaseBase = now + GetDecreaseWait(saved, now); // one of many that mean the same
    RdmaStateWriter writer(qp, bytes);
    Fields(writer, saved);
}

bool
RdmaDcqcn::LoadState(RdmaQueuePair& qp, const std::vector<uint8_t>& state)
{
    const auto isValid = [&qp](const State& s) {
        return s.alpha >= 0 && s.alpha <= 1 && s.target <= qp.GetMaxRate();
    };
    const auto fields = [](auto& reader, auto& s) { Fields(reader, s); };
    if (!LoadRdmaState(qp, state, m_state, fields, isValid))
    {
        return false;
    }
    m_qp = &qp;
    qp.CancelTimer(m_decrease);
    qp.CancelTimer(m_increase);
    ResumeTimers();
    return true;
}

void
RdmaDcqcn::ResumeTimers()
{
    const int64_t now = m_qp->GetNowPs();
    auto resume = [this, now](RdmaTimer& timer, bool pending, int64_t at) {
        if (pending)
        {
            m_qp->ScheduleTimerPs(timer, std::max<int64_t>(at - now, 0));
        }
    };
    // of two timers for the same moment the one that was scheduled first fires first
    if (m_state.increaseLast)
    {
        resume(m_decrease, m_state.decreaseFlag, m_state.decreaseAt);
    }
    resume(m_increase, m_state.increasing, m_state.increaseAt);
    if (!m_state.increaseLast)
    {
        resume(m_decrease, m_state.decreaseFlag, m_state.decreaseAt);
    }
}

} // namespace ns3
