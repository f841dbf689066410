/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_EPISODE_SAMPLES_H
#define WORMHOLE_EPISODE_SAMPLES_H

#include "wormhole/conflict-graph.h"
#include "wormhole/episode.h"

#include <cstdint>
#include <random>
#include <string>

namespace wormhole::test
{

/** Random numbers that are the same with every standard library. */
class Dice
{
  public:
    explicit Dice(std::uint64_t seed)
        : m_generator(seed)
    {
    }

    /** \return 0 to \p sides - 1 */
    std::uint64_t operator()(std::uint64_t sides)
    {
        return m_generator() % sides;
    }

    std::uint64_t Word()
    {
        return m_generator();
    }

    /** Small or large, each bit length alike. */
    std::uint64_t Any()
    {
        return m_generator() >> (*this)(64);
    }

    std::string Text(std::size_t size)
    {
        std::string text(size, '\0');
        for (char& byte : text)
        {
            byte = static_cast<char>((*this)(256));
        }
        return text;
    }

  private:
    std::mt19937_64 m_generator;
};

/** \p flows flows through one port, told from others by \p kind. \param rotation numbers them
 * differently: flow i has the attributes of flow i + rotation of the unrotated one. */
ConflictGraph Incast(std::uint64_t kind, std::uint32_t flows = 3, std::uint32_t rotation = 0);

/** A graph with the signature of EqualTwin(false), to which it is not isomorphic: one ring of six
 * flows that share ports, or two rings of three. */
ConflictGraph EqualTwin(bool other);

/** Of \p kind, for \p flows flows; all of it follows from \p kind. */
Episode EpisodeOf(std::uint64_t kind,
                  std::uint32_t flows = 3,
                  EpisodeEnd end = EpisodeEnd::Converged);

/** Any valid one, with blobs that are equal, alike, or random. */
Episode RandomEpisode(Dice& dice);
ConflictGraph RandomGraph(Dice& dice);

bool SameEpisode(const Episode& a, const Episode& b);
bool SameGraph(const ConflictGraph& a, const ConflictGraph& b);

} // namespace wormhole::test

#endif // WORMHOLE_EPISODE_SAMPLES_H
