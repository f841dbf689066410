/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Calls each kind of function that is traced, with any number of ranks from 2 on; or, if a word is
 * given, one that is not.
 */

#include <mpi.h>
#include <vector>

namespace
{

constexpr int COUNT = 100; //!< ints of a block
int g_rank = 0;
int g_size = 0;
std::vector<int> g_sent;
std::vector<int> g_received;
std::vector<int> g_counts;
std::vector<int> g_places;

void
PointToPoint()
{
    const int next = (g_rank + 1) % g_size;
    const int before = (g_rank + g_size - 1) % g_size;
    MPI_Request requests[2];
    MPI_Irecv(g_received.data(), COUNT, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, requests);
    MPI_Issend(g_sent.data(), COUNT, MPI_INT, next, 1, MPI_COMM_WORLD, requests + 1);
    for (int done = 0; done < 2; ++done)
    {
        int index = 0;
        MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    }
    MPI_Isend(g_sent.data(), 10, MPI_INT, next, 2, MPI_COMM_WORLD, requests);
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Mprobe(before, MPI_ANY_TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(g_received.data(), COUNT, MPI_INT, &message, MPI_STATUS_IGNORE);
    for (int flag = 0; !flag;)
    {
        MPI_Test(requests, &flag, MPI_STATUS_IGNORE);
    }
    MPI_Irecv(g_received.data(), COUNT, MPI_INT, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, requests);
    MPI_Cancel(requests);
    MPI_Wait(requests, MPI_STATUS_IGNORE);
    MPI_Sendrecv(g_sent.data(),
                 20,
                 MPI_INT,
                 g_rank == 0 ? MPI_PROC_NULL : g_rank - 1,
                 3,
                 g_received.data(),
                 COUNT,
                 MPI_INT,
                 g_rank == g_size - 1 ? MPI_PROC_NULL : g_rank + 1,
                 3,
                 MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    // around the ring, which works as nobody waits for a receive: of two persistent sends, both
    // modes
    std::vector<char> room(COUNT * sizeof(int) + MPI_BSEND_OVERHEAD);
    MPI_Buffer_attach(room.data(), static_cast<int>(room.size()));
    MPI_Bsend_init(g_sent.data(), COUNT, MPI_INT, next, 4, MPI_COMM_WORLD, requests);
    MPI_Ssend_init(g_sent.data(), COUNT, MPI_INT, next, 5, MPI_COMM_WORLD, requests + 1);
    MPI_Start(requests);
    MPI_Wait(requests, MPI_STATUS_IGNORE);
    MPI_Recv(g_received.data(), COUNT, MPI_INT, before, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Startall(1, requests + 1);
    MPI_Recv(g_received.data(), COUNT, MPI_INT, before, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(requests + 1, MPI_STATUS_IGNORE);
    MPI_Request_free(requests);
    MPI_Request_free(requests + 1);
    int size = 0;
    void* buffer = nullptr;
    MPI_Buffer_detach(&buffer, &size);
}

void
Collectives(MPI_Comm comm)
{
    int* sent = g_sent.data();
    int* received = g_received.data();
    const int* counts = g_counts.data();
    const int* places = g_places.data();
    MPI_Barrier(comm);
    MPI_Bcast(sent, COUNT, MPI_INT, 1, comm);
    MPI_Reduce(sent, received, COUNT, MPI_INT, MPI_SUM, 1, comm);
    MPI_Allreduce(sent, received, COUNT, MPI_INT, MPI_SUM, comm);
    MPI_Gather(sent, COUNT, MPI_INT, received, COUNT, MPI_INT, 1, comm);
    MPI_Gatherv(sent, g_counts[g_rank], MPI_INT, received, counts, places, MPI_INT, 1, comm);
    MPI_Scatter(sent, COUNT, MPI_INT, received, COUNT, MPI_INT, 1, comm);
    MPI_Scatterv(sent, counts, places, MPI_INT, received, g_counts[g_rank], MPI_INT, 1, comm);
    MPI_Allgather(sent, COUNT, MPI_INT, received, COUNT, MPI_INT, comm);
    MPI_Allgatherv(sent, g_counts[g_rank], MPI_INT, received, counts, places, MPI_INT, comm);
    MPI_Alltoall(sent, COUNT, MPI_INT, received, COUNT, MPI_INT, comm);
    MPI_Reduce_scatter(sent, received, counts, MPI_INT, MPI_SUM, comm);
    MPI_Reduce_scatter_block(sent, received, COUNT, MPI_INT, MPI_SUM, comm);
    MPI_Scan(sent, received, COUNT, MPI_INT, MPI_SUM, comm);
    MPI_Exscan(sent, received, COUNT, MPI_INT, MPI_SUM, comm);
    const std::vector<int> mine(g_size, g_counts[g_rank]); // each sends as many as it has
    MPI_Alltoallv(sent, mine.data(), places, MPI_INT, received, counts, places, MPI_INT, comm);
    MPI_Request requests[2];
    MPI_Iallreduce(sent, received, COUNT, MPI_INT, MPI_SUM, comm, requests);
    MPI_Ibarrier(comm, requests + 1);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

void
Communicators()
{
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, g_rank % 2, -g_rank, &half); // in the other order
    MPI_Comm twin = MPI_COMM_NULL;
    MPI_Comm_dup(half, &twin);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm later = MPI_COMM_NULL;
    MPI_Comm_idup(MPI_COMM_WORLD, &later, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (MPI_Comm comm : {half, twin, later})
    {
        MPI_Allreduce(g_sent.data(), g_received.data(), 1, MPI_INT, MPI_SUM, comm);
    }
    const int periods[] = {1};
    MPI_Comm ring = MPI_COMM_NULL;
    MPI_Cart_create(later, 1, &g_size, periods, 0, &ring);
    MPI_Neighbor_allgather(g_sent.data(), 5, MPI_INT, g_received.data(), 5, MPI_INT, ring);
    for (MPI_Comm* comm : {&half, &twin, &later, &ring})
    {
        MPI_Comm_free(comm);
    }
}

} // namespace

int
main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &g_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &g_size);
    const int room = g_size * (COUNT + g_size);
    g_sent.resize(room);
    g_received.resize(room);
    for (int i = 0; i < g_size; ++i)
    {
        g_counts.push_back(COUNT + i);
        g_places.push_back(i * (COUNT + g_size));
    }
    if (argc > 1)
    {
        MPI_Win window = MPI_WIN_NULL;
        MPI_Win_create(g_sent.data(), 4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
        MPI_Win_free(&window);
    }
    PointToPoint();
    Collectives(MPI_COMM_WORLD);
    Communicators();
    MPI_Finalize();
    return 0;
}
