/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_TEST_SCRIPTED_SIMULATOR_H
#define WORMHOLE_TEST_SCRIPTED_SIMULATOR_H

#include "wormhole/controller.h"
#include "wormhole/simulator.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace wormhole
{

/** \return the time \p count microseconds after the start */
Time At(std::int64_t count);

/** \return \p count microseconds */
Duration Micro(std::int64_t count);

/**
 * \brief Flows that move at the rates that a test gives them, whatever they share.
 *
 * So all times and bytes can be worked out by hand. What happens at the same time happens in this
 * order: ends of flows in the order of their ids, what the test does, alarms. All calls that change
 * something are noted.
 */
class ScriptedSimulator : public Simulator
{
  public:
    /** To be told and asked; outlives the simulator. */
    void Attach(Controller* controller);

    /** Starts a flow now.
     *  \param rate bytes per microsecond */
    void Start(FlowId flow, std::vector<PortId> path, Bytes size, Bytes rate);

    /** Without telling anyone. */
    void SetRate(FlowId flow, Bytes rate);

    /** Calls \p action at \p time. */
    void Do(Time time, std::function<void()> action);

    /** Runs up to and including \p time. */
    void RunTo(Time time);

    Time Now() const
    {
        return m_now;
    }

    std::vector<std::string> calls;                     //!< all but observations
    std::map<FlowId, Time> ends;                        //!< by packets or by Complete
    std::map<FlowId, std::function<void()>> onComplete; //!< within Complete
    std::map<PortId, Bytes> queues;                     //!< of running and paused ports
    std::map<PortId, Bytes> capacities;                 //!< bytes/us; other ports: infinite
    std::map<PortId, std::int32_t> loads;               //!< PortAttributes::backgroundClass
    std::map<FlowId, Bytes> tails;                      //!< other flows: 400
    std::map<FlowId, Bytes> inFlight;                   //!< other flows: 0
    std::map<FlowId, Bytes> allowed;                    //!< bytes/us; other flows: as they go
    std::map<FlowId, std::size_t> apart;                //!< PortsApartOf; other flows: all
    std::map<FlowId, Duration> periods;                 //!< of controls; other flows: 0
    std::map<FlowId, bool> creeps;                      //!< it is not as it seems
    bool collide{false};                                //!< PathsCollide
    Duration shortestReplay{0};                         //!< ShortestReplay
    std::set<FlowId> rising;                            //!< MayRise if any of these is a member
    std::set<FlowId> climbing;                          //!< IsRising likewise
    std::map<FlowId, Bytes> packets;                    //!< that it delivers; other flows: 1 byte
    bool tellsArrivals{false};                          //!< FlowProgress::deliveredAt
    std::map<FlowId, bool> incapable;                   //!< of capturing their state
    std::map<PortId, bool> incapablePorts;              //!< the same
    std::optional<Time> disturbance;                    //!< that is known to come
    std::set<FlowId> disturbed;                         //!< now
    std::map<FlowId, std::uint64_t> lost;               //!< packets; other flows: none
    std::map<FlowId, bool> recovers;                    //!< from that
    std::map<FlowId, std::uint64_t> draws;              //!< FlowProgress::draws; other flows: 0
    std::map<FlowId, Bytes> losses;                     //!< the byte that is known to be lost
    std::map<FlowId, Bytes> auditRates;                 //!< bytes/us in an audit; others: as else
    std::map<FlowId, Bytes> foreseen;                   //!< bytes/us; empty: nothing is
    bool undrawn{false};                                //!< that takes no draws
    bool refusesWaits{false};                           //!< of followers
    bool refusesStates{false};                          //!< to restore from them
    std::function<void(FlowId, double)> onScale;        //!< none: CanScale says no
    double packetsInFlight{0};                          //!< of each flow
    double increase{0};                                 //!< AdditiveIncrease of each flow
    bool notesRates{false};                             //!< AssumeRate is among the calls
    bool notesStops{false};                             //!< and so is Stopped
    bool counts{false};                                 //!< its events, and lists its flows
    double eventsPerByte{0};                            //!< FlowProgress::eventsPerByte
    std::uint64_t listed{0};                            //!< times that it has listed them
    std::vector<FlowPath> longOnes;                     //!< LongFlows

    FlowProgress Observe(FlowId flow) const override;
    Bytes QueueOf(PortId port) const override;
    FlowAttributes Describe(FlowId flow) const override;
    PortAttributes Describe(PortId port) const override;
    Rate CapacityOf(PortId port) const override;
    Duration SampleInterval(FlowId flow) const override;
    Duration ShortestReplay(FlowId flow) const override;
    double PacketsInFlight(FlowId flow) const override;
    Duration SlowestPeriod(FlowId flow) const override;
    bool IsAsItSeems(FlowId flow) const override;
    bool PathsCollide() const override;
    bool MayRise(const Members& members, const std::vector<Rate>& rates) const override;
    bool IsRising(const Members& members,
                  const std::vector<Rate>& rates,
                  Duration time) const override;
    std::size_t PortsApartOf(FlowId flow) const override;
    void SetApart(const Members& members) override;
    void SetExact(const std::vector<FlowId>& flows) override;
    Bytes TailOf(FlowId flow, Rate rate) const override;
    std::optional<std::uint64_t> TotalEvents() const override;
    std::optional<std::vector<FlowPath>> RunningFlows() override;
    std::optional<std::size_t> CountRunningFlows() override;
    std::optional<std::size_t> CountLongFlows(double events) override;
    std::vector<FlowPath> LongFlows(double events) override;
    std::optional<Time> NextDisturbance(const Members& members) const override;
    Bytes UndisturbedBytes(FlowId flow, Bytes atMost) const override;
    bool MayWait(const Members& members) const override;
    std::optional<Foresight> Foresee(const Members& members, Duration atMost, bool draws) override;
    void Prolong(Foresight& foresight, Duration atMost) override;
    std::vector<Bytes> Realise(const Members& members,
                               Foresight& foresight,
                               Duration elapsed,
                               bool ends) override;
    void Pause(const Members& members) override;
    void Stopped(const Members& members) override;
    void Resume(const Members& members, Duration shift) override;
    void CatchUp(const Members& members, Time from, Time until, Duration shift) override;
    void Audit(const Members& members) override;
    Bytes Credit(FlowId flow, Bytes bytes) override;
    void AssumeRate(FlowId flow, Rate rate) override;
    double AdditiveIncrease(FlowId flow) const override;
    bool CanScale(FlowId flow) const override;
    void Scale(FlowId flow, double factor) override;
    void Complete(FlowId flow, Time time) override;
    std::optional<StateBlob> CaptureFlow(FlowId flow) const override;
    std::optional<StateBlob> CapturePort(PortId port) const override;
    bool CanRestore(FlowId flow, const StateBlob& control) const override;
    void Evict(const Members& members) override;
    void Restore(const std::vector<FlowState>& flows,
                 const std::vector<PortState>& ports,
                 Time at) override;

  private:
    enum class Condition
    {
        Running,
        Paused,
        Evicted,
    };

    /** Amounts are in 10^-6 bytes, so that rate times picoseconds is exact. */
    struct Flow
    {
        std::vector<PortId> path;
        std::int64_t size;
        std::int64_t moved{0};
        std::int64_t credited{0};
        std::int64_t rate;
        Time since; //!< as of when #moved is
        Condition condition{Condition::Running};
    };

    /** \return when \p flow delivers its last byte, if it runs */
    static Time EndOf(const Flow& flow);
    static void MoveTo(Flow& flow, Time time);
    /** \return a tenth of the bytes that came in packets */
    static std::uint64_t EventsOf(const Flow& flow);
    void End(FlowId id, Time time);
    void Note(const std::string& call, const Members& members);
    Flow& Find(FlowId flow, Condition condition);

    Controller* m_controller{nullptr};
    Time m_now;
    std::map<FlowId, Flow> m_flows;
    std::uint64_t m_events{0}; //!< of flows that have ended
    std::multimap<Time, std::function<void()>> m_actions;
};

} // namespace wormhole

#endif // WORMHOLE_TEST_SCRIPTED_SIMULATOR_H
