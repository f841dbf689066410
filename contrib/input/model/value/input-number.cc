/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "input-number.h"

#include <charconv>
#include <cmath>

namespace ns3
{

namespace
{

template <typename T>
bool
Parse(const std::string& text, T& value)
{
    T parsed{};
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, parsed);
    if (error != std::errc() || stop != end)
    {
        return false;
    }
    value = parsed;
    return true;
}

} // namespace

bool
ParseInteger(const std::string& text, uint64_t& value)
{
    return Parse(text, value);
}

bool
ParseNumber(const std::string& text, double& value)
{
    double parsed = 0;
    if (!Parse(text, parsed) || !std::isfinite(parsed))
    {
        return false;
    }
    value = parsed == 0 ? 0 : parsed; // "-0" is 0
    return true;
}

std::string
NumberText(double value)
{
    char text[400]; // the largest double has 309 digits, the smallest some 330 after the point
    const auto result = std::to_chars(text, text + sizeof(text), value, std::chars_format::fixed);
    return std::string(text, result.ptr);
}

std::string
ShownText(const std::string& text)
{
    constexpr size_t SHOWN = 40;
    std::string shown = text.size() <= SHOWN ? text : text.substr(0, SHOWN - 3) + "...";
    for (char& c : shown)
    {
        if (c < ' ' || c > '~')
        {
            c = '?';
        }
    }
    return shown;
}

} // namespace ns3
