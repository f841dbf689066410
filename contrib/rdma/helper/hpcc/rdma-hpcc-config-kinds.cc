/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-hpcc-config-kinds.h"

#include "ns3/input-number.h"
#include "ns3/input-units.h"

#include <limits>
#include <utility>

namespace ns3::rdmahpcckind
{

namespace
{

using Config = RdmaHpccConfig;
using Words = RdmaHpccConfigWords;
using Text = std::optional<std::string>;

constexpr uint64_t MAX32 = std::numeric_limits<uint32_t>::max();
constexpr uint64_t MAX63 = std::numeric_limits<int64_t>::max();
constexpr uint64_t MAX_LINK_DOWN_US = 9000000000000;

std::string
Span(const std::string& least, const std::string& most)
{
    return least == most ? least : least + " to " + most;
}

/** Fills in what the file means when it is silent, unless \p key says it already. */
RdmaHpccKey
Complete(RdmaHpccKey key)
{
    if (key.absent.empty())
    {
        key.absent = key.write(Config{}).value_or("none");
    }
    return key;
}

/** Reads "n rate1 value1 ... raten valuen"; \p value reads one value. */
template <typename T, typename Read>
void
ReadMap(Words& words, std::map<uint64_t, T>& map, Read value)
{
    const uint64_t count = words.Whole(0, MAX32, "the number of pairs");
    for (uint64_t i = 0; i < count; ++i)
    {
        const uint64_t rate = words.Whole(1, MAX63, "the rate of a pair, in bit/s,");
        if (map.count(rate))
        {
            words.Fail("this rate stands in the list already; keep one pair of the two");
        }
        map[rate] = value();
    }
}

template <typename T, typename Write>
Text
WriteMap(const std::map<uint64_t, T>& map, Write value)
{
    std::string text = std::to_string(map.size());
    for (const auto& [rate, entry] : map)
    {
        text += " " + std::to_string(rate) + " " + value(entry);
    }
    return map.empty() ? Text() : Text(text);
}

void
ReadLinkDown(Words& words, Config& config)
{
    const uint64_t time = words.Whole(0, MAX_LINK_DOWN_US, "the time in us");
    const uint32_t a = words.Whole(0, MAX32, "the first node");
    const uint32_t b = words.Whole(0, MAX32, "the second node");
    if (time == 0 && (a != 0 || b != 0))
    {
        words.Fail("time 0 would mean that no link fails; write a time from 1 us after t = 2 s, "
                   "or 0 0 0 for none");
    }
    if (time != 0 && a == b)
    {
        words.Fail("a link joins two different nodes; write the nodes at its two ends");
    }
    config.linkDown = time ? std::optional(RdmaHpccLinkDown{time, a, b}) : std::nullopt;
}

} // namespace

RdmaHpccKey
Flag(std::string name, std::string scope, bool Config::*member, std::string meaning)
{
    return Complete(
        {std::move(name),
         std::move(scope),
         "",
         "0 or 1",
         "",
         std::move(meaning),
         [member](Words& words, Config& config) { config.*member = words.Flag(); },
         [member](const Config& config) -> Text { return config.*member ? "1" : "0"; }});
}

RdmaHpccKey
Whole(std::string name,
      std::string scope,
      std::string unit,
      uint32_t Config::*member,
      uint64_t least,
      uint64_t most,
      std::string meaning)
{
    return Complete(
        {std::move(name),
         std::move(scope),
         std::move(unit),
         Span(std::to_string(least), std::to_string(most)),
         "",
         std::move(meaning),
         [=](Words& words, Config& config) { config.*member = words.Whole(least, most); },
         [member](const Config& config) -> Text { return std::to_string(config.*member); }});
}

RdmaHpccKey
Optional(std::string name,
         std::string scope,
         std::string unit,
         std::optional<uint64_t> Config::*member,
         uint64_t least,
         uint64_t most,
         std::string absent,
         std::string meaning)
{
    return {std::move(name),
            std::move(scope),
            std::move(unit),
            Span(std::to_string(least), std::to_string(most)),
            std::move(absent),
            std::move(meaning),
            [=](Words& words, Config& config) { config.*member = words.Whole(least, most); },
            [member](const Config& config) {
                return config.*member ? Text(std::to_string(*(config.*member))) : Text();
            }};
}

RdmaHpccKey
Number(std::string name,
       std::string scope,
       std::string unit,
       double Config::*member,
       double least,
       double most,
       std::string meaning)
{
    return Complete(
        {std::move(name),
         std::move(scope),
         std::move(unit),
         Span(NumberText(least), NumberText(most)),
         "",
         std::move(meaning),
         [=](Words& words, Config& config) { config.*member = words.Number(least, most); },
         [member](const Config& config) -> Text { return NumberText(config.*member); }});
}

RdmaHpccKey
Rate(std::string name, std::string scope, uint64_t Config::*member, bool zero, std::string meaning)
{
    return Complete({std::move(name),
                     std::move(scope),
                     "rate with unit",
                     zero ? "0 or more" : "more than 0",
                     "",
                     std::move(meaning),
                     [=](Words& words, Config& config) { config.*member = words.Rate(zero); },
                     [member](const Config& config) -> Text { return RateText(config.*member); }});
}

RdmaHpccKey
File(std::string name, std::string scope, std::string Config::*member, std::string meaning)
{
    return Complete({std::move(name),
                     std::move(scope),
                     "",
                     "file name",
                     "",
                     std::move(meaning),
                     [member](Words& words, Config& config) { config.*member = words.Word(); },
                     [member](const Config& config) {
                         return (config.*member).empty() ? Text() : Text(config.*member);
                     }});
}

RdmaHpccKey
QueueMap(std::string name, std::map<uint64_t, uint64_t> Config::*member, std::string meaning)
{
    constexpr uint64_t MOST = MAX32 / 1000; // as bytes in 32 bits
    return Complete({std::move(name),
                     "ECN",
                     "bit/s, 1000 B",
                     "n, then n times rate and 0 to " + std::to_string(MOST),
                     "",
                     std::move(meaning),
                     [=](Words& words, Config& config) {
                         ReadMap(words, config.*member, [&] {
                             return words.Whole(0, MOST, "the queue length of a pair, in 1000 B,");
                         });
                     },
                     [member](const Config& config) {
                         return WriteMap(config.*member,
                                         [](uint64_t kb) { return std::to_string(kb); });
                     }});
}

RdmaHpccKey
ChanceMap(std::string name, std::map<uint64_t, double> Config::*member, std::string meaning)
{
    return Complete(
        {std::move(name),
         "ECN",
         "bit/s, probability",
         "n, then n times rate and 0 to 1",
         "",
         std::move(meaning),
         [member](Words& words, Config& config) {
             ReadMap(words, config.*member, [&] {
                 return words.Number(0, 1, "the probability of a pair");
             });
         },
         [member](const Config& config) { return WriteMap(config.*member, NumberText); }});
}

RdmaHpccKey
LinkDown(std::string meaning)
{
    return {"LINK_DOWN",
            "all",
            "us, node, node",
            "0 0 0, or " + Span("1", std::to_string(MAX_LINK_DOWN_US)) + " and two nodes",
            "0 0 0",
            std::move(meaning),
            ReadLinkDown,
            [](const Config& config) -> Text {
                const RdmaHpccLinkDown down = config.linkDown.value_or(RdmaHpccLinkDown{});
                return std::to_string(down.microseconds) + " " + std::to_string(down.a) + " " +
                       std::to_string(down.b);
            }};
}

RdmaHpccKey
Rejected(std::string name, const std::string& why)
{
    return {std::move(name),
            "none",
            "",
            "rejected",
            "none",
            "Not accepted: " + why + ".",
            [why](Words& words, Config&) {
                words.Word();
                words.Fail("not accepted: " + why);
            },
            [](const Config&) { return Text(); }};
}

RdmaHpccKey
Checked(RdmaHpccKey key,
        const std::string& range,
        const std::string& absent,
        std::function<void(Words&, Config&)> check)
{
    key.range = range.empty() ? key.range : range;
    key.absent = absent.empty() ? key.absent : absent;
    if (check)
    {
        key.read = [read = key.read, check = std::move(check)](Words& words, Config& config) {
            read(words, config);
            check(words, config);
        };
    }
    return key;
}

} // namespace ns3::rdmahpcckind
