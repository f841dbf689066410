/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_FCT_WRITER_H
#define RDMA_FCT_WRITER_H

#include "ns3/input-line-file.h"
#include "ns3/rdma-network.h"

#include <string>

namespace ns3
{

/** \ingroup rdma Completion time of a completed flow, ns. */
uint64_t RdmaFctNs(const RdmaNetwork& network, const RdmaQueuePair& qp);

/** \ingroup rdma A line of fct.txt. */
struct RdmaFctRow
{
    uint32_t src{0}; ///< host, number in the topology
    uint32_t dst{0};
    uint16_t sport{0};
    uint16_t dport{0};
    uint64_t bytes{0};
    uint64_t startNs{0};
    uint64_t fctNs{0};
    uint64_t aloneNs{0}; ///< RdmaHpccStandaloneNs
};

/** \ingroup rdma \return the line, as HPCC writes it, with its end */
std::string RdmaFctLine(const RdmaFctRow& row);

/**
 * \ingroup rdma
 * \brief Writes fct.txt: HPCC's line for every completed flow, in the order of completion.
 */
class RdmaFctWriter
{
  public:
    /**
     * \param network whose flows it writes
     * \param path of the file, which is created or emptied
     * \throws OutputError if that is impossible
     */
    RdmaFctWriter(Ptr<RdmaNetwork> network, const std::string& path);

    /** A flow ended: writes its line if it has completed. */
    void Write(const RdmaQueuePair& qp);

    /** \return the file, to flush and to close */
    LineFile& GetFile()
    {
        return m_file;
    }

  private:
    Ptr<RdmaNetwork> m_network;
    LineFile m_file;
};

} // namespace ns3

#endif // RDMA_FCT_WRITER_H
