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

void
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
        return;
    }
    const std::shared_ptr<Communicator> comm = Find(handle);
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

/** A send of the program, and the function of the MPI library that does it. */
template <typename Real>
struct Sending
{
    Function function;
    Mode mode;
    Real* real;
};

template <typename Real>
int
DoSend(const Sending<Real>& send,
       const void* buffer,
       int count,
       MPI_Datatype type,
       int to,
       int tag,
       MPI_Comm comm)
{
    const Call call(send.function);
    if (IsSendRefused({const_cast<void*>(buffer), count, type}, to, tag, comm))
    {
        return send.real(buffer, count, type, to, tag, comm);
    }
    Process& process = Process::Get();
    Request request;
    // one that is over at once need not be asked about
    const bool asked = send.mode != WORMHOLE_LIVE_BUFFERED &&
                       (send.mode == WORMHOLE_LIVE_SYNCHRONOUS ||
                        !process.IsShort(mpitrace::Bytes(static_cast<uint64_t>(count), type)));
    BeginSend(request, asked, send.function, send.mode, buffer, count, type, to, tag, comm);
    return asked ? Complete(send.function, request, MPI_STATUS_IGNORE) : MPI_SUCCESS;
}

template <typename Real>
int
DoIsend(const Sending<Real>& send,
        const void* buffer,
        int count,
        MPI_Datatype type,
        int to,
        int tag,
        MPI_Comm comm,
        MPI_Request* handle)
{
    const Call call(send.function);
    if (!handle || IsSendRefused({const_cast<void*>(buffer), count, type}, to, tag, comm))
    {
        return send.real(buffer, count, type, to, tag, comm, handle);
    }
    auto request = std::make_unique<Request>();
    BeginSend(*request, true, send.function, send.mode, buffer, count, type, to, tag, comm);
    *handle = HandleOf(std::move(request));
    return MPI_SUCCESS;
}

template <typename Real>
int
DoSendInit(const Sending<Real>& send,
           const void* buffer,
           int count,
           MPI_Datatype type,
           int to,
           int tag,
           MPI_Comm comm,
           MPI_Request* handle)
{
    const Call call(send.function);
    if (!handle || IsSendRefused({const_cast<void*>(buffer), count, type}, to, tag, comm))
    {
        return send.real(buffer, count, type, to, tag, comm, handle);
    }
    auto request = std::make_unique<Request>();
    request->persistent = true;
    request->start = [=](Request& own) {
        BeginSend(own, true, send.function, send.mode, buffer, count, type, to, tag, comm);
    };
    *handle = HandleOf(std::move(request));
    return MPI_SUCCESS;
}

} // namespace

// What send-calls.h calls the functions above with.
#define SEND_OF(name)                                                                              \
    Sending<decltype(PMPI_##name)>                                                                 \
    {                                                                                              \
        Function::name, Modes::name, PMPI_##name                                                   \
    }
#define ISEND_OF(name, iname)                                                                      \
    Sending<decltype(PMPI_##iname)>                                                                \
    {                                                                                              \
        Function::iname, Modes::name, PMPI_##iname                                                 \
    }
#define SEND_INIT_OF(name, init)                                                                   \
    Sending<decltype(PMPI_##init)>                                                                 \
    {                                                                                              \
        Function::Start, Modes::name, PMPI_##init                                                  \
    }
#include "send-calls.h"
