/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_EXEC_ARGUMENTS_H
#define WORMHOLE_CLI_EXEC_ARGUMENTS_H

#include "command/commands.h"

#include <string>
#include <vector>

namespace wormhole
{

/** \return \p words as exec takes them, with the null pointer at the end; valid as long as these
 * are not changed */
inline std::vector<char*>
ExecArguments(Words& words)
{
    std::vector<char*> arguments;
    for (std::string& word : words)
    {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    return arguments;
}

} // namespace wormhole

#endif // WORMHOLE_CLI_EXEC_ARGUMENTS_H
