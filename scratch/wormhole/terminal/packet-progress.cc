/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "packet-progress.h"

#include "units-text.h"

#include "ns3/wormhole-helper.h"

namespace wormhole
{

void
AddPacketProgress(const ns3::RdmaNetwork& network, ProgressState& state)
{
    for (const ns3::RdmaQueuePair* qp : network.GetUnfinishedFlows())
    {
        state.delivered += static_cast<double>(ns3::WormholeHelper::GetDelivered(network, *qp));
        ++state.waiting;
    }
    const ns3::WormholePacketHops crossings = ns3::WormholeHelper::CountPacketHops();
    state.packets = true;
    state.packetHopsRun = static_cast<double>(network.GetContext().counters.GetHops());
    state.packetHopsSaved = crossings.skipped + static_cast<double>(crossings.replayed);
}

std::vector<std::string>
ExplainFlows(const ns3::RdmaNetwork& network, size_t most)
{
    const std::vector<const ns3::RdmaQueuePair*> flows = network.GetUnfinishedFlows();
    std::vector<std::string> lines;
    for (const ns3::RdmaQueuePair* qp : flows)
    {
        if (lines.size() == most)
        {
            lines.push_back("and " + CountText(flows.size() - most) + " more flows");
            break;
        }
        const ns3::RdmaFlow& flow = qp->GetFlow();
        lines.push_back("flow from " + std::to_string(flow.src) + " to " +
                        std::to_string(flow.dst) + ": " + network.Explain(*qp));
    }
    return lines;
}

} // namespace wormhole
