/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_TEST_FLUID_SIMULATOR_H
#define WORMHOLE_TEST_FLUID_SIMULATOR_H

#include "simulator/fluid-model.h"
#include "simulator/scenario.h"
#include "wormhole/simulator.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wormhole
{

/** What the toy tells, and asks, the one that controls it: the members of Controller. */
class Kernel
{
  public:
    virtual ~Kernel() = default;
    virtual void FlowStarted(FlowId flow, const std::vector<PortId>& path, Time now) = 0;
    virtual void FlowEnded(FlowId flow, Time at) = 0;
    virtual void FlowRerouted(FlowId flow, const std::vector<PortId>& path, Time now) = 0;
    virtual void PortChanged(PortId port, Time now) = 0;
    virtual void Disturbed(FlowId flow, Time now) = 0;
    virtual std::optional<Time> NextAlarm() const = 0;
    virtual void RunAlarms(Time now) = 0;
    virtual void Finish(Time now) = 0;
};

/** What became of a flow. */
struct FluidOutcome
{
    std::optional<Time> started;
    std::optional<Time> completed; //!< nullopt: never, for its last port failed for good
    Duration late{0};              //!< after its completion, others learned of it
    Bytes delivered{0};
};

/** What became of a scenario. */
struct FluidResult
{
    std::vector<FluidOutcome> flows;
    std::uint64_t events{0};             //!< ticks and ends of flows that were simulated
    Time end{};                          //!< when nothing could happen any more
    std::vector<std::string> violations; //!< of the contract of Simulator and Controller
};

/**
 * \brief A simulator of fluid in place of packets, whose exact answer is known: that without a
 * kernel.
 *
 * It is also the referee: each call is checked against the contract in wormhole/simulator.h, and
 * what breaks it is noted. All arithmetic is in integers. What happens at the same time happens in
 * this order, whatever happened before: ends of flows, ticks, starts and actions, alarms. So the
 * future of flows that share ports depends only on their own state, and moves in time with it.
 */
class FluidSimulator : public Simulator
{
  public:
    /** \param scenario outlives the simulator */
    explicit FluidSimulator(const Scenario& scenario);

    /** \param kernel to be told and asked from now on; outlives the simulator; nullptr: none */
    void Attach(Kernel* kernel);

    /** Runs to the end: until all flows are done, or stuck at a port that has failed for good. */
    FluidResult Run();

    FlowProgress Observe(FlowId flow) const override;
    Bytes QueueOf(PortId port) const override;
    FlowAttributes Describe(FlowId flow) const override;
    PortAttributes Describe(PortId port) const override;
    Duration SampleInterval(FlowId flow) const override;
    Bytes TailOf(FlowId flow, Rate rate) const override;
    std::optional<std::uint64_t> TotalEvents() const override;
    std::optional<std::vector<FlowPath>> RunningFlows() override;
    std::optional<Time> NextDisturbance(const Members& members) const override;
    void Pause(const Members& members) override;
    void Resume(const Members& members, Duration shift) override;
    void CatchUp(const Members& members, Time from, Time until, Duration shift) override;
    Bytes Credit(FlowId flow, Bytes bytes) override;
    void Complete(FlowId flow, Time time) override;
    std::optional<StateBlob> CaptureFlow(FlowId flow) const override;
    std::optional<StateBlob> CapturePort(PortId port) const override;
    void Evict(const Members& members) override;
    void Restore(const std::vector<FlowState>& flows,
                 const std::vector<PortState>& ports,
                 Time at) override;

  private:
    enum class Condition : std::uint8_t
    {
        Waiting, //!< for its start
        Running,
        Paused,
        Evicted,
        Ended, //!< still to be observed, until the kernel has been told
        Gone,
    };

    /** Time, and place in the order of events at the same time. */
    using EventKey = std::pair<Time, std::uint64_t>;

    struct Flow
    {
        const ScenarioFlow* spec;
        std::vector<PortId> path;
        std::vector<PortId> nextPath; //!< while the kernel is told of a reroute; else empty
        FluidFlow fluid;
        FluidRate lineRate{0};
        FluidRate share{0};
        Condition condition{Condition::Waiting};
        bool joined{false};              //!< counts at its ports
        bool late{false};                //!< in CatchUp
        std::optional<EventKey> pending; //!< its event, in the queue if it runs
        Time lastEvent{};
        std::uint64_t events{0};
        Time pausedAt{}; //!< or restored
        Bytes leftAtPause{0};
        Bytes credited{0};          //!< since then
        std::uint64_t endPlace{0};  //!< in the order of events at the same time
        std::uint64_t tickPlace{0}; //!< the same
        std::vector<std::size_t> followers;
        FluidOutcome outcome;
    };

    struct Port
    {
        Condition condition{Condition::Running};
        Time pausedAt{};
    };

    /** Out of the order of the scenario, or the start of a flow. */
    struct Pending
    {
        const ScenarioAction* action; //!< nullptr: the start of #flow
        std::size_t flow;
    };

    // The loop.
    bool Step();
    void AdvanceTo(Time time);
    bool IsAlive();
    void CheckEnd();

    // What happens.
    void Happen(std::size_t flow, Time time);
    void End(std::size_t flow, Time time);
    void Tick(Flow& flow, Time time);
    void Start(std::size_t flow);
    void Act(const ScenarioAction& action);
    void Reroute(std::size_t flow, const std::vector<PortId>& path);
    void Kick(std::size_t flow);
    void SetCapacity(PortId port, std::uint64_t capacity);
    void Release(Flow& flow, Time time);

    // Fluid.
    void Join(Flow& flow);
    void Leave(Flow& flow);
    void FreeIfUnused(PortId port);
    void SetRate(Flow& flow, FluidRate rate);
    void StallIfCut(Flow& flow);
    static bool IsAt(const Flow& flow, PortId port);
    bool IsCut(const std::vector<PortId>& path) const;
    void RefreshShares();
    FluidRate SlowedDown(const Flow& flow) const;
    void Schedule(Flow& flow);
    void Enqueue(const Flow& flow);
    void Move(Flow& flow, Duration shift);
    void Reschedule(Flow& flow);

    // The referee.
    /** Notes \p text(), unless it \p holds. */
    template <class Text>
    void Check(bool holds, const Text& text) const
    {
        if (!holds)
        {
            Note(text());
        }
    }

    void Note(const std::string& violation) const;

    /** To the kernel, if there is one; which may then want to be called at another time. */
    template <class Call>
    void Tell(const Call& call)
    {
        if (m_kernel != nullptr)
        {
            call(*m_kernel);
            m_alarm = m_kernel->NextAlarm();
            m_conditionsStale = true;
        }
    }

    bool IsKnown(FlowId flow, const char* call) const;
    bool IsKnown(PortId port, const char* call) const;
    bool AreValid(const Members& members, const char* call) const;
    bool AreIn(const Members& members, Condition condition, const char* call) const;
    bool CoverPaths(const Members& members, bool next) const;
    void CheckConditions();
    void CheckUpToDate(const Flow& flow, const char* what) const;
    Time TimeOf(const Flow& flow) const;
    FlowId IdOf(const Flow& flow) const;

    const Scenario& m_scenario;
    Kernel* m_kernel{nullptr};
    std::vector<Flow> m_flows;
    std::vector<FluidPort> m_fluidPorts;
    std::vector<Port> m_ports;
    std::map<EventKey, std::size_t> m_events; //!< the next of each flow that runs on time
    std::multimap<Time, Pending> m_agenda;
    std::optional<Time> m_alarm;
    Time m_now{};
    Time m_clock{};               //!< m_now, or in CatchUp the past time that it has come to
    std::uint64_t m_happened{0};  //!< events
    std::uint32_t m_alarmsNow{0}; //!< since time last advanced
    bool m_sharesStale{false};
    bool m_conditionsStale{false};
    bool m_aliveStale{true};
    bool m_alive{true};
    mutable std::vector<std::string> m_violations;
};

/** Makes the kernel of a simulator. */
using KernelFactory = std::function<std::unique_ptr<Kernel>(Simulator& simulator)>;

/** Runs \p scenario, with the kernel that \p factory makes; without one: the truth. */
FluidResult RunScenario(const Scenario& scenario, const KernelFactory& factory = nullptr);

} // namespace wormhole

#endif // WORMHOLE_TEST_FLUID_SIMULATOR_H
