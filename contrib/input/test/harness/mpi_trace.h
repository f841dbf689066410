/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_MPI_TRACE_H
#define HARNESS_MPI_TRACE_H

#include <cstdint>
#include <initializer_list>
#include <string>

namespace harness
{

/**
 * A trace of an MPI program's rank, written byte by byte as docs/reference/mpi-trace-format.md
 * says, without the code that reads it.
 */
class MpiTrace
{
  public:
    /** Kinds of records; tests have others, too. */
    enum Kind : uint8_t
    {
        END,
        COMMUNICATOR,
        SEND,
        RECV,
        COMPLETE,
        COLLECTIVE,
        NEIGHBORS,
        UNSUPPORTED
    };

    /** Numbers of some functions. */
    enum Function
    {
        FINALIZE = 0,
        SEND_CALL = 1,
        BSEND = 2,
        SSEND = 3,
        RSEND = 4,
        ISEND = 5,
        RECV_CALL = 9,
        IRECV = 10,
        WAIT = 17,
        WAITALL = 18,
        REQUEST_FREE = 25,
        SPLIT = 31,
        BARRIER = 40,
        BCAST = 41,
        ALLREDUCE = 43,
        IALLREDUCE = 60,
        NEIGHBOR_ALLTOALL = 76,
        WIN_CREATE = 84,
        BSEND_INIT = 96,
        SSEND_INIT = 97
    };

    /** \param start and \param offset: of its clock, ns \param run number of the run */
    MpiTrace(uint32_t rank,
             uint32_t ranks,
             uint64_t start = 0,
             int64_t offset = 0,
             uint64_t run = 7)
    {
        m_bytes.assign("WHMPI\0\0\1", 8);
        Fixed(rank, 4);
        Fixed(ranks, 4);
        Fixed(run, 8);
        Fixed(start, 8);
        Fixed(static_cast<uint64_t>(offset), 8);
        Fixed(100, 4);
        Fixed(0, 4);
    }

    /** Time outside MPI before the next record, ns. */
    MpiTrace& Compute(uint64_t ns)
    {
        m_computed = ns;
        return *this;
    }

    /** Adds a record with these numbers. */
    MpiTrace& Add(Kind kind, uint64_t function, std::initializer_list<uint64_t> numbers)
    {
        m_bytes += static_cast<char>(kind);
        m_bytes += static_cast<char>(function);
        Put(m_computed);
        Put(1000); // in MPI: of no effect
        m_computed = 0;
        ++m_records;
        for (const uint64_t number : numbers)
        {
            Put(number);
        }
        return *this;
    }

    /** \return the file, with its end */
    std::string Ended()
    {
        Add(END, FINALIZE, {});
        Put(m_records);
        return m_bytes;
    }

    /** \return the file as it is */
    const std::string& Bytes() const
    {
        return m_bytes;
    }

    void Put(uint64_t number)
    {
        for (; number > 0x7f; number >>= 7)
        {
            m_bytes += static_cast<char>(number | 0x80);
        }
        m_bytes += static_cast<char>(number);
    }

  private:
    void Fixed(uint64_t number, int bytes)
    {
        for (int i = 0; i < bytes; ++i)
        {
            m_bytes += static_cast<char>(number >> (8 * i));
        }
    }

    std::string m_bytes;
    uint64_t m_computed{0};
    uint64_t m_records{0};
};

} // namespace harness

#endif // HARNESS_MPI_TRACE_H
