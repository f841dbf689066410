/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Loaded before the C library (LD_PRELOAD): a wall clock that is set forward by a year, and back by
 * more, at every look. The monotonic clock goes on as it should.
 */

#include <ctime>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

namespace
{

constexpr time_t YEAR = 365 * 86400;

/** \return by how much the clock is wrong at this look, in seconds */
time_t
Jump()
{
    static time_t looks = 0;
    ++looks;
    return looks % 2 ? YEAR : -(looks % 60) * YEAR; // also before 1970
}

} // namespace

extern "C" int
clock_gettime(clockid_t clock, timespec* time)
{
    const long result = syscall(SYS_clock_gettime, clock, time);
    if (clock == CLOCK_REALTIME)
    {
        time->tv_sec += Jump();
    }
    return static_cast<int>(result);
}

extern "C" time_t
time(time_t* where)
{
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    if (where)
    {
        *where = now.tv_sec;
    }
    return now.tv_sec;
}

extern "C" int
gettimeofday(timeval* time, void* /* zone */)
{
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}
