/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Requests: which are pending, and the functions that complete them. Persistent requests are
 * recorded when they start.
 */

#include "recorder.h"

#include <unordered_map>

using namespace mpitrace;

namespace
{

struct PendingRequest
{
    uint32_t number;
    bool receive;
};

/** What a persistent request sends or receives each time it starts. */
struct Persistent
{
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

Requests&
All()
{
    static auto* requests = new Requests;
    return *requests;
}

void
PutPersistentStart(Call& call, MPI_Request request, const Persistent& what)
{
    if (what.peer == MPI_PROC_NULL)
    {
        return;
    }
    const uint32_t number = Pending(request, what.receive);
    const auto put = what.receive ? PutReceive : PutSend;
    put(call, what.comm, what.peer, what.tag, what.bytes, number);
}

void
Start(Call& call, MPI_Request request)
{
    const auto found = All().persistent.find(request);
    if (found != All().persistent.end())
    {
        PutPersistentStart(call, request, found->second);
    }
}

/** The requests that a call completed, written as one record. */
class Completed
{
  public:
    explicit Completed(Call& call)
        : m_call(call)
    {
    }

    /** Adds a request, by the handle that it had before the call. */
    void Add(MPI_Request handle, const MPI_Status& status)
    {
        if (const auto made = All().comms.find(handle); made != All().comms.end())
        {
            Made(m_call, made->second.parent, *made->second.comm);
            All().comms.erase(made);
        }
        const auto found = All().pending.find(handle);
        if (found != All().pending.end())
        {
            m_done.emplace_back(found->second, status);
            All().pending.erase(found);
        }
    }

    /** Writes them, if there are any: MPI_Waitall of nothing is no synchronization. */
    void Write()
    {
        if (m_done.empty())
        {
            return;
        }
        m_call.Begin(Kind::COMPLETE, {m_done.size()});
        for (const auto& [request, status] : m_done)
        {
            int cancelled = 0;
            PMPI_Test_cancelled(&status, &cancelled);
            const End end = cancelled         ? End::CANCELLED
                            : request.receive ? End::RECEIVED
                                              : End::DONE;
            PutEnd(m_call, request.number, end, status);
        }
    }

  private:
    Call& m_call;
    std::vector<std::pair<PendingRequest, MPI_Status>> m_done;
};

/** Keeps the handles of a call that completes several. \return the statuses to have filled in */
MPI_Status*
Keep(int count, const MPI_Request* requests, MPI_Status* statuses)
{
    All().handles.assign(requests, requests + count);
    if (statuses != MPI_STATUSES_IGNORE)
    {
        return statuses;
    }
    All().statuses.resize(static_cast<size_t>(count) + 1);
    return All().statuses.data();
}

/** Writes the requests of a call that completed all that it was given. */
void
WriteAll(Call& call, int count, const MPI_Status* statuses)
{
    Completed completed(call);
    for (int i = 0; i < count; ++i)
    {
        completed.Add(All().handles[static_cast<size_t>(i)], statuses[i]);
    }
    completed.Write();
}

/** Writes the requests of a call that completed those with these indices. */
void
WriteSome(Call& call, int count, const int* indices, const MPI_Status* statuses)
{
    Completed completed(call);
    for (int i = 0; i < count; ++i) // MPI_UNDEFINED is negative
    {
        completed.Add(All().handles[static_cast<size_t>(indices[i])], statuses[i]);
    }
    completed.Write();
}

using InitSend = int (*)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

int
DoSendInit(InitSend init,
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
    if (call)
    {
        All().persistent[*request] = {false, comm, to, tag, Bytes(count, type)};
    }
    return result;
}

} // namespace

namespace mpitrace
{

uint32_t
Pending(MPI_Request request, bool receive)
{
    Requests& all = All();
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
    All().comms[request] = {parent, comm};
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

} // namespace mpitrace

// Defines MPI_NAME, which makes a persistent request of a send.
#define SEND_INIT(name)                                                                            \
    extern "C" int MPI_##name(const void* buffer,                                                  \
                              int count,                                                           \
                              MPI_Datatype type,                                                   \
                              int to,                                                              \
                              int tag,                                                             \
                              MPI_Comm comm,                                                       \
                              MPI_Request* request)                                                \
    {                                                                                              \
        return DoSendInit(PMPI_##name, buffer, count, type, to, tag, comm, request);               \
    }

SEND_INIT(Send_init)
SEND_INIT(Bsend_init)
SEND_INIT(Ssend_init)
SEND_INIT(Rsend_init)

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
        if (call)
        {
            All().persistent[*request] = {true, comm, from, tag, Bytes(count, type)};
        }
        return result;
    }

