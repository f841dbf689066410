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
Span(const std::string& min, const std::string& max)
{
    return min == max ? min : min + " to " + max;
}

/**
 * A key for one member. \p read takes its value from the words; \p write makes it text, and says so
 * what the file means when it is silent.
 */
template <typename T, typename Read, typename Write>
RdmaHpccKey
Member(const std::string& name,
       const std::string& scope,
       const std::string& unit,
       const std::string& range,
       const std::string& meaning,
       T Config::*member,
       Read read,
       Write write)
{
    return {name,
            scope,
            unit,
            range,
            Text(write(Config{}.*member)).value_or("none"),
            meaning,
            [=](Words& words, Config& config) { config.*member = read(words); },
            [=](const Config& config) -> Text { return write(config.*member); }};
}

/** A value for each link rate, as "n rate1 value1 ... raten valuen". */
template <typename T, typename Read, typename Write>
RdmaHpccKey
RateMap(const std::string& name,
        const std::string& unit,
        const std::string& range,
        const std::string& meaning,
        std::map<uint64_t, T> Config::*member,
        Read readValue,
        Write writeValue)
{
    const auto read = [readValue](Words& words) {
        std::map<uint64_t, T> map;
        const uint64_t count = words.Whole(0, MAX32, "the number of pairs");
        for (uint64_t i = 0; i < count; ++i)
        {
            const uint64_t rate = words.Whole(1, MAX63, "the rate of a pair, in bit/s,");
            if (map.count(rate))
            {
                words.Fail("this rate stands in the list already; keep one pair of the two");
            }
            map[rate] = readValue(words);
        }
        return map;
    };
    const auto write = [writeValue](const std::map<uint64_t, T>& map) {
        std::string text = std::to_string(map.size());
        for (const auto& [rate, value] : map)
        {
            text += " " + std::to_string(rate) + " " + writeValue(value);
        }
        return map.empty() ? Text() : Text(text);
    };
    return Member(name,
                  "ECN",
                  "bit/s, " + unit,
                  "n, then n times rate and 0 to " + range,
                  meaning,
                  member,
                  read,
                  write);
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
Flag(const std::string& name,
     const std::string& scope,
     bool Config::*member,
     const std::string& meaning)
{
    return Member(
        name,
        scope,
        "",
        "0 or 1",
        meaning,
        member,
        [](Words& words) { return words.Flag(); },
        [](bool value) { return value ? "1" : "0"; });
}

RdmaHpccKey
Whole(const std::string& name,
      const std::string& scope,
      const std::string& unit,
      uint32_t Config::*member,
      uint64_t min,
      uint64_t max,
      const std::string& meaning)
{
    return Member(
        name,
        scope,
        unit,
        Span(std::to_string(min), std::to_string(max)),
        meaning,
        member,
        [=](Words& words) { return static_cast<uint32_t>(words.Whole(min, max)); },
        [](uint32_t value) { return std::to_string(value); });
}

RdmaHpccKey
Optional(const std::string& name,
         const std::string& scope,
         const std::string& unit,
         std::optional<uint64_t> Config::*member,
         uint64_t min,
         uint64_t max,
         const std::string& defaultValue,
         const std::string& meaning)
{
    return Checked(Member(
                       name,
                       scope,
                       unit,
                       Span(std::to_string(min), std::to_string(max)),
                       meaning,
                       member,
                       [=](Words& words) { return words.Whole(min, max); },
                       [](const std::optional<uint64_t>& value) {
                           return value ? Text(std::to_string(*value)) : Text();
                       }),
                   "",
                   defaultValue,
                   nullptr);
}

RdmaHpccKey
Number(const std::string& name,
       const std::string& scope,
       const std::string& unit,
       double Config::*member,
       double min,
       double max,
       const std::string& meaning)
{
    return Member(
        name,
        scope,
        unit,
        Span(NumberText(min), NumberText(max)),
        meaning,
        member,
        [=](Words& words) { return words.Number(min, max); },
        NumberText);
}

RdmaHpccKey
Rate(const std::string& name,
     const std::string& scope,
     uint64_t Config::*member,
     bool zero,
     const std::string& meaning)
{
    return Member(
        name,
        scope,
        "rate with unit",
        zero ? "0 or more" : "more than 0",
        meaning,
        member,
        [zero](Words& words) { return words.Rate(zero); },
        RateText);
}

RdmaHpccKey
File(const std::string& name,
     const std::string& scope,
     std::string Config::*member,
     const std::string& meaning)
{
    return Member(
        name,
        scope,
        "",
        "file name",
        meaning,
        member,
        [](Words& words) { return words.Word(); },
        [](const std::string& file) { return file.empty() ? Text() : Text(file); });
}

RdmaHpccKey
QueueMap(const std::string& name,
         std::map<uint64_t, uint64_t> Config::*member,
         const std::string& meaning)
{
    constexpr uint64_t MAX_KB = MAX32 / 1000; // as bytes in 32 bits
    return RateMap(
        name,
        "1000 B",
        std::to_string(MAX_KB),
        meaning,
        member,
        [](Words& words) {
            return words.Whole(0, MAX_KB, "the queue length of a pair, in 1000 B,");
        },
        [](uint64_t kb) { return std::to_string(kb); });
}

RdmaHpccKey
ChanceMap(const std::string& name,
          std::map<uint64_t, double> Config::*member,
          const std::string& meaning)
{
    return RateMap(
        name,
        "probability",
        "1",
        meaning,
        member,
        [](Words& words) { return words.Number(0, 1, "the probability of a pair"); },
        NumberText);
}

RdmaHpccKey
LinkDown(const std::string& meaning)
{
    return {"LINK_DOWN",
            "all",
            "us, node, node",
            "0 0 0, or " + Span("1", std::to_string(MAX_LINK_DOWN_US)) + " and two nodes",
            "0 0 0",
            meaning,
            ReadLinkDown,
            [](const Config& config) -> Text {
                const RdmaHpccLinkDown down = config.linkDown.value_or(RdmaHpccLinkDown{});
                return std::to_string(down.microseconds) + " " + std::to_string(down.a) + " " +
                       std::to_string(down.b);
            }};
}

RdmaHpccKey
Rejected(const std::string& name, const std::string& why)
{
    return {name,
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
        const std::string& defaultValue,
        std::function<void(Words&, Config&)> check)
{
    key.range = range.empty() ? key.range : range;
    key.defaultValue = defaultValue.empty() ? key.defaultValue : defaultValue;
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
