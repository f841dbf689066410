/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link-loads.h"

#include "ns3/input-number.h"

#include <algorithm>

namespace wormhole
{

LinkLoads::LinkLoads(const ns3::RdmaTopology& topology, const std::string& path)
    : m_links(topology.links),
      m_loads(2 * topology.links.size()),
      m_file(path)
{
}

void
LinkLoads::Add(uint32_t directed, uint64_t bytes, double beginNs, double endNs)
{
    if (directed >= m_loads.size())
    {
        return; // hangs on an NVSwitch, and stands for nothing
    }
    Load& load = m_loads[directed];
    load.beginNs = load.endNs > 0 ? std::min(load.beginNs, beginNs) : beginNs;
    load.endNs = std::max(load.endNs, endNs);
    load.bytes += bytes;
}

void
LinkLoads::Finish()
{
    m_file.Write("link,from,to,bytes,begin_ns,end_ns\n");
    for (size_t directed = 0; directed < m_loads.size(); ++directed)
    {
        const Load& load = m_loads[directed];
        if (load.endNs <= 0)
        {
            continue;
        }
        const ns3::RdmaLinkSpec& link = m_links[directed / 2];
        const bool back = directed % 2;
        m_file.Write(std::to_string(directed / 2) + ',' + std::to_string(back ? link.b : link.a) +
                     ',' + std::to_string(back ? link.a : link.b) + ',' +
                     std::to_string(load.bytes) + ',' + ns3::NumberText(load.beginNs) + ',' +
                     ns3::NumberText(load.endNs) + '\n');
    }
    m_file.Close();
}

std::unique_ptr<LinkLoads>
MakeLinkLoads(const ns3::RdmaTopology& topology, const std::string& path)
{
    return path.empty() ? nullptr : std::make_unique<LinkLoads>(topology, path);
}

} // namespace wormhole
