/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "run-mode.h"

#include "command/options.h"

namespace wormhole
{

namespace
{

const Words NAMES{"packet", "fast", "flow", "message"}; // in the order of RunMode

} // namespace

std::string
RunModeName(RunMode mode)
{
    return NAMES[static_cast<size_t>(mode)];
}

RunMode
ParseRunMode(const boost::program_options::variables_map& values)
{
    const std::string text = Choice(values, "mode", NAMES);
    size_t mode = 0;
    while (!text.empty() && NAMES[mode] != text)
    {
        ++mode;
    }
    return static_cast<RunMode>(mode);
}

} // namespace wormhole
