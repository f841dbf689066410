/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * The functions that send, receive and probe. The simulation says which message a receive gets; the
 * message is then received by its number, among those of its source to its destination.
 */

#include "collective-bytes.h"
#include "live.h"

using namespace mpilive;

namespace
{

/** A message that a probe has taken. Its handle is its address. */
struct TakenMessage
{
    uint64_t number; //!< in the simulation
    std::shared_ptr<Communicator> comm;
};

/** A receive's arguments. */
struct Place
{
    void* buffer;
    int count;
    MPI_Datatype type;
};

/** What a receive or a probe asks for. */
struct Wanted
{
    int from;
    int tag;
    MPI_Comm comm;
};

using Mode = wormhole_live_bits;
constexpr auto STANDARD = static_cast<Mode>(0);

/** \return whether a rank is one of a communicator; else \p error is what MPI returns */
bool
IsMember(const Communicator& comm, int rank, int& error)
{
    const bool member = rank >= 0 && static_cast<size_t>(rank) < comm.members.size();
    error = member ? MPI_SUCCESS : PMPI_Comm_call_errhandler(comm.handle, MPI_ERR_RANK);
    return member;
}

/** Begins a request that is over at once, of MPI_PROC_NULL. */
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

/** Begins a request of the simulation. */
void
BeginRequest(Request& request, Function function)
{
    request.function = function;
    request.number = Process::Get().NextRequest();
    request.active = true;
    request.over = false;
    request.cancelled = false;
}

/** \param asked whether the rank will ask about its end */
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

/** Moves the data of a receive that is over. */
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

/** Puts what a receive or a probe asks for. \param bits besides */
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

int
BeginReceive(Request& request, Function function, const Place& place, const Wanted& wanted)
{
    if (wanted.from == MPI_PROC_NULL)
    {
        BeginNothing(request);
        return MPI_SUCCESS;
    }
    request.comm = Find(wanted.comm);
    int error = MPI_SUCCESS;
    if (wanted.from != MPI_ANY_SOURCE && !IsMember(*request.comm, wanted.from, error))
    {
        return error;
    }
    BeginRequest(request, function);
    request.receives = true;
    request.finish = [place](Request& own) { return FinishReceive(own, place); };
    PutWanted(WORMHOLE_LIVE_RECEIVE, function, *request.comm, wanted, 0);
    Process::Get().Put(request.number);
    return MPI_SUCCESS;
}

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
    if (error != MPI_SUCCESS || !asked)
    {
        process.CountUnasked(function);
        return error;
    }
    return Complete(function, request, MPI_STATUS_IGNORE);
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

/** Probes. \param message set to a message that is taken, if \p bits say so \return whether there
 * is one */
bool
DoProbe(const Wanted& wanted, unsigned bits, MPI_Message* message, MPI_Status* status)
{
    const Call call(Function::Probe);
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
    const Call call(function);
    Request receive;
    Request send;
    int error = BeginReceive(receive, function, received, wanted);
    if (error == MPI_SUCCESS)
    {
        error = BeginSend(send,
                          true,
                          function,
                          STANDARD,
                          sent.buffer,
                          sent.count,
                          sent.type,
                          to,
                          sendTag,
                          wanted.comm);
    }
    if (error != MPI_SUCCESS)
    {
        return error;
    }
    Complete(function, send, MPI_STATUS_IGNORE);
    return Complete(function, receive, status);
}

} // namespace

