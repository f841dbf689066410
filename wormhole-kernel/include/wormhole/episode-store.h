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

/** What a store keeps in memory. What exceeds a limit goes, least recently used first. */
struct EpisodeMemoryLimits
{
    std::uint64_t episodes{100'000}; //!< > 0
    /** Encoded; decoded they take up several times as much. > 0 */
    std::uint64_t bytes{std::uint64_t{64} << 20};
    /** That one comparison of two graphs may take (FindIsomorphism); > 0 */
    std::uint64_t comparisonWork{1'000'000};
};

/** An episode that was found, and which of its flows is which. */
struct EpisodeHit
{
    std::shared_ptr<const Episode> episode;
    std::vector<std::uint32_t>
        flows; //!< for each flow of the graph asked for, its index in Episode::flows
};

/** \return whether flows that have \p left bytes left, in the order of the graph asked for, can be
 * taken through \p episode: those that it completes have exactly its bytes left, the others more
 *  \param flows as in EpisodeHit */
bool Suffice(const std::vector<Bytes>& left,
             const Episode& episode,
             const std::vector<std::uint32_t>& flows);

/** What a store has been asked, and what it answered. */
struct EpisodeStoreStatistics
{
    std::uint64_t lookups{0};
    std::uint64_t hits{0};
    std::uint64_t collisions{0}; //!< same signature, but not isomorphic
    std::uint64_t gaveUp{0};     //!< same signature, but the isomorphism was too much work
    std::uint64_t inserted{0};
    std::uint64_t evicted{0};       //!< forgotten to keep to a limit; from memory and from the file
    std::uint64_t episodes{0};      //!< now in reach
    std::uint64_t bytes{0};         //!< that these take up, encoded
    std::uint64_t fileReads{0};     //!< lookups that had to ask the file
    std::uint64_t readsSaved{0};    //!< misses known without asking the file, which had not changed
    std::uint64_t damaged{0};       //!< stored episodes that were passed over, being damaged
    std::uint64_t writeFailures{0}; //!< changes that the file did not take
};

/**
 * \brief Episodes by the conflict graph that they started from.
 *
 * Only ever an accelerator: it answers with an episode whose graph is isomorphic to the one asked
 * for, or with none; a signature that agrees is not enough. No member throws for what is wrong with
 * a file or a disk.
 *
 * Cost of a lookup: that of the graph's signature, if it was not asked for before, and of one
 * FindIsomorphism per candidate with that signature, nearly always one.
 *
 * Thread safety: one store per thread; distinct stores, also on the same file, may be used at once.
 *
 * (Wormhole, NSDI 2026, section 5: the simulation database.)
 */
class EpisodeStore
{
  public:
    /** Episodes that are kept for one graph and end. */
    static constexpr std::uint32_t VARIANTS = 4;

    virtual ~EpisodeStore() = default;

    /** \param graph the partition as it is now
     *  \param end an episode of the other end is not an answer
     *  \param left bytes that each flow has left; empty: enough for any episode
     *  \return nullopt if none is known, or it takes too much work to tell; one for which \p left
     *  does not suffice only if there is no other */
    virtual std::optional<EpisodeHit> Find(const ConflictGraph& graph,
                                           EpisodeEnd end,
                                           const std::vector<Bytes>& left = {}) = 0;

    /** Remembers \p episode, whose flows are in the order of those of \p graph. An episode that is
     * there for an isomorphic graph and the same end stays. Where that one needs flows with more
     * bytes left, both are kept, and up to #VARIANTS in all.
     *  \return whether it is new and kept: not if it exceeds a limit alone, or if it takes too much
     * work to tell whether it is new
     *  \throws UsageError if the episode does not have the flows of the graph, or a port of none of
     * them, or its end is none of EpisodeEnd */
    virtual bool Insert(const ConflictGraph& graph, const Episode& episode) = 0;

    /** The rates at the end of converged episodes for \p graph held for \p verified: raises
     * Episode::verified to it, if it is less. Hits that were given out stay as they are. */
    virtual void Confirm(const ConflictGraph& graph, Duration verified) = 0;

    /** Cost: O(episodes in memory). */
    virtual EpisodeStoreStatistics Statistics() const = 0;
};

} // namespace wormhole

#endif // WORMHOLE_EPISODE_STORE_H
