/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "warnings.h"

#include "command/build-info.h"

#include <iostream>

namespace wormhole
{

void
TellWarnings(const std::vector<std::string>& warnings)
{
    for (const std::string& warning : warnings)
    {
        std::cerr << "wormhole: warning: " << warning << std::endl;
    }
}

void
ShowWarnings(const std::vector<std::string>& warnings)
{
    TellWarnings(BuildWarnings());
    TellWarnings(warnings);
}

} // namespace wormhole
