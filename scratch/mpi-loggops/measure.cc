/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "measure.h"

#include <algorithm>
#include <mpi.h>

namespace mpiloggops
{

namespace
{

/** Figures of which the median counts. */
constexpr int TIMES = 25;

/** Messages that follow each other; so many are under way at once. */
constexpr int FOLLOWING = 32;

/** Least time of what is timed at once, ns: clocks take tens of ns. */
constexpr double LEAST_NS = 20000;

/** Share of what a message takes that may be o and g: sizes differ in the rest. */
constexpr double LEAST_SHARE = 0.9;

double
Now()
{
    return MPI_Wtime() * 1e9;
}

double
Median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

} // namespace

Measure::Measure(int rank, uint64_t most, bool apart)
    : m_rank(rank),
      m_most(most),
      m_bytes(most, 1),
      m_received(most),
      m_apart(apart)
{
}

void
Measure::Send(uint64_t bytes)
{
    MPI_Send(m_bytes.data(), static_cast<int>(bytes), MPI_CHAR, 1 - m_rank, 0, MPI_COMM_WORLD);
}

void
Measure::Receive(uint64_t bytes)
{
    std::vector<char>& into = m_apart ? m_received : m_bytes;
    MPI_Recv(into.data(),
             static_cast<int>(bytes),
             MPI_CHAR,
             1 - m_rank,
             0,
             MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
}

void
Measure::RoundTrips(uint64_t bytes, int count)
{
    for (int i = 0; i < count; ++i)
    {
        if (m_rank == 0)
        {
            Send(bytes);
            Receive(bytes);
        }
        else
        {
            Receive(bytes);
            Send(bytes);
        }
    }
}

Overheads
Measure::FindOverheads(uint64_t bytes)
{
    constexpr int WARM_UP = 1000;
    RoundTrips(bytes, WARM_UP);
    std::vector<double> sends;
    std::vector<double> receives;
    std::vector<double> streams;
    for (int time = 0; time < TIMES; ++time)
    {
        // all messages are there before the first one is received
        MPI_Barrier(MPI_COMM_WORLD);
        double start = Now();
        for (int i = 0; m_rank == 0 && i < FOLLOWING; ++i)
        {
            Send(bytes);
        }
        sends.push_back((Now() - start) / FOLLOWING);
        MPI_Barrier(MPI_COMM_WORLD);
        start = Now();
        for (int i = 0; m_rank == 1 && i < FOLLOWING; ++i)
        {
            Receive(bytes);
        }
        receives.push_back((Now() - start) / FOLLOWING);
        // they follow each other, and one comes back
        constexpr int STREAM = 20 * FOLLOWING;
        MPI_Barrier(MPI_COMM_WORLD);
        start = Now();
        for (int i = 0; i < STREAM; ++i)
        {
            m_rank == 0 ? Send(bytes) : Receive(bytes);
        }
        m_rank == 0 ? Receive(bytes) : Send(bytes);
        streams.push_back((Now() - start) / STREAM);
    }
    double there = Median(receives);
    MPI_Bcast(&there, 1, MPI_DOUBLE, 1, MPI_COMM_WORLD);
    const double once = OneWay(bytes);
    Overheads found;
    // the two of them are part of what a message takes
    found.ns = std::min((Median(sends) + there) / 2, LEAST_SHARE * once / 2);
    const double stream = Median(streams);
    found.gap = stream > found.ns ? std::min(stream, LEAST_SHARE * once - 2 * found.ns) : 0;
    found.gap = std::max(found.gap, 0.0);
    return found;
}

double
Measure::FindSelf(uint64_t bytes)
{
    const auto one = [&] {
        MPI_Request request = MPI_REQUEST_NULL;
        const auto count = static_cast<int>(bytes);
        MPI_Irecv(m_received.data(), count, MPI_CHAR, m_rank, 0, MPI_COMM_WORLD, &request);
        MPI_Send(m_bytes.data(), count, MPI_CHAR, m_rank, 0, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    };
    one();
    double start = Now();
    one();
    const int count = std::max(1, static_cast<int>(LEAST_NS / std::max(Now() - start, 1.0)));
    std::vector<double> times;
    for (int time = 0; time < TIMES; ++time)
    {
        start = Now();
        for (int i = 0; i < count; ++i)
        {
            one();
        }
        times.push_back((Now() - start) / count);
    }
    return Median(times);
}

/** \return whether a send takes as long as its receiver does without it; the same in both ranks */
bool
Measure::Waits(uint64_t bytes)
{
    constexpr double AWAY_NS = 2e6;
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = Now();
    int waits = 0;
    if (m_rank == 0)
    {
        Send(bytes);
        waits = Now() - start > AWAY_NS / 2 ? 1 : 0;
    }
    else
    {
        // in MPI: some libraries let a sender go on once they have looked, receive or not
        constexpr int OTHER_TAG = 1;
        int found = 0;
        while (Now() - start < AWAY_NS)
        {
            MPI_Iprobe(0, OTHER_TAG, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
        }
        Receive(bytes);
    }
    MPI_Bcast(&waits, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return waits != 0;
}

uint64_t
Measure::FindEager()
{
    uint64_t eager = 0;
    uint64_t waits = m_most;
    if (!Waits(m_most))
    {
        return m_most;
    }
    while (waits - eager > 1)
    {
        const uint64_t middle = eager + (waits - eager) / 2;
        // a rank may lose its core once
        Waits(middle) && Waits(middle) && Waits(middle) ? waits = middle : eager = middle;
    }
    return eager;
}

double
Measure::OneWay(uint64_t bytes)
{
    RoundTrips(bytes, 2);
    double start = Now();
    RoundTrips(bytes, 2);
    int count = std::max(1, static_cast<int>(2 * LEAST_NS / std::max(Now() - start, 1.0)));
    MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
    std::vector<double> times;
    for (int time = 0; time < TIMES; ++time)
    {
        start = Now();
        RoundTrips(bytes, count);
        times.push_back((Now() - start) / (2 * count));
    }
    return Median(times);
}

} // namespace mpiloggops
