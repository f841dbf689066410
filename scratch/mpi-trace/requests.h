/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef MPI_TRACE_REQUESTS_H
#define MPI_TRACE_REQUESTS_H

#include "recorder.h"

#include <unordered_map>
#include <vector>

namespace mpitrace
{

/** A request that is not over. */
struct PendingRequest
{
    uint32_t number;
    bool receive;
};

/** What a persistent request sends or receives each time it starts. */
struct Persistent
{
    Function mode; //!< whose records its starts have; COUNT: those of what starts it
    bool receive;
    MPI_Comm comm;
    int peer;
    int tag;
    uint64_t bytes;
};

/** A communicator that is there when its request is over. */
struct LaterComm
{
    MPI_Comm parent;
    MPI_Comm* comm;
};

/** All requests of the program. */
struct Requests
{
    uint32_t last{0}; //!< number given
    // Several can have one handle: libraries return the same one for all sends that are over.
    std::unordered_multimap<MPI_Request, PendingRequest> pending;
    std::unordered_map<MPI_Request, Persistent> persistent;
    std::unordered_map<MPI_Request, LaterComm> comms;
    std::vector<MPI_Request> handles; //!< of a call that completes several, as they were before it
    std::vector<MPI_Status> statuses; //!< of that call
};

/** \return those of this process */
Requests& AllRequests();

using InitSend = int (*)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

/** Makes a persistent request of a send. \param mode as Persistent's \param init the MPI library's
 * function */
int DoSendInit(Function mode,
               InitSend init,
               const void* buffer,
               int count,
               MPI_Datatype type,
               int to,
               int tag,
               MPI_Comm comm,
               MPI_Request* request);

} // namespace mpitrace

#endif // MPI_TRACE_REQUESTS_H
