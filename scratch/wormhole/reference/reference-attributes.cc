/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Attributes and trace sources, from ns-3's registry of TypeIds.
 */

#include "reference.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/rdma-host.h"
#include "ns3/rdma-net-device.h"
#include "ns3/string.h"
#include "ns3/type-id.h"
#include "ns3/wormhole-helper.h"
#include "ns3/wormhole-simulator-impl.h"

#include <algorithm>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace wormhole
{

using ns3::TypeId;

namespace
{

/** \return the modules' TypeIds, by name */
std::vector<TypeId>
OwnTypes()
{
    ns3::WormholeHelper(); // so that the linker keeps the module, and its TypeId is known
    std::vector<TypeId> types;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        const std::string group = type.GetGroupName();
        if (group == "Rdma" || group == "Workload" || group == "Wormhole")
        {
            types.push_back(type);
        }
    }
    std::sort(types.begin(), types.end(), [](const TypeId& a, const TypeId& b) {
        return a.GetName() < b.GetName();
    });
    return types;
}

/** \return "ns3::UintegerValue" as "Uinteger" */
std::string
ShortType(const std::string& value)
{
    const std::string prefix = "ns3::";
    const std::string suffix = "Value";
    const size_t begin = value.rfind(prefix, 0) == 0 ? prefix.size() : 0;
    const size_t end =
        value.size() > suffix.size() && value.rfind(suffix) == value.size() - suffix.size()
            ? value.size() - suffix.size()
            : value.size();
    return value.substr(begin, end - begin);
}

/** \return a quantity in the largest of its units in which it is a whole number */
std::string
WithUnit(int64_t quantity, const std::vector<std::pair<int64_t, const char*>>& units)
{
    for (const auto& [size, name] : units)
    {
        if (quantity % size == 0 && quantity != 0)
        {
            return std::to_string(quantity / size) + " " + name;
        }
    }
    return std::to_string(quantity);
}

std::string
DefaultTimeText(const ns3::Time& time)
{
    return WithUnit(
        time.GetPicoSeconds(),
        {{1000000000000, "s"}, {1000000000, "ms"}, {1000000, "us"}, {1000, "ns"}, {1, "ps"}});
}

std::string
DefaultText(const TypeId::AttributeInformation& attribute)
{
    const ns3::AttributeValue* value = ns3::PeekPointer(attribute.originalInitialValue);
    if (const auto* time = dynamic_cast<const ns3::TimeValue*>(value))
    {
        return DefaultTimeText(time->Get());
    }
    if (const auto* rate = dynamic_cast<const ns3::DataRateValue*>(value))
    {
        return WithUnit(static_cast<int64_t>(rate->Get().GetBitRate()),
                        {{1000000000, "Gb/s"}, {1000000, "Mb/s"}, {1000, "kb/s"}, {1, "b/s"}});
    }
    const std::string text = value->SerializeToString(attribute.checker);
    return text.empty() ? "empty" : text;
}

/** \return whether a bound is only that of its type, such as 4294967295 */
bool
IsLimitOfType(const std::string& bound)
{
    const double value = std::stod(bound);
    const double magnitude = value < 0 ? -value : value;
    return magnitude >= 1e18 || value == std::numeric_limits<uint32_t>::max() ||
           value == std::numeric_limits<uint16_t>::max();
}

/** \return the accepted values, from what a checker says: "uint32_t 1:31" */
std::string
RangeText(const TypeId::AttributeInformation& attribute)
{
    if (!attribute.checker->HasUnderlyingTypeInformation())
    {
        return "-";
    }
    const std::string text = attribute.checker->GetUnderlyingTypeInformation();
    const size_t blank = text.find(' ');
    const size_t colon = text.find(':', blank);
    if (blank == std::string::npos || colon == std::string::npos || text.rfind("bool", 0) == 0)
    {
        return "-";
    }
    std::string least = text.substr(blank + 1, colon - blank - 1);
    const std::string most = text.substr(colon + 1);
    if (dynamic_cast<const ns3::TimeValue*>(ns3::PeekPointer(attribute.originalInitialValue)))
    {
        return DefaultTimeText(ns3::Time(least)) + " or more";
    }
    return least + (IsLimitOfType(most) ? " or more" : " to " + most);
}

/** \return the text of a help before its unit, and the unit, which stands in brackets at its end */
std::pair<std::string, std::string>
SplitHelp(const TypeId::AttributeInformation& attribute)
{
    const std::string& help = attribute.help;
    const size_t open = help.rfind(" [");
    if (open != std::string::npos && help.back() == ']')
    {
        return {help.substr(0, open), help.substr(open + 2, help.size() - open - 3)};
    }
    const std::string type = ShortType(attribute.checker->GetValueTypeName());
    return {help, type == "Time" || type == "DataRate" ? "with its unit" : "-"};
}

/** A signature of trace sinks, by the name that trace sources give for it. */
using Signatures = std::map<std::string, std::string>;

// The compiler checks that the arguments are those of the callback.
#define SIGNATURE(type, ...)                                                                       \
    (static_cast<void>(std::enable_if_t<std::is_same_v<type, void (*)(__VA_ARGS__)>, int>{}),      \
     Signatures::value_type(#type, #__VA_ARGS__))

/** \return the arguments that a trace source passes on */
std::string
ArgumentsOf(const TypeId::TraceSourceInformation& source)
{
    using namespace ns3;
    static const Signatures signatures{
        SIGNATURE(ns3::RdmaHost::FlowTracedCallback, const RdmaQueuePair&),
        SIGNATURE(ns3::RdmaHost::RateTracedCallback, const RdmaQueuePair&, uint64_t before),
        SIGNATURE(ns3::RdmaNetDevice::FrameTracedCallback, const RdmaFrame&),
        SIGNATURE(ns3::RdmaNetDevice::QueueTracedCallback, const RdmaFrame&, uint32_t queue),
        SIGNATURE(ns3::RdmaNetDevice::DropTracedCallback, const RdmaFrame&, RdmaDropReason),
        SIGNATURE(ns3::RdmaNetDevice::QueueBytesTracedCallback,
                  uint32_t queue,
                  uint64_t before,
                  uint64_t after),
        SIGNATURE(ns3::RdmaNetDevice::PfcTracedCallback, uint32_t queue, bool pause),
        SIGNATURE(ns3::WormholeSimulatorImpl::DecisionTracedCallback,
                  const WormholeNetwork&,
                  const wormhole::Decision&),
    };
    const auto found = signatures.find(source.callback);
    if (found == signatures.end())
    {
        throw std::logic_error(
            "scratch/wormhole/reference/reference-attributes.cc: add the signature of " +
            source.callback);
    }
    return found->second;
}

#undef SIGNATURE

} // namespace

std::string
AttributesMarkdown()
{
    std::string text =
        "# Attributes\n\n"
        "Of the modules `rdma` and `wormhole` (`workload` has none). They are set as always in "
        "ns-3, by `Config::SetDefault` or a helper's\n`Set...`, and on the command line by `--set "
        "ns3::RdmaHost::PayloadSize=4000` or `--fast Theta=0.02`.\n\n"
        "A rate or time has its unit with it (`100Gbps`, `5us`). A share is a fraction of 1. A "
        "count, factor or number has no unit.\n";
    for (const TypeId& type : OwnTypes())
    {
        if (type.GetAttributeN() == 0)
        {
            continue;
        }
        text += "\n## " + type.GetName() + "\n\n" +
                MarkdownHead({"attribute", "type", "default", "range", "unit", "meaning"});
        for (size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation attribute = type.GetAttribute(i);
            const auto [meaning, unit] = SplitHelp(attribute);
            text += MarkdownRow({"`" + attribute.name + "`",
                                 ShortType(attribute.checker->GetValueTypeName()),
                                 DefaultText(attribute),
                                 RangeText(attribute),
                                 unit,
                                 meaning});
        }
    }
    return text;
}

std::string
TraceSourcesMarkdown()
{
    std::string text =
        "# Trace sources\n\n"
        "Connected as always in ns-3, by `TraceConnectWithoutContext` or `Config`; "
        "[traces.md](../../contrib/rdma/doc/traces.md) says how, and what\nelse a run can show of "
        "itself.\n";
    for (const TypeId& type : OwnTypes())
    {
        if (type.GetTraceSourceN() == 0)
        {
            continue;
        }
        text +=
            "\n## " + type.GetName() + "\n\n" + MarkdownHead({"trace source", "arguments", "when"});
        for (size_t i = 0; i < type.GetTraceSourceN(); ++i)
        {
            const TypeId::TraceSourceInformation source = type.GetTraceSource(i);
            text += MarkdownRow(
                {"`" + source.name + "`", "`" + ArgumentsOf(source) + "`", source.help});
        }
    }
    return text;
}

} // namespace wormhole
