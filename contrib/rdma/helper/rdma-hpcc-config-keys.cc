/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-hpcc-config-keys.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace ns3
{

namespace
{

/** \return the least number of letters put in, left out or replaced that make \p b of \p a */
size_t
EditDistance(const std::string& a, const std::string& b)
{
    std::vector<size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), size_t{0});
    for (size_t i = 0; i < a.size(); ++i)
    {
        size_t diagonal = row[0]++;
        for (size_t j = 0; j < b.size(); ++j)
        {
            const size_t replaced = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

std::string
UpperCase(std::string text)
{
    for (char& c : text)
    {
        c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    return text;
}

} // namespace

const RdmaHpccKey*
FindRdmaHpccKey(const std::string& name)
{
    for (const RdmaHpccKey& key : RdmaHpccKeys())
    {
        if (key.name == name)
        {
            return &key;
        }
    }
    return nullptr;
}

std::string
NearestRdmaHpccKey(const std::string& name)
{
    constexpr size_t LONGEST = 40; // longer words resemble no key
    if (name.size() > LONGEST)
    {
        return "";
    }
    const std::string upper = UpperCase(name);
    std::string nearest;
    size_t least = upper.size() / 2 + 1;
    for (const RdmaHpccKey& key : RdmaHpccKeys())
    {
        const size_t distance = EditDistance(upper, key.name);
        if (distance < least)
        {
            least = distance;
            nearest = key.name;
        }
    }
    return nearest;
}

} // namespace ns3
