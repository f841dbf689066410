/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "run-option-values.h"

#include "command/options.h"
#include "plan/run-limits.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"
#include "ns3/input-units.h"

#include <sstream>

namespace wormhole
{

using ns3::InputError;

namespace
{

bool
ParseNode(const std::string& text, uint32_t& node)
{
    uint64_t value = 0;
    if (!ns3::ParseInteger(text, value) || value > UINT32_MAX)
    {
        return false;
    }
    node = static_cast<uint32_t>(value);
    return true;
}

} // namespace

ns3::Time
MostTime()
{
    return ns3::Seconds(static_cast<int64_t>(MAX_NS / 1e9));
}

ns3::RdmaLinkEvent
ParseLinkEvent(const std::string& option, const std::string& text)
{
    const size_t colon = text.find(':');
    const size_t dash = text.find('-', colon == std::string::npos ? 0 : colon);
    ns3::RdmaLinkEvent event;
    event.up = option == "link-up";
    event.text = "--" + option + " " + ns3::ShownText(text);
    if (colon == std::string::npos || dash == std::string::npos ||
        !ParseTimeText(text.substr(0, colon), event.time) || event.time > MostTime() ||
        !ParseNode(text.substr(colon + 1, dash - colon - 1), event.a) ||
        !ParseNode(text.substr(dash + 1), event.b))
    {
        throw InputError(event.text + ": must be TIME:A-B, such as 1ms:0-16, with a time up to " +
                         std::to_string(static_cast<uint64_t>(MAX_NS / 1e9)) + "s");
    }
    return event;
}

bool
AllLinksDisturbed(const boost::program_options::variables_map& values)
{
    if (!values.count("disturb-links"))
    {
        return false;
    }
    const std::string text = TextOption(values, "disturb-links");
    if (text != "one" && text != "all")
    {
        throw InputError("--disturb-links " + ns3::ShownText(text) + ": must be one or all");
    }
    if (!values.count("disturb"))
    {
        throw InputError("--disturb-links: no effect without --disturb; leave it out");
    }
    return text == "all";
}

CaptureRequest
ParseCapture(const std::string& text)
{
    CaptureRequest request;
    const size_t colon = text.rfind(':');
    request.prefix = text.substr(0, colon);
    std::istringstream list(colon == std::string::npos ? "" : text.substr(colon + 1));
    bool good = !request.prefix.empty() && (colon == std::string::npos || colon + 1 < text.size());
    for (std::string range; good && std::getline(list, range, ',');)
    {
        const size_t dash = range.find('-');
        uint32_t first = 0;
        uint32_t last = 0;
        good = ParseNode(range.substr(0, dash), first) &&
               ParseNode(dash == std::string::npos ? range : range.substr(dash + 1), last) &&
               first <= last && last - first <= MAX_NODES;
        for (uint64_t node = first; good && node <= last; ++node)
        {
            request.nodes.push_back(static_cast<uint32_t>(node));
        }
    }
    if (!good)
    {
        throw InputError("--pcap " + ns3::ShownText(text) +
                         ": must be PREFIX or PREFIX:NODES, such as run:0,4,16-19");
    }
    return request;
}

} // namespace wormhole
