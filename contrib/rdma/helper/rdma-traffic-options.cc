/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-traffic-options.h"

#include "rdma-input-error.h"
#include "rdma-number.h"
#include "rdma-units.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

constexpr uint64_t MAX_BYTES = INT64_MAX;
constexpr double MAX_TIME_NS = 100.0 * 24 * 3600 * 1e9; // what a run in picoseconds can count

std::string
Join(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words)
    {
        text += (text.empty() ? "" : ", ") + word;
    }
    return text;
}

/** \return the number of bytes of a unit, 0 if there is no such unit */
uint64_t
UnitBytes(const std::string& unit)
{
    static const std::map<std::string, uint64_t> UNITS{{"", 1},
                                                       {"B", 1},
                                                       {"kB", 1000},
                                                       {"KB", 1000},
                                                       {"MB", 1000000},
                                                       {"GB", 1000000000},
                                                       {"TB", 1000000000000},
                                                       {"KiB", 1ULL << 10},
                                                       {"MiB", 1ULL << 20},
                                                       {"GiB", 1ULL << 30},
                                                       {"TiB", 1ULL << 40}};
    const auto found = UNITS.find(unit);
    return found == UNITS.end() ? 0 : found->second;
}

} // namespace

bool
ParseRdmaBytes(const std::string& text, uint64_t& bytes)
{
    const size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
    const std::string number = text.substr(0, digits);
    const uint64_t unit = UnitBytes(text.substr(digits));
    uint64_t whole = 0;
    if (unit != 0 && ParseRdmaInteger(number, whole))
    {
        if (whole > MAX_BYTES / unit)
        {
            return false;
        }
        bytes = whole * unit;
        return true;
    }
    constexpr double MAX_EXACT = 0x1p53;
    double value = 0;
    if (unit == 0 || !ParseRdmaNumber(number, value))
    {
        return false;
    }
    value *= static_cast<double>(unit);
    if (value > MAX_EXACT || value != std::floor(value))
    {
        return false;
    }
    bytes = static_cast<uint64_t>(value);
    return true;
}

RdmaTrafficOptions::RdmaTrafficOptions(const std::string& spec,
                                       const std::vector<std::string>& kinds)
    : m_kind(spec.substr(0, spec.find(':')))
{
    if (std::find(kinds.begin(), kinds.end(), m_kind) == kinds.end())
    {
        throw RdmaInputError("traffic " + RdmaShownText(spec) + ": unknown kind " +
                             RdmaShownText(m_kind) + "; kinds are " + Join(kinds));
    }
    size_t at = m_kind.size() + 1;
    while (at < spec.size())
    {
        const size_t end = std::min(spec.find(',', at), spec.size());
        const std::string item = spec.substr(at, end - at);
        const size_t equals = item.find('=');
        if (equals == 0 || equals == std::string::npos || equals + 1 == item.size())
        {
            Fail(RdmaShownText(item) + " is not KEY=VALUE");
        }
        if (!m_values.emplace(item.substr(0, equals), item.substr(equals + 1)).second)
        {
            Fail(RdmaShownText(item.substr(0, equals)) + " is set twice; keep one of the two");
        }
        at = end + 1;
    }
}

const std::string&
RdmaTrafficOptions::Kind() const
{
    return m_kind;
}

std::string
RdmaTrafficOptions::Text(const std::string& key)
{
    const std::string* value = Find(key);
    if (!value)
    {
        Fail(key + " is required; add " + key + "=...");
    }
    return *value;
}

std::string
RdmaTrafficOptions::Choice(const std::string& key, const std::vector<std::string>& choices)
{
    const std::string* value = Find(key);
    if (value && std::find(choices.begin(), choices.end(), *value) == choices.end())
    {
        FailValue(key, "one of " + Join(choices));
    }
    return value ? *value : choices.front();
}

uint64_t
RdmaTrafficOptions::Whole(const std::string& key, uint64_t absent, uint64_t least, uint64_t most)
{
    const std::string* text = Find(key);
    uint64_t value = absent;
    if (text && (!ParseRdmaInteger(*text, value) || value < least || value > most))
    {
        FailValue(key,
                  "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    }
    return value;
}

double
RdmaTrafficOptions::Number(const std::string& key, double least, double most)
{
    double value = 0;
    if (!ParseRdmaNumber(Text(key), value) || value < least || value > most)
    {
        FailValue(key, "a number from " + RdmaNumberText(least) + " to " + RdmaNumberText(most));
    }
    return value;
}

uint64_t
RdmaTrafficOptions::Bytes(const std::string& key, uint64_t absent)
{
    const std::string* text = Find(key);
    uint64_t value = absent;
    if (text && (!ParseRdmaBytes(*text, value) || value == 0))
    {
        FailValue(key, "a size in whole bytes above 0, such as 20000000, 1MB or 64KiB");
    }
    return value;
}

double
RdmaTrafficOptions::TimeNs(const std::string& key, std::optional<double> absent)
{
    if (absent && !Find(key))
    {
        return *absent;
    }
    const std::string text = Text(key);
    double ns = 0;
    if (text != "0" && (!ParseRdmaTime(text, ns) || ns > MAX_TIME_NS))
    {
        FailValue(key, "a time up to 100 days with its unit, such as 10us or 0.5ms");
    }
    return ns;
}

void
RdmaTrafficOptions::CheckAllUsed() const
{
    for (const auto& [key, value] : m_values)
    {
        if (!m_asked.count(key))
        {
            Fail("unknown key " + RdmaShownText(key) + "; keys are " +
                 Join({m_asked.begin(), m_asked.end()}));
        }
    }
}

void
RdmaTrafficOptions::Fail(const std::string& message) const
{
    throw RdmaInputError("traffic " + m_kind + ": " + message);
}

const std::string*
RdmaTrafficOptions::Find(const std::string& key)
{
    m_asked.insert(key);
    const auto found = m_values.find(key);
    return found == m_values.end() ? nullptr : &found->second;
}

void
RdmaTrafficOptions::FailValue(const std::string& key, const std::string& expected) const
{
    Fail(key + "=" + RdmaShownText(m_values.at(key)) + ", but expected is " + expected);
}

} // namespace ns3
