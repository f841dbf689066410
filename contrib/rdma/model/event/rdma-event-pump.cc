/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-event-pump.h"

#include "ns3/abort.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <limits>

namespace ns3
{

namespace
{

constexpr int64_t NOT_ARMED = std::numeric_limits<int64_t>::max();

/** \return a time of the queue, or the end of time if it is later or has wrapped */
int64_t
Countable(int64_t time)
{
    return time < 0 ? RDMA_END_OF_TIME : std::min(time, RDMA_END_OF_TIME);
}

} // namespace

/** ns-3's face of the pump. */
class RdmaEventPump::PumpEvent : public EventImpl
{
  public:
    explicit PumpEvent(RdmaEventPump* pump)
        : m_pump(pump)
    {
    }

    RdmaEventPump* m_pump; //!< null once it is gone

  private:
    void Notify() override
    {
        if (m_pump)
        {
            m_pump->Pump();
        }
    }
};

RdmaEventPump::RdmaEventPump()
    : m_event(Create<PumpEvent>(this)),
      m_armed(NOT_ARMED)
{
    m_eventQueue.SetDriver(this);
}

RdmaEventPump::~RdmaEventPump()
{
    m_event->m_pump = nullptr;
}

RdmaEventQueue&
RdmaEventPump::GetEventQueue()
{
    return m_eventQueue;
}

void
RdmaEventPump::StayInPartition()
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
RdmaEventPump::Sync()
{
    StayInPartition();
    if (!m_pumping)
    {
        m_eventQueue.SetNow(Simulator::Now().GetTimeStep(), m_eventQueue.ReserveSequence());
    }
}

void
RdmaEventPump::Arm(int64_t time)
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
RdmaEventPump::Pump()
{
    const int64_t now = Simulator::Now().GetTimeStep();
    m_pumping = true;
    while (!m_eventQueue.IsEmpty() && Countable(m_eventQueue.FirstTime()) <= now &&
           m_eventQueue.FireFirst())
    {
    }
    m_pumping = false;
    if (m_armed <= now)
    {
        m_armed = NOT_ARMED;
    }
    if (!m_eventQueue.IsEmpty() && !m_eventQueue.HasReachedEnd())
    {
        Arm(m_eventQueue.FirstTime());
    }
}

} // namespace ns3
