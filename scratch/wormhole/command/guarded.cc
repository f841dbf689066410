/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "guarded.h"

#include "command/huge-pages.h"
#include "run/exit-codes.h"
#include "run/ranks.h"
#include "terminal/signals.h"

#include "ns3/input-error.h"
#include "ns3/nstime.h"

#include <csignal>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <system_error>

namespace wormhole
{

namespace
{

#if defined(__linux__) && !defined(WORMHOLE_SANITIZED) // whose own start must be first
/** What programs do before libraries construct what they have: the memory of hundreds of types that
 * ns-3 registers is taken then. */
__attribute__((section(".preinit_array"), used)) void (*const g_first)() = UseHugePages;
#endif

/** \return who tells of an error: the program, and which one if mpirun has started several */
std::string
Who()
{
    return CountRanks() > 1 ? "wormhole: rank " + std::to_string(GetRank()) + ": " : "wormhole: ";
}

/** Tells of an error, at once, for other ranks write there, too. \return the exit code */
int
Fail(const std::string& what, int code)
{
    std::cerr << Who() + what + "\n";
    return code;
}

} // namespace

int
RunProgram(int argc, char** argv, int (*work)(const Words&))
{
    ns3::Time::SetResolution(ns3::Time::PS);
    std::signal(SIGXFSZ, SIG_IGN); // beyond ulimit -f: an error of writing, as on a full disk
    try
    {
        return work(Words(argv + 1, argv + argc));
    }
    catch (const ns3::InputError& error)
    {
        return Fail(error.what(), EXIT_USAGE);
    }
    catch (const Interrupted& interrupted)
    {
        return Fail(interrupted.what(), EXIT_INTERRUPTED);
    }
    catch (const std::bad_alloc&)
    {
        return Fail("out of memory; what had been written before is in the output files; try "
                    "a smaller network or workload, or a machine with more memory",
                    EXIT_IO);
    }
    catch (const std::system_error& error)
    {
        // of threads and processes; their memory may be what is missing
        const bool scarce = error.code() == std::errc::resource_unavailable_try_again;
        return Fail(error.what() +
                        std::string(scarce ? "; allow more memory or processes, as by ulimit -v "
                                             "and -u"
                                           : ""),
                    EXIT_IO);
    }
    catch (const std::exception& error)
    {
        return Fail(error.what(), EXIT_IO);
    }
}

} // namespace wormhole
