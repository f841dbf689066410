/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef MPI_LIVE_MOVER_H
#define MPI_LIVE_MOVER_H

#include "live.h"
#include "place.h"

namespace mpilive
{

/** A buffer of one of a collective's members, by its number. */
using Part = mpitrace::Place;

/** Sends and receives the data of one collective. */
class Mover
{
  public:
    explicit Mover(MPI_Comm handle)
        : m_handle(handle),
          m_comm(Find(handle)),
          m_tag(m_comm->NextTag())
    {
        PMPI_Comm_rank(handle, &m_rank);
    }

    int Rank() const
    {
        return m_rank;
    }

    int Size() const
    {
        return static_cast<int>(m_comm->members.size());
    }

    /** Sends a copy of a buffer. */
    void Send(int to, const Part& part) const
    {
        Send(to, part, std::make_shared<Copy>(part.buffer, part.count, part.type));
    }

    void Send(int to, const Part& part, const std::shared_ptr<Copy>& copy) const
    {
        Process::Get().SendCopy(copy, part.count, part.type, to, m_tag, m_handle);
    }

    int Receive(int from, const Part& part) const
    {
        return PMPI_Recv(part.buffer,
                         part.count,
                         part.type,
                         from,
                         m_tag,
                         m_handle,
                         MPI_STATUS_IGNORE);
    }

  private:
    MPI_Comm m_handle;
    std::shared_ptr<Communicator> m_comm;
    int m_tag;
    int m_rank{0};
};

/** \return the buffer of a block of some, which are as large as each other or have places */
Part BlockOf(const void* buffer, int index, int count, const int* places, MPI_Datatype type);

/** Receives each member's part of a reduction, and reduces those from \p first to \p last, in their
 * order. \param own what this member adds \param result where to */
int ReduceParts(const Mover& mover,
                int first,
                int last,
                const std::shared_ptr<Copy>& own,
                const Part& result,
                MPI_Op op);

} // namespace mpilive

#endif // MPI_LIVE_MOVER_H