// Defines MPI_NAME, its non-blocking form MPI_INAME, and its persistent one MPI_NAME_init.
#define SEND(name, iname, init, mode)                                                              \
    extern "C" int MPI_##name(const void* buffer,                                                  \
                              int count,                                                           \
                              MPI_Datatype type,                                                   \
                              int to,                                                              \
                              int tag,                                                             \
                              MPI_Comm comm)                                                       \
    {                                                                                              \
        return DoSend(Function::name, mode, buffer, count, type, to, tag, comm);                   \
    }                                                                                              \
    extern "C" int MPI_##iname(const void* buffer,                                                 \
                               int count,                                                          \
                               MPI_Datatype type,                                                  \
                               int to,                                                             \
                               int tag,                                                            \
                               MPI_Comm comm,                                                      \
                               MPI_Request* request)                                               \
    {                                                                                              \
        return DoIsend(Function::iname, mode, buffer, count, type, to, tag, comm, request);        \
    }                                                                                              \
    extern "C" int MPI_##init(const void* buffer,                                                  \
                              int count,                                                           \
                              MPI_Datatype type,                                                   \
                              int to,                                                              \
                              int tag,                                                             \
                              MPI_Comm comm,                                                       \
                              MPI_Request* request)                                                \
    {                                                                                              \
        return DoSendInit(mode, buffer, count, type, to, tag, comm, request);                      \
    }

SEND(Send, Isend, Send_init, STANDARD)
SEND(Bsend, Ibsend, Bsend_init, WORMHOLE_LIVE_BUFFERED)
SEND(Ssend, Issend, Ssend_init, WORMHOLE_LIVE_SYNCHRONOUS)
SEND(Rsend, Irsend, Rsend_init, STANDARD)

extern "C"
{
    int MPI_Recv(void* buffer,
                 int count,
                 MPI_Datatype type,
                 int from,
                 int tag,
                 MPI_Comm comm,
                 MPI_Status* status)
    {
        const Call call(Function::Recv);
        Request request;
        const int error =
            BeginReceive(request, Function::Recv, {buffer, count, type}, {from, tag, comm});
        return error != MPI_SUCCESS ? error : Complete(Function::Recv, request, status);
    }

    int MPI_Irecv(void* buffer,
                  int count,
                  MPI_Datatype type,
                  int from,
                  int tag,
                  MPI_Comm comm,
                  MPI_Request* handle)
    {
        const Call call(Function::Irecv);
        auto request = std::make_unique<Request>();
        const int error =
            BeginReceive(*request, Function::Irecv, {buffer, count, type}, {from, tag, comm});
        if (error == MPI_SUCCESS)
        {
            *handle = HandleOf(std::move(request));
        }
        return error;
    }

    int MPI_Recv_init(void* buffer,
                      int count,
                      MPI_Datatype type,
                      int from,
                      int tag,
                      MPI_Comm comm,
                      MPI_Request* handle)
    {
        const Call call(Function::Start);
        auto request = std::make_unique<Request>();
        request->persistent = true;
        request->start = [=](Request& own) {
            BeginReceive(own, Function::Start, {buffer, count, type}, {from, tag, comm});
        };
        *handle = HandleOf(std::move(request));
        return MPI_SUCCESS;
    }

    int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status* status)
    {
        DoProbe({from, tag, comm}, 0, nullptr, status);
        return MPI_SUCCESS;
    }

    int MPI_Iprobe(int from, int tag, MPI_Comm comm, int* flag, MPI_Status* status)
    {
        *flag = DoProbe({from, tag, comm}, WORMHOLE_LIVE_NOW, nullptr, status);
        return MPI_SUCCESS;
    }

    int MPI_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status)
    {
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

    int MPI_Sendrecv(const void* sent,
                     int sendCount,
                     MPI_Datatype sendType,
                     int to,
                     int sendTag,
                     void* received,
                     int receiveCount,
                     MPI_Datatype receiveType,
                     int from,
                     int receiveTag,
                     MPI_Comm comm,
                     MPI_Status* status)
    {
        return Exchange(Function::Sendrecv,
                        {const_cast<void*>(sent), sendCount, sendType},
                        to,
                        sendTag,
                        {received, receiveCount, receiveType},
                        {from, receiveTag, comm},
                        status);
    }

    int MPI_Sendrecv_replace(void* buffer,
                             int count,
                             MPI_Datatype type,
                             int to,
                             int sendTag,
                             int from,
                             int receiveTag,
                             MPI_Comm comm,
                             MPI_Status* status)
    {
        return Exchange(Function::Sendrecv_replace,
                        {buffer, count, type},
                        to,
                        sendTag,
                        {buffer, count, type},
                        {from, receiveTag, comm},
                        status);
    }
} // extern "C"
