/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_LINK_LOADS_H
#define WORMHOLE_CLI_LINK_LOADS_H

#include "ns3/input-line-file.h"
#include "ns3/rdma-topology.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace wormhole
{

/**
 * Writes links.csv: what flows moved over each link, in each direction, and from when to when.
 *
 * A completed flow counts with its payload on every link of the path that it had at its end;
 * headers, acknowledgements and retransmissions do not count. So packet level, fast-forward and
 * flow level have the same bytes, and differ in the times only.
 */
class LinkLoads
{
  public:
    /**
     * \param topology as the user knows it; links beyond it are left out
     * \param path of the file, which is created
     * \throws OutputError if that is impossible
     */
    LinkLoads(const ns3::RdmaTopology& topology, const std::string& path);

    /**
     * A flow has crossed a link.
     * \param directed number of the link, times 2, plus 1 from its end b to a
     * \param bytes payload
     * \param beginNs start of the flow
     * \param endNs its end
     */
    void Add(uint32_t directed, uint64_t bytes, double beginNs, double endNs);

    /** Writes the file. \throws OutputError if that is impossible */
    void Finish();

  private:
    struct Load
    {
        uint64_t bytes{0};
        double beginNs{0};
        double endNs{0};
    };

    std::vector<ns3::RdmaLinkSpec> m_links;
    std::vector<Load> m_loads; //!< by directed link
    ns3::LineFile m_file;
};

/** \return links.csv of a run; null if \p path is empty */
std::unique_ptr<LinkLoads> MakeLinkLoads(const ns3::RdmaTopology& topology,
                                         const std::string& path);

} // namespace wormhole

#endif // WORMHOLE_CLI_LINK_LOADS_H
