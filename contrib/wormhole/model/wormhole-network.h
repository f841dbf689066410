/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_NETWORK_H
#define WORMHOLE_NETWORK_H

#include "wormhole-audit.h"
#include "wormhole-fingerprint.h"
#include "wormhole-options.h"
#include "wormhole-passed-over.h"
#include "wormhole-ports.h"
#include "wormhole/controller.h"
#include "wormhole/episode-store.h"
#include "wormhole/simulator.h"

#include "ns3/rdma-event-queue.h"
#include "ns3/rdma-flow-observer.h"
#include "ns3/rdma-network.h"
#include "ns3/rdma-packet-state.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * \ingroup wormhole
 * \brief One network under fast-forward: tells the kernel's controller what happens in it, and does
 * what the controller decides.
 *
 * A flow, for the kernel, lives from its start until its last byte is delivered; its ports are
 * those that its data and its acknowledgements cross, so that all that happens at a port belongs to
 * one partition. The kernel's unit of time is ns-3's time step, whatever that is: its rates are in
 * bytes per 10^12 steps.
 *
 * Its members are in nine files: its start, its end and alarms (wormhole-network.cc), what it
 * tells the controller (wormhole-network-observer.cc), what it knows of flows
 * (wormhole-network-flows.cc), which of them it tells of (wormhole-network-long.cc), whose
 * acknowledgements it watches (wormhole-network-watching.cc), what the controller asks
 * (wormhole-network-calls.cc), also about what may come in between
 * (wormhole-network-disturbances.cc) and whether rates may rise (wormhole-network-rise.cc), and
 * what the controller does (wormhole-network-packets.cc).
 */
class WormholeNetwork : public RdmaFlowObserver, public wormhole::Simulator
{
  public:
    /**
     * \param network started; without flows so far
     * \param options how to decide
     */
    WormholeNetwork(RdmaNetwork& network, const WormholeOptions& options);
    ~WormholeNetwork() override;

    /** Brings all flows to the present, and lets packets run: the simulation is about to stop. */
    void Finish();

    const wormhole::Controller& GetController() const
    {
        return *m_controller;
    }

    /** \p hops crossings of links were left out by whoever knew what they would come to. */
    void AddReplayed(uint64_t hops)
    {
        m_controller->AddReplayed(hops);
    }

    /** As RdmaPacketState::StartLate, where ports are idle or their flows have been skipped since
     * the first of the times. \return none if they are not */
    std::vector<RdmaQueuePair*> StartLate(const std::vector<RdmaLateFlow>& flows);

    /** \return the store; null if nothing is memoized */
    const wormhole::EpisodeStore* GetStore() const
    {
        return m_store.get();
    }

    const RdmaNetwork& GetNetwork() const
    {
        return m_network;
    }

    /** \return bytes of \p qp that its receiver has now, with its share of a skip or replay that is
     * under way */
    uint64_t GetDelivered(const RdmaQueuePair& qp) const;

    /**
     * \param qp a flow that has started and not ended
     * \param time not before the network's last event, nor after its next one; time steps
     * \return the same by then
     */
    uint64_t GetDelivered(const RdmaQueuePair& qp, int64_t time) const;

    /** \return flows under way, those that nobody watches while the controller is suspended
     * included */
    std::size_t GetFlowCount() const
    {
        return m_flows.size() + m_untracked;
    }

    /** \param handler as of wormhole::Controller::SetDecisionHandler */
    void SetDecisionHandler(wormhole::DecisionHandler handler);

    // RdmaFlowObserver
    RdmaReactions GetReactions() const override;
    bool KnowsTight(const RdmaPort& port, int64_t now) const override;
    bool KnowsPause(const RdmaPort& port, int64_t now) const override;
    bool FlowStarting(RdmaQueuePair& qp) override;
    void FlowDelivered(RdmaQueuePair& qp) override;
    void FlowOver(RdmaQueuePair& qp) override;
    void LinkChanging(RdmaPort& a, RdmaPort& b) override;
    void FlowChanging(RdmaQueuePair& qp) override;
    void FlowRerouted(RdmaQueuePair& qp) override;
    void PortTouched(RdmaPort& port) override;
    void PauseSeen(RdmaPort& port) override;
    void BufferTight(RdmaPort& port) override;

