/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_PACKET_STATE_H
#define WORMHOLE_PACKET_STATE_H

#include "tracking/flow-record.h"
#include "wormhole/partition-map.h"

#include <memory>
#include <vector>

namespace wormhole
{

/**
 * \brief Takes flows from one condition to another, and remembers what those need that have no
 * packets.
 *
 * A partition may hold flows in different conditions for an instant, after partitions have merged.
 */
class PacketState
{
  public:
    PacketState(Simulator& simulator, const PartitionMap& partitions);

    /** Running flows to paused: all of \p members have no packets from now on. */
    void Pause(const PartitionMembers& members);

    /** Paused flows to running, \p shift later; evicted ones are left as they are. */
    void Resume(const PartitionMembers& members, Duration shift);

    /** Evicted flows to running, as of \p now, and paused ones too. No rate of theirs is steady any
     * more, nor after CatchUp. */
    void Run(const PartitionMembers& members, Time now);

    /** Evicted and paused flows to running, as of \p from, and up to \p until. Flows may end
     * within.
     * \param shift since paused ones have stopped; 0 unless all are
     */
    void CatchUp(const PartitionMembers& members,
                 Time from,
                 Time until,
                 Duration shift = Duration{0});

    /** \return whether all flows are paused */
    static bool ArePaused(const PartitionMembers& members);

    /** All flows, none of which is running, to evicted, at the end of \p episode.
     *  \param indices for each flow, its index in Episode::flows */
    void EvictTo(const PartitionMembers& members,
                 const std::shared_ptr<const Episode>& episode,
                 const std::vector<std::uint32_t>& indices);

    /** \p flow, paused or evicted, has delivered \p bytes without packets. */
    void Credit(FlowRecord& flow, Bytes bytes);

    /** Forgets what is remembered of those of \p ports that no flow uses any more. */
    void ForgetUnused(const std::vector<PortId>& ports);

    /** \return bytes queued at \p port: by the simulator, or as remembered */
    Bytes QueueOf(PortId port) const;

  private:
    /** What a port goes on from that has no packets. */
    struct EvictedPort
    {
        std::shared_ptr<const Episode> episode; //!< none: the simulator knows
        std::uint32_t index{0};                 //!< into Episode::ports
    };

    /** \return the flows among \p members that are in \p condition, with the ports on their paths
     */
    Members Select(const PartitionMembers& members, Condition condition) const;

    void Restore(const PartitionMembers& members, Time at);

    void Remember(PortId port, EvictedPort evicted);

    /** \return what is remembered of \p port, or nullptr */
    const PortOutcome* OutcomeOf(PortId port) const;

    Simulator& m_simulator;
    const PartitionMap& m_partitions;
    std::vector<EvictedPort> m_ports; //!< by PortId
};

} // namespace wormhole

#endif // WORMHOLE_PACKET_STATE_H
