/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-queue-monitor.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

/** How often one port held how much. The port's trace source holds it, too: who monitors may end
 * before it does, or after. */
class RdmaQueueMonitor::PortHistogram : public SimpleRefCount<PortHistogram>
{
  public:
    PortHistogram(RdmaQueueMonitor& monitor, RdmaPort& port)
        : m_monitor(&monitor),
          m_port(port),
          m_bytes(port.queues.GetBytes() - port.queues.GetBytes(0))
    {
        port.queueBytesTrace.LookOn(MakeCallback(&PortHistogram::See, Ptr<PortHistogram>(this)));
    }

    PortHistogram(const PortHistogram&) = delete;
    PortHistogram& operator=(const PortHistogram&) = delete;

    /** A queue changed by \p difference bytes, now. */
    void Change(uint64_t difference)
    {
        const int64_t now = m_port.GetContext().NowNs();
        m_monitor->WriteBlocksUpTo(now);
        CountUpTo(m_monitor->SamplesUpTo(now));
        m_bytes += difference;
    }

    /** Counts the samples before the \p samples-th from the start that are not counted so far. */
    void CountUpTo(uint64_t samples)
    {
        if (samples == m_samples)
        {
            return;
        }
        const std::size_t bin = m_bytes / BIN_BYTES;
        if (bin >= m_counts.size())
        {
            m_counts.resize(bin + 1);
        }
        m_counts[bin] += samples - m_samples;
        m_samples = samples;
    }

    /** The monitor goes. */
    void Forget()
    {
        m_monitor = nullptr;
    }

    std::string ToLine() const
    {
        std::string line = std::to_string(m_port.GetOwner().GetRdmaId()) + " " +
                           std::to_string(m_port.GetIndex() + 1);
        for (uint64_t count : m_counts)
        {
            line += " " + std::to_string(count);
        }
        return line + "\n";
    }

  private:
    void See(uint32_t queue, uint64_t before, uint64_t after)
    {
        if (queue != 0 && m_monitor && !m_monitor->m_finished)
        {
            m_monitor->m_changes.Pass(m_port.GetContext(), {this, after - before});
        }
    }

    RdmaQueueMonitor* m_monitor; //!< null: it is gone
    RdmaPort& m_port;
    uint64_t m_bytes;      //!< in queues 1 to 7
    uint64_t m_samples{0}; //!< counted
    std::vector<uint64_t> m_counts;
};

RdmaQueueMonitor::RdmaQueueMonitor(Ptr<RdmaNetwork> network,
                                   const std::string& file,
                                   int64_t startNs,
                                   int64_t endNs)
    : m_file(file),
      m_start(std::min(startNs, MAX_NS)),
      m_end(std::min(endNs, MAX_NS)),
      m_nextBlock((m_start + BLOCK_NS - 1) / BLOCK_NS * BLOCK_NS),
      m_changes([](const Change& change) { change.port->Change(change.difference); })
{
    for (uint32_t node = 0; node < network->GetNodeCount(); ++node)
    {
        const RdmaNode& rdma = network->GetRdmaNode(node);
        for (RdmaPort* port : rdma.GetPorts())
        {
            if (rdma.IsTransit())
            {
                m_ports.push_back(Create<PortHistogram>(*this, *port));
            }
        }
    }
}

RdmaQueueMonitor::~RdmaQueueMonitor()
{
    for (const Ptr<PortHistogram>& port : m_ports)
    {
        port->Forget();
    }
}

uint64_t
RdmaQueueMonitor::SamplesUpTo(int64_t now) const
{
    const int64_t last = std::min(now, m_end);
    return last < m_start ? 0 : static_cast<uint64_t>((last - m_start) / INTERVAL_NS) + 1;
}

void
RdmaQueueMonitor::WriteBlocksUpTo(int64_t now)
{
    for (const int64_t last = std::min(now, m_end); m_nextBlock <= last; m_nextBlock += BLOCK_NS)
    {
        WriteBlock(m_nextBlock);
    }
}

void
RdmaQueueMonitor::WriteBlock(int64_t time)
{
    m_writtenSamples = SamplesUpTo(time);
    m_file.Write("time: " + std::to_string(time) + "\n");
    for (const Ptr<PortHistogram>& port : m_ports)
    {
        port->CountUpTo(m_writtenSamples);
        m_file.Write(port->ToLine());
    }
    m_file.Flush();
}

void
RdmaQueueMonitor::Finish()
{
    if (m_finished)
    {
        return;
    }
    const int64_t now = Simulator::Now().GetNanoSeconds();
    WriteBlocksUpTo(now);
    const uint64_t samples = SamplesUpTo(now);
    if (samples != m_writtenSamples)
    {
        WriteBlock(m_start + static_cast<int64_t>(samples - 1) * INTERVAL_NS);
    }
    m_finished = true;
    m_file.Close();
}

} // namespace ns3
