/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record-options.h"

#include "command/options.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"
#include "ns3/input-spec.h"

#include <algorithm>
#include <sstream>

namespace po = boost::program_options;

namespace wormhole
{

using ns3::InputError;

namespace
{

constexpr size_t MOST_PAIRS = 64;

bool
ParseHost(const std::string& text, uint32_t& host)
{
    uint64_t value = 0;
    if (!ns3::ParseInteger(text, value) || value > UINT32_MAX)
    {
        return false;
    }
    host = static_cast<uint32_t>(value);
    return true;
}

/** SRC-DST,... */
std::vector<RecordPair>
ParsePairs(const std::string& text)
{
    const std::string shown = "--record-pairs " + ns3::ShownText(text) + ": ";
    std::vector<RecordPair> pairs;
    std::istringstream list(text + ",");
    for (std::string word; std::getline(list, word, ',');)
    {
        const size_t dash = word.find('-');
        RecordPair pair;
        if (dash == std::string::npos || !ParseHost(word.substr(0, dash), pair.src) ||
            !ParseHost(word.substr(dash + 1), pair.dst))
        {
            throw InputError(shown + "must be SRC-DST,..., such as 0-8,1-9");
        }
        if (pair.src == pair.dst)
        {
            throw InputError(shown + word + ": a host does not send to itself");
        }
        const auto isSame = [&pair](const RecordPair& other) {
            return other.src == pair.src && other.dst == pair.dst;
        };
        if (std::any_of(pairs.begin(), pairs.end(), isSame))
        {
            throw InputError(shown + word + " is there twice");
        }
        pairs.push_back(pair);
    }
    if (pairs.size() > MOST_PAIRS)
    {
        throw InputError("--record-pairs: " + std::to_string(pairs.size()) +
                         " pairs, but at most " + std::to_string(MOST_PAIRS) + " are recorded");
    }
    return pairs;
}

} // namespace

po::options_description
RecordOptionGroup()
{
    po::options_description group("Recording");
    group.add_options()("record",
                        "write how the run went over time, for wormhole report: folder record")(
        "record-pairs",
        po::value<std::string>()->value_name("SRC-DST,..."),
        "pairs of hosts whose rates are recorded (default: of the first 256 that send, the 8 with "
        "the most bytes)");
    return group;
}

RecordOptions
ParseRecordOptions(const po::variables_map& values)
{
    RecordOptions options;
    options.on = values.count("record");
    const std::string pairs = TextOption(values, "record-pairs");
    if (!pairs.empty() && !options.on)
    {
        throw InputError("--record-pairs: no effect without --record");
    }
    if (!pairs.empty())
    {
        options.pairs = ParsePairs(pairs);
    }
    return options;
}

} // namespace wormhole
