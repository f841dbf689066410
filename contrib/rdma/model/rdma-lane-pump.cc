/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-lane-pump.h"

#include "ns3/abort.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <limits>

namespace ns3
{

namespace
{

constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

/** \return a time of the queue, or the end of time if it is later or has wrapped */
int64_t
Countable(int64_t time)
{
    return time < 0 ? RDMA_END_OF_TIME : std::min(time, RDMA_END_OF_TIME);
}

} // namespace

/** ns-3's face of the pump. */
class RdmaLanePump::PumpEvent : public EventImpl
{
  public:
    explicit PumpEvent(RdmaLanePump* pump)
        : m_pump(pump)
    {
    }

    RdmaLanePump* m_pump; //!< null once it is gone

  private:
    void Notify() override
    {
        if (m_pump)
        {
            m_pump->Pump();
        }
    }
};

RdmaLanePump::RdmaLanePump()
    : m_event(Create<PumpEvent>(this)),
      m_armed(NEVER)
{
    m_lanes.SetDriver(this);
}

RdmaLanePump::~RdmaLanePump()
{
    m_event->m_pump = nullptr;
}

RdmaLaneQueue&
RdmaLanePump::GetLaneQueue()
{
    return m_lanes;
}

void
RdmaLanePump::StayInPartition()
{
    const uint32_t partition = Simulator::GetSystemId();
    uint32_t first = 0;
    NS_ABORT_MSG_IF(partition != 0 && !m_partition.compare_exchange_strong(first, partition) &&
                        first != partition,
                    "RdmaNetwork: nodes of partitions "
                        << first << " and " << partition
                        << " of the simulator use one network, which all its nodes must use from "
                           "one partition; join its parts by links, start it before "
                           "Simulator::Run, and leave the attribute MinLookahead of the simulator "
                           "implementation above the delays of its links");
}

void
RdmaLanePump::Sync()
{
    StayInPartition();
    if (!m_pumping)
    {
        m_lanes.SetNow(Simulator::Now().GetTimeStep(), m_lanes.TakePlace());
    }
}

void
RdmaLanePump::Arm(int64_t time)
{
    time = Countable(time);
    if (!m_pumping && time < m_armed)
    {
        m_armed = time;
        // whoever calls in without Sync may ask for what is past already
        Simulator::Schedule(Max(TimeStep(static_cast<uint64_t>(time)) - Simulator::Now(), Time(0)),
                            Ptr<EventImpl>(m_event));
    }
}

void
RdmaLanePump::Pump()
{
    const int64_t now = Simulator::Now().GetTimeStep();
    m_pumping = true;
    while (!m_lanes.IsEmpty() && Countable(m_lanes.FirstTime()) <= now && m_lanes.FireFirst())
    {
    }
    m_pumping = false;
    if (m_armed <= now)
    {
        m_armed = NEVER;
    }
    if (!m_lanes.IsEmpty() && !m_lanes.HasReachedEnd())
    {
        Arm(m_lanes.FirstTime());
    }
}

} // namespace ns3
