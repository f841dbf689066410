/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Which arguments the MPI library refuses: it is asked itself, by what sends nothing. Who calls its
 * function with them then has its error, by the program's own error handler.
 */

#include "messages.h"

namespace mpilive
{

namespace
{

/** \return a communicator of this rank alone, whose errors are returned */
MPI_Comm
Silent()
{
    static const MPI_Comm silent = [] {
        MPI_Comm made = MPI_COMM_NULL;
        PMPI_Comm_dup(MPI_COMM_SELF, &made);
        PMPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
        return made;
    }();
    return silent;
}

/** \return whether a persistent request cannot be made: \p error is what making it returned */
bool
IsNone(int error, MPI_Request& request)
{
    if (error != MPI_SUCCESS)
    {
        return true;
    }
    PMPI_Request_free(&request);
    return false;
}

/** \return whether a tag is above those of the MPI library */
bool
IsTagTooLarge(int tag)
{
    static const int most = [] {
        int* value = nullptr;
        int found = 0;
        PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &found);
        return found ? *value : INT32_MAX;
    }();
    return tag > most;
}

bool
IsRankRefused(int rank, MPI_Comm comm)
{
    return rank != MPI_PROC_NULL &&
           (rank < 0 || static_cast<size_t>(rank) >= Find(comm)->members.size());
}

} // namespace

bool
IsCommRefused(MPI_Comm comm)
{
    return !comm || comm == MPI_COMM_NULL;
}

bool
IsRootRefused(int root, MPI_Comm comm)
{
    return root == MPI_PROC_NULL || IsRankRefused(root, comm);
}

bool
IsSendRefused(const Place& place, int to, int tag, MPI_Comm comm)
{
    MPI_Request request = MPI_REQUEST_NULL;
    return IsCommRefused(comm) || tag < 0 || IsTagTooLarge(tag) || IsRankRefused(to, comm) ||
           IsNone(PMPI_Send_init(place.buffer, place.count, place.type, 0, 0, Silent(), &request),
                  request);
}

bool
IsReceiveRefused(const Place& place, const Wanted& wanted)
{
    MPI_Request request = MPI_REQUEST_NULL;
    return IsProbeRefused(wanted) ||
           IsNone(PMPI_Recv_init(place.buffer, place.count, place.type, 0, 0, Silent(), &request),
                  request);
}

bool
IsProbeRefused(const Wanted& wanted)
{
    return IsCommRefused(wanted.comm) || (wanted.tag < 0 && wanted.tag != MPI_ANY_TAG) ||
           IsTagTooLarge(wanted.tag) ||
           (wanted.from != MPI_ANY_SOURCE && IsRankRefused(wanted.from, wanted.comm));
}

} // namespace mpilive
