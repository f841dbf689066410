/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-dcqcn.h"

#include "rdma-queue-pair.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
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
                          "Weight of a step of alpha (g).",
                          DoubleValue(1.0 / 256),
                          MakeDoubleAccessor(&RdmaDcqcn::m_g),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("RateOnFirstNotification",
                          "The first notification multiplies the rate by this.",
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
                          "Increases after a cut that only recover towards the target (F).",
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
}

void
RdmaDcqcn::OnCongestionNotification(RdmaQueuePair& qp)
{
    const int64_t now = qp.GetNowNs();
    if (!m_state.notified)
    {
        m_state.notified = true;
        m_state.alpha = 1;
        m_state.alphaFlag = false;
        m_state.nextAlpha = now + m_alphaInterval.GetNanoSeconds();
        m_state.decreaseBase =
            now + m_decreaseInterval.GetNanoSeconds() + 1; // one later, so after the step of alpha
        qp.SetRate(static_cast<uint64_t>(static_cast<double>(qp.GetRate()) * m_rateOnFirst));
        m_state.target = qp.GetRate();
    }
    else
    {
        CatchUpAlpha(now + IsBehindTick(m_alphaInterval));
        m_state.alphaFlag = true;
    }
    m_state.decreaseFlag = true;
    if (!m_decrease.IsPending())
    {
        ScheduleDecrease(now);
    }
}

void
RdmaDcqcn::ScheduleDecrease(int64_t nowNs)
{
    const int64_t interval = m_decreaseInterval.GetNanoSeconds();
    const int64_t since = nowNs - m_state.decreaseBase;
    int64_t wait = since <= 0 ? -since : (interval - since % interval) % interval;
    if (wait == 0 && IsBehindTick(m_decreaseInterval))
    {
        wait = interval;
    }
    m_qp->ScheduleTimer(m_decrease, wait);
}

bool
RdmaDcqcn::IsBehindTick(const Time& interval) const
{
    return m_qp->GetNicDelayNs() < interval.GetNanoSeconds();
}

void
RdmaDcqcn::CatchUpAlpha(int64_t nowNs)
{
    const int64_t interval = m_alphaInterval.GetNanoSeconds();
    while (m_state.nextAlpha < nowNs)
    {
        m_state.alpha = (1 - m_g) * m_state.alpha + (m_state.alphaFlag ? m_g : 0);
        m_state.alphaFlag = false;
        m_state.nextAlpha += interval;
        const int64_t steps = (nowNs - m_state.nextAlpha) / interval;
        if (steps > STEPS_ONE_BY_ONE)
        {
            m_state.alpha *= std::pow(1 - m_g, static_cast<double>(steps));
            m_state.nextAlpha += steps * interval;
        }
    }
}

void
RdmaDcqcn::Decrease()
{
    const int64_t now = m_qp->GetNowNs();
    CatchUpAlpha(now);
    if (!m_state.decreaseFlag)
    {
        return;
    }
    if (m_clampTarget || m_state.stage != 0)
    {
        m_state.target = m_qp->GetRate();
    }
    const auto cut =
        static_cast<uint64_t>(static_cast<double>(m_qp->GetRate()) * (1 - m_state.alpha / 2));
    m_qp->SetRate(std::max(m_minRate.GetBitRate(), cut));
    m_state.stage = 0;
    m_state.decreaseFlag = false;
    m_state.nextIncrease = now + m_increaseInterval.GetNanoSeconds();
    m_qp->ScheduleTimer(m_increase, m_increaseInterval.GetNanoSeconds());
}

void
RdmaDcqcn::Increase()
{
    m_state.nextIncrease += m_increaseInterval.GetNanoSeconds();
    m_qp->ScheduleTimer(m_increase, m_increaseInterval.GetNanoSeconds());
    if (m_state.stage >= m_fastRecoveries)
    {
        const DataRate& step =
            m_state.stage == m_fastRecoveries ? m_activeIncrease : m_hyperIncrease;
        m_state.target = std::min(m_state.target + step.GetBitRate(), m_qp->GetMaxRate());
    }
    m_qp->SetRate(m_qp->GetRate() / 2 + m_state.target / 2);
    ++m_state.stage;
}

bool
RdmaDcqcn::SaveState(std::vector<uint8_t>& state, int64_t nowNs) const
{
    State relative = m_state;
    relative.nextAlpha -= nowNs;
    relative.decreaseBase -= nowNs;
    relative.nextIncrease -= m_state.nextIncrease < 0 ? 0 : nowNs;
    SavePlain(state, relative);
    return true;
}

bool
RdmaDcqcn::LoadState(const std::vector<uint8_t>& state, int64_t nowNs)
{
    if (!LoadPlain(state, m_state))
    {
        return false;
    }
    const bool increasing = m_state.nextIncrease >= 0;
    m_state.nextAlpha += nowNs;
    m_state.decreaseBase += nowNs;
    m_qp->CancelTimer(m_decrease);
    m_qp->CancelTimer(m_increase);
    if (m_state.decreaseFlag)
    {
        ScheduleDecrease(nowNs);
    }
    if (increasing)
    {
        m_qp->ScheduleTimer(m_increase, m_state.nextIncrease);
        m_state.nextIncrease += nowNs;
    }
    return true;
}

} // namespace ns3
