/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef MPI_TRACE_RECORDER_H
#define MPI_TRACE_RECORDER_H

#include "collective-bytes.h"
#include "trace-file.h"
#include "workload-mpi-format.h"

#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <mpi.h>
#include <pthread.h>
#include <sys/types.h>
#include <vector>

namespace mpitrace
{

using Function = ns3::WorkloadMpiCall;
using Kind = ns3::WorkloadMpiKind;
using End = ns3::WorkloadMpiEnd;

/** \return this machine's monotonic clock, ns */
uint64_t Now();

/** The trace of this process: its file, and the times between records. */
class Recorder
{
  public:
    static Recorder& Get();

    /** Creates the file in the folder that `wormhole trace` named, once MPI runs; collective. */
    void Open();

    /** Writes the end, or, if the program ends without MPI_Finalize, leaves what is there. */
    void Close(bool finalized);

    /** \return whether calls are recorded */
    bool IsOpen() const
    {
        return m_file.IsOpen();
    }

    /** \return whether MPI_Init was called */
    bool WasOpened() const
    {
        return m_process != 0;
    }

    void Put(uint64_t number) ///< as a varint of 7 bits per byte
    {
        m_file.Put(number);
    }

    void PutByte(uint8_t byte)
    {
        m_file.PutByte(byte);
    }

    /** Counts a record that begins. */
    void Count()
    {
        ++m_records;
    }

  private:
    friend class Call;

    void PutHead(int rank, int ranks);

    TraceFile m_file;
    pid_t m_process{0}; //!< that writes it, not one that it forks
    uint64_t m_records{0};
    pthread_t m_thread{};
    bool m_inside{false};               //!< of an MPI function of the program's
    uint64_t m_computed{0};             //!< ns outside MPI since the last record
    uint64_t m_waited{0};               //!< ns inside MPI since the last record
    uint64_t m_since{0};                //!< when MPI was left
    std::atomic<bool> m_threads{false}; //!< another thread called MPI
};

/** A call of an MPI function, from its entry to its return. */
class Call
{
  public:
    explicit Call(Function function);
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    /** \return whether it is to be recorded: it is the program's, in the thread that is traced */
    explicit operator bool() const
    {
        return m_traced;
    }

    /** \return whether it is to be recorded, once the MPI library returned \p result: what it
     * refuses moves nothing */
    bool Records(int result) const
    {
        return m_traced && (result == MPI_SUCCESS || MovesData(result));
    }

    /** \return the function of its records */
    Function GetFunction() const
    {
        return m_function;
    }

    void SetFunction(Function function)
    {
        m_function = function;
    }

    /** Writes a record's beginning; a call's first record takes the time that has passed. */
    void Begin(Kind kind, std::initializer_list<uint64_t> fields);

    /** Writes numbers of the record. */
    void Put(uint64_t number)
    {
        m_recorder.Put(number);
    }

  private:
    static bool MovesData(int error);

    Recorder& m_recorder;
    Function m_function;
    bool m_traced;
    uint64_t m_entry{0};
};

/** \return the number of a communicator in this trace. \param call that sends on it */
uint32_t NumberOf(const Call& call, MPI_Comm comm);

/** Writes that \p comm was made of \p parent, unless it is none. */
void Made(Call& call, MPI_Comm parent, MPI_Comm comm);

/** Remembers the communicator that MPI_Comm_idup makes once \p request is complete. */
void MadeLater(MPI_Request request, MPI_Comm parent, MPI_Comm* comm);

/** \return the number of a new request, from 1; it stands for \p request until that is over */
uint32_t Pending(MPI_Request request, bool receive);

/** \return the bytes that a receive got */
uint64_t BytesOf(const MPI_Status& status);

/** \return the status to have filled in: the program's, or one of ours */
MPI_Status* Wanted(MPI_Status* status, MPI_Status& own);

/** Writes a send. \param request its number; 0: it is over */
void PutSend(Call& call, MPI_Comm comm, int to, int tag, uint64_t bytes, uint32_t request);

/** Writes a receive, as PutSend; a source or tag that is open is 0. */
void PutReceive(Call& call, MPI_Comm comm, int from, int tag, uint64_t bytes, uint32_t request);

/** Writes how a request of a Kind::COMPLETE record ended. \param status for End::RECEIVED */
void PutEnd(Call& call, uint32_t request, End end, const MPI_Status& status);

} // namespace mpitrace

#endif // MPI_TRACE_RECORDER_H
