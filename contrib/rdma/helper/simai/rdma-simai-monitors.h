/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_SIMAI_MONITORS_H
#define RDMA_SIMAI_MONITORS_H

#include "ns3/rdma-hpcc-config.h"
#include "ns3/rdma-network.h"

#include <memory>
#include <vector>

namespace ns3
{

class LineFile;
class RdmaSimAiMonitor;

/**
 * \ingroup rdma
 * \brief SimAI's monitors: queue lengths, bandwidth of ports, rates of queue pairs, congestion
 * notifications.
 *
 * Those whose files a config.txt names; docs/reference/outputs.md has the columns. Each samples
 * at MON_START and every interval after it, up to MON_END, and writes a line for each value that is
 * not as in its last line. No event is scheduled for that: samples are taken in retrospect, when
 * something changes; after the last one, nothing is listened to any more. A sample at t sees what
 * was before anything that happens at t.
 *
 * Keep the object until the simulation has run.
 */
class RdmaSimAiMonitors
{
  public:
    /**
     * \param network to watch; started
     * \param config files, times and intervals
     * \throws OutputError if a file cannot be created
     */
    RdmaSimAiMonitors(Ptr<RdmaNetwork> network, const RdmaHpccConfig& config);
    ~RdmaSimAiMonitors();
    RdmaSimAiMonitors(const RdmaSimAiMonitors&) = delete;
    RdmaSimAiMonitors& operator=(const RdmaSimAiMonitors&) = delete;

    /** \return the files, to limit them */
    std::vector<LineFile*> GetFiles() const;

    /**
     * Samples up to the current time and closes the files. Call it when the simulation has run,
     * before Simulator::Destroy.
     * \throws OutputError if anything could not be written
     */
    void Finish();

  private:
    std::vector<std::unique_ptr<RdmaSimAiMonitor>> m_monitors;
};

} // namespace ns3

#endif // RDMA_SIMAI_MONITORS_H
