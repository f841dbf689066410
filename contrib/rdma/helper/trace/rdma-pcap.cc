/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-pcap.h"

#include "ns3/abort.h"
#include "ns3/input-error.h"
#include "ns3/input-line-file.h"
#include "ns3/pcap-file.h"
#include "ns3/rdma-rocev2.h"
#include "ns3/rdma-timing.h"

#include <algorithm>
#include <cerrno>
#include <unistd.h>
#include <vector>

namespace ns3
{

namespace
{
constexpr uint32_t LINK_TYPE_ETHERNET = 1;
constexpr uint64_t FILE_HEADER = 24;   // bytes
constexpr uint64_t RECORD_HEADER = 16; // bytes

} // namespace

/** One port and its file. The port's trace sources hold it, too: what is captured may end before
 * they do, or after. */
class RdmaPcap::Capture : public SimpleRefCount<Capture>
{
  public:
    Capture(RdmaPort& port, const std::string& name, uint32_t snapLength, const uint64_t& limit)
        : m_port(port),
          m_name(name),
          m_snapLength(snapLength),
          m_limit(limit)
    {
        errno = 0;
        m_file.Open(name, std::ios::out);
        if (m_file.Fail())
        {
            throw OutputError(name + ": cannot be written: " + ErrorText(errno));
        }
        m_file.Init(LINK_TYPE_ETHERNET, snapLength, PcapFile::ZONE_DEFAULT, false, true);
        port.txBeginTrace.LookOn(MakeCallback(&Capture::Transmit, Ptr<Capture>(this)));
        port.rxTrace.LookOn(MakeCallback(&Capture::Receive, Ptr<Capture>(this)));
    }

    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;

    /** Nothing is captured any more. */
    void End()
    {
        m_finished = true;
        m_file.Close();
    }

    void Finish()
    {
        if (m_finished)
        {
            return;
        }
        errno = 0;
        End();
        if (m_file.Fail())
        {
            throw OutputError(m_name + ": cannot be written: " + ErrorText(errno));
        }
        if (access(m_name.c_str(), F_OK) != 0)
        {
            throw OutputError(m_name + ": removed while it was written; its packets are lost");
        }
    }

    const std::string& GetName() const
    {
        return m_name;
    }

    /** \return bytes that the file lacks since it has a limit */
    uint64_t GetLeftOut() const
    {
        return m_leftOut;
    }

  private:
    void Transmit(const RdmaFrame& frame)
    {
        Write(frame, m_port);
    }

    void Receive(const RdmaFrame& frame)
    {
        Write(frame, m_port.GetPeer());
    }

    void Write(const RdmaFrame& frame, const RdmaPort& from)
    {
        if (m_finished || m_file.Fail())
        {
            return; // Finish reports it
        }
        if (frame.kind == RdmaFrameKind::CREDIT)
        {
            return; // no Ethernet frame: a link says it between frames
        }
        WriteRdmaRocev2(frame, from, m_bytes);
        const uint64_t record = RECORD_HEADER + std::min<uint64_t>(m_bytes.size(), m_snapLength);
        if (m_leftOut || m_size + record > m_limit)
        {
            m_leftOut += record;
            return;
        }
        m_size += record;
        const int64_t now = m_port.GetContext().NowNs();
        m_file.Write(static_cast<uint32_t>(now / RDMA_NS_PER_SECOND),
                     static_cast<uint32_t>(now % RDMA_NS_PER_SECOND),
                     m_bytes.data(),
                     static_cast<uint32_t>(m_bytes.size()));
    }

    RdmaPort& m_port;
    std::string m_name;
    PcapFile m_file;
    std::vector<uint8_t> m_bytes; //!< of a frame, kept for its memory
    const uint32_t m_snapLength;
    const uint64_t& m_limit;      //!< all captures'
    uint64_t m_size{FILE_HEADER}; //!< bytes so far
    uint64_t m_leftOut{0};        //!< bytes
    bool m_finished{false};
};

RdmaPcap::RdmaPcap(Ptr<RdmaNetwork> network, const std::string& prefix, uint32_t snapLength)
    : m_network(network),
      m_prefix(prefix),
      m_snapLength(snapLength)
{
    NS_ABORT_MSG_IF(!network, "RdmaPcap: its network is null; install one first");
    if (prefix.empty())
    {
        throw InputError("the prefix of pcap files is empty; give the start of their names");
    }
    if (!snapLength)
    {
        throw InputError("a snap length of 0 bytes captures nothing; give at least 1");
    }
}

RdmaPcap::~RdmaPcap()
{
    for (const auto& [port, capture] : m_captures)
    {
        capture->End();
    }
}

void
RdmaPcap::CaptureAll()
{
    for (uint32_t node = 0; node < m_network->GetNodeCount(); ++node)
    {
        CaptureNode(node);
    }
}

void
RdmaPcap::CaptureNode(uint32_t node)
{
    if (node >= m_network->GetNodeCount())
    {
        throw InputError("pcap: there is no node " + std::to_string(node) +
                         "; the network has nodes 0 to " +
                         std::to_string(m_network->GetNodeCount() - 1));
    }
    const std::size_t ports = m_network->GetRdmaNode(node).GetPorts().size();
    for (uint32_t interface = 1; interface <= ports; ++interface)
    {
        CapturePort(node, interface);
    }
}

void
RdmaPcap::CapturePort(uint32_t node, uint32_t interface)
{
    const uint32_t ports =
        node < m_network->GetNodeCount()
            ? static_cast<uint32_t>(m_network->GetRdmaNode(node).GetPorts().size())
            : 0;
    if (interface < 1 || interface > ports)
    {
        throw InputError("pcap: node " + std::to_string(node) + " has no interface " +
                         std::to_string(interface) + "; interfaces count from 1, and it has " +
                         std::to_string(ports));
    }
    RdmaPort& port = *m_network->GetRdmaNode(node).GetPorts()[interface - 1];
    if (m_captures.count(port.GetPortId()) == 0)
    {
        const std::string name =
            m_prefix + "-" + std::to_string(node) + "-" + std::to_string(interface) + ".pcap";
        m_captures[port.GetPortId()] = Create<Capture>(port, name, m_snapLength, m_limit);
    }
}

std::vector<std::pair<std::string, uint64_t>>
RdmaPcap::ListLeftOut() const
{
    std::vector<std::pair<std::string, uint64_t>> list;
    for (const auto& [port, capture] : m_captures)
    {
        if (capture->GetLeftOut() > 0)
        {
            list.emplace_back(capture->GetName(), capture->GetLeftOut());
        }
    }
    return list;
}

void
RdmaPcap::Finish()
{
    for (const auto& [port, capture] : m_captures)
    {
        capture->Finish();
    }
}

} // namespace ns3
