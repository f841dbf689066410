/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * RdmaRanks over MPI: a library that `wormhole run` loads when mpirun has started several of it.
 */

#include "rdma-ranks.h"

#include <climits>
#include <ctime>
#include <mpi.h>

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
        std::vector<MPI_Request> sends(static_cast<size_t>(m_count), MPI_REQUEST_NULL);
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
            MPI_Isend(bytes.data(),
                      static_cast<int>(bytes.size()),
                      MPI_BYTE,
                      rank,
                      TAG,
                      MPI_COMM_WORLD,
                      &sends[rank]);
        }
        for (int rank = 0; rank < m_count; ++rank)
        {
            if (rank != m_rank && !Receive(rank, in[rank], waits))
            {
                return NoAnswer(rank);
            }
        }
        for (int rank = 0; rank < m_count; ++rank)
        {
            if (!WaitFor([&sends, rank]() { return IsDone(sends[rank]); }, waits))
            {
                return NoAnswer(rank);
            }
        }
        return {};
    }

  private:
    static constexpr int TAG = 1;

    static std::string NoAnswer(int rank)
    {
        return "rank " + std::to_string(rank) + " does not answer";
    }

    static bool IsDone(MPI_Request& request)
    {
        int done = 0;
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        return done != 0;
    }

    /** \return whether \p isOver came true; otherwise \p waits said to give up */
    template <typename IsOver>
    static bool WaitFor(IsOver isOver, const std::function<bool()>& waits)
    {
        // Who sleeps comes first when he wakes, also where ranks share cores with others.
        constexpr int SPINS = 1000;      // some 50 us, which a rank with a core of its own may need
        constexpr int SPINS_OF_ASK = 64; // beyond
        constexpr timespec NAP{0, 20000};
        for (int spin = 0; !isOver(); ++spin)
        {
            if (spin < SPINS)
            {
                continue;
            }
            nanosleep(&NAP, nullptr);
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
        // the rest of a long message never comes from a rank that has died since
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Imrecv(bytes.data(), size, MPI_BYTE, &message, &request);
        return WaitFor([&request]() { return IsDone(request); }, waits);
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
