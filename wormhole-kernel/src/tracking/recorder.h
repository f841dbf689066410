/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_RECORDER_H
#define WORMHOLE_RECORDER_H

#include "tracking/flow-record.h"
#include "tracking/key-builder.h"
#include "wormhole/conflict-graph.h"
#include "wormhole/controller-statistics.h"
#include "wormhole/episode-store.h"
#include "wormhole/error.h"
#include "wormhole/partition-map.h"

#include <memory>
#include <optional>
#include <vector>

namespace wormhole
{

/** A transient that is being watched, from its start. */
struct Recording
{
    /** \return the key that tells best which others are equal */
    const ConflictGraph& Key() const
    {
        return converged ? *converged : completed;
    }

    Time start;
    std::optional<ConflictGraph> converged; //!< its key if it becomes steady; none if it starts so
    ConflictGraph completed;                //!< its key if a flow completes before
    std::vector<bool> mayComplete;          //!< of which flows #completed holds what is left
    std::vector<FlowId> flows;              //!< ascending, as in the keys
    std::vector<FlowProgress> progress;     //!< of these, at the start
};

/**
 * \brief Makes episodes of recordings, and gives them to the store.
 *
 * An episode that ends in a completion is held back until time advances, for several flows may
 * complete at the same time.
 */
class Recorder
{
  public:
    /** \param store may be nullptr: then nothing is recorded */
    Recorder(Simulator& simulator,
             const PartitionMap& partitions,
             EpisodeStore* store,
             ControllerStatistics& statistics);

    void SetWarningHandler(WarningHandler handler);

    /** \return a recording of \p members that starts now, without its keys */
    std::unique_ptr<Recording> Start(const PartitionMembers& members, Time now) const;

    /** \return whether random draws have decided what is in \p recording so far: it need not
     * happen again, and is not stored */
    bool IsByChance(const Recording& recording) const;

    /** \return what \p recording has seen up to \p now, as if it ended here, with no flow
     * completed; null if that cannot be gone on from, or need not happen again */
    std::shared_ptr<const Episode> SoFar(const Recording& recording, Time now) const;

    /** All flows of \p recording are steady, with \p rates that are good for \p trusted. */
    void Converged(const Recording& recording,
                   const std::vector<Rate>& rates,
                   Duration trusted,
                   Time now);

    /** \p flow, one of those of \p recording, has delivered its last byte, and may still be
     * observed. */
    void Completed(std::unique_ptr<Recording> recording, FlowId flow, Time now);

    /** \p flow, which may still be observed, has delivered its last byte at the same time as
     * another one with which it was recorded; or not, then nothing happens. */
    void AlsoCompleted(FlowId flow, Time now);

    /** Time is about to advance. */
    void Flush();

  private:
    /** An episode that ended in a completion at the current time. */
    struct Pending
    {
        Time time;
        std::unique_ptr<Recording> recording;
        Episode episode;
        bool complete; //!< all state could be captured
    };

    /** \return what happened from the start of \p recording to \p now, but for how it ended */
    Episode Collect(const Recording& recording, Time now) const;

    /** \return whether all that is needed could be captured, but for flows that have completed */
    bool Capture(const Recording& recording, Episode& episode) const;

    void MarkCompleted(Pending& pending, std::size_t index) const;
    void Store(const ConflictGraph& graph, const Episode& episode, bool complete);

    Simulator& m_simulator;
    const PartitionMap& m_partitions;
    EpisodeStore* m_store;
    ControllerStatistics& m_statistics;
    WarningHandler m_warn;
    bool m_warned{false};
    std::vector<Pending> m_pending;
};

} // namespace wormhole

#endif // WORMHOLE_RECORDER_H
