/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wormhole-simulator-impl.h"

#include <algorithm>

// Why fast-forward has left out nothing.

namespace ns3
{

namespace
{

using wormhole::Reason;

struct Cause
{
    Reason reason;
    const char* text;
};

constexpr Cause CAUSES[] = {
    {Reason::FlowStarted, "flows start in them"},
    {Reason::FlowEnded, "flows end in them"},
    {Reason::FlowRerouted, "flows take other routes"},
    {Reason::PortChanged, "their ports fail, recover, pause or change"},
    {Reason::LoadChanged, "the acknowledgements that cross their ports change (WatchTolerance)"},
    {Reason::Disturbed, "links fail, recover or lose other shares, or flows are given rates"},
    {Reason::SavesLittle, "too little could be saved so far (MinSaving)"},
};
constexpr size_t MOST_CAUSES = 3;

uint64_t
CountOf(const wormhole::ControllerStatistics& statistics, Reason reason)
{
    return statistics.reasons[static_cast<size_t>(reason)];
}

/** \return "flows start in them (16 times), flows end in them (4 times)" */
std::string
CausesText(const wormhole::ControllerStatistics& statistics)
{
    std::vector<Cause> causes(std::begin(CAUSES), std::end(CAUSES));
    std::stable_sort(causes.begin(), causes.end(), [&](const Cause& a, const Cause& b) {
        return CountOf(statistics, a.reason) > CountOf(statistics, b.reason);
    });
    causes.resize(MOST_CAUSES);
    std::string text;
    for (const Cause& cause : causes)
    {
        const uint64_t count = CountOf(statistics, cause.reason);
        text += count ? std::string(text.empty() ? "" : ", ") + cause.text + " (" +
                            std::to_string(count) + (count == 1 ? " time)" : " times)")
                      : "";
    }
    return text;
}

} // namespace

std::string
WormholeSimulatorImpl::ExplainIdle() const
{
    if (!m_enabled)
    {
        return "";
    }
    if (!m_used)
    {
        return "there is no RdmaNetwork; what ns-3's own sockets send (TCP, UDP) is simulated "
               "packet by packet";
    }
    std::string text;
    for (const auto& network : m_networks)
    {
        const wormhole::ControllerStatistics& s = network->GetController().Statistics();
        if (!s.decisions && !s.suspensions)
        {
            continue; // no flow
        }
        text += text.empty() ? "" : "; ";
        const std::string causes = CausesText(s);
        const uint64_t steady = CountOf(s, Reason::Steady) + CountOf(s, Reason::SavesLittle);
        text += s.suspensions
                    ? "it is suspended, since to watch flows costs more than it saves (Overhead); "
                    : "";
        text += causes.empty() ? "" : "partitions stay in packets as " + causes + "; ";
        text += "of " + std::to_string(s.samples) + " samples of rates, " +
                (steady ? std::to_string(steady) : "none") +
                " found all flows of a partition steady (Theta, Window), and the largest has " +
                std::to_string(s.largestPartition) + (s.largestPartition == 1 ? " flow" : " flows");
    }
    if (text.empty() && !m_everyPacket.empty())
    {
        return "every packet is simulated: " + m_everyPacket;
    }
    return text.empty()
               ? "no flow has begun to send in an RdmaNetwork; what ns-3's own sockets send "
                 "(TCP, UDP) is simulated packet by packet"
               : text;
}

} // namespace ns3
