/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * The functions that look for messages, and those that receive what has been found.
 */

#include "messages.h"

using namespace mpilive;

namespace
{

/** A message that a probe has taken. Its handle is its address. */
struct TakenMessage
{
    uint64_t number; //!< in the simulation
    std::shared_ptr<Communicator> comm;
};

/** Probes. \param message set to a message that is taken, if \p bits say so \return whether there
 * is one */
bool
DoProbe(const Wanted& wanted, unsigned bits, MPI_Message* message, MPI_Status* status)
{
    if (wanted.from == MPI_PROC_NULL)
    {
        SetEmpty(status, MPI_PROC_NULL);
        if (message)
        {
            *message = MPI_MESSAGE_NO_PROC;
        }
        return true;
    }
    const std::shared_ptr<Communicator> comm = Find(wanted.comm);
    Process& process = Process::Get();
    PutWanted(WORMHOLE_LIVE_PROBE, Function::Probe, *comm, wanted, bits);
    process.Ask();
    if (process.Read() == 0)
    {
        return false;
    }
    MPI_Status own;
    MPI_Status& found = status == MPI_STATUS_IGNORE ? own : *status;
    SetEmpty(&found, comm->MemberOf(static_cast<int>(process.Read())));
    found.MPI_TAG = static_cast<int>(process.Read());
    PMPI_Status_set_elements_x(&found, MPI_BYTE, static_cast<MPI_Count>(process.Read()));
    if (message)
    {
        *message = reinterpret_cast<MPI_Message>(new TakenMessage{process.Read(), comm});
    }
    return true;
}

void
BeginMatchedReceive(Request& request, Function function, const Place& place, MPI_Message* message)
{
    if (*message == MPI_MESSAGE_NO_PROC)
    {
        BeginNothing(request);
        return;
    }
    const std::unique_ptr<TakenMessage> taken(reinterpret_cast<TakenMessage*>(*message));
    BeginRequest(request, function);
    request.comm = taken->comm;
    request.finish = [place](Request& own) { return FinishReceive(own, place); };
    Process::Get().Begin(WORMHOLE_LIVE_MATCHED_RECEIVE, function, {taken->number, request.number});
    *message = MPI_MESSAGE_NULL;
}

} // namespace

extern "C"
{
    int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status* status)
    {
        const Call call(Function::Probe);
        if (IsProbeRefused({from, tag, comm}))
        {
            return PMPI_Probe(from, tag, comm, status);
        }
        DoProbe({from, tag, comm}, 0, nullptr, status);
        return MPI_SUCCESS;
    }

    int MPI_Iprobe(int from, int tag, MPI_Comm comm, int* flag, MPI_Status* status)
    {
        const Call call(Function::Probe);
        if (IsProbeRefused({from, tag, comm}))
        {
            return PMPI_Iprobe(from, tag, comm, flag, status);
        }
        *flag = DoProbe({from, tag, comm}, WORMHOLE_LIVE_NOW, nullptr, status);
        return MPI_SUCCESS;
    }

    int MPI_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status)
    {
        const Call call(Function::Probe);
        if (IsProbeRefused({from, tag, comm}))
        {
            return PMPI_Mprobe(from, tag, comm, message, status);
        }
        DoProbe({from, tag, comm}, WORMHOLE_LIVE_TAKE, message, status);
        return MPI_SUCCESS;
    }

    int MPI_Improbe(int from,
                    int tag,
                    MPI_Comm comm,
                    int* flag,
                    MPI_Message* message,
                    MPI_Status* status)
    {
        const Call call(Function::Probe);
        if (IsProbeRefused({from, tag, comm}))
        {
            return PMPI_Improbe(from, tag, comm, flag, message, status);
        }
        *flag = DoProbe({from, tag, comm}, WORMHOLE_LIVE_TAKE | WORMHOLE_LIVE_NOW, message, status);
        return MPI_SUCCESS;
    }

    int MPI_Mrecv(void* buffer,
                  int count,
                  MPI_Datatype type,
                  MPI_Message* message,
                  MPI_Status* status)
    {
        const Call call(Function::Mrecv);
        Request request;
        BeginMatchedReceive(request, Function::Mrecv, {buffer, count, type}, message);
        return Complete(Function::Mrecv, request, status);
    }

    int MPI_Imrecv(void* buffer,
                   int count,
                   MPI_Datatype type,
                   MPI_Message* message,
                   MPI_Request* handle)
    {
        const Call call(Function::Imrecv);
        auto request = std::make_unique<Request>();
        BeginMatchedReceive(*request, Function::Imrecv, {buffer, count, type}, message);
        *handle = HandleOf(std::move(request));
        return MPI_SUCCESS;
    }
} // extern "C"
