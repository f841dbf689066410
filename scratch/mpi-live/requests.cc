/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * The functions that complete requests.
 */

#include "live.h"

#include <unordered_map>

using namespace mpilive;

namespace
{

/** \return the requests of a call that the simulation has not ended yet */
std::vector<Request*>
PendingOf(int count, const MPI_Request* handles)
{
    std::vector<Request*> pending;
    for (int i = 0; i < count; ++i)
    {
        Request* const request = OwnRequest(handles[i]);
        if (request && request->active && !request->over)
        {
            pending.push_back(request);
        }
    }
    return pending;
}

/** Asks the simulation which of these are over. \param bits of enum wormhole_live_bits */
void
AskFor(Function function, const std::vector<Request*>& pending, uint64_t bits)
{
    if (pending.empty())
    {
        return;
    }
    Process& process = Process::Get();
    process.Begin(WORMHOLE_LIVE_WAIT, function, {bits, pending.size()});
    std::unordered_map<uint64_t, Request*> numbers;
    for (Request* request : pending)
    {
        process.Put(request->number);
        numbers[request->number] = request;
    }
    process.Ask();
    for (uint64_t count = process.Read(); count > 0; --count)
    {
        Request& request = *numbers.at(process.Read());
        const uint64_t end = process.Read();
        request.over = true;
        request.cancelled = end == WORMHOLE_LIVE_CANCELLED;
        if (end == WORMHOLE_LIVE_RECEIVED)
        {
            request.source = static_cast<int>(process.Read());
            request.tag = static_cast<int>(process.Read());
            process.Read(); // bytes: the data say them, too
            request.messageNumber = process.Read();
        }
    }
}

/** Ends a request that is over. \return what MPI returns */
int
End(Request& request, MPI_Status* status)
{
    int result = MPI_SUCCESS;
    SetEmpty(&request.status, MPI_ANY_SOURCE);
    if (request.cancelled)
    {
        PMPI_Status_set_cancelled(&request.status, 1);
    }
    else if (request.finish)
    {
        result = request.finish(request);
    }
    request.active = false;
    if (status != MPI_STATUS_IGNORE)
    {
        *status = request.status;
    }
    return result;
}

/** Ends the request of a handle, if it is over, and takes the handle back. */
int
EndHandle(MPI_Request* handle, MPI_Status* status)
{
    Request* const request = OwnRequest(*handle);
    if (!request || !request->active)
    {
        if (!request && *handle != MPI_REQUEST_NULL)
        {
            return PMPI_Wait(handle, status);
        }
        SetEmpty(status, MPI_ANY_SOURCE);
        return MPI_SUCCESS;
    }
    const int result = End(*request, status);
    if (!request->persistent)
    {
        Forget(request);
        *handle = MPI_REQUEST_NULL;
    }
    return result;
}

/** \return whether a handle's request can be ended now */
bool
CanEnd(MPI_Request handle)
{
    const Request* const request = OwnRequest(handle);
    return request && request->active && request->over;
}

/** \return whether any of these handles stands for something that goes on */
bool
AnyActive(int count, const MPI_Request* handles)
{
    for (int i = 0; i < count; ++i)
    {
        const Request* const request = OwnRequest(handles[i]);
        if (request && request->active)
        {
            return true;
        }
    }
    return false;
}

/** \return whether a call is about requests of the MPI library alone, such as those of files */
bool
AreForeign(int count, const MPI_Request* handles)
{
    bool foreign = false;
    for (int i = 0; i < count; ++i)
    {
        if (OwnRequest(handles[i]))
        {
            return false;
        }
        foreign = foreign || handles[i] != MPI_REQUEST_NULL;
    }
    return foreign;
}

/** Ends one of the requests, or none. */
int
EndAny(int count, MPI_Request* handles, int* index, MPI_Status* status)
{
    for (int i = 0; i < count; ++i)
    {
        if (CanEnd(handles[i]))
        {
            *index = i;
            return EndHandle(handles + i, status);
        }
    }
    *index = MPI_UNDEFINED;
    SetEmpty(status, MPI_ANY_SOURCE);
    return MPI_SUCCESS;
}

/** Ends all of the requests that are over. */
int
EndSome(int count, MPI_Request* handles, int* done, int* indices, MPI_Status* statuses)
{
    int result = MPI_SUCCESS;
    *done = 0;
    for (int i = 0; i < count; ++i)
    {
        if (CanEnd(handles[i]))
        {
            const int one =
                EndHandle(handles + i,
                          statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + *done);
            result = one == MPI_SUCCESS ? result : one;
            indices[(*done)++] = i;
        }
    }
    if (*done == 0 && !AnyActive(count, handles))
    {
        *done = MPI_UNDEFINED;
    }
    return result;
}

/** Ends all of the requests. */
int
EndAll(int count, MPI_Request* handles, MPI_Status* statuses)
{
    int result = MPI_SUCCESS;
    for (int i = 0; i < count; ++i)
    {
        const int one =
            EndHandle(handles + i,
                      statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + i);
        result = one == MPI_SUCCESS ? result : one;
    }
    return result;
}

/** Asks once whether one of the requests is over, unless that is known. */
void
LookForAny(Function function, int count, const MPI_Request* handles, uint64_t bits)
{
    for (int i = 0; i < count; ++i)
    {
        if (CanEnd(handles[i]))
        {
            return;
        }
    }
    AskFor(function, PendingOf(count, handles), bits);
}

} // namespace

