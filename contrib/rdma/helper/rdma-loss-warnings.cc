/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-loss-warnings.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr size_t MAX_PORTS = 4; //!< that a line names

std::vector<const RdmaSwitch*>
SwitchesOf(const RdmaNetwork& network)
{
    std::vector<const RdmaSwitch*> switches;
    for (uint32_t node = 0; node < network.GetNodeCount(); ++node)
    {
        if (const auto* sw = dynamic_cast<const RdmaSwitch*>(&network.GetRdmaNode(node)))
        {
            switches.push_back(sw);
        }
    }
    return switches;
}

std::string
Counted(uint64_t count, const std::string& one, const std::string& many)
{
    return std::to_string(count) + " " + (count == 1 ? one : many);
}

/** \return "node 8 from node 3" */
std::string
PlaceOf(const RdmaPort& port)
{
    return "node " + std::to_string(port.GetOwner().GetRdmaId()) + " from node " +
           std::to_string(port.GetPeer().GetOwner().GetRdmaId());
}

void
AddShortage(const std::vector<const RdmaSwitch*>& switches, std::vector<std::string>& warnings)
{
    const auto shortageOf = [](const RdmaSwitch* sw) { return sw->GetBuffer().GetShortage(); };
    const auto tooSmall = std::count_if(switches.begin(), switches.end(), shortageOf);
    if (tooSmall == 0)
    {
        return;
    }
    const RdmaSwitch& worst =
        **std::max_element(switches.begin(), switches.end(), [&](const auto* a, const auto* b) {
            return shortageOf(a) < shortageOf(b);
        });
    warnings.push_back(
        "the buffer of " + Counted(static_cast<uint64_t>(tooSmall), "switch", "switches") +
        " is smaller than the headrooms and reserves of its ports (node " +
        std::to_string(worst.GetRdmaId()) + " lacks " + std::to_string(shortageOf(&worst)) +
        " bytes); it is simulated as if it had these, and nothing to share, so that every queue "
        "beyond its reserve " +
        (worst.HasPfc() ? "pauses its senders" : "loses frames") +
        "; raise ns3::RdmaSwitch::BufferSize (BUFFER_SIZE)" +
        (worst.HasPfc() ? "" : ", or set HeadroomFactor to 0.001, for no headroom is used here"));
}

void
AddSmallHeadrooms(const std::vector<const RdmaSwitch*>& switches,
                  std::vector<std::string>& warnings)
{
    uint64_t count = 0;
    uint64_t mostMissing = 0;
    std::string worst;
    for (const RdmaSwitch* sw : switches)
    {
        for (const RdmaPort* port : sw->GetPorts())
        {
            const uint64_t headroom = sw->GetBuffer().GetPortHeadroom(port->GetIndex());
            const uint64_t need = sw->HasPfc() ? sw->GetHeadroomNeed(*port) : 0;
            count += headroom < need;
            if (headroom < need && need - headroom > mostMissing)
            {
                mostMissing = need - headroom;
                worst = PlaceOf(*port) + " has " + std::to_string(headroom) + " of " +
                        std::to_string(need) + " bytes";
            }
        }
    }
    if (count > 0)
    {
        warnings.push_back(
            "the headroom of " + Counted(count, "switch port", "switch ports") +
            " is smaller than what can still arrive after a pause (" + worst +
            "), so frames may be lost in spite of PFC; ns3::RdmaSwitch::HeadroomFactor=0 reserves "
            "enough (HPCC's rule, 3, holds with its config.txt)");
    }
}

bool
HasEnoughHeadroom(const RdmaPort* port)
{
    const auto& sw = dynamic_cast<const RdmaSwitch&>(port->GetOwner());
    return sw.GetBuffer().GetPortHeadroom(port->GetIndex()) >= sw.GetHeadroomNeed(*port);
}

/** \return whether hosts send acknowledgements in spite of pauses that switches count in their
 * buffers as ordinary frames */
bool
HasUnpausedAcks(const RdmaNetwork& network)
{
    bool ofHosts = false;
    bool ofSwitches = true;
    for (uint32_t id = 0; id < network.GetNodeCount(); ++id)
    {
        const RdmaNode& node = network.GetRdmaNode(id);
        const bool high = node.HasAckHighPriority();
        ofHosts |= high && !node.IsTransit();
        ofSwitches &= high || !node.IsTransit();
    }
    return ofHosts && !ofSwitches;
}

} // namespace

std::vector<std::string>
RdmaBufferWarnings(const RdmaNetwork& network)
{
    const std::vector<const RdmaSwitch*> switches = SwitchesOf(network);
    std::vector<std::string> warnings;
    if (network.GetContext().credits)
    {
        return warnings; // each frame has its place
    }
    AddShortage(switches, warnings);
    AddSmallHeadrooms(switches, warnings);
    return warnings;
}

std::vector<std::string>
RdmaLossWarnings(const RdmaNetwork& network)
{
    std::vector<const RdmaPort*> ports;
    uint64_t drops = 0;
    for (const RdmaSwitch* sw : SwitchesOf(network))
    {
        for (const RdmaPort* port : sw->GetPorts())
        {
            if (sw->HasPfc() && port->GetBufferDrops() > 0)
            {
                ports.push_back(port);
                drops += port->GetBufferDrops();
            }
        }
    }
    if (ports.empty())
    {
        return {};
    }
    std::stable_sort(ports.begin(), ports.end(), [](const RdmaPort* a, const RdmaPort* b) {
        return a->GetBufferDrops() > b->GetBufferDrops();
    });
    std::string text =
        Counted(drops, "frame was", "frames were") + " lost to full buffers in spite of PFC: ";
    for (size_t i = 0; i < std::min(ports.size(), MAX_PORTS); ++i)
    {
        text += (i ? ", " : "") + std::to_string(ports[i]->GetBufferDrops()) + " at " +
                PlaceOf(*ports[i]);
    }
    if (ports.size() > MAX_PORTS)
    {
        text += ", the rest at " + Counted(ports.size() - MAX_PORTS, "other port", "other ports");
    }
    const bool enough = std::all_of(ports.begin(), ports.end(), HasEnoughHeadroom);
    return {
        text + "; the network was not lossless (" +
        (enough && HasUnpausedAcks(network)
             ? "acknowledgements that no pause stops: ns3::RdmaHost::AckHighPriority=true without "
               "ns3::RdmaSwitch::AckHighPriority=true)"
             : "headroom: ns3::RdmaSwitch::HeadroomFactor)")};
}

} // namespace ns3
