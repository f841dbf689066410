/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_FORESIGHT_H
#define RDMA_FORESIGHT_H

#include "ns3/rdma-fluid.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

struct RdmaSavedFlow;

/** \ingroup rdma What comes of flows and ports without packets, and what they held at its start
 * (RdmaPacketState::Foresee). */
class RdmaForesight
{
  public:
    /** \param start from which it goes on \param stepsPerNs time steps */
    RdmaForesight(RdmaFluid start, int64_t stepsPerNs);
    ~RdmaForesight();

    /** Goes on to \p most from the start, time steps, or less: no call takes long, so that runs can
     * be stopped. GoTo does not go back before this. */
    void Prolong(int64_t most);

    /** \return how far it goes, time steps */
    int64_t GetSpan() const;

    /** \return bytes of payload that \p flow delivers, in whole frames: all that it has left if it
     * completes */
    uint64_t GetBytes(size_t flow) const;

    /** \return the same of each */
    std::vector<uint64_t> GetBytes() const;

    /** \return why it goes no further */
    RdmaFluid::Stop GetStop() const
    {
        return m_stop;
    }

    /** Goes back, or on, to \p elapsed from the start, time steps. */
    void GoTo(int64_t elapsed);

    /** \return the state that it has come to */
    const RdmaFluid& Get() const
    {
        return m_end;
    }

    /** Of a flow at the start. */
    struct Flow
    {
        uint64_t left;    //!< bytes of payload that are not delivered
        uint64_t payload; //!< bytes of payload of a frame
        uint64_t frame;   //!< bytes of one
    };

    std::vector<Flow> flows;
    std::vector<RdmaSavedFlow> saved; //!< of these
    std::vector<int64_t>
        busy; //!< of each port: for how long it is still sending a frame, time steps

  private:
    int64_t m_startNs;
    RdmaFluid m_before; //!< where it was when it was last prolonged
    RdmaFluid m_end;
    int64_t m_stepsPerNs;
    RdmaFluid::Stop m_stop{RdmaFluid::Stop::TIME};
};

} // namespace ns3

#endif // RDMA_FORESIGHT_H