    int MPI_Start(MPI_Request* request)
    {
        Call call(Function::Start);
        const int result = PMPI_Start(request);
        if (call)
        {
            Start(call, *request);
        }
        return result;
    }

    int MPI_Startall(int count, MPI_Request* requests)
    {
        Call call(Function::Startall);
        const int result = PMPI_Startall(count, requests);
        for (int i = 0; call && i < count; ++i)
        {
            Start(call, requests[i]);
        }
        return result;
    }

    int MPI_Wait(MPI_Request* request, MPI_Status* status)
    {
        Call call(Function::Wait);
        const MPI_Request handle = *request;
        MPI_Status own;
        status = Wanted(status, own);
        const int result = PMPI_Wait(request, status);
        if (call)
        {
            Completed completed(call);
            completed.Add(handle, *status);
            completed.Write();
        }
        return result;
    }

    int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status)
    {
        Call call(Function::Test);
        const MPI_Request handle = *request;
        MPI_Status own;
        status = Wanted(status, own);
        const int result = PMPI_Test(request, flag, status);
        if (call && *flag)
        {
            Completed completed(call);
            completed.Add(handle, *status);
            completed.Write();
        }
        return result;
    }

    int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses)
    {
        Call call(Function::Waitall);
        if (!call)
        {
            return PMPI_Waitall(count, requests, statuses);
        }
        statuses = Keep(count, requests, statuses);
        const int result = PMPI_Waitall(count, requests, statuses);
        WriteAll(call, count, statuses);
        return result;
    }

    int MPI_Testall(int count, MPI_Request* requests, int* flag, MPI_Status* statuses)
    {
        Call call(Function::Testall);
        if (!call)
        {
            return PMPI_Testall(count, requests, flag, statuses);
        }
        statuses = Keep(count, requests, statuses);
        const int result = PMPI_Testall(count, requests, flag, statuses);
        if (*flag)
        {
            WriteAll(call, count, statuses);
        }
        return result;
    }

    int MPI_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status)
    {
        Call call(Function::Waitany);
        if (!call)
        {
            return PMPI_Waitany(count, requests, index, status);
        }
        MPI_Status own;
        status = Wanted(status, own);
        Keep(count, requests, status);
        const int result = PMPI_Waitany(count, requests, index, status);
        WriteSome(call, *index == MPI_UNDEFINED ? 0 : 1, index, status);
        return result;
    }

    int MPI_Testany(int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status)
    {
        Call call(Function::Testany);
        if (!call)
        {
            return PMPI_Testany(count, requests, index, flag, status);
        }
        MPI_Status own;
        status = Wanted(status, own);
        Keep(count, requests, status);
        const int result = PMPI_Testany(count, requests, index, flag, status);
        WriteSome(call, *flag && *index != MPI_UNDEFINED ? 1 : 0, index, status);
        return result;
    }

    int MPI_Waitsome(int count,
                     MPI_Request* requests,
                     int* done,
                     int* indices,
                     MPI_Status* statuses)
    {
        Call call(Function::Waitsome);
        if (!call)
        {
            return PMPI_Waitsome(count, requests, done, indices, statuses);
        }
        statuses = Keep(count, requests, statuses);
        const int result = PMPI_Waitsome(count, requests, done, indices, statuses);
        WriteSome(call, *done, indices, statuses);
        return result;
    }

    int MPI_Testsome(int count,
                     MPI_Request* requests,
                     int* done,
                     int* indices,
                     MPI_Status* statuses)
    {
        Call call(Function::Testsome);
        if (!call)
        {
            return PMPI_Testsome(count, requests, done, indices, statuses);
        }
        statuses = Keep(count, requests, statuses);
        const int result = PMPI_Testsome(count, requests, done, indices, statuses);
        WriteSome(call, *done, indices, statuses);
        return result;
    }

    int MPI_Request_free(MPI_Request* request)
    {
        Call call(Function::Request_free);
        const MPI_Request handle = *request;
        const int result = PMPI_Request_free(request);
        if (call)
        {
            All().persistent.erase(handle);
            const auto found = All().pending.find(handle);
            if (found != All().pending.end())
            {
                const uint32_t number = found->second.number;
                All().pending.erase(found);
                call.Begin(Kind::COMPLETE, {1, number, static_cast<uint64_t>(End::FREED)});
            }
        }
        return result;
    }
} // extern "C"
