/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * What collective-calls.h and neighbor-calls.h make of each function here. Who includes this has a
 * functions BeginCollective and IsRefused: whether the MPI library refuses what a collective moves.
 */

#include "live.h"

namespace
{

/** \return what waits for a collective of the MPI library. \param begin begins it */
template <typename Begin>
std::function<int()>
Started(const Begin& begin)
{
    MPI_Request real = MPI_REQUEST_NULL;
    if (const int error = begin(&real))
    {
        return [error] { return error; };
    }
    mpilive::Process::Get().CountReal(1);
    return [real]() mutable {
        mpilive::Process::Get().CountReal(-1);
        return PMPI_Wait(&real, MPI_STATUS_IGNORE);
    };
}

} // namespace

// Defines MPI_NAME and its non-blocking form MPI_INAME. WHAT is what they move, REAL the
// arguments, DATA what moves the data.
#define UNPACK(...) __VA_ARGS__
#define LIVE_COLLECTIVE(name, iname, what, real, data, ...)                                        \
    extern "C" int MPI_##name(__VA_ARGS__)                                                         \
    {                                                                                              \
        const mpilive::Call call(Function::name);                                                  \
        if (mpilive::IsCommRefused(comm))                                                          \
        {                                                                                          \
            return PMPI_##name real;                                                               \
        }                                                                                          \
        const auto moved = what;                                                                   \
        if (IsRefused(moved, comm))                                                                \
        {                                                                                          \
            return PMPI_##name real;                                                               \
        }                                                                                          \
        mpilive::Request request;                                                                  \
        BeginCollective(request, Function::name, comm, moved, data);                               \
        return mpilive::Complete(Function::name, request, MPI_STATUS_IGNORE);                      \
    }                                                                                              \
    extern "C" int MPI_##iname(__VA_ARGS__, MPI_Request* handle)                                   \
    {                                                                                              \
        const mpilive::Call call(Function::iname);                                                 \
        if (mpilive::IsCommRefused(comm))                                                          \
        {                                                                                          \
            return PMPI_##iname(UNPACK real, handle);                                              \
        }                                                                                          \
        const auto moved = what;                                                                   \
        if (IsRefused(moved, comm))                                                                \
        {                                                                                          \
            return PMPI_##iname(UNPACK real, handle);                                              \
        }                                                                                          \
        auto request = std::make_unique<mpilive::Request>();                                       \
        BeginCollective(*request, Function::iname, comm, moved, data);                             \
        *handle = mpilive::HandleOf(std::move(request));                                           \
        return MPI_SUCCESS;                                                                        \
    }
#define COLLECTIVE(name, iname, what, arguments, ...)                                              \
    LIVE_COLLECTIVE(                                                                               \
        name,                                                                                      \
        iname,                                                                                     \
        what,                                                                                      \
        arguments,                                                                                 \
        Started([&](MPI_Request* real) { return PMPI_##iname(UNPACK arguments, real); }),          \
        __VA_ARGS__)
#define COLLECTIVE_OF_SOME(name, iname, what, arguments, ...)                                      \
    LIVE_COLLECTIVE(name, iname, what, arguments, name##Data arguments, __VA_ARGS__)
