/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * A halo exchange: an even number of ranks, in a torus of 2 x N, send doubles each way, by requests
 * that stay, and agree on the largest change, again and again.
 *
 *     mpi-halo [DOUBLES [TIMES]]    800 and 10 if not given
 */

#include <cstdlib>
#include <mpi.h>
#include <vector>

int
main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    const size_t cells = argc > 1 ? strtoul(argv[1], nullptr, 10) : 800;
    const int times = argc > 2 ? atoi(argv[2]) : 10;
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int sizes[] = {2, ranks / 2};
    const int periods[] = {1, 1};
    MPI_Comm torus = MPI_COMM_NULL;
    MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 1, &torus);
    std::vector<double> sent(4 * cells, 1);
    std::vector<double> received(4 * cells, 0);
    std::vector<MPI_Request> requests;
    for (int dimension = 0; dimension < 2; ++dimension)
    {
        int ends[2];
        MPI_Cart_shift(torus, dimension, 1, &ends[0], &ends[1]);
        for (int way = 0; way < 2; ++way)
        {
            const size_t halo =
                (2 * static_cast<size_t>(dimension) + static_cast<size_t>(way)) * cells;
            requests.resize(requests.size() + 2);
            MPI_Request* both = &requests[requests.size() - 2];
            MPI_Recv_init(&received[halo],
                          static_cast<int>(cells),
                          MPI_DOUBLE,
                          ends[1 - way],
                          way,
                          torus,
                          both);
            MPI_Send_init(&sent[halo],
                          static_cast<int>(cells),
                          MPI_DOUBLE,
                          ends[way],
                          way,
                          torus,
                          both + 1);
        }
    }
    for (int step = 0; step < times; ++step)
    {
        MPI_Startall(static_cast<int>(requests.size()), requests.data());
        MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
        double change = received[0];
        MPI_Allreduce(MPI_IN_PLACE, &change, 1, MPI_DOUBLE, MPI_MAX, torus);
    }
    for (MPI_Request& request : requests)
    {
        MPI_Request_free(&request);
    }
    MPI_Comm_free(&torus);
    MPI_Finalize();
    return 0;
}
