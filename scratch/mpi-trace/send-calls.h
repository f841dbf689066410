/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * The sends of all modes, blocking, non-blocking and persistent: who includes this, once in a
 * program, has functions DoSend, DoIsend and DoSendInit, and defines the arguments that come before
 * MPI's: SEND_OF(name), ISEND_OF(name, iname), SEND_INIT_OF(name, init).
 */

#define WORMHOLE_MPI_SENDS(name, iname, init)                                                      \
    extern "C" int MPI_##name(const void* buffer,                                                  \
                              int count,                                                           \
                              MPI_Datatype type,                                                   \
                              int to,                                                              \
                              int tag,                                                             \
                              MPI_Comm comm)                                                       \
    {                                                                                              \
        return DoSend(SEND_OF(name), buffer, count, type, to, tag, comm);                          \
    }                                                                                              \
    extern "C" int MPI_##iname(const void* buffer,                                                 \
                               int count,                                                          \
                               MPI_Datatype type,                                                  \
                               int to,                                                             \
                               int tag,                                                            \
                               MPI_Comm comm,                                                      \
                               MPI_Request* request)                                               \
    {                                                                                              \
        return DoIsend(ISEND_OF(name, iname), buffer, count, type, to, tag, comm, request);        \
    }                                                                                              \
    extern "C" int MPI_##init(const void* buffer,                                                  \
                              int count,                                                           \
                              MPI_Datatype type,                                                   \
                              int to,                                                              \
                              int tag,                                                             \
                              MPI_Comm comm,                                                       \
                              MPI_Request* request)                                                \
    {                                                                                              \
        return DoSendInit(SEND_INIT_OF(name, init), buffer, count, type, to, tag, comm, request);  \
    }

WORMHOLE_MPI_SENDS(Send, Isend, Send_init)
WORMHOLE_MPI_SENDS(Bsend, Ibsend, Bsend_init)
WORMHOLE_MPI_SENDS(Ssend, Issend, Ssend_init)
WORMHOLE_MPI_SENDS(Rsend, Irsend, Rsend_init)

#undef WORMHOLE_MPI_SENDS
