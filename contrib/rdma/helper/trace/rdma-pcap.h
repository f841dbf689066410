/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_PCAP_H
#define RDMA_PCAP_H

#include "ns3/rdma-network.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief Captures ports as pcap files that Wireshark and tshark decode as RoCEv2.
 *
 * A file per port, PREFIX-NODE-INTERFACE.pcap, with nanosecond time stamps: the number of the node
 * in the topology, and the interface counted from 1 as in pfc.txt. A file holds what the port sends
 * (when transmission starts) and what it receives (when the last bit is there), as ns-3's
 * promiscuous captures do.
 *
 * \code
 * RdmaPcap pcap(network, "run");
 * pcap.CaptureNode(16);
 * Simulator::Run();
 * pcap.Finish();
 * \endcode
 *
 * The captures end with the object. Cost: 2 to 5 us per frame of 1000 bytes at each
 * port that is captured, half of it for writing; nothing at other ports.
 */
class RdmaPcap
{
  public:
    /** Bytes of a frame that are kept unless told otherwise: more than any has. */
    static constexpr uint32_t DEFAULT_SNAP_LENGTH = 262144;

    /**
     * \param network to capture from; started
     * \param prefix of file names, may contain folders that exist
     * \param snapLength bytes of each frame that are kept at most, at least 1
     * \throws InputError if \p prefix is empty or \p snapLength is 0
     */
    RdmaPcap(Ptr<RdmaNetwork> network,
             const std::string& prefix,
             uint32_t snapLength = DEFAULT_SNAP_LENGTH);
    ~RdmaPcap();
    RdmaPcap(const RdmaPcap&) = delete;
    RdmaPcap& operator=(const RdmaPcap&) = delete;

    /**
     * Captures all ports.
     * \throws OutputError if a file cannot be created (the reason may be too many open files)
     */
    void CaptureAll();

    /**
     * Captures all ports of a node.
     * \param node number in the topology
     * \throws InputError if there is no such node
     * \throws OutputError if a file cannot be created
     */
    void CaptureNode(uint32_t node);

    /**
     * Captures one port; once, however often it is asked for.
     * \param node number in the topology
     * \param interface at that node, from 1
     * \throws InputError if there is no such port
     * \throws OutputError if the file cannot be created
     */
    void CapturePort(uint32_t node, uint32_t interface);

    /** Lets each file hold at most \p bytes: what comes later is left out, and counted. */
    void SetLimit(uint64_t bytes)
    {
        m_limit = bytes;
    }

    /** \return the files that have reached their limit, and the bytes that each lacks */
    std::vector<std::pair<std::string, uint64_t>> ListLeftOut() const;

    /**
     * Ends all captures.
     * \throws OutputError if a file could not be written to its end
     */
    void Finish();

  private:
    class Capture;

    Ptr<RdmaNetwork> m_network;
    std::string m_prefix;
    uint32_t m_snapLength;                       //!< bytes
    uint64_t m_limit{UINT64_MAX};                //!< bytes of a file
    std::map<uint32_t, Ptr<Capture>> m_captures; //!< by number of the port
};

} // namespace ns3

#endif // RDMA_PCAP_H
