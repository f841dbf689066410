/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "warnings.h"

#include "build-info.h"

#include <iostream>

namespace wormhole
{

std::vector<std::string>
WarningsAbout(const ns3::RdmaNetwork& network)
{
    uint32_t tooSmall = 0;
    uint32_t worst = 0;
    uint64_t shortage = 0;
    for (uint32_t node = 0; node < network.GetNodeCount(); ++node)
    {
        const auto* sw = dynamic_cast<const ns3::RdmaSwitch*>(&network.GetRdmaNode(node));
        const uint64_t missing = sw ? sw->GetBuffer().GetShortage() : 0;
        tooSmall += missing > 0;
        if (missing > shortage)
        {
            worst = node;
            shortage = missing;
        }
    }
    if (!tooSmall)
    {
        return {};
    }
    return {"the buffer of " + std::to_string(tooSmall) +
            (tooSmall == 1 ? " switch" : " switches") +
            " is smaller than the headrooms and reserves of its ports (node " +
            std::to_string(worst) + " lacks " + std::to_string(shortage) +
            " bytes), so every queue beyond its reserve pauses its senders; raise "
            "ns3::RdmaSwitch::BufferSize (BUFFER_SIZE)"};
}

void
ShowWarnings(const std::vector<std::string>& warnings)
{
    TellWarnings(BuildWarnings());
    TellWarnings(warnings);
}

void
TellWarnings(const std::vector<std::string>& warnings)
{
    for (const std::string& warning : warnings)
    {
        std::cerr << "wormhole: warning: " << warning << std::endl;
    }
}

} // namespace wormhole
