/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "input-spec.h"

#include "input-nearest-name.h"
#include "input-number.h"
#include "input-units.h"

#include <algorithm>

namespace ns3
{

InputSpec::InputSpec(const std::string& text)
    : m_text(text),
      m_kind(text.substr(0, text.find(':')))
{
    if (m_kind.empty())
    {
        throw InputError("\"" + ShownText(text) +
                         "\" names no kind; must be KIND or KIND:KEY=VALUE,KEY=VALUE");
    }
    size_t at = m_kind.size();
    while (at < text.size())
    {
        ++at; // over the colon or comma
        const std::string item = text.substr(at, text.find(',', at) - at);
        at += item.size();
        const size_t sign = item.find('=');
        if (sign == std::string::npos || sign == 0 || sign + 1 == item.size())
        {
            Fail("\"" + ShownText(item) +
                 "\", but must be KEY=VALUE after the colon and after each comma");
        }
        const std::string key = item.substr(0, sign);
        const bool known = std::any_of(m_values.begin(), m_values.end(), [&](const auto& value) {
            return value.first == key;
        });
        if (known)
        {
            Fail(ShownText(key) + " is given twice; keep one of the two");
        }
        m_values.emplace_back(key, item.substr(sign + 1));
    }
}

const std::string&
InputSpec::Kind() const
{
    return m_kind;
}

const std::string&
InputSpec::Text() const
{
    return m_text;
}

bool
InputSpec::Has(const std::string& key)
{
    return Find(key) != nullptr;
}

void
InputSpec::Require(const std::string& key, const std::string& example)
{
    if (Has(key))
    {
        return;
    }
    const std::string shown = key + "=" + example;
    for (const auto& given : m_values)
    {
        const bool known =
            std::find(m_accepted.begin(), m_accepted.end(), given.first) != m_accepted.end();
        const std::string meant = known ? "" : DidYouMean(given.first, {key});
        if (!meant.empty())
        {
            std::string text = key;
            text.append(" is missing, but ").append(ShownText(given.first)).append(" is given");
            Fail(text.append(meant).append(" Write it as in ").append(shown));
        }
    }
    Fail(key + " is missing; give it, as in " + shown);
}

uint64_t
InputSpec::Integer(const std::string& key, uint64_t defaultValue, uint64_t min, uint64_t max)
{
    const std::string* text = Find(key);
    return text ? ToInteger(key, *text, min, max) : defaultValue;
}

double
InputSpec::Number(const std::string& key, double defaultValue, double min, double max)
{
    const std::string* text = Find(key);
    return text ? ToNumber(key, *text, min, max) : defaultValue;
}

uint64_t
InputSpec::Bytes(const std::string& key, uint64_t defaultValue, uint64_t min)
{
    const std::string* text = Find(key);
    return text ? ToBytes(key, *text, min) : defaultValue;
}

uint64_t
InputSpec::Rate(const std::string& key, uint64_t defaultValue)
{
    const std::string* text = Find(key);
    return text ? ToRate(key, *text) : defaultValue;
}

Time
InputSpec::Duration(const std::string& key, const Time& defaultValue, const Time& max)
{
    const std::string* text = Find(key);
    Time time = defaultValue;
    if (text && *text == "0")
    {
        return Time(0);
    }
    if (text && (!ParseTime(*text, time) || time > max))
    {
        FailValue(key,
                  "a time from 0 to " + NsText(RdmaTimeIn(max, Time::NS)) +
                      " with its unit, such as 1us");
    }
    const std::string least = text ? TooShortText(*text, time) : "";
    if (!least.empty())
    {
        FailValue(key, least);
    }
    return time;
}

bool
InputSpec::Flag(const std::string& key, bool defaultValue)
{
    return Choice(key, defaultValue ? "1" : "0", {"0", "1"}) == "1";
}

std::string
InputSpec::Word(const std::string& key, const std::string& defaultValue)
{
    const std::string* text = Find(key);
    return text ? *text : defaultValue;
}

std::string
InputSpec::Choice(const std::string& key,
                  const std::string& defaultValue,
                  const std::vector<std::string>& choices)
{
    std::string word = Word(key, defaultValue);
    if (std::find(choices.begin(), choices.end(), word) == choices.end())
    {
        FailValue(key, "one of " + ListText(choices));
    }
    return word;
}

std::vector<std::pair<std::string, std::string>>
InputSpec::Places()
{
    std::vector<std::pair<std::string, std::string>> places;
    for (const auto& given : m_values)
    {
        if (given.first.find('.') != std::string::npos)
        {
            places.push_back(given);
            m_accepted.push_back(given.first);
        }
    }
    return places;
}

void
InputSpec::Finish() const
{
    for (const auto& [key, value] : m_values)
    {
        if (std::find(m_accepted.begin(), m_accepted.end(), key) == m_accepted.end())
        {
            Fail("has no key " + ShownText(key) +
                 (m_accepted.empty() ? "; it takes no keys"
                                     : KnownNamesText(key, m_accepted, "its keys are")));
        }
    }
}

void
InputSpec::Fail(const std::string& message) const
{
    throw InputError(ShownText(m_kind) + ": " + message);
}

void
InputSpec::FailValue(const std::string& key, const std::string& expected) const
{
    const auto given = std::find_if(m_values.begin(), m_values.end(), [&](const auto& value) {
        return value.first == key;
    });
    InputSpec::FailValue(key, given == m_values.end() ? "(not given)" : given->second, expected);
}

void
InputSpec::FailValue(std::string_view what,
                     const std::string& text,
                     const std::string& expected) const
{
    Fail(std::string(what) + "=" + ShownText(text) + ", but must be " + expected);
}

const std::string*
InputSpec::Find(const std::string& key)
{
    if (std::find(m_accepted.begin(), m_accepted.end(), key) == m_accepted.end())
    {
        m_accepted.push_back(key);
    }
    const auto given = std::find_if(m_values.begin(), m_values.end(), [&](const auto& value) {
        return value.first == key;
    });
    return given == m_values.end() ? nullptr : &given->second;
}

std::string
ListText(const std::vector<std::string>& words)
{
    std::string text;
    for (size_t i = 0; i < words.size(); ++i)
    {
        const char* separator = i == 0 ? "" : i + 1 == words.size() ? " and " : ", ";
        text += separator + words[i];
    }
    return text;
}

} // namespace ns3
