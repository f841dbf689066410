/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_RECORD_PAUSES_H
#define WORMHOLE_CLI_RECORD_PAUSES_H

#include "record/record-files.h"

#include "ns3/input-line-file.h"
#include "ns3/rdma-network.h"

#include <cstdint>
#include <map>
#include <utility>

namespace wormhole
{

/**
 * Writes pauses.csv: for how long each end of a link was paused by PFC.
 *
 * A port is paused from the pause of any of its queues until all are resumed. A link that goes down
 * ends that, which is seen at the next sample.
 */
class RecordedPauses
{
  public:
    /**
     * Connects to the network; must outlive the simulation.
     * \throws OutputError if the file cannot be created
     */
    RecordedPauses(const RecordPlan& plan, ns3::RdmaNetwork& network, const RecordedNodes& nodes);
    RecordedPauses(const RecordedPauses&) = delete;
    RecordedPauses& operator=(const RecordedPauses&) = delete;

    /** Takes a sample. */
    void Sample(int64_t ns);

    /** \return time up to \p ns, now, for which ports were paused, all together, ns */
    int64_t GetPausedNs(int64_t ns) const;

    /** Writes the file. \param ns end of the run \throws OutputError if that is impossible */
    void Finish(int64_t ns);

  private:
    /** What was heard at a port. */
    struct Heard
    {
        const ns3::RdmaPort* port{nullptr};
        uint32_t queues{0}; //!< bit q: queue q is paused
        int64_t sinceNs{0}; //!< if any is
        int64_t pausedNs{0};
        uint64_t pauses{0}; //!< frames
    };

    void Received(const ns3::RdmaPort& port, uint32_t queue, bool pause);
    static void Resume(Heard& heard, int64_t ns);

    const ns3::RdmaNetwork& m_network;
    RecordedNodes m_nodes;
    std::map<std::pair<uint32_t, uint32_t>, Heard> m_heard; //!< by node and number of the port
    ns3::LineFile m_file;
};

} // namespace wormhole

#endif // WORMHOLE_CLI_RECORD_PAUSES_H
