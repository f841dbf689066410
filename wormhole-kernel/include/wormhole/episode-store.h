/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_EPISODE_STORE_H
#define WORMHOLE_EPISODE_STORE_H

#include "wormhole/conflict-graph.h"
#include "wormhole/episode.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace wormhole
{

/** An episode that was found, and which of its flows is which. */
struct EpisodeHit
{
    std::shared_ptr<const Episode> episode;
    std::vector<std::uint32_t>
        flows; //!< for each flow of the graph asked for, its index in Episode::flows
};

/** What a store has been asked, and what it answered. */
struct EpisodeStoreStatistics
{
    std::uint64_t lookups{0};
    std::uint64_t hits{0};
    std::uint64_t collisions{0}; //!< same signature, but not isomorphic
    std::uint64_t gaveUp{0};     //!< same signature, but the isomorphism was too much work
    std::uint64_t inserted{0};
    std::uint64_t evicted{0};
    std::uint64_t episodes{0}; //!< now in reach
    std::uint64_t bytes{0};    //!< that these take up, encoded
};

/**
 * \brief Episodes by the conflict graph that they started from.
 *
 * Only ever an accelerator: it answers with an episode whose graph is isomorphic to the one asked
 * for, or with none. No member throws for what is wrong with a file or a disk.
 */
class EpisodeStore
{
  public:
    virtual ~EpisodeStore() = default;

    /** \param end an episode of the other end is not an answer */
    virtual std::optional<EpisodeHit> Find(const ConflictGraph& graph, EpisodeEnd end) = 0;

    /** Remembers \p episode, whose flows are in the order of those of \p graph. An episode that is
     * there for an isomorphic graph and the same end stays. \return whether it is new */
    virtual bool Insert(const ConflictGraph& graph, const Episode& episode) = 0;

    /** The rates of the converged episode for \p graph held for \p verified: raises
     * Episode::verified to it, if it is less. */
    virtual void Confirm(const ConflictGraph& graph, Duration verified) = 0;

    virtual EpisodeStoreStatistics Statistics() const = 0;
};

} // namespace wormhole

#endif // WORMHOLE_EPISODE_STORE_H
