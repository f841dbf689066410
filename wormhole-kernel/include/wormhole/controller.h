/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_CONTROLLER_H
#define WORMHOLE_CONTROLLER_H

#include "wormhole/conflict-graph.h"
#include "wormhole/decision.h"
#include "wormhole/episode-store.h"
#include "wormhole/error.h"
#include "wormhole/partition-map.h"
#include "wormhole/simulator.h"
#include "wormhole/steady-state.h"

#include <memory>
#include <optional>
#include <vector>

namespace wormhole
{

/** How the Controller decides. */
struct ControllerOptions
{
    bool skip{true};                        //!< skip steady states
    bool guard{true};                       //!< look at the packets now and then while skipping
    SteadyStateOptions steady;              //!< what counts as steady
    GraphDetail detail{GraphDetail::Ports}; //!< of the conflict graphs that episodes are found by
    double rateStep{1.05};   //!< of the logarithmic scale for rates and queues in them; > 1
    double firstStretch{4};  //!< first skip, in windows of samples; > 0
    double stretchGrowth{2}; //!< by which each further one is longer; >= 1
    double shortestSkip{
        1}; //!< skips shorter than this are not worth it; in windows of samples; >= 0
};

/** What the Controller did. */
struct ControllerStatistics;

/**
 * \brief Decides for each partition whether its packets are simulated, skipped or replayed.
 */
class Controller
{
  public:
    /** \param simulator outlives the controller
     *  \param store of episodes, which outlives it too; nullptr: nothing is memoized */
    Controller(Simulator& simulator, EpisodeStore* store, const ControllerOptions& options = {});
    ~Controller();
    Controller(const Controller&) = delete;
    Controller& operator=(const Controller&) = delete;

    void SetDecisionHandler(DecisionHandler handler);
    void SetWarningHandler(WarningHandler handler);

    /** \name What the simulator tells; \p now never decreases, except for FlowEnded within RunLate
     * @{ */

    /** \p flow is about to start on \p path: called before its first packet leaves. */
    void FlowStarted(FlowId flow, const std::vector<PortId>& path, Time now);

    /** \p flow, running, has delivered its last byte at \p at. It may still be observed until this
     * returns (left is 0). */
    void FlowEnded(FlowId flow, Time at);

    /** \p flow is about to take \p path: called before its first packet there. */
    void FlowRerouted(FlowId flow, const std::vector<PortId>& path, Time now);

    /** \p port is about to fail, to recover, or to change its attributes. */
    void PortChanged(PortId port, Time now);

    /** Something else is about to happen to the partition of \p flow. */
    void Disturbed(FlowId flow, Time now);

    /** @} */

    /** \return the time at which RunAlarms must be called next; nullopt if at none. To be asked
     * again after each call of another member. */
    std::optional<Time> NextAlarm() const;

    /** To be called when all events of the simulator up to and including \p now, which is
     * NextAlarm(), have happened. */
    void RunAlarms(Time now);

    /** Brings all partitions to \p now, running: nothing is skipped or replayed any more, until the
     * next start of a flow. */
    void Finish(Time now);

    const PartitionMap& Partitions() const;
    PartitionState StateOf(PartitionId partition) const;
    /** \return what \p flow has delivered at \p now, skips and replays included that are under way
     */
    Bytes DeliveredBy(FlowId flow, Time now) const;
    const ControllerStatistics& Statistics() const;

  private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace wormhole

#endif // WORMHOLE_CONTROLLER_H
