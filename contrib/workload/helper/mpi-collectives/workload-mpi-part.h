/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_MPI_PART_H
#define WORKLOAD_MPI_PART_H

#include <cstdint>

namespace ns3
{

/**
 * \ingroup workload
 * \brief The part of one member in a collective: steps, each of which starts when all messages of
 * the one before are sent and received.
 */
class WorkloadMpiPart
{
  public:
    /** \param size members of the communicator \param rank of this one */
    WorkloadMpiPart(uint32_t size, uint32_t rank)
        : m_size(size),
          m_rank(rank)
    {
    }

    virtual ~WorkloadMpiPart() = default;

    uint32_t GetSize() const
    {
        return m_size;
    }

    uint32_t GetRank() const
    {
        return m_rank;
    }

    /** Adds a message to another member to the step. */
    virtual void Send(uint32_t to, uint64_t bytes) = 0;

    /** Adds a message from another member to the step. */
    virtual void Receive(uint32_t from, uint64_t bytes) = 0;

    /** Ends the step. */
    virtual void Next() = 0;

    /** A step of one message there and one back. */
    void Exchange(uint32_t to, uint64_t sent, uint32_t from, uint64_t received)
    {
        Receive(from, received);
        Send(to, sent);
        Next();
    }

  private:
    uint32_t m_size;
    uint32_t m_rank;
};

} // namespace ns3

#endif // WORKLOAD_MPI_PART_H
