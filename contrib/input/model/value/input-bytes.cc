/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "input-bytes.h"

#include "input-number.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace ns3
{

namespace
{

constexpr uint64_t MAX_BYTES = INT64_MAX;

/** \return the number of bytes of a unit, 0 if there is no such unit */
uint64_t
UnitBytes(const std::string& unit)
{
    static const std::map<std::string, uint64_t> UNITS{{"", 1},
                                                       {"B", 1},
                                                       {"kB", 1000},
                                                       {"KB", 1000},
                                                       {"MB", 1000000},
                                                       {"GB", 1000000000},
                                                       {"TB", 1000000000000},
                                                       {"KiB", 1ULL << 10},
                                                       {"MiB", 1ULL << 20},
                                                       {"GiB", 1ULL << 30},
                                                       {"TiB", 1ULL << 40}};
    const auto found = UNITS.find(unit);
    return found == UNITS.end() ? 0 : found->second;
}

} // namespace

bool
ParseBytes(const std::string& text, uint64_t& bytes)
{
    const size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
    const std::string number = text.substr(0, digits);
    const uint64_t unit = UnitBytes(text.substr(digits));
    uint64_t whole = 0;
    if (unit != 0 && ParseInteger(number, whole))
    {
        if (whole > MAX_BYTES / unit)
        {
            return false;
        }
        bytes = whole * unit;
        return true;
    }
    constexpr double MAX_EXACT = 0x1p53;
    double value = 0;
    if (unit == 0 || !ParseNumber(number, value))
    {
        return false;
    }
    value *= static_cast<double>(unit);
    if (value > MAX_EXACT || value != std::floor(value))
    {
        return false;
    }
    bytes = static_cast<uint64_t>(value);
    return true;
}

} // namespace ns3
