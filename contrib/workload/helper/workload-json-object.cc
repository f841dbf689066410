/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-json-object.h"

#include "ns3/rdma-input-error.h"
#include "ns3/rdma-number.h"
#include "ns3/rdma-spec-parser.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace ns3
{

namespace
{

constexpr size_t DEEPEST = 64; ///< nesting

/** \return the text, whole */
std::string
ReadAll(std::istream& in, const std::string& name, uint64_t most)
{
    std::string text;
    std::vector<char> block(65536);
    while (in)
    {
        in.read(block.data(), static_cast<std::streamsize>(block.size()));
        text.append(block.data(), static_cast<size_t>(in.gcount()));
        if (text.size() > most)
        {
            throw RdmaInputError(name,
                                 0,
                                 "more than " + std::to_string(most) +
                                     " bytes: this is no such description");
        }
    }
    if (in.bad() || !in.eof())
    {
        throw RdmaInputError(name, 0, "cannot be read");
    }
    return text;
}

/** \return the line of a byte, from 1 */
uint64_t
LineOf(const std::string& text, size_t byte)
{
    const size_t end = std::min(byte, text.size());
    return 1 + static_cast<uint64_t>(
                   std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
}

/** Looks for what nlohmann's parser would take in silence: keys given twice. */
class KeyWatch
{
  public:
    explicit KeyWatch(const std::string& name)
        : m_name(name)
    {
    }

    bool operator()(int depth, nlohmann::json::parse_event_t event, nlohmann::json& value)
    {
        using Event = nlohmann::json::parse_event_t;
        if (depth > static_cast<int>(DEEPEST))
        {
            throw RdmaInputError(m_name,
                                 0,
                                 "nested more than " + std::to_string(DEEPEST) +
                                     " deep: this is no such description");
        }
        if (event == Event::object_start)
        {
            m_keys.emplace_back();
        }
        else if (event == Event::object_end)
        {
            m_keys.pop_back();
        }
        else if (event == Event::key)
        {
            const auto& key = value.get_ref<const std::string&>();
            if (!m_keys.back().insert(key).second)
            {
                throw RdmaInputError(m_name,
                                     0,
                                     "\"" + RdmaShownText(key) +
                                         "\" is given twice in one object: remove one");
            }
        }
        return true;
    }

  private:
    const std::string& m_name;
    std::vector<std::set<std::string>> m_keys;
};

/** \return the range in words */
std::string
RangeText(const std::string& least, const std::string& most)
{
    return "from " + least + " to " + most;
}

} // namespace

nlohmann::json
ReadWorkloadJson(std::istream& in, const std::string& name, uint64_t most)
{
    const std::string text = ReadAll(in, name, most);
    KeyWatch watch(name);
    try
    {
        return nlohmann::json::parse(text, std::ref(watch));
    }
    catch (const nlohmann::json::parse_error& error)
    {
        const uint64_t line = LineOf(text, error.byte == 0 ? 0 : error.byte - 1);
        throw RdmaInputError(
            name,
            line,
            text.find_first_not_of(" \t\r\n") == std::string::npos
                ? "empty: expected is a JSON object"
                : "not JSON from this line on (a missing comma, quote or bracket?)");
    }
    catch (const nlohmann::json::exception&) // such as a number that is out of range
    {
        throw RdmaInputError(name, 0, "not JSON: a number in it is too large");
    }
}

WorkloadJsonObject::WorkloadJsonObject(const nlohmann::json& json,
                                       std::string file,
                                       std::string place)
    : m_json(json),
      m_file(std::move(file)),
      m_place(std::move(place))
{
    if (!json.is_object())
    {
        throw RdmaInputError(m_file,
                             0,
                             (m_place.empty() ? "" : m_place + ": ") + std::string("a JSON ") +
                                 json.type_name() + ", but expected is an object { ... }");
    }
}

void
WorkloadJsonObject::Fail(const std::string& key, const std::string& message) const
{
    throw RdmaInputError(m_file, 0, m_place + (m_place.empty() ? "" : ".") + key + ": " + message);
}

const nlohmann::json*
WorkloadJsonObject::Find(const std::string& key)
{
    if (std::find(m_known.begin(), m_known.end(), key) == m_known.end())
    {
        m_known.push_back(key);
    }
    const auto found = m_json.find(key);
    return found == m_json.end() ? nullptr : &*found;
}

void
WorkloadJsonObject::Require(const std::string& key, const std::string& expected)
{
    if (!Find(key))
    {
        Fail(key, "missing; give " + expected);
    }
}

void
WorkloadJsonObject::FailValue(const std::string& key,
                              const nlohmann::json& value,
                              const std::string& expected) const
{
    const std::string shown = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    Fail(key, RdmaShownText(shown) + ", but expected is " + expected);
}

bool
WorkloadJsonObject::Has(const std::string& key)
{
    return Find(key) != nullptr;
}

uint64_t
WorkloadJsonObject::ToInteger(const std::string& key,
                              const nlohmann::json& value,
                              uint64_t least,
                              uint64_t most) const
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
    if (!whole || number < least || number > most)
    {
        FailValue(key,
                  value,
                  "a whole number " + RangeText(std::to_string(least), std::to_string(most)));
    }
    return number;
}

uint64_t
WorkloadJsonObject::Integer(const std::string& key, uint64_t least, uint64_t most)
{
    Require(key, "a whole number " + RangeText(std::to_string(least), std::to_string(most)));
    return ToInteger(key, *Find(key), least, most);
}

uint64_t
WorkloadJsonObject::Integer(const std::string& key, uint64_t least, uint64_t most, uint64_t absent)
{
    return Has(key) ? Integer(key, least, most) : absent;
}

double
WorkloadJsonObject::Number(const std::string& key, double least, double most)
{
    const std::string expected =
        "a number " + RangeText(RdmaNumberText(least), RdmaNumberText(most));
    Require(key, expected);
    const nlohmann::json& value = *Find(key);
    const double number = value.is_number() ? value.get<double>() : NAN;
    if (!(number >= least && number <= most))
    {
        FailValue(key, value, expected);
    }
    return number;
}

double
WorkloadJsonObject::Number(const std::string& key, double least, double most, double absent)
{
    return Has(key) ? Number(key, least, most) : absent;
}

bool
WorkloadJsonObject::Flag(const std::string& key, bool absent)
{
    const nlohmann::json* value = Find(key);
    if (!value)
    {
        return absent;
    }
    if (!value->is_boolean())
    {
        FailValue(key, *value, "true or false");
    }
    return value->get<bool>();
}

std::string
WorkloadJsonObject::Text(const std::string& key, const std::string& absent)
{
    const nlohmann::json* value = Find(key);
    if (!value)
    {
        return absent;
    }
    if (!value->is_string())
    {
        FailValue(key, *value, "a text in quotes");
    }
    return value->get<std::string>();
}

size_t
WorkloadJsonObject::Choice(const std::string& key,
                           const std::vector<std::string>& choices,
                           size_t absent)
{
    const nlohmann::json* value = Find(key);
    if (!value)
    {
        return absent;
    }
    const auto found =
        value->is_string()
            ? std::find(choices.begin(), choices.end(), value->get_ref<const std::string&>())
            : choices.end();
    if (found == choices.end())
    {
        FailValue(key, *value, "one of " + RdmaListText(choices));
    }
    return static_cast<size_t>(found - choices.begin());
}

std::vector<uint64_t>
WorkloadJsonObject::Integers(const std::string& key, uint64_t least, uint64_t most)
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
        numbers.push_back(ToInteger(key + "[" + std::to_string(i) + "]", (*value)[i], least, most));
    }
    return numbers;
}

WorkloadJsonObject
WorkloadJsonObject::Object(const std::string& key)
{
    Require(key, "an object { ... }");
    return {*Find(key), m_file, m_place + (m_place.empty() ? "" : ".") + key};
}

void
WorkloadJsonObject::Finish() const
{
    for (const auto& item : m_json.items())
    {
        if (std::find(m_known.begin(), m_known.end(), item.key()) == m_known.end())
        {
            std::vector<std::string> known = m_known;
            std::sort(known.begin(), known.end());
            Fail(RdmaShownText(item.key()),
                 "unknown key; the keys here are " + RdmaListText(known));
        }
    }
}

} // namespace ns3
