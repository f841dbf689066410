/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef MPI_TRACE_COLLECTIVE_BYTES_H
#define MPI_TRACE_COLLECTIVE_BYTES_H

#include <cstddef>
#include <cstdint>
#include <mpi.h>
#include <vector>

/**
 * \file
 * How many bytes collectives move, from their arguments; as traces have it, and live programs.
 */

namespace mpitrace
{

/** \return \p count elements of the type, bytes */
inline uint64_t
Bytes(uint64_t count, MPI_Datatype type)
{
    MPI_Count size = 0;
    PMPI_Type_size_x(type, &size);
    return count * static_cast<uint64_t>(size);
}

/** What counts and types say, for one rank after the other. */
struct Counts
{
    const int* counts;
    MPI_Datatype type;                  //!< of all
    const MPI_Datatype* types{nullptr}; //!< of each, if given

    uint64_t operator[](size_t i) const
    {
        return Bytes(static_cast<uint64_t>(counts[i]), types ? types[i] : type);
    }
};

/** What a collective moves, as the trace has it. */
struct Collective
{
    int root{0};
    uint64_t bytes{0};   //!< of the buffer, or of a block of it
    uint64_t element{1}; //!< bytes of an element, of a reduction or a broadcast
    bool commutative{true};
    std::vector<uint64_t> sends;    //!< by rank: bytes, where they differ
    std::vector<uint64_t> receives; //!< the same
};

inline size_t
SizeOf(MPI_Comm comm)
{
    int size = 0;
    int inter = 0;
    PMPI_Comm_test_inter(comm, &inter);
    inter ? PMPI_Comm_remote_size(comm, &size) : PMPI_Comm_size(comm, &size);
    return static_cast<size_t>(size);
}

inline bool
IsRoot(int root, MPI_Comm comm)
{
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return rank == root;
}

inline std::vector<uint64_t>
ListOf(const Counts& counts, MPI_Comm comm)
{
    std::vector<uint64_t> list(SizeOf(comm));
    for (size_t i = 0; i < list.size(); ++i)
    {
        list[i] = counts[i];
    }
    return list;
}

inline Collective
Rooted(int count, MPI_Datatype type, int root)
{
    return {root, Bytes(static_cast<uint64_t>(count), type), Bytes(1, type), true, {}, {}};
}

inline Collective
Reduction(int count, MPI_Datatype type, MPI_Op op, int root)
{
    int commutative = 1;
    PMPI_Op_commutative(op, &commutative);
    return {root,
            Bytes(static_cast<uint64_t>(count), type),
            Bytes(1, type),
            commutative != 0,
            {},
            {}};
}

/** \return a block that the root names by its own count, the others by theirs */
inline Collective
Block(int root, MPI_Comm comm, const Counts& atRoot, const Counts& elsewhere)
{
    return {root, (IsRoot(root, comm) ? atRoot : elsewhere)[0], 1, true, {}, {}};
}

inline Collective
GatherV(int root, MPI_Comm comm, const void* sent, const Counts& own, const Counts& all)
{
    Collective what;
    what.root = root;
    const bool here = IsRoot(root, comm);
    if (here)
    {
        what.receives = ListOf(all, comm);
    }
    what.bytes = here && sent == MPI_IN_PLACE ? 0 : own[0];
    return what;
}

inline Collective
ScatterV(int root, MPI_Comm comm, const void* received, const Counts& all, const Counts& own)
{
    Collective what;
    what.root = root;
    const bool here = IsRoot(root, comm);
    if (here)
    {
        what.sends = ListOf(all, comm);
    }
    what.bytes = here && received == MPI_IN_PLACE ? 0 : own[0];
    return what;
}

inline Collective
AllGatherV(MPI_Comm comm, const Counts& all)
{
    Collective what;
    what.receives = ListOf(all, comm);
    return what;
}

inline Collective
ReduceScatter(const int* counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    Collective what = Reduction(0, type, op, 0);
    what.receives = ListOf({counts, type}, comm);
    return what;
}

inline Collective
AllToAllV(const void* sent, MPI_Comm comm, const Counts& sends, const Counts& receives)
{
    Collective what;
    what.receives = ListOf(receives, comm);
    what.sends = sent == MPI_IN_PLACE ? what.receives : ListOf(sends, comm);
    return what;
}

} // namespace mpitrace

#endif // MPI_TRACE_COLLECTIVE_BYTES_H
