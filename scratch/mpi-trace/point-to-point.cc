/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * MPI_Init and MPI_Finalize, and the functions that send and receive. Each calls the function of
 * the MPI library, by its PMPI name (MPI 3.1, 14.2), and records what the program asked for.
 */

#include "place.h"
#include "requests.h"

#include <unordered_map>

using namespace mpitrace;

namespace
{

/** \return the communicators of messages that MPI_Mprobe has matched */
std::unordered_map<MPI_Message, MPI_Comm>&
Matched()
{
    static auto* matched = new std::unordered_map<MPI_Message, MPI_Comm>;
    return *matched;
}

/** \return which of a receive's source and tag are open, as the trace has it */
uint64_t
OpenOf(int from, int tag)
{
    return static_cast<uint64_t>((from == MPI_ANY_SOURCE ? ns3::WORKLOAD_MPI_ANY_SOURCE : 0) |
                                 (tag == MPI_ANY_TAG ? ns3::WORKLOAD_MPI_ANY_TAG : 0));
}

/** Writes a receive that is over, as it was asked for and as it was matched. */
void
PutReceived(Call& call, MPI_Comm comm, int from, int tag, const MPI_Status& status)
{
    call.Begin(Kind::RECV,
               {NumberOf(call, comm),
                OpenOf(from, tag),
                static_cast<uint64_t>(status.MPI_SOURCE),
                static_cast<uint64_t>(status.MPI_TAG),
                BytesOf(status),
                0});
}

using SendFunction = int (*)(const void*, int, MPI_Datatype, int, int, MPI_Comm);
using IsendFunction = int (*)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

int
DoSend(Function function,
       SendFunction send,
       const void* buffer,
       int count,
       MPI_Datatype type,
       int to,
       int tag,
       MPI_Comm comm)
{
    Call call(function);
    const int result = send(buffer, count, type, to, tag, comm);
    if (call.Records(result) && to != MPI_PROC_NULL)
    {
        PutSend(call, comm, to, tag, Bytes(count, type), 0);
    }
    return result;
}

int
DoIsend(Function function,
        IsendFunction send,
        const void* buffer,
        int count,
        MPI_Datatype type,
        int to,
        int tag,
        MPI_Comm comm,
        MPI_Request* request)
{
    Call call(function);
    const int result = send(buffer, count, type, to, tag, comm, request);
    if (call.Records(result) && to != MPI_PROC_NULL)
    {
        PutSend(call, comm, to, tag, Bytes(count, type), Pending(*request, false));
    }
    return result;
}

/** Writes both ends of MPI_Sendrecv: two requests, and their completion. */
void
PutExchange(Call& call,
            const Envelope& wanted,
            int to,
            int sendTag,
            uint64_t bytes,
            const MPI_Status& status)
{
    uint32_t send = 0;
    uint32_t receive = 0;
    if (to != MPI_PROC_NULL)
    {
        send = Pending(MPI_REQUEST_NULL, false);
        PutSend(call, wanted.comm, to, sendTag, bytes, send);
    }
    if (wanted.from != MPI_PROC_NULL)
    {
        receive = Pending(MPI_REQUEST_NULL, true);
        PutReceive(call, wanted.comm, wanted.from, wanted.tag, BytesOf(status), receive);
    }
    call.Begin(Kind::COMPLETE, {static_cast<uint64_t>((send ? 1 : 0) + (receive ? 1 : 0))});
    if (send)
    {
        PutEnd(call, send, End::DONE, status);
    }
    if (receive)
    {
        PutEnd(call, receive, End::RECEIVED, status);
    }
}

int
DoRecv(const Place& place, const Envelope& wanted, MPI_Status* status)
{
    Call call(Function::Recv);
    MPI_Status own;
    status = Wanted(status, own);
    const auto& [from, tag, comm] = wanted;
    const int result = PMPI_Recv(place.buffer, place.count, place.type, from, tag, comm, status);
    if (call.Records(result) && from != MPI_PROC_NULL)
    {
        PutReceived(call, comm, from, tag, *status);
    }
    return result;
}

int
DoIrecv(const Place& place, const Envelope& wanted, MPI_Request* request)
{
    Call call(Function::Irecv);
    const auto& [from, tag, comm] = wanted;
    const int result = PMPI_Irecv(place.buffer, place.count, place.type, from, tag, comm, request);
    if (call.Records(result) && from != MPI_PROC_NULL)
    {
        PutReceive(call, comm, from, tag, Bytes(place.count, place.type), Pending(*request, true));
    }
    return result;
}

int
DoSendrecv(const Place& sent,
           int to,
           int sendTag,
           const Place& received,
           const Envelope& wanted,
           MPI_Status* status)
{
    Call call(Function::Sendrecv);
    MPI_Status own;
    status = Wanted(status, own);
    const int result = SendAndReceive(sent, to, sendTag, received, wanted, status);
    if (call.Records(result))
    {
        PutExchange(call, wanted, to, sendTag, Bytes(sent.count, sent.type), *status);
    }
    return result;
}

int
DoSendrecvReplace(const Place& place,
                  int to,
                  int sendTag,
                  const Envelope& wanted,
                  MPI_Status* status)
{
    Call call(Function::Sendrecv_replace);
    MPI_Status own;
    status = Wanted(status, own);
    const int result = PMPI_Sendrecv_replace(place.buffer,
                                             place.count,
                                             place.type,
                                             to,
                                             sendTag,
                                             wanted.from,
                                             wanted.tag,
                                             wanted.comm,
                                             status);
    if (call.Records(result))
    {
        PutExchange(call, wanted, to, sendTag, Bytes(place.count, place.type), *status);
    }
    return result;
}

} // namespace

