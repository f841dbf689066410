/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_MPI_READER_H
#define WORKLOAD_MPI_READER_H

#include "workload-mpi-format.h"

#include <cstdint>
#include <istream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** \ingroup workload What a trace says of its rank before the first call. */
struct WorkloadMpiHead
{
    uint32_t rank{0};
    uint32_t ranks{0};       ///< of the program
    uint64_t run{0};         ///< the same in all traces of a run
    uint64_t start{0};       ///< when MPI_Init was over, ns of this rank's clock
    int64_t offset{0};       ///< to add for rank 0's clock, ns
    uint32_t offsetError{0}; ///< ns, at most

    /** \return when MPI_Init was over, by rank 0's clock, ns */
    int64_t CommonStart() const
    {
        return static_cast<int64_t>(start + static_cast<uint64_t>(offset));
    }
};

/** \ingroup workload A request that is over. */
struct WorkloadMpiCompletion
{
    uint32_t request{0};
    WorkloadMpiEnd end{WorkloadMpiEnd::DONE};
    uint32_t source{0}; ///< of a receive, in its communicator
    uint32_t tag{0};    ///< of a receive
    uint64_t bytes{0};  ///< of a receive
};

/** \ingroup workload A record of a trace. What its kind does not have is as it was before. */
struct WorkloadMpiRecord
{
    /** Rank in the communicator, and bytes. */
    using Neighbor = std::pair<uint32_t, uint64_t>;

    WorkloadMpiKind kind{WorkloadMpiKind::END};
    WorkloadMpiCall call{WorkloadMpiCall::Finalize};
    uint64_t computed{0}; ///< ns outside MPI before the call
    uint64_t inside{0};   ///< ns in MPI since the record before
    uint32_t comm{0};     ///< number of the communicator in this trace
    uint32_t parent{0};   ///< communicator that it was made of; UINT32_MAX if that is not known
    bool inter{false};    ///< of two groups
    uint32_t request{0};  ///< 0 if the call blocks
    uint32_t peer{0};     ///< in the communicator; the root of a collective
    uint32_t tag{0};
    uint64_t bytes{0};              ///< of the message, or of a collective's buffer or block
    uint8_t open{0};                ///< what a receive left open
    uint64_t element{1};            ///< bytes of what is reduced or broadcast
    bool commutative{true};         ///< operation of a reduction
    std::vector<uint32_t> members;  ///< of a communicator: ranks of the program
    std::vector<uint64_t> sends;    ///< of a collective, by rank
    std::vector<uint64_t> receives; ///< the same
    std::vector<Neighbor> to;       ///< neighbors
    std::vector<Neighbor> from;     ///< neighbors
    std::vector<WorkloadMpiCompletion> completed;
};

/**
 * \ingroup workload
 * \brief Reads the trace of one rank, record by record.
 *
 * All methods throw InputError for a file that is damaged, cut off or none.
 */
class WorkloadMpiReader
{
  public:
    /** Reads the head. \param in the file; must outlive the reader \param name for messages */
    WorkloadMpiReader(std::istream& in, const std::string& name);

    const WorkloadMpiHead& GetHead() const
    {
        return m_head;
    }

    /** \return false once the end was read; else \p record is set to the next one */
    bool Next(WorkloadMpiRecord& record);

    /** \return whether the trace had no end, which was the error */
    bool IsCutOff() const
    {
        return m_cutOff;
    }

    /** \return whole records that were read */
    uint64_t GetRecords() const
    {
        return m_records;
    }

    /** \return from MPI_Init up to what was read, ns */
    uint64_t GetTime() const
    {
        return m_time;
    }

    /** Throws that the record read last is wrong: file, number, place, \p message. */
    [[noreturn]] void Fail(const std::string& message) const;

  private:
    void FindEnd(); //!< behind what counts of the file
    uint8_t Byte();
    uint64_t Number(); //!< a varint
    /** \return a number from 0 to \p most; \p what names it in messages */
    uint64_t Bounded(const char* what, uint64_t most);
    uint32_t Word(const char* what); //!< a number of 32 bits
    uint64_t Fixed(int bytes);
    void ReadEnd();
    void ReadCommunicator(WorkloadMpiRecord& record);
    void ReadMessage(WorkloadMpiRecord& record);
    void ReadCompletions(WorkloadMpiRecord& record);
    void ReadCollective(WorkloadMpiRecord& record);
    void ReadList(std::vector<uint64_t>& list);
    void ReadNeighbors(std::vector<WorkloadMpiRecord::Neighbor>& neighbors);

    std::istream& m_in;
    const std::string m_name;
    WorkloadMpiHead m_head;
    uint64_t m_offset{0};
    uint64_t m_end{UINT64_MAX}; //!< behind what counts, bytes
    uint64_t m_start{0};        //!< of the record, bytes
    uint64_t m_records{0};      //!< read
    uint64_t m_time{0};         //!< ns since MPI_Init
    bool m_ended{false};
    bool m_cutOff{false};
};

} // namespace ns3

#endif // WORKLOAD_MPI_READER_H
