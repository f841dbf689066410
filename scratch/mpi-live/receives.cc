/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * The functions that receive. The simulation says which message a receive gets; the message is then
 * received by its number, among those of its source to its destination.
 */

#include "messages.h"

using namespace mpilive;

namespace mpilive
{

int
FinishReceive(Request& request, const Place& place)
{
    const int result = PMPI_Recv(place.buffer,
                                 place.count,
                                 place.type,
                                 request.source,
                                 static_cast<int>(request.messageNumber % TAGS),
                                 MPI_COMM_WORLD,
                                 &request.status);
    request.status.MPI_SOURCE = request.comm->MemberOf(request.source);
    request.status.MPI_TAG = request.tag;
    return result;
}

void
PutWanted(uint8_t kind,
          Function function,
          const Communicator& comm,
          const Wanted& wanted,
          unsigned bits)
{
    bits |= wanted.from == MPI_ANY_SOURCE ? unsigned(WORMHOLE_LIVE_ANY_SOURCE) : 0U;
    bits |= wanted.tag == MPI_ANY_TAG ? unsigned(WORMHOLE_LIVE_ANY_TAG) : 0U;
    Process::Get().Begin(kind,
                         function,
                         {comm.number,
                          bits,
                          static_cast<uint64_t>(wanted.from == MPI_ANY_SOURCE ? 0 : wanted.from),
                          static_cast<uint64_t>(wanted.tag == MPI_ANY_TAG ? 0 : wanted.tag)});
}

void
BeginReceive(Request& request, Function function, const Place& place, const Wanted& wanted)
{
    if (wanted.from == MPI_PROC_NULL)
    {
        BeginNothing(request);
        return;
    }
    request.comm = Find(wanted.comm);
    BeginRequest(request, function);
    request.receives = true;
    request.finish = [place](Request& own) { return FinishReceive(own, place); };
    PutWanted(WORMHOLE_LIVE_RECEIVE, function, *request.comm, wanted, 0);
    Process::Get().Put(request.number);
}

} // namespace mpilive

namespace
{

bool
IsExchangeRefused(const Place& sent,
                  int to,
                  int sendTag,
                  const Place& received,
                  const Wanted& wanted)
{
    return IsSendRefused(sent, to, sendTag, wanted.comm) || IsReceiveRefused(received, wanted);
}

/** Sends and receives at once. */
int
Exchange(Function function,
         const Place& sent,
         int to,
         int sendTag,
         const Place& received,
         const Wanted& wanted,
         MPI_Status* status)
{
    Request receive;
    Request send;
    BeginReceive(receive, function, received, wanted);
    BeginSend(send,
              true,
              function,
              STANDARD,
              sent.buffer,
              sent.count,
              sent.type,
              to,
              sendTag,
              wanted.comm);
    Complete(function, send, MPI_STATUS_IGNORE);
    return Complete(function, receive, status);
}

int
DoRecv(const Place& place, const Wanted& wanted, MPI_Status* status)
{
    const Call call(Function::Recv);
    if (IsReceiveRefused(place, wanted))
    {
        return PMPI_Recv(place.buffer,
                         place.count,
                         place.type,
                         wanted.from,
                         wanted.tag,
                         wanted.comm,
                         status);
    }
    Request request;
    BeginReceive(request, Function::Recv, place, wanted);
    return Complete(Function::Recv, request, status);
}

int
DoIrecv(const Place& place, const Wanted& wanted, MPI_Request* handle)
{
    const Call call(Function::Irecv);
    if (!handle || IsReceiveRefused(place, wanted))
    {
        return PMPI_Irecv(place.buffer,
                          place.count,
                          place.type,
                          wanted.from,
                          wanted.tag,
                          wanted.comm,
                          handle);
    }
    auto request = std::make_unique<Request>();
    BeginReceive(*request, Function::Irecv, place, wanted);
    *handle = HandleOf(std::move(request));
    return MPI_SUCCESS;
}

int
DoSendrecv(const Place& sent,
           int to,
           int sendTag,
           const Place& received,
           const Wanted& wanted,
           MPI_Status* status)
{
    const Call call(Function::Sendrecv);
    if (IsExchangeRefused(sent, to, sendTag, received, wanted))
    {
        return mpitrace::SendAndReceive(sent, to, sendTag, received, wanted, status);
    }
    return Exchange(Function::Sendrecv, sent, to, sendTag, received, wanted, status);
}

int
DoSendrecvReplace(const Place& place, int to, int sendTag, const Wanted& wanted, MPI_Status* status)
{
    const Call call(Function::Sendrecv_replace);
    if (IsExchangeRefused(place, to, sendTag, place, wanted))
    {
        return PMPI_Sendrecv_replace(place.buffer,
                                     place.count,
                                     place.type,
                                     to,
                                     sendTag,
                                     wanted.from,
                                     wanted.tag,
                                     wanted.comm,
                                     status);
    }
    return Exchange(Function::Sendrecv_replace, place, to, sendTag, place, wanted, status);
}

} // namespace

#include "receive-calls.h"

extern "C"
{
    int MPI_Recv_init(void* buffer,
                      int count,
                      MPI_Datatype type,
                      int from,
                      int tag,
                      MPI_Comm comm,
                      MPI_Request* handle)
    {
        const Call call(Function::Start);
        if (!handle || IsReceiveRefused({buffer, count, type}, {from, tag, comm}))
        {
            return PMPI_Recv_init(buffer, count, type, from, tag, comm, handle);
        }
        auto request = std::make_unique<Request>();
        request->persistent = true;
        request->start = [=](Request& own) {
            BeginReceive(own, Function::Start, {buffer, count, type}, {from, tag, comm});
        };
        *handle = HandleOf(std::move(request));
        return MPI_SUCCESS;
    }
} // extern "C"
