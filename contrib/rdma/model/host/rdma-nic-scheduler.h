/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_NIC_SCHEDULER_H
#define RDMA_NIC_SCHEDULER_H

#include "ns3/rdma-memory.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

class RdmaQueuePair;

/**
 * \ingroup rdma
 * \brief The queue pairs of one NIC port, served in turn: each when it has bytes, window, no pause,
 * and its pacing allows.
 *
 * The order is that of HPCC's public simulator, its removal of finished queue pairs included: those
 * that a search passed over are removed, and with them all finished ones behind, while the place
 * last served stays the same number.
 */
class RdmaNicScheduler
{
  public:
    /** Adds a queue pair that may send from \p now (time steps) on. */
    void Add(RdmaQueuePair& qp, int64_t now);

    /** Removes \p qp, which is finished, and other finished ones behind it. */
    void Remove(const RdmaQueuePair& qp);

    /** \p qp is not here any more, for its last acknowledgement comes without a frame. Its place
     * is, and that of a finished one from \p time on, be it in a past that the port catches up. */
    void Leave(RdmaQueuePair& qp, int64_t time);

    /** Removes all queue pairs. */
    void Clear();

    /** \return whether there is no queue pair, nor the place of one that has left */
    bool IsEmpty() const
    {
        return m_places.empty();
    }

    /** \return the queue pairs in the order of the round */
    std::vector<RdmaQueuePair*> GetQueuePairs() const;

    /** Takes note of what \p qp has left to send and of its window. */
    void Update(const RdmaQueuePair& qp);

    /**
     * \param paused bit p: priority p is paused
     * \param now time steps
     * \return the queue pair to send from, from now on the last served; null if none may send
     */
    RdmaQueuePair* Next(uint32_t paused, int64_t now);

    /** \return bit p: a queue pair of priority p may send. As Next; O(queue pairs) */
    uint32_t GetReadyClasses(uint32_t paused, int64_t now) const;

    /** As Next, of the queue pairs of \p priority, which take turns by themselves. */
    RdmaQueuePair* NextOfClass(uint32_t priority, int64_t now);

    /** \return when pacing lets the first queue pair send that nothing else blocks; time steps;
     * INT64_MAX if there is none. \param paused as in Next */
    int64_t EarliestReady(uint32_t paused) const;

    /**
     * The earliest time at which pacing lets a queue pair with bytes left send, whatever else
     * blocks it.
     * \param now time steps
     * \return time steps; any time not after \p now if that is what it is; INT64_MAX if no queue pair has bytes left
     */
    int64_t EarliestPaced(int64_t now) const;

    /** \return when pacing lets \p qp send; time steps */
    int64_t GetNextAvailable(const RdmaQueuePair& qp) const;

    void SetNextAvailable(const RdmaQueuePair& qp, int64_t time);

    /** Where in the round a queue pair is. */
    struct Turn
    {
        uint32_t place{0}; //!< counted from the one that was added first
        uint32_t since{0}; //!< places from it to the last served one; 0: it is that
    };

    Turn GetTurn(const RdmaQueuePair& qp) const;

    /** Queue pairs that are here change places among themselves, and the round goes on behind the
     * one that was served last, or else with the first of them; finished ones stay where they are.
     * O(n log n)
     * \param turns of each, as GetTurn said of it or of one that it stands for */
    void SetTurns(std::vector<std::pair<Turn, RdmaQueuePair*>> turns);

    /** Lets the place of \p qp be fetched. */
    void FetchPlace(const RdmaQueuePair& qp) const;

    /** Lets memory be fetched that Next will touch.
     * \param stage 1 for the lists, 2 for the queue pair in turn */
    void Fetch(uint32_t stage) const;

  private:
    /** A queue pair in the round. */
    struct Place
    {
        RdmaQueuePair* qp;     //!< null: of one that has left
        int64_t nextAvailable; //!< when pacing lets it send, or it has left; time steps
    };

    /** Of 64 places, a bit each. */
    struct Bits
    {
        uint64_t ready{0};    //!< has bytes left and window
        uint64_t unsent{0};   //!< has bytes left
        uint64_t finished{0}; //!< all acknowledged
    };

    bool Test(uint64_t Bits::*which, uint32_t i) const
    {
        return m_bits[i / 64].*which >> (i % 64) & 1;
    }

    void Set(uint64_t Bits::*which, uint32_t i, bool value)
    {
        const uint64_t bit = uint64_t{1} << (i % 64);
        uint64_t& word = m_bits[i / 64].*which;
        word = value ? word | bit : word & ~bit;
    }

    void FetchQueuePair(uint32_t i) const;
    uint32_t FindReady(uint32_t begin, uint32_t end, uint32_t paused, int64_t now) const;
    uint32_t FindFinished(uint32_t begin, uint32_t end) const;
    uint32_t RemoveFinished(uint32_t from, uint32_t chosen);
    void FinishLeaving(int64_t now);

    std::vector<Place, RdmaPooledAllocator<Place>> m_places;
    std::vector<Bits, RdmaPooledAllocator<Bits>> m_bits;
    uint32_t m_finishedCount{0};
    int64_t m_earliestLeave{INT64_MAX};  //!< of places without a queue pair
    uint32_t m_last{0};                  //!< place last served
    std::vector<uint32_t> m_lastOfClass; //!< the same of each priority; empty unless they are asked
                                         //!< for by themselves
};

} // namespace ns3

#endif // RDMA_NIC_SCHEDULER_H
