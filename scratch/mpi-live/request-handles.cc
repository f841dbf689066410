/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Requests and their handles, and the functions that start them and take them back.
 */

#include "live.h"

#include <type_traits>
#include <unordered_set>

using namespace mpilive;

namespace
{

static_assert(std::is_pointer_v<MPI_Request>, "a handle must have room for an address");

/** The requests whose handles the program has. */
std::unordered_set<Request*>&
Own()
{
    static auto* own = new std::unordered_set<Request*>;
    return *own;
}

} // namespace

namespace mpilive
{

Request*
OwnRequest(MPI_Request handle)
{
    auto* const request = reinterpret_cast<Request*>(handle);
    return Own().count(request) ? request : nullptr;
}

MPI_Request
HandleOf(std::unique_ptr<Request> request)
{
    Own().insert(request.get());
    return reinterpret_cast<MPI_Request>(request.release());
}

void
Forget(Request* request)
{
    Own().erase(request);
    delete request;
}

} // namespace mpilive

extern "C"
{
    int MPI_Start(MPI_Request* handle)
    {
        const Call call(Function::Start);
        Request* const request = OwnRequest(*handle);
        if (!request || !request->start)
        {
            return PMPI_Start(handle);
        }
        request->start(*request);
        return MPI_SUCCESS;
    }

    int MPI_Startall(int count, MPI_Request* handles)
    {
        const Call call(Function::Startall);
        for (int i = 0; i < count; ++i)
        {
            Request* const request = OwnRequest(handles[i]);
            if (!request || !request->start)
            {
                return PMPI_Startall(count - i, handles + i);
            }
            request->start(*request);
        }
        return MPI_SUCCESS;
    }

    int MPI_Cancel(MPI_Request* handle)
    {
        const Call call(Function::Wait);
        Request* const request = OwnRequest(*handle);
        if (!request)
        {
            return PMPI_Cancel(handle);
        }
        if (request->active && !request->over && request->receives)
        {
            Process::Get().Begin(WORMHOLE_LIVE_CANCEL, Function::Wait, {request->number});
        }
        return MPI_SUCCESS;
    }

    int MPI_Request_free(MPI_Request* handle)
    {
        const Call call(Function::Request_free);
        Request* const request = OwnRequest(*handle);
        if (!request)
        {
            return PMPI_Request_free(handle);
        }
        if (request->active && !request->over && request->receives)
        {
            GiveUp(Function::Request_free); // nobody would say when its buffer is filled
        }
        Forget(request);
        *handle = MPI_REQUEST_NULL;
        return MPI_SUCCESS;
    }
} // extern "C"
