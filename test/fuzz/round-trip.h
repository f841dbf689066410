/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FUZZ_ROUND_TRIP_H
#define FUZZ_ROUND_TRIP_H

#include "ns3/input-error.h"

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

/**
 * Reads an input, and what is written of it, which must be the same then.
 * \param read (stream, name of the file); may throw InputError
 * \param write (stream, what was read)
 * \return 0, for libFuzzer
 */
template <typename Read, typename Write>
int
FuzzRoundTrip(const uint8_t* data, size_t size, Read read, Write write)
{
    const auto written = [&](const std::string& input, const char* name) {
        std::istringstream in(input);
        std::ostringstream out;
        write(out, read(in, name));
        return out.str();
    };
    try
    {
        const std::string text = written({reinterpret_cast<const char*>(data), size}, "input.txt");
        if (written(text, "written.txt") != text)
        {
            std::abort();
        }
    }
    catch (const ns3::InputError&)
    {
        // what a bad input must lead to
    }
    return 0;
}

#endif // FUZZ_ROUND_TRIP_H
