/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-nccl-files.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

namespace ns3
{

namespace
{

bool
IsDigit(char letter)
{
    return std::isdigit(static_cast<unsigned char>(letter)) != 0;
}

/** \return the digits from \p at on, without zeros in front; \p at is set to behind them */
std::string
DigitsAt(const std::string& text, size_t& at)
{
    const size_t first = std::min(text.find_first_not_of('0', at), text.size());
    at = first;
    while (at < text.size() && IsDigit(text[at]))
    {
        ++at;
    }
    return text.substr(first, at - first);
}

/** \return whether a name comes before another one: rank-2 before rank-10 */
bool
IsBefore(const std::string& a, const std::string& b)
{
    size_t i = 0;
    size_t j = 0;
    while (i < a.size() && j < b.size())
    {
        if (IsDigit(a[i]) && IsDigit(b[j]))
        {
            const std::string left = DigitsAt(a, i);
            const std::string right = DigitsAt(b, j);
            if (left != right)
            {
                return left.size() != right.size() ? left.size() < right.size() : left < right;
            }
        }
        else if (a[i] != b[j])
        {
            return a[i] < b[j];
        }
        else
        {
            ++i;
            ++j;
        }
    }
    return a.size() - i != b.size() - j ? a.size() - i < b.size() - j : a < b;
}

} // namespace

std::vector<std::string>
FindWorkloadNcclFiles(const std::vector<std::string>& paths, const std::string& ending)
{
    namespace fs = std::filesystem;
    std::vector<std::string> files;
    for (const std::string& path : paths)
    {
        std::error_code error;
        if (!fs::is_directory(path, error))
        {
            files.push_back(path);
            continue;
        }
        std::vector<std::string> found;
        for (const auto& entry : fs::directory_iterator(path, error))
        {
            if (entry.path().extension() == ending)
            {
                found.push_back(entry.path().string());
            }
        }
        if (error || found.empty())
        {
            throw InputError(path, 0, "holds no files whose names end in " + ending);
        }
        std::sort(found.begin(), found.end(), IsBefore);
        files.insert(files.end(), found.begin(), found.end());
    }
    std::set<std::string> once;
    for (const std::string& file : files)
    {
        if (!once.insert(fs::path(file).lexically_normal().string()).second)
        {
            throw InputError(file, 0, "is given twice: name it once");
        }
    }
    return files;
}

} // namespace ns3
