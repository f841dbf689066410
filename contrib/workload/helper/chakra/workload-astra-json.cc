/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-astra-json.h"

#include "ns3/input-number.h"
#include "ns3/input-values.h"

namespace ns3
{

namespace
{

constexpr uint64_t MAX_FILE = 1U << 26; ///< groups of a large cluster

JsonText
ReadObject(std::istream& in, const std::string& name)
{
    JsonText text = ReadJsonText(in, name, MAX_FILE);
    if (!text.root.is_object())
    {
        throw InputError(name, 1, "the file must hold one JSON object, { \"KEY\": VALUE, ... }");
    }
    return text;
}

} // namespace

WorkloadAstraJson::WorkloadAstraJson(std::istream& in, const std::string& name)
    : JsonText(ReadObject(in, name)),
      JsonObject(static_cast<const JsonText&>(*this))
{
}

bool
WorkloadAstraJson::Flag(const std::string& key)
{
    const nlohmann::json* value = Find(key);
    return value && value->is_boolean() ? value->get<bool>() : Integer(key, 0, 1, 0) == 1;
}

void
WorkloadAstraJson::FailValue(const std::string& key,
                             const nlohmann::json& /* value */,
                             const std::string& expected) const
{
    WorkloadAstraJson::Fail(key, "must be " + expected);
}

void
WorkloadAstraJson::Fail(const std::string& key, const std::string& message) const
{
    const auto value = root.find(key);
    std::string shown = ShownText(key);
    if (value != root.end())
    {
        shown += " is " +
                 ShownText(value->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    }
    throw InputError(name, LineOf(key), shown + ": " + message);
}

} // namespace ns3
