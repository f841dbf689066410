/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "input-json-object.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"
#include "ns3/input-spec.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

JsonObject::JsonObject(const JsonText& text)
    : JsonObject(text, text.root, "")
{
}

JsonObject::JsonObject(const JsonText& text, const nlohmann::json& json, std::string place)
    : m_text(text),
      m_json(json),
      m_place(std::move(place))
{
    if (!json.is_object())
    {
        throw InputError(m_text.name,
                         m_text.LineOf(m_place),
                         (m_place.empty() ? "" : m_place + ": ") + std::string("a JSON ") +
                             json.type_name() + ", but must be an object { ... }");
    }
}

void
JsonObject::Fail(const std::string& key, const std::string& message) const
{
    const std::string place = m_place + (m_place.empty() ? "" : ".") + key;
    throw InputError(m_text.name, m_text.LineOf(place), place + ": " + message);
}

const nlohmann::json*
JsonObject::Find(const std::string& key)
{
    if (std::find(m_known.begin(), m_known.end(), key) == m_known.end())
    {
        m_known.push_back(key);
    }
    const auto found = m_json.find(key);
    return found == m_json.end() ? nullptr : &*found;
}

void
JsonObject::Require(const std::string& key, const std::string& expected)
{
    if (!Find(key))
    {
        Fail(key, "missing; give " + expected);
    }
}

void
JsonObject::FailValue(const std::string& key,
                      const nlohmann::json& value,
                      const std::string& expected) const
{
    const std::string shown = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    Fail(key, ShownText(shown) + ", but must be " + expected);
}

bool
JsonObject::Has(const std::string& key)
{
    return Find(key) != nullptr;
}

uint64_t
JsonObject::ToInteger(const std::string& key,
                      const nlohmann::json& value,
                      uint64_t min,
                      uint64_t max) const
{
    uint64_t number = 0;
    bool whole = value.is_number_unsigned();
    if (whole)
    {
        number = value.get<uint64_t>();
    }
    else if (value.is_number_float())
    {
        // 1e9 is a whole number, too
        const double real = value.get<double>();
        whole = real >= 0 && real <= 9007199254740992.0 && std::floor(real) == real;
        number = whole ? static_cast<uint64_t>(real) : 0;
    }
    if (!whole || number < min || number > max)
    {
        FailValue(key, value, ExpectedIntegerText(min, max));
    }
    return number;
}

uint64_t
JsonObject::Integer(const std::string& key, uint64_t min, uint64_t max)
{
    Require(key, ExpectedIntegerText(min, max));
    return ToInteger(key, *Find(key), min, max);
}

uint64_t
JsonObject::Integer(const std::string& key, uint64_t min, uint64_t max, uint64_t defaultValue)
{
    return Has(key) ? Integer(key, min, max) : defaultValue;
}

double
JsonObject::Number(const std::string& key, double min, double max)
{
    const std::string expected = ExpectedNumberText(min, max);
    Require(key, expected);
    const nlohmann::json& value = *Find(key);
    const double number = value.is_number() ? value.get<double>() : NAN;
    if (!(number >= min && number <= max))
    {
        FailValue(key, value, expected);
    }
    return number;
}

double
JsonObject::Number(const std::string& key, double min, double max, double defaultValue)
{
    return Has(key) ? Number(key, min, max) : defaultValue;
}

bool
JsonObject::Flag(const std::string& key, bool defaultValue)
{
    const nlohmann::json* value = Find(key);
    if (!value)
    {
        return defaultValue;
    }
    if (!value->is_boolean())
    {
        FailValue(key, *value, "true or false");
    }
    return value->get<bool>();
}

std::string
JsonObject::Text(const std::string& key, const std::string& defaultValue)
{
    const nlohmann::json* value = Find(key);
    if (!value)
    {
        return defaultValue;
    }
    if (!value->is_string())
    {
        FailValue(key, *value, "a text in quotes");
    }
    return value->get<std::string>();
}

size_t
JsonObject::Choice(const std::string& key,
                   const std::vector<std::string>& choices,
                   size_t defaultValue)
{
    const nlohmann::json* value = Find(key);
    if (!value)
    {
        return defaultValue;
    }
    const auto found =
        value->is_string()
            ? std::find(choices.begin(), choices.end(), value->get_ref<const std::string&>())
            : choices.end();
    if (found == choices.end())
    {
        FailValue(key, *value, "one of " + ListText(choices));
    }
    return static_cast<size_t>(found - choices.begin());
}

std::vector<uint64_t>
JsonObject::Integers(const std::string& key, uint64_t min, uint64_t max)
{
    const nlohmann::json* value = Find(key);
    std::vector<uint64_t> numbers;
    if (!value)
    {
        return numbers;
    }
    if (!value->is_array() || value->empty())
    {
        FailValue(key, *value, "an array of whole numbers");
    }
    for (size_t i = 0; i < value->size(); ++i)
    {
        numbers.push_back(ToInteger(key + "[" + std::to_string(i) + "]", (*value)[i], min, max));
    }
    return numbers;
}

JsonObject
JsonObject::Object(const std::string& key)
{
    Require(key, "an object { ... }");
    return {m_text, *Find(key), m_place + (m_place.empty() ? "" : ".") + key};
}

void
JsonObject::Finish() const
{
    for (const auto& item : m_json.items())
    {
        if (std::find(m_known.begin(), m_known.end(), item.key()) == m_known.end())
        {
            std::vector<std::string> known = m_known;
            std::sort(known.begin(), known.end());
            Fail(ShownText(item.key()), "unknown key; the keys here are " + ListText(known));
        }
    }
}

} // namespace ns3
