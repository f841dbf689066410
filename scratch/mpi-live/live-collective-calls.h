/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * What collective-calls.h and neighbor-calls.h make of each function here. Who includes this has a
 * function BeginCollective.
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
    begin(&real);
    mpilive::Process::Get().CountReal(1);
    return [real]() mutable {
        mpilive::Process::Get().CountReal(-1);
        return PMPI_Wait(&real, MPI_STATUS_IGNORE);
    };
}

} // namespace

// Defines MPI_NAME and its non-blocking form MPI_INAME. WHAT is what they move, DATA what moves the
// data.
#define UNPACK(...) __VA_ARGS__
#define LIVE_COLLECTIVE(name, iname, what, data, ...)                                              \
    extern "C" int MPI_##name(__VA_ARGS__)                                                         \
    {                                                                                              \
        const mpilive::Call call(Function::name);                                                  \
        mpilive::Request request;                                                                  \
        BeginCollective(request, Function::name, comm, what, data);                                \
        return mpilive::Complete(Function::name, request, MPI_STATUS_IGNORE);                      \
    }                                                                                              \
    extern "C" int MPI_##iname(__VA_ARGS__, MPI_Request* handle)                                   \
    {                                                                                              \
        const mpilive::Call call(Function::iname);                                                 \
        auto request = std::make_unique<mpilive::Request>();                                       \
        BeginCollective(*request, Function::iname, comm, what, data);                              \
        *handle = mpilive::HandleOf(std::move(request));                                           \
        return MPI_SUCCESS;                                                                        \
    }
#define COLLECTIVE(name, iname, what, arguments, ...)                                              \
    LIVE_COLLECTIVE(name,                                                                          \
                    iname,                                                                         \
                    what,                                                                          \
                    Started([&](MPI_Request* real) { PMPI_##iname(UNPACK arguments, real); }),     \
                    __VA_ARGS__)
#define COLLECTIVE_OF_SOME(name, iname, what, arguments, ...)                                      \
    LIVE_COLLECTIVE(name, iname, what, name##Data arguments, __VA_ARGS__)
