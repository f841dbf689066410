/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_MPI_GOAL_H
#define WORKLOAD_MPI_GOAL_H

#include "workload-mpi-format.h"

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup workload Whose choice of algorithms collectives have. */
enum class WorkloadMpiLibrary : uint8_t
{
    OPEN_MPI,     ///< 4.1 and 5.0
    OPEN_MPI_4_0, ///< 1.8 to 4.0
    MPICH
};

/** \ingroup workload What to make of traces of an MPI program. */
struct WorkloadMpiOptions
{
    double scale{1};          ///< computations take so many times as long as they did
    bool ignoreClocks{false}; ///< all ranks start at once, whatever their clocks say
    WorkloadMpiLibrary library{WorkloadMpiLibrary::OPEN_MPI};
    uint64_t eagerBytes{
        65536}; ///< largest message whose standard send does not wait for its receive
};

/** \ingroup workload What a function of MPI did, in all ranks. */
struct WorkloadMpiCount
{
    uint64_t calls{0};
    uint64_t messages{0}; ///< sent
    uint64_t bytes{0};    ///< sent
};

/** \ingroup workload What a conversion went through. */
struct WorkloadMpiConversion
{
    uint32_t ranks{0};
    uint64_t operations{0};
    uint64_t dependencies{0};
    uint64_t tookNs{0};          ///< the program, from MPI_Init to MPI_Finalize
    uint64_t synchronous{0};     ///< sends that wait for their receive, whatever their size
    uint64_t leastSynchronous{}; ///< bytes of the smallest of them
    std::map<WorkloadMpiCall, WorkloadMpiCount> calls;
    std::vector<std::string> warnings;
};

/**
 * \ingroup workload
 * \param folder with the traces rank-0.mpitrace, rank-1.mpitrace... of one run
 * \return their files, by rank
 * \throws InputError if some are missing, of several runs, or of clocks that are apart
 */
std::vector<std::string> FindWorkloadMpiTraces(const std::string& folder,
                                               const WorkloadMpiOptions& options);

/**
 * \ingroup workload
 *
 * Writes traces of an MPI program as GOAL. Memory holds what the traces' calls leave open, whatever
 * their number; for the binary form, one rank's operations.
 * \param files of all ranks, as FindWorkloadMpiTraces() gives them
 * \param out must be able to seek if \p binary
 * \param binary what to write
 * \throws InputError for what is wrong in a trace
 */
WorkloadMpiConversion ConvertWorkloadMpi(const std::vector<std::string>& files,
                                         const WorkloadMpiOptions& options,
                                         std::ostream& out,
                                         bool binary);

} // namespace ns3

#endif // WORKLOAD_MPI_GOAL_H
