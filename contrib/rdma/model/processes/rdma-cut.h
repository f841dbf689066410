/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_CUT_H
#define RDMA_CUT_H

#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup rdma A link, for those who cut a network. */
struct RdmaCutLink
{
    uint32_t a;    ///< node
    uint32_t b;    ///< node
    int64_t delay; ///< one-way, time steps
};

/**
 * \ingroup rdma
 * \brief How a network is cut into processes (RdmaProcesses), and these into pieces near each
 * other. Known from its nodes and links alone, before any of them is built.
 */
class RdmaCut
{
  public:
    /**
     * \param hosts of each node, whether it is a host
     * \param links each between two different nodes
     */
    RdmaCut(std::vector<bool> hosts, std::vector<RdmaCutLink> links);

    /** \return how long a window may be, time steps: no link between processes has less delay; 0 if
     * no window is worth it */
    uint64_t GetLength() const
    {
        return m_length;
    }

    /** \return how many processes there are */
    uint32_t GetCount() const
    {
        return m_count;
    }

    /** \return of each node its process, from 1 */
    const std::vector<uint32_t>& GetProcesses() const
    {
        return m_processOf;
    }

    /** \return of each process how many nodes it has */
    std::vector<uint32_t> CountNodes() const;

    /** \return all processes, neighbours mostly beside each other */
    std::vector<uint32_t> ListNear() const;

    /** \return of each process the piece, from 0, of \p pieces with about as many ports each */
    std::vector<uint32_t> AssignTo(uint32_t pieces) const;

  private:
    std::vector<uint32_t> FindTiers() const;
    std::vector<uint32_t> OrderNear() const;

    std::vector<bool> m_hosts;
    std::vector<RdmaCutLink> m_links;
    std::vector<uint32_t> m_processOf;
    uint64_t m_length{0};
    uint32_t m_count{0};
};

/**
 * \ingroup rdma
 * \param near processes, from 1
 * \param loads of each
 * \return of each the piece, from 0, if \p near is cut into \p pieces of about the same load
 */
std::vector<uint32_t> RdmaCutNear(const std::vector<uint32_t>& near,
                                  const std::vector<uint64_t>& loads,
                                  uint32_t pieces);

} // namespace ns3

#endif // RDMA_CUT_H
