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

} // namespace mpitrace

#endif // MPI_TRACE_PLACE_H
