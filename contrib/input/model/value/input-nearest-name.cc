/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "input-nearest-name.h"

#include "input-spec.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

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

/** \return what counts of a name */
std::string
Letters(std::string text)
{
    text.erase(
        std::remove_if(text.begin(), text.end(), [](char c) { return c == '-' || c == '_'; }),
        text.end());
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
        return static_cast<char>(std::toupper(c));
    });
    return text;
}

/** \return the name most like it, the first of equals; empty if none resembles it */
std::string
NearestName(const std::string& name, const std::vector<std::string>& names)
{
    constexpr size_t LONGEST = 40; // longer words resemble none
    constexpr size_t MIN_BEGINNING = 3;
    if (name.size() > LONGEST)
    {
        return "";
    }
    const std::string upper = Letters(name);
    const auto begins = [](const std::string& text, const std::string& beginning) {
        return beginning.size() >= MIN_BEGINNING && text.rfind(beginning, 0) == 0;
    };
    std::string nearest;
    std::pair<size_t, size_t> least{upper.size() / 2 + 1, 0};
    for (const std::string& known : names)
    {
        const std::string other = Letters(known);
        const bool begun = begins(other, upper);
        const std::string before = Letters(nearest);
        if (begun && begins(before, upper) && !begins(before, other))
        {
            continue; // of two that begin so, the first, unless the second is a part of it
        }
        const size_t edits = EditDistance(upper, other);
        const std::pair<size_t, size_t> distance{begun ? 1 : edits, edits};
        if (distance < least)
        {
            least = distance;
            nearest = known;
        }
    }
    return nearest;
}

} // namespace

std::string
DidYouMean(const std::string& name,
           const std::vector<std::string>& names,
           const std::string& prefix)
{
    const std::string nearest = NearestName(name, names);
    return nearest.empty() ? "" : "; did you mean " + prefix + nearest + "?";
}

std::string
KnownNamesText(const std::string& name,
               const std::vector<std::string>& names,
               const std::string& which)
{
    const std::string nearest = DidYouMean(name, names);
    std::string list = which + " " + ListText(names);
    if (!nearest.empty())
    {
        list[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(list[0])));
    }
    return (nearest.empty() ? "; " : nearest + " ") + list;
}

} // namespace ns3
