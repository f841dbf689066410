/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "input-error.h"

namespace ns3
{

namespace
{

std::string
Locate(const std::string& file, uint64_t line, const std::string& message)
{
    if (file.empty())
    {
        return message;
    }
    return line ? file + ":" + std::to_string(line) + ": " + message : file + ": " + message;
}

} // namespace

InputError::InputError(const std::string& file, uint64_t line, const std::string& message)
    : std::runtime_error(Locate(file, line, message))
{
}

InputError::InputError(const std::string& message)
    : std::runtime_error(message)
{
}

} // namespace ns3
