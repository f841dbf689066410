/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-training-volume-adder.h"

#include "workload-training-sizes.h"

#include "ns3/rdma-arithmetic.h"

#include <algorithm>

namespace ns3
{

namespace
{

using Kind = WorkloadCollectiveKind;

/** \return the sum of f(size) over the sizes of \p bytes divided evenly into \p parts */
template <typename Function>
uint64_t
SumOverParts(uint64_t bytes, uint64_t parts, Function f)
{
    const uint64_t larger = bytes % parts; // parts with a byte more
    const uint64_t size = bytes / parts;
    return RdmaSum(larger == 0 ? 0 : RdmaProduct(larger, f(size + 1)),
                   RdmaProduct(parts - larger, f(size)));
}

/** A part is divided among the channels, and then into chunks; one that is empty is not sent. */
uint64_t
CountOwnedPieces(const WorkloadCollective& collective, uint64_t n)
{
    const uint64_t chunk = collective.chunkBytes == 0 ? UINT64_MAX : collective.chunkBytes;
    return SumOverParts(collective.bytes, n, [&](uint64_t part) {
        return SumOverParts(part, collective.channels, [chunk](uint64_t size) {
            return RdmaShare(size, chunk);
        });
    });
}

/** All-reduce: a channel's data is divided into rounds of a chunk per member; the last round
 * evenly.
 */
uint64_t
CountSplitPieces(const WorkloadCollective& collective, uint64_t n)
{
    const uint64_t chunk = collective.chunkBytes == 0 ? UINT64_MAX : collective.chunkBytes;
    const uint64_t round = std::max<uint64_t>(RdmaProduct(chunk, n), 1);
    return SumOverParts(collective.bytes, collective.channels, [n, chunk, round](uint64_t size) {
        const uint64_t rounds = size == 0 ? 0 : (size - 1) / round;
        return rounds * n + std::min(n, size - rounds * n * chunk);
    });
}

/** Messages of a collective of n members: each piece is sent as often as there are hops. */
uint64_t
CountMessages(const WorkloadCollective& collective, uint64_t n)
{
    return collective.kind == Kind::ALL_REDUCE
               ? RdmaProduct(2 * (n - 1), CountSplitPieces(collective, n))
               : RdmaProduct(n - 1, CountOwnedPieces(collective, n));
}

} // namespace

WorkloadTrainingVolumeAdder::WorkloadTrainingVolumeAdder(const WorkloadTraining& training,
                                                         const char* category)
    : m_training(training)
{
    m_volume.category = category;
}

void
WorkloadTrainingVolumeAdder::Add(Kind kind, uint64_t n, uint64_t bytes, uint64_t count)
{
    if (n < 2 || bytes == 0 || count == 0)
    {
        return;
    }
    const WorkloadCollective collective = MakeWorkloadTrainingCollective(m_training, kind, bytes);
    const uint64_t hops = kind == Kind::ALL_REDUCE ? 2 * (n - 1) : n - 1;
    m_volume.collectives = RdmaSum(m_volume.collectives, count);
    m_volume.bytes = RdmaSum(m_volume.bytes, RdmaProduct(hops, bytes, count));
    m_volume.messages =
        RdmaSum(m_volume.messages, RdmaProduct(CountMessages(collective, n), count));
    m_volume.messagesKnown =
        m_volume.messagesKnown && (collective.algorithm == WorkloadCollectiveAlgorithm::RING ||
                                   collective.algorithm == WorkloadCollectiveAlgorithm::DIRECT);
    m_vectors = RdmaSum(m_vectors, RdmaProduct(bytes, count));
}

void
WorkloadTrainingVolumeAdder::AddMessages(uint64_t bytes, uint64_t count)
{
    m_volume.collectives = RdmaSum(m_volume.collectives, count);
    m_volume.messages = RdmaSum(m_volume.messages, count);
    m_volume.bytes = RdmaSum(m_volume.bytes, RdmaProduct(bytes, count));
}

std::string
WorkloadTrainingVolumeAdder::GetVectors() const
{
    return std::to_string(m_vectors);
}

void
WorkloadTrainingVolumeAdder::ForgetMessages()
{
    m_volume.messages = 0;
    m_volume.messagesKnown = false;
}

void
WorkloadTrainingVolumeAdder::Finish(std::vector<WorkloadTrainingVolume>& volumes) const
{
    if (m_volume.collectives > 0)
    {
        volumes.push_back(m_volume);
    }
}

} // namespace ns3
