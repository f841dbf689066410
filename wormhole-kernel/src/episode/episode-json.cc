/*
 * SPDX-License-Identifier: MIT
 */
#include "wormhole/episode-json.h"

namespace wormhole
{
namespace
{

std::string
ToHex(const StateBlob& blob)
{
    static constexpr char DIGITS[] = "0123456789abcdef";
    std::string text;
    for (const char byte : blob)
    {
        text += DIGITS[static_cast<unsigned char>(byte) >> 4];
        text += DIGITS[static_cast<unsigned char>(byte) & 15];
    }
    return text;
}

} // namespace

nlohmann::ordered_json
ToJson(const Episode& episode)
{
    auto flows = nlohmann::ordered_json::array();
    for (const FlowOutcome& flow : episode.flows)
    {
        flows.push_back({{"bytes", flow.bytes},
                         {"inFlight", flow.inFlight},
                         {"endRateBps", flow.endRate.InBitsPerSecond()},
                         {"completed", flow.completed},
                         {"control", ToHex(flow.control)}});
    }
    auto ports = nlohmann::ordered_json::array();
    for (const PortOutcome& port : episode.ports)
    {
        ports.push_back({{"flow", port.flow},
                         {"hop", port.hop},
                         {"queueBytes", port.queue},
                         {"state", ToHex(port.state)}});
    }
    return {{"durationPs", episode.duration.count()},
            {"end", episode.end == EpisodeEnd::Converged ? "converged" : "completed"},
            {"verifiedPs", episode.verified.count()},
            {"events", episode.events},
            {"flows", std::move(flows)},
            {"ports", std::move(ports)}};
}

} // namespace wormhole
