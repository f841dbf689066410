/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "input-values.h"

#include "input-bytes.h"
#include "input-number.h"
#include "input-units.h"

#include <filesystem>

namespace ns3
{

uint64_t
InputValues::ToInteger(std::string_view what,
                       const std::string& text,
                       uint64_t min,
                       uint64_t max) const
{
    uint64_t value = 0;
    if (!ParseInteger(text, value) || value < min || value > max)
    {
        FailValue(what, text, ExpectedIntegerText(min, max));
    }
    return value;
}

double
InputValues::ToNumber(std::string_view what, const std::string& text, double min, double max) const
{
    double value = 0;
    if (!ParseNumber(text, value) || value < min || value > max)
    {
        FailValue(what, text, ExpectedNumberText(min, max));
    }
    return value;
}

uint64_t
InputValues::ToRate(std::string_view what, const std::string& text) const
{
    uint64_t rate = 0;
    if (!ParseRate(text, rate) || rate == 0)
    {
        FailValue(what, text, "a rate above 0 with its unit, such as 100Gbps");
    }
    return rate;
}

uint64_t
InputValues::ToBytes(std::string_view what, const std::string& text, uint64_t min) const
{
    uint64_t bytes = 0;
    if (!ParseBytes(text, bytes) || bytes < min)
    {
        FailValue(what, text, ExpectedBytesText(min));
    }
    return bytes;
}

std::string
ExpectedIntegerText(uint64_t min, uint64_t max)
{
    return "a whole number from " + std::to_string(min) + " to " + std::to_string(max);
}

std::string
ExpectedNumberText(double min, double max)
{
    return "a number from " + NumberText(min) + " to " + NumberText(max);
}

std::string
ExpectedBytesText(uint64_t min)
{
    return "a size in whole bytes from " + std::to_string(min) + " to " +
           std::to_string(INT64_MAX) + ", such as 20000000, 1MB or 64KiB";
}

std::ifstream
OpenInput(const std::string& file, const std::string& message)
{
    std::ifstream in(file, std::ios::binary);
    std::error_code error;
    if (!in || std::filesystem::is_directory(file, error)) // which can be opened, but not read
    {
        throw InputError(file.empty() ? "\"\"" : file, 0, message);
    }
    return in;
}

} // namespace ns3
