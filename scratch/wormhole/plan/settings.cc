/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "settings.h"

#include "run-limits.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/input-bytes.h"
#include "ns3/input-error.h"
#include "ns3/input-nearest-name.h"
#include "ns3/input-number.h"
#include "ns3/input-spec.h"
#include "ns3/input-units.h"
#include "ns3/nstime.h"
#include "ns3/rdma-by-rate.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <cmath>
#include <map>
#include <sstream>

namespace wormhole
{

namespace
{

using ns3::InputError;
using ns3::TypeId;

/** A setting in its parts. */
struct Setting
{
    std::string type;
    std::string attribute;
    std::string value;
    std::string shown; //!< for messages
};

Setting
ParseSetting(const std::string& text)
{
    const size_t equals = text.find('=');
    const size_t colons = text.rfind("::", equals);
    Setting setting;
    setting.shown = "--set " + ns3::ShownText(text);
    if (equals == std::string::npos || colons == std::string::npos || colons == 0 ||
        colons + 2 >= equals || equals + 1 >= text.size())
    {
        throw InputError(
            setting.shown +
            ": must be TYPE::ATTRIBUTE=VALUE, such as ns3::RdmaHost::PayloadSize=4000");
    }
    setting.type = text.substr(0, colons);
    setting.attribute = text.substr(colons + 2, equals - colons - 2);
    setting.value = text.substr(equals + 1);
    return setting;
}

/** \return which attributes there are, and which of them \p wrong may have been meant for */
std::string
AttributeNames(const TypeId& type, const std::string& wrong)
{
    std::vector<std::string> names;
    for (size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        names.push_back(type.GetAttribute(i).name);
    }
    return names.empty() ? "; it has none" : ns3::KnownNamesText(wrong, names);
}

bool
IsAmong(const std::string& choices, const std::string& value)
{
    std::istringstream in(choices);
    for (std::string choice; std::getline(in, choice, '|');)
    {
        if (choice == value)
        {
            return true;
        }
    }
    return false;
}

/** \return the class that holds the attribute's value, such as ns3::TimeValue */
std::string
KindOf(const TypeId::AttributeInformation& info)
{
    const std::string name = info.checker->GetValueTypeName();
    return name.rfind("ns3::", 0) == 0 ? name : "ns3::" + name; // ns-3 is not of one mind there
}

/** \return the unit at the end of the attribute's help: "B" of "Memory of the switch. [B]" */
std::string
UnitOf(const TypeId::AttributeInformation& info)
{
    const size_t begin = info.help.rfind('[');
    return begin == std::string::npos || info.help.back() != ']'
               ? ""
               : info.help.substr(begin + 1, info.help.size() - begin - 2);
}

/** Reads a whole number, or a quantity with a unit if the attribute's \p unit is one of those. */
bool
ParseWhole(const std::string& text, const std::string& unit, uint64_t& value)
{
    constexpr double NS_PER_US = 1000;
    double ns = 0;
    if (unit == "us" && ns3::ParseTime(text, ns) && std::fmod(ns, NS_PER_US) == 0 && ns <= MAX_NS)
    {
        value = static_cast<uint64_t>(ns / NS_PER_US);
        return true;
    }
    return unit == "B" ? ns3::ParseBytes(text, value) : ns3::ParseInteger(text, value);
}

/** \return what ns-3 takes for the value; null if it does not fit. ns-3's own parsers abort on some
 * texts, so those are not shown to them. */
ns3::Ptr<ns3::AttributeValue>
ParseValue(const TypeId::AttributeInformation& info, const std::string& text)
{
    const std::string kind = KindOf(info);
    uint64_t integer = 0;
    double number = 0;
    bool readable = false;
    std::string value = text;
    if (kind == "ns3::UintegerValue")
    {
        readable = ParseWhole(text, UnitOf(info), integer);
        value = std::to_string(integer);
    }
    else if (kind == "ns3::IntegerValue")
    {
        readable = ns3::ParseInteger(text[0] == '-' ? text.substr(1) : text, integer);
    }
    else if (kind == "ns3::DoubleValue")
    {
        readable = ns3::ParseNumber(text, number);
    }
    else if (kind == "ns3::BooleanValue")
    {
        readable = IsAmong("true|false|1|0|t|f", text);
    }
    else if (kind == "ns3::TimeValue")
    {
        readable = ns3::ParseTime(text, number) && number <= MAX_NS;
        value = ns3::NsText(number);
    }
    else if (kind == "ns3::DataRateValue")
    {
        readable = ns3::ParseRate(text, integer);
        value = std::to_string(integer) + "bps";
    }
    else if (kind == "ns3::EnumValue")
    {
        readable = IsAmong(info.checker->GetUnderlyingTypeInformation(), text);
    }
    else if (kind == "ns3::StringValue" || kind == "ns3::RdmaByRateValue")
    {
        readable = true;
    }
    return readable ? info.checker->CreateValidValue(ns3::StringValue(value)) : nullptr;
}

/** \return " from 1 to 31" of a checker's "uint32_t 1:31", " of 1 or more" of "double 1:1.8e+308";
 * empty if there is no range, or it is the type's */
std::string
RangeText(const std::string& type)
{
    const size_t colon = type.find(':');
    const size_t blank = type.find(' ');
    const std::string limit = "e+308"; // of doubles
    if (colon == std::string::npos || blank == std::string::npos || type.find(limit) < colon)
    {
        return "";
    }
    const std::string least = type.substr(blank + 1, colon - blank - 1);
    return type.find(limit) == std::string::npos
               ? " from " + least + " to " + type.substr(colon + 1)
               : " of " + least + " or more";
}

/** \return what to write instead of \p text, for a message */
std::string
Expected(const TypeId::AttributeInformation& info, const std::string& text)
{
    const std::string kind = KindOf(info);
    std::string type = info.checker->GetUnderlyingTypeInformation();
    if (kind == "ns3::UintegerValue" || kind == "ns3::IntegerValue")
    {
        const std::string unit = UnitOf(info);
        return "a whole number" + RangeText(type) +
               (unit == "B"    ? ", or bytes with a unit, such as 64KB"
                : unit == "us" ? ", or a time in whole us, such as 5us"
                               : "");
    }
    if (kind == "ns3::RdmaByRateValue")
    {
        ns3::RdmaByRate none;
        return "one quantity, such as 100KB, or one by link rate, such as "
               "100Gbps:100KB,400Gbps:400KB; " +
               ns3::RdmaByRate::Parse(text, none);
    }
    if (kind == "ns3::DoubleValue")
    {
        return "a number" + RangeText(type);
    }
    if (kind == "ns3::BooleanValue")
    {
        return "true or false";
    }
    if (kind == "ns3::TimeValue")
    {
        return "a time from 0 on with its unit, such as 55us";
    }
    if (kind == "ns3::DataRateValue")
    {
        return "a rate with its unit, such as 40Mbps";
    }
    return type;
}

/** \return the value as --set takes it, exactly: ns-3 would print six digits */
std::string
AttributeText(const ns3::ObjectBase& object, const TypeId::AttributeInformation& info)
{
    const std::string kind = KindOf(info);
    if (kind == "ns3::TimeValue")
    {
        ns3::TimeValue value;
        object.GetAttribute(info.name, value);
        return ns3::NsText(value.Get().ToDouble(ns3::Time::NS));
    }
    if (kind == "ns3::DoubleValue")
    {
        ns3::DoubleValue value;
        object.GetAttribute(info.name, value);
        return ns3::NumberText(value.Get());
    }
    ns3::StringValue value;
    object.GetAttribute(info.name, value);
    return value.Get();
}

/** Some attributes have an option, which knows more than the attribute does. */
void
RejectIfOption(const Setting& setting)
{
    static const std::map<std::string, std::string> options{
        {"ns3::RdmaNetwork::Seed", "--seed"},
        {"ns3::RdmaNetwork::Timing", "--timing"},
        {"ns3::RdmaNetwork::FlowControl", "--flow-control"},
        {"ns3::RdmaHost::CongestionControl", "--cc"},
        {"ns3::RdmaHost::Recovery", "--recovery"},
        {"ns3::RdmaHost::Entropy", "--routing"},
        {"ns3::RdmaSwitch::Routing", "--routing"},
        {"ns3::RdmaClassScheduler::Classes", "--class"},
        {"ns3::RdmaSimulatorImpl::Threads", "--threads"},
        {"ns3::RdmaSimulatorImpl::EventLog", "--twin"},
        {"ns3::RdmaSimulatorImpl::EventTwin", "--twin"},
    };
    const auto option = options.find(setting.type + "::" + setting.attribute);
    if (option != options.end())
    {
        throw InputError(setting.shown + ": use " + option->second);
    }
}

} // namespace

ns3::Ptr<ns3::AttributeValue>
CheckAttribute(const std::string& shown,
               const std::string& type,
               const std::string& name,
               const std::string& text)
{
    const TypeId id = TypeId::LookupByName(type);
    TypeId::AttributeInformation info;
    if (!id.LookupAttributeByName(name, &info))
    {
        throw InputError(shown + ": no attribute " + ns3::ShownText(name) +
                         AttributeNames(id, name));
    }
    ns3::Ptr<ns3::AttributeValue> value = ParseValue(info, text);
    if (!value)
    {
        throw InputError(shown + ": must be " + Expected(info, text));
    }
    return value;
}

void
ApplySetting(const std::string& text, ns3::RdmaHelper& helper, bool native)
{
    const Setting setting = ParseSetting(text);
    const std::vector<std::string> used = helper.GetTypes();
    TypeId type;
    if (!TypeId::LookupByNameFailSafe(setting.type, &type))
    {
        throw InputError(setting.shown + ": no type " + ns3::ShownText(setting.type) +
                         "; this run uses " + ns3::ListText(used));
    }
    RejectIfOption(setting);
    const ns3::Ptr<ns3::AttributeValue> value =
        CheckAttribute(setting.shown, setting.type, setting.attribute, setting.value);
    if (native && setting.type == "ns3::RdmaSimulatorImpl")
    {
        ns3::Config::SetDefault(setting.type + "::" + setting.attribute, *value); // made later
        return;
    }
    if (!helper.SetAttributeOf(setting.type, setting.attribute, *value))
    {
        throw InputError(setting.shown + ": no effect, since this run uses " + ns3::ListText(used));
    }
}

bool
IsSet(const std::vector<std::pair<std::string, std::string>>& attributes,
      const std::string& name,
      bool otherwise)
{
    ns3::BooleanValue value(otherwise);
    for (const auto& [attribute, text] : attributes)
    {
        if (attribute == name)
        {
            value.DeserializeFromString(text, nullptr);
        }
    }
    return value.Get();
}

std::vector<std::pair<std::string, std::string>>
ListAttributes(const ns3::ObjectBase& object)
{
    std::vector<std::pair<std::string, std::string>> list;
    for (TypeId type = object.GetInstanceTypeId();; type = type.GetParent())
    {
        for (size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation info = type.GetAttribute(i);
            if (info.accessor->HasGetter())
            {
                list.emplace_back(info.name, AttributeText(object, info));
            }
        }
        if (!type.HasParent())
        {
            break;
        }
    }
    return list;
}

} // namespace wormhole
