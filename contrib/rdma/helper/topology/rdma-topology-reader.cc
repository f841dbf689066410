/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-topology.h"

#include "ns3/input-number.h"
#include "ns3/input-spec.h"
#include "ns3/input-text-reader.h"

#include <algorithm>
#include <fstream>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint64_t MAX_NODES = uint64_t(1) << 24;
constexpr uint64_t MAX_LINKS = uint64_t(1) << 28;

/** What an announced count may make us reserve: a short file must not cost memory by its count. */
constexpr uint64_t MAX_RESERVED_LINKS = 65536;

constexpr uint32_t NO_SERVER = UINT32_MAX;
constexpr uint32_t SEVERAL_SERVERS = UINT32_MAX - 1;

/** Reads one file, from its first line to its last link. */
class TopologyReader
{
  public:
    TopologyReader(std::istream& in, const std::string& name)
        : m_reader(in, name)
    {
        m_topology.origin = name;
    }

    RdmaTopology Read()
    {
        ReadHeader();
        ReadSwitches("NVSwitch", m_nvswitches, RdmaNodeKind::NVSWITCH);
        ReadSwitches("switch", m_switches, RdmaNodeKind::SWITCH);
        NumberServers();
        m_topology.links.reserve(std::min(m_links, MAX_RESERVED_LINKS));
        while (m_topology.links.size() < m_links)
        {
            m_topology.links.push_back(ReadLink());
            CheckServers(m_topology.links.back());
        }
        CheckSwitches();
        m_topology.surplusLine = m_reader.LineOfNumber();
        return std::move(m_topology);
    }

  private:
    void ReadHeader()
    {
        std::vector<std::string> words{m_reader.Word("number of nodes")};
        m_headerLine = m_reader.Line();
        while (words.size() <= 6 && m_reader.MoreOnLine())
        {
            words.push_back(m_reader.Word("first line"));
        }
        if (words.size() != 3 && words.size() != 6)
        {
            const std::string count =
                words.size() > 6 ? "more than 6" : std::to_string(words.size());
            m_reader.Fail(
                "the first line has " + count + " field" + (words.size() == 1 ? "" : "s") +
                ", but must have 3 (nodes, switches, links: HPCC's format) or 6 (nodes, "
                "GPUs per server, NVSwitches, switches, links, GPU type: SimAI's format)");
        }
        const bool simai = words.size() == 6;
        m_nodes = m_reader.ToInteger("number of nodes", words[0], 1, MAX_NODES);
        if (simai)
        {
            m_topology.gpusPerServer =
                m_reader.ToInteger("GPUs per server", words[1], 1, MAX_NODES);
            m_nvswitches = m_reader.ToInteger("number of NVSwitches", words[2], 0, m_nodes);
            m_topology.gpuType = GpuType(words[5]);
        }
        m_switches = m_reader.ToInteger("number of switches", words[simai ? 3 : 1], 0, m_nodes);
        m_links = m_reader.ToInteger("number of links", words[simai ? 4 : 2], 0, MAX_LINKS);
        if (m_nvswitches + m_switches > m_nodes)
        {
            m_reader.Fail(std::to_string(m_nvswitches) + " NVSwitches and " +
                          std::to_string(m_switches) + " switches, but only " +
                          std::to_string(m_nodes) +
                          " nodes; the number of nodes counts GPUs, NVSwitches and switches");
        }
        m_topology.nodes.assign(m_nodes, RdmaNodeKind::HOST);
        if (simai)
        {
            CheckServerCounts();
        }
    }

    std::string GpuType(const std::string& word)
    {
        const std::vector<std::string>& known = RdmaGpuTypes();
        if (word != RDMA_NO_GPU_TYPE && std::find(known.begin(), known.end(), word) == known.end())
        {
            m_reader.FailValue("GPU type",
                               word,
                               ListText(known) + ", or " + RDMA_NO_GPU_TYPE + " for any other");
        }
        return word == RDMA_NO_GPU_TYPE ? "" : word;
    }

