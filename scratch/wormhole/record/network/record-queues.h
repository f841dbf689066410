/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_RECORD_QUEUES_H
#define WORMHOLE_CLI_RECORD_QUEUES_H

#include "record/record-files.h"
#include "record/record-series.h"

#include "ns3/input-line-file.h"
#include "ns3/rdma-network.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace wormhole
{

/**
 * Writes queues.csv: the egress queues of the switch ports where they were longest.
 *
 * Which these are is known at the end, so samples of up to MOST_KEPT ports are kept. In a network
 * with more busy ports, one whose queue grows longer than the shortest peak of these takes that
 * port's place, and what was before is not known of it.
 */
class RecordedQueues
{
  public:
    static constexpr size_t MOST_WRITTEN = 16;
    static constexpr size_t MOST_KEPT = 2048;

    /**
     * \param plan where to
     * \param network to record
     * \param nodes their numbers
     * \throws OutputError if the file cannot be created
     */
    RecordedQueues(const RecordPlan& plan,
                   const ns3::RdmaNetwork& network,
                   const RecordedNodes& nodes);

    /** Takes a sample. */
    void Sample(int64_t number);

    /** Every second sample is dropped. */
    void Thin();

    /** The simulation is over. */
    void End(const RecordTimes& times, int64_t ns);

    /** Writes the file. \throws OutputError if that is impossible */
    void Finish(const RecordTimes& times);

  private:
    struct Port
    {
        const ns3::RdmaPort* port{nullptr};
        uint32_t peak{0};                               //!< bytes
        std::unique_ptr<RecordSeries<uint32_t>> series; //!< null: it was empty so far
    };

    bool MakeSeries(Port& port, uint32_t bytes);
    std::vector<const Port*> FindLongest() const;

    RecordedNodes m_nodes;
    std::vector<Port> m_ports;
    size_t m_kept{0};
    uint32_t m_leastPeak{0}; //!< of those that are kept, at most; once they are all that may be
    ns3::LineFile m_file;
};

} // namespace wormhole

#endif // WORMHOLE_CLI_RECORD_QUEUES_H
