/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-astra-json.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"

namespace ns3
{

namespace
{

constexpr uint64_t MOST_FILE = 1U << 26; ///< groups of a large cluster

} // namespace

WorkloadAstraJson::WorkloadAstraJson(std::istream& in, const std::string& name)
    : m_text(ReadJsonText(in, name, MOST_FILE))
{
    if (!Root().is_object())
    {
        throw InputError(name, 1, "the file must hold one JSON object, { \"KEY\": VALUE, ... }");
    }
}

const nlohmann::json*
WorkloadAstraJson::Find(const std::string& key) const
{
    const auto found = Root().find(key);
    return found == Root().end() ? nullptr : &*found;
}

uint64_t
WorkloadAstraJson::Integer(const std::string& key,
                           uint64_t absent,
                           uint64_t least,
                           uint64_t most) const
{
    const nlohmann::json* value = Find(key);
    if (value == nullptr)
    {
        return absent;
    }
    // Positive numbers are unsigned for this library, whatever their size.
    if (!value->is_number_unsigned() || value->get<uint64_t>() < least ||
        value->get<uint64_t>() > most)
    {
        Fail(key,
             "must be a whole number from " + std::to_string(least) + " to " +
                 std::to_string(most));
    }
    return value->get<uint64_t>();
}

double
WorkloadAstraJson::Number(const std::string& key, double absent, double least, double most) const
{
    const nlohmann::json* value = Find(key);
    if (value == nullptr)
    {
        return absent;
    }
    if (!value->is_number() || !(value->get<double>() >= least) || !(value->get<double>() <= most))
    {
        Fail(key, "must be a number from " + NumberText(least) + " to " + NumberText(most));
    }
    return value->get<double>();
}

bool
WorkloadAstraJson::Flag(const std::string& key, bool absent) const
{
    const nlohmann::json* value = Find(key);
    if (value != nullptr && value->is_boolean())
    {
        return value->get<bool>();
    }
    return Integer(key, absent ? 1 : 0, 0, 1) == 1;
}

std::string
WorkloadAstraJson::Text(const std::string& key, const std::string& absent) const
{
    const nlohmann::json* value = Find(key);
    if (value == nullptr)
    {
        return absent;
    }
    if (!value->is_string())
    {
        Fail(key, "must be a text in quotes");
    }
    return value->get<std::string>();
}

void
WorkloadAstraJson::Fail(const std::string& key, const std::string& message) const
{
    const nlohmann::json* value = Find(key);
    std::string shown = ShownText(key);
    if (value != nullptr)
    {
        shown += " is " +
                 ShownText(value->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    }
    throw InputError(m_text.name, m_text.LineOf(key), shown + ": " + message);
}

} // namespace ns3
