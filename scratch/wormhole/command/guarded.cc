/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "guarded.h"

#include "run/exit-codes.h"
#include "terminal/signals.h"

#include "ns3/input-error.h"
#include "ns3/nstime.h"

#include <csignal>
#include <exception>
#include <iostream>
#include <new>
#include <system_error>

namespace wormhole
{

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
        std::cerr << "wormhole: " << error.what() << std::endl;
        return EXIT_USAGE;
    }
    catch (const Interrupted& interrupted)
    {
        std::cerr << "wormhole: " << interrupted.what() << std::endl;
        return EXIT_INTERRUPTED;
    }
    catch (const std::bad_alloc&)
    {
        std::cerr
            << "wormhole: out of memory; what had been written before is in the output files; try "
               "a smaller network or workload, or a machine with more memory"
            << std::endl;
        return EXIT_IO;
    }
    catch (const std::system_error& error)
    {
        // of threads and processes; their memory may be what is missing
        const bool scarce = error.code() == std::errc::resource_unavailable_try_again;
        std::cerr << "wormhole: " << error.what()
                  << (scarce ? "; allow more memory or processes, as by ulimit -v and -u" : "")
                  << std::endl;
        return EXIT_IO;
    }
    catch (const std::exception& error)
    {
        std::cerr << "wormhole: " << error.what() << std::endl;
        return EXIT_IO;
    }
}

} // namespace wormhole
