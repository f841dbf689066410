/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * The functions that complete requests.
 */

#include "requests.h"

#include <utility>

using namespace mpitrace;

namespace
{

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
        if (const auto made = AllRequests().comms.find(handle); made != AllRequests().comms.end())
        {
            Made(m_call, made->second.parent, *made->second.comm);
            AllRequests().comms.erase(made);
        }
        const auto found = AllRequests().pending.find(handle);
        if (found != AllRequests().pending.end())
        {
            m_done.emplace_back(found->second, status);
            AllRequests().pending.erase(found);
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
    AllRequests().handles.assign(requests, requests + count);
    if (statuses != MPI_STATUSES_IGNORE)
    {
        return statuses;
    }
    AllRequests().statuses.resize(static_cast<size_t>(count) + 1);
    return AllRequests().statuses.data();
}

/** Writes the requests of a call that completed all that it was given. */
void
WriteAll(Call& call, int count, const MPI_Status* statuses)
{
    Completed completed(call);
    for (int i = 0; i < count; ++i)
    {
        completed.Add(AllRequests().handles[static_cast<size_t>(i)], statuses[i]);
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
        completed.Add(AllRequests().handles[static_cast<size_t>(indices[i])], statuses[i]);
    }
    completed.Write();
}

} // namespace

extern "C"
{
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
        if (!call || count < 0)
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
        if (!call || count < 0)
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
        if (!call || count < 0)
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
        if (!call || count < 0)
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
        if (!call || count < 0)
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
        if (!call || count < 0)
        {
            return PMPI_Testsome(count, requests, done, indices, statuses);
        }
        statuses = Keep(count, requests, statuses);
        const int result = PMPI_Testsome(count, requests, done, indices, statuses);
        WriteSome(call, *done, indices, statuses);
        return result;
    }
} // extern "C"
