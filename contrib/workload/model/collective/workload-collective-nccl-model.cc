/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-collective-protocol.h"
#include "workload-collective-tuning.h"

#include <algorithm>
#include <array>

namespace ns3
{

namespace
{

using Algorithm = WorkloadCollectiveAlgorithm;
using Kind = WorkloadCollectiveKind;
using Protocol = WorkloadProtocol;

/** By LL, LL128, Simple. */
using ByProtocol = std::array<double, 3>;
/** By Volta, Ampere, Hopper, and 1, 2 or more servers. */
using ByGpu = std::array<std::array<double, 3>, 3>;

// The numbers of NCCL 2.20.5's src/graph/tuning.cc: microseconds and GB/s.
constexpr ByProtocol TREE_BASE_US{6.8, 14.0, 0};
constexpr ByProtocol RING_BASE_US{6.6, 14.0, 8.4};
constexpr ByProtocol TREE_NVLINK_US{0.6, 1.25, 28};
constexpr ByProtocol RING_NVLINK_US{0.6, 1.9, 3.4};
constexpr ByProtocol TREE_NETWORK_US{5.0, 8.5, 28};
constexpr ByProtocol RING_NETWORK_US{2.7, 4.0, 14.0};
constexpr ByGpu LL_GBPS{{{39.0, 39.0, 20.4}, {87.7, 22.5, 19.0}, {87.7, 22.5, 19.0}}};
constexpr ByGpu RING_LL128_GBPS{{{20.0, 20.0, 20.0}, {20.0, 20.0, 20.0}, {36.7, 36.7, 36.7}}};
constexpr ByGpu TREE_LL128_GBPS{{{20.0, 20.0, 20.0}, {20.0, 20.0, 20.0}, {36.7, 36.7, 29.0}}};
constexpr ByGpu TREE_GBPS{{{26.5, 18.5, 10.0}, {24.0, 23.6, 17.8}, {38.7, 41.4, 36.0}}};

/** What a tree keeps of its bandwidth, by protocol and by log2 of the bytes / 64. */
constexpr std::array<std::array<double, 23>, 3> TREE_CORRECTION{
    {{1.0, 1.0, 1.0, 1.0, 0.9, 0.8, 0.7, 0.7, 0.7, 0.7, 0.6, 0.5,
      0.4, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.0, 1.0, 1.0},
     {1.0, 1.0, 1.0, 1.0, 1.0, 0.9, 0.8, 0.8, 0.8, 0.7, 0.6, 0.6,
      0.6, 0.6, 0.6, 0.6, 0.8, 0.9, 0.9, 0.9, 0.9, 1.0, 1.0},
     {0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.8, 0.7, 0.6, 0.6, 0.5,
      0.5, 0.5, 0.5, 0.6, 0.7, 0.8, 0.7, 0.7, 0.8, 0.9, 0.9}}};

/** \return the protocol's place in a table */
size_t
Row(Protocol protocol)
{
    return protocol == Protocol::LL ? 0 : protocol == Protocol::LL128 ? 1 : 2;
}

/** \return steps of the ring, one after the other */
double
RingSteps(Kind kind, uint32_t members)
{
    switch (kind)
    {
    case Kind::ALL_REDUCE:
        return 2.0 * (members - 1);
    case Kind::ALL_GATHER:
    case Kind::REDUCE_SCATTER:
        return members - 1;
    default:
        return members;
    }
}

/** \return as many of them as lead to another server */
double
RingStepsBetweenServers(Kind kind, uint32_t servers)
{
    if (kind == Kind::ALL_REDUCE)
    {
        return servers > 1 ? 2.0 * servers : 0;
    }
    return kind == Kind::BROADCAST || kind == Kind::REDUCE ? servers : servers - 1;
}

/** \return GB/s of the data that a member contributes or gets */
double
Bandwidth(const WorkloadNcclCase& what,
          Algorithm algorithm,
          Protocol protocol,
          const WorkloadNcclTuning& tuning)
{
    const double perServer = static_cast<double>(what.members) / what.servers;
    const size_t gpu = static_cast<size_t>(tuning.gpu);
    const size_t servers = std::min<size_t>(what.servers, 3) - 1;
    const double llMost = LL_GBPS[what.servers == 1 ? gpu : tuning.amdCpu ? 1 : 0][servers];
    const double channels = tuning.channels;
    const bool one = what.servers == 1;
    double bus = one ? tuning.serverGBps : std::min(tuning.serverGBps, tuning.nicGBps * perServer);
    if (algorithm == Algorithm::RING)
    {
        if (protocol == Protocol::LL)
        {
            const bool quarter = !one || what.kind == Kind::ALL_REDUCE || what.kind == Kind::REDUCE;
            bus = std::min(llMost, bus / (quarter ? 4 : 3));
        }
        else if (protocol == Protocol::LL128)
        {
            bus = std::min(bus * (perServer < 2 ? 0.7 : 0.92),
                           channels * RING_LL128_GBPS[gpu][servers]);
        }
        return bus * what.members / RingSteps(what.kind, what.members);
    }
    bus = std::min(bus * 0.92, channels * TREE_GBPS[gpu][servers]);
    if (protocol == Protocol::LL)
    {
        bus = std::min(bus / 3.8, llMost);
    }
    else if (protocol == Protocol::LL128)
    {
        bus =
            std::min(bus * (one ? 7.0 / 9 : 120.0 / 128), channels * TREE_LL128_GBPS[gpu][servers]);
    }
    if (perServer < 2) // one GPU receives from both children: NCCL's plain tree pattern
    {
        bus *= 0.85;
    }
    const uint32_t size = WorkloadFloorLog2(what.bytes / 64);
    const auto& correction = TREE_CORRECTION[Row(protocol)];
    return bus / 2 * (size < correction.size() ? correction[size] : 1);
}

/** \return microseconds of an empty collective */
double
Latency(const WorkloadNcclCase& what,
        Algorithm algorithm,
        Protocol protocol,
        const WorkloadNcclTuning& tuning)
{
    const size_t row = Row(protocol);
    const bool one = what.servers == 1;
    if (algorithm != Algorithm::RING)
    {
        const uint32_t local = what.members / what.servers - 1;
        return TREE_BASE_US[row] + 2 * (local * TREE_NVLINK_US[row] +
                                        WorkloadFloorLog2(what.servers) * TREE_NETWORK_US[row]);
    }
    const double steps = RingSteps(what.kind, what.members);
    if (what.kind == Kind::BROADCAST || what.kind == Kind::REDUCE)
    {
        return RING_BASE_US[row] + (one ? RING_NVLINK_US : RING_NETWORK_US)[row];
    }
    double local = RING_NVLINK_US[row];
    if (!one) // the network's overhead: at each step, three times with Simple
    {
        const double overhead = tuning.amdCpu ? 2 : 1;
        local = std::max(local, protocol == Protocol::SIMPLE ? 3 * overhead : overhead);
    }
    const double between = RingStepsBetweenServers(what.kind, what.servers);
    double latency = RING_BASE_US[row] + (steps - between) * local + between * RING_NETWORK_US[row];
    const bool plateau = protocol == Protocol::SIMPLE && !one && what.kind == Kind::ALL_REDUCE &&
                         what.bytes / (uint64_t{tuning.channels} * what.members) >= 64;
    if (plateau)
    {
        latency *= tuning.gpu == WorkloadGpuGeneration::VOLTA ? 1.9 : 1.4;
    }
    return latency;
}

} // namespace

uint32_t
WorkloadFloorLog2(uint64_t value)
{
    uint32_t log = 0;
    while (value > 1)
    {
        value >>= 1;
        ++log;
    }
    return log;
}

double
EstimateWorkloadNcclUs(const WorkloadNcclCase& what,
                       WorkloadCollectiveAlgorithm algorithm,
                       WorkloadProtocol protocol,
                       const WorkloadNcclTuning& tuning)
{
    constexpr double BYTES_PER_US = 1000; // of 1 GB/s
    const bool tree = algorithm == Algorithm::TREE || algorithm == Algorithm::DOUBLE_BINARY_TREE;
    const bool possible = algorithm == Algorithm::RING || (tree && what.kind == Kind::ALL_REDUCE);
    if (!possible || what.members < 2 || IsWorkloadPointToPoint(what.kind) ||
        (protocol == Protocol::LL128 && !tuning.ll128))
    {
        return -1;
    }
    return Latency(what, algorithm, protocol, tuning) +
           static_cast<double>(what.bytes) /
               (BYTES_PER_US * Bandwidth(what, algorithm, protocol, tuning));
}

} // namespace ns3
