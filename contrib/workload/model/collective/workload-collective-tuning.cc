/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-collective-tuning.h"

#include "workload-collective-protocol.h"

#include <algorithm>
#include <array>

namespace ns3
{

namespace
{

using Algorithm = WorkloadCollectiveAlgorithm;
using Kind = WorkloadCollectiveKind;
using Protocol = WorkloadProtocol;

constexpr std::array<Protocol, 3> PROTOCOLS{Protocol::LL, Protocol::LL128, Protocol::SIMPLE};

/** \return threads of a channel that move data */
uint32_t
MostThreads(Protocol protocol)
{
    return protocol == Protocol::LL128 ? 640 : 512;
}

/** \return bytes per thread below which NCCL takes fewer */
uint64_t
BytesPerThread(const WorkloadNcclCase& what, Algorithm algorithm, Protocol protocol)
{
    if (protocol == Protocol::SIMPLE)
    {
        return 64;
    }
    return protocol == Protocol::LL && algorithm == Algorithm::RING ? uint64_t{8} * what.members
                                                                    : 8;
}

/** \return algorithms that a collective leaves open */
std::vector<Algorithm>
OpenAlgorithms(const WorkloadCollective& collective)
{
    if (collective.algorithm != Algorithm::AUTO)
    {
        return {collective.algorithm};
    }
    if (collective.kind == Kind::ALL_REDUCE)
    {
        return {Algorithm::DOUBLE_BINARY_TREE, Algorithm::RING};
    }
    return {Algorithm::RING};
}

std::vector<Protocol>
OpenProtocols(const WorkloadCollective& collective)
{
    if (collective.protocol != Protocol::AUTO)
    {
        return {collective.protocol};
    }
    return {PROTOCOLS.begin(), PROTOCOLS.end()};
}

void
TunePointToPoint(WorkloadCollective& collective, uint32_t members)
{
    constexpr uint64_t MAX_LL_BYTES = 16384; // NCCL_P2P_LL_THRESHOLD
    const bool all = collective.kind == Kind::ALL_TO_ALL;
    if (collective.algorithm == Algorithm::AUTO)
    {
        collective.algorithm = all ? Algorithm::DIRECT : Algorithm::RING;
    }
    if (collective.protocol == Protocol::AUTO)
    {
        const uint64_t bytes = all ? collective.bytes / members : collective.bytes;
        collective.protocol = bytes <= MAX_LL_BYTES ? Protocol::LL : Protocol::SIMPLE;
    }
}

} // namespace

uint32_t
WorkloadNcclChannels(const WorkloadNcclCase& what,
                     WorkloadCollectiveAlgorithm algorithm,
                     WorkloadProtocol protocol,
                     const WorkloadNcclTuning& tuning)
{
    if (IsWorkloadPointToPoint(what.kind))
    {
        return 1;
    }
    const uint64_t each =
        MostThreads(protocol) * BytesPerThread(what, algorithm, protocol); // per channel
    uint32_t channels = tuning.channels;
    while (channels >= 2 && what.bytes < channels * each)
    {
        --channels;
    }
    return channels;
}

uint32_t
WorkloadNcclThreads(const WorkloadNcclCase& what,
                    WorkloadCollectiveAlgorithm algorithm,
                    WorkloadProtocol protocol,
                    uint32_t channels)
{
    constexpr uint32_t WARP = 32;
    const uint64_t each = BytesPerThread(what, algorithm, protocol);
    uint32_t threads = MostThreads(protocol);
    while (what.bytes < channels * each * threads && threads % 128 == 0)
    {
        threads /= 2;
    }
    if (protocol == Protocol::SIMPLE)
    {
        threads += algorithm == Algorithm::RING ? WARP : 4 * WARP;
    }
    return std::max(threads, 3 * WARP);
}

void
TuneWorkloadCollective(WorkloadCollective& collective, uint32_t members, uint32_t servers)
{
    if (IsWorkloadPointToPoint(collective.kind))
    {
        TunePointToPoint(collective, members);
    }
    const WorkloadNcclCase what{collective.kind, collective.bytes, members, servers};
    double min = -1;
    WorkloadCollective best = collective;
    for (const Algorithm algorithm : OpenAlgorithms(collective))
    {
        for (const Protocol protocol : OpenProtocols(collective))
        {
            const double us = EstimateWorkloadNcclUs(what, algorithm, protocol, collective.tuning);
            if (us >= 0 && (min < 0 || us < min))
            {
                min = us;
                best.algorithm = algorithm;
                best.protocol = protocol;
            }
        }
    }
    collective = best;
    if (min < 0) // what NCCL does not have, or one member
    {
        collective.algorithm = OpenAlgorithms(collective).back();
        collective.protocol = OpenProtocols(collective).back();
    }
    if (collective.channels == 0)
    {
        collective.channels = WorkloadNcclChannels(what,
                                                   collective.algorithm,
                                                   collective.protocol,
                                                   collective.tuning);
    }
}

} // namespace ns3
