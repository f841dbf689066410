/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * RdmaRanks over MPI: a library that `wormhole run` loads when mpirun has started several of it.
 */

#include "rdma-ranks.h"

#include <climits>
#include <mpi.h>
#include <sched.h>

namespace
{

using Bytes = ns3::RdmaRanks::Bytes;

/** All processes of MPI_COMM_WORLD. */
class MpiRanks final : public ns3::RdmaRanks
{
  public:
    MpiRanks()
    {
        int given = 0;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
        MPI_Comm_rank(MPI_COMM_WORLD, &m_rank);
        MPI_Comm_size(MPI_COMM_WORLD, &m_count);
    }

    uint32_t GetRank() const override
    {
        return static_cast<uint32_t>(m_rank);
    }

    uint32_t GetCount() const override
    {
        return static_cast<uint32_t>(m_count);
    }

    std::string Exchange(const std::vector<Bytes>& out,
                         std::vector<Bytes>& in,
                         const std::function<bool()>& waits) override
    {
        std::vector<MPI_Request> sends;
        for (int rank = 0; rank < m_count; ++rank)
        {
            if (rank == m_rank)
            {
                continue;
            }
            const Bytes& bytes = out[rank];
            if (bytes.size() > INT_MAX)
            {
                return "rank " + std::to_string(m_rank) + " would send more than 2 GiB at once";
            }
            sends.emplace_back();
            MPI_Isend(bytes.data(),
                      static_cast<int>(bytes.size()),
                      MPI_BYTE,
                      rank,
                      TAG,
                      MPI_COMM_WORLD,
                      &sends.back());
        }
        for (int rank = 0; rank < m_count; ++rank)
        {
            if (rank != m_rank && !Receive(rank, in[rank], waits))
            {
                return "rank " + std::to_string(rank) + " does not answer";
            }
        }
        const auto areSent = [&sends]() {
            int sent = 0;
            MPI_Testall(static_cast<int>(sends.size()), sends.data(), &sent, MPI_STATUSES_IGNORE);
            return sent != 0;
        };
        return WaitFor(areSent, waits) ? std::string()
                                       : "another rank does not take what it is sent";
    }

  private:
    static constexpr int TAG = 1;

    /** \return whether \p isOver came true; otherwise \p waits said to give up */
    template <typename IsOver>
    static bool WaitFor(IsOver isOver, const std::function<bool()>& waits)
    {
        constexpr int SPINS = 200;       // before others may have the processor
        constexpr int SPINS_OF_ASK = 64; // beyond
        for (int spin = 0; !isOver(); ++spin)
        {
            if (spin < SPINS)
            {
                continue;
            }
            sched_yield();
            if (spin % SPINS_OF_ASK == 0 && !waits())
            {
                return false;
            }
        }
        return true;
    }

    static bool Receive(int rank, Bytes& bytes, const std::function<bool()>& waits)
    {
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Status status;
        const auto hasCome = [&]() {
            int come = 0;
            MPI_Improbe(rank, TAG, MPI_COMM_WORLD, &come, &message, &status);
            return come != 0;
        };
        if (!WaitFor(hasCome, waits))
        {
            return false;
        }
        int size = 0;
        MPI_Get_count(&status, MPI_BYTE, &size);
        bytes.resize(static_cast<size_t>(size));
        MPI_Mrecv(bytes.data(), size, MPI_BYTE, &message, MPI_STATUS_IGNORE);
        return true;
    }

    int m_rank{0};
    int m_count{1};
};

} // namespace

extern "C"
{
    /** \return this process among those that mpirun has started; once. It is never destroyed */
    ns3::RdmaRanks* WormholeJoinRanks()
    {
        static MpiRanks* const ranks = new MpiRanks;
        return ranks;
    }

    /** All is well, and done. */
    void WormholeLeaveRanks()
    {
        MPI_Finalize();
    }
}