  private:
    struct Flow
    {
        RdmaQueuePair* qp{nullptr};
        wormhole::FlowAttributes attributes;
        wormhole::Duration sampleInterval{0};
        wormhole::Duration packet{1};                 //!< of its size on the slowest link
        std::vector<wormhole::PortId> ports;          //!< data's, then acknowledgements'
        std::size_t dataPorts{0};                     //!< so many of #ports are data's
        bool mayWatch{false};                         //!< may be #watched
        bool watched{false};                          //!< #ports are its data's alone
        bool wasWatched{false};                       //!< and is included again
        bool heldBack{false};                         //!< by waits of its acknowledgements
        std::vector<wormhole::PortId> ackPorts;       //!< watched: those of its acknowledgements
        WormholeAckLoad ackLoad;                      //!< watched: of these
        mutable std::optional<RdmaFlowLosses> losses; //!< that were looked for on its routes
    };

    // wormhole::Simulator
    wormhole::FlowProgress Observe(wormhole::FlowId flow) const override;
    wormhole::Bytes QueueOf(wormhole::PortId port) const override;
    wormhole::FlowAttributes Describe(wormhole::FlowId flow) const override;
    wormhole::PortAttributes Describe(wormhole::PortId port) const override;
    std::size_t DataPortsOf(wormhole::FlowId flow) const override;
    std::size_t PortsApartOf(wormhole::FlowId flow) const override;
    void SetApart(const wormhole::Members& members) override;
    void SetExact(const std::vector<wormhole::FlowId>& flows) override;
    wormhole::Rate CapacityOf(wormhole::PortId port) const override;
    double WireBytesPerByte(wormhole::FlowId flow) const override;
    wormhole::Duration SampleInterval(wormhole::FlowId flow) const override;
    wormhole::Duration ShortestReplay(wormhole::FlowId flow) const override;
    double PacketsInFlight(wormhole::FlowId flow) const override;
    wormhole::Duration SlowestPeriod(wormhole::FlowId flow) const override;
    bool IsAsItSeems(wormhole::FlowId flow) const override;
    bool PathsCollide() const override;
    bool MayRise(const wormhole::Members& members,
                 const std::vector<wormhole::Rate>& rates) const override;
    bool IsRising(const wormhole::Members& members,
                  const std::vector<wormhole::Rate>& rates,
                  wormhole::Duration time) const override;
    wormhole::Bytes TailOf(wormhole::FlowId flow, wormhole::Rate rate) const override;
    std::optional<uint64_t> TotalEvents() const override;
    std::optional<std::vector<wormhole::FlowPath>> RunningFlows() override;
    std::optional<std::size_t> CountRunningFlows() override;
    std::optional<std::size_t> CountLongFlows(double events) override;
    std::vector<wormhole::FlowPath> LongFlows(double events) override;
    std::optional<wormhole::Time> NextDisturbance(const wormhole::Members& members) const override;
    wormhole::Bytes UndisturbedBytes(wormhole::FlowId flow, wormhole::Bytes atMost) const override;
    bool MayWait(const wormhole::Members& members) const override;
    bool IsRepeatable(const wormhole::Members& members) const override;
    std::optional<wormhole::Foresight> Foresee(const wormhole::Members& members,
                                               wormhole::Duration atMost,
                                               bool draws) override;
    void Prolong(wormhole::Foresight& foresight, wormhole::Duration atMost) override;
    std::vector<wormhole::Bytes> Realise(const wormhole::Members& members,
                                         wormhole::Foresight& foresight,
                                         wormhole::Duration elapsed,
                                         bool ends) override;
    void Pause(const wormhole::Members& members) override;
    void Stopped(const wormhole::Members& members) override;
    void Changing(const wormhole::Members& members) override;
    void Resume(const wormhole::Members& members, wormhole::Duration shift) override;
    void CatchUp(const wormhole::Members& members,
                 wormhole::Time from,
                 wormhole::Time until,
                 wormhole::Duration shift) override;
    void Audit(const wormhole::Members& members) override;
    wormhole::Bytes Credit(wormhole::FlowId flow, wormhole::Bytes bytes) override;
    void AssumeState(wormhole::FlowId flow, const wormhole::StateBlob& control) override;
    void Skipped(wormhole::FlowId flow, wormhole::Bytes bytes) override;
    void AssumeRate(wormhole::FlowId flow, wormhole::Rate rate) override;
    double AdditiveIncrease(wormhole::FlowId flow) const override;
    double CongestionAverage(wormhole::FlowId flow) const override;
    bool CanScale(wormhole::FlowId flow) const override;
    void Scale(wormhole::FlowId flow, double factor) override;
    void AssumeQueue(wormhole::PortId port, wormhole::Bytes bytes) override;
    void Complete(wormhole::FlowId flow, wormhole::Time time) override;
    void CompleteWith(wormhole::FlowId flow,
                      wormhole::Time time,
                      const wormhole::StateBlob& end) override;
    wormhole::StateBlob CaptureEnd(wormhole::FlowId flow) const override;
    std::optional<wormhole::StateBlob> CaptureFlow(wormhole::FlowId flow) const override;
    std::optional<wormhole::StateBlob> CapturePort(wormhole::PortId port) const override;
    bool CanRestore(wormhole::FlowId flow, const wormhole::StateBlob& control) const override;
    bool CanRestore(wormhole::PortId port, const wormhole::StateBlob& state) const override;
    bool CanComplete(const wormhole::StateBlob& end) const override;
    void Evict(const wormhole::Members& members) override;
    void Restore(const std::vector<wormhole::FlowState>& flows,
                 const std::vector<wormhole::PortState>& ports,
                 wormhole::Time at) override;

