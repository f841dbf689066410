/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-drain.h"

#include "ns3/log.h"
#include "ns3/rdma-context.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaDrain");

namespace
{

constexpr int64_t PERIOD_NS = 1000;
constexpr uint32_t MOST_LOOKS = 10000;

} // namespace

RdmaDrain::RdmaDrain(RdmaContext& context, std::function<void()> quiet)
    : m_context(context),
      m_quiet(std::move(quiet)),
      m_look(this)
{
}

void
RdmaDrain::Begin()
{
    m_looks = 0;
    LookNow();
}

void
RdmaDrain::Cancel()
{
    if (m_look.IsPending())
    {
        m_context.eventQueue->Cancel(m_look);
    }
}

void
RdmaDrain::LookNow()
{
    if (m_context.CountFrames() > 0 && ++m_looks < MOST_LOOKS)
    {
        const int64_t period = PERIOD_NS * m_context.clock.StepsPerNs();
        m_context.eventQueue->Schedule(m_look, m_context.eventQueue->Now() + period);
        return;
    }
    NS_LOG_INFO("nothing is left to do; " << m_context.CountFrames() << " frames have not arrived");
    m_quiet();
}

} // namespace ns3