    /** The GPUs are divided into servers, and the NVSwitches among these. */
    void CheckServerCounts()
    {
        const uint64_t gpus = m_nodes - m_nvswitches - m_switches;
        const std::string all = std::to_string(gpus) + " GPUs (" + std::to_string(m_nodes) +
                                " nodes without " + std::to_string(m_nvswitches) +
                                " NVSwitches and " + std::to_string(m_switches) + " switches)";
        if (gpus % m_topology.gpusPerServer != 0)
        {
            m_reader.Fail("GPUs per server " + std::to_string(m_topology.gpusPerServer) +
                          ", but it must divide the " + all + "; correct the first line");
        }
        const uint64_t servers = gpus / m_topology.gpusPerServer;
        if (servers == 0 ? m_nvswitches > 0 : m_nvswitches % servers != 0)
        {
            m_reader.Fail(std::to_string(m_nvswitches) + " NVSwitches, but each of the " +
                          std::to_string(servers) +
                          " servers must have as many as the others; there are " + all +
                          ": correct the first line");
        }
    }

    /** Notes which server's GPUs a switch is linked to; an NVSwitch belongs to one. */
    void CheckServers(const RdmaLinkSpec& link)
    {
        if (m_topology.gpusPerServer == 0)
        {
            return;
        }
        for (const auto& [node, other] : {std::pair(link.a, link.b), {link.b, link.a}})
        {
            const RdmaNodeKind kind = m_topology.nodes[node];
            if (kind == RdmaNodeKind::HOST)
            {
                continue;
            }
            const bool gpu = m_topology.nodes[other] == RdmaNodeKind::HOST;
            const uint32_t server = gpu ? m_serverOf[other] : SEVERAL_SERVERS;
            uint32_t& known = m_serverOf[node];
            known = known == NO_SERVER || known == server ? server : SEVERAL_SERVERS;
            if (kind == RdmaNodeKind::NVSWITCH && known == SEVERAL_SERVERS)
            {
                m_reader.Fail("NVSwitch " + std::to_string(node) + " is linked to " +
                              (gpu ? "GPUs of two servers" : "another switch") +
                              ", but must join the GPUs of one server; correct the link, or the "
                              "numbers of NVSwitches and switches in line " +
                              std::to_string(m_headerLine));
            }
        }
    }

    /** A switch apart from all others that joins the GPUs of one server is an NVSwitch. */
    void CheckSwitches()
    {
        const auto isSwitch = [this](uint32_t node) {
            return m_topology.nodes[node] == RdmaNodeKind::SWITCH;
        };
        const bool fabric = std::any_of(
            m_topology.links.begin(),
            m_topology.links.end(),
            [&isSwitch](const RdmaLinkSpec& link) { return isSwitch(link.a) && isSwitch(link.b); });
        for (uint32_t node = 0; node < m_serverOf.size() && fabric; ++node)
        {
            if (isSwitch(node) && m_serverOf[node] < SEVERAL_SERVERS)
            {
                throw InputError(m_topology.origin,
                                 m_headerLine,
                                 "switch " + std::to_string(node) +
                                     " is linked to the GPUs of one server and to nothing "
                                     "else, as an NVSwitch is; correct the numbers of "
                                     "NVSwitches and switches");
            }
        }
    }

    void ReadSwitches(const std::string& what, uint64_t count, RdmaNodeKind kind)
    {
        for (uint64_t i = 0; i < count; ++i)
        {
            NextWord(what + " id", what, i, count);
            const uint32_t id = ParseNode(what);
            if (m_topology.nodes[id] != RdmaNodeKind::HOST)
            {
                m_reader.Fail(what + " " + std::to_string(id) +
                              " stands in the list already; give each switch once, or correct the "
                              "numbers in line " +
                              std::to_string(m_headerLine));
            }
            m_topology.nodes[id] = kind;
            m_idLine = m_reader.Line();
        }
    }

    /** Numbers the servers: rank r, the r-th GPU, is in server r / GPUs per server. */
    void NumberServers()
    {
        if (m_topology.gpusPerServer == 0)
        {
            return;
        }
        m_serverOf.assign(m_nodes, NO_SERVER);
        uint32_t rank = 0;
        for (uint64_t node = 0; node < m_nodes; ++node)
        {
            if (m_topology.nodes[node] == RdmaNodeKind::HOST)
            {
                m_serverOf[node] = rank++ / m_topology.gpusPerServer;
            }
        }
    }

