/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-simai-monitor.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

RdmaSimAiMonitor::RdmaSimAiMonitor(const std::string& file,
                                   const std::string& header,
                                   const RdmaSamplingTimes& times)
    : m_times(times),
      m_file(file),
      m_next(times.startNs <= times.endNs ? times.startNs : NEVER)
{
    WriteLine(header);
}

RdmaSimAiMonitor::~RdmaSimAiMonitor()
{
    m_silence.Cancel();
}

void
RdmaSimAiMonitor::WriteLine(const std::string& line)
{
    m_file.Write(line + "\n");
}

int64_t
RdmaSimAiMonitor::NextSampleNs(int64_t nowNs) const
{
    if (nowNs < m_times.startNs)
    {
        return m_times.startNs <= m_times.endNs ? m_times.startNs : NEVER;
    }
    const int64_t passed = (nowNs - m_times.startNs) / m_times.intervalNs; // behind the first
    const bool more = passed < (m_times.endNs - m_times.startNs) / m_times.intervalNs;
    return more ? m_times.startNs + (passed + 1) * m_times.intervalNs : NEVER;
}

void
RdmaSimAiMonitor::TakeSamples(int64_t nowNs)
{
    const int64_t last = std::min(nowNs, m_times.endNs);
    while (m_next <= last)
    {
        const bool more = Sample(m_next);
        const int64_t skipped = more ? 1 : (last - m_next) / m_times.intervalNs + 1;
        const int64_t mostIntervals = (m_times.endNs - m_next) / m_times.intervalNs;
        m_next = skipped > mostIntervals ? NEVER : m_next + skipped * m_times.intervalNs;
    }
    if (m_next == NEVER) // a trace source is calling: not now, but at once
    {
        m_silence = Simulator::ScheduleNow(&RdmaSimAiMonitor::StopListening, this);
    }
}

void
RdmaSimAiMonitor::Finish(int64_t nowNs)
{
    AdvanceTo(nowNs);
    m_next = NEVER;
    m_silence.Cancel();
    m_file.Close();
}

} // namespace ns3
