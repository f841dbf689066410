/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_MEMORY_EPISODE_STORE_H
#define WORMHOLE_MEMORY_EPISODE_STORE_H

#include "wormhole/episode-store.h"

#include <memory>

namespace wormhole
{

/**
 * \brief Episodes that are forgotten with the object.
 *
 * Deterministic: what it answers depends on the calls alone. Cost and thread safety: see
 * EpisodeStore. Memory: a few times the encoded bytes that the limits allow.
 */
class MemoryEpisodeStore : public EpisodeStore
{
  public:
    /** \throws UsageError for a limit of 0 */
    explicit MemoryEpisodeStore(const EpisodeMemoryLimits& limits = {});
    ~MemoryEpisodeStore() override;
    MemoryEpisodeStore(const MemoryEpisodeStore&) = delete;
    MemoryEpisodeStore& operator=(const MemoryEpisodeStore&) = delete;

    std::optional<EpisodeHit> Find(const ConflictGraph& graph,
                                   EpisodeEnd end,
                                   const std::vector<Bytes>& left = {}) override;
    bool Insert(const ConflictGraph& graph, const Episode& episode) override;
    void Confirm(const ConflictGraph& graph, Duration verified) override;
    EpisodeStoreStatistics Statistics() const override;

  private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace wormhole

#endif // WORMHOLE_MEMORY_EPISODE_STORE_H
