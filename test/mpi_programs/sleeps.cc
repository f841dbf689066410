/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Two ranks that sleep and send: 0 sleeps 30 ms and sends 1000 bytes; 1, who waits for a message
 * from anybody, sleeps 20 ms and sends 500 bytes back.
 */

#include <chrono>
#include <mpi.h>
#include <thread>

int
main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char bytes[1000] = {};
    if (rank == 0)
    {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        MPI_Send(bytes, 1000, MPI_CHAR, 1, 3, MPI_COMM_WORLD);
        MPI_Recv(bytes, 500, MPI_CHAR, 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    else
    {
        MPI_Recv(bytes,
                 1000,
                 MPI_CHAR,
                 MPI_ANY_SOURCE,
                 MPI_ANY_TAG,
                 MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        MPI_Send(bytes, 500, MPI_CHAR, 0, 4, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
