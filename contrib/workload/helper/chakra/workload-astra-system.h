/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_ASTRA_SYSTEM_H
#define WORKLOAD_ASTRA_SYSTEM_H

#include "workload-chakra-trace.h"

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup workload How a collective runs in a dimension of the logical topology. */
enum class WorkloadAstraAlgorithm : uint8_t
{
    RING,
    DIRECT, ///< everyone sends to everyone
    HALVING_DOUBLING,
    DOUBLE_BINARY_TREE ///< chunks take two trees in turn; all-reduce only
};

/** \ingroup workload An algorithm and its settings: `ring`, `direct4`, `oneRing`... */
struct WorkloadAstraImplementation
{
    WorkloadAstraAlgorithm algorithm{WorkloadAstraAlgorithm::RING};
    bool one{false};    ///< treats all dimensions as one
    uint32_t window{0}; ///< messages in flight per rank (DIRECT); 0 for all
};

/**
 * \ingroup workload
 * \brief The settings of ASTRA-sim's system layer, with its defaults.
 *
 * Its scheduling policy (LIFO, FIFO, EXPLICIT) is missing: it chooses among collectives that a rank
 * has under way, and there is never more than one.
 */
struct WorkloadAstraSystem
{
    /** All-reduce over several dimensions: reduce-scatter up to the last but one, all-reduce in the
     * last, all-gather back. Otherwise an all-reduce of everything in each. */
    bool localBandwidthAware{false};

    int64_t endpointDelayNs{10}; ///< before a message is sent, and after it is received
    uint32_t activeChunks{1};    ///< chunks that run at once in a dimension
    uint64_t splits{1};          ///< chunks that a collective is divided into
    double localMemGBps{0};      ///< GB/s (1e9); 0: local reductions take no time
    double peakTflops{0};        ///< of a GPU, for the roofline
    bool roofline{false};   ///< computations take what the roofline says, not what was measured
    bool replayOnly{false}; ///< every node takes what was measured; nothing uses the network

    /** Per dimension; empty: ring in each. */
    std::vector<WorkloadAstraImplementation> allReduce;
    std::vector<WorkloadAstraImplementation> allGather;     ///< per dimension; empty: ring in each
    std::vector<WorkloadAstraImplementation> reduceScatter; ///< per dimension; empty: ring in each
    std::vector<WorkloadAstraImplementation> allToAll;      ///< per dimension; empty: ring in each

    /** \return the implementations of a collective, one per dimension unless empty */
    const std::vector<WorkloadAstraImplementation>& Of(WorkloadChakraCollective collective) const;
};

/**
 * \ingroup workload
 *
 * Reads ASTRA-sim's system configuration. Settings that are not supported are errors unless they
 * are switched off.
 * \param in the file, JSON
 * \param name stands for the file in messages
 * \throws InputError
 */
WorkloadAstraSystem ReadWorkloadAstraSystem(std::istream& in, const std::string& name);

/** \ingroup workload As above. \param file its path */
WorkloadAstraSystem ReadWorkloadAstraSystem(const std::string& file);

} // namespace ns3

#endif // WORKLOAD_ASTRA_SYSTEM_H
