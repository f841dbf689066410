/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Requests: which are pending. Persistent ones are recorded when they start.
 */

#include "requests.h"

using namespace mpitrace;

namespace
{

void
PutPersistentStart(Call& call, MPI_Request request, const Persistent& what)
{
    if (what.peer == MPI_PROC_NULL)
    {
        return;
    }
    const uint32_t number = Pending(request, what.receive);
    const auto put = what.receive ? PutReceive : PutSend;
    const Function starter = call.GetFunction();
    call.SetFunction(what.mode == Function::COUNT ? starter : what.mode);
    put(call, what.comm, what.peer, what.tag, what.bytes, number);
    call.SetFunction(starter);
}

void
Start(Call& call, MPI_Request request)
{
    const auto found = AllRequests().persistent.find(request);
    if (found != AllRequests().persistent.end())
    {
        PutPersistentStart(call, request, found->second);
    }
}

} // namespace

namespace mpitrace
{

Requests&
AllRequests()
{
    static auto* requests = new Requests;
    return *requests;
}

uint32_t
Pending(MPI_Request request, bool receive)
{
    Requests& all = AllRequests();
    ++all.last;
    if (request != MPI_REQUEST_NULL)
    {
        all.pending.insert({request, {all.last, receive}});
    }
    return all.last;
}

void
MadeLater(MPI_Request request, MPI_Comm parent, MPI_Comm* comm)
{
    AllRequests().comms[request] = {parent, comm};
}

void
PutEnd(Call& call, uint32_t request, End end, const MPI_Status& status)
{
    call.Put(request);
    call.Put(static_cast<uint64_t>(end));
    if (end == End::RECEIVED)
    {
        call.Put(static_cast<uint64_t>(status.MPI_SOURCE));
        call.Put(static_cast<uint64_t>(status.MPI_TAG));
        call.Put(BytesOf(status));
    }
}

int
DoSendInit(Function mode,
           InitSend init,
           const void* buffer,
           int count,
           MPI_Datatype type,
           int to,
           int tag,
           MPI_Comm comm,
           MPI_Request* request)
{
    const Call call(Function::Start);
    const int result = init(buffer, count, type, to, tag, comm, request);
    if (call.Records(result))
    {
        AllRequests().persistent[*request] = {mode, false, comm, to, tag, Bytes(count, type)};
    }
    return result;
}

} // namespace mpitrace

extern "C"
{
    int MPI_Recv_init(void* buffer,
                      int count,
                      MPI_Datatype type,
                      int from,
                      int tag,
                      MPI_Comm comm,
                      MPI_Request* request)
    {
        const Call call(Function::Start);
        const int result = PMPI_Recv_init(buffer, count, type, from, tag, comm, request);
        if (call.Records(result))
        {
            AllRequests().persistent[*request] =
                {Function::COUNT, true, comm, from, tag, Bytes(count, type)};
        }
        return result;
    }

    int MPI_Start(MPI_Request* request)
    {
        Call call(Function::Start);
        const int result = PMPI_Start(request);
        if (call.Records(result))
        {
            Start(call, *request);
        }
        return result;
    }

    int MPI_Startall(int count, MPI_Request* requests)
    {
        Call call(Function::Startall);
        const int result = PMPI_Startall(count, requests);
        for (int i = 0; call.Records(result) && i < count; ++i)
        {
            Start(call, requests[i]);
        }
        return result;
    }

    int MPI_Request_free(MPI_Request* request)
    {
        Call call(Function::Request_free);
        const MPI_Request handle = *request;
        const int result = PMPI_Request_free(request);
        if (call.Records(result))
        {
            AllRequests().persistent.erase(handle);
            const auto found = AllRequests().pending.find(handle);
            if (found != AllRequests().pending.end())
            {
                const uint32_t number = found->second.number;
                AllRequests().pending.erase(found);
                call.Begin(Kind::COMPLETE, {1, number, static_cast<uint64_t>(End::FREED)});
            }
        }
        return result;
    }
} // extern "C"
