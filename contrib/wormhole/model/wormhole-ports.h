/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_PORTS_H
#define WORMHOLE_PORTS_H

#include "wormhole-ack-loads.h"
#include "wormhole-fingerprint.h"
#include "wormhole/simulator.h"

#include "ns3/rdma-network.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * \ingroup wormhole
 * \brief The ports of a network as the kernel knows them: by number, with who uses them, what
 * passes there from elsewhere, and when they were last disturbed.
 *
 * There are more of them than a network has: flows that belong together for another reason than
 * that they cross the same link share a port that is none.
 */
class WormholePorts
{
  public:
    using PortIds = std::vector<wormhole::PortId>;

    /**
     * \param network started; outlives it
     * \param fingerprint of its ports
     */
    WormholePorts(const RdmaNetwork& network, WormholeFingerprint& fingerprint);

    /** \return the port; null if it is none */
    RdmaPort* Get(wormhole::PortId port) const
    {
        return port.Value() < m_ports.size() ? m_ports[port.Value()] : nullptr;
    }

    /** \return the port that all flows through \p node share, so that they belong together; null:
     * that all flows share */
    wormhole::PortId GetShared(const RdmaNode* node);

    /** A flow crosses \p ports from now on, its data the first \p data of them. */
    void Use(const PortIds& ports, std::size_t data);

    /** It does not cross them any more.
     *  \return those of the network that no flow does */
    std::vector<RdmaPort*> Leave(const PortIds& ports, std::size_t data);

    /**
     * \param route ports that acknowledgements cross, in order
     * \return whether the data of any flow crosses two switches' ports in a row of these
     */
    bool GoesAlong(const std::vector<RdmaPort*>& route) const;

    /** \return whether two flows' data, which may queue, cross one of \p route's switches' ports */
    bool MeetsQueues(const std::vector<RdmaPort*>& route) const;

    /** \return whether any flow crosses \p port */
    bool IsUsed(wormhole::PortId port) const
    {
        return m_users[port.Value()] > 0;
    }

    /** \return whether but one flow crosses \p port, and no acknowledgements of others do */
    bool IsAlone(wormhole::PortId port) const
    {
        return m_users[port.Value()] == 1 && m_loads.Get(port) == 0;
    }

    /** \return whether \p port is of a switch whose buffer has nothing to share: each queue there
     * pauses its senders */
    static bool SharesNothing(const RdmaPort& port);

    /** \return flows whose data cross that one of the first \p data of \p ports that most cross; 1
     * at least */
    uint32_t GetMostSenders(const PortIds& ports, std::size_t data) const;

    /** \return the least equal share of a flow of the rates of \p ports that it crosses, bit/s;
     * infinite if none is of the network */
    double GetLeastShare(const PortIds& ports) const;

    /** The acknowledgements of a flow come to \p port, which its data does not cross. */
    void AddLoad(wormhole::PortId port, const WormholeAckLoad& load)
    {
        m_loads.Add(port, load);
    }

    /** They do not come any more. */
    void RemoveLoad(wormhole::PortId port, const WormholeAckLoad& load)
    {
        m_loads.Remove(port, load);
    }

    /** \return what acknowledgements of AddLoad may take of \p port, bit/s */
    int64_t GetLoad(wormhole::PortId port) const
    {
        return m_loads.Get(port);
    }

    /** \return what \p port is; two loads of acknowledgements are alike if they differ by less than
     * about \p tolerance of its rate */
    wormhole::PortAttributes Describe(wormhole::PortId port, double tolerance) const;

    /** \p port was involved in a pause, or is about to lose frames, now. */
    void NoteDisturbance(const RdmaPort& port);

    /** A flow that crosses \p ports, and has lost frames, ends now. */
    void NoteLoss(const PortIds& ports);

    /** \return whether such a flow that crosses \p port ends now */
    bool HasJustLost(wormhole::PortId port) const;

    /** \return whether \p port was, at \p now, last disturbed more than \p memory ago (both time
     * steps), or never */
    bool IsCalm(const RdmaPort& port, int64_t memory, int64_t now) const;

  private:
    /** Adds \p flows to those whose data cross two ports in a row of \p ports, the first \p data of
     * which data cross. */
    void CountInRow(const PortIds& ports, std::size_t data, int32_t flows);

    const RdmaNetwork& m_network;
    std::vector<wormhole::PortAttributes> m_attributes;             //!< by number
    std::vector<RdmaPort*> m_ports;                                 //!< the same; of the network
    std::unordered_map<const RdmaNode*, wormhole::PortId> m_shared; //!< those that are none
    std::vector<uint32_t> m_users;                                  //!< by number
    std::vector<uint32_t> m_senders;                                //!< of them, by their data
    std::unordered_map<uint64_t, uint32_t> m_inRow; //!< of these, from a switch's port to the next
    WormholeAckLoads m_loads;                       //!< of the network's ports
    std::vector<int64_t> m_disturbed;               //!< last time; time steps; negative if never
    std::vector<int64_t> m_lost;                    //!< the same of NoteLoss
};

} // namespace ns3

#endif // WORMHOLE_PORTS_H
