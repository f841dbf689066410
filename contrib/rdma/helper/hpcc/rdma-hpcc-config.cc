/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-hpcc-config.h"

#include "rdma-hpcc-config-keys.h"

#include "ns3/input-nearest-name.h"
#include "ns3/input-number.h"
#include "ns3/input-values.h"

#include <fstream>
#include <ostream>

namespace ns3
{

namespace
{

[[noreturn]] void
FailUnknown(const RdmaHpccConfigWords& words, const std::string& name, const std::string& before)
{
    std::string message = "unknown key " + ShownText(words.Key());
    message += before.empty() ? "" : " (after " + before + " and its value)";
    std::vector<std::string> keys;
    for (const RdmaHpccKey& key : RdmaHpccKeys())
    {
        keys.push_back(key.name);
    }
    const std::string nearest = DidYouMean(words.Key(), keys);
    if (words.Key()[0] == '#' || words.Key()[0] == '/')
    {
        message += "; config.txt has no comments: remove it";
    }
    else if (nearest.empty())
    {
        message += "; remove it (docs/reference/config-keys.md lists the keys)";
    }
    else
    {
        message += nearest;
    }
    throw InputError(name, words.KeyLine(), message);
}

template <typename T>
T
EntryAt(const RdmaHpccConfig& config,
        const std::map<uint64_t, T>& map,
        const std::string& key,
        uint64_t rate)
{
    const auto entry = map.find(rate);
    if (entry == map.end())
    {
        throw InputError(config.file,
                         config.LineOf(key),
                         key + ": no value for links of " + std::to_string(rate) +
                             " bit/s, which the topology has; add a pair for that rate");
    }
    return entry->second;
}

} // namespace

RdmaHpccControl
RdmaHpccConfig::Control() const
{
    switch (ccMode)
    {
    case 1:
        return RdmaHpccControl::DCQCN;
    case 3:
        return RdmaHpccControl::HPCC;
    case 7:
        return RdmaHpccControl::TIMELY;
    case 8:
        return RdmaHpccControl::DCTCP;
    case 10:
        return RdmaHpccControl::HPCC_PINT;
    default:
        return RdmaHpccControl::NONE;
    }
}

RdmaHpccFlavour
RdmaHpccConfig::Flavour() const
{
    const bool files = !bwMonFile.empty() || !rateMonFile.empty() || !cnpMonFile.empty();
    if (files || monStart || monEnd || qpMonInterval || qlenMonInterval || bwMonInterval)
    {
        return RdmaHpccFlavour::SIMAI;
    }
    return nicTotalPauseTime ? RdmaHpccFlavour::ASTRA : RdmaHpccFlavour::HPCC;
}

uint64_t
RdmaHpccConfig::LineOf(const std::string& key) const
{
    const auto line = lines.find(key);
    return line == lines.end() ? 0 : line->second;
}

RdmaHpccEcn
RdmaHpccConfig::EcnAt(uint64_t rate) const
{
    constexpr uint64_t KB = 1000;
    return {EntryAt(*this, kminMap, "KMIN_MAP", rate) * KB,
            EntryAt(*this, kmaxMap, "KMAX_MAP", rate) * KB,
            EntryAt(*this, pmaxMap, "PMAX_MAP", rate)};
}

RdmaHpccConfig
ReadRdmaHpccConfig(const std::string& file)
{
    std::ifstream in = OpenInput(file);
    return ReadRdmaHpccConfig(in, file);
}

RdmaHpccConfig
ReadRdmaHpccConfig(std::istream& in, const std::string& name)
{
    RdmaHpccConfig config;
    config.file = name;
    RdmaHpccConfigWords words(in, name, FindRdmaHpccKey);
    std::string before;
    while (words.NextKey())
    {
        const RdmaHpccKey* key = FindRdmaHpccKey(words.Key());
        if (!key)
        {
            FailUnknown(words, name, before);
        }
        const auto [earlier, first] = config.lines.emplace(key->name, words.KeyLine());
        if (!first)
        {
            throw InputError(name,
                             words.KeyLine(),
                             key->name + " is set a second time, after line " +
                                 std::to_string(earlier->second) + "; keep one of the two");
        }
        key->read(words, config);
        before = key->name;
    }
    CompleteRdmaHpccConfig(config);
    return config;
}

void
WriteRdmaHpccConfig(std::ostream& out, const RdmaHpccConfig& config)
{
    for (const auto& [key, value] : RdmaHpccConfigItems(config))
    {
        out << key << " " << value << "\n";
    }
}

std::vector<std::pair<std::string, std::string>>
RdmaHpccConfigItems(const RdmaHpccConfig& config)
{
    std::vector<std::pair<std::string, std::string>> items;
    for (const RdmaHpccKey& key : RdmaHpccKeys())
    {
        if (std::optional<std::string> value = key.write(config))
        {
            items.emplace_back(key.name, *value);
        }
    }
    return items;
}

} // namespace ns3
