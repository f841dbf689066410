/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef MPI_TRACE_COLLECTIVE_H
#define MPI_TRACE_COLLECTIVE_H

#include "recorder.h"

// Defines MPI_NAME and its non-blocking form MPI_INAME. WHAT is what they move, in terms of the
// parameters, for the Write() of the file; ARGUMENTS are these in parentheses; then come the
// parameters but the request.
#define UNPACK(...) __VA_ARGS__
#define COLLECTIVE(name, iname, what, arguments, ...)                                              \
    extern "C" int MPI_##name(__VA_ARGS__)                                                         \
    {                                                                                              \
        Call call(Function::name);                                                                 \
        const int result = PMPI_##name arguments;                                                  \
        if (call.Records(result))                                                                  \
        {                                                                                          \
            Write(call, comm, what, 0);                                                            \
        }                                                                                          \
        return result;                                                                             \
    }                                                                                              \
    extern "C" int MPI_##iname(__VA_ARGS__, MPI_Request* request)                                  \
    {                                                                                              \
        Call call(Function::iname);                                                                \
        const int result = PMPI_##iname(UNPACK arguments, request);                                \
        if (call.Records(result))                                                                  \
        {                                                                                          \
            Write(call, comm, what, Pending(*request, false));                                     \
        }                                                                                          \
        return result;                                                                             \
    }

#endif // MPI_TRACE_COLLECTIVE_H
