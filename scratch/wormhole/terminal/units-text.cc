/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "units-text.h"

#include <cstdio>

namespace wormhole
{

std::string
FixedText(double value, int digits)
{
    char text[64];
    std::snprintf(text, sizeof(text), "%.*f", digits, value);
    return text;
}

std::string
TimeText(double ns)
{
    struct Unit
    {
        double ns;
        const char* name;
    };

    for (const Unit& unit :
         {Unit{3600e9, " h"}, {60e9, " min"}, {1e9, " s"}, {1e6, " ms"}, {1e3, " us"}})
    {
        if (ns >= unit.ns)
        {
            return FixedText(ns / unit.ns, 2) + unit.name;
        }
    }
    return FixedText(ns, 0) + " ns";
}

std::string
PercentText(double share)
{
    const double percent = share * 100;
    return FixedText(percent, percent < 0.1 ? 4 : percent < 10 ? 2 : 1) + " %";
}

std::string
CountText(uint64_t count)
{
    std::string text = std::to_string(count);
    for (size_t place = text.size(); place > 3; place -= 3)
    {
        text.insert(place - 3, ",");
    }
    return text;
}

} // namespace wormhole
