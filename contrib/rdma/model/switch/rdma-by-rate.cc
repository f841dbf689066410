/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-by-rate.h"

#include "ns3/input-bytes.h"
#include "ns3/input-number.h"
#include "ns3/input-units.h"

#include <istream>
#include <iterator>
#include <ostream>
#include <sstream>

namespace ns3
{

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter" // in ns-3's macro, as clang++ sees it
ATTRIBUTE_HELPER_CPP(RdmaByRate);
#pragma GCC diagnostic pop

std::string
RdmaByRate::Parse(const std::string& text, RdmaByRate& value)
{
    constexpr double MAX_EXACT = 0x1p53;
    RdmaByRate read;
    if (!text.empty() && text.back() == ',')
    {
        return "something must follow the last comma";
    }
    std::istringstream in(text);
    for (std::string entry; std::getline(in, entry, ',');)
    {
        const size_t colon = entry.find(':');
        const std::string rateText = entry.substr(0, colon);
        uint64_t rate = 0;
        if (colon != std::string::npos && (!ParseRate(rateText, rate) || rate == 0))
        {
            return ShownText(rateText) + " must be a link rate with its unit, such as 100Gbps";
        }
        const std::string quantity = colon == std::string::npos ? entry : entry.substr(colon + 1);
        double number = 0;
        uint64_t bytes = 0;
        if (ParseBytes(quantity, bytes))
        {
            number = static_cast<double>(bytes);
        }
        else if (!ParseNumber(quantity, number) || number < 0)
        {
            return ShownText(quantity) + " must be a number, or bytes such as 100KB";
        }
        if (number > MAX_EXACT)
        {
            return ShownText(quantity) + " must be at most 2^53";
        }
        if (!read.m_values.emplace(rate, number).second)
        {
            return (rate ? rateText : "all other rates") + std::string(" must stand there once");
        }
    }
    value = read;
    return "";
}

std::optional<double>
RdmaByRate::At(uint64_t rate) const
{
    auto entry = m_values.find(rate);
    entry = entry != m_values.end() ? entry : m_values.find(0);
    return entry != m_values.end() ? std::optional(entry->second) : std::nullopt;
}

std::ostream&
operator<<(std::ostream& out, const RdmaByRate& value)
{
    const char* comma = "";
    for (const auto& [rate, quantity] : value.GetAll())
    {
        out << comma << (rate ? RateText(rate) + ":" : "") << NumberText(quantity);
        comma = ",";
    }
    return out;
}

std::istream&
operator>>(std::istream& in, RdmaByRate& value)
{
    const std::string text(std::istreambuf_iterator<char>(in), {});
    in.peek(); // ns-3 wants to see the end
    if (!RdmaByRate::Parse(text, value).empty())
    {
        in.setstate(std::ios::failbit);
    }
    return in;
}

} // namespace ns3