namespace mpitrace
{

void
PutSend(Call& call, MPI_Comm comm, int to, int tag, uint64_t bytes, uint32_t request)
{
    call.Begin(Kind::SEND,
               {NumberOf(call, comm),
                static_cast<uint64_t>(to),
                static_cast<uint64_t>(tag),
                bytes,
                request});
}

void
PutReceive(Call& call, MPI_Comm comm, int from, int tag, uint64_t bytes, uint32_t request)
{
    call.Begin(Kind::RECV,
               {NumberOf(call, comm),
                OpenOf(from, tag),
                from == MPI_ANY_SOURCE ? 0 : static_cast<uint64_t>(from),
                tag == MPI_ANY_TAG ? 0 : static_cast<uint64_t>(tag),
                bytes,
                request});
}

} // namespace mpitrace

/** What the starts of persistent sends are recorded as: those of a mode of its own by its name. */
struct Persistence
{
    static constexpr Function Send = Function::COUNT;
    static constexpr Function Bsend = Function::Bsend_init;
    static constexpr Function Ssend = Function::Ssend_init;
    static constexpr Function Rsend = Function::COUNT;
};

// What send-calls.h calls the functions above, and DoSendInit(), with.
#define SEND_OF(name) Function::name, PMPI_##name
#define ISEND_OF(name, iname) Function::iname, PMPI_##iname
#define SEND_INIT_OF(name, init) Persistence::name, PMPI_##init
#include "receive-calls.h"
#include "send-calls.h"

extern "C"
{
    int MPI_Init(int* argc, char*** argv)
    {
        const int result = PMPI_Init(argc, argv);
        Recorder::Get().Open();
        return result;
    }

    int MPI_Init_thread(int* argc, char*** argv, int required, int* provided)
    {
        const int result = PMPI_Init_thread(argc, argv, required, provided);
        Recorder::Get().Open();
        return result;
    }

    int MPI_Finalize()
    {
        Recorder::Get().Close(true);
        return PMPI_Finalize();
    }

    int MPI_Abort(MPI_Comm comm, int code)
    {
        Recorder::Get().Close(false);
        return PMPI_Abort(comm, code);
    }

    int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status* status)
    {
        const Call call(Function::Recv);
        return PMPI_Probe(from, tag, comm, status);
    }

    int MPI_Iprobe(int from, int tag, MPI_Comm comm, int* flag, MPI_Status* status)
    {
        const Call call(Function::Recv);
        return PMPI_Iprobe(from, tag, comm, flag, status);
    }

    int MPI_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status)
    {
        const Call call(Function::Mrecv);
        const int result = PMPI_Mprobe(from, tag, comm, message, status);
        if (call.Records(result))
        {
            Matched()[*message] = comm;
        }
        return result;
    }

    int MPI_Improbe(int from,
                    int tag,
                    MPI_Comm comm,
                    int* flag,
                    MPI_Message* message,
                    MPI_Status* status)
    {
        const Call call(Function::Mrecv);
        const int result = PMPI_Improbe(from, tag, comm, flag, message, status);
        if (call.Records(result) && *flag)
        {
            Matched()[*message] = comm;
        }
        return result;
    }

    int MPI_Mrecv(void* buffer,
                  int count,
                  MPI_Datatype type,
                  MPI_Message* message,
                  MPI_Status* status)
    {
        Call call(Function::Mrecv);
        const MPI_Message matched = *message;
        MPI_Status own;
        status = Wanted(status, own);
        const int result = PMPI_Mrecv(buffer, count, type, message, status);
        if (call.Records(result) && matched != MPI_MESSAGE_NO_PROC)
        {
            PutReceived(call, Matched()[matched], MPI_ANY_SOURCE, MPI_ANY_TAG, *status);
            Matched().erase(matched);
        }
        return result;
    }

    int MPI_Imrecv(void* buffer,
                   int count,
                   MPI_Datatype type,
                   MPI_Message* message,
                   MPI_Request* request)
    {
        Call call(Function::Imrecv);
        const MPI_Message matched = *message;
        const int result = PMPI_Imrecv(buffer, count, type, message, request);
        if (call.Records(result) && matched != MPI_MESSAGE_NO_PROC)
        {
            PutReceive(call,
                       Matched()[matched],
                       MPI_ANY_SOURCE,
                       MPI_ANY_TAG,
                       Bytes(count, type),
                       Pending(*request, true));
            Matched().erase(matched);
        }
        return result;
    }
} // extern "C"