namespace mpilive
{

int
Complete(Function function, Request& request, MPI_Status* status)
{
    if (!request.over)
    {
        AskFor(function, {&request}, WORMHOLE_LIVE_ALL);
    }
    return End(request, status);
}

} // namespace mpilive

extern "C"
{
    int MPI_Wait(MPI_Request* request, MPI_Status* status)
    {
        const Call call(Function::Wait);
        AskFor(Function::Wait, PendingOf(1, request), WORMHOLE_LIVE_ALL);
        return EndHandle(request, status);
    }

    int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses)
    {
        const Call call(Function::Waitall);
        AskFor(Function::Waitall, PendingOf(count, requests), WORMHOLE_LIVE_ALL);
        return EndAll(count, requests, statuses);
    }

    int MPI_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status)
    {
        const Call call(Function::Waitany);
        if (AreForeign(count, requests))
        {
            return PMPI_Waitany(count, requests, index, status);
        }
        LookForAny(Function::Waitany, count, requests, 0);
        return EndAny(count, requests, index, status);
    }

    int MPI_Waitsome(int count,
                     MPI_Request* requests,
                     int* done,
                     int* indices,
                     MPI_Status* statuses)
    {
        const Call call(Function::Waitsome);
        if (AreForeign(count, requests))
        {
            return PMPI_Waitsome(count, requests, done, indices, statuses);
        }
        LookForAny(Function::Waitsome, count, requests, 0);
        return EndSome(count, requests, done, indices, statuses);
    }

    int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status)
    {
        const Call call(Function::Test);
        if (AreForeign(1, request))
        {
            return PMPI_Test(request, flag, status);
        }
        AskFor(Function::Test, PendingOf(1, request), WORMHOLE_LIVE_ALL | WORMHOLE_LIVE_NOW);
        *flag = PendingOf(1, request).empty();
        return *flag ? EndHandle(request, status) : MPI_SUCCESS;
    }

    int MPI_Testall(int count, MPI_Request* requests, int* flag, MPI_Status* statuses)
    {
        const Call call(Function::Testall);
        AskFor(Function::Testall,
               PendingOf(count, requests),
               WORMHOLE_LIVE_ALL | WORMHOLE_LIVE_NOW);
        *flag = PendingOf(count, requests).empty();
        return *flag ? EndAll(count, requests, statuses) : MPI_SUCCESS;
    }

    int MPI_Testany(int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status)
    {
        const Call call(Function::Testany);
        if (AreForeign(count, requests))
        {
            return PMPI_Testany(count, requests, index, flag, status);
        }
        LookForAny(Function::Testany, count, requests, WORMHOLE_LIVE_NOW);
        const int result = EndAny(count, requests, index, status);
        *flag = *index != MPI_UNDEFINED || !AnyActive(count, requests);
        return result;
    }

    int MPI_Testsome(int count,
                     MPI_Request* requests,
                     int* done,
                     int* indices,
                     MPI_Status* statuses)
    {
        const Call call(Function::Testsome);
        if (AreForeign(count, requests))
        {
            return PMPI_Testsome(count, requests, done, indices, statuses);
        }
        LookForAny(Function::Testsome, count, requests, WORMHOLE_LIVE_NOW);
        return EndSome(count, requests, done, indices, statuses);
    }

    int MPI_Request_get_status(MPI_Request handle, int* flag, MPI_Status* status)
    {
        const Call call(Function::Test);
        Request* const request = OwnRequest(handle);
        if (!request)
        {
            return PMPI_Request_get_status(handle, flag, status);
        }
        AskFor(Function::Test, PendingOf(1, &handle), WORMHOLE_LIVE_ALL | WORMHOLE_LIVE_NOW);
        *flag = !request->active || request->over;
        if (*flag && request->active)
        {
            const int result = End(*request, status);
            request->active = true; // until the program asks again
            request->finish = [kept = request->status](Request& again) {
                again.status = kept;
                return MPI_SUCCESS;
            };
            return result;
        }
        SetEmpty(status, MPI_ANY_SOURCE);
        return MPI_SUCCESS;
    }
} // extern "C"
