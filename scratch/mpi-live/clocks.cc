/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * The clocks of the C library, as the program sees them: NetPIPE, for one, takes its times from
 * gettimeofday(). What other libraries see, the MPI library among them, is real.
 */

#include "live.h"

#include <cmath>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <sys/time.h>
#include <time.h>

using namespace mpilive;

namespace
{

/** Addresses of a segment of code. */
struct Code
{
    uintptr_t first;
    uintptr_t end;
};

/** Adds the code of the program itself, and of C++'s library, which has std::chrono's clocks. */
int
AddCode(dl_phdr_info* object, size_t, void* data)
{
    auto& all = *static_cast<std::vector<Code>*>(data);
    if (object->dlpi_name[0] != 0 && !strstr(object->dlpi_name, "libstdc++.so"))
    {
        return 0;
    }
    for (int i = 0; i < object->dlpi_phnum; ++i)
    {
        const ElfW(Phdr)& segment = object->dlpi_phdr[i];
        if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0)
        {
            const uintptr_t first = object->dlpi_addr + segment.p_vaddr;
            all.push_back({first, first + segment.p_memsz});
        }
    }
    return 0;
}

/** \return whether who called is the program */
bool
IsProgram(const void* caller)
{
    static const std::vector<Code> program = [] {
        std::vector<Code> all;
        dl_iterate_phdr(AddCode, &all);
        return all;
    }();
    const auto address = reinterpret_cast<uintptr_t>(caller);
    for (const Code& code : program)
    {
        if (address >= code.first && address < code.end)
        {
            return true;
        }
    }
    return false;
}

using ClockGetTime = int (*)(clockid_t, timespec*);

int
RealTime(clockid_t clock, timespec* time)
{
    static const auto real = reinterpret_cast<ClockGetTime>(dlsym(RTLD_NEXT, "clock_gettime"));
    return real(clock, time);
}

/** Sets a time of a clock that stood where it did when the rank's time began, and has gone with it
 * since. */
int
SimulatedTime(clockid_t clock, timespec* time)
{
    const Process& process = Process::Get();
    const timespec& start = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE
                                ? process.startReal
                                : process.startMonotonic;
    constexpr int64_t NS = 1'000'000'000;
    const auto ns =
        start.tv_nsec + static_cast<int64_t>(std::llround(Process::Get().Seconds() * 1e9));
    time->tv_sec = start.tv_sec + ns / NS;
    time->tv_nsec = ns % NS;
    return 0;
}

/** \return whether a clock counts the time of day, or the time since some start */
bool
IsOfTime(clockid_t clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_MONOTONIC ||
           clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_MONOTONIC_RAW ||
           clock == CLOCK_BOOTTIME;
}

} // namespace

namespace mpilive
{

void
SetStart(timespec& real, timespec& monotonic)
{
    RealTime(CLOCK_REALTIME, &real);
    RealTime(CLOCK_MONOTONIC, &monotonic);
}

} // namespace mpilive

extern "C"
{
    int clock_gettime(clockid_t clock, timespec* time)
    {
        return IsOfTime(clock) && IsProgram(__builtin_return_address(0)) && Process::Get().IsMine()
                   ? SimulatedTime(clock, time)
                   : RealTime(clock, time);
    }

    int gettimeofday(timeval* __restrict time, void* __restrict)
    {
        timespec precise{};
        const bool simulated = IsProgram(__builtin_return_address(0)) && Process::Get().IsMine();
        const int result = simulated ? SimulatedTime(CLOCK_REALTIME, &precise)
                                     : RealTime(CLOCK_REALTIME, &precise);
        time->tv_sec = precise.tv_sec;
        time->tv_usec = precise.tv_nsec / 1000;
        return result;
    }

    time_t time(time_t* also)
    {
        timespec precise{};
        IsProgram(__builtin_return_address(0)) && Process::Get().IsMine()
            ? SimulatedTime(CLOCK_REALTIME, &precise)
            : RealTime(CLOCK_REALTIME, &precise);
        if (also)
        {
            *also = precise.tv_sec;
        }
        return precise.tv_sec;
    }
} // extern "C"
