/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_PFC_WRITER_H
#define RDMA_PFC_WRITER_H

#include "ns3/input-line-file.h"
#include "ns3/rdma-network.h"
#include "ns3/rdma-topology.h"

#include <string>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief Writes pfc.txt: HPCC's line for every PFC frame that a port received, in order.
 */
class RdmaPfcWriter
{
  public:
    /**
     * Connects to the network; the writer must outlive the simulation.
     * \param network to watch
     * \param topology that the network was built from: the kinds of its nodes
     * \param path of the file, which is created or emptied
     * \throws OutputError if that is impossible
     */
    RdmaPfcWriter(Ptr<RdmaNetwork> network, const RdmaTopology& topology, const std::string& path);

    RdmaPfcWriter(const RdmaPfcWriter&) = delete;
    RdmaPfcWriter& operator=(const RdmaPfcWriter&) = delete;

    /** \return the file, to flush and to close */
    LineFile& GetFile()
    {
        return m_file;
    }

  private:
    void Received(const RdmaPort& port, uint32_t queue, bool pause);

    Ptr<RdmaNetwork> m_network;
    std::vector<RdmaNodeKind> m_kinds; //!< of each node
    LineFile m_file;
};

} // namespace ns3

#endif // RDMA_PFC_WRITER_H
