/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_MPI_FORMAT_H
#define WORKLOAD_MPI_FORMAT_H

#include <cstdint>

namespace ns3
{

// Traces of MPI programs, one file per rank: docs/reference/mpi-trace-format.md describes them.
// libwormhole-trace.so includes this file, so it needs nothing else of ours.

/** \ingroup workload First eight bytes of a trace; the last one is the version. */
constexpr char WORKLOAD_MPI_MAGIC[] = "WHMPI\0\0\1";

/** \ingroup workload Bytes of the head. */
constexpr uint32_t WORKLOAD_MPI_HEAD = 48;

/** \ingroup workload Where the head says how many bytes at the file's end hold nothing: some do as
 * long as the program runs, and if it was killed. */
constexpr uint32_t WORKLOAD_MPI_UNUSED_AT = 44;

/** \ingroup workload Numbers of the communicators that every rank has. */
constexpr uint32_t WORKLOAD_MPI_WORLD = 0;
constexpr uint32_t WORKLOAD_MPI_SELF = 1;

/** \ingroup workload What a record holds. */
enum class WorkloadMpiKind : uint8_t
{
    END,          ///< the program reached MPI_Finalize
    COMMUNICATOR, ///< a communicator was made
    SEND,
    RECV,
    COMPLETE, ///< requests are over
    COLLECTIVE,
    NEIGHBORS,   ///< a collective over the neighbors of a topology
    UNSUPPORTED, ///< the program did what a trace cannot hold
};

/** \ingroup workload How a request ended. */
enum class WorkloadMpiEnd : uint8_t
{
    DONE,     ///< a send or a collective
    RECEIVED, ///< a receive; source, tag and bytes follow
    CANCELLED,
    FREED, ///< by MPI_Request_free
};

/** \ingroup workload Bits of a receive that say what was left open. */
constexpr uint8_t WORKLOAD_MPI_ANY_SOURCE = 1;
constexpr uint8_t WORKLOAD_MPI_ANY_TAG = 2;

/** \ingroup workload Bit of a collective whose operation is not commutative. */
constexpr uint8_t WORKLOAD_MPI_IN_ORDER = 1;

/** \ingroup workload Bit of a communicator of two groups. */
constexpr uint8_t WORKLOAD_MPI_INTER = 1;

// The functions of MPI, in the order of their numbers in a trace: new ones go to the end.
// (clang-format would move these at each run.)
// clang-format off
#define WORKLOAD_MPI_CALLS(X) \
    X(Finalize) X(Send) X(Bsend) X(Ssend) X(Rsend) X(Isend) X(Ibsend) X(Issend) X(Irsend) X(Recv) \
    X(Irecv) X(Mrecv) X(Imrecv) X(Sendrecv) X(Sendrecv_replace) X(Start) X(Startall) X(Wait) \
    X(Waitall) X(Waitany) X(Waitsome) X(Test) X(Testall) X(Testany) X(Testsome) X(Request_free) \
    X(Comm_dup) X(Comm_dup_with_info) X(Comm_idup) X(Comm_create) X(Comm_create_group) \
    X(Comm_split) X(Comm_split_type) X(Cart_create) X(Cart_sub) X(Graph_create) \
    X(Dist_graph_create) X(Dist_graph_create_adjacent) X(Intercomm_create) X(Intercomm_merge) \
    X(Barrier) X(Bcast) X(Reduce) X(Allreduce) X(Gather) X(Gatherv) X(Scatter) X(Scatterv) \
    X(Allgather) X(Allgatherv) X(Alltoall) X(Alltoallv) X(Alltoallw) X(Reduce_scatter) \
    X(Reduce_scatter_block) X(Scan) X(Exscan) X(Ibarrier) X(Ibcast) X(Ireduce) X(Iallreduce) \
    X(Igather) X(Igatherv) X(Iscatter) X(Iscatterv) X(Iallgather) X(Iallgatherv) X(Ialltoall) \
    X(Ialltoallv) X(Ialltoallw) X(Ireduce_scatter) X(Ireduce_scatter_block) X(Iscan) X(Iexscan) \
    X(Neighbor_allgather) X(Neighbor_allgatherv) X(Neighbor_alltoall) X(Neighbor_alltoallv) \
    X(Neighbor_alltoallw) X(Ineighbor_allgather) X(Ineighbor_allgatherv) X(Ineighbor_alltoall) \
    X(Ineighbor_alltoallv) X(Ineighbor_alltoallw) X(Win_create) X(Win_allocate) \
    X(Win_allocate_shared) X(Win_create_dynamic) X(Comm_spawn) X(Comm_spawn_multiple) \
    X(Comm_accept) X(Comm_connect) X(Comm_join) X(Comm_get_parent) X(Init_thread) X(Probe) X(Bsend_init) \
    X(Ssend_init)
// clang-format on

/** \ingroup workload The functions of MPI that a trace names. */
enum class WorkloadMpiCall : uint8_t
{
#define WORKLOAD_MPI_CALL(name) name,
    WORKLOAD_MPI_CALLS(WORKLOAD_MPI_CALL)
#undef WORKLOAD_MPI_CALL
    COUNT
};

/** \ingroup workload \return the function's name, without `MPI_` */
inline const char*
WorkloadMpiCallName(WorkloadMpiCall call)
{
    constexpr const char* NAMES[] = {
#define WORKLOAD_MPI_CALL(name) #name,
        WORKLOAD_MPI_CALLS(WORKLOAD_MPI_CALL)
#undef WORKLOAD_MPI_CALL
    };
    return NAMES[static_cast<uint8_t>(call)];
}

} // namespace ns3

#endif // WORKLOAD_MPI_FORMAT_H
