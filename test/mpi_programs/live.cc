/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * What `wormhole live` is tested with: the first word says what to do. Data are checked everywhere;
 * a rank that finds them wrong ends the program with code 9.
 */

#include "wormhole-live.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <numeric>
#include <string>
#include <unistd.h>
#include <vector>

namespace
{

int g_rank = 0;
int g_size = 0;

void
Check(bool right, const char* what)
{
    if (!right)
    {
        fprintf(stderr, "rank %d: wrong: %s\n", g_rank, what);
        MPI_Abort(MPI_COMM_WORLD, 9);
    }
}

void
Compute(double seconds)
{
    if (wormhole_live_compute)
    {
        wormhole_live_compute(seconds);
    }
}

/** Prints ns since \p start. */
void
Tell(const char* what, double start)
{
    printf("%s %d %.0f\n", what, g_rank, (MPI_Wtime() - start) * 1e9);
}

/** A message there and one of the same size back, for rank 0 and 1. */
void
PingPong(int bytes)
{
    std::vector<char> data(static_cast<size_t>(bytes), static_cast<char>(g_rank));
    const double start = MPI_Wtime();
    if (g_rank == 0)
    {
        MPI_Send(data.data(), bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(data.data(), bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        Check(bytes == 0 || data.back() == 1, "ping-pong");
        Tell("pingpong", start);
    }
    else
    {
        MPI_Recv(data.data(), bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        data.assign(data.size(), 1);
        MPI_Send(data.data(), bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    }
}

/** Ranks compute for (rank + 1) x 100 us, then pass a number round. */
void
Ring()
{
    Compute(1e-4 * (g_rank + 1));
    int token = 0;
    if (g_rank > 0)
    {
        MPI_Recv(&token, 1, MPI_INT, g_rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    ++token;
    MPI_Send(&token, 1, MPI_INT, (g_rank + 1) % g_size, 0, MPI_COMM_WORLD);
    if (g_rank == 0)
    {
        MPI_Recv(&token, 1, MPI_INT, g_size - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        Check(token == g_size, "ring");
    }
    Tell("ring", 0);
}

/** Rank 0 takes from anybody; the highest rank computes least, so that it comes first, although it
 * really sleeps the longest. */
void
Wildcard()
{
    if (g_rank > 0)
    {
        usleep(static_cast<useconds_t>(20000 * g_rank));
        Compute(1e-5 * (g_size - g_rank));
        const std::vector<int> data(g_rank == 1 ? 50000 : 10, g_rank);
        MPI_Send(data.data(), static_cast<int>(data.size()), MPI_INT, 0, g_rank, MPI_COMM_WORLD);
        return;
    }
    for (int expected = g_size - 1; expected > 0; --expected)
    {
        std::vector<int> data(50000);
        MPI_Status status;
        int count = 0;
        MPI_Recv(data.data(), 50000, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        Check(count == (expected == 1 ? 50000 : 10), "count of any source");
        Check(status.MPI_SOURCE == expected && status.MPI_TAG == expected, "order of any source");
        Check(data[0] == expected, "data of any source");
    }
    Tell("wildcard", 0);
}

/** Halves of the ranks go on alone, and agree; the second one has computed. */
void
Split()
{
    const int half = g_rank < g_size / 2 ? 0 : 1;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, half, -g_rank, &comm);
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    Compute(half * 1e-3);
    int sum = 0;
    MPI_Allreduce(&g_rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    int expected = 0;
    for (int i = 0; i < g_size; ++i)
    {
        expected += (i < g_size / 2 ? 0 : 1) == half ? i : 0;
    }
    Check(sum == expected, "sum of a half");
    int first = g_rank;
    MPI_Bcast(&first, 1, MPI_INT, 0, comm);
    Check(first == (half == 0 ? g_size / 2 - 1 : g_size - 1), "first of a half");
    MPI_Comm_free(&comm);
    Tell("split", 0);
}

/** Collectives, with data that are large and small for each of their ways. */
void
Collectives(int count)
{
    const auto n = static_cast<size_t>(count);
    const auto size = static_cast<size_t>(g_size);
    const int root = g_size - 1;
    std::vector<int> own(n, g_rank + 1);
    std::vector<int> all(n * size);
    std::vector<int> blocks(n * size);
    const int sum = g_size * (g_size + 1) / 2;
    for (size_t i = 0; i < blocks.size(); ++i)
    {
        blocks[i] = g_rank * 1000 + static_cast<int>(i / n);
    }
    std::vector<int> data(n, g_rank);
    MPI_Bcast(data.data(), count, MPI_INT, root, MPI_COMM_WORLD);
    Check(data.back() == root, "Bcast");
    MPI_Reduce(own.data(), data.data(), count, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
    Check(g_rank != root || data.back() == sum, "Reduce");
    MPI_Allreduce(own.data(), data.data(), count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    Check(data.back() == sum, "Allreduce");
    MPI_Scan(own.data(), data.data(), count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    Check(data.back() == (g_rank + 1) * (g_rank + 2) / 2, "Scan");
    MPI_Exscan(own.data(), data.data(), count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    Check(g_rank == 0 || data.back() == g_rank * (g_rank + 1) / 2, "Exscan");
    MPI_Gather(own.data(), count, MPI_INT, all.data(), count, MPI_INT, root, MPI_COMM_WORLD);
    Check(g_rank != root || (all.front() == 1 && all.back() == g_size), "Gather");
    MPI_Scatter(blocks.data(), count, MPI_INT, data.data(), count, MPI_INT, root, MPI_COMM_WORLD);
    Check(data.back() == root * 1000 + g_rank, "Scatter");
    MPI_Allgather(own.data(), count, MPI_INT, all.data(), count, MPI_INT, MPI_COMM_WORLD);
    Check(all.front() == 1 && all.back() == g_size, "Allgather");
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ialltoall(blocks.data(),
                  count,
                  MPI_INT,
                  all.data(),
                  count,
                  MPI_INT,
                  MPI_COMM_WORLD,
                  &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    Check(all.front() == g_rank && all.back() == root * 1000 + g_rank, "Ialltoall");
    std::vector<int> counts(size, count);
    std::vector<int> places(size);
    for (size_t i = 0; i < size; ++i)
    {
        places[i] = static_cast<int>(i * n);
    }
    MPI_Alltoallv(blocks.data(),
                  counts.data(),
                  places.data(),
                  MPI_INT,
                  all.data(),
                  counts.data(),
                  places.data(),
                  MPI_INT,
                  MPI_COMM_WORLD);
    Check(all.front() == g_rank && all.back() == root * 1000 + g_rank, "Alltoallv");
    MPI_Reduce_scatter_block(blocks.data(), data.data(), count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    Check(data.back() == g_size * (g_size - 1) / 2 * 1000 + g_size * g_rank,
          "Reduce_scatter_block");
    MPI_Barrier(MPI_COMM_WORLD);
    Tell("collectives", 0);
}

/** Rank 0 looks again and again for what rank 1 sends after 50 us. */
void
Looks()
{
    int data = 0;
    if (g_rank == 1)
    {
        Compute(5e-5);
        data = 7;
        MPI_Send(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&data, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    else if (g_rank == 0)
    {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Irecv(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        int looks = 0;
        for (int flag = 0; !flag; ++looks)
        {
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        }
        Check(data == 7, "Test");
        for (int flag = 0; !flag; ++looks)
        {
            MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        }
        MPI_Recv(&data, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("looks %d\n", looks);
        Tell("looked", 0);
    }
}

/** Rank 0 begins so many messages to rank 1 before it waits for the first one. */
void
Many(int count)
{
    std::vector<int> data(static_cast<size_t>(count));
    std::vector<MPI_Request> requests;
    for (int i = 0; i < count && g_rank < 2; ++i)
    {
        int& number = data[static_cast<size_t>(i)];
        number = g_rank == 0 ? i : -1;
        requests.push_back(MPI_REQUEST_NULL);
        g_rank == 0 ? MPI_Isend(&number, 1, MPI_INT, 1, i, MPI_COMM_WORLD, &requests.back())
                    : MPI_Irecv(&number, 1, MPI_INT, 0, i, MPI_COMM_WORLD, &requests.back());
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    for (int i = 0; i < count && g_rank == 1; ++i)
    {
        Check(data[static_cast<size_t>(i)] == i, "many");
    }
    Tell("many", 0);
}

/** Ranks 0 and 1 send a message to each other and back, again and again. */
void
Exchange()
{
    constexpr int TIMES = 100;
    std::vector<char> data(20000);
    const auto count = static_cast<int>(data.size());
    for (int i = 0; i < 2 * TIMES; ++i)
    {
        i % 2 == g_rank ? MPI_Send(data.data(), count, MPI_CHAR, 1 - g_rank, 0, MPI_COMM_WORLD)
                        : MPI_Recv(data.data(),
                                   count,
                                   MPI_CHAR,
                                   1 - g_rank,
                                   0,
                                   MPI_COMM_WORLD,
                                   MPI_STATUS_IGNORE);
    }
}

/** Takes long, but not by its clock. */
void
TakeLong(double seconds)
{
    usleep(300000);
    Compute(seconds);
}

/** Collectives that rank 1 has no data for: others leave them before it comes, or it leaves before
 * others come. Nobody waits in those that have no data at all. */
void
Empty()
{
    const auto members = static_cast<size_t>(g_size);
    std::vector<int> counts(members, 2);
    counts[1] = 0;
    std::vector<int> places(members, 0);
    std::partial_sum(counts.begin(), counts.end() - 1, places.begin() + 1);
    const std::vector<int> own(2, g_rank);
    std::vector<int> all(2 * (members - 1), -1);
    int number = 0;
    if (g_rank == 1)
    {
        MPI_Recv(&number, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Bcast(&number, 0, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &number, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Igather(&number, 0, MPI_INT, nullptr, 0, MPI_INT, 1, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Allgatherv(own.data(),
                   counts[static_cast<size_t>(g_rank)],
                   MPI_INT,
                   all.data(),
                   counts.data(),
                   places.data(),
                   MPI_INT,
                   MPI_COMM_WORLD);
    Check(all.front() == 0 && all.back() == g_size - 1, "MPI_Allgatherv");
    if (g_rank == 0)
    {
        MPI_Send(&number, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Recv(&number, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    const std::vector<int> ones(all.size(), 1);
    int sums[2] = {0, 0};
    MPI_Reduce_scatter(ones.data(), sums, counts.data(), MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    Check(sums[1] == (g_rank == 1 ? 0 : g_size), "MPI_Reduce_scatter");
    if (g_rank == 1)
    {
        MPI_Send(&number, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
    Tell("empty", 0);
}

/** Ranks 0 and 1 exchange messages. Rank 2 takes long, and sends to rank 0 then. */
void
Late()
{
    int number = 5;
    if (g_rank == 2)
    {
        TakeLong(2e-5);
        Tell("late", 0);
        MPI_Send(&number, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        return;
    }
    Exchange();
    if (g_rank == 0)
    {
        number = 0;
        MPI_Recv(&number, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        Check(number == 5, "late");
        Tell("late", 0);
    }
}

/** Ranks 0 and 1 exchange messages. Rank 2 takes long, and asks rank 3 then, who answers. */
void
Apart()
{
    std::vector<char> data(20000);
    const auto count = static_cast<int>(data.size());
    if (g_rank < 2)
    {
        Exchange();
        return;
    }
    if (g_rank == 2)
    {
        TakeLong(2e-5);
        MPI_Send(data.data(), count, MPI_CHAR, 3, 1, MPI_COMM_WORLD);
    }
    MPI_Recv(data.data(), count, MPI_CHAR, 5 - g_rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    Tell("apart", 0);
    if (g_rank == 3)
    {
        MPI_Send(data.data(), count, MPI_CHAR, 2, 1, MPI_COMM_WORLD);
    }
}

/** Rank 1 gets a long message from rank 0, and, in the middle of it, one from rank 2, who takes
 * long. */
void
Meet()
{
    constexpr int LONG = 40'000'000;
    constexpr int SHORT = 2'000'000;
    std::vector<char> data(g_rank == 2 ? SHORT : LONG);
    std::vector<char> other(SHORT);
    MPI_Barrier(MPI_COMM_WORLD); // so that nobody else takes long
    if (g_rank == 1)
    {
        MPI_Request requests[2];
        MPI_Irecv(data.data(), LONG, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(other.data(), SHORT, MPI_CHAR, 2, 0, MPI_COMM_WORLD, &requests[1]);
        MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
        Tell("met-short", 0);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        Tell("met-long", 0);
        return;
    }
    if (g_rank == 2)
    {
        TakeLong(1e-3);
    }
    MPI_Send(data.data(), static_cast<int>(data.size()), MPI_CHAR, 1, 0, MPI_COMM_WORLD);
}

/** Everybody waits for rank 0, who kills itself, or waits, too. */
void
NeverEnd(const std::string& how)
{
    Compute(1e-3);
    MPI_Barrier(MPI_COMM_WORLD);
    if (g_rank == 1 && how == "killed")
    {
        kill(getpid(), SIGKILL);
    }
    if (g_rank == 1 && how == "abort")
    {
        MPI_Abort(MPI_COMM_WORLD, 9);
    }
    if (g_rank == 1 && how == "busy")
    {
        if (FILE* file = fopen("busy", "w"))
        {
            fputs("busy\n", file);
            fclose(file);
        }
        for (;;)
        {
            usleep(1000);
        }
    }
    int data = 0;
    MPI_Recv(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

} // namespace

int
main(int argc, char** argv)
{
    const std::string what = argc > 1 ? argv[1] : "";
    const int number = argc > 2 ? atoi(argv[2]) : 1;
    if (what == "nothing")
    {
        return 0;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &g_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &g_size);
    if (what == "pingpong")
    {
        PingPong(number);
    }
    else if (what == "ring")
    {
        Ring();
    }
    else if (what == "wildcard")
    {
        Wildcard();
    }
    else if (what == "split")
    {
        Split();
    }
    else if (what == "collectives")
    {
        Collectives(number);
    }
    else if (what == "empty")
    {
        Empty();
    }
    else if (what == "apart")
    {
        Apart();
    }
    else if (what == "meet")
    {
        Meet();
    }
    else if (what == "late")
    {
        Late();
    }
    else if (what == "many")
    {
        Many(number);
    }
    else if (what == "looks")
    {
        Looks();
    }
    else if (what == "window")
    {
        MPI_Win window = MPI_WIN_NULL;
        MPI_Win_create(nullptr, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    }
    else
    {
        NeverEnd(what);
    }
    MPI_Finalize();
    return what == "window" ? 0 : argc > 3 ? atoi(argv[3]) : 0;
}
