/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_BINARY_TRACE_H
#define RDMA_BINARY_TRACE_H

#include "rdma-trace-record.h"

#include "ns3/input-line-file.h"
#include "ns3/rdma-in-order.h"
#include "ns3/rdma-network.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief Writes HPCC's binary packet trace (TRACE_OUTPUT_FILE): a record of 56 bytes for every
 * frame that is received, enqueued, dequeued or lost at the traced nodes.
 *
 * The format stands in rdma-trace-record.h and in contrib/rdma/doc/formats.md. Keep the object
 * until the simulation has run.
 */
class RdmaBinaryTrace
{
  public:
    /**
     * Creates the file and writes its header, which names all ports of the network.
     * \param network to trace; started
     * \param file path
     * \param nodes to trace, as trace.txt has them; numbers that the network does not have are left
     * out
     * \throws OutputError if the file cannot be created
     * \throws InputError if the format has no room for the network: nodes up to 65535,
     * interfaces up to 255
     */
    RdmaBinaryTrace(Ptr<RdmaNetwork> network,
                    const std::string& file,
                    const std::vector<uint32_t>& nodes);
    ~RdmaBinaryTrace();
    RdmaBinaryTrace(const RdmaBinaryTrace&) = delete;
    RdmaBinaryTrace& operator=(const RdmaBinaryTrace&) = delete;

    /** \return records so far */
    uint64_t GetCount() const
    {
        return m_count;
    }

    /** \return the file, to limit it */
    LineFile& GetFile()
    {
        return m_file;
    }

    /**
     * Closes the file.
     * \throws OutputError if anything could not be written
     */
    void Finish();

  private:
    class PortSink;

    void Write(const RdmaTraceRecord& record);

    LineFile m_file;
    uint64_t m_count{0};
    bool m_finished{false};
    RdmaInOrder<RdmaTraceRecord> m_records;
    std::vector<std::unique_ptr<PortSink>> m_sinks;
};

} // namespace ns3

#endif // RDMA_BINARY_TRACE_H