    /** Says once of each class of control that cannot save its state that it cannot. */
    void CheckControl(const RdmaQueuePair& qp);
    /** \return the share of a link that the control of \p qp leaves to no queue: 1, unless it says
     * less */
    double GetUtilizationTarget(const RdmaQueuePair& qp);
    /** \param heldBack waits of acknowledgements hold \p qp back */
    bool MayWatch(const RdmaQueuePair& qp, bool heldBack) const;
    /** \return without queues; time steps */
    int64_t GetRtt(const RdmaQueuePair& qp) const;
    bool AreAcksFree(const RdmaQueuePair& qp) const;
    /** \return whether \p qp, which has begun, takes turns with others at its NIC, and a round of
     * these is long beside flows on faster links: it matters to whoever follows them whose turn it
     * is, and neither a skip nor a replay is right to a round */
    bool TakesSlowTurns(const RdmaQueuePair& qp) const;
    std::vector<RdmaPort*> GetAlone(const Flow& flow) const;
    bool TravelsBehind(const Flow& flow) const;
    bool WaitsInQueues(const Flow& flow) const;
    bool ComesApart(const Flow& flow) const;
    /** \return whether so many of \p flows travel behind data that none should be watched */
    bool ManyTravelBehind(const std::vector<const Flow*>& flows) const;
    /** From now on, \p flow, which is running, is watched. */
    void Watch(Flow& flow);
    /** From now on, \p flow, which is running, is included. */
    void Include(Flow& flow);
    /** \param starts whether none of its packets is under way */
    Flow MakeFlow(RdmaQueuePair& qp, bool starts);
    /** Takes note of whether \p qp, of the first flows, has several ways to choose from. */
    void NoteWays(const RdmaQueuePair& qp);
    /** \p change, Watch or Include, happens to \p flow, unless it ends before it can. */
    void Change(Flow& flow, void (WormholeNetwork::*change)(Flow&));
    /** \p next takes the place of \p flow. */
    void Reroute(Flow& flow, Flow next);
    /** Before any flow: sets m_isSmall. */
    void CountHosts();
    /** Flows have started: includes those that are better simulated together, if all that are under
     * way are few. */
    void ReviewStarts();
    void RunApart();
    /** Includes those that are not to be watched any more; all, where that does not pay off. */
    void RunTogether();
    /** \return whether any is watched that no longer should be */
    bool IsToInclude() const;
    /** \return the flows that are to be told of, of all those under way, as LongFlows */
    std::vector<RdmaQueuePair*> FindLong(double events);
    /** \return ports of \p qp and its acknowledgements, neither of which are watched */
    std::vector<wormhole::PortId> PortsOf(RdmaQueuePair& qp);
    /** \return whether \p qp, which starts, is not to be told of */
    bool PassesOver(RdmaQueuePair& qp);
    /** Tells of flows that were passed over and have some of \p ports, and of all that share ports
     * with these. */
    void Meet(const std::vector<wormhole::PortId>& ports);
    static void AddPort(Flow& flow, wormhole::PortId port);
    /** By the routes of \p flow and whether it is watched: data's ports first. */
    void SetPorts(Flow& flow);
    void SetAttributes(Flow& flow);
    /** The acknowledgements of \p flow come to the ports that they cross, or go. */
    void ChangeLoad(const Flow& flow, bool comes);
    void Leave(const Flow& flow);
    void Remove(const RdmaQueuePair& qp);
    /** \p qp, which is under way, ends now in packets. \return whether the controller knew of it */
    bool Ended(const RdmaQueuePair& qp);
    const Flow& Get(wormhole::FlowId flow) const;
    std::vector<RdmaQueuePair*> GetFlows(const wormhole::Members& members) const;
    std::vector<RdmaPort*> GetPorts(const wormhole::Members& members) const;
    bool IsAllowed(const RdmaPort& port) const;
    wormhole::Time Now() const;
    wormhole::Rate RateOf(uint64_t bitsPerSecond) const;
    /** \return whether what happens at \p port since \p time is known */
    bool MayGoBack(const RdmaPort& port, wormhole::Time time) const;
    void Rearm();
    void RunAlarm();
    void ArmTouch();
    void RunTouches();
    bool IsOver() const;

