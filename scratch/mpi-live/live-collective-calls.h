/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * What collective-calls.h and neighbor-calls.h make of each function here. Who includes this has a
 * functions BeginCollective, IsRefused: whether the MPI library refuses what a collective moves,
 * and MovesNothing: whether members return at once, without waiting for others.
 */

#include "live.h"

namespace
{

/** \return what waits for a collective of the MPI library. \param begin begins it */
template <typename Begin>
mpilive::Finish
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
        const bool nothing = MovesNothing(Function::name, moved);                                  \
        if (const int error = nothing ? PMPI_##name real : MPI_SUCCESS)                            \
        {                                                                                          \
            return error;                                                                          \
        }                                                                                          \
        mpilive::Request request;                                                                  \
        BeginCollective(request,                                                                   \
                        Function::name,                                                            \
                        comm,                                                                      \
                        moved,                                                                     \
                        nothing ? mpilive::Finish() : mpilive::Finish(data));                      \
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
        const bool nothing = MovesNothing(Function::name, moved);                                  \
        if (const int error = nothing ? PMPI_##name real : MPI_SUCCESS)                            \
        {                                                                                          \
            return error;                                                                          \
        }                                                                                          \
        auto request = std::make_unique<mpilive::Request>();                                       \
        BeginCollective(*request,                                                                  \
                        Function::iname,                                                           \
                        comm,                                                                      \
                        moved,                                                                     \
                        nothing ? mpilive::Finish() : mpilive::Finish(data));                      \
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
#define COLLECTIVE_OF_BLOCKS(name, iname, what, arguments, ...)                                    \
    LIVE_COLLECTIVE(name,                                                                          \
                    iname,                                                                         \
                    what,                                                                          \
                    arguments,                                                                     \
                    HasEmptyBlocks(moved) ? name##Data arguments                                   \
                                          : Started([&](MPI_Request* real) {                       \
                                                return PMPI_##iname(UNPACK arguments, real);       \
                                            }),                                                    \
                    __VA_ARGS__)
#define COLLECTIVE_OF_SOME(name, iname, what, arguments, ...)                                      \
    LIVE_COLLECTIVE(name, iname, what, arguments, name##Data arguments, __VA_ARGS__)
