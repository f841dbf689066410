/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef MPI_TRACE_PLACE_H
#define MPI_TRACE_PLACE_H

#include <mpi.h>

namespace mpitrace
{

/** Where data of a message are, or go to. */
struct Place
{
    void* buffer;
    int count;
    MPI_Datatype type;
};

/** What a receive or a probe asks for. */
struct Envelope
{
    int from;
    int tag;
    MPI_Comm comm;
};

/** Calls MPI_Sendrecv of the MPI library itself. */
inline int
SendAndReceive(const Place& sent,
               int to,
               int sendTag,
               const Place& received,
               const Envelope& wanted,
               MPI_Status* status)
{
    return PMPI_Sendrecv(sent.buffer,
                         sent.count,
                         sent.type,
                         to,
                         sendTag,
                         received.buffer,
                         received.count,
                         received.type,
                         wanted.from,
                         wanted.tag,
                         wanted.comm,
                         status);
}

} // namespace mpitrace

#endif // MPI_TRACE_PLACE_H
