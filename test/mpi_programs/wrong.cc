/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * What an MPI program can do wrong, by the first word. A rank whose wrong arguments are not refused
 * as MPI says ends the program with code 9.
 */

#include <cstdio>
#include <mpi.h>
#include <string>
#include <thread>

namespace
{

/** The error must be of this class. */
void
Expect(int expected, int error, const char* what)
{
    int found = MPI_SUCCESS;
    MPI_Error_class(error, &found);
    if (found != expected)
    {
        fprintf(stderr, "wrong: %s: class %d, not %d\n", what, found, expected);
        MPI_Abort(MPI_COMM_WORLD, 9);
    }
}

/** Sends and receives what cannot be, with a communicator that returns errors. */
void
RefusedArguments()
{
    const MPI_Comm world = MPI_COMM_WORLD;
    MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(2, MPI_INT, &type); // and not committed
    int v = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    Expect(MPI_ERR_RANK, MPI_Send(&v, 1, MPI_INT, 99, 1, world), "rank of Send");
    Expect(MPI_ERR_RANK, MPI_Ssend(&v, 1, MPI_INT, MPI_ANY_SOURCE, 1, world), "rank of Ssend");
    Expect(MPI_ERR_TAG, MPI_Send(&v, 1, MPI_INT, 0, -5, world), "tag of Send");
    Expect(MPI_ERR_COUNT, MPI_Send(&v, -1, MPI_INT, 0, 1, world), "count of Send");
    Expect(MPI_ERR_TYPE, MPI_Send(&v, 1, MPI_DATATYPE_NULL, 0, 1, world), "type of Send");
    Expect(MPI_ERR_TYPE, MPI_Send(&v, 1, type, 0, 1, world), "type of Send, not committed");
    Expect(MPI_ERR_COMM, MPI_Send(&v, 1, MPI_INT, 0, 1, MPI_COMM_NULL), "communicator of Send");
    Expect(MPI_ERR_COUNT, MPI_Isend(&v, -1, MPI_INT, 0, 1, world, &request), "count of Isend");
    Expect(MPI_ERR_RANK,
           MPI_Send_init(&v, 1, MPI_INT, 99, 1, world, &request),
           "rank of Send_init");
    Expect(MPI_ERR_RANK, MPI_Recv(&v, 1, MPI_INT, 99, 1, world, &status), "rank of Recv");
    Expect(MPI_ERR_TAG, MPI_Recv(&v, 1, MPI_INT, 0, -5, world, &status), "tag of Recv");
    Expect(MPI_ERR_TYPE, MPI_Recv(&v, 1, type, 0, 1, world, &status), "type of Recv");
    Expect(MPI_ERR_COUNT, MPI_Irecv(&v, -1, MPI_INT, 0, 1, world, &request), "count of Irecv");
    Expect(MPI_ERR_TAG, MPI_Recv_init(&v, 1, MPI_INT, 0, -5, world, &request), "tag of Recv_init");
    Expect(MPI_ERR_RANK,
           MPI_Sendrecv(&v, 1, MPI_INT, 99, 1, &v, 1, MPI_INT, 0, 1, world, &status),
           "rank of Sendrecv");
    Expect(MPI_ERR_RANK, MPI_Probe(99, 1, world, &status), "rank of Probe");
    Expect(MPI_ERR_ROOT, MPI_Bcast(&v, 1, MPI_INT, 99, world), "root of Bcast");
    Expect(MPI_ERR_COUNT, MPI_Bcast(&v, -1, MPI_INT, 0, world), "count of Bcast");
    Expect(MPI_ERR_COMM, MPI_Barrier(MPI_COMM_NULL), "communicator of Barrier");
    MPI_Type_free(&type);
}

/** A send to a rank that there is not, where errors end the program. */
void
EndedByError()
{
    int v = 0;
    MPI_Send(&v, 1, MPI_INT, 99, 1, MPI_COMM_WORLD);
}

/** Two threads call MPI, one after the other. */
void
TwoThreads()
{
    std::thread([] {
        int v = 1;
        int w = 0;
        MPI_Sendrecv(&v, 1, MPI_INT, 0, 1, &w, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    }).join();
}

/** Collectives that are not the same everywhere. \param how they differ */
void
Disagreement(const std::string& how)
{
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int v[2] = {1, 2};
    int sum[2] = {0, 0};
    if (how == "root")
    {
        MPI_Bcast(v, 1, MPI_INT, rank, MPI_COMM_WORLD);
    }
    else if (how == "call" && rank > 0)
    {
        MPI_Bcast(v, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    else
    {
        MPI_Allreduce(v, sum, 1 + rank, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
}

/** Rank 0 and rank 1 wait for each other as two groups. */
void
TwoGroups()
{
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm both = MPI_COMM_NULL;
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 1, &both);
    MPI_Barrier(both);
    MPI_Comm_free(&both);
}

} // namespace

int
main(int argc, char** argv)
{
    const std::string what = argc > 1 ? argv[1] : "";
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (what == "refused")
    {
        RefusedArguments();
    }
    else if (what == "fatal")
    {
        EndedByError();
    }
    else if (what == "threads")
    {
        TwoThreads();
    }
    else if (what == "disagree")
    {
        Disagreement(argc > 2 ? argv[2] : "");
    }
    else if (what == "groups")
    {
        TwoGroups();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
