/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-control-state.h"
#include "rdma-dcqcn.h"

#include "ns3/rdma-queue-pair.h"

#include <algorithm>
#include <limits>

// What DCQCN does without packets.

namespace ns3
{

namespace
{

/** Alpha up to which a cut is a small step: by less than 7 %. */
constexpr double CALM_ALPHA = 0.125;

constexpr int64_t PS_PER_NS = 1000;

} // namespace

/** The same arithmetic, with times in place of timers. */
class RdmaDcqcn::Course : public RdmaPacedCourse
{
  public:
    Course(const RdmaDcqcn& control, const RdmaQueuePair& qp)
        : m_control(control),
          m_state(control.m_state),
          m_rate(qp.GetRate()),
          m_maxRate(qp.GetMaxRate())
    {
        if (m_state.notified)
        {
            m_control.CatchUpAlpha(m_state, qp.GetNowNs()); // it is as of when it was needed
        }
    }

    std::unique_ptr<RdmaPacedCourse> Copy() const override
    {
        return std::make_unique<Course>(*this);
    }

    void Notify(int64_t ns) override
    {
        const bool pending = m_state.decreaseFlag;
        if (m_control.Notice(m_state, ns, false))
        {
            m_rate = static_cast<uint64_t>(static_cast<double>(m_rate) * m_control.m_rateOnFirst);
            m_state.target = m_rate;
        }
        if (!pending)
        {
            m_state.decreaseAt = (ns + m_control.GetDecreaseWait(m_state, ns)) * PS_PER_NS;
            m_state.increaseLast = false;
        }
    }

    void Advance(int64_t ns) override
    {
        constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();
        const int64_t now = ns * PS_PER_NS;
        for (;;)
        {
            const int64_t cut = m_state.decreaseFlag ? m_state.decreaseAt : NEVER;
            const int64_t raise = m_state.increasing ? m_state.increaseAt : NEVER;
            if (std::min(cut, raise) > now)
            {
                return;
            }
            if (cut <= raise)
            {
                m_control.CatchUpAlpha(m_state, cut / PS_PER_NS);
                m_rate = m_control.Cut(m_state, m_rate);
            }
            else
            {
                m_rate = m_control.Raise(m_state, m_rate, m_maxRate);
            }
            m_state.increasing = m_state.increaseLast = true;
            m_state.increaseAt =
                std::min(cut, raise) + m_control.m_increaseInterval.GetNanoSeconds() * PS_PER_NS;
        }
    }

    uint64_t GetRate() const override
    {
        return m_rate;
    }

    bool IsNotified() const override
    {
        return m_state.notified;
    }

    bool IsCalm() const override
    {
        return !m_state.notified || m_state.alpha <= CALM_ALPHA;
    }

    int64_t GetStepNs() const override
    {
        return m_control.m_decreaseInterval.GetNanoSeconds();
    }

    void Save(const RdmaQueuePair& qp, std::vector<uint8_t>& state) const override
    {
        m_control.Save(qp, m_state, state);
    }

  private:
    const RdmaDcqcn& m_control;
    State m_state;
    uint64_t m_rate;    //!< bit/s
    uint64_t m_maxRate; //!< bit/s
};

std::unique_ptr<RdmaPacedCourse>
RdmaDcqcn::GetCourse(const RdmaQueuePair& qp) const
{
    return GetInstanceTypeId() == GetTypeId() ? std::make_unique<Course>(*this, qp) : nullptr;
}

bool
RdmaDcqcn::HasRisenFor(const RdmaQueuePair& qp, int64_t ns) const
{
    return m_state.increasing && !m_state.decreaseFlag && qp.GetRate() < qp.GetMaxRate() &&
           m_state.stage * m_increaseInterval.GetNanoSeconds() >= ns;
}

} // namespace ns3
