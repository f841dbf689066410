/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "input-units.h"

#include "input-number.h"

#include <algorithm>
#include <limits>
#include <sstream>

namespace ns3
{

namespace
{

/** A unit is multiplier * 10^exponent of the base unit (bit/s, ns). */
struct Unit
{
    const char* name;
    uint64_t multiplier;
    int exponent;
};

constexpr uint64_t KI = 1024;
constexpr uint64_t MI = KI * KI;
constexpr uint64_t GI = KI * MI;

constexpr Unit RATE_UNITS[] = {
    {"bps", 1, 0},        {"b/s", 1, 0},        {"Bps", 8, 0},    {"B/s", 8, 0},
    {"kbps", 1, 3},       {"kb/s", 1, 3},       {"kBps", 8, 3},   {"kB/s", 8, 3},
    {"Kbps", 1, 3},       {"Kb/s", 1, 3},       {"KBps", 8, 3},   {"KB/s", 8, 3},
    {"Mbps", 1, 6},       {"Mb/s", 1, 6},       {"MBps", 8, 6},   {"MB/s", 8, 6},
    {"Gbps", 1, 9},       {"Gb/s", 1, 9},       {"GBps", 8, 9},   {"GB/s", 8, 9},
    {"Tbps", 1, 12},      {"Tb/s", 1, 12},      {"TBps", 8, 12},  {"TB/s", 8, 12},
    {"Kib/s", KI, 0},     {"Mib/s", MI, 0},     {"Gib/s", GI, 0}, {"KiB/s", 8 * KI, 0},
    {"MiB/s", 8 * MI, 0}, {"GiB/s", 8 * GI, 0},
};

constexpr Unit TIME_UNITS[] = {
    {"fs", 1, -6},
    {"ps", 1, -3},
    {"ns", 1, 0},
    {"us", 1, 3},
    {"ms", 1, 6},
    {"s", 1, 9},
    {"min", 6, 10},
    {"h", 36, 11},
};
constexpr Time::Unit NS3_UNITS[] = // of TIME_UNITS
    {Time::FS, Time::PS, Time::NS, Time::US, Time::MS, Time::S, Time::MIN, Time::H};

/** What digits may stand for: digits * 10^exponent, without leading zeros. */
struct Decimal
{
    std::string digits;
    int64_t exponent{0};
};

bool
IsDigit(char c)
{
    return c >= '0' && c <= '9';
}

/** Reads "12.5" or "1.25e1" at the start of \p text. \return characters read, 0 if it is no number
 */
size_t
ReadDecimal(const std::string& text, Decimal& decimal)
{
    size_t at = 0;
    bool point = false;
    bool any = false;
    for (; at < text.size() && (IsDigit(text[at]) || (text[at] == '.' && !point)); ++at)
    {
        if (text[at] == '.')
        {
            point = true;
            continue;
        }
        any = true;
        decimal.exponent -= point;
        if (text[at] != '0' || !decimal.digits.empty())
        {
            decimal.digits += text[at];
        }
    }
    if (!any)
    {
        return 0;
    }
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E'))
    {
        size_t end =
            at + 1 + (at + 1 < text.size() && (text[at + 1] == '+' || text[at + 1] == '-'));
        const size_t first = end;
        while (end < text.size() && IsDigit(text[end]))
        {
            ++end;
        }
        uint64_t power = 0;
        if (!ParseInteger(text.substr(first, end - first), power) || power > 1000)
        {
            return 0;
        }
        decimal.exponent += text[at + 1] == '-' ? -int64_t(power) : int64_t(power);
        at = end;
    }
    return at;
}

/** Multiplies as one does on paper, so that no digit is lost. */
void
Multiply(Decimal& decimal, uint64_t factor)
{
    uint64_t carry = 0;
    for (auto digit = decimal.digits.rbegin(); digit != decimal.digits.rend(); ++digit)
    {
        carry += uint64_t(*digit - '0') * factor;
        *digit = char('0' + carry % 10);
        carry /= 10;
    }
    if (carry)
    {
        decimal.digits.insert(0, std::to_string(carry));
    }
}

/** Reads a number and one of the units; \p decimal is in the base unit. \return the unit, null if
 * the text is none such */
template <size_t N>
const Unit*
ReadQuantity(const std::string& text, const Unit (&units)[N], Decimal& decimal)
{
    const size_t length = ReadDecimal(text, decimal);
    if (length == 0)
    {
        return nullptr;
    }
    const auto unit = std::find_if(std::begin(units), std::end(units), [&](const Unit& u) {
        return text.compare(length, std::string::npos, u.name) == 0;
    });
    if (unit == std::end(units))
    {
        return nullptr;
    }
    Multiply(decimal, unit->multiplier);
    decimal.exponent += unit->exponent;
    return unit;
}

/** \return whether the whole part of the decimal fits into 64 bits; \p value is set to it */
bool
WholePart(const Decimal& decimal, uint64_t& value)
{
    constexpr int64_t MAX_DIGITS = 20;                                     // of 2^64
    const auto digits = int64_t(decimal.digits.size()) + decimal.exponent; // before the point
    if (decimal.digits.empty() || digits <= 0)
    {
        value = 0;
        return true;
    }
    if (digits > MAX_DIGITS)
    {
        return false;
    }
    std::string whole = decimal.digits;
    whole.resize(size_t(digits), '0');
    return ParseInteger(whole, value);
}

} // namespace

bool
ParseRate(const std::string& text, uint64_t& rate)
{
    Decimal decimal;
    return ReadQuantity(text, RATE_UNITS, decimal) && WholePart(decimal, rate);
}

bool
ParseTime(const std::string& text, double& ns)
{
    Decimal decimal;
    double value = 0;
    if (!ReadQuantity(text, TIME_UNITS, decimal) ||
        (!decimal.digits.empty() &&
         !ParseNumber(decimal.digits + "e" + std::to_string(decimal.exponent), value)))
    {
        return false;
    }
    ns = value;
    return true;
}

bool
ParseTime(const std::string& text, Time& time, Time::Unit* unit)
{
    constexpr int NS_EXPONENT = 9; // nanoseconds in a second
    Decimal decimal;
    const Unit* found = ReadQuantity(text, TIME_UNITS, decimal);
    uint64_t halves = 0;
    if (!found)
    {
        return false;
    }
    Multiply(decimal, 2 * static_cast<uint64_t>(Seconds(1).GetTimeStep()));
    decimal.exponent -= NS_EXPONENT;
    constexpr uint64_t MAX_STEPS = std::numeric_limits<int64_t>::max();
    if (!WholePart(decimal, halves) || halves / 2 + halves % 2 > MAX_STEPS)
    {
        return false;
    }
    time = TimeStep(halves / 2 + halves % 2);
    if (unit)
    {
        *unit = NS3_UNITS[found - TIME_UNITS];
    }
    return true;
}

std::string
TooShortText(const std::string& text, const Time& time)
{
    double ns = 0;
    if (!time.IsZero() || !ParseTime(text, ns) || ns == 0)
    {
        return "";
    }
    std::ostringstream step;
    step << TimeStep(1).As(Time::GetResolution()); // with its sign
    return "0 or at least " + step.str().substr(1) + ", the resolution of simulated time";
}

double
RdmaTimeIn(const Time& time, Time::Unit unit)
{
    // one division gives the nearest double; Time::ToDouble is often the one below
    return static_cast<double>(time.GetTimeStep()) /
           static_cast<double>(Time::FromInteger(1, unit).GetTimeStep());
}

std::string
RateText(uint64_t rate)
{
    constexpr uint64_t KILO = 1000;
    const char* const units[] = {"bps", "Kbps", "Mbps", "Gbps"};
    size_t unit = 0;
    while (rate != 0 && rate % KILO == 0 && unit + 1 < std::size(units))
    {
        rate /= KILO;
        ++unit;
    }
    return std::to_string(rate) + units[unit];
}

std::string
NsText(double ns)
{
    return NumberText(ns) + "ns";
}

std::string
MsText(double ns)
{
    constexpr size_t PLACES = 6; // from ns to ms: move the point, digits stay
    std::string digits = NumberText(ns);
    size_t point = std::min(digits.find('.'), digits.size());
    digits.erase(point, 1);
    if (point <= PLACES)
    {
        digits.insert(0, PLACES + 1 - point, '0');
        point = PLACES + 1;
    }
    digits.insert(point - PLACES, 1, '.');
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.')
    {
        digits.pop_back();
    }
    return digits + "ms";
}

} // namespace ns3
