/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * What the functions of libwormhole-trace.so share: the file, the times.
 */

#include "recorder.h"

#include "warnings.h"

#include <cstdlib>
#include <random>
#include <string>
#include <time.h>
#include <unistd.h>

namespace mpitrace
{

namespace
{

/** A clock's distance from that of rank 0. */
struct Offset
{
    int64_t ns{0};     ///< to add
    uint32_t error{0}; ///< at most, ns
};

constexpr int CLOCK_TAG = 1;
constexpr int CLOCK_ROUNDS = 32;

/**
 * Answers the clock's questions of one rank after the other: rank 0's part of FindOffset.
 * \param comm of all ranks, used for nothing else
 */
void
TellTime(MPI_Comm comm, int ranks)
{
    for (int rank = 1; rank < ranks; ++rank)
    {
        for (int i = 0; i < CLOCK_ROUNDS; ++i)
        {
            PMPI_Recv(nullptr, 0, MPI_BYTE, rank, CLOCK_TAG, comm, MPI_STATUS_IGNORE);
            uint64_t now = Now();
            PMPI_Send(&now, 1, MPI_UINT64_T, rank, CLOCK_TAG, comm);
        }
    }
}

/** \return the distance from rank 0's clock, by Cristian's algorithm ("Probabilistic clock
 * synchronization", 1989): the fastest answer counts, and is off by at most half its time */
Offset
FindOffset(MPI_Comm comm)
{
    Offset offset{0, UINT32_MAX};
    for (int i = 0; i < CLOCK_ROUNDS; ++i)
    {
        uint64_t there = 0;
        const uint64_t asked = Now();
        PMPI_Send(nullptr, 0, MPI_BYTE, 0, CLOCK_TAG, comm);
        PMPI_Recv(&there, 1, MPI_UINT64_T, 0, CLOCK_TAG, comm, MPI_STATUS_IGNORE);
        const uint64_t half = (Now() - asked) / 2;
        if (half < offset.error)
        {
            offset.error = static_cast<uint32_t>(half);
            offset.ns = static_cast<int64_t>(there - (asked + half));
        }
    }
    return offset;
}

/** Writes a number of fixed length, little endian. */
void
PutFixed(Recorder& recorder, uint64_t number, int bytes)
{
    for (int i = 0; i < bytes; ++i)
    {
        recorder.PutByte(static_cast<uint8_t>(number >> (8 * i)));
    }
}

} // namespace

uint64_t
Now()
{
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

Recorder&
Recorder::Get()
{
    // it must outlive all that the program destroys at its end
    static auto* recorder = new Recorder;
    return *recorder;
}

void
Recorder::Open()
{
    const char* folder = getenv("WORMHOLE_TRACE_FOLDER");
    if (!folder || IsOpen())
    {
        return;
    }
    int rank = 0;
    int ranks = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const std::string path = std::string(folder) + "/rank-" + std::to_string(rank) + ".mpitrace";
    m_process = getpid();
    m_file.Open(path);
    PutHead(rank, ranks); // in any case: it is collective
    m_thread = pthread_self();
}

void
Recorder::PutHead(int rank, int ranks)
{
    uint64_t run = 0;
    if (rank == 0)
    {
        std::random_device random;
        run = static_cast<uint64_t>(random()) << 32 | random();
    }
    MPI_Comm comm = MPI_COMM_NULL;
    PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
    PMPI_Bcast(&run, 1, MPI_UINT64_T, 0, comm);
    Offset offset;
    if (rank == 0)
    {
        TellTime(comm, ranks);
    }
    else
    {
        offset = FindOffset(comm);
    }
    PMPI_Barrier(comm);
    PMPI_Comm_free(&comm);
    m_since = Now();
    for (int i = 0; i < 8; ++i)
    {
        PutByte(static_cast<uint8_t>(ns3::WORKLOAD_MPI_MAGIC[i]));
    }
    PutFixed(*this, static_cast<uint64_t>(rank), 4);
    PutFixed(*this, static_cast<uint64_t>(ranks), 4);
    PutFixed(*this, run, 8);
    PutFixed(*this, m_since, 8);
    PutFixed(*this, static_cast<uint64_t>(offset.ns), 8);
    PutFixed(*this, offset.error, 4);
    static_assert(ns3::WORKLOAD_MPI_UNUSED_AT + 4 == ns3::WORKLOAD_MPI_HEAD);
    PutFixed(*this, 0, 4); // which the file counts
    m_file.Keep();
    m_since = Now();
}

void
Recorder::Close(bool finalized)
{
    if (!IsOpen() || getpid() != m_process)
    {
        return;
    }
    if (finalized)
    {
        Call call(Function::Finalize);
        if (call)
        {
            call.Begin(Kind::END, {});
            Put(m_records);
        }
    }
    m_file.Close();
}

Call::Call(Function function)
    : m_recorder(Recorder::Get()),
      m_function(function),
      m_traced(m_recorder.IsOpen())
{
    if (m_traced && !pthread_equal(pthread_self(), m_recorder.m_thread))
    {
        m_recorder.m_threads = true;
        WarnOf(function, " is called by a second thread");
        m_traced = false;
    }
    m_traced = m_traced && !m_recorder.m_inside;
    if (m_traced)
    {
        m_entry = Now();
        m_recorder.m_inside = true;
        m_recorder.m_computed += m_entry - m_recorder.m_since;
    }
}

Call::~Call()
{
    if (m_traced)
    {
        // what recording took is no computation of the program's
        m_recorder.m_since = Now();
        m_recorder.m_waited += m_recorder.m_since - m_entry;
        m_recorder.m_inside = false;
        m_recorder.m_file.Keep();
    }
}

/** \return whether a call with an error has received a message all the same */
bool
Call::MovesData(int error)
{
    int what = MPI_SUCCESS;
    PMPI_Error_class(error, &what);
    return what == MPI_ERR_TRUNCATE || what == MPI_ERR_IN_STATUS;
}

void
Call::Begin(Kind kind, std::initializer_list<uint64_t> fields)
{
    if (m_recorder.m_threads.exchange(false))
    {
        m_recorder.Count();
        m_recorder.PutByte(static_cast<uint8_t>(Kind::UNSUPPORTED));
        m_recorder.PutByte(static_cast<uint8_t>(Function::Init_thread));
        m_recorder.Put(0);
        m_recorder.Put(0);
    }
    const uint64_t now = Now();
    m_recorder.Count();
    m_recorder.PutByte(static_cast<uint8_t>(kind));
    m_recorder.PutByte(static_cast<uint8_t>(m_function));
    m_recorder.Put(m_recorder.m_computed);
    m_recorder.Put(m_recorder.m_waited + now - m_entry);
    m_recorder.m_computed = 0;
    m_recorder.m_waited = 0;
    m_entry = now;
    for (const uint64_t field : fields)
    {
        m_recorder.Put(field);
    }
}

uint64_t
BytesOf(const MPI_Status& status)
{
    MPI_Count bytes = 0;
    PMPI_Get_elements_x(&status, MPI_BYTE, &bytes);
    return bytes < 0 ? 0 : static_cast<uint64_t>(bytes);
}

MPI_Status*
Wanted(MPI_Status* status, MPI_Status& own)
{
    return status == MPI_STATUS_IGNORE ? &own : status;
}

} // namespace mpitrace
