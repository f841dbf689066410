/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "memory.h"

#include <fstream>
#include <string>

namespace harness
{

namespace
{

/** \return a field of /proc/self/status in KiB */
uint64_t
StatusKib(const std::string& field)
{
    std::ifstream in("/proc/self/status");
    for (std::string word; in >> word;)
    {
        if (word == field)
        {
            uint64_t kib = 0;
            in >> kib;
            return kib;
        }
    }
    return 0;
}

} // namespace

uint64_t
PeakMemoryKib()
{
    return StatusKib("VmHWM:");
}

uint64_t
MemoryKib()
{
    return StatusKib("VmRSS:");
}

} // namespace harness
