/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_MPI_MAPPED_PART_H
#define WORKLOAD_MPI_MAPPED_PART_H

#include "workload-mpi-part.h"

#include <cstddef>
#include <vector>

namespace ns3
{

/** \ingroup workload \return the largest power of two of at most \p size, which is not 0 */
inline uint32_t
WorkloadMpiPowerBelow(uint32_t size)
{
    uint32_t power = 1;
    while (power <= size / 2)
    {
        power *= 2;
    }
    return power;
}

/** \ingroup workload \brief All members, counted from a root, which is number 0. */
class WorkloadMpiShiftedPart : public WorkloadMpiPart
{
  public:
    WorkloadMpiShiftedPart(WorkloadMpiPart& part, uint32_t root)
        : WorkloadMpiPart(part.GetSize(),
                          (part.GetRank() + part.GetSize() - root) % part.GetSize()),
          m_part(part),
          m_root(root)
    {
    }

    void Send(uint32_t to, uint64_t bytes) override
    {
        m_part.Send((to + m_root) % GetSize(), bytes);
    }

    void Receive(uint32_t from, uint64_t bytes) override
    {
        m_part.Receive((from + m_root) % GetSize(), bytes);
    }

    void Next() override
    {
        m_part.Next();
    }

  private:
    WorkloadMpiPart& m_part;
    uint32_t m_root;
};

/**
 * \ingroup workload
 * \brief The members that are left when as many pairs have joined as leave a power of two.
 */
class WorkloadMpiFoldedPart : public WorkloadMpiPart
{
  public:
    /** \param stays which one of a pair stays: 0 or 1 */
    WorkloadMpiFoldedPart(WorkloadMpiPart& part, uint32_t stays)
        : WorkloadMpiFoldedPart(part, stays, stays)
    {
    }

    /** \param zero the member of number 0, perhaps one that has joined */
    WorkloadMpiFoldedPart(WorkloadMpiPart& part, uint32_t stays, uint32_t zero)
        : WorkloadMpiPart(WorkloadMpiPowerBelow(part.GetSize()),
                          IsNumberZero(part, zero) ? 0 : NumberOf(part.GetRank(), part.GetSize())),
          m_part(part),
          m_pairs(part.GetSize() - WorkloadMpiPowerBelow(part.GetSize())),
          m_stays(stays),
          m_zero(m_pairs > 0 ? zero : 0)
    {
    }

    /** \return number of a member, or of the one that it has joined */
    static uint32_t NumberOf(uint32_t rank, uint32_t size)
    {
        const uint32_t pairs = size - WorkloadMpiPowerBelow(size);
        return rank < 2 * pairs ? rank / 2 : rank - pairs;
    }

    /** \return whether a member has joined the other one of its pair */
    bool HasJoined(uint32_t rank) const
    {
        return rank < 2 * m_pairs && rank % 2 != m_stays;
    }

    /** One of each pair sends all that it has to the other one. \return whether this member is
     * still there */
    bool Fold(uint64_t bytes)
    {
        Between(bytes, true);
        return !HasJoined(m_part.GetRank());
    }

    /**
     * Members of a pair add up one half each, of which the one that stays then has both.
     * \param left bytes of the first half, that of the first member \param right of the other one
     * \return whether this member is still there
     */
    bool FoldByHalves(uint64_t left, uint64_t right)
    {
        const uint32_t rank = m_part.GetRank();
        if (rank < 2 * m_pairs)
        {
            const bool first = rank % 2 == 0;
            m_part.Exchange(rank ^ 1U, first ? right : left, rank ^ 1U, first ? left : right);
        }
        return Fold(m_stays == 0 ? right : left);
    }

    /** \return blocks by number: those of both members of a pair are one */
    std::vector<uint64_t> BlocksOf(const std::vector<uint64_t>& blocks) const
    {
        std::vector<uint64_t> joined(blocks.begin() + m_pairs, blocks.end());
        for (uint32_t pair = 0; pair < m_pairs; ++pair)
        {
            joined[pair] = blocks[2 * size_t(pair)] + blocks[2 * size_t(pair) + 1];
        }
        return joined;
    }

    /** The other way round. */
    void Unfold(uint64_t bytes)
    {
        Between(bytes, false);
    }

    void Send(uint32_t to, uint64_t bytes) override
    {
        m_part.Send(MemberOf(to), bytes);
    }

    void Receive(uint32_t from, uint64_t bytes) override
    {
        m_part.Receive(MemberOf(from), bytes);
    }

    void Next() override
    {
        m_part.Next();
    }

  private:
    static bool IsNumberZero(const WorkloadMpiPart& part, uint32_t zero)
    {
        return part.GetRank() == zero && WorkloadMpiPowerBelow(part.GetSize()) < part.GetSize();
    }

    uint32_t MemberOf(uint32_t number) const
    {
        return number == 0 ? m_zero : number < m_pairs ? 2 * number + m_stays : number + m_pairs;
    }

    void Between(uint64_t bytes, bool join)
    {
        const uint32_t rank = m_part.GetRank();
        if (rank >= 2 * m_pairs)
        {
            return;
        }
        const uint32_t other = rank ^ 1U;
        HasJoined(rank) == join ? m_part.Send(other, bytes) : m_part.Receive(other, bytes);
        m_part.Next();
    }

    WorkloadMpiPart& m_part;
    uint32_t m_pairs;
    uint32_t m_stays;
    uint32_t m_zero;
};

} // namespace ns3

#endif // WORKLOAD_MPI_MAPPED_PART_H
