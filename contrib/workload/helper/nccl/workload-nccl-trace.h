/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_NCCL_TRACE_H
#define WORKLOAD_NCCL_TRACE_H

#include "ns3/workload-collective.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup workload What a call of NCCL does. */
enum class WorkloadNcclOperation : uint8_t
{
    ALL_REDUCE,
    ALL_GATHER,
    REDUCE_SCATTER,
    BROADCAST,
    REDUCE,
    ALL_TO_ALL,
    SEND,
    RECV
};

/** \ingroup workload How many operations there are. */
constexpr size_t WORKLOAD_NCCL_OPERATIONS = 8;

/** \ingroup workload \return its name: "all-reduce" and so on */
const char* WorkloadNcclOperationName(WorkloadNcclOperation operation);

/** \ingroup workload A call of NCCL by one GPU. */
struct WorkloadNcclCall
{
    /** Of the vector; of an all-gather the result, of a reduce-scatter the input, of an all-to-all
     * what a rank sends with its own part; of a send or receive the message. */
    uint64_t bytes{0};
    uint32_t communicator{0}; ///< index
    uint32_t peer{0};         ///< rank in the communicator: a root, or the other end of a message
    WorkloadNcclOperation operation{WorkloadNcclOperation::ALL_REDUCE};
};

/** \ingroup workload A kernel of NCCL: what carries out one call, or a group of them. */
struct WorkloadNcclKernel
{
    /** Most blocks and threads that are plausible: NCCL has 64 channels, CUDA's blocks 1024
     * threads; more is a damaged trace. */
    static constexpr uint32_t MOST_BLOCKS = 1024;
    static constexpr uint32_t MOST_THREADS = 1024;

    uint64_t startNs{0}; ///< on the GPU's own clock
    uint64_t endNs{0};
    uint32_t firstCall{0}; ///< index into the GPU's calls
    uint32_t calls{0};
    uint32_t stream{0};   ///< index into the GPU's streams
    uint32_t channels{0}; ///< its blocks; 0 if not known
    uint32_t threads{0};  ///< of a block; 0 if not known
    /** As far as its name says it: see WorkloadNcclAlgorithmOf(). */
    WorkloadCollectiveAlgorithm algorithm{WorkloadCollectiveAlgorithm::AUTO};
};

/** \ingroup workload What one GPU did. */
struct WorkloadNcclGpu
{
    std::string name;                        ///< for messages: its file, and which GPU of it
    uint64_t startNs{0};                     ///< when its first kernel of any kind started
    uint64_t endNs{0};                       ///< when its last one ended
    std::vector<uint64_t> streams;           ///< their numbers in the trace
    std::vector<WorkloadNcclKernel> kernels; ///< in the order of their starts
    std::vector<WorkloadNcclCall> calls;     ///< of the kernels, one after the other
};

/** \ingroup workload A communicator. */
struct WorkloadNcclCommunicator
{
    std::string name;              ///< as the trace calls it
    std::vector<uint32_t> members; ///< GPUs, by their rank in it
};

/**
 * \ingroup workload
 * \brief What the GPUs of a program did with NCCL: the first of ATLAHS's stages, the same for all
 * kinds of traces.
 *
 * Each GPU has a clock of its own: times of two GPUs are never compared.
 */
struct WorkloadNcclTrace
{
    std::vector<WorkloadNcclGpu> gpus; ///< by rank
    std::vector<WorkloadNcclCommunicator> communicators;
    std::vector<std::string> warnings;
};

/**
 * \ingroup workload
 * \param name of a kernel
 * \return whether it is one of NCCL or RCCL that communicates
 */
bool IsWorkloadNcclKernel(const std::string& name);

/**
 * \ingroup workload
 *
 * NCCL compiles one kernel for several algorithms and protocols (best_kernel() in its
 * src/device/generate.py): all names say LL whatever the protocol is, and RING stands for all but
 * trees. So this is all that a name says.
 * \param name of a kernel of NCCL
 * \return DOUBLE_BINARY_TREE, RING, or AUTO if it does not say
 */
WorkloadCollectiveAlgorithm WorkloadNcclAlgorithmOf(const std::string& name);

/**
 * \ingroup workload
 *
 * Puts the kernels into the order of their starts, and numbers their streams.
 * \param gpu whose kernels have the streams' numbers in the trace instead of indices
 */
void OrderWorkloadNcclKernels(WorkloadNcclGpu& gpu);

} // namespace ns3

#endif // WORKLOAD_NCCL_TRACE_H