    RdmaLinkSpec ReadLink()
    {
        RdmaLinkSpec link;
        link.a = ReadNode();
        const bool beside = m_reader.Line() == m_idLine;
        link.b = ReadNode();
        if (link.a == link.b)
        {
            m_reader.Fail("node " + std::to_string(link.a) +
                          " is linked to itself; correct one of its ends");
        }
        NextLinkWord("rate");
        FailIfId(beside, link.a);
        link.rate = DataRate(m_reader.ToRate("rate", m_word));
        NextLinkWord("delay");
        if (!ParseTime(m_word, link.delay, &link.delayUnit) ||
            link.delay > Seconds(RDMA_MAX_DELAY_S))
        {
            m_reader.FailValue("delay",
                               m_word,
                               "a time from 0 to 1000 s with its unit, such as 1000ns");
        }
        const std::string least = TooShortText(m_word, link.delay);
        if (!least.empty())
        {
            m_reader.FailValue("delay", m_word, least);
        }
        NextLinkWord("error rate");
        link.errorRate = m_reader.ToNumber("error rate", m_word, 0, 1);
        return link;
    }

    /** Fails if what looks like a link is switch ids. \param beside whether it begins on the line
     * of those that were read */
    void FailIfId(bool beside, uint32_t first)
    {
        uint64_t id = 0;
        if (beside && ParseInteger(m_word, id))
        {
            throw InputError(
                m_topology.origin,
                m_idLine,
                "switch " + std::to_string(first) + " is one more than the " +
                    std::to_string(m_nvswitches + m_switches) + " that line " +
                    std::to_string(m_headerLine) + " declares" +
                    (m_topology.gpusPerServer
                         ? ""
                         : "; is this SimAI's format? Its first line has 6 fields: nodes, GPUs per "
                           "server, NVSwitches, switches, links, GPU type") +
                    "; correct the first line");
        }
    }

    uint32_t ReadNode()
    {
        NextLinkWord("node");
        return ParseNode("node");
    }

    uint32_t ParseNode(const std::string& what)
    {
        uint64_t id = 0;
        if (!ParseInteger(m_word, id))
        {
            m_reader.FailValue(what,
                               m_word,
                               "a node's id, " + ExpectedIntegerText(0, m_nodes - 1) +
                                   "; correct it, or the counts in line " +
                                   std::to_string(m_headerLine));
        }
        if (id >= m_nodes)
        {
            m_reader.Fail(what + " " + std::to_string(id) + ", but only " +
                          std::to_string(m_nodes) + (what == "node" ? "" : " nodes") +
                          " are declared (nodes are 0 to " + std::to_string(m_nodes - 1) +
                          "); correct the id or the node count in line " +
                          std::to_string(m_headerLine));
        }
        return uint32_t(id);
    }

    void NextLinkWord(const char* what)
    {
        NextWord(what, "link", m_topology.links.size(), m_links);
    }

    /** Reads a word of item \p index (from 0) of \p count. */
    void NextWord(const std::string& what, const std::string& item, uint64_t index, uint64_t count)
    {
        if (!m_reader.Next(m_word))
        {
            m_reader.Fail("the file ends at " + item + " " + std::to_string(index + 1) + " of " +
                          std::to_string(count) + ", where its " + what +
                          " is expected; complete the file, or correct the counts in line " +
                          std::to_string(m_headerLine));
        }
    }

    TextReader m_reader;
    RdmaTopology m_topology;
    std::string m_word;
    uint64_t m_headerLine{1};
    uint64_t m_idLine{0};             //!< of the last switch id; 0 if there is none
    std::vector<uint32_t> m_serverOf; //!< of each node; empty unless the header says
    uint64_t m_nodes{0};
    uint64_t m_nvswitches{0};
    uint64_t m_switches{0};
    uint64_t m_links{0};
};

} // namespace

RdmaTopology
ReadRdmaTopology(const std::string& file)
{
    std::ifstream in = OpenInput(file);
    return ReadRdmaTopology(in, file);
}

RdmaTopology
ReadRdmaTopology(std::istream& in, const std::string& name)
{
    return TopologyReader(in, name).Read();
}

} // namespace ns3
