/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * The functions that send.
 */

#include "collective-bytes.h"
#include "messages.h"

using namespace mpilive;

namespace mpilive
{

bool
IsMember(const Communicator& comm, int rank, int& error)
{
    const bool member = rank >= 0 && static_cast<size_t>(rank) < comm.members.size();
    error = member ? MPI_SUCCESS : PMPI_Comm_call_errhandler(comm.handle, MPI_ERR_RANK);
    return member;
}

void
BeginNothing(Request& request)
{
    request.active = true;
    request.over = true;
    request.finish = [](Request& own) {
        SetEmpty(&own.status, MPI_PROC_NULL);
        return MPI_SUCCESS;
    };
}

void
BeginRequest(Request& request, Function function)
{
    request.function = function;
    request.number = Process::Get().NextRequest();
    request.active = true;
    request.over = false;
    request.cancelled = false;
}

int
BeginSend(Request& request,
          bool asked,
          Function function,
          Mode mode,
          const void* buffer,
          int count,
          MPI_Datatype type,
          int to,
          int tag,
          MPI_Comm handle)
{
    if (to == MPI_PROC_NULL)
    {
        BeginNothing(request);
        return MPI_SUCCESS;
    }
    const std::shared_ptr<Communicator> comm = Find(handle);
    int error = MPI_SUCCESS;
    if (!IsMember(*comm, to, error))
    {
        return error;
    }
    Process& process = Process::Get();
    const int world = comm->members[static_cast<size_t>(to)];
    process.SendCopy(std::make_shared<Copy>(buffer, count, type),
                     count,
                     type,
                     world,
                     process.NextTag(world),
                     MPI_COMM_WORLD);
    BeginRequest(request, function);
    process.Begin(WORMHOLE_LIVE_SEND,
                  function,
                  {comm->number,
                   static_cast<uint64_t>(mode),
                   static_cast<uint64_t>(to),
                   static_cast<uint64_t>(tag),
                   mpitrace::Bytes(static_cast<uint64_t>(count), type),
                   asked ? request.number : 0});
    return MPI_SUCCESS;
}

} // namespace mpilive

namespace
{

/** The modes of MPI's functions. A ready send is one whose receive is there: nothing differs. */
struct Modes
{
    static constexpr Mode Send = STANDARD;
    static constexpr Mode Bsend = WORMHOLE_LIVE_BUFFERED;
    static constexpr Mode Ssend = WORMHOLE_LIVE_SYNCHRONOUS;
    static constexpr Mode Rsend = STANDARD;
};

int
DoSend(Function function,
       Mode mode,
       const void* buffer,
       int count,
       MPI_Datatype type,
       int to,
       int tag,
       MPI_Comm comm)
{
    const Call call(function);
    Process& process = Process::Get();
    Request request;
    // one that is over at once need not be asked about
    const bool asked = mode != WORMHOLE_LIVE_BUFFERED &&
                       (mode == WORMHOLE_LIVE_SYNCHRONOUS ||
                        !process.IsShort(mpitrace::Bytes(static_cast<uint64_t>(count), type)));
    const int error = BeginSend(request, asked, function, mode, buffer, count, type, to, tag, comm);
    return error != MPI_SUCCESS || !asked ? error : Complete(function, request, MPI_STATUS_IGNORE);
}

int
DoIsend(Function function,
        Mode mode,
        const void* buffer,
        int count,
        MPI_Datatype type,
        int to,
        int tag,
        MPI_Comm comm,
        MPI_Request* handle)
{
    const Call call(function);
    auto request = std::make_unique<Request>();
    const int error = BeginSend(*request, true, function, mode, buffer, count, type, to, tag, comm);
    if (error == MPI_SUCCESS)
    {
        *handle = HandleOf(std::move(request));
    }
    return error;
}

int
DoSendInit(Mode mode,
           const void* buffer,
           int count,
           MPI_Datatype type,
           int to,
           int tag,
           MPI_Comm comm,
           MPI_Request* handle)
{
    const Call call(Function::Start);
    auto request = std::make_unique<Request>();
    request->persistent = true;
    request->start = [=](Request& own) {
        BeginSend(own, true, Function::Start, mode, buffer, count, type, to, tag, comm);
    };
    *handle = HandleOf(std::move(request));
    return MPI_SUCCESS;
}

} // namespace

// What send-calls.h calls the functions above with.
#define SEND_OF(name) Function::name, Modes::name
#define ISEND_OF(name, iname) Function::iname, Modes::name
#define SEND_INIT_OF(name, init) Modes::name
#include "send-calls.h"
