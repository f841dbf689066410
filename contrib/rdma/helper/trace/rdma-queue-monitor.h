/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_QUEUE_MONITOR_H
#define RDMA_QUEUE_MONITOR_H

#include "ns3/input-line-file.h"
#include "ns3/rdma-in-order.h"
#include "ns3/rdma-network.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief Writes HPCC's histogram of queue lengths (QLEN_MON_FILE).
 *
 * Every 100 ns each switch port's bytes in the queues 1 to 7 are counted in bins of 1000 bytes, and
 * at each multiple of 100 ms all counts so far are written. Nothing is sampled, and no event is
 * scheduled: when a queue changes, the sampling instants since it last changed are counted. A
 * sample at t sees what was before anything that happens at t.
 *
 * Cost: a few nanoseconds per change of a queue. The file ends with what Finish has written.
 */
class RdmaQueueMonitor
{
  public:
    static constexpr int64_t INTERVAL_NS = 100;
    static constexpr int64_t BLOCK_NS = 100000000; ///< between blocks of the file
    static constexpr uint64_t BIN_BYTES = 1000;
    static constexpr int64_t MAX_NS = 9200000000000000000; ///< larger times count as this one

    /**
     * \param network whose switches are watched; started
     * \param file path
     * \param startNs time of the first sample, ns
     * \param endNs no sample is later, ns
     * \throws OutputError if the file cannot be created
     */
    RdmaQueueMonitor(Ptr<RdmaNetwork> network,
                     const std::string& file,
                     int64_t startNs,
                     int64_t endNs);
    ~RdmaQueueMonitor();
    RdmaQueueMonitor(const RdmaQueueMonitor&) = delete;
    RdmaQueueMonitor& operator=(const RdmaQueueMonitor&) = delete;

    /** \return the file, to limit it */
    LineFile& GetFile()
    {
        return m_file;
    }

    /**
     * Counts up to the current time, writes a last block if samples were taken since the one before
     * it, and closes the file. Call it when the simulation has run, before Simulator::Destroy.
     * \throws OutputError if anything could not be written
     */
    void Finish();

  private:
    class PortHistogram;

    /** A queue of a port has changed. */
    struct Change
    {
        PortHistogram* port;
        uint64_t difference; //!< bytes, modulo 2^64
    };

    uint64_t SamplesUpTo(int64_t now) const;
    void WriteBlocksUpTo(int64_t now);
    void WriteBlock(int64_t time);

    LineFile m_file;
    int64_t m_start;              //!< ns
    int64_t m_end;                //!< ns
    int64_t m_nextBlock;          //!< ns
    uint64_t m_writtenSamples{0}; //!< per port, in the last block
    bool m_finished{false};
    RdmaInOrder<Change> m_changes;
    std::vector<Ptr<PortHistogram>> m_ports;
};

} // namespace ns3

#endif // RDMA_QUEUE_MONITOR_H