    /** \return what acknowledgements that are watched, of flows that run, load each port with,
     * bit/s */
    std::unordered_map<const RdmaPort*, double> WatchedLoads() const;

    /** \return what passes each port, bit/s on the wire, with \p members at \p rates */
    std::unordered_map<const RdmaPort*, double> UseOf(
        const wormhole::Members& members,
        const std::vector<wormhole::Rate>& rates) const;

    RdmaNetwork& m_network;
    WormholeOptions m_options;
    WormholeFingerprint m_fingerprint;
    RdmaPacketState m_packets;
    double m_kernelSeconds; //!< real seconds in 10^12 time steps
    std::unordered_map<uint64_t, Flow> m_flows;
    std::size_t m_untracked{0};      //!< flows under way that are not in m_flows: they have started
                                     //!< while the controller was suspended, or are passed over
    WormholePassedOver m_passedOver; //!< that are, if it is not suspended
    std::map<uint64_t, double> m_shortest; //!< by the rate of its path, bit/s: time steps that a
                                           //!< flow has needed for its payload at least
    WormholePorts m_ports;
    int64_t m_pauseMemory{0}; //!< for so long after a disturbance of a port, its partition is left
                              //!< alone; time steps
    std::vector<RdmaPort*> m_touched;
    std::vector<wormhole::FlowId> m_apart;    //!< that are to be watched
    std::vector<wormhole::FlowId> m_together; //!< that are not to be any more
    bool m_started{false};                    //!< one that is watched has, since ReviewStarts
    bool m_cameApart{false};                  //!< included ones have been watched under way
    bool m_isSmall{false};                    //!< there are fewer hosts than make a crowd
    std::size_t m_watched{0};                 //!< flows that are
    std::size_t m_waysNoted{0};               //!< of so many flows
    bool m_severalWays{false};                //!< any of them had several to choose from
    std::set<TypeId> m_checkedControls;
    std::map<Ptr<const RdmaCongestionControl>, double> m_targets; //!< by the prototypes of hosts
    bool m_late{false};                                           //!< a partition catches up
    bool m_starts{false}; //!< ... with a flow that starts late
    bool m_asks{false};   //!< a control is asked, and may set what its flow, paused, sends by
    RdmaMemberEvent<WormholeNetwork, &WormholeNetwork::RunAlarm> m_alarm;
    RdmaMemberEvent<WormholeNetwork, &WormholeNetwork::RunTouches> m_touch;
    std::unique_ptr<wormhole::EpisodeStore> m_store;
    std::unique_ptr<wormhole::Controller> m_controller; //!< last: it is the first to go
};

} // namespace ns3

#endif // WORMHOLE_NETWORK_H
