/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_HELPER_H
#define WORMHOLE_HELPER_H

#include "ns3/attribute.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class RdmaNetwork;
class RdmaPort;
class RdmaQueuePair;
struct RdmaLateFlow;

/** \ingroup wormhole Crossings of links by frames, data and acknowledgements. */
struct WormholePacketHops
{
    uint64_t run{0};      ///< simulated
    double skipped{0};    ///< estimate of those that skips saved
    uint64_t replayed{0}; ///< of those that replays saved
};

/**
 * \ingroup wormhole
 * \brief Turns fast-forward on.
 *
 *     WormholeHelper wormhole;
 *     wormhole.Enable();
 *
 * before anything of the simulation is made, and nothing else.
 */
class WormholeHelper
{
  public:
    WormholeHelper();

    /** Sets an attribute of WormholeSimulatorImpl or of what it is derived from, for Enable of this
     * helper; aborts if there is none of the name, or if the value is not one for it. What is not
     * set has ns-3's default (Config::SetDefault). */
    void Set(const std::string& name, const AttributeValue& value);

    /** Chooses WormholeSimulatorImpl, which runs on one thread, and warns if another one than
     * ns-3's default was chosen before; aborts if another one is already in use. */
    void Enable();

    /**
     * What has been skipped and replayed so far, of all networks together; before
     * Simulator::Destroy.
     *
     * "events": crossings of links by frames: "run" in packets, "skipped", "replayed", and
     * "skippedShare" of all; "episodes": "found" and used, "stored" by this run, "inStore" now;
     * "audit": replays and skips that were "leftOut", how many of these were "audited", their
     * "meanError" and "largestError" (shares), and episodes "thrownOut" for that;
     * "drawn": bytes of flows that are alike, of which it was drawn who delivered how many;
     * "flowTime": seconds spent in each state, summed over flows; "kernel": the controller's own
     * counters.
     * \return null unless fast-forward is on
     */
    static nlohmann::ordered_json GetReport();

    /** \return crossings so far, of all networks together; all 0 unless fast-forward is on */
    static WormholePacketHops CountPacketHops();

    /** \p hops crossings of links of \p network were left out by whoever knew what they would come
     * to. Nothing unless fast-forward is on. */
    static void AddReplayed(const RdmaNetwork& network, uint64_t hops);

    /** Starts flows of \p network that were to start at times which are past: where ports are idle
     * or skipped since, as they would have (RdmaPacketState::StartLate). \return none if that is
     * not so; nothing has changed then */
    static std::vector<RdmaQueuePair*> StartLate(RdmaNetwork& network,
                                                 const std::vector<RdmaLateFlow>& flows);

    /** \return what a port is to what crosses it, with all of its node that matters: ports of one
     * number are alike */
    static std::function<uint64_t(const RdmaPort& port)> GetPortKinds();

    /** \return why nothing has been skipped or replayed so far, in words; empty if something has,
     * or unless fast-forward is on */
    static std::string ExplainIdle();

    /** \return bytes of a flow that its receiver has now, with its share of a skip or replay that
     * is under way; without fast-forward, those that are acknowledged */
    static uint64_t GetDelivered(const RdmaNetwork& network, const RdmaQueuePair& qp);

    /**
     * Prints some lines for people, of what GetReport says: crossings of links by frames that were
     * run and left out, and episodes; and why, if nothing was left out. Nothing unless
     * fast-forward is on. Before Simulator::Destroy.
     */
    static void PrintReport(std::ostream& out);

  private:
    std::vector<std::pair<std::string, Ptr<const AttributeValue>>> m_attributes;
};

} // namespace ns3

#endif // WORMHOLE_HELPER_H
